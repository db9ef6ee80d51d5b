"""Take the trims on a sheet, make hairlines just outside them: the cuts that ticks cannot show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import acos, ceil, cos, hypot, pi, sin

from generator.basics.geometry import Point
from generator.basics.outlines import Outline, edges
from generator.layout.forme import Forme, Seat
from generator.layout.marks import Mark, Obstacles, Ray
from generator.model import Mark as MarkKind
from generator.model import MarkLine

WIDTH = 0.12  # mm of ink, next to the trim: its inner edge is the cut
BARE = 0.2  # mm of paper white beyond the ink, to show on a dark ground
_CLEAR = 0.01  # mm between the ink and the trim, so that rounding brings no ink into a piece
_OFF_CIRCLE = 0.03  # mm, the most by which a ring of straight lines leaves its circle
_SHORTEST = 0.5  # mm; a shorter line shows no direction
_INK = _CLEAR + WIDTH / 2  # mm from the trim to the middle of each line
_WHITE = _CLEAR + WIDTH + BARE / 2


def outline_marks(forme: Forme, filled: int, kinds: Iterable[MarkKind]) -> Iterator[Mark]:
    """The outlines of the pieces on the first `filled` seats, without the parts within others.

    Pieces that straight cuts between ticks do not free have them as marks of the cut: discs, and
    all but rectangles and nets unless they share their cuts. The others have outlines if these are
    among the `kinds`.
    """
    kinds = frozenset(kinds)
    if not kinds & {"cut", "outline"}:
        return
    seats = forme.seats[:filled]
    dark, white = Obstacles(seats, lambda _: WIDTH / 2), Obstacles(seats, lambda _: BARE / 2)
    for owner, seat in enumerate(seats):
        kind: MarkKind = "cut" if "cut" in kinds and _needs_outline(forme, seat) else "outline"
        if kind not in kinds:
            continue
        for line in _around(seat, _WHITE, white):
            yield Mark(MarkLine(*line, 0.0, BARE, kind), owner)
        for line in _around(seat, _INK, dark):
            yield Mark(MarkLine(*line, WIDTH, 0.0, kind), owner)


def _needs_outline(forme: Forme, seat: Seat) -> bool:
    kind = seat.blank.shape.kind
    return kind == "circle" or (kind not in ("rectangle", "net") and forme.cuts != "shared")


def _around(seat: Seat, by: float, others: Obstacles) -> Iterator[tuple[Point, Point]]:
    """The lines `by` mm outside a seat, as far as they are outside the others."""
    outline = _ring(seat, by) if seat.blank.shape.kind == "circle" else seat.outline(by)
    if others.are_far(seat.box(2 * by)):
        yield from edges(outline)
        return
    for start, end in edges(outline):
        yield from _free_parts(start, end, others)


def _free_parts(start: Point, end: Point, others: Obstacles) -> Iterator[tuple[Point, Point]]:
    length = hypot(end.x - start.x, end.y - start.y)
    ray = Ray(start.x, start.y, (end.x - start.x) / length, (end.y - start.y) / length)
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
