"""Take a grid, make its crop marks: outside the block, never on a piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from generator.geometry import Point, Rect
from generator.layout.grid import MARGIN, Grid
from generator.model import Line

Edge = Literal["left", "top", "right", "bottom"]
EDGES: tuple[Edge, ...] = ("left", "top", "right", "bottom")

WIDTH = 0.2  # mm; thinner lines vanish on a home inkjet
HALO = 0.8  # mm of paper white beneath a mark that lies on the bleed
LENGTH = 4.0
SHORTEST = 2.5
NEAREST_TO_TRIM = 1.0  # nothing in the margin comes nearer to a piece
NEAREST_TO_EDGE = 2.0  # a mark at the very edge makes viewers shrink the page


class Reach(NamedTuple):
    """Where marks of an edge start and end, counted outward from the block."""

    start: float
    end: float


def clearance(bleed: float) -> float:
    """The mm around the block that belong to its art, or to the hand that cuts it."""
    return max(bleed, NEAREST_TO_TRIM)


def reach(space: float, bleed: float) -> Reach:
    """How marks lie in `space` mm between the block and the edge of the paper.

    Past the bleed where the printer reaches; on the bleed, which the cut takes away, where the
    paper is too narrow for that.
    """
    start = clearance(bleed)
    if space - MARGIN < start + SHORTEST:
        start = NEAREST_TO_TRIM
    return Reach(start, max(start, min(start + LENGTH, space - NEAREST_TO_EDGE)))


def spaces(grid: Grid) -> dict[Edge, float]:
    """The mm between the block and each edge of the paper."""
    block, paper = grid.block, grid.paper
    return {
        "left": block.x0,
        "top": block.y0,
        "right": paper.width - block.x1,
        "bottom": paper.height - block.y1,
    }


def crop_marks(grid: Grid, bleed: float, reaches: dict[Edge, Reach]) -> Iterator[Line]:
    """A mark at both ends of every cut."""
    block = grid.block
    for edge, (start, end) in reaches.items():
        if end <= start:
            continue
        halo = HALO if start < bleed else 0.0
        cuts = grid.cuts_across() if edge in ("left", "right") else grid.cuts_down()
        for cut in cuts:
            yield Line(
                _outward(block, edge, cut, start), _outward(block, edge, cut, end), WIDTH, halo
            )


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
