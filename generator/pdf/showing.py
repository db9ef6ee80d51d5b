"""Take a layer placed on a face, find its parts that show there."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from generator.basics.geometry import Affine, Rect
from generator.basics.outlines import Outline, box_of, common
from generator.model import PlacedLayer
from generator.pdf.faces import LayerPart, PlacedPage, Typeset

_WITHIN = 0.5  # mm: mirrored edges overlap the piece by less


class ShownParts:
    """The parts of typeset layers that show on faces."""

    def __init__(self, typeset: Typeset) -> None:
        self._typeset = typeset
        self._of = ""  # the id of a layer: edges show one several times
        self._rooms: list[Rect] = []  # of its parts
        # by the id of the clip, which takes long to hash and is kept here
        self._windows: dict[tuple[int, Affine, Rect], tuple[_Window, Outline]] = {}

    def of(self, trim: Rect, placed: PlacedLayer) -> Iterator[tuple[int, LayerPart]]:
        """The parts of a layer on a face with that trim which may be within its clip, with their
        numbers: most words are not in the mirrored edges."""
        parts = self._typeset.add(placed.layer)
        if placed.clip is None:
            yield from enumerate(parts)
            return
        window = self._find_window(placed.clip, placed.place, trim)
        if self._of != placed.layer.id:
            self._of, self._rooms = placed.layer.id, [_room(part) for part in parts]
        for number, room in enumerate(self._rooms):
            if window.shows(room):
                yield number, parts[number]

    def _find_window(self, clip: Outline, place: Affine, trim: Rect) -> _Window:
        key = id(clip), place, trim
        if key not in self._windows:
            self._windows[key] = _look_through(clip, place, trim), clip
        return self._windows[key][0]


class _Window(Struct, frozen=True):
    """What a clip shows of a layer: at most what is within `reach`, and nothing within `hole`.
    Both are on the layer, or on its face if `place` maps the layer to it."""

    reach: Rect
    hole: Rect | None
    place: Affine | None

    def shows(self, room: Rect) -> bool:
        """Whether something in a box of the layer may show."""
        if self.place is not None:
            room = self.place.apply_rect(room)
        return room.overlaps(self.reach) and not (self.hole and self.hole.encloses(room))


def _look_through(clip: Outline, place: Affine, trim: Rect) -> _Window:
    middle = trim.grown(-_WITHIN)
    reach, hole = box_of(clip), None if common(clip, middle.corners()) else middle
    if place.b or place.c:  # on the layer these would be no upright boxes
        return _Window(reach, hole, place)
    back = place.inverse()
    return _Window(back.apply_rect(reach), hole and back.apply_rect(hole), None)


def _room(part: LayerPart) -> Rect:
    """A box around a part, on its layer (mm)."""
    if isinstance(part, PlacedPage):
        return part.place.apply_rect(Rect(0.0, 0.0, *part.size))
    return part.room
