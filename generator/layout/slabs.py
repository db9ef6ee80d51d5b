"""Take an outline, cover it with a few upright rectangles: others may lie in its corners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from generator.basics.geometry import HAIR, Point, Rect
from generator.basics.outlines import Outline, edges

_MOST = 6  # rectangles; more would make the search for free room long


@lru_cache(maxsize=64)
def cover(outline: Outline) -> tuple[Rect, ...]:
    """Rectangles that together cover an outline, each from side to side of it: slabs one below the
    other, or one beside the other, whichever are smaller."""
    upright = _slabs(outline)
    across = [_transpose(slab) for slab in _slabs(tuple(Point(y, x) for x, y in outline))]
    return tuple(upright if area_of(upright) <= area_of(across) else across)


def area_of(slabs: Sequence[Rect]) -> float:
    """The area of rectangles that do not overlap."""
    return sum(slab.width * slab.height for slab in slabs)


def _slabs(outline: Outline) -> list[Rect]:
    heights = sorted({point.y for point in outline})
    slabs = [_slab(outline, y0, y1) for y0, y1 in pairwise(heights) if y1 - y0 > HAIR]
    added = [_added(one, other) for one, other in pairwise(slabs)]
    while len(slabs) > _MOST:
        at = added.index(min(added))
        slabs[at : at + 2] = [slabs[at].around(slabs[at + 1])]
        first, near = max(at - 1, 0), pairwise(slabs[max(at - 1, 0) : at + 2])
        added[first : at + 2] = [_added(one, other) for one, other in near]
    return slabs


def _slab(outline: Outline, y0: float, y1: float) -> Rect:
    """The box around the part between two heights, with no corner between them."""
    xs = [x for edge in edges(outline) for x in _crossings(*edge, y0, y1)]
    return Rect(min(xs), y0, max(xs), y1)


def _crossings(p: Point, q: Point, y0: float, y1: float) -> Iterator[float]:
    if min(p.y, q.y) <= y0 and max(p.y, q.y) >= y1:
        for y in (y0, y1):
            yield p.x + (q.x - p.x) * (y - p.y) / (q.y - p.y)


def _added(one: Rect, other: Rect) -> float:
    """The area that the box around two slabs adds."""
    return area_of([one.around(other)]) - area_of([one, other])


def _transpose(slab: Rect) -> Rect:
    return Rect(slab.y0, slab.x0, slab.y1, slab.x1)
