"""PDFs of Jobs, made in a worker process, and the names of faces that cannot be drawn.

A Job is all that goes into a PDF; other requests are layers to read or to try. Another worker process makes files for a
print shop of them.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.bounds import find_memory
from generator.basics.errors import Place, PnpError, Problem, fail, raise_all
from generator.basics.files import MEGABYTE
from generator.basics.geometry import Size
from generator.basics.workers import (
    MEMORY,
    SECONDS_A_FACE,
    THREADS,
    Ending,
    Limits,
    WorkerError,
    WorkerProcess,
    describe_failing_blank,
    find_fault_of_machine,
)
from generator.model import Face, Flip, Imprint, Layer, Sheet

if TYPE_CHECKING:
    from generator.model.face import FacePages
    from generator.pdf.inks import PressColour

_FACES_A_BATCH = 50  # the fewest, of small drawings
_SIZE_A_BATCH = 4 * MEGABYTE  # of photographs
_MOST_BATCHES = 8
_FACES_A_PART, _SHEETS_A_PART = 250, 50  # of a job
_MOST_KEPT = 2000  # faces of a job whose layers are kept for the next one
FACE = "face-"  # with the id of a face: its name on a page
LAYERS = {  # that a viewer can show or hide, by the kind of what they show: their titles
    "face": "Art",
    "cut": "Cut marks",
    "corner": "Corner marks",
    "outline": "Outlines",
    "fold": "Fold lines",
    "register": "Registration",
    "frame": "Frame",
    "cutter": "Cutter marks",
    "slug": "Labels",
}
_SHARE = 3  # of the memory for a game: what the drawings of its faces may take
_MAX_NAMED = 5
_SECONDS_TO_LOOK = 60.0  # for the faces at fault: a large deck has many thousands
_MOST_SENT_EARLY = MEGABYTE // 4  # of a layer: a photograph has few words to split
_FIRST_BATCH = 12  # layers
_GROWTH = 0.5  # of a batch, so that there are few messages
_MOST_IN_A_BATCH = 1000
_MOST_WAITING = 4  # batches that the worker has not taken; the rest goes with the job
_SMALLER = "simplify the art, or print a part of it with --only"
_WORKER = "generator.pdf.press_worker"
_INKING_WORKER = "generator.pdf.inking.inking_worker"
_SECONDS_TO_INK = 300.0  # of the processor: 54 photographs take 30
_BLANK = Layer.of("", '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', Size(1, 1))
_Thing = TypeVar("_Thing")


def layers_of(faces: Sequence[Face]) -> list[Layer]:
    """The distinct layers of faces."""
    placed_layers = (placed for face in faces for placed in face.layers)
    return list({placed.layer.id: placed.layer for placed in placed_layers}.values())


class Job(Struct, frozen=True):
    """Sheets, the faces on them, and the folders of their fonts. The file of a job that
    `is_temporary`, to be painted, is not compressed, and has no profiles of colours."""

    sheets: Sequence[Sheet]
    faces: Sequence[Face]
    imprint: Imprint
    font_folders: Sequence[str]
    # texts for screen readers, by piece and id of its face
    names: Mapping[tuple[str, str], str] = field(default_factory=dict)
    is_temporary: bool = False

    @property
    def is_large(self) -> bool:
        """Whether the worker forgets each layer once its face is read."""
        return len(self.faces) > _MOST_KEPT

    def parts(self) -> Iterator[JobHead | JobPart]:
        """The requests of this job, each with one answer: that to the last is the file."""
        flip = next((sheet.flip for sheet in self.sheets if sheet.flip), None)
        uses = Counter(id_ for face in self.faces for id_ in {placed.layer.id for placed in face.layers})
        repeated = sorted(id_ for id_, times in uses.items() if times > 1)
        yield JobHead(self.imprint, self.font_folders, flip, repeated, self.is_large, self.is_temporary)
        for faces in _divide(self.faces, _FACES_A_PART):
            yield JobPart(faces=faces)
        titles = {face.id: face.name for face in self.faces}
        for sheets in _divide(self.sheets, _SHEETS_A_PART):
            keys = {
                (placement.piece, placement.face)
                for sheet in sheets
                for page in sheet.pages
                for placement in page.placements
            }
            names = {key: self.names.get(key) or titles[key[1]] for key in keys}
            yield JobPart(sheets=sheets, names=names)
        yield JobPart(is_last=True)


def _divide(things: Sequence[_Thing], most: int) -> Iterator[Sequence[_Thing]]:
    return (things[start : start + most] for start in range(0, len(things), most))


class JobHead(Struct, frozen=True):
    """The beginning of a job. `flip`: of its sheets with backs; a print dialog has one setting for all. `repeated`:
    the ids of the layers that several faces show. `is_large`: its other layers are forgotten once they are read."""

    imprint: Imprint
    font_folders: Sequence[str]
    flip: Flip | None
    repeated: Sequence[str]
    is_large: bool = False
    is_temporary: bool = False


class JobPart(Struct, frozen=True):
    """Some faces of a job, whose layers the worker may have read already; or some sheets, and the
    texts for screen readers."""

    faces: Sequence[Face] = ()
    sheets: Sequence[Sheet] = ()
    names: Mapping[tuple[str, str], str] = field(default_factory=dict)
    is_last: bool = False


class ProofJob(Struct, frozen=True):
    """Faces to inspect, and the folders of their fonts. The answers are two for each batch: its
    proof, and the pages of its faces."""

    faces: Sequence[Face]
    font_folders: Sequence[str]

    def batches(self) -> list[Sequence[Face]]:
        """The faces in a few batches of equal numbers, so that one is looked at while the next is
        drawn. What faces share is drawn again for each batch, so a small game is one."""
        size = sum(len(layer.content) for layer in layers_of(self.faces))
        worth = max(len(self.faces) // _FACES_A_BATCH, size // _SIZE_A_BATCH, 1)
        each = max(ceil(len(self.faces) / min(worth, _MOST_BATCHES)), 1)
        return list(_divide(self.faces, each))


class EarlyLayers(Struct, frozen=True):
    """Layers of a later job, to read ahead. It has no answer."""

    layers: Sequence[Layer]
    font_folders: Sequence[str]


class Trial(Struct, frozen=True):
    """A layer to draw alone, to find out whether that works. The answer is empty."""

    layer: Layer
    font_folders: Sequence[str]


class Press:
    """A worker process, started early so that it is ready before the sheets are.

    Use as a context, for the jobs of one command: the worker ends with it. The limits are memory in
    bytes, seconds for each part of a job (250 faces take about 1 s) and for a face alone. With
    `is_early` false it starts with the first job, for a command that may have none.
    """

    def __init__(
        self,
        memory: int = MEMORY,
        seconds: float = 120.0,
        seconds_a_face: float = SECONDS_A_FACE,
        *,
        is_early: bool = True,
    ) -> None:
        self.memory = memory
        self.seconds = seconds
        self.seconds_a_face = seconds_a_face
        self.is_early = is_early
        self._begun: set[str] = set()  # layers, by their ids
        self._next: list[Layer] = []  # those of them that are not sent

    def __enter__(self) -> Press:
        self._worker = WorkerProcess(_WORKER, self._limits())
        if self.is_early:
            self._worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.end()

    def begin(self, face: Face, font_folders: Sequence[str]) -> None:
        """Send a face that will be printed, so that its layers are split while others are drawn.

        Its faults are reported by `print`.
        """
        for layer in layers_of([face]):
            if len(layer.content) <= _MOST_SENT_EARLY and layer.id not in self._begun:
                self._begun.add(layer.id)
                self._next.append(layer)
        sent = len(self._begun) - len(self._next)
        due = min(max(_FIRST_BATCH, sent * _GROWTH), _MOST_IN_A_BATCH)
        if len(self._next) >= due and self._worker.waiting < _MOST_WAITING:
            self._worker.send(EarlyLayers(self._next, font_folders))
            self._next = []

    def print(self, job: Job) -> bytes:
        """The finished PDF. Raises PnpError naming each face that cannot be drawn."""
        content = b""
        with self._watched(job):
            for part in job.parts():
                (content,) = self._worker.ask(part, 1, self.seconds)
        return content

    def prove(self, faces: Sequence[Face], font_folders: Sequence[str]) -> Iterator[tuple[bytes, list[FacePages]]]:
        """PDFs to inspect, one for each of a few batches of faces, as soon as it is drawn, and the
        pages of each of its faces. Raises PnpError like `print`."""
        from generator.model.face import FacePages  # a build needs none

        job = ProofJob(faces, font_folders)
        with self._watched(job):
            answers = self._worker.ask(job, 2 * len(job.batches()), self.seconds)
            for pdf, numbers in zip(answers, answers, strict=True):
                pages = json.loads(numbers)
                yield pdf, [FacePages(tuple(painted), tuple(read)) for painted, read in pages]

    @contextmanager
    def _watched(self, job: Job | ProofJob) -> Iterator[None]:
        """Raises PnpError if the worker ends within the block."""
        size = sum(len(layer.content) for layer in layers_of(job.faces))
        most = find_memory() // _SHARE
        if size > most:
            what = f"the faces hold {size / MEGABYTE:.0f} MB of drawings"
            raise fail(Place("faces"), what, f"simplify the art: at most {most / MEGABYTE:.0f} MB")
        try:
            yield
        except WorkerError as error:
            raise PnpError(self._find_faults(job, error.ending)) from None

    def _limits(self) -> Limits:
        return Limits(self.memory, max(round(self.seconds * THREADS), 1))

    def _find_faults(self, job: Job | ProofJob, overall: Ending) -> list[Problem]:
        """Draw each layer alone, to name the faces at fault; if none is, report the whole job.

        Each worker draws a blank layer first: if that fails too, no face is at fault.
        """
        if fault := find_fault_of_machine(overall):
            return [fault]
        problems: list[Problem] = []
        until = time.monotonic() + _SECONDS_TO_LOOK
        with WorkerProcess(_WORKER, self._limits()) as worker:
            for layer in layers_of(job.faces):
                if worker.pid is None and (ending := self._try(worker, _BLANK, job)):
                    return [describe_failing_blank(ending)]
                if ending := self._try(worker, layer, job):
                    if fault := find_fault_of_machine(ending):
                        return [fault]
                    place = Place(layer.name)
                    problems.append(Problem(place, ending.problem.what, "look at its art"))
                if len(problems) == _MAX_NAMED or time.monotonic() > until:
                    break
        whole = overall.problem
        return problems or [replace(whole, hint=whole.hint or _SMALLER)]

    def _try(self, worker: WorkerProcess, layer: Layer, job: Job | ProofJob) -> Ending | None:
        """The ending of the worker if it fails to draw a layer; None if it does not fail."""
        try:
            list(worker.ask(Trial(layer, job.font_folders), 1, self.seconds_a_face))
        except WorkerError as error:
            return error.ending
        return None


class Inker:
    """A worker process that makes files for a press; without a colour, it changes nothing.

    Use as a context: the worker starts at once, so that it is ready before the file is, and ends with it.
    """

    def __init__(self, colour: PressColour | None) -> None:
        self._colour = colour
        self._worker = WorkerProcess(_INKING_WORKER, Limits(MEMORY, round(_SECONDS_TO_INK)))

    def __enter__(self) -> Inker:
        if self._colour:
            self._worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.end()

    def ink(self, pdf: bytes) -> tuple[bytes, list[str]]:
        """The PDF for the press, and notes on it. Raises PnpError if it cannot be made."""
        if self._colour is None:
            return pdf, []
        try:
            said, inked = self._worker.ask((pdf, self._colour), 2, _SECONDS_TO_INK)
        except WorkerError as error:
            raise PnpError([error.ending.problem]) from None
        answer: dict[str, Any] = json.loads(said)
        raise_all(Problem(Place(place), what, hint) for place, what, hint in answer["problems"])
        return inked, answer["notes"]
