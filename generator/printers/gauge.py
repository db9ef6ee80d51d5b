"""Take a paper, make the eight scales in its corners: their strokes and their readings.

A scale is a vernier folded up. The front has columns of short strokes, one column per millimetre,
named by a letter; each of its ten strokes, named by a figure, is 0.1 mm further along. The back has
one long line. It covers one stroke, whose column and row are the reading. Letter and figure come
from the same stroke, so the whole millimetre is never in doubt; the line is long, so drift along it
does not matter; and all names are on the front, where they are sharp. The rows go down by 0 1 2 3 4
and come up again by 5 6 7 8 9 in between: neighbours, 9 and the next 0 too, are never more than two
rows apart, so that a slanted line leaves no gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor
from typing import Literal

from generator.geometry import Point, Size
from generator.model import Label, MarkLine
from generator.printers.shapes import SMALL
from generator.text import Lettering

Direction = Literal["across", "down"]
CORNERS = ("top left", "top right", "bottom left", "bottom right")

LETTERS = "ABCDEFGHKLMNPRSTU"  # without I, O, Q, which look like figures, and the slender J
ZERO = LETTERS.index("K")
REACH = float(ZERO)  # mm each way
ROWS = 10
PITCH = 1.5  # mm from row to row
STROKE = 1.0  # mm, the length of a stroke; the line on the back shows between strokes
THIN, THICK = 0.15, 0.3
INDEX_WIDTH = 0.2
DEPTH = ROWS * PITCH
INSET = 14.0  # mm from the paper's edge to the first stroke
_BETWEEN = 30.0  # mm from the start of a corner's first scale to that of its second
_ORDER = (0, 9, 1, 8, 2, 7, 3, 6, 4, 5)  # the figures of the rows, the first row's first
_SPREAD = (ROWS - 1) / ROWS  # mm from a column's first stroke to its last
BLOCK = INSET + _BETWEEN + 2 * REACH + _SPREAD + 5.0  # mm, the height of a corner's scales


@dataclass(frozen=True, slots=True)
class Gauge:
    """A scale. `zero` is the middle of the stroke K0 on the front (mm)."""

    number: int
    corner: str
    direction: Direction
    zero: Point
    columns: range = range(-ZERO, len(LETTERS) - ZERO)
    magnified: float = 1.0

    def place(self, along: float, across: float) -> Point:
        """The point `along` mm from K0 in the measured direction, and `across` mm across it."""
        u, v = along * self.magnified, across * self.magnified
        x, y = (u, v) if self.direction == "across" else (v, u)
        return Point(self.zero.x + x, self.zero.y + y)

    @property
    def middle(self) -> Point:
        return self.place(_SPREAD / 2, (DEPTH - PITCH) / 2)

    def at(self, reading: float) -> Point:
        """The point of the front where the line shows when the scale reads `reading` mm."""
        tenths = (reading - floor(reading)) * ROWS
        return self.place(reading, _row(tenths) * PITCH)

    def strokes(self) -> Iterator[MarkLine]:
        for column in self.columns:
            width = (THICK if _is_thick(column) else THIN) * self.magnified
            for figure in range(ROWS):
                along, across = column + figure / ROWS, _row(figure) * PITCH
                start = self.place(along, across - STROKE / 2)
                end = self.place(along, across + STROKE / 2)
                yield MarkLine(start, end, width)

    def labels(self, lettering: Lettering, size: float = SMALL) -> Iterator[Label]:
        """Letters before the rows for thick columns, behind them for thin ones; figures at both
        sides."""
        gap = PITCH / 2 + 0.36 * size / self.magnified
        for column in self.columns:
            is_thick = _is_thick(column)
            across = -gap if is_thick else (ROWS - 1) * PITCH + gap
            middle = self.place(column + _SPREAD / 2, across)
            yield lettering.at(letter(column), size, middle, bold=is_thick)
        for figure in range(ROWS):
            is_first = figure < ROWS / 2
            side = self.columns[0] - gap if is_first else self.columns[-1] + _SPREAD + gap
            yield lettering.at(str(figure), size, self.place(side, _row(figure) * PITCH))

    def index(self) -> MarkLine:
        """The line of the back, at the place on the front that it should be behind."""
        reach = DEPTH / 2 + REACH + 0.5
        middle = (DEPTH - PITCH) / 2
        start, end = self.place(0.0, middle - reach), self.place(0.0, middle + reach)
        return MarkLine(start, end, INDEX_WIDTH * self.magnified)


def gauges(paper: Size) -> tuple[Gauge, ...]:
    """The scales in reading order: corner by corner, across and down."""
    numbers = iter(range(1, 9))
    return tuple(
        Gauge(next(numbers), corner, direction, _zero(paper, corner, direction))
        for corner in CORNERS
        for direction in ("across", "down")
    )


def _zero(paper: Size, corner: str, direction: Direction) -> Point:
    """The place of a scale's zero. The scale across is above the one down in every corner."""
    length = 2 * REACH + _SPREAD
    width = length if direction == "across" else DEPTH
    left = INSET if "left" in corner else paper.width - INSET - width
    top = INSET if "top" in corner else paper.height - INSET - length - _BETWEEN
    first = PITCH / 2
    if direction == "across":
        return Point(left + REACH, top + first)
    return Point(left + first, top + _BETWEEN + REACH)


def _row(tenths: float) -> float:
    """The row of a figure; for a value between two figures, between their rows."""
    low = int(tenths)
    first, second = _ORDER.index(low % ROWS), _ORDER.index((low + 1) % ROWS)
    return first + (second - first) * (tenths - low)


def letter(column: int) -> str:
    return LETTERS[column + ZERO]


def name(reading: float) -> str:
    """A reading in mm by its name on the sheet, as in "K4"; beyond the scale, in mm."""
    tenths = round(reading * ROWS)
    column, row = divmod(tenths, ROWS)
    if not 0 <= column + ZERO < len(LETTERS):
        return f"{reading:+.1f} mm"
    return f"{letter(column)}{row}"


def _is_thick(column: int) -> bool:
    return column % 2 == 0
