"""Take an outline and an area, arrange the outline in rows that interlock.

A row repeats the piece, or alternates the piece and the piece turned by half a turn. The next row
is shifted sideways and comes as near as the outlines allow. Many arrangements are tried, some with
pitches stretched to the area's width (wider pitches let rows sink into each other); the fullest is
kept. The no-fit polygon, a Minkowski sum (pyclipper), says how near two outlines may come.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise, product
from math import ceil, floor, inf, sqrt
from typing import NamedTuple

import pyclipper

from generator.geometry import (
    HAIR,
    IDENTITY,
    Affine,
    Point,
    Size,
    half_turn,
    quarter_turn,
    translation,
)
from generator.layout.area import Area
from generator.layout.forme import Blank
from generator.model import Cut
from generator.outlines import Outline, Shape, box_of, carried, edges, outline_of, path_of

_PARTS = 12  # shifts of a row to try, in equal steps of its pitch
_PATTERNS = (  # whether pieces are turned: the even and the odd ones of a row, then of the next
    ((False, False), (False, False)),
    ((False, False), (True, True)),
    ((True, True), (False, False)),
    ((False, True), (False, True)),
    ((False, True), (True, False)),
)
_SYMMETRIC = ("hexagon", "circle")  # convex, and the same when turned by half a turn
_Edge = tuple[tuple[float, float], tuple[float, float]]


class _NestPlace(NamedTuple):
    """The top left of a piece's box in the room, and whether the piece is turned in it."""

    y: float
    x: float
    is_turned: bool


class _EndlessRow(NamedTuple):
    """A row without end; `pitches` are the mm from an even piece to the next and from an odd one.

    The row starts `aside` mm from the left.
    """

    turns: tuple[bool, bool]
    pitches: tuple[float, float]
    aside: float = 0.0

    def fitting(self, room: float, piece: float) -> int:
        """How many pieces `piece` mm wide fit in a room."""
        pairs = (room + HAIR - piece - self.aside) / sum(self.pitches)
        if pairs < 0:
            return 0
        whole = int(pairs)
        return 2 * whole + 1 + ((pairs - whole) * sum(self.pitches) >= self.pitches[0])

    def at(self, index: int) -> tuple[float, bool]:
        """The left edge of a piece in mm, and whether it is turned."""
        pairs, is_odd = divmod(index, 2)
        x = self.aside + pairs * sum(self.pitches) + is_odd * self.pitches[0]
        return x, self.turns[is_odd]


class Nest(NamedTuple):
    """An arrangement: `places` map the piece's box to the page, in reading order."""

    area: Area
    places: tuple[Affine, ...]
    cuts: Cut


def nests(
    blank: Blank,
    areas: Sequence[Area],
    gap: float,
    rooms: Sequence[tuple[float, float]],
    *,
    shares_edges: bool,
    may_touch: bool,
) -> Iterator[Nest]:
    """The fullest arrangement for each area and each room for the slug.

    `rooms` are the mm to leave above and beside the block.
    """
    shape = blank.shape
    cuts: Cut = "double" if gap or not shares_edges else "shared"
    turns = (IDENTITY,) if shape.kind == "circle" else (IDENTITY, quarter_turn(shape.size))
    for upright in turns:
        cell = upright.apply(_cell(shape)) if shares_edges else None
        nest = _nesting(Shape(shape.kind, carried(shape.outline, upright)), gap, cell)
        can_be_straight = may_touch and gap > 0 and nest.holds_straight(blank.most_bleed)
        for area, (above, beside) in product(areas, rooms):
            size = Size(area.box.width - beside, area.box.height - above)
            seats = nest.fullest(size)
            straight = nest.straight(size) if can_be_straight else []
            is_straight = bool(straight) and len(straight) >= len(seats)
            if seats:
                chosen = straight if is_straight else seats
                right, bottom = (max(seat[i] for seat in chosen) for i in (1, 0))
                piece = nest.shape.size
                block = Size(right + piece.width, bottom + piece.height)
                places = _places(chosen, piece, area.corner(block, above=above, beside=beside))
                yield Nest(
                    area, tuple(p @ upright for p in places), "straight" if is_straight else cuts
                )


def _cell(shape: Shape) -> Point:
    """The middle of a hexagon; of a trihex, the middle of its upper hexagon."""
    width, height = shape.size
    return Point(width / 2, height / 2 if shape.kind == "hexagon" else width / 2 / sqrt(3))


def _places(seats: list[_NestPlace], piece: Size, corner: Point) -> Iterator[Affine]:
    """The seats in reading order, the first at a corner."""
    for y, x, is_turned in sorted(seats):
        place = translation(corner.x + x, corner.y + y)
        yield place @ half_turn(piece) if is_turned else place


class _RowPair(NamedTuple):
    """Two rows that alternate, and the mm from the first down to the second and from the second
    down to the next first."""

    one: _EndlessRow
    other: _EndlessRow
    down: float
    back: float


@dataclass
class _Nesting:
    """Arrangements of one piece with a gap between neighbours.

    With a `cell`, the middle of a hexagon in the piece, neighbours must share whole edges.
    """

    shape: Shape
    gap: float
    cell: Point | None
    _nearest: dict[tuple[bool, bool], tuple[_FarSide, _FarSide]] = field(default_factory=dict)
    _steps: dict[tuple[_EndlessRow, _EndlessRow], float] = field(default_factory=dict)
    _fullest: dict[Size, list[_NestPlace]] = field(default_factory=dict)

    def fullest(self, room: Size) -> list[_NestPlace]:
        """The places of as many pieces as a room holds."""
        if room not in self._fullest:
            self._fullest[room] = self._find_fullest(room)
        return self._fullest[room]

    def _find_fullest(self, room: Size) -> list[_NestPlace]:
        width, height = self.shape.size
        if width > room.width + HAIR or height > room.height + HAIR:
            return []
        best, most = None, 0
        for turns, part in product(self._patterns(), range(_PARTS)):
            for one, other in self._row_pairs(turns, part / _PARTS, room.width):
                pair = self._lay(one, other, room, most)
                if pair and (self.cell is None or self._shares_edges(pair)):
                    best, most = pair, self._count(pair, room)
        return self._seats(best, room) if best else []

    def _lay(self, one: _EndlessRow, other: _EndlessRow, room: Size, most: int) -> _RowPair | None:
        """Move the rows as near as possible; None if they hold no more than `most` pieces.

        The steps between rows take long to compute, so this stops as soon as even the smallest
        remaining steps would not help.
        """
        down = self._step(one, other)
        if not self._may_hold(most, _RowPair(one, other, down, 0.0), room):
            return None
        least = self._step(one, one) - down
        if not self._may_hold(most, _RowPair(one, other, down, max(least, 0.0)), room):
            return None
        pair = _RowPair(one, other, down, max(self._step(other, one), least))
        return pair if self._count(pair, room) > most else None

    def _may_hold(self, most: int, pair: _RowPair, room: Size) -> bool:
        """Whether rows slightly nearer than these hold more than `most` pieces."""
        near = pair._replace(down=pair.down - HAIR / 100, back=pair.back - HAIR / 100)
        return near.down + near.back <= 0.0 or self._count(near, room) > most

    def holds_straight(self, bleed: float) -> bool:
        """Whether hexagons can touch corner to corner, left and right too, with room for bleed.

        The bleed must fit in the inner circle of the triangles between the hexagons.
        """
        width, height = self.shape.size
        is_flat = self.shape.kind == "hexagon" and width > height
        return is_flat and bleed <= width / 2 / (2 * sqrt(3))

    def straight(self, room: Size) -> list[_NestPlace]:
        """The places of hexagons that touch corner to corner."""
        width, height = self.shape.size
        one, other = (
            _EndlessRow((False, False), (width, width), aside) for aside in (0.0, width / 2)
        )
        return self._seats(_RowPair(one, other, height, height), room)

    def _patterns(self) -> tuple[tuple[tuple[bool, bool], tuple[bool, bool]], ...]:
        return _PATTERNS[:1] if self.shape.kind in _SYMMETRIC else _PATTERNS

    def _row_pairs(
        self, turns: tuple[tuple[bool, bool], tuple[bool, bool]], part: float, room: float
    ) -> Iterator[tuple[_EndlessRow, _EndlessRow]]:
        """Two rows to alternate, the second shifted by a part of the pitch.

        First as tight as possible, then stretched so that the same number of pieces, or one fewer,
        fills the room.
        """
        tight = [self._pitches(row) for row in turns]
        period = max(map(sum, tight))
        firsts = [first for first, _ in tight]
        aside = part * period / 2

        def rows(by: float) -> tuple[_EndlessRow, _EndlessRow]:
            wide = [(first * by, (period - first) * by) for first in firsts]
            return _EndlessRow(turns[0], wide[0]), _EndlessRow(turns[1], wide[1], aside * by)

        yield rows(1.0)
        if self.cell is not None:
            return
        width = self.shape.size.width
        one = rows(1.0)[0]
        most = one.fitting(room, width)
        for last in (most - 1, most - 2):
            reach = one.at(last)[0] + aside
            if last > 0 and room - width > reach:
                yield rows((room - width) / reach)

    def _pitches(self, turns: tuple[bool, bool]) -> tuple[float, float]:
        even, odd = turns
        if even == odd:
            pitch = self._beside(even, odd)
            return pitch, pitch
        first, second = self._beside(even, odd), self._beside(odd, even)
        return first, max(second, self._beside(even, even) - first)

    def _count(self, pair: _RowPair, room: Size) -> int:
        width, height = self.shape.size
        both, rest = divmod(room.height + HAIR - height, pair.down + pair.back)
        ones, others = (row.fitting(room.width, width) for row in (pair.one, pair.other))
        return int(both) * (ones + others) + ones + (others if rest >= pair.down else 0)

    def _seats(self, pair: _RowPair, room: Size) -> list[_NestPlace]:
        width, height = self.shape.size
        seats: list[_NestPlace] = []
        y, number = 0.0, 0
        while y + height <= room.height + HAIR:
            row = pair.other if number % 2 else pair.one
            for index in range(row.fitting(room.width, width)):
                seats.append(_NestPlace(y, *row.at(index)))
            y += pair.back if number % 2 else pair.down
            number += 1
        return seats

    def _shares_edges(self, pair: _RowPair) -> bool:
        """Whether the hexagons of all pieces form one honeycomb."""
        beside = [(pair.one, 0, pair.one, 1, 0.0), (pair.one, 1, pair.one, 2, 0.0)]
        below = [(pair.one, 0, pair.other, 0, pair.down), (pair.other, 0, pair.one, 0, pair.back)]
        return all(map(self._is_cell, *zip(*beside, *below, strict=True)))

    def _is_cell(
        self, row: _EndlessRow, index: int, other: _EndlessRow, other_index: int, down: float
    ) -> bool:
        (x0, is_turned), (x1, is_other_turned) = row.at(index), other.at(other_index)
        start, end = self._middle(is_turned), self._middle(is_other_turned)
        dx, dy = x1 + end.x - x0 - start.x, down + end.y - start.y
        across = self.shape.size.width / (2 if self.shape.kind == "trihex" else 1)
        if not any(abs(p.x - q.x) < HAIR for p, q in edges(self.shape.outline)):
            dx, dy = dy, dx  # with an edge on top, columns and rows change places
            across = self.shape.size.height / (2 if self.shape.kind == "trihex" else 1)
        rows = dy / (across * sqrt(3) / 2)
        columns = dx / across - rows / 2
        return all(abs(value - round(value)) < 1e-4 for value in (rows, columns))

    def _middle(self, is_turned: bool) -> Point:
        assert self.cell is not None
        width, height = self.shape.size
        return Point(width - self.cell.x, height - self.cell.y) if is_turned else self.cell

    def _step(self, above: _EndlessRow, below: _EndlessRow) -> float:
        """The mm from a row down to the next."""
        if (above, below) not in self._steps:
            self._steps[above, below] = self._find_step(above, below)
        return self._steps[above, below]

    def _find_step(self, above: _EndlessRow, below: _EndlessRow) -> float:
        least, period = 0.0, sum(below.pitches)
        for (x, is_turned), odd in product(map(above.at, (0, 1)), (0, 1)):
            profile = self._near(is_turned, below.turns[odd])[0]
            start = odd * below.pitches[0]
            begin = below.aside + start - x
            first, last = ((end - begin) / period for end in profile.ends)
            for pairs in range(floor(first), ceil(last) + 1):
                least = max(least, profile.at(below.aside + pairs * period + start - x))
        return least

    def _beside(self, left: bool, right: bool) -> float:
        """The mm from the left edge of a piece to that of the next in its row."""
        return self._near(left, right)[1].at(0.0)

    def _near(self, one: bool, other: bool) -> tuple[_FarSide, _FarSide]:
        """The least mm by which another piece begins below a piece, and right of it."""
        if (one, other) not in self._nearest:
            first, second = self._add_gap(one), self._add_gap(other)
            is_simple = self.shape.kind in _SYMMETRIC
            sides = list(_double(first) if is_simple else _no_fit(first, second))
            flipped = [((ay, ax), (by, bx)) for (ax, ay), (bx, by) in sides]
            self._nearest[one, other] = _FarSide(sides), _FarSide(flipped)
        return self._nearest[one, other]

    def _add_gap(self, is_turned: bool) -> Outline:
        turn = half_turn(self.shape.size) if is_turned else IDENTITY
        return self.shape.placed(turn, by=self.gap / 2)


# A game is laid out repeatedly: for its plan and for every view of its preview.
_nesting = lru_cache(maxsize=32)(_Nesting)


def _double(outline: Outline) -> Iterator[_Edge]:
    """The no-fit polygon of a convex outline with point symmetry: the outline at twice its size."""
    box = box_of(outline)
    x, y = box.x0 + box.x1, box.y0 + box.y1
    for p, q in edges(outline):
        yield (2 * p.x - x, 2 * p.y - y), (2 * q.x - x, 2 * q.y - y)


def _no_fit(one: Outline, other: Outline) -> Iterator[_Edge]:
    """The no-fit polygon: the nearest places of the other's box, all around the one.

    It is the Minkowski sum of the one and the other mirrored at its origin.
    """
    around = [(-x, -y) for x, y in path_of(other)]
    for ring in pyclipper.MinkowskiSum(around, path_of(one), True):
        yield from edges(outline_of(ring))


class _FarSide:
    """The far side of a no-fit polygon: its largest y at any x."""

    def __init__(self, sides: Sequence[_Edge]) -> None:
        ends = sorted(x for side in sides for x, _ in side)
        self._xs = [x for i, x in enumerate(ends) if not i or x - ends[i - 1] > HAIR]
        self._ys = [self._tops(sides, *pair) for pair in pairwise(self._xs)]
        self.ends = self._xs[0], self._xs[-1]

    @staticmethod
    def _tops(sides: Sequence[_Edge], low: float, high: float) -> tuple[float, float]:
        """The y of the farthest edge at both ends of a stretch between two corners."""
        middle = (low + high) / 2
        best = (-inf, -inf)
        for (x0, y0), (x1, y1) in sides:
            if min(x0, x1) < middle < max(x0, x1):
                slope = (y1 - y0) / (x1 - x0)
                ends = (y0 + slope * (low - x0), y0 + slope * (high - x0))
                best = max(best, ends, key=sum)
        return best

    def at(self, x: float) -> float:
        """The y at x, and 0 beyond the ends. Where it jumps, the smaller y, as outlines may
        touch."""
        before, after = bisect(self._xs, x - HAIR), bisect(self._xs, x + HAIR)
        nearest = self._in(before, x)
        return nearest if before == after else min(nearest, self._in(after, x))

    def _in(self, stretch: int, x: float) -> float:
        if not 0 < stretch < len(self._xs):
            return 0.0
        low, high = self._xs[stretch - 1], self._xs[stretch]
        start, end = self._ys[stretch - 1]
        if start == -inf:
            return 0.0  # between parts
        return max(start + (end - start) * (x - low) / (high - low), 0.0)
