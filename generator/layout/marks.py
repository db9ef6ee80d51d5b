"""Marks to cut along, for the trims on a sheet, all outside the pieces.

Nets get the lines to cut them out along and to fold them on. Hairlines just outside the trims, and
in holes, are for the cuts that ticks cannot show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import acos, ceil, cos, dist, floor, pi, sin, sqrt

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.geometry import HAIR, IDENTITY, Point, Rect
from generator.basics.recent import remembered
from generator.basics.shapes import Outline, Ray, Shape, box_of, carried, common, cover, edges, stretches
from generator.layout.forme import Area, Forme, Seat
from generator.layout.packing import SHORTEST
from generator.layout.registration import cross
from generator.model import Mark as MarkKind
from generator.model import MarkLine

WIDTH = 0.2  # mm; thinner lines vanish on a home inkjet
HALO = 0.8  # mm of paper white beneath a mark on the bleed
LENGTH = 4.0
NEAREST_TO_TRIM = 1.0  # marks and slug come no nearer to a piece
NEAREST_TO_EDGE = 2.0  # a mark at the very edge makes viewers shrink the page
_SHORTEST_ON_BLEED = 1.0
_LATEST = 2.5  # times its usual distance: a mark further out may belong to any corner
_DASH, _GAP = 3.0, 2.0
FRAME_ROOM = 1.0  # mm between the bleeds and the other marks, with the frame in its middle
_CROSS, _SMALLEST_CROSS = 5.0, 2.0
_CROSS_TRIES = 8  # places to try on either side of the middle
_DECIMALS = 3  # of a mm: marks of neighbours that agree to these are one mark
NET_WIDTH = 0.12  # mm: a cut line stays on the edge of the piece
FOLD_WIDTH = 0.2  # mm: thinner dashes vanish on a home inkjet
NET_HALO = 0.36  # mm of paper white beneath a cut line, to show on a dark ground
FOLD_HALO = 0.6
_NET_DASH, _NET_GAP = 2.0, 1.6
_TICK_DASH, _TICK_GAP = 0.8, 0.8  # mm, of a tick to score from
_OFF_LINE = 0.01  # mm
HAIRLINE_WIDTH = 0.12  # mm of ink, next to the trim: its inner edge is the cut
BARE = 0.2  # mm of paper white beyond the ink, to show on a dark ground
_CLEAR = 0.01  # mm between the ink and the trim, so that rounding brings no ink into a piece
_OFF_CURVE = 0.015  # mm, half of the most by which straight lines leave a curve
_OFF_CIRCLE = 0.03  # mm, the most by which a ring of straight lines leaves its circle
_SHORTEST = 0.5  # mm; a shorter line shows no direction
_INK = _CLEAR + HAIRLINE_WIDTH / 2  # mm from the trim to the middle of each line
_WHITE = _CLEAR + HAIRLINE_WIDTH + BARE / 2


class Mark(Struct, frozen=True):
    """A mark, and the index of the first seat that it belongs to."""

    line: MarkLine
    owner: int


class Bounds(Struct, frozen=True):
    """The limit of all marks, and the part of the page that the printer can reach."""

    limit: Rect
    printable: Rect


def clearance(bleed: float) -> float:
    """The mm around a piece to keep free: for its bleed, or to cut it with ease."""
    return max(bleed, NEAREST_TO_TRIM)


def crop_marks(forme: Forme, bounds: Bounds, filled: int) -> Iterator[Mark]:
    """Crop marks: each edge of a piece extended past its corners, and rays around a circle; and the
    ticks from which to score: each fold extended past its ends, where it leaves the piece, dashed
    beside pieces that have ticks for their cuts too.

    A mark begins past all bleeds if there is room, otherwise on the bleed, with paper white beneath. A mark that would
    come near a piece is left out, so shared cuts keep only the marks around the block. Marks within the block are
    corner marks. Only the first `filled` seats get marks.
    """
    seats = forme.seats[:filled]
    near = Obstacles(seats, lambda _: NEAREST_TO_TRIM)
    far = Obstacles(seats, lambda seat: clearance(seat.blank.most_bleed))
    placed: set[tuple[float, ...]] = set()
    for owner, seat in enumerate(seats):
        bleed = seat.blank.most_bleed
        clear = clearance(bleed)
        for ray, is_fold in _rays(forme, seat):
            reach = _free(ray, far, clear, SHORTEST, bounds.printable)
            halo = 0.0
            if reach is None:
                reach = _free(ray, near, NEAREST_TO_TRIM, _SHORTEST_ON_BLEED, bounds.limit)
                halo = HALO if bleed > NEAREST_TO_TRIM else 0.0
            if reach is None:
                continue
            start, end = ray.at(reach[0]), ray.at(min(reach[1], _exit(ray, bounds.limit)))
            key = tuple(round(x, _DECIMALS) for end in sorted((start, end)) for x in end)
            if key not in placed:
                placed.add(key)
                is_within = forme.block.holds(start) and forme.block.holds(end)
                kind: MarkKind = "corner" if is_within else "cut"
                if is_fold and seat.blank.shape.kind != "net":
                    for line in _dash(start, end, _TICK_DASH, _TICK_GAP):
                        yield Mark(replace(line, width=WIDTH, halo=halo), owner)
                else:
                    kind = "fold" if is_fold else kind
                    yield Mark(MarkLine(start, end, WIDTH, halo, kind), owner)


def _rays(forme: Forme, seat: Seat) -> Iterator[tuple[Ray, bool]]:
    """The rays of a seat, and whether each extends a fold: its edges extended, or the axes of a circle, to centre a
    punch. Those of a net extend its folds, and its edges if it is a rectangle: of others the whole outline is drawn."""
    shape = seat.blank.shape
    # ticks show the cuts around a block, but not around a piece with notches in a gutter
    has_ticks = shape.kind not in ("trihex", "polygon", "outline") or forme.cuts == "shared"
    if shape.kind == "circle":
        box = seat.box()
        x, y = box.centre
        for dx, dy in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)):
            yield Ray(x + box.width / 2 * dx, y + box.width / 2 * dy, dx, dy), False
    elif has_ticks and (shape.kind != "net" or shape.is_box):
        for p, q in edges(seat.outline()):
            yield Ray.past(p, q), False
            yield Ray.past(q, p), False
    for start, end in shape.creases:
        p, q = seat.place.apply(start), seat.place.apply(end)
        yield Ray.past(p, q), True
        yield Ray.past(q, p), True


def _free(ray: Ray, obstacles: Obstacles, start: float, shortest: float, within: Rect) -> tuple[float, float] | None:
    """The start and the end of a mark on a ray, in mm; None if there is no room for it.

    It starts at least `start` mm out, and at least `shortest` mm of it are within a rectangle.
    """
    reach = _LATEST * start + LENGTH
    begin = start
    for blocked, free in obstacles.crossings(ray, reach):
        is_short = blocked < begin + shortest - HAIR
        if free > begin + HAIR and is_short:
            begin = free
        elif not is_short:
            reach = min(reach, blocked)
    end = min(begin + LENGTH, reach)
    is_long = min(end, _exit(ray, within)) - begin >= shortest - HAIR
    return (begin, end) if is_long and begin <= _LATEST * start else None


def _exit(ray: Ray, box: Rect) -> float:
    """The mm along a ray to where it leaves a rectangle; negative if that is behind its start."""
    ways = [((box.x1 if ray.dx > 0 else box.x0) - ray.x, ray.dx), ((box.y1 if ray.dy > 0 else box.y0) - ray.y, ray.dy)]
    return min(way / step for way, step in ways if abs(step) > HAIR)


class Obstacles:
    """Seats, each grown by some mm, that marks must keep out of, indexed by a grid."""

    def __init__(self, seats: Sequence[Seat], by: Callable[[Seat], float]) -> None:
        self._seats = [(seat, by(seat), seat.box(by(seat))) for seat in seats]
        sides = (max(box.width, box.height) for _, _, box in self._seats)
        self._cell = max(sides, default=1.0)
        self._cells: dict[tuple[int, int], list[int]] = {}
        for index, (_, _, box) in enumerate(self._seats):
            for key in self._keys(box):
                self._cells.setdefault(key, []).append(index)

    def _keys(self, box: Rect) -> Iterator[tuple[int, int]]:
        x0, y0, x1, y1 = box
        columns = range(floor(x0 / self._cell), floor(x1 / self._cell) + 1)
        return product(columns, range(floor(y0 / self._cell), floor(y1 / self._cell) + 1))

    def _near(self, box: Rect) -> list[int]:
        """The numbers of the seats whose boxes meet a box."""
        near = {index for key in self._keys(box) for index in self._cells.get(key, ())}
        return [index for index in near if _meet(self._seats[index][2], box)]

    def are_far(self, box: Rect) -> bool:
        """Whether at most one of them, the seat within the box, comes near a box."""
        return len(self._near(box)) <= 1

    def are_apart(self, outline: Outline, seat: Seat) -> bool:
        """Whether an outline around a seat enters none of the others. It is asked of curves only,
        whose many lines take long one by one."""
        if seat.blank.shape.kind != "outline":
            return False
        return not any(
            common(outline, self._outline(index))
            for index in self._near(box_of(outline))
            if self._seats[index][0] is not seat
        )

    @remembered
    def _outline(self, index: int) -> Outline:
        seat, by, _ = self._seats[index]
        return seat.outline(by)

    def crossings(self, ray: Ray, reach: float) -> list[tuple[float, float]]:
        """The stretches of a ray within grown seats, in order."""
        found: list[tuple[float, float]] = []
        for index in self._near(box_of((ray.at(0.0), ray.at(reach)))):
            seat, _, box = self._seats[index]
            is_disc = seat.blank.shape.kind == "circle"
            found += _inside_circle(ray, box) if is_disc else stretches(ray, self._outline(index))
        return sorted(found)


def _inside_circle(ray: Ray, box: Rect) -> Iterator[tuple[float, float]]:
    along, beside = ray.place(box.centre)
    half = (box.width / 2) ** 2 - beside**2
    if half > 0:
        yield along - sqrt(half), along + sqrt(half)


def register_marks(block: Rect, reach: Rect, bounds: Bounds, marks: Sequence[MarkLine]) -> Iterator[MarkLine]:
    """A cross beside each edge of the block, as near its middle as there is room."""
    room = bounds.limit.within(bounds.printable)
    taken = [box_of((mark.start, mark.end)).grown(NEAREST_TO_TRIM) for mark in marks]
    middle = block.centre
    for low, high, is_across, length in (
        (room.x0, reach.x0, False, block.height),
        (reach.x1, room.x1, False, block.height),
        (room.y0, reach.y0, True, block.width),
        (reach.y1, room.y1, True, block.width),
    ):
        arm = min((high - low) / 2, _CROSS / 2)
        for part in range(2 * _CROSS_TRIES + 1 if arm >= _SMALLEST_CROSS / 2 else 0):
            aside = (part + 1) // 2 * (-1 if part % 2 else 1) / (2 * _CROSS_TRIES) * length
            beside = (low + high) / 2
            centre = Point(middle.x + aside, beside) if is_across else Point(beside, middle.y + aside)
            box = Rect(*centre, *centre).grown(arm)
            if not any(_meet(box, other) for other in taken):
                yield from cross(centre, arm, WIDTH, "register")
                break


def _meet(one: Rect, other: Rect) -> bool:
    x0, y0, x1, y1 = one
    left, top, right, bottom = other
    return x0 <= right and left <= x1 and y0 <= bottom and top <= y1


def frame_marks(reach: Rect, printable: Rect) -> Iterator[MarkLine]:
    """A frame around all bleeds, to trim the sheet to, without edges that the printer cannot reach."""
    frame = reach.grown(FRAME_ROOM / 2)
    left_top, right_top, right_bottom, left_bottom = frame.within(printable).corners()
    for is_there, start, end in (
        (frame.y0 >= printable.y0, left_top, right_top),
        (frame.x1 <= printable.x1, right_top, right_bottom),
        (frame.y1 <= printable.y1, right_bottom, left_bottom),
        (frame.x0 >= printable.x0, left_bottom, left_top),
    ):
        if is_there:
            yield MarkLine(start, end, WIDTH, kind="frame")


def fold_marks(area: Area) -> Iterator[MarkLine]:
    """The dashed line to fold on, across the whole printable paper."""
    width, height = area.paper
    length = (height if area.fold == "down" else width) - 2 * area.bare.left
    for index in range(int((length + _GAP) / (_DASH + _GAP))):
        at = area.bare.left + index * (_DASH + _GAP)
        if area.fold == "down":
            yield MarkLine(Point(width / 2, at), Point(width / 2, at + _DASH), WIDTH, kind="fold")
        else:
            yield MarkLine(Point(at, height / 2), Point(at + _DASH, height / 2), WIDTH, kind="fold")


def piece_lines(forme: Forme, filled: int, ticks: Sequence[Mark]) -> Iterator[Mark]:
    """The lines on the pieces of the first `filled` seats, each line once: the outlines and the
    dashed folds of nets, and those folds of other pieces that have no ticks on both sides."""
    drawn: set[tuple[Point, ...]] = set()
    folds = [tick.line for tick in ticks if tick.line.kind == "fold"]
    for owner, seat in enumerate(forme.seats[:filled]):
        for line in _lines(seat, folds):
            ends = tuple(sorted((line.start.steadied(), line.end.steadied())))
            if ends not in drawn:
                drawn.add(ends)
                yield Mark(line, owner)


def _lines(seat: Seat, ticks: Sequence[MarkLine]) -> Iterator[MarkLine]:
    shape = seat.blank.shape
    for start, end in edges(seat.outline()) if shape.kind == "net" else ():
        yield _line(start, end, "cut")
    for crease in shape.creases:
        start, end = map(seat.place.apply, crease)
        if shape.kind == "net" or not _is_ticked(start, end, ticks):
            yield from _dash(start, end, _NET_DASH, _NET_GAP)


def _is_ticked(start: Point, end: Point, ticks: Iterable[MarkLine]) -> bool:
    """Whether a ruler can be laid along a fold from a tick before its start to one past its end."""
    places = map(Ray.past(start, end).place, (tick.start for tick in ticks))
    sides = {along > 0 for along, beside in places if abs(beside) < _OFF_LINE}
    return len(sides) == len((True, False))


def _dash(start: Point, end: Point, most: float, gap: float) -> Iterator[MarkLine]:
    """A dashed line with a dash at both ends, so that a ruler can be laid to them."""
    length, ray = dist(start, end), Ray.through(start, end)
    gaps = max(round((length - most) / (most + gap)), 1)
    dash = min(most, length / 2)
    step = (length - dash) / gaps
    for low in (step * number for number in range(gaps + 1)):
        yield _line(ray.at(low), ray.at(low + dash), "fold")


def _line(start: Point, end: Point, kind: MarkKind) -> MarkLine:
    width, halo = (FOLD_WIDTH, FOLD_HALO) if kind == "fold" else (NET_WIDTH, NET_HALO)
    return MarkLine(start, end, width, halo, kind)


def outline_marks(forme: Forme, filled: int, kinds: Iterable[MarkKind]) -> Iterator[Mark]:
    """The outlines of the pieces on the first `filled` seats, without the parts within others.

    Pieces that straight cuts between ticks do not free have them as marks of the cut: discs, and all but rectangles and
    nets unless they share their cuts. The others have outlines if these are among the `kinds`.
    """
    kinds = frozenset(kinds)
    if not kinds & {"cut", "outline"}:
        return
    seats = forme.seats[:filled]
    dark, white = (Obstacles(seats, lambda _: HAIRLINE_WIDTH / 2), Obstacles(seats, lambda _: BARE / 2))
    for owner, seat in enumerate(seats):
        kind: MarkKind = "cut" if "cut" in kinds and _needs_outline(forme, seat) else "outline"
        if kind not in kinds:
            continue
        for line in _around(seat, _WHITE, white):
            yield Mark(MarkLine(*line, 0.0, BARE, kind), owner)
        for line in _around(seat, _INK, dark):
            yield Mark(MarkLine(*line, HAIRLINE_WIDTH, 0.0, kind), owner)


def hole_marks(forme: Forme, filled: int) -> Iterator[Mark]:
    """The rims of the holes of the first `filled` seats, just within the holes."""
    for owner, seat in enumerate(forme.seats[:filled]):
        for hole in seat.blank.shape.holes:
            rim = Shape("polygon", hole)
            for by, width, halo in ((_WHITE, 0.0, BARE), (_INK, HAIRLINE_WIDTH, 0.0)):
                for start, end in edges(rim.placed(seat.place, by=-by)):
                    yield Mark(MarkLine(start, end, width, halo, "cut"), owner)


def _needs_outline(forme: Forme, seat: Seat) -> bool:
    kind = seat.blank.shape.kind
    return kind == "circle" or (kind not in ("rectangle", "net") and forme.cuts != "shared")


def _around(seat: Seat, by: float, others: Obstacles) -> Iterator[tuple[Point, Point]]:
    """The lines `by` mm outside a seat, as far as they are outside the others."""
    outline = _outline(seat, by)
    if others.are_far(seat.box(2 * by)) or others.are_apart(outline, seat):
        yield from edges(outline)
        return
    for start, end in edges(outline):
        yield from _free_parts(start, end, others)


def _outline(seat: Seat, by: float) -> Outline:
    """The lines around a seat that come no nearer to it than `by` mm."""
    kind = seat.blank.shape.kind
    if kind == "circle":
        return _ring(seat, by)
    if kind == "outline":
        return carried(cover(seat.blank.shape.placed(IDENTITY, by=by), _OFF_CURVE), seat.place)
    return seat.outline(by)


def _free_parts(start: Point, end: Point, others: Obstacles) -> Iterator[tuple[Point, Point]]:
    length, ray = dist(start, end), Ray.through(start, end)
    least, at = min(_SHORTEST, length), 0.0
    for blocked, free in (*others.crossings(ray, length), (length, length)):
        if min(blocked, length) - at >= least:
            yield ray.at(at), ray.at(min(blocked, length))
        at = max(at, free)


def _ring(seat: Seat, by: float) -> Outline:
    """A polygon around a disc whose sides come no nearer to it than `by` mm."""
    box = seat.box(by)
    radius = box.width / 2
    count = ceil(pi / acos(radius / (radius + _OFF_CIRCLE)))
    reach, step = radius / cos(pi / count), 2 * pi / count
    x, y = box.centre
    return tuple(Point(x + reach * cos(i * step), y + reach * sin(i * step)) for i in range(count))
