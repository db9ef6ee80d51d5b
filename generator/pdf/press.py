"""Take a Job, make a PDF in a worker that is watched, and name the faces it fails on."""

from __future__ import annotations

import pickle
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from typing import IO

from generator.errors import PnpError, Problem, fail
from generator.files import MEGABYTE
from generator.geometry import Size
from generator.model import Face, Layer
from generator.pdf.ending import (
    Ending,
    count_killed,
    find_fault_of_machine,
    meet_limit,
    tell_ending,
)
from generator.pdf.job import ATTEMPT, DONE, Draft, Job, Limits, Probe, layers_of
from generator.pdf.watched import (
    MEMORY,
    SECONDS_A_FACE,
    SECONDS_TO_START,
    THREADS,
    start,
    stop,
)

MAX_SOURCE = 256 * MEGABYTE
_MAX_NAMED = 5
_FIRST_DRAFT = 12  # layers
_GROWTH = 0.5  # of a draft: few are sent, for of many the engine forgets the first
_WORKER = "generator.pdf.worker"
_BLANK = Layer("", "", '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', Size(1, 1))


@dataclass
class Press:
    """A worker process, started early so that it is warm when the sheets are ready.

    Use as a context, for one job: the worker never outlives it. The limits: memory in bytes,
    seconds for a whole job (1,000 cards take about 1 s), seconds for a face alone.
    """

    memory: int = MEMORY
    seconds: float = 120.0
    seconds_a_face: float = SECONDS_A_FACE
    _worker: subprocess.Popen[bytes] = field(init=False)
    _killed_before: int | None = field(init=False)
    _requests: SimpleQueue[bytes | None] = field(default_factory=SimpleQueue)
    _writer: threading.Thread = field(init=False)
    _begun: dict[str, Layer] = field(default_factory=dict)
    _drafted: int = 0  # of those, how many were sent

    def __enter__(self) -> Press:
        self._killed_before = count_killed()
        self._worker = start(_WORKER, subprocess.PIPE, subprocess.PIPE)
        self._writer = threading.Thread(target=self._write, args=(self._worker.stdin,), daemon=True)
        self._worker.stdin = None  # the writer's: `communicate` is to leave it alone
        self._writer.start()
        self._requests.put(self._limits())
        return self

    def __exit__(self, *_: object) -> None:
        self._requests.put(None)
        stop(self._worker)
        self._writer.join()

    def begin(self, face: Face, font_folders: Sequence[str]) -> None:
        """Tell of a face that is sure to be printed: its layers are read while others are drawn.

        What is wrong with it is said when the job is.
        """
        for layer in layers_of([face]):
            self._begun.setdefault(layer.id, layer)
        new = len(self._begun) - self._drafted
        if new >= max(_FIRST_DRAFT, self._drafted * _GROWTH) and self._is_bearable():
            layers = list(self._begun.values())[self._drafted :]
            self._drafted = len(self._begun)
            self._requests.put(pickle.dumps(Draft(layers, font_folders)))

    def _is_bearable(self) -> bool:
        return sum(len(layer.svg) for layer in self._begun.values()) <= MAX_SOURCE

    def print(self, job: Job) -> bytes:
        """The finished PDF. Raises PnpError naming each face that cannot be drawn."""
        size = sum(len(layer.svg) for layer in job.layers())
        if size > MAX_SOURCE:
            what = f"the faces hold {size / MEGABYTE:.0f} MB of SVG"
            raise fail("faces", what, f"at most {MAX_SOURCE / MEGABYTE:g} MB: simplify the art")
        self._requests.put(pickle.dumps(job))
        self._requests.put(None)
        try:
            pdf, trouble = self._worker.communicate(timeout=self.seconds)
        except subprocess.TimeoutExpired:
            stop(self._worker)
            overall = meet_limit(f"it takes more than {self.seconds:g} s")
            raise PnpError(self._faults(job, overall)) from None
        if code := self._worker.returncode:
            overall = tell_ending(code, trouble.decode(errors="replace"), self._killed_before)
            raise PnpError(self._faults(job, overall))
        return pdf

    def _write(self, pipe: IO[bytes]) -> None:
        """Send what is asked for, in a thread: a worker that is at work does not read."""
        with suppress(OSError), pipe:  # how it ended is found out elsewhere
            while (request := self._requests.get()) is not None:
                pipe.write(request)
                pipe.flush()

    def _limits(self) -> bytes:
        processor_seconds = max(round(self.seconds * int(THREADS)), 1)
        return pickle.dumps(Limits(self.memory, processor_seconds))

    def _faults(self, job: Job, overall: Ending) -> list[Problem]:
        """Draw each layer alone, to name the faces at fault; the whole job when none is.

        A blank one comes first: where that fails too, no face is at fault.
        """
        if fault := find_fault_of_machine(overall):
            return [fault]
        problems: list[Problem] = []
        layers = job.layers()
        while layers and len(problems) < _MAX_NAMED:
            index, how = self._probe([_BLANK, *layers], job.font_folders)
            if how is None:
                break
            if fault := find_fault_of_machine(how, is_blank=index == 0):
                return [fault]
            at_fault = layers[index - 1]
            problems.append(Problem(at_fault.name, how.problem.what, "look at its art"))
            layers = layers[index:]
        whole = overall.problem
        return problems or [replace(whole, hint=whole.hint or "simplify the art")]

    def _probe(
        self, layers: Sequence[Layer], font_folders: Sequence[str]
    ) -> tuple[int, Ending | None]:
        """The layer at which a worker fails that draws them, and how; None when it does not."""
        killed_before = count_killed()
        with _probing(self._limits() + pickle.dumps(Probe(layers, font_folders))) as worker:
            return _watch(worker, self.seconds_a_face, killed_before)


def _watch(
    worker: subprocess.Popen[bytes], seconds: float, killed_before: int | None
) -> tuple[int, Ending | None]:
    lines = _lines(worker)
    index = 0
    trouble = ""  # what it said of the layer at work
    while True:
        try:
            line = lines.get(timeout=SECONDS_TO_START if index is None else seconds)
        except Empty:
            return index, meet_limit(f"drawing it takes more than {seconds:g} s")
        if line is None:
            return index, tell_ending(worker.wait(), trouble, killed_before)
        if line == DONE:
            return index, None
        if line.startswith(ATTEMPT):
            index, trouble = int(line.removeprefix(ATTEMPT)), ""
        else:
            trouble += f"{line}\n"


def _lines(worker: subprocess.Popen[bytes]) -> SimpleQueue[str | None]:
    """What a worker says, line by line as it comes, None when it has ended."""
    lines: SimpleQueue[str | None] = SimpleQueue()

    def read() -> None:
        assert worker.stdout is not None
        with worker.stdout as said:
            for line in said:
                lines.put(line.decode(errors="replace").strip())
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


@contextmanager
def _probing(request: bytes) -> Iterator[subprocess.Popen[bytes]]:
    """A worker that reads its request from a file: no pipe to it can fill up and block."""
    with tempfile.TemporaryFile() as file:
        file.write(request)
        file.seek(0)
        worker = start(_WORKER, file, subprocess.STDOUT)
        try:
            yield worker
        finally:
            worker.kill()
            worker.wait()
