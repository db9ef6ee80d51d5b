"""The five games of Advaya: what a shape is worth to the players when it closes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.games.advaya.arena import Cell
from generator.games.advaya.shapes import ClosedShape, Laid, areas_beside, find_open

BIG = 4  # the least value of a big shape
GOALS = ("first-closed", "max-closed", "domination", "first-capture", "max-capture")
GIFTS = ("value", "all", "nothing")


def score_closed(
    goal: str,
    gift: str,
    mover: int,
    laid: Laid,
    before: Sequence[ClosedShape],
    new: Sequence[ClosedShape],
    start: Cell,
) -> Iterator[tuple[int, int]]:
    """Each big shape that counts: the seat of its colour, and its points.

    mover: the seat that closed the new shapes. start: the cell of the start tile.
    """
    for shape in new:
        if shape.value < BIG:
            continue
        if goal == "domination":
            yield shape.colour, _dominate(gift, mover, laid, before, new, shape)
        elif not goal.endswith("capture") or any(cell == start for cell, _ in shape.areas):
            yield shape.colour, shape.value


def _dominate(
    gift: str,
    mover: int,
    laid: Laid,
    before: Sequence[ClosedShape],
    new: Sequence[ClosedShape],
    shape: ClosedShape,
) -> int:
    """Its own value, if no neighbour is worth more; and that of lesser ones that closed before."""
    given = "all" if shape.colour == mover else gift
    beside = areas_beside(laid, shape)
    neighbours = [other for other in (*before, *new) if beside & other.areas]
    points = 0
    if given != "nothing" and all(other.value <= shape.value for other in neighbours):
        points = shape.value
    if given == "all":
        points += sum(o.value for o in neighbours if o.value < shape.value and o in before)
    return points


def promise(goal: str, laid: Laid, start: Cell) -> tuple[float, float]:
    """How good the open shapes of each seat look, by a rough guess: the more each is worth, and the
    fewer cells are empty beside it."""
    promises = [0.0, 0.0]
    for shape in find_open(laid):
        if not goal.endswith("capture") or start in shape.cells:
            promises[shape.colour] += shape.value / shape.gaps
    return promises[0], promises[1]
