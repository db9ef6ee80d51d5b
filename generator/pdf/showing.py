"""Take a layer placed on a face, find its parts that show there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from generator.geometry import Rect
from generator.model import Face, PlacedLayer
from generator.outlines import Outline, box_of, common
from generator.pdf.faces import LayerPart, PlacedPage, Typeset

_WITHIN = 0.5  # mm: mirrored edges overlap the piece by less


class ShownParts:
    """The parts of typeset layers that show on faces."""

    def __init__(self, typeset: Typeset) -> None:
        self._typeset = typeset
        self._rooms: dict[tuple[str, int], Rect] = {}

    def of(self, face: Face, placed: PlacedLayer) -> Iterator[tuple[int, LayerPart]]:
        """The parts of a layer that may be within its clip, with their numbers: most words are not
        in the mirrored edges."""
        for number, part in enumerate(self._typeset.parts[placed.layer.id]):
            if placed.clip is None or self._shows(face, placed, placed.clip, number, part):
                yield number, part

    def _shows(
        self, face: Face, placed: PlacedLayer, clip: Outline, number: int, part: LayerPart
    ) -> bool:
        key = placed.layer.id, number
        if key not in self._rooms:
            self._rooms[key] = _room(part)
        room = placed.place.apply_rect(self._rooms[key])
        bounds, hole = _window(clip, face.trim)
        return room.overlaps(bounds) and not (hole is not None and hole.encloses(room))


def _room(part: LayerPart) -> Rect:
    """A box around a part, on its layer (mm)."""
    if isinstance(part, PlacedPage):
        return part.place.apply_rect(Rect(0.0, 0.0, *part.size))
    return part.room


@lru_cache(maxsize=64)
def _window(clip: Outline, trim: Rect) -> tuple[Rect, Rect | None]:
    """The box of a clip, and the middle of the piece if the clip leaves it free."""
    middle = trim.grown(-_WITHIN)
    return box_of(clip), None if common(clip, middle.corners()) else middle
