"""Requests to the press's worker: everything that goes into a PDF, or layers to read or to try."""

from __future__ import annotations

import copyreg
import io
import pickle
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields
from math import ceil
from typing import Any

from generator.files import MEGABYTE
from generator.model import Face, Imprint, Layer, Sheet

_FACES_A_BATCH = 50  # the fewest, of small drawings
_SIZE_A_BATCH = 4 * MEGABYTE  # of photographs
_MOST_BATCHES = 8
FACE = "/face-"  # with the id of a face: its name on a page


def layers_of(faces: Sequence[Face]) -> list[Layer]:
    """The distinct layers of faces."""
    placed_layers = (placed for face in faces for placed in face.layers)
    return list({placed.layer.id: placed.layer for placed in placed_layers}.values())


@dataclass(frozen=True, slots=True)
class Job:
    """Sheets, the faces on them, and the folders of their fonts."""

    sheets: Sequence[Sheet]
    faces: Sequence[Face]
    imprint: Imprint
    font_folders: Sequence[str]
    # texts for screen readers, by piece and id of its face
    names: Mapping[tuple[str, str], str] = field(default_factory=dict)
    # the ids of the layers that the worker has already: they are sent without their drawings
    sent: AbstractSet[str] = frozenset()

    def __reduce__(self) -> tuple[Any, ...]:
        content = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "sent"}
        return _unpack, (_pack(content, self.sent),)

    def layers(self) -> list[Layer]:
        """The distinct layers of all faces."""
        return layers_of(self.faces)


def _pack(content: Mapping[str, Any], sent: AbstractSet[str]) -> bytes:
    def reduce(layer: Layer) -> Any:
        return (layer._replace(svg="") if layer.id in sent else layer).__reduce_ex__(4)

    stream = io.BytesIO()
    pickler = pickle.Pickler(stream)
    pickler.dispatch_table = copyreg.dispatch_table | {Layer: reduce}
    pickler.dump(content)
    return stream.getvalue()


def _unpack(content: bytes) -> Job:
    return Job(**pickle.loads(content))


@dataclass(frozen=True, slots=True)
class ProofJob:
    """Faces to inspect, and the folders of their fonts. The answers are two for each batch: its
    proof, and the pages of its faces."""

    faces: Sequence[Face]
    font_folders: Sequence[str]

    def batches(self) -> list[Sequence[Face]]:
        """The faces in a few batches of equal numbers, so that one is looked at while the next is
        drawn. What faces share is drawn again for each batch, so a small game is one."""
        size = sum(len(layer.svg) for layer in self.layers())
        worth = max(len(self.faces) // _FACES_A_BATCH, size // _SIZE_A_BATCH, 1)
        each = max(ceil(len(self.faces) / min(worth, _MOST_BATCHES)), 1)
        return [self.faces[start : start + each] for start in range(0, len(self.faces), each)]

    def layers(self) -> list[Layer]:
        """The distinct layers of all faces."""
        return layers_of(self.faces)


@dataclass(frozen=True, slots=True)
class EarlyLayers:
    """Layers of a later job, to read ahead. It has no answer."""

    layers: Sequence[Layer]
    font_folders: Sequence[str]


@dataclass(frozen=True, slots=True)
class Trial:
    """A layer to draw alone, to find out whether that works. The answer is empty."""

    layer: Layer
    font_folders: Sequence[str]
