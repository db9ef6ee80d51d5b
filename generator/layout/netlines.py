"""Take the nets on a sheet, make the lines to cut them out along and to fold them on."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from generator.basics.geometry import Point
from generator.basics.outlines import edges
from generator.layout.forme import Forme, Seat
from generator.layout.marks import Mark
from generator.model import Mark as MarkKind
from generator.model import MarkLine

WIDTH = 0.12  # mm: a cut line stays on the edge of the piece
FOLD_WIDTH = 0.2  # mm: thinner dashes vanish on a home inkjet
HALO = 0.36  # mm of paper white beneath a cut line, to show on a dark ground
FOLD_HALO = 0.6
_DASH, _GAP = 2.0, 1.6


def net_lines(forme: Forme, filled: int) -> Iterator[Mark]:
    """The outlines and the dashed folds of the nets on the first `filled` seats, each line once."""
    drawn: set[tuple[Point, ...]] = set()
    for owner, seat in enumerate(forme.seats[:filled]):
        if seat.blank.shape.kind == "net":
            for line in _lines(seat):
                ends = tuple(sorted((line.start.steadied(), line.end.steadied())))
                if ends not in drawn:
                    drawn.add(ends)
                    yield Mark(line, owner)


def _lines(seat: Seat) -> Iterator[MarkLine]:
    for start, end in edges(seat.outline()):
        yield _line(start, end, "cut")
    for start, end in seat.blank.shape.creases:
        yield from _dash(seat.place.apply(start), seat.place.apply(end))


def _dash(start: Point, end: Point) -> Iterator[MarkLine]:
    """A dashed line with a dash at both ends, so that a ruler can be laid to them."""
    length = hypot(end.x - start.x, end.y - start.y)
    gaps = max(round((length - _DASH) / (_DASH + _GAP)), 1)
    dash = min(_DASH, length / 2)
    step = (length - dash) / gaps
    ux, uy = (end.x - start.x) / length, (end.y - start.y) / length
    for low in (step * number for number in range(gaps + 1)):
        first, last = (Point(start.x + ux * at, start.y + uy * at) for at in (low, low + dash))
        yield _line(first, last, "fold")


def _line(start: Point, end: Point, kind: MarkKind) -> MarkLine:
    width, halo = (FOLD_WIDTH, FOLD_HALO) if kind == "fold" else (WIDTH, HALO)
    return MarkLine(start, end, width, halo, kind)
