"""Take a step of the assembly that is alike for every kit, make its picture."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from generator.booklet.design import PageDesign
from generator.booklet.plates import Plate
from generator.booklet.step_tools import (
    INK,
    LINE,
    PAPER,
    RULER,
    bow,
    draw_arrow,
    draw_printer,
)
from generator.faces.canvas import Canvas
from generator.geometry import ORIGIN, Affine, Point, Rect, Size, scaling, steady, translation
from generator.model import PlacedLayer

ROOM = Size(30.0, 18.0)  # mm, of a picture
_SHEET = Rect(0.0, 6.4, 8.8, 17.6)  # beside its printer
_BOLD = 0.9  # mm
_LETTERS = 2.5  # mm: 7 pt


class StepPainter:
    """Draws the pictures of steps in the accent and the letters of a design."""

    def __init__(self, design: PageDesign) -> None:
        self._accent = design.accent
        self._font = design.bold

    def printing(self, way: str) -> Plate:
        """A sheet that leaves a printer, and what its other side shows. The edge to turn it on is
        in the accent colour on both."""
        canvas = Canvas(ROOM)
        if way in ("single", "fold"):
            self._print_one_side(canvas, is_folded=way == "fold")
            return plate_of(canvas)
        front, back = _SHEET.moved(3.2, 0.0), _SHEET.moved(20.0, 0.0)
        draw_printer(canvas, front, self._accent)
        for sheet, words in ((front, "FRONT"), (back, "BACK")):
            self._sheet(canvas, sheet, words)
        if way == "long":
            self._edge(canvas, Point(front.x1, front.y0 + 0.6), Point(front.x1, front.y1))
            self._edge(canvas, Point(back.x0, back.y0), Point(back.x0, back.y1))
        if way == "short":
            self._edge(canvas, Point(front.x0, front.y1), Point(front.x1, front.y1))
            self._edge(canvas, Point(back.x0, back.y0), Point(back.x1, back.y0))
        start, end = Point(front.x1 + 3.4, 3.2), Point(back.x0 + 4.6, back.y0 - 0.9)
        draw_arrow(canvas, bow(start, Point(end.x - 0.4, 0.6), end), self._accent)
        return plate_of(canvas)

    def _print_one_side(self, canvas: Canvas, *, is_folded: bool) -> None:
        """A sheet that leaves a printer, with the fronts, or beside them the backs to fold over."""
        middle = ROOM.width / 2
        half = _SHEET.width if is_folded else _SHEET.width / 2
        sheet = _SHEET._replace(x0=middle - half, x1=middle + half)
        draw_printer(canvas, sheet, self._accent)
        if is_folded:
            self._sheet(canvas, sheet._replace(x1=middle), "FRONT")
            self._sheet(canvas, sheet._replace(x0=middle), "BACK")
        else:
            self._sheet(canvas, sheet, "FRONT")

    def _sheet(self, canvas: Canvas, box: Rect, words: str) -> None:
        canvas.rect(box, PAPER)
        canvas.outline(box, INK, LINE)
        width = self._font.width(words, _LETTERS)
        size = _LETTERS * min(1.0, (box.width - 2.0) / width)
        canvas.text(words, self._font, size, box.centre, INK)

    def _edge(self, canvas: Canvas, start: Point, end: Point) -> None:
        canvas.line([start, end], self._accent, _BOLD)

    def measuring(self) -> Plate:
        """The line at the foot of a sheet, with its length, and a ruler below it."""
        canvas = Canvas(ROOM)
        sheet, ruler = Rect(1.0, 0.6, 29.0, 10.0), Rect(1.0, 10.0, 29.0, 17.4)
        canvas.rect(sheet, PAPER)
        canvas.outline(sheet, INK, LINE)
        canvas.rect(ruler, RULER)
        canvas.outline(ruler, INK, LINE)
        left, right, y = 5.0, 25.0, 8.2
        ends = ([Point(x, y - 1.6), Point(x, y + 1.0)] for x in (left, right))
        for line in ([Point(left, y), Point(right, y)], *ends):
            canvas.line(line, self._accent, 0.5)
        canvas.text("50 mm", self._font, 1.2 * _LETTERS, Point((left + right) / 2, 4.4), INK)
        for number in range(-1, 12):
            x = left + 2.0 * number
            foot = Point(x, ruler.y0 + (2.4 if number % 5 == 0 else 1.3))
            canvas.lines([[Point(x, ruler.y0), foot]], INK, 0.2)
        for number, x in ((0, left), (50, right)):
            canvas.text(f"{number}", self._font, _LETTERS, Point(x, ruler.y0 + 4.4), INK)
        return plate_of(canvas)


def plate_of(canvas: Canvas) -> Plate:
    """A canvas as a picture of its own."""
    return Plate((PlacedLayer(canvas.layer("picture of a step"), ORIGIN),), ROOM)


def fit(box: Rect, room: Rect) -> Affine:
    """The map of a box into the middle of a room, as large as the room allows."""
    scale = min(room.width / box.width, room.height / box.height)
    x = room.x0 + (room.width - scale * box.width) / 2 - scale * box.x0
    y = room.y0 + (room.height - scale * box.height) / 2 - scale * box.y0
    return translation(x, y) @ scaling(scale)


def dashes(start: Point, end: Point, pitch: float = 1.6) -> Iterator[tuple[Point, Point]]:
    """The parts of a dashed line, `pitch` mm from one to the next."""
    count = max(1, round(steady(length_of(start, end) / pitch)))
    for number in range(count):
        low, high = number / count, (number + 0.58) / count
        yield between(start, end, low), between(start, end, high)


def length_of(start: Point, end: Point) -> float:
    """The mm from a point to another."""
    return hypot(end.x - start.x, end.y - start.y)


def between(start: Point, end: Point, part: float) -> Point:
    """The point at a part of the way from a point to another."""
    return Point(start.x + part * (end.x - start.x), start.y + part * (end.y - start.y))
