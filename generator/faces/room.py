"""Take areas and a box, find the place where the box has most room."""

from __future__ import annotations

from functools import cache
from heapq import heappop, heappush
from itertools import count, product
from math import inf

from generator.basics.geometry import HAIR, Affine, Point, Size, steady
from generator.basics.outlines import Outline, box_of, carried, edges

Area = tuple[Outline, ...]  # its rims
_Stretch = tuple[float, float, float, float]  # of a rim: its start and its vector
_Border = tuple[float, float, float]  # a x + b y + c is the distance inwards from a line
_CLOSE = 0.04  # of the box: a smaller gain of room does not matter
_QUARTERS = tuple(product((-0.5, 0.5), repeat=2))


@cache
def roomiest(areas: tuple[Area, ...], within: Outline, box: Size) -> tuple[int, Point, float]:
    """The number of the area where an upright box has most room, the box's middle there, and the
    factor by which it could grow; it does not fit if that is less than 1.

    The box stays `within` a convex outline. Squares of the plane are searched, the most promising
    first, and divided into four (as in Mapbox's polylabel); the unit is half the box.
    """
    scale = Affine(2 / box.width, 0.0, 0.0, 2 / box.height, 0.0, 0.0)
    limit = _stretches((carried(within, scale),))
    borders = [_border(stretch) for stretch in limit if any(stretch[2:])]
    scaled = [_stretches(tuple(carried(rim, scale) for rim in area)) for area in areas]
    order = count()
    best = (0, Point(0.0, 0.0), -inf)
    heap: list[tuple[float, int, int, float, float, float]] = []

    def look(index: int, x: float, y: float, half: float) -> None:
        nonlocal best
        little = best[2] - max(half - _CLOSE, HAIR)  # room that is not worth a further look
        clear = _inwards(borders, x, y, little)
        if clear < 0.0 and clear > little:  # outside, the end of a border may be nearest
            clear = _clearance(limit, x, y, little)
        if clear > little:
            clear = min(clear, _clearance(scaled[index], x, y, little))
        if clear <= little:
            return
        # steady: every machine finds the same first one of places with equal room
        clear = steady(clear, 6)
        if clear > best[2]:
            best = (index, Point(x, y), clear)
        if clear + half > best[2] + _CLOSE:
            heappush(heap, (-clear - half, next(order), index, x, y, half))

    for index, area in enumerate(areas):
        around = scale.apply_rect(box_of(corner for rim in area for corner in rim))
        look(index, *around.centre, steady(max(around.width, around.height) / 2, 6))
    while heap and -heap[0][0] > best[2] + _CLOSE:
        _, _, index, x, y, side = heappop(heap)
        for dx, dy in _QUARTERS:
            look(index, x + dx * side, y + dy * side, side / 2)
    index, (x, y), times = best
    return index, Point(x * box.width / 2, y * box.height / 2), times


def _stretches(area: Area) -> list[_Stretch]:
    return [(px, py, qx - px, qy - py) for rim in area for (px, py), (qx, qy) in edges(rim)]


def _border(stretch: _Stretch) -> _Border:
    px, py, dx, dy = stretch
    size = abs(dx) + abs(dy)
    return -dy / size, dx / size, (dy * px - dx * py) / size


def _inwards(borders: list[_Border], x: float, y: float, little: float) -> float:
    """The distance of a point inwards from the nearest of some lines; if that is `little` or less,
    it may be any such number."""
    least = inf if borders else -inf
    for a, b, c in borders:
        inwards = a * x + b * y + c
        if inwards < least:
            if inwards <= little:
                return inwards
            least = inwards
    return least


def _clearance(rim: list[_Stretch], x: float, y: float, little: float) -> float:
    """The distance of a point from the rim, the larger of those along x and y; negative outside.

    If that is `little` or less, it may be any such number. Then the stretch that is so near becomes
    the first: it is near the next points too, so a third fewer are measured."""
    nearest, is_inside = inf, False
    for number, (px, py, dx, dy) in enumerate(rim):
        ax, ay = px - x, py - y
        bx, by = ax + dx, ay + dy
        # most stretches lie wholly further off along x or y, and need not be measured
        is_near_x = (-nearest < ax or -nearest < bx) and (ax < nearest or bx < nearest)
        if is_near_x and (-nearest < ay or -nearest < by) and (ay < nearest or by < nearest):
            nearest = min(nearest, _distance(ax, ay, bx, by, dx, dy))
            if nearest <= little:
                rim[0], rim[number] = rim[number], rim[0]
                return nearest
        if (ay > 0) != (by > 0) and ax - ay * dx / dy > 0:
            is_inside = not is_inside
    return nearest if is_inside else -nearest


def _distance(ax: float, ay: float, bx: float, by: float, dx: float, dy: float) -> float:
    """The distance from the origin to a stretch from a to b, whose vector is d.

    Its nearest point is an end, or a point where |x| is |y|.
    """
    start, end = max(ax, -ax, ay, -ay), max(bx, -bx, by, -by)
    best = start if start < end else end
    if (slope := dx - dy) and 0.0 < (t := (ay - ax) / slope) < 1.0:
        x, y = ax + t * dx, ay + t * dy
        best = min(best, max(x, -x, y, -y))
    if (slope := dx + dy) and 0.0 < (t := (-ay - ax) / slope) < 1.0:
        x, y = ax + t * dx, ay + t * dy
        best = min(best, max(x, -x, y, -y))
    return best
