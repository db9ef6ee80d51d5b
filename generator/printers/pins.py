"""Take a paper, make the targets for a pin: what is pricked on the front is read on the back."""

from __future__ import annotations

from collections.abc import Iterator

from generator.geometry import Affine, Point, Size
from generator.model import Label, MarkLine
from generator.printers.gauge import LETTERS, ZERO, letter
from generator.printers.shapes import HAIR, SMALL, cross, ring
from generator.text import Lettering

_FROM_SIDE, _FROM_END = 56.0, 21.0  # mm from the paper's edges to the point that is pricked
_REACH = float(ZERO)


def pin(paper: Size, corner: str) -> Point:
    """Where a pin is pricked through the front (mm)."""
    x = _FROM_SIDE if "left" in corner else paper.width - _FROM_SIDE
    return Point(x, _FROM_END if "top" in corner else paper.height - _FROM_END)


def target(centre: Point) -> Iterator[MarkLine]:
    """A cross that leaves its centre free, in a ring."""
    yield from ring(centre, 2.0)
    yield from cross(centre, 0.5, 3.2)


def grid(centre: Point, turn: Affine) -> Iterator[MarkLine]:
    """The ruler behind a target, on the back page: a line a mm both ways.

    A back that lies further right leaves the hole further left on it: the letters run so that
    what the hole shows is how far the back is off.
    """
    for column in range(-ZERO, ZERO + 1):
        width = 2 * HAIR if column % 2 == 0 else HAIR
        for place in (_upright, _lying):
            start, end = place(-column, -_REACH), place(-column, _REACH)
            yield MarkLine(_behind(centre, start, turn), _behind(centre, end, turn), width)


def grid_labels(centre: Point, turn: Affine, lettering: Lettering) -> Iterator[Label]:
    gap = _REACH + 1.7
    for column in range(-ZERO, len(LETTERS) - ZERO):
        is_thick = column % 2 == 0
        side = -gap if is_thick else gap
        for place in (_upright, _lying):
            middle = _behind(centre, place(-column, side), turn)
            yield lettering.at(letter(column), SMALL, middle, bold=is_thick)


def _upright(along: float, across: float) -> Point:
    return Point(along, across)


def _lying(along: float, across: float) -> Point:
    return Point(across, along)


def _behind(centre: Point, offset: Point, turn: Affine) -> Point:
    return turn.apply(Point(centre.x + offset.x, centre.y + offset.y))
