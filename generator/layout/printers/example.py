"""Take a point and a type size, make the picture that shows how to read a scale."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from generator.basics.geometry import Point
from generator.layout.printers.gauge import (
    COLUMN,
    INDEX_WIDTH,
    PITCH,
    STEP,
    STROKE,
    Gauge,
    letter,
    name,
)
from generator.layout.printers.shapes import HAIR, path, ring
from generator.model import MarkLine
from generator.text import Lettering
from generator.text.lettering import PageDrawing

_COLUMNS, _ROWS = range(-1, 2), range(35)
_COLUMN, _NUMBER = 0, 10
_READING = _COLUMN * COLUMN + _NUMBER * STEP
READING = name(_READING)
_MAGNIFIED = 0.85  # times the type size in mm


class ExamplePicture(Struct, frozen=True):
    """The picture, and its left and its bottom edge (mm on the page)."""

    drawing: PageDrawing
    left: float
    bottom: float


def example(top_right: Point, size: float, lettering: Lettering) -> ExamplePicture:
    """Part of a scale, magnified, with rings around the letter, the number and the stroke to read.

    The line from the back is drawn hollow.
    """
    factor = _MAGNIFIED * size
    side = 2.9 * factor + 1.9 * size  # for the ticks and the numbers
    left = top_right.x - len(_COLUMNS) * COLUMN * factor - 2 * side
    zero = Point(left + side - _COLUMNS[0] * COLUMN * factor, top_right.y + 1.8 * size)
    gauge = Gauge(0, "", "across", zero, _COLUMNS, _ROWS, factor)
    labels = list(gauge.labels(lettering, size))
    lines = [*_hollow(gauge), *gauge.strokes(), *gauge.ticks()]
    lines += ring(gauge.at(_READING), 0.65 * PITCH * factor)
    for text in (letter(_COLUMN), str(_NUMBER)):
        label = next(label for label in labels if label.text == text)
        lines += ring(lettering.ink(label).centre, 0.62 * size)
    bottom = zero.y + _ROWS[-1] * PITCH * factor + 4.2 * size
    result = Point((left + top_right.x) / 2, bottom)
    labels.append(lettering.line(f"reads {READING}", 1.3 * size, result, "centre", bold=True))
    return ExamplePicture(PageDrawing(labels, lines), left, bottom)


def _hollow(gauge: Gauge) -> Iterator[MarkLine]:
    """The outline of the line that shows through from the back."""
    half = (INDEX_WIDTH + 0.04) / 2
    start, end = -PITCH * 0.7, _ROWS[-1] * PITCH + STROKE
    corners = ((-half, start), (half, start), (half, end), (-half, end), (-half, start))
    yield from path([gauge.place(_READING + u, v) for u, v in corners], HAIR)
