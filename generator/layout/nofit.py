"""Take an outline, find how near two pieces of it may lie: their no-fit polygon.

It has the places of the second piece's box, all around the first, where both touch: the Minkowski
sum (pyclipper) of the first and the second mirrored at its origin.
"""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, inf

import pyclipper

from generator.basics.geometry import HAIR, IDENTITY, Affine, half_turn
from generator.basics.outlines import Outline, Shape, box_of, edges, outline_of, path_of

SYMMETRIC = ("hexagon", "circle")  # convex, and the same when turned by half a turn
_Edge = tuple[tuple[float, float], tuple[float, float]]


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
        places = range(ceil(low), floor(high) + 1)
        return max((self.at(start + number * period) for number in places), default=0.0)

    def at(self, x: float) -> float:
        """The y at x, and 0 beyond the ends. Where it jumps, the smaller y, as outlines may
        touch."""
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


def find_far_sides(
    shape: Shape, gap: float, upright: Affine, turns: tuple[bool, bool]
) -> tuple[FarSide, FarSide]:
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
    """That of a piece and the same, or one turned by half a turn."""
    outline = shape.placed(IDENTITY, by=gap / 2)
    if shape.kind in SYMMETRIC:
        return list(_double(outline))
    turned = shape.placed(half_turn(shape.size), by=gap / 2) if is_opposite else outline
    around = [(-x, -y) for x, y in path_of(turned)]
    rings = pyclipper.MinkowskiSum(around, path_of(outline), True)
    return [edge for ring in rings for edge in edges(outline_of(ring))]


def _double(outline: Outline) -> Iterator[_Edge]:
    """The no-fit polygon of a convex outline with point symmetry: the outline at twice its size."""
    box = box_of(outline)
    x, y = box.x0 + box.x1, box.y0 + box.y1
    for p, q in edges(outline):
        yield (2 * p.x - x, 2 * p.y - y), (2 * q.x - x, 2 * q.y - y)
