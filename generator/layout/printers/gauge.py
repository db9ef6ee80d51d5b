"""Take a paper, make the eight scales in its corners: their strokes and their readings.

A scale is a vernier folded up. The front has columns of short strokes, one column per 2 mm, named
by a letter; each of its hundred strokes, numbered from 0, is 1/50 mm further along. The back has
one long line. It covers one stroke, whose column and row are the reading. Letter and number come
from the same stroke, so the whole column is never in doubt; the line is long, so drift along it
does not matter; and all names are on the front, where they are sharp. The rows go down by 0 1 2 ...
and come up again by ... 98 99 in between: neighbours, 99 and the next 0 too, are never more than
two rows apart, so that a slanted line leaves no gap. Two rows are 0.8 mm: on a back turned by a
degree, a number too many is an error of 0.034 mm. With four numbers of eight wrong by one, the
worst corner of Letter or A4 is then still within 0.1 mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor
from typing import Literal

from msgspec import Struct

from generator.basics.geometry import Point, Size
from generator.layout.printers.shapes import HAIR, READABLE
from generator.model import Label, MarkLine
from generator.text import Lettering

Direction = Literal["across", "down"]
CORNERS = ("top left", "top right", "bottom left", "bottom right")

LETTERS = "ABCDEFGH"
ZERO = LETTERS.index("E")
COLUMN = 2.0  # mm from column to column
ROWS = 100
STEP = COLUMN / ROWS  # mm, the difference of two neighbouring readings
REACH = ZERO * COLUMN  # mm each way
PITCH = 0.4  # mm from row to row
STROKE = 0.25  # mm, the length of a stroke; the line on the back shows between strokes
THIN, THICK = 0.15, 0.3
INDEX_WIDTH = 0.2
DEPTH = ROWS * PITCH
INSET = 10.5  # mm from the paper's edge to the names of a scale
_ORDER = tuple(
    n for pair in zip(range(ROWS // 2), reversed(range(ROWS)), strict=False) for n in pair
)
_NAMED = 5  # each fifth number is printed, the others are ticks
_SPREAD = COLUMN - STEP  # mm from a column's first stroke to its last
_TICK, _SHORT, _LONG = 0.9, 1.0, 1.9  # mm: beyond the strokes; lengths
_BESIDE = 7.0  # mm, the room for ticks and numbers beside the strokes
_BEFORE = 3.6  # mm, the room for letters before and behind the rows
WIDTH = 2 * REACH + 2 * _BESIDE  # mm, of a scale with its names, as it measures
LENGTH = DEPTH + 2 * _BEFORE  # mm, of a scale with its names, across
_BETWEEN = 1.5  # mm between the scales of a corner
BLOCK = Size(WIDTH + _BETWEEN + LENGTH, LENGTH)  # mm, the scales of a corner


class Gauge(Struct, frozen=True):
    """A scale, or the part of it with these columns and rows, counted from E and from the first.

    `zero` is the middle of the stroke E0 on the front (mm).
    """

    number: int
    corner: str
    direction: Direction
    zero: Point
    columns: range = range(-ZERO, len(LETTERS) - ZERO)
    rows: range = range(ROWS)
    magnified: float = 1.0

    def place(self, along: float, across: float) -> Point:
        """The point `along` mm from E0 in the measured direction, and `across` mm across it."""
        u, v = along * self.magnified, across * self.magnified
        x, y = (u, v) if self.direction == "across" else (v, u)
        return Point(self.zero.x + x, self.zero.y + y)

    def at(self, reading: float) -> Point:
        """The point of the front where the line shows when the scale reads `reading` mm."""
        columns = reading / COLUMN
        return self.place(reading, _row((columns - floor(columns)) * ROWS) * PITCH)

    def strokes(self) -> Iterator[MarkLine]:
        for column in self.columns:
            width = (THICK if _is_thick(column) else THIN) * self.magnified
            for row in self.rows:
                along, across = column * COLUMN + _ORDER[row] * STEP, row * PITCH
                start = self.place(along, across - STROKE / 2)
                end = self.place(along, across + STROKE / 2)
                yield MarkLine(start, end, width)

    def ticks(self) -> Iterator[MarkLine]:
        """A tick at the end of each row: before the strokes for 0 to 29, behind them from 30."""
        for row in self.rows:
            start, outward = self._end(row)
            length = _SHORT if _ORDER[row] % _NAMED else _LONG
            across = row * PITCH
            end = self.place(start + outward * length, across)
            yield MarkLine(self.place(start, across), end, HAIR)

    def labels(self, lettering: Lettering, size: float = READABLE) -> Iterator[Label]:
        """Letters before the rows for thick columns, behind them for thin ones; each fifth number
        beyond its tick."""
        gap = PITCH + 0.5 * size / self.magnified
        for column in self.columns:
            is_thick = _is_thick(column)
            across = self.rows[0] * PITCH - gap if is_thick else self.rows[-1] * PITCH + gap
            middle = self.place(column * COLUMN + _SPREAD / 2, across)
            yield lettering.at(letter(column), size, middle, bold=is_thick)
        for row in self.rows:
            if _ORDER[row] % _NAMED == 0:
                yield lettering.at(str(_ORDER[row]), size, self._beyond_tick(row, size))

    def _beyond_tick(self, row: int, size: float) -> Point:
        start, outward = self._end(row)
        wide = 0.78 if self.direction == "across" else 0.6  # of the type size, half a number
        far = _LONG + wide * size / self.magnified
        return self.place(start + outward * far, row * PITCH)

    def _end(self, row: int) -> tuple[float, int]:
        """Where the tick of a row starts (mm from E0), and the way it points."""
        if _ORDER[row] < ROWS / 2:
            return self.columns[0] * COLUMN - _TICK, -1
        return self.columns[-1] * COLUMN + _SPREAD + _TICK, 1

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
    """The place of a scale's zero. The scale across is nearer to the paper's side."""
    is_across = direction == "across"
    width, height = (WIDTH, LENGTH) if is_across else (LENGTH, WIDTH)
    from_side = INSET + (0.0 if is_across else WIDTH + _BETWEEN)
    left = from_side if "left" in corner else paper.width - from_side - width
    top = INSET if "top" in corner else paper.height - INSET - height
    along, across = _BESIDE + REACH, _BEFORE + PITCH / 2
    return Point(left + along, top + across) if is_across else Point(left + across, top + along)


def _row(number: float) -> float:
    """The row of a number; for a value between two numbers, between their rows."""
    low = int(number)
    first, second = _ORDER.index(low % ROWS), _ORDER.index((low + 1) % ROWS)
    return first + (second - first) * (number - low)


def letter(column: int) -> str:
    return LETTERS[column + ZERO]


def name(reading: float) -> str:
    """A reading in mm by its name on the sheet, as in "E14"; beyond the scale, in mm."""
    column, number = divmod(round(reading / STEP), ROWS)
    if not 0 <= column + ZERO < len(LETTERS):
        return f"{reading:+.1f} mm"
    return f"{letter(column)}{number}"


def _is_thick(column: int) -> bool:
    return column % 2 == 0
