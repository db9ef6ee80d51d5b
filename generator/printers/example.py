"""Take a point and a type size, make the picture that shows how to read a scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.geometry import Point
from generator.model import MarkLine
from generator.printers.gauge import DEPTH, INDEX_WIDTH, PITCH, ROWS, STROKE, Gauge, letter, name
from generator.printers.shapes import HAIR, path, ring
from generator.text import Lettering
from generator.text.lettering import PageDrawing

_COLUMNS = range(-1, 4)
_COLUMN, _ROW = 1, 2
READING = name(_COLUMN + _ROW / ROWS)
_MAGNIFIED = 0.9  # times the type size in mm


@dataclass(frozen=True, slots=True)
class ExamplePicture:
    """The picture, and its left and its bottom edge (mm on the page)."""

    drawing: PageDrawing
    left: float
    bottom: float


def example(top_right: Point, size: float, lettering: Lettering) -> ExamplePicture:
    """Part of a scale, magnified, with rings around the letter, the figure and the stroke to read.

    The line from the back is drawn hollow.
    """
    factor = _MAGNIFIED * size
    side = 2.4 * size  # for the figures
    left = top_right.x - (len(_COLUMNS) - 0.1) * factor - 2 * side
    zero = Point(left + side - _COLUMNS[0] * factor, top_right.y + 1.6 * size + factor * PITCH / 2)
    gauge = Gauge(0, "", "across", zero, _COLUMNS, factor)
    labels = list(gauge.labels(lettering, size))
    lines = [*_hollow(gauge), *gauge.strokes()]
    lines += ring(gauge.at(_COLUMN + _ROW / ROWS), 0.46 * PITCH * factor)
    bottom = zero.y + (DEPTH - PITCH / 2) * factor + 1.9 * size
    for text in (letter(_COLUMN), str(_ROW)):
        label = next(label for label in labels if label.text == text)
        lines += ring(lettering.ink(label).centre, 0.58 * size)
    result = Point((left + top_right.x) / 2, bottom + 1.9 * size)
    labels.append(lettering.line(f"reads {READING}", 1.3 * size, result, "centre", bold=True))
    return ExamplePicture(PageDrawing(labels, lines), left, result.y)


def _hollow(gauge: Gauge) -> Iterator[MarkLine]:
    """The outline of the line that shows through from the back."""
    along, half = _COLUMN + _ROW / ROWS, (INDEX_WIDTH + 0.06) / 2
    start, end = -PITCH * 0.75, (ROWS - 1) * PITCH + STROKE / 2
    corners = ((-half, start), (half, start), (half, end), (-half, end), (-half, start))
    yield from path([gauge.place(along + u, v) for u, v in corners], HAIR)
