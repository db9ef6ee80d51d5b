"""Take the parts of a kit, make their pictures: flat pieces to one scale, folded ones to one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from generator.basics.geometry import (
    IDENTITY,
    ORIGIN,
    Affine,
    Rect,
    Size,
    steady,
    translation,
    turning,
)
from generator.basics.outlines import box_of
from generator.booklet.design import PageDesign
from generator.booklet.figure import Figure, PlacedFace
from generator.booklet.page_blocks import PlacedPlate
from generator.booklet.plates import make_plate
from generator.model import Face

_LEAST = 9.0  # mm, the least length of a piece in its picture
_FANNED, _BESIDE = 0.22, 1.1  # of a piece's width, from one to the next of cards and of others
_MOST_FANNED, _MOST_BESIDE = 3, 5  # pieces in a picture
_LONG = 3.0  # times its width: a piece with a scale of its own
_TALL = 2.2  # times its width: a box that lies on its side
_EDGE = 0.21  # mm around a picture, for the edges of its pieces


class KitPart(Struct, frozen=True):
    """A part of the kit: its number, the pages and the paper to print it, and different faces of
    its pieces, folded ones as they stand.

    `is_container`: it holds or explains the others, and its picture has a scale of its own."""

    title: str
    count: int
    printing: str
    faces: tuple[Face, ...]
    is_folded: bool = False
    is_container: bool = False


def draw_parts(parts: Sequence[KitPart], room: Size, design: PageDesign) -> Iterator[PlacedPlate]:
    """A picture of each part at the foot of its room (mm).

    Flat pieces have one scale and folded ones another, since a hut beside a tile of its true size
    is too small to see. It is the largest at which all of them fit, or at which the smallest is
    large enough; what does not fit then is smaller, and so is a long strip.
    """
    scales = {kind: _common_scale(parts, room, is_folded=kind) for kind in (False, True)}
    for part in parts:
        group = _group(part, scales[part.is_folded], room)
        size = _size(group)
        scale = min(scales[part.is_folded], _fit(size, room))
        own = Size(scale * size.width + _EDGE, scale * size.height + _EDGE)
        plate = make_plate(Figure(placed=group), own, design.accent, design.bold)
        yield PlacedPlate(plate, 0.0, room.height - plate.size.height)


def _common_scale(parts: Sequence[KitPart], room: Size, *, is_folded: bool) -> float:
    """The scale of all flat or all folded pieces, at most 1."""
    sizes = [
        Size(box.width, box.height)
        for part in parts
        if not part.is_container and part.is_folded == is_folded
        for box in [box_of(part.faces[0].cut)]
        if max(box.width, box.height) <= _LONG * min(box.width, box.height)
    ]
    most = min((_fit(size, room) for size in sizes), default=1.0)
    least = max((_LEAST / max(size) for size in sizes), default=0.0)
    return min(1.0, max(most, least))


def _group(part: KitPart, scale: float, room: Size) -> list[PlacedFace]:
    """One piece, a fan of cards, or whole folded pieces beside one another."""
    first = part.faces[0]
    box = box_of(first.cut)
    if part.is_container:
        return [PlacedFace(first, _lay_down(box) if part.is_folded else IDENTITY)]
    if part.is_folded:
        most = int(steady(room.width / scale / box.width / _BESIDE))
        return _line_up(part.faces, max(1, min(_MOST_BESIDE, most)), _BESIDE)
    is_card = len(first.outline) == 4
    return _line_up(part.faces, _MOST_FANNED if is_card else 1, _FANNED)


def _lay_down(box: Rect) -> Affine:
    """The turn of a box on its side, if it is tall."""
    return turning(-90.0, ORIGIN) if box.height > _TALL * box.width else IDENTITY


def _line_up(faces: Sequence[Face], most: int, step: float) -> list[PlacedFace]:
    """Different pieces on one line, each before the one at its left."""
    count, x = min(len(faces), most), 0.0
    group = []
    for number in range(count):
        face = faces[number * len(faces) // count]
        box = box_of(face.cut)
        group.append(PlacedFace(face, translation(x - box.x0, -box.y1)))
        x += step * box.width
    return group


def _size(group: Sequence[PlacedFace]) -> Size:
    box = box_of(point for one in group for point in one.outline())
    return Size(box.width, box.height)


def _fit(size: Size, room: Size) -> float:
    return min((room.width - _EDGE) / size.width, (room.height - _EDGE) / size.height)
