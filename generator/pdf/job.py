"""Requests to the press's worker: everything that goes into a PDF, or layers to read or to try."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import TypeVar

from msgspec import Struct, field

from generator.basics.files import MEGABYTE
from generator.model import Face, Flip, Imprint, Layer, Sheet

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
