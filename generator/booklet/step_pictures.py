"""Take a step of the assembly and a net of the kit, make the picture of the step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, degrees, hypot, pi, sin

from generator.booklet.design import PageDesign
from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.booklet.step_tools import (
    INK,
    LINE,
    PAPER,
    RULER,
    THIN,
    bow,
    draw_arrow,
    draw_glue,
    draw_no_ink,
    draw_pen,
    draw_printer,
    draw_ruler,
)
from generator.faces.canvas import Canvas
from generator.faces.standing import stand
from generator.geometry import (
    ORIGIN,
    Affine,
    Point,
    Rect,
    Size,
    scaling,
    steady,
    translation,
    turning,
)
from generator.model import Component, Face, PlacedLayer
from generator.nets import Net
from generator.outlines import Outline, area, box_of, carried, edges

ROOM = Size(30.0, 18.0)  # mm, of a picture
_SHEET = Rect(0.0, 6.4, 8.8, 17.6)  # beside its printer
_NET, _STANDING = Size(15.5, 14.0), Size(9.4, 15.5)  # in the picture of gluing
_BOLD = 0.9  # mm
_VEIL = 0.6  # the opacity of the white over a piece's art, so that folds are seen
_NO_INK = 5.0  # mm, the diameter of the sign
_LOW = 0.6  # of a fold, from its upper end to the pen
_LETTERS = 2.5  # mm: 7 pt


@dataclass(frozen=True, slots=True)
class FoldedExample:
    """A piece of the kit that is folded: its component, its id, and its flat face."""

    component: Component
    piece: str
    flat: Face


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

    def scoring(self, example: FoldedExample) -> Plate:
        """The flat net with its folds dashed, a pen along a ruler on one of them, and the sign that
        it has no ink."""
        net = example.component.shape
        assert isinstance(net, Net)
        flat = example.flat
        box = box_of(flat.cut)
        room = Size(ROOM.width - _NO_INK - 1.0, ROOM.height)
        base = _fit_on_a_side(box, Size(room.width - 1.0, room.height - 1.0), room)
        layers = tuple(carry(cut_to_outline(flat), base))
        canvas = Canvas(ROOM)
        rim = carried(flat.cut, base)
        canvas.polygons([rim], PAPER, opacity=_VEIL)
        canvas.lines([(*rim, rim[0])], INK, THIN)
        place = base @ translation(box.x0, box.y0)
        folds = [tuple(place.apply(point) for point in crease) for crease in net.creases]
        for colour, width in ((PAPER, 0.9), (self._accent, 0.45)):
            for start, end in folds:
                canvas.lines(dashes(start, end), colour, width)
        longest = max(folds, key=lambda ends: steady(_length(*ends)))
        start, end = sorted(longest, key=lambda point: (steady(point.y), steady(point.x)))
        draw_ruler(canvas, start, end)
        draw_pen(canvas, _between(start, end, _LOW), self._accent)
        sign = Point(ROOM.width - _NO_INK / 2 - 0.3, ROOM.height - _NO_INK / 2 - 0.5)
        draw_no_ink(canvas, sign, _NO_INK, self._accent)
        return Plate((*layers, PlacedLayer(canvas.layer("score"), ORIGIN)), ROOM)

    def gluing(self, example: FoldedExample) -> Plate:
        """The net with glue on its white tabs, and what it becomes."""
        flat, box = example.flat, box_of(example.flat.cut)
        fitted = fit(box, _NET, _NET)
        down = ROOM.height - 0.3 - box_of(carried(flat.cut, fitted)).y1  # the bottle is above
        base = translation(0.5, down) @ fitted
        face = stand(example.component, example.piece, flat)
        beside = translation(20.2, 2.0) @ fit(box_of(face.cut), _STANDING, _STANDING)
        canvas = Canvas(ROOM)
        for rim in (carried(flat.cut, base), carried(face.cut, beside)):
            canvas.lines([(*rim, rim[0])], INK, THIN)
        self._glue_tabs(canvas, example, base @ translation(box.x0, box.y0))
        draw_arrow(canvas, [Point(16.6, 11.5), Point(19.6, 11.5)], self._accent)
        layers = (*carry(cut_to_outline(flat), base), *carry(cut_to_outline(face), beside))
        return Plate((*layers, PlacedLayer(canvas.layer("glue"), ORIGIN)), ROOM)

    def _glue_tabs(self, canvas: Canvas, example: FoldedExample, place: Affine) -> None:
        """Glue on each tab, the bottle at the largest."""
        net = example.component.shape
        assert isinstance(net, Net)
        tabs = [carried(panel.outline, place) for panel in net.panels if panel.is_glued]
        canvas.polygons(tabs, PAPER)
        for tab in tabs:
            canvas.lines([(*tab, tab[0])], INK, THIN)
            canvas.line(_wave(tab), self._accent, 0.5)
        if tabs:
            draw_glue(canvas, _middle(max(tabs, key=lambda tab: steady(area(tab)))), self._accent)


def plate_of(canvas: Canvas) -> Plate:
    """A canvas as a picture of its own."""
    return Plate((PlacedLayer(canvas.layer("picture of a step"), ORIGIN),), ROOM)


def fit(box: Rect, size: Size, room: Size) -> Affine:
    """The map of a box into the middle of a room, at most `size` mm large."""
    scale = min(size.width / box.width, size.height / box.height)
    x = (room.width - scale * box.width) / 2 - scale * box.x0
    y = (room.height - scale * box.height) / 2 - scale * box.y0
    return translation(x, y) @ scaling(scale)


def _fit_on_a_side(box: Rect, size: Size, room: Size) -> Affine:
    """The map of a box into the middle of a room, laid on its side if it is higher than wide."""
    if box.height <= box.width:
        return fit(box, size, room)
    quarter = turning(90.0, box.centre)
    return fit(quarter.apply_rect(box), size, room) @ quarter


def dashes(start: Point, end: Point) -> Iterator[tuple[Point, Point]]:
    """The parts of a dashed line."""
    count = max(1, round(steady(_length(start, end) / 1.6)))
    for number in range(count):
        low, high = number / count, (number + 0.58) / count
        yield _between(start, end, low), _between(start, end, high)


def _length(start: Point, end: Point) -> float:
    return hypot(end.x - start.x, end.y - start.y)


def _between(start: Point, end: Point, part: float) -> Point:
    return Point(start.x + part * (end.x - start.x), start.y + part * (end.y - start.y))


def _middle(outline: Outline) -> Point:
    return Point(
        sum(point.x for point in outline) / len(outline),
        sum(point.y for point in outline) / len(outline),
    )


def _wave(tab: Outline) -> list[Point]:
    """A line of glue along a tab."""
    start, end = max(edges(tab), key=lambda ends: steady(_length(*ends)))
    middle, half = _middle(tab), 0.36 * _length(start, end)
    place = turning(degrees(atan2(end.y - start.y, end.x - start.x)), middle)
    waves = max(1, round(steady(half / 0.9)))
    parts = (step / (8 * waves) for step in range(-8 * waves, 8 * waves + 1))
    return [
        place.apply(Point(middle.x + half * part, middle.y + 0.35 * sin(pi * waves * part)))
        for part in parts
    ]
