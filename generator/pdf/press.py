"""Take a Job, make a PDF in a worker process, and name the faces it fails on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from generator.errors import PnpError, Problem, fail
from generator.files import MEGABYTE
from generator.geometry import Size
from generator.model import Face, Layer
from generator.pdf.job import Draft, Job, Trial, layers_of
from generator.place import Place
from generator.workers import (
    MEMORY,
    SECONDS_A_FACE,
    THREADS,
    Ending,
    Limits,
    WorkerError,
    WorkerProcess,
    find_fault_of_machine,
    tell_blank_fails,
)

MAX_SOURCE = 256 * MEGABYTE
_MAX_NAMED = 5
_MOST_READ_BEFORE = MEGABYTE // 4  # of a layer: a photograph is read faster once than twice
_FIRST_DRAFT = 12  # layers
_GROWTH = 0.5  # of a draft: few are sent, for of many the engine forgets the first
_WORKER = "generator.pdf.press_worker"
_BLANK = Layer("", "", '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', Size(1, 1))


@dataclass
class Press:
    """A worker process, started early so that it is warm when the sheets are ready.

    Use as a context, for the jobs of one command: the worker never outlives it. The limits: memory
    in bytes, seconds for a whole job (1,000 cards take about 1 s), seconds for a face alone. One
    that is not early starts with its first job, for a command that may have none.
    """

    memory: int = MEMORY
    seconds: float = 120.0
    seconds_a_face: float = SECONDS_A_FACE
    is_early: bool = True
    _worker: WorkerProcess = field(init=False)
    _begun: dict[str, Layer] = field(default_factory=dict)
    _drafted: int = 0  # of those, how many were sent

    def __enter__(self) -> Press:
        self._worker = WorkerProcess(_WORKER, self._limits())
        if self.is_early:
            self._worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.end()

    def begin(self, face: Face, font_folders: Sequence[str]) -> None:
        """Tell of a face that is sure to be printed: its layers are read while others are drawn.

        What is wrong with it is said when the job is.
        """
        for layer in layers_of([face]):
            if len(layer.svg) <= _MOST_READ_BEFORE:
                self._begun.setdefault(layer.id, layer)
        new = len(self._begun) - self._drafted
        if new >= max(_FIRST_DRAFT, self._drafted * _GROWTH) and self._is_bearable():
            layers = list(self._begun.values())[self._drafted :]
            self._drafted = len(self._begun)
            self._worker.send(Draft(layers, font_folders))

    def _is_bearable(self) -> bool:
        return sum(len(layer.svg) for layer in self._begun.values()) <= MAX_SOURCE

    def print(self, job: Job) -> bytes:
        """The finished PDF. Raises PnpError naming each face that cannot be drawn."""
        size = sum(len(layer.svg) for layer in job.layers())
        if size > MAX_SOURCE:
            what = f"the faces hold {size / MEGABYTE:.0f} MB of SVG"
            hint = f"at most {MAX_SOURCE / MEGABYTE:g} MB: simplify the art"
            raise fail(Place("faces"), what, hint)
        try:
            (pdf,) = self._worker.ask(job, 1, self.seconds)
        except WorkerError as error:
            raise PnpError(self._find_faults(job, error.ending)) from None
        return pdf

    def _limits(self) -> Limits:
        return Limits(self.memory, max(round(self.seconds * THREADS), 1))

    def _find_faults(self, job: Job, overall: Ending) -> list[Problem]:
        """Draw each layer alone, to name the faces at fault; the whole job when none is.

        Each worker draws a blank one first: where that fails too, no face is at fault.
        """
        if fault := find_fault_of_machine(overall):
            return [fault]
        problems: list[Problem] = []
        with WorkerProcess(_WORKER, self._limits()) as worker:
            for layer in job.layers():
                if worker.pid is None and (ending := self._try(worker, _BLANK, job)):
                    return [tell_blank_fails(ending)]
                if ending := self._try(worker, layer, job):
                    if fault := find_fault_of_machine(ending):
                        return [fault]
                    place = Place(layer.name)
                    problems.append(Problem(place, ending.problem.what, "look at its art"))
                if len(problems) == _MAX_NAMED:
                    break
        whole = overall.problem
        return problems or [replace(whole, hint=whole.hint or "simplify the art")]

    def _try(self, worker: WorkerProcess, layer: Layer, job: Job) -> Ending | None:
        """How the worker fails to draw a layer; None when it does not."""
        try:
            list(worker.ask(Trial(layer, job.font_folders), 1, self.seconds_a_face))
        except WorkerError as error:
            return error.ending
        return None
