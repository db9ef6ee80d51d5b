"""Paths of a knife: lines and arcs, in the millimetres of a page, y down."""

from __future__ import annotations

from cmath import rect
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import atan, ceil, hypot, pi, sqrt, tan
from typing import NamedTuple

from msgspec import Struct

from generator.basics.geometry import IDENTITY, Affine, Point, steady
from generator.basics.outlines import box_of
from generator.model import Component

QUARTER = tan(pi / 8)  # the bulge of a quarter of a circle
HALF = 1.0  # the bulge of half a circle
_PLACES = 4
_PARTS = 16  # of a quarter of a circle
_HAIR = 2e-4  # mm: points that differ by less are one


class Corner(NamedTuple):
    """A corner of a path, and the way to the next one.

    `bulge` is the tangent of a quarter of the arc's angle, positive if the arc turns clockwise as
    seen; 0 for a line. DXF describes arcs in this way, with y up and the opposite sign.
    """

    point: Point
    bulge: float = 0.0


class CutPath(Struct, frozen=True):
    """Corners from start to end, or around if it is closed."""

    corners: tuple[Corner, ...]
    is_closed: bool = True

    def steps(self) -> Iterator[tuple[Point, Point, float]]:
        """Each line or arc: its start, its end, its bulge."""
        ring = (*self.corners, self.corners[0]) if self.is_closed else self.corners
        for here, there in pairwise(ring):
            yield here.point, there.point, here.bulge

    def placed(self, place: Affine) -> CutPath:
        """The path mapped by a place that may turn and scale, but does not mirror."""
        corners = (Corner(place.apply(point), bulge) for point, bulge in self.corners)
        return CutPath(tuple(corners), self.is_closed)


def line(start: Point, end: Point) -> CutPath:
    """A straight path."""
    return CutPath((Corner(start), Corner(end)), is_closed=False)


def contour_of(component: Component, by: float = 0.0) -> CutPath:
    """The outline of a cut piece in its box, `by` mm outside the trim. Arcs are arcs."""
    shape, radius = component.shape, component.corner_radius
    width, height = shape.size
    if shape.kind == "circle":
        left, right = Point(-by, height / 2), Point(width + by, height / 2)
        return CutPath((Corner(left, HALF), Corner(right, HALF)))
    outline = shape.placed(IDENTITY, by=by)
    if shape.kind == "rectangle" and radius:
        return _round(outline, radius + by)
    return CutPath(tuple(map(Corner, outline)))


def _round(outline: Sequence[Point], radius: float) -> CutPath:
    """A rectangle with rounded corners, from the left end of its upper edge."""
    box = box_of(outline)
    x0, y0, x1, y1 = box
    ends = (
        (Point(x0 + radius, y0), Point(x1 - radius, y0)),
        (Point(x1, y0 + radius), Point(x1, y1 - radius)),
        (Point(x1 - radius, y1), Point(x0 + radius, y1)),
        (Point(x0, y1 - radius), Point(x0, y0 + radius)),
    )
    corners = (corner for start, end in ends for corner in (Corner(start), Corner(end, QUARTER)))
    return CutPath(tuple(corners))


def share_lines(contours: Sequence[CutPath]) -> list[CutPath]:
    """The contours as the fewest cuts: where neighbours share a line, it is there once.

    A contour that shares no line stays whole. Of the others, lines that continue each other become
    one.
    """
    owners: dict[_Line, list[tuple[float, float, int]]] = {}
    for number, contour in enumerate(contours):
        for start, end, bulge in contour.steps():
            if not bulge:
                on = _line_through(start, end)
                low, high = sorted((on.at(start), on.at(end)))
                owners.setdefault(on, []).append((low, high, number))
    sharing = {number for runs in owners.values() for number in _overlapping(runs)}
    whole = [one for number, one in enumerate(contours) if number not in sharing]
    lines = [
        line(on.point(low), on.point(high))
        for on, runs in sorted(owners.items())
        for low, high in _join(run for run in runs if run[2] in sharing)
    ]
    arcs = [
        CutPath((Corner(start, bulge), Corner(end)), is_closed=False)
        for number in sorted(sharing)
        for start, end, bulge in contours[number].steps()
        if bulge
    ]
    return [*whole, *lines, *arcs]


def count_straight(paths: Iterable[CutPath]) -> int:
    """The straight cuts through paths of one sheet. Those on one line are a single cut."""
    steps = (step for path in paths for step in path.steps())
    return len({_line_through(start, end) for start, end, bulge in steps if not bulge})


class _Line(Struct, frozen=True, order=True):
    """An endless straight line: its direction, and its distance from the origin."""

    x: float
    y: float
    off: float

    def at(self, point: Point) -> float:
        """How far along the line a point is."""
        return steady(point.x * self.x + point.y * self.y, _PLACES)

    def point(self, at: float) -> Point:
        """The point so far along."""
        return Point(self.x * at - self.y * self.off, self.y * at + self.x * self.off)


def _line_through(start: Point, end: Point) -> _Line:
    length = hypot(end.x - start.x, end.y - start.y)
    x, y = (end.x - start.x) / length, (end.y - start.y) / length
    x, y = steady(x, 6), steady(y, 6)
    if (x, y) < (0.0, 0.0):
        x, y = -x + 0.0, -y + 0.0
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    return _Line(x, y, steady(middle.y * x - middle.x * y, 3))


def _overlapping(runs: Sequence[tuple[float, float, int]]) -> Iterator[int]:
    """The owners of runs that overlap another's."""
    ordered = sorted(runs)
    for index, (_, high, owner) in enumerate(ordered):
        for low, _, other in ordered[index + 1 :]:
            if low >= high - _HAIR:
                break
            if other != owner:
                yield owner
                yield other


def _join(runs: Iterable[tuple[float, float, int]]) -> Iterator[tuple[float, float]]:
    """Runs that overlap or touch, as one."""
    now: tuple[float, float] | None = None
    for low, high, _ in sorted(runs):
        if now and low <= now[1] + _HAIR:
            now = now[0], max(now[1], high)
        else:
            if now:
                yield now
            now = low, high
    if now:
        yield now


def curves_of(path: CutPath) -> Iterator[tuple[Point, ...]]:
    """The way along a path: for a line its end, for each part of an arc, at most a quarter of a
    circle, the three further points of a cubic curve."""
    for start, end, bulge in path.steps():
        if not bulge:
            yield (end,)
            continue
        here, there = complex(*start), complex(*end)
        angle = 4 * atan(bulge)
        middle = (there - here * rect(1, angle)) / (1 - rect(1, angle))
        count = ceil(abs(angle) / (pi / 2) - _HAIR)
        arm = 1j * tan(angle / count / 4) * 4 / 3
        for _ in range(count):
            there = middle + (here - middle) * rect(1, angle / count)
            bends = here + arm * (here - middle), there - arm * (there - middle), there
            yield tuple(Point(one.real, one.imag) for one in bends)
            here = there


def points_of(path: CutPath) -> list[Point]:
    """Points along a path, on arcs as close as a picture needs."""
    points = [path.corners[0].point]
    for step in curves_of(path):
        if len(step) == 1:
            points += step
            continue
        ends = points[-1], *step
        points += [_on_curve(ends, part / _PARTS) for part in range(1, _PARTS + 1)]
    return points


def _on_curve(ends: Sequence[Point], at: float) -> Point:
    """A point of a cubic curve, `at` of the way from its start."""
    parts = (1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at**2 * (1 - at), at**3
    along = zip(parts, ends, strict=True)
    x, y = zip(*((part * x, part * y) for part, (x, y) in along), strict=True)
    return Point(sum(x), sum(y))


def scale_of(place: Affine) -> float:
    """How many times as large a place makes lengths."""
    return sqrt(abs(place.a * place.d - place.b * place.c))


def radius_of(start: Point, end: Point, bulge: float) -> float:
    """The radius of an arc (mm)."""
    return hypot(end.x - start.x, end.y - start.y) * (1 + bulge**2) / (4 * abs(bulge))
