"""Take a paper, make targets to prick with a pin on the front, and rulers to read on the back."""

from __future__ import annotations

from collections.abc import Iterator

from generator.basics.geometry import Affine, Point, Size
from generator.layout.printers.shapes import HAIR, READABLE, cross, ring
from generator.model import Label, MarkLine
from generator.text import Lettering

PIN_ZERO = 8  # mm, the number of the rulers that a true printer reads
_FROM_SIDE, _FROM_END = 81.0, 56.0  # mm from the paper's edges to the middle of a target
_REACH = float(PIN_ZERO)
_NAMED = 4  # mm from number to number


def pin(paper: Size, corner: str) -> Point:
    """The point of the front to prick with a pin (mm)."""
    x = _FROM_SIDE if "left" in corner else paper.width - _FROM_SIDE
    return Point(x, _FROM_END if "top" in corner else paper.height - _FROM_END)


def target(centre: Point) -> Iterator[MarkLine]:
    """A cross with a free centre, in a ring."""
    yield from ring(centre, 2.0)
    yield from cross(centre, 0.5, 3.2)


def grid(centre: Point, turn: Affine) -> Iterator[MarkLine]:
    """The ruler behind a target, on the back page, with a line per mm in both directions.

    The further right the back is printed, the further left on it is the hole. The numbers run the
    other way, so that they name the offset of the back.
    """
    for offset in range(-PIN_ZERO, PIN_ZERO + 1):
        width = 2 * HAIR if offset % _NAMED == 0 else HAIR
        for place in (_upright, _lying):
            start, end = place(-offset, -_REACH), place(-offset, _REACH)
            yield MarkLine(_behind(centre, start, turn), _behind(centre, end, turn), width)


def grid_labels(centre: Point, turn: Affine, lettering: Lettering) -> Iterator[Label]:
    """The numbers 0, 4, 8, 12 and 16, on two sides."""
    for offset in range(-PIN_ZERO, PIN_ZERO + 1, _NAMED):
        for place in (_upright, _lying):
            middle = _behind(centre, place(-offset, -_REACH - 3.0), turn)
            yield lettering.at(str(offset + PIN_ZERO), READABLE, middle)


def _upright(along: float, across: float) -> Point:
    return Point(along, across)


def _lying(along: float, across: float) -> Point:
    return Point(across, along)


def _behind(centre: Point, offset: Point, turn: Affine) -> Point:
    return turn.apply(Point(centre.x + offset.x, centre.y + offset.y))
