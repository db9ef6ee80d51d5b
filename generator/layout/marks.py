"""Take a grid, make its crop marks: outside the block, never on a piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.geometry import Point, Rect
from generator.layout.grid import Edge, Grid, Space
from generator.model import Line

WIDTH = 0.2  # mm; thinner lines vanish on a home inkjet
HALO = 0.8  # mm of paper white beneath a mark that lies on the bleed
LENGTH = 4.0
SHORTEST = 2.5
NEAREST_TO_TRIM = 1.0  # nothing in the margin comes nearer to a piece
_DASH, _GAP = 3.0, 2.0
NEAREST_TO_EDGE = 2.0  # a mark at the very edge makes viewers shrink the page


class Reach(NamedTuple):
    """Where marks of an edge start and end, counted outward from the block."""

    start: float
    end: float


def clearance(bleed: float) -> float:
    """The mm around the block that belong to its art, or to the hand that cuts it."""
    return max(bleed, NEAREST_TO_TRIM)


def reach(space: Space, bleed: float) -> Reach:
    """How marks lie in the space beside a block.

    Past the bleed where the printer reaches; on the bleed, which the cut takes away, where the
    paper is too narrow for that.
    """
    start = clearance(bleed)
    if space.width - space.margin < start + SHORTEST:
        start = NEAREST_TO_TRIM
    last = space.width - (space.margin if space.is_fold else NEAREST_TO_EDGE)
    return Reach(start, max(start, min(start + LENGTH, last)))


def crop_marks(grid: Grid, bleed: float, reaches: dict[Edge, Reach]) -> Iterator[Line]:
    """A mark at both ends of every cut."""
    block = grid.block
    for edge, (start, end) in reaches.items():
        if end <= start:
            continue
        halo = HALO if start < bleed else 0.0
        cuts = grid.cuts_across() if edge in ("left", "right") else grid.cuts_down()
        for cut in cuts:
            inner, outer = (_outward(block, edge, cut, by) for by in (start, end))
            yield Line(inner, outer, WIDTH, halo, "cut")


def _outward(block: Rect, edge: Edge, cut: float, by: float) -> Point:
    match edge:
        case "left":
            return Point(block.x0 - by, cut)
        case "right":
            return Point(block.x1 + by, cut)
        case "top":
            return Point(cut, block.y0 - by)
        case "bottom":
            return Point(cut, block.y1 + by)


def fold_marks(grid: Grid) -> Iterator[Line]:
    """The dashed line to fold on, over the whole printable paper."""
    width, height = grid.paper
    length = (height if grid.fold == "down" else width) - 2 * grid.margin
    for index in range(int((length + _GAP) / (_DASH + _GAP))):
        at = grid.margin + index * (_DASH + _GAP)
        if grid.fold == "down":
            yield Line(Point(width / 2, at), Point(width / 2, at + _DASH), WIDTH, kind="fold")
        else:
            yield Line(Point(at, height / 2), Point(at + _DASH, height / 2), WIDTH, kind="fold")
