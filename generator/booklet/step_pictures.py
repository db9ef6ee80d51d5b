"""Take a step of the assembly and a net of the kit, make the picture of the step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import atan2, cos, hypot, pi, sin

from generator.booklet.design import PageDesign
from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.faces import standing
from generator.faces.canvas import Canvas
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
from generator.nets import standing as stand_net
from generator.outlines import Outline, box_of, carried

ROOM = Size(26.0, 16.0)  # mm, of a picture
_INK, _PAPER, _SHADE = "#22303a", "#ffffff", "#e9e5dc"
_RULER = "#b9b3a6"
_LINE, _THIN, _BOLD = 0.3, 0.25, 0.9  # mm
_VEIL = 0.6  # the opacity of the white over a piece's art, so that folds and tabs are seen
_LETTERS = 2.5  # mm: 7 pt
_HALF = 0.62  # of each fold's angle, in the picture of gluing


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
            return _plate(canvas)
        front, back = Rect(1.6, 4.4, 10.0, 15.8), Rect(16.6, 4.4, 25.0, 15.8)
        self._printer(canvas, front)
        for sheet, words in ((front, "FRONT"), (back, "BACK")):
            self._sheet(canvas, sheet, words)
        self._slot(canvas, front)
        if way == "long":
            self._edge(canvas, Point(front.x1, front.y0 + 0.6), Point(front.x1, front.y1))
            self._edge(canvas, Point(back.x0, back.y0), Point(back.x0, back.y1))
        if way == "short":
            self._edge(canvas, Point(front.x0, front.y1), Point(front.x1, front.y1))
            self._edge(canvas, Point(back.x0, back.y0), Point(back.x1, back.y0))
        self._arrow(canvas, Point(front.x1 + 2.0, 3.4), Point(back.x0 + 1.8, 3.6))
        return _plate(canvas)

    def _print_one_side(self, canvas: Canvas, *, is_folded: bool) -> None:
        """A sheet that leaves a printer, with the fronts, or beside them the backs to fold over."""
        middle = ROOM.width / 2
        half = 8.6 if is_folded else 4.2
        sheet = Rect(middle - half, 4.4, middle + half, 15.8)
        self._printer(canvas, sheet)
        if is_folded:
            self._sheet(canvas, sheet._replace(x1=middle), "FRONT")
            self._sheet(canvas, sheet._replace(x0=middle), "BACK")
        else:
            self._sheet(canvas, sheet, "FRONT")
        self._slot(canvas, sheet)

    def _printer(self, canvas: Canvas, sheet: Rect) -> None:
        """A printer above a sheet, with paper in its tray."""
        tray = Rect(sheet.x0 + 1.2, 0.2, sheet.x1 - 1.2, 3.0)
        body = Rect(sheet.x0 - 1.4, 1.8, sheet.x1 + 1.4, 5.8)
        for box, colour, corner in ((tray, _PAPER, 0.0), (body, _SHADE, 0.9)):
            canvas.rect(box, colour, corner)
            canvas.outline(box, _INK, _LINE, corner)

    def _slot(self, canvas: Canvas, sheet: Rect) -> None:
        canvas.line([Point(sheet.x0 - 0.6, sheet.y0), Point(sheet.x1 + 0.6, sheet.y0)], _INK, 0.6)

    def _sheet(self, canvas: Canvas, box: Rect, words: str) -> None:
        canvas.rect(box, _PAPER)
        canvas.outline(box, _INK, _LINE)
        canvas.text(words, self._font, _LETTERS, box.centre, _INK)

    def _edge(self, canvas: Canvas, start: Point, end: Point) -> None:
        canvas.line([start, end], self._accent, _BOLD)

    def _arrow(self, canvas: Canvas, start: Point, end: Point) -> None:
        """A bow from one side of the sheet to the other."""
        middle = Point((start.x + end.x) / 2, start.y - 4.0)
        canvas.line(_bow(start, middle, end), self._accent, 0.5)
        canvas.polygons([_head(middle, end, 1.9)], self._accent)

    def scoring(self, example: FoldedExample) -> Plate:
        """The flat net with its folds dashed, and a pen along a ruler on one of them."""
        net = example.component.shape
        assert isinstance(net, Net)
        flat = example.flat
        box = box_of(flat.cut)
        base = _fitting(box, Size(ROOM.width - 2.0, ROOM.height - 1.0), ROOM)
        layers = tuple(carry(cut_to_outline(flat), base))
        canvas = Canvas(ROOM)
        rim = carried(flat.cut, base)
        canvas.polygons([rim], _PAPER, opacity=_VEIL)
        canvas.lines([(*rim, rim[0])], _INK, _THIN)
        place = base @ translation(box.x0, box.y0)
        folds = [tuple(place.apply(point) for point in crease) for crease in net.creases]
        for colour, width in ((_PAPER, 0.9), (self._accent, 0.45)):
            for start, end in folds:
                canvas.lines(_dashes(start, end), colour, width)
        longest = max(folds, key=lambda ends: steady(_length(*ends)))
        self._ruler(canvas, *longest)
        self._pen(canvas, *longest)
        return Plate((*layers, PlacedLayer(canvas.layer("score"), ORIGIN)), ROOM)

    def _pen(self, canvas: Canvas, start: Point, end: Point) -> None:
        """A ballpoint pen whose tip is on the middle of a fold."""
        tip = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
        turn = turning(38.0, tip)
        point = [
            Point(tip.x, tip.y),
            Point(tip.x - 0.5, tip.y - 1.7),
            Point(tip.x + 0.5, tip.y - 1.7),
        ]
        shaft = Rect(tip.x - 0.9, tip.y - 11.0, tip.x + 0.9, tip.y - 1.7).corners()
        pen = [tuple(map(turn.apply, part)) for part in (point, shaft)]
        for part in pen:
            canvas.lines([(*part, part[0])], _PAPER, 0.6)
        canvas.polygons(pen, _INK)

    def _ruler(self, canvas: Canvas, start: Point, end: Point) -> None:
        """A ruler beside a fold, and a bit longer."""
        length = _length(start, end)
        x, y = (end.x - start.x) / length, (end.y - start.y) / length
        low, high = _between(start, end, -0.12), _between(start, end, 1.12)
        wide = [Point(p.x + 2.6 * y, p.y - 2.6 * x) for p in (high, low)]
        canvas.polygons([(low, high, *wide)], _RULER, opacity=0.6)
        canvas.lines([(low, high, *wide, low)], _INK, _THIN)

    def gluing(self, example: FoldedExample) -> Plate:
        """The net, half folded, its tabs in the accent colour."""
        net = example.component.shape
        assert isinstance(net, Net)
        half = replace(
            net,
            panels=tuple(replace(panel, is_glued=False, behind="") for panel in net.panels),
            folds=tuple(fold._replace(angle=_HALF * fold.angle) for fold in net.folds),
        )
        glued = {panel.name for panel in net.panels if panel.is_glued}
        face = standing.stand(replace(example.component, shape=half), example.piece, example.flat)
        base = _fitting(box_of(face.cut), Size(ROOM.width - 1.0, ROOM.height - 0.5), ROOM)
        canvas = Canvas(ROOM)
        canvas.polygons([carried(face.cut, base)], _PAPER, opacity=_VEIL)
        for one in stand_net(half):
            rim = carried(one.outline, base)
            if one.panel.name in glued:
                canvas.polygons([rim], self._accent)
            canvas.lines([(*rim, rim[0])], _INK, _THIN)
        layers = carry(cut_to_outline(face), base)
        return Plate((*layers, PlacedLayer(canvas.layer("glue"), ORIGIN)), ROOM)


def _plate(canvas: Canvas) -> Plate:
    return Plate((PlacedLayer(canvas.layer("picture of a step"), ORIGIN),), ROOM)


def _fitting(box: Rect, size: Size, room: Size) -> Affine:
    """The map of a box into the middle of a room, at most `size` mm large."""
    scale = min(size.width / box.width, size.height / box.height)
    x = (room.width - scale * box.width) / 2 - scale * box.x0
    y = (room.height - scale * box.height) / 2 - scale * box.y0
    return translation(x, y) @ scaling(scale)


def _bow(start: Point, over: Point, end: Point) -> list[Point]:
    """Points of a curve from start to end that bends toward `over`."""
    parts = (step / 12 for step in range(13))
    return [
        Point(
            (1 - t) ** 2 * start.x + 2 * t * (1 - t) * over.x + t * t * end.x,
            (1 - t) ** 2 * start.y + 2 * t * (1 - t) * over.y + t * t * end.y,
        )
        for t in parts
    ]


def _head(before: Point, tip: Point, length: float) -> Outline:
    angle = atan2(tip.y - before.y, tip.x - before.x)
    barbs = (angle + pi + side for side in (-0.45, 0.45))
    left, right = (Point(tip.x + length * cos(a), tip.y + length * sin(a)) for a in barbs)
    return left, tip, right


def _dashes(start: Point, end: Point) -> Iterator[tuple[Point, Point]]:
    count = max(1, round(steady(_length(start, end) / 1.6)))
    for number in range(count):
        low, high = number / count, (number + 0.58) / count
        yield _between(start, end, low), _between(start, end, high)


def _length(start: Point, end: Point) -> float:
    return hypot(end.x - start.x, end.y - start.y)


def _between(start: Point, end: Point, part: float) -> Point:
    return Point(start.x + part * (end.x - start.x), start.y + part * (end.y - start.y))
