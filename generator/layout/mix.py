"""Take pieces of any sizes, put their boxes together on as few sheets as possible.

If that takes too many sheets, pieces are fitted together by their outlines (fitting.py). Each
box goes where it leaves the least room beside it, upright or turned by a quarter. Of a large
net only its slabs are taken, so that other pieces lie in the corners of its box. The free room is
kept as a list of its largest empty rectangles (Jukka Jylänki, A Thousand Ways to Pack
the Bin, 2010: MAXRECTS-BSSF and -BAF).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from generator.geometry import (
    HAIR,
    IDENTITY,
    Affine,
    Rect,
    Size,
    quarter_turn,
    steady,
    translation,
)
from generator.layout.area import Area
from generator.layout.dressing import Item
from generator.layout.forme import Blank, Forme, Seat
from generator.layout.slabs import cover
from generator.outlines import Outline, area


class MixedPiece(NamedTuple):
    """A piece that shares its sheet with others."""

    blank: Blank
    item: Item


class _PaddedPiece(NamedTuple):
    """A piece, and the mm around it that no other may use."""

    piece: MixedPiece
    padding: float

    @property
    def outline(self) -> Outline:
        """Its outline with the padding."""
        return self.piece.blank.shape.placed(IDENTITY, by=self.padding)

    @property
    def size(self) -> Size:
        width, height = self.piece.blank.shape.size
        return Size(width + 2 * self.padding, height + 2 * self.padding)

    def taken(self, box: Rect, *, is_turned: bool) -> tuple[Rect, ...]:
        """The room that it takes of its padded box there."""
        shape = self.piece.blank.shape
        if shape.kind != "net" or box.width * box.height < _LARGE:
            return (box,)
        turn = quarter_turn(shape.size) if is_turned else IDENTITY
        slabs = cover(shape.placed(turn, by=self.padding))
        x, y = box.x0 + self.padding, box.y0 + self.padding
        return tuple(slab.moved(x, y) for slab in slabs)

    def placed(self, box: Rect, *, is_turned: bool) -> _PlacedPiece:
        """The piece in its padded box."""
        turn = quarter_turn(self.piece.blank.shape.size) if is_turned else IDENTITY
        corner = translation(box.x0 + self.padding, box.y0 + self.padding)
        return _PlacedPiece(self.piece, corner @ turn)


class _PlacedPiece(NamedTuple):
    """A piece, and its place on the sheet."""

    piece: MixedPiece
    place: Affine

    @property
    def trim(self) -> Rect:
        return self.piece.blank.shape.box(self.place)


_MOST_FITTED = 40  # pieces: the search grows with their square
_LARGE = 9000.0  # mm²: of smaller nets, the corners are too small for others
_Fit = Callable[[Size, Size], float]
# which pieces come first, and how well a box fits a room: of several ways, the one with the fewest
# sheets is used
_ORDERS: tuple[Callable[[Size], float], ...] = (max, lambda size: size.width * size.height, min)
_FITS: tuple[_Fit, ...] = (
    lambda room, box: min(room.width - box.width, room.height - box.height),
    lambda room, box: room.width * room.height - box.width * box.height,
)


def mix_formes(
    pieces: Sequence[MixedPiece], area: Area, slug: float, least_gap: float, enough: int = 1
) -> list[tuple[Forme, list[Item]]]:
    """Formes with their items; an empty list if a piece does not fit.

    `slug` mm above each block are for the slug. Neighbours are `least_gap` mm apart or more, and
    their bleeds stay apart. No way with fewer than `enough` formes is looked for.
    """
    best: list[list[_PlacedPiece]] = []
    for padded, order, fit in product(_paddings(pieces, least_gap), _ORDERS, _FITS):
        formes = _fill_all(sorted(padded, key=lambda one: -order(one.size)), area, slug, fit)
        if formes and (not best or len(formes) < len(best)):
            best = formes
        if best and len(best) <= enough:
            break
    if len(best) > enough and len(pieces) <= _MOST_FITTED:
        best = _fit(pieces, area, slug, least_gap, enough) or best
    return [_forme(placed, area, slug) for placed in best]


def _fit(
    pieces: Sequence[MixedPiece], area: Area, slug: float, least_gap: float, enough: int
) -> list[list[_PlacedPiece]] | None:
    """The pieces by their outlines on `enough` sheets; None if they do not fit."""
    from generator.layout.fitting import fit_outlines  # loads pyclipper; rarely needed

    for padded in _paddings(pieces, least_gap):
        room = _room(padded, area, slug)
        outlines = [one.outline for one in padded]
        fitted = fit_outlines(outlines, Size(room.width, room.height), enough)
        if fitted:
            return [[_PlacedPiece(pieces[one.number], one.place) for one in on] for on in fitted]
    return None


def find_least_room(blank: Blank, padding: float) -> float:
    """The least area (mm²) that a piece takes, with the padding around it."""
    return area(blank.shape.placed(IDENTITY, by=padding))


def _paddings(pieces: Sequence[MixedPiece], least_gap: float) -> Iterator[list[_PaddedPiece]]:
    """The pieces, each with its own bleed around it, then all with that of the widest bleed. The
    first take less room, the others may lie closer to the edges of the area."""
    own = [_PaddedPiece(one, max(one.blank.most_bleed, least_gap / 2)) for one in pieces]
    most = max(one.padding for one in own)
    if any(one.padding != most for one in own):
        yield own
    yield [one._replace(padding=most) for one in own]


def _fill_all(
    pieces: Sequence[_PaddedPiece], area: Area, slug: float, fit: _Fit
) -> list[list[_PlacedPiece]]:
    """The pieces on sheets; an empty list if one does not fit."""
    room = _room(pieces, area, slug)
    sheets: list[list[_PlacedPiece]] = []
    rest = list(pieces)
    while rest:
        placed, rest = _fill(rest, room, fit)
        if not placed:
            return []
        sheets.append(placed)
    return sheets


def _room(pieces: Sequence[_PaddedPiece], area: Area, slug: float) -> Rect:
    """The room of a sheet for pieces with their padding."""
    around = 2 * min(one.padding for one in pieces)
    return Rect(0.0, 0.0, area.box.width + around, area.box.height - slug + around)


def _fill(
    pieces: Sequence[_PaddedPiece], room: Rect, fit: _Fit
) -> tuple[list[_PlacedPiece], list[_PaddedPiece]]:
    """Fill one sheet with as many pieces as it holds in their order, and return the others."""
    free = [room]
    placed: list[_PlacedPiece] = []
    rest: list[_PaddedPiece] = []
    too_large: set[Size] = set()  # the room only becomes less
    for piece in pieces:
        size = piece.size
        if size in too_large:
            rest.append(piece)
            continue
        spots = [*_spots(free, size, fit, is_turned=False)]
        spots += _spots(free, size.turned(), fit, is_turned=True)
        if not spots:
            too_large.add(size)
            rest.append(piece)
            continue
        _, y, x, is_turned = min(spots)
        size = size.turned() if is_turned else size
        box = Rect(x, y, x + size.width, y + size.height)
        placed.append(piece.placed(box, is_turned=is_turned))
        for taken in piece.taken(box, is_turned=is_turned):
            free = _without(free, taken)
    return placed, rest


def _spots(
    free: Sequence[Rect], box: Size, fit: _Fit, *, is_turned: bool
) -> Iterator[tuple[float, float, float, bool]]:
    """Places for a box: what is left beside it, by `fit`, then its place."""
    for room in free:
        size = Size(room.width, room.height)
        if min(size.width - box.width, size.height - box.height) >= -HAIR:
            yield round(fit(size, box), 6), room.y0, room.x0, is_turned


def _without(free: Sequence[Rect], box: Rect) -> list[Rect]:
    """The largest free rectangles after a box is taken out of them."""
    kept: list[Rect] = []
    parts: dict[Rect, None] = {}
    for room in free:
        across = min(room.x1, box.x1) - max(room.x0, box.x0)
        down = min(room.y1, box.y1) - max(room.y0, box.y0)
        if across <= HAIR or down <= HAIR:
            kept.append(room)
        else:
            parts |= dict.fromkeys(_parts(room, box))
    # a room that is kept was in no other, so it is in no part of one
    fresh = [
        part
        for part in parts
        if not any(_holds(room, part) for room in kept)
        and not any(_holds(other, part) for other in parts if other is not part)
    ]
    return [*kept, *fresh]


def _parts(room: Rect, box: Rect) -> Iterator[Rect]:
    """The rectangles beside a box within a room."""
    x0, y0, x1, y1 = room
    if box.x0 - x0 > HAIR:
        yield Rect(x0, y0, box.x0, y1)
    if x1 - box.x1 > HAIR:
        yield Rect(box.x1, y0, x1, y1)
    if box.y0 - y0 > HAIR:
        yield Rect(x0, y0, x1, box.y0)
    if y1 - box.y1 > HAIR:
        yield Rect(x0, box.y1, x1, y1)


def _holds(room: Rect, part: Rect) -> bool:
    return room[0] <= part[0] and room[1] <= part[1] and room[2] >= part[2] and room[3] >= part[3]


def _forme(placed: Sequence[_PlacedPiece], area: Area, slug: float) -> tuple[Forme, list[Item]]:
    """A forme of placed boxes, in reading order, with its block at the area's corner."""
    left, top, right, bottom = zip(*(one.trim for one in placed), strict=True)
    x0, y0 = min(left), min(top)
    corner = area.corner(Size(max(right) - x0, max(bottom) - y0), above=slug)
    seats = []
    for one in sorted(placed, key=lambda one: (steady(one.trim.y0), steady(one.trim.x0))):
        place = translation(corner.x - x0, corner.y - y0) @ one.place
        seats.append((Seat(one.piece.blank, place), one.piece.item))
    return Forme(area, tuple(seat for seat, _ in seats), "double"), [item for _, item in seats]
