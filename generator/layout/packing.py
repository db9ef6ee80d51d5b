"""Formes of a blank in the areas of a sheet, the fullest first.

Rectangles lie in grids, other outlines in rows that interlock. A row repeats the piece, or alternates the piece and the
piece turned by half a turn. The next row is shifted sideways and comes as near as the outlines allow. Many arrangements
are tried, some with pitches stretched to the area's width (wider pitches let rows sink into each other); the fullest is
kept. The no-fit polygon, a Minkowski sum (pyclipper), says how near two outlines may come.
"""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise, product
from math import ceil, floor, inf, sqrt
from operator import itemgetter

from msgspec import Struct

from generator.basics.geometry import (
    HAIR,
    IDENTITY,
    ORIGIN,
    Affine,
    Point,
    Size,
    half_turn,
    lattice,
    quarter_turn,
    steady,
    translation,
)
from generator.basics.recent import remembered
from generator.basics.shapes import Outline, Shape, box_of, carried, cover, edges, outline_of, path_of
from generator.layout.forme import NO_GAP, Area, Blank, Forme, NestPlace, Seat, fill_tiled
from generator.model import Cut

SHORTEST = 2.5  # mm; the shortest mark that a ruler can be laid to
_MORE = 3.0  # mm for one more line of the slug
_BETWEEN = 4.5  # mm between grids: a mark that a ruler can be laid to, and 1 mm on both sides
_FEWER = 4  # sizes to try along a side: smaller grids leave room for the slug
_PARTS = 12  # shifts of a row to try, in equal steps of its pitch
_PATTERNS = (  # whether pieces are turned: the even and the odd ones of a row, then of the next
    ((False, False), (False, False)),
    ((False, False), (True, True)),
    ((True, True), (False, False)),
    ((False, True), (False, True)),
    ((False, True), (True, False)),
)
SYMMETRIC = ("hexagon", "circle")  # convex, and the same when turned by half a turn
_Edge = tuple[tuple[float, float], tuple[float, float]]
_LOOSE = 0.05  # mm: curves lie up to four times that farther apart than they must


def formes(
    blank: Blank, areas: Sequence[Area], *, cuts: Cut, gap: Size, may_touch: bool, slug: float, count: int
) -> Iterator[Forme]:
    """The ways to arrange pieces on a sheet, the fullest first.

    `cuts`: "shared"; in "squares"; or pieces `gap` mm apart, across and down: for all their bleeds ("double") or not
    ("gap", rectangles only); other pieces keep the wider gap both ways. If they `may_touch`, hexagons in gutters may
    touch at their corners. Smaller formes follow the fullest because the slug needs `slug` mm too. Some rectangles are
    turned only where that saves sheets of `count` pieces.
    """
    if blank.shape.is_box or cuts == "squares":
        around = blank.most_bleed if cuts == "squares" else 0.0
        freed = Size(*(side + 2 * around for side in blank.shape.size))
        between = max(*gap, 2 * blank.most_bleed, _BETWEEN)
        grids = [grids for area in areas for grids in _lay_grids(freed, area, gap, slug)]
        if cuts != "squares":
            grids += [grids for area in areas for grids in _lay_two_grids(freed, area, gap, between, slug)]
        for laid in sorted(grids, key=lambda laid: (-(-count // laid.count), len(laid.grids), -laid.count)):
            seats = tuple(Seat(blank, place @ translation(around, around)) for place in laid.places(freed))
            yield Forme(laid.area, seats, cuts, gap if cuts == "gap" else NO_GAP)
        return
    share = cuts == "shared" and (blank.most_bleed > 0 or blank.shape.kind == "polygon")
    for left in (rooms(slug), more_rooms(slug)):
        nested = nests(blank, areas, max(gap), left, shares_edges=share, may_touch=may_touch)
        yield from sorted(nested, key=lambda forme: -len(forme.seats))


class _Grid(Struct, frozen=True):
    """Rows and columns of rectangles: their pitch, and the top left of the first, from the corner of the block."""

    columns: int
    rows: int
    pitch: Size
    corner: Point = ORIGIN

    @property
    def transposed(self) -> _Grid:
        """The grid with x and y exchanged."""
        return _Grid(self.rows, self.columns, self.pitch.turned(), Point(self.corner.y, self.corner.x))


class _LaidGrids(Struct, frozen=True):
    """A block of one grid, or of two; the rectangles of the second are turned."""

    area: Area
    corner: Point
    grids: tuple[_Grid, ...]

    @property
    def count(self) -> int:
        return sum(grid.columns * grid.rows for grid in self.grids)

    def places(self, piece: Size) -> list[Affine]:
        """The places of pieces of a size, in reading order."""
        placed = []
        for grid, turn in zip(self.grids, (IDENTITY, quarter_turn(piece)), strict=False):
            first = Point(self.corner.x + grid.corner.x, self.corner.y + grid.corner.y)
            spots = lattice(first, grid.pitch, grid.columns, grid.rows)
            placed += [(steady(spot.y, 3), spot.x, translation(*spot) @ turn) for spot in spots]
        return [place for _, _, place in sorted(placed, key=itemgetter(0, 1))]


def _lay_grids(piece: Size, area: Area, gap: Size, slug: float) -> Iterator[_LaidGrids]:
    pitch = Size(piece.width + gap.width, piece.height + gap.height)
    box = area.box
    for columns in _largest(box.width + gap.width, pitch.width):
        for rows in _largest(box.height + gap.height, pitch.height):
            block = Size(columns * pitch.width - gap.width, rows * pitch.height - gap.height)
            for above, beside in rooms(slug):
                wide, high = block.width + beside, block.height + above
                if wide <= box.width + HAIR and high <= box.height + HAIR:
                    corner = area.corner(block, above=above, beside=beside)
                    yield _LaidGrids(area, corner, (_Grid(columns, rows, pitch),))


def _lay_two_grids(piece: Size, area: Area, gap: Size, between: float, slug: float) -> Iterator[_LaidGrids]:
    """Rows of rectangles with rows of turned ones below them, or columns with such beside them."""
    for above, beside in rooms(slug):
        room = Size(area.box.width - beside, area.box.height - above)
        for block, grids in _stack_grids(piece, room, gap, between):
            yield _LaidGrids(area, area.corner(block, above=above, beside=beside), grids)
        for block, grids in _stack_grids(piece.turned(), room.turned(), gap.turned(), between):
            corner = area.corner(block.turned(), above=above, beside=beside)
            yield _LaidGrids(area, corner, tuple(grid.transposed for grid in grids))


def _stack_grids(piece: Size, room: Size, gap: Size, between: float) -> Iterator[tuple[Size, tuple[_Grid, _Grid]]]:
    """A grid at the corner of a room and one of turned pieces below it, and the size of both."""
    for rows in _largest(room.height + gap.height, piece.height + gap.height):
        height = rows * (piece.height + gap.height) - gap.height
        upper = _fill_room(piece, Size(room.width, height), gap, ORIGIN)
        below = Point(0.0, height + between)
        lower = _fill_room(piece.turned(), Size(room.width, room.height - below.y), gap, below)
        if min(upper.columns, lower.columns, lower.rows) > 0:
            width = max(grid.columns * grid.pitch.width - gap.width for grid in (upper, lower))
            yield Size(width, below.y + lower.rows * lower.pitch.height - gap.height), (upper, lower)


def _fill_room(piece: Size, room: Size, gap: Size, corner: Point) -> _Grid:
    """A grid of as many pieces as a room holds."""
    pitch = Size(piece.width + gap.width, piece.height + gap.height)
    columns = int((room.width + gap.width + HAIR) / pitch.width)
    return _Grid(columns, int((room.height + gap.height + HAIR) / pitch.height), pitch, corner)


def rooms(slug: float) -> tuple[tuple[float, float], ...]:
    """The mm to leave above and beside a block: none, or a slug's, between the marks or past them."""
    past = slug + SHORTEST
    return (0.0, 0.0), (slug, 0.0), (0.0, slug), (past, 0.0), (0.0, past)


def more_rooms(slug: float) -> tuple[tuple[float, float], ...]:
    """The mm to leave where one line is too short for the slug: several lines, or two sides."""
    past = slug + SHORTEST
    several = [past + lines * _MORE for lines in (1, 2, 3)]
    return ((past, past), *((much, 0.0) for much in several), *((0.0, much) for much in several))


def _largest(room: float, pitch: float) -> range:
    """The most pieces that fit along a side, and up to three fewer."""
    most = max(int((room + HAIR) / pitch), 0)
    return range(most, max(most - _FEWER, 0), -1)


def nests(
    blank: Blank,
    areas: Sequence[Area],
    gap: float,
    rooms: Sequence[tuple[float, float]],
    *,
    shares_edges: bool,
    may_touch: bool,
) -> Iterator[Forme]:
    """The fullest forme for each area and each room for the slug.

    `rooms` are the mm to leave above and beside the block.
    """
    shape = blank.shape
    cuts: Cut = "double" if gap or not shares_edges else "shared"
    turns = (IDENTITY,) if shape.kind == "circle" else (IDENTITY, quarter_turn(shape.size))
    for upright in turns:
        is_tiled = shares_edges and shape.kind == "polygon"
        cell = upright.apply(_cell(shape)) if shares_edges and not is_tiled else None
        nest = _nesting(shape, upright, gap, cell)
        can_be_straight = may_touch and gap > 0 and nest.holds_straight(blank.most_bleed)
        for area, (above, beside) in product(areas, rooms):
            size = Size(area.box.width - beside, area.box.height - above)
            seats = fill_tiled(nest.shape, size) if is_tiled else nest.fullest(size)
            straight = nest.straight(size) if can_be_straight else []
            is_straight = bool(straight) and len(straight) >= len(seats)
            chosen = straight if is_straight else seats
            if seats:
                right, bottom = (max(seat[i] for seat in chosen) for i in (1, 0))
                piece = nest.shape.size
                block = Size(right + piece.width, bottom + piece.height)
                places = _places(chosen, piece, area.corner(block, above=above, beside=beside))
                laid = tuple(Seat(blank, place @ upright) for place in places)
                yield Forme(area, laid, "straight" if is_straight else cuts)


def _cell(shape: Shape) -> Point:
    """The middle of a hexagon; of a trihex, the middle of its upper hexagon."""
    width, height = shape.size
    return Point(width / 2, height / 2 if shape.kind == "hexagon" else width / 2 / sqrt(3))


def _places(seats: list[NestPlace], piece: Size, corner: Point) -> Iterator[Affine]:
    """The seats in reading order, the first at a corner."""
    for y, x, is_turned in sorted(seats):
        place = translation(corner.x + x, corner.y + y)
        yield place @ half_turn(piece) if is_turned else place


class FarSide:
    """The far side of a no-fit polygon: its largest y at any x."""

    def __init__(self, sides: Sequence[_Edge]) -> None:
        ends = sorted(x for side in sides for x, _ in side)
        self._xs = [x for i, x in enumerate(ends) if not i or x - ends[i - 1] > HAIR]
        self._ys = self._tops(sides)
        self._ends = self._xs[0], self._xs[-1]

    def _tops(self, sides: Sequence[_Edge]) -> list[tuple[float, float]]:
        """The y of the farthest edge at both ends of each stretch between two corners."""
        stretches = list(pairwise(self._xs))
        middles = [(low + high) / 2 for low, high in stretches]
        tops = [(-inf, -inf)] * len(stretches)
        for (x0, y0), (x1, y1) in sides:
            first, end = bisect(middles, min(x0, x1)), bisect_left(middles, max(x0, x1))
            for stretch in range(first, end):
                low, high = stretches[stretch]
                slope = (y1 - y0) / (x1 - x0)
                ends = (y0 + slope * (low - x0), y0 + slope * (high - x0))
                tops[stretch] = max(tops[stretch], ends, key=sum)
        return tops

    def most_at(self, start: float, period: float) -> float:
        """The largest y at an x and every period from it."""
        low, high = ((end - start) / period for end in self._ends)
        return max((self.at(start + number * period) for number in range(ceil(low), floor(high) + 1)), default=0.0)

    def at(self, x: float) -> float:
        """The y at x, and 0 beyond the ends. Where it jumps, the smaller y, as outlines may touch."""
        stretch = bisect(self._xs, x - HAIR)
        nearest = self._in(stretch, x)
        if stretch == len(self._xs) or self._xs[stretch] > x + HAIR:
            return nearest
        return min(nearest, self._in(bisect(self._xs, x + HAIR, stretch), x))

    def _in(self, stretch: int, x: float) -> float:
        if not 0 < stretch < len(self._xs):
            return 0.0
        low, high = self._xs[stretch - 1], self._xs[stretch]
        start, end = self._ys[stretch - 1]
        if start == -inf:
            return 0.0  # between parts
        return max(start + (end - start) * (x - low) / (high - low), 0.0)


class EndlessRow(Struct, frozen=True):
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


class RowPair(Struct, frozen=True):
    """Two rows that alternate, and the mm from the first down to the second and from the second
    down to the next first."""

    one: EndlessRow
    other: EndlessRow
    down: float
    back: float

    def count(self, room: Size, piece: Size) -> int:
        """How many pieces fit in a room."""
        ones, others = (row.fitting(room.width, piece.width) for row in (self.one, self.other))
        both, rest = divmod(room.height + HAIR - piece.height, self.down + self.back)
        last = others if rest >= self.down else 0
        return int(both) * (ones + others) + ones + last


class _Nesting(Struct, dict=True):
    """Arrangements of one piece, first turned by `upright`, with a gap between neighbours.

    With a `cell`, the middle of a hexagon in the piece, neighbours must share whole edges.
    """

    piece: Shape
    upright: Affine
    gap: float
    cell: Point | None

    @cached_property
    def shape(self) -> Shape:
        return Shape(self.piece.kind, carried(self.piece.outline, self.upright))

    @cached_property
    def _nearest(self) -> dict[tuple[bool, bool], tuple[FarSide, FarSide]]:
        """The least mm by which another piece begins below a piece, and right of it, by whether
        each of them is turned."""
        turns = (False,) if self.piece.kind in SYMMETRIC else (False, True)
        return {pair: find_far_sides(self.piece, self.gap, self.upright, pair) for pair in product(turns, turns)}

    @remembered
    def fullest(self, room: Size) -> list[NestPlace]:
        """The places of as many pieces as a room holds."""
        width, height = self.shape.size
        if width > room.width + HAIR or height > room.height + HAIR:
            return []
        best, most = None, 0
        for pair in self._pairs_in(room.width):
            count = pair.count(room, self.shape.size)
            if count > most and self._are_allowed(pair):
                best, most = pair, count
        return self._seats(best, room) if best else []

    @remembered
    def _pairs_in(self, room: float) -> list[RowPair]:
        patterns = _PATTERNS[:1] if self.shape.kind in SYMMETRIC else _PATTERNS
        return [
            self._find_pair(one, other)
            for turns, part in product(patterns, range(_PARTS))
            for one, other in self._row_pairs(turns, part / _PARTS, room)
        ]

    def holds_straight(self, bleed: float) -> bool:
        """Whether hexagons can touch corner to corner, left and right too, with room for bleed.

        The bleed must fit in the inner circle of the triangles between the hexagons.
        """
        width, height = self.shape.size
        is_flat = self.shape.kind == "hexagon" and width > height
        return is_flat and bleed <= width / 2 / (2 * sqrt(3))

    def straight(self, room: Size) -> list[NestPlace]:
        """The places of hexagons that touch corner to corner."""
        width, height = self.shape.size
        one, other = (EndlessRow((False, False), (width, width), aside) for aside in (0.0, width / 2))
        return self._seats(RowPair(one, other, height, height), room)

    def _row_pairs(
        self, turns: tuple[tuple[bool, bool], tuple[bool, bool]], part: float, room: float
    ) -> Iterator[tuple[EndlessRow, EndlessRow]]:
        """Two rows to alternate, the second shifted by a part of the pitch.

        First as tight as possible, then stretched so that the same number of pieces, or one fewer, fills the room.
        """
        tight = [self._pitch(row) for row in turns]
        period = max(map(sum, tight))
        firsts = [first for first, _ in tight]
        aside = part * period / 2

        def rows(by: float) -> tuple[EndlessRow, EndlessRow]:
            wide = [(first * by, (period - first) * by) for first in firsts]
            return EndlessRow(turns[0], wide[0]), EndlessRow(turns[1], wide[1], aside * by)

        one, other = rows(1.0)
        yield one, other
        if self.cell is not None:
            return
        width = self.shape.size.width
        most = one.fitting(room, width)
        for last in (most - 1, most - 2):
            reach = one.at(last)[0] + aside
            if last > 0 and room - width > reach:
                yield rows((room - width) / reach)

    def _pitch(self, turns: tuple[bool, bool]) -> tuple[float, float]:
        """The mm from an even piece of a row to the next, and from an odd one."""
        even, odd = turns
        first, second = self._beside(even, odd), self._beside(odd, even)
        return first, max(second, self._beside(even, even) - first)

    def _seats(self, pair: RowPair, room: Size) -> list[NestPlace]:
        width, height = self.shape.size
        seats: list[NestPlace] = []
        y, number = 0.0, 0
        while y + height <= room.height + HAIR:
            row = pair.other if number % 2 else pair.one
            for index in range(row.fitting(room.width, width)):
                seats.append(NestPlace(y, *row.at(index)))
            y += pair.back if number % 2 else pair.down
            number += 1
        return seats

    def _are_allowed(self, pair: RowPair) -> bool:
        """Whether the hexagons of all pieces form one honeycomb, if they must."""
        if self.cell is None:
            return True
        beside = [(pair.one, 0, pair.one, 1, 0.0), (pair.one, 1, pair.one, 2, 0.0)]
        below = [(pair.one, 0, pair.other, 0, pair.down), (pair.other, 0, pair.one, 0, pair.back)]
        return all(map(self._is_cell, *zip(*beside, *below, strict=True)))

    def _is_cell(self, row: EndlessRow, index: int, other: EndlessRow, other_index: int, down: float) -> bool:
        (x0, is_turned), (x1, is_other_turned) = row.at(index), other.at(other_index)
        start, end = self._middle(is_turned), self._middle(is_other_turned)
        dx, dy = x1 + end.x - x0 - start.x, down + end.y - start.y
        across = self.shape.size.width / (2 if self.shape.kind == "trihex" else 1)
        if not any(abs(p.x - q.x) < HAIR for p, q in edges(self.shape.outline)):
            dx, dy = dy, dx  # with an edge on top, columns and rows change places
            across = self.shape.size.height / (2 if self.shape.kind == "trihex" else 1)
        rows = dy / (across * sqrt(3) / 2)
        return all(abs(value - round(value)) < 1e-4 for value in (rows, (dx / across - rows / 2)))

    def _middle(self, is_turned: bool) -> Point:
        assert self.cell is not None
        width, height = self.shape.size
        return Point(width - self.cell.x, height - self.cell.y) if is_turned else self.cell

    @remembered  # rows without a stretch are the same in rooms of all widths
    def _find_pair(self, one: EndlessRow, other: EndlessRow) -> RowPair:
        down, back = self._step(one, other), self._step(other, one)
        again = self._step(one, one)  # as if there were no second row
        return RowPair(one, other, down, max(back, again - down))

    def _step(self, above: EndlessRow, below: EndlessRow) -> float:
        """The mm from a row down to the next."""
        return max(0.0, *self._parts_of_step(above, below))

    def _parts_of_step(self, above: EndlessRow, below: EndlessRow) -> Iterator[float]:
        """The mm that the even and the odd pieces of a row need to those below."""
        period = sum(below.pitches)
        for (x, is_turned), odd in product(map(above.at, (0, 1)), (0, 1)):
            profile, _ = self._nearest[is_turned, below.turns[odd]]
            yield profile.most_at(below.aside + odd * below.pitches[0] - x, period)

    def _beside(self, left: bool, right: bool) -> float:
        """The mm from the left edge of a piece to that of the next in its row."""
        return self._nearest[left, right][1].at(0.0)


def find_far_sides(shape: Shape, gap: float, upright: Affine, turns: tuple[bool, bool]) -> tuple[FarSide, FarSide]:
    """The least mm by which a piece begins below another, and right of it.

    Both are turned by `upright`, and then by half a turn if so in `turns`. They keep a gap.
    """
    one, other = turns
    sign = -1 if one and not other else 1  # such a pair is the opposite one, turned by half a turn
    a, b, c, d = (sign * part for part in upright[:4])
    sides = [
        ((a * x0 + c * y0, b * x0 + d * y0), (a * x1 + c * y1, b * x1 + d * y1))
        for (x0, y0), (x1, y1) in _find_no_fit(shape, gap, is_opposite=one != other)
    ]
    flipped = [((y0, x0), (y1, x1)) for (x0, y0), (x1, y1) in sides]
    return FarSide(sides), FarSide(flipped)


# A piece is turned and laid out on several areas, for its plan and for every view of its preview.
@lru_cache(maxsize=64)
def _find_no_fit(shape: Shape, gap: float, *, is_opposite: bool) -> list[_Edge]:
    """The no-fit polygon of a piece with itself, or with itself turned by half a turn."""
    outline = shape.placed(IDENTITY, by=gap / 2)
    if shape.kind in SYMMETRIC:
        return list(_double(outline))
    if shape.kind == "outline":  # the time grows with the square of the corners
        outline = cover(outline, _LOOSE)
    turned = carried(outline, half_turn(shape.size)) if is_opposite else outline
    around = [(-x, -y) for x, y in path_of(turned)]
    import pyclipper  # rectangles do not need it

    rings = pyclipper.MinkowskiSum(around, path_of(outline), True)
    return [edge for ring in rings for edge in edges(outline_of(ring))]


def _double(outline: Outline) -> Iterator[_Edge]:
    """The no-fit polygon of a convex outline with point symmetry: the outline at twice its size."""
    box = box_of(outline)
    x, y = box.x0 + box.x1, box.y0 + box.y1
    for p, q in edges(outline):
        yield (2 * p.x - x, 2 * p.y - y), (2 * q.x - x, 2 * q.y - y)


# A game is laid out repeatedly: for its plan and for every view of its preview.
_nesting = lru_cache(maxsize=32)(_Nesting)
