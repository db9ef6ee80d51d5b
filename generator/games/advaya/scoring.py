"""The five games of Advaya: what a shape is worth to the players when it closes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from generator.games.advaya.arena import Cell
from generator.games.advaya.shapes import ClosedShape, Laid, areas_beside

BIG = 4  # the least value of a big shape
GOALS = ("first-closed", "max-closed", "domination", "first-capture", "max-capture")
GIFTS = ("value", "all", "nothing")


class Closing(Struct, frozen=True):
    """What a move closed.

    mover: the seat that moved. laid: the arena after it. before, new: the shapes that were closed,
    and those that the move closed. start: the cell of the start tile.
    """

    mover: int
    laid: Laid
    before: Sequence[ClosedShape]
    new: Sequence[ClosedShape]
    start: Cell


def score_closed(goal: str, gift: str, closing: Closing) -> Iterator[tuple[int, int]]:
    """Each new shape that is big and counts: the seat of its colour, and its points."""
    for shape in closing.new:
        if shape.value < BIG:
            continue
        if goal == "domination":
            yield shape.colour, _dominate(gift, closing, shape)
        elif not goal.endswith("capture") or any(cell == closing.start for cell, _ in shape.areas):
            yield shape.colour, shape.value


def _dominate(gift: str, closing: Closing, shape: ClosedShape) -> int:
    """Its own value, if no neighbour is worth more; and that of lesser ones that closed before."""
    given = "all" if shape.colour == closing.mover else gift
    beside = areas_beside(closing.laid, shape)
    before = [other for other in closing.before if beside & other.areas]
    new = [other for other in closing.new if beside & other.areas]
    points = 0
    if given != "nothing" and all(other.value <= shape.value for other in (*before, *new)):
        points = shape.value
    if given == "all":
        points += sum(other.value for other in before if other.value < shape.value)
    return points
