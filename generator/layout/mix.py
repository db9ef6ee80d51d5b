"""Take pieces of any sizes, put their boxes together on as few sheets as possible.

Each box goes where it leaves the narrowest strip beside it, upright or turned by a quarter. The
free room is kept as a list of its largest empty rectangles (Jukka Jylänki, A Thousand Ways to Pack
the Bin, 2010: MAXRECTS-BSSF).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.geometry import HAIR, IDENTITY, Rect, Size, quarter_turn, translation
from generator.layout.area import Area
from generator.layout.dressing import Item
from generator.layout.forme import Blank, Forme, Seat


class MixedPiece(NamedTuple):
    """A piece that shares its sheet with others."""

    blank: Blank
    item: Item


class _PlacedPiece(NamedTuple):
    """A piece in its place: the box around it and its bleeds, and whether it is turned."""

    piece: MixedPiece
    box: Rect
    is_turned: bool


def mix_formes(
    pieces: Sequence[MixedPiece], area: Area, slug: float, least_gap: float
) -> list[tuple[Forme, list[Item]]]:
    """Formes with their items; an empty list if a piece does not fit.

    `slug` mm above each block are for the slug. Neighbours are `least_gap` mm apart or more, and
    their bleeds stay apart.
    """
    gap = max(2 * max(piece.blank.most_bleed for piece in pieces), least_gap)
    room = Rect(0.0, 0.0, area.box.width + gap, area.box.height - slug + gap)
    rest = sorted(pieces, key=lambda piece: -max(piece.blank.shape.size))
    formes: list[tuple[Forme, list[Item]]] = []
    while rest:
        placed = _fill(rest, room, gap)
        if not placed:
            return []
        formes.append(_forme(placed, area, gap, slug))
        on_it = [one.piece for one in placed]
        rest = [piece for piece in rest if not any(piece is other for other in on_it)]
    return formes


def _fill(pieces: Sequence[MixedPiece], room: Rect, gap: float) -> list[_PlacedPiece]:
    """Fill one sheet with as many pieces as it holds, the largest first."""
    free = [room]
    placed: list[_PlacedPiece] = []
    for piece in pieces:
        width, height = (side + gap for side in piece.blank.shape.size)
        spots = [*_spots(free, Size(width, height), is_turned=False)]
        spots += _spots(free, Size(height, width), is_turned=True)
        if spots:
            _, y, x, is_turned = min(spots)
            size = Size(height, width) if is_turned else Size(width, height)
            box = Rect(x, y, x + size.width, y + size.height)
            placed.append(_PlacedPiece(piece, box, is_turned))
            free = _without(free, box)
    return placed


def _spots(
    free: Sequence[Rect], box: Size, *, is_turned: bool
) -> Iterator[tuple[float, float, float, bool]]:
    """Places for a box: the width of the strip left beside it, then its place."""
    for room in free:
        beside, below = room.width - box.width, room.height - box.height
        if min(beside, below) >= -HAIR:
            yield round(min(beside, below), 6), room.y0, room.x0, is_turned


def _without(free: Sequence[Rect], box: Rect) -> list[Rect]:
    """The largest free rectangles after a box is taken out of them."""
    parts: list[Rect] = []
    for room in free:
        common = room.within(box)
        if common.width <= HAIR or common.height <= HAIR:
            parts.append(room)
            continue
        parts += [
            part
            for part in (
                room._replace(x1=box.x0),
                room._replace(x0=box.x1),
                room._replace(y1=box.y0),
                room._replace(y0=box.y1),
            )
            if part.width > HAIR and part.height > HAIR
        ]
    return [
        part
        for i, part in enumerate(parts)
        if not any(
            part.within(other) == part and (part != other or j < i)
            for j, other in enumerate(parts)
            if j != i
        )
    ]


def _forme(
    placed: Sequence[_PlacedPiece], area: Area, gap: float, slug: float
) -> tuple[Forme, list[Item]]:
    """A forme of placed boxes, in reading order, with its block at the area's corner."""
    right, bottom = max(one.box.x1 for one in placed), max(one.box.y1 for one in placed)
    corner = area.corner(Size(right - gap, bottom - gap), above=slug)
    seats = []
    for one in sorted(placed, key=lambda one: (one.box.y0, one.box.x0)):
        turn = quarter_turn(one.piece.blank.shape.size) if one.is_turned else IDENTITY
        place = translation(corner.x + one.box.x0, corner.y + one.box.y0) @ turn
        seats.append((Seat(one.piece.blank, place), one.piece.item))
    return Forme(area, tuple(seat for seat, _ in seats), "double"), [item for _, item in seats]
