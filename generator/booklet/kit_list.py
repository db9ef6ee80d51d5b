"""Take the parts of a kit, make their pictures: flat pieces to one scale, folded ones to one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.booklet.design import PageDesign
from generator.booklet.figure import Figure, PlacedFace
from generator.booklet.page_blocks import PlacedPlate
from generator.booklet.plates import make_plate
from generator.geometry import Size, translation
from generator.model import Face
from generator.outlines import box_of

_LEAST = 6.0  # mm, the least length of a piece in its picture
_FLAT, _FOLDED = 0.22, 0.42  # of a piece's width, from one to the next in front of it
_MOST_FLAT, _MOST_FOLDED = 3, 5  # pieces in a picture
_EDGE = 0.21  # mm around a picture, for the edges of its pieces


@dataclass(frozen=True, slots=True)
class KitPart:
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
    large enough; what does not fit then is smaller.
    """
    groups = [_group(part) for part in parts]
    sizes = [_size(group) for group in groups]
    scales = {kind: _common_scale(parts, groups, room, is_folded=kind) for kind in (False, True)}
    for part, group, size in zip(parts, groups, sizes, strict=True):
        scale = min(scales[part.is_folded], _fit(size, room))
        own = Size(scale * size.width + _EDGE, scale * size.height + _EDGE)
        plate = make_plate(Figure(placed=group), own, design.accent, design.bold)
        yield PlacedPlate(plate, 0.0, room.height - plate.size.height)


def _common_scale(
    parts: Sequence[KitPart], groups: Sequence[list[PlacedFace]], room: Size, *, is_folded: bool
) -> float:
    """The scale of all flat or all folded pieces, at most 1."""
    alike = [
        group
        for part, group in zip(parts, groups, strict=True)
        if not part.is_container and part.is_folded == is_folded
    ]
    most = min((_fit(_size(group), room) for group in alike), default=1.0)
    least = max((_LEAST / max(_size(group[:1])) for group in alike), default=0.0)
    return min(1.0, max(most, least))


def _group(part: KitPart) -> list[PlacedFace]:
    """Some of the pieces, each partly in front of the one before, on one line."""
    most = _MOST_FOLDED if part.is_folded else _MOST_FLAT
    count = 1 if part.is_container else min(len(part.faces), most)
    group, x = [], 0.0
    for number in range(count):
        face = part.faces[number * len(part.faces) // count]
        box = box_of(face.cut)
        group.append(PlacedFace(face, translation(x - box.x0, -box.y1)))
        x += (_FOLDED if part.is_folded else _FLAT) * box.width
    return group


def _size(group: Sequence[PlacedFace]) -> Size:
    box = box_of(point for one in group for point in one.outline())
    return Size(box.width, box.height)


def _fit(size: Size, room: Size) -> float:
    return min((room.width - _EDGE) / size.width, (room.height - _EDGE) / size.height)
