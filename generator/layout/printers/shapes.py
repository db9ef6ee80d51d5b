"""Take points and sizes in mm, make the lines of rings, boxes, crosses and rulers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, pi, sin

from generator.basics.geometry import Point, Rect
from generator.basics.units import PT_PER_MM
from generator.model import MarkLine

HAIR = 0.15  # mm, the thinnest line that a home printer prints unbroken
RULER = 50.0
SMALL = 7 / PT_PER_MM  # mm, 7 pt: the smallest type on these sheets
READABLE = 9 / PT_PER_MM  # mm, 9 pt: the type of letters and numbers to read


def path(points: Sequence[Point], width: float = HAIR) -> Iterator[MarkLine]:
    for start, end in pairwise(points):
        yield MarkLine(start, end, width)


def arc(
    centre: Point, radius: float, start: float, end: float, width: float = HAIR
) -> Iterator[MarkLine]:
    """Part of a ring, from one angle to another (turns, clockwise from the right)."""
    steps = max(round(abs(end - start) * 48), 2)
    angles = (2 * pi * (start + (end - start) * step / steps) for step in range(steps + 1))
    points = [Point(centre.x + radius * cos(a), centre.y + radius * sin(a)) for a in angles]
    yield from path(points, width)


def ring(centre: Point, radius: float, width: float = HAIR) -> Iterator[MarkLine]:
    return arc(centre, radius, 0.0, 1.0, width)


def box(rect: Rect, radius: float = 0.0, width: float = HAIR) -> Iterator[MarkLine]:
    """The outline of a rectangle with rounded corners."""
    x0, y0, x1, y1 = rect
    r = radius
    yield MarkLine(Point(x0 + r, y0), Point(x1 - r, y0), width)
    yield MarkLine(Point(x1, y0 + r), Point(x1, y1 - r), width)
    yield MarkLine(Point(x1 - r, y1), Point(x0 + r, y1), width)
    yield MarkLine(Point(x0, y1 - r), Point(x0, y0 + r), width)
    if radius:
        corners = (Point(x1 - r, y1 - r), Point(x0 + r, y1 - r), Point(x0 + r, y0 + r))
        for quarter, corner in enumerate((*corners, Point(x1 - r, y0 + r))):
            yield from arc(corner, r, quarter / 4, (quarter + 1) / 4, width)


def cross(centre: Point, inner: float, outer: float, width: float = HAIR) -> Iterator[MarkLine]:
    """Four arms, from `inner` to `outer` mm from the centre."""
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        start = Point(centre.x + x * inner, centre.y + y * inner)
        yield MarkLine(start, Point(centre.x + x * outer, centre.y + y * outer), width)


def arrow_up(tip: Point, length: float, width: float = 0.3) -> Iterator[MarkLine]:
    barb = length * 0.35
    yield MarkLine(Point(tip.x, tip.y + length), tip, width)
    yield MarkLine(Point(tip.x - barb, tip.y + barb), tip, width)
    yield MarkLine(Point(tip.x + barb, tip.y + barb), tip, width)


def ruler(left: Point) -> Iterator[MarkLine]:
    """A ruler of 50 mm with a tick every 5 mm, measured between the outer edges of its end
    ticks."""
    inset = HAIR / 2
    yield MarkLine(left, Point(left.x + RULER, left.y), HAIR)
    for index in range(11):
        x = left.x + min(max(index * 5.0, inset), RULER - inset)
        height = 2.6 if index in (0, 10) else 1.8 if index == 5 else 1.2
        yield MarkLine(Point(x, left.y), Point(x, left.y - height), HAIR)
