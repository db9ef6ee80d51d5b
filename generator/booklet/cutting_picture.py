"""Take pieces of the kit, draw how a knife along a ruler cuts them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, hypot, radians, sin

from generator.booklet.design import tint
from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.booklet.step_pictures import ROOM, between, fit, plate_of
from generator.booklet.step_tools import (
    INK,
    LINE,
    PAPER,
    THIN,
    draw_knife,
    draw_number,
    draw_ruler,
)
from generator.faces.canvas import Canvas
from generator.geometry import (
    ORIGIN,
    Point,
    Rect,
    Size,
    steady,
    translation,
    turning,
)
from generator.model import Face, PlacedLayer
from generator.outlines import Outline, box_of, carried, edges, hexagon
from generator.text import Font

_SHEET = Rect(0.8, 0.6, 29.2, 17.4)  # mm
_ROW, _MOST = Size(25.0, 10.6), 3  # the mm that cards on it take, and their number
_MARK, _TO_MARK = 1.6, 0.5  # mm, a crop mark and its distance to a card
_PIECE = Rect(2.4, 2.0, 16.8, 16.0)  # mm, the room of a piece alone
_RULER, _REACH = 10.0, (1.5, 16.5)  # mm, the least length of a ruler, and the room for it
_LOW, _TURNED = 58.0, 7.8  # degrees that a knife leans; mm from the top to a knife that points up
_KNIFE = 0.72  # of the cut, from its upper end to the knife
_ACROSS = 4.6  # mm, of a hexagon from side to side
_MIDDLE = Point(9.6, 9.0)
_ENDS = 2.4, 16.4  # mm, of a cut across them
_SEEN = 0.9  # of a cut in another direction
_PALE = 0.3  # the opacity of the accent on hexagons
_CUT = 0.8  # mm


def draw_cutting(kind: str, faces: Sequence[Face], accent: str, font: Font) -> Plate:
    """A knife along a ruler on a cut: between cards for "cut", between hexagons for
    "cut-straight", else along a side of the first piece, as of a card too wide for a row."""
    boxes = list(_row_of(box_of(faces[0].cut)))
    if kind == "cut" and len(boxes) > 1:
        return _cut_cards(faces, boxes, accent)
    if kind == "cut-straight":
        return _cut_hexagons(accent, font)
    return _cut_piece(faces[0], accent)


def _cut_cards(faces: Sequence[Face], boxes: Sequence[Rect], accent: str) -> Plate:
    """Cards on a sheet, their marks, and a cut from mark to mark."""
    below, above = _sheet(), Canvas(ROOM)
    top, foot = boxes[0].y0 - _TO_MARK, boxes[0].y1 + _TO_MARK
    for x in (boxes[0].x0, *(box.x1 for box in boxes)):
        for y, way in ((top, -1), (foot, 1)):
            above.line([Point(x, y), Point(x, y + way * _MARK)], INK, LINE)
    _draw_cut(above, Point(boxes[-1].x0, top), Point(boxes[-1].x0, foot), accent)
    return _join(below, _show(faces, boxes), above)


def _row_of(card: Rect) -> Iterator[Rect]:
    """The boxes of a few cards beside one another, as large as the sheet allows."""
    count = max(1, min(_MOST, int(steady(_ROW.width * card.height / _ROW.height / card.width))))
    scale = min(_ROW.width / count / card.width, _ROW.height / card.height)
    size = Size(scale * card.width, scale * card.height)
    left, top = _SHEET.x0 + 2.0, _SHEET.centre.y - size.height / 2
    for number in range(count):
        yield Rect(0.0, 0.0, *size).moved(left + number * size.width, top)


def _show(faces: Sequence[Face], boxes: Sequence[Rect]) -> Iterator[PlacedLayer]:
    """Pieces in their boxes, the first again after the last."""
    for number, box in enumerate(boxes):
        face = faces[number % len(faces)]
        place = fit(box_of(face.cut), box)
        yield from carry(cut_to_outline(face), place)
        edge = Canvas(ROOM)
        rim = carried(face.cut, place)
        edge.lines([(*rim, rim[0])], INK, THIN)
        yield PlacedLayer(edge.layer("edge of a card"), ORIGIN)


def _cut_piece(face: Face, accent: str) -> Plate:
    """A piece on a sheet, its cut around it, the knife on the side that is farthest right."""
    place = fit(box_of(face.cut), _PIECE)
    rim = carried(face.cut, place)
    above = Canvas(ROOM)
    for colour, width in ((PAPER, _CUT), (accent, 0.3)):
        above.lines([(*rim, rim[0])], colour, width)
    top, foot = _rightmost(rim)
    draw_ruler(above, *_along(top, foot))
    _draw_line(above, top, foot, accent)
    tip = between(top, foot, _KNIFE)
    draw_knife(above, tip, accent, _LOW if tip.y > _TURNED else 180.0 - _LOW)
    return _join(_sheet(), carry(cut_to_outline(face), place), above)


def _along(top: Point, foot: Point) -> tuple[Point, Point]:
    """The ends of a ruler on a cut: no shorter than usual, and in the picture."""
    half = max(_RULER, foot.y - top.y) / 2
    middle, slope = between(top, foot, 0.5), (foot.x - top.x) / (foot.y - top.y)
    low, high = max(_REACH[0], middle.y - half), min(_REACH[1], middle.y + half)
    lower, upper = (Point(middle.x + (y - middle.y) * slope, y) for y in (high, low))
    return lower, upper


def _rightmost(rim: Outline) -> tuple[Point, Point]:
    """The upper and the lower end of the cut on the side that looks most to the right."""

    def looks(side: tuple[Point, Point]) -> tuple[float, float]:
        (x0, y0), (x1, y1) = side
        length = hypot(x1 - x0, y1 - y0)
        return steady((y1 - y0) / length, 2), steady(x0 + x1)

    return max(edges(rim), key=looks)


def _cut_hexagons(accent: str, font: Font) -> Plate:
    """Hexagons that touch at their corners, and the three directions of the cuts between them."""
    canvas, rims = _sheet(), touching_hexagons()
    canvas.polygons(rims, tint(accent, _PALE))
    canvas.lines([(*rim, rim[0]) for rim in rims], INK, THIN)
    first, *others = cuts_between()
    for number, (start, end) in enumerate(others, 2):
        for colour, width in ((PAPER, 1.1), (accent, 0.5)):
            canvas.line([start, end], colour, width)
        draw_number(canvas, start, f"{number}", accent, font)
    _draw_cut(canvas, *first, accent)
    draw_number(canvas, first[0], "1", accent, font)
    return plate_of(canvas)


def touching_hexagons() -> list[Outline]:
    """A hexagon and its six neighbours, in the picture of cutting."""
    shape = hexagon(_ACROSS, "corner")
    x, y = _MIDDLE.x - shape.size.width / 2, _MIDDLE.y - shape.size.height / 2
    rims = [shape.placed(translation(x, y))]
    for number in range(6):
        angle = radians(30 + 60 * number)
        aside = shape.size.height * cos(angle), shape.size.height * sin(angle)
        rims.append(shape.placed(translation(x + aside[0], y + aside[1])))
    return rims


def cuts_between() -> list[tuple[Point, Point]]:
    """A cut of each direction, by its start and its end; the first runs straight down."""
    top, foot = (Point(_MIDDLE.x + _ACROSS / 2, y) for y in _ENDS)
    right, left = turning(60.0, _MIDDLE), turning(-60.0, _MIDDLE)
    falling, rising = (left.apply(top), left.apply(foot)), (right.apply(foot), right.apply(top))
    first = Point(top.x + _ACROSS, top.y), Point(foot.x + _ACROSS, foot.y)
    return [first, *((start, between(start, end, _SEEN)) for start, end in (falling, rising))]


def _draw_cut(canvas: Canvas, top: Point, foot: Point, accent: str) -> None:
    """A ruler on a cut downward, and the knife in it."""
    draw_ruler(canvas, foot, top)
    _draw_line(canvas, top, foot, accent)
    draw_knife(canvas, between(top, foot, _KNIFE), accent)


def _draw_line(canvas: Canvas, top: Point, foot: Point, accent: str) -> None:
    """The part of a cut that is made, and the part that will be."""
    tip = between(top, foot, _KNIFE)
    canvas.line([tip, foot], accent, 0.3)
    for colour, width in ((PAPER, _CUT + 0.5), (accent, _CUT)):
        canvas.line([top, tip], colour, width)


def _sheet() -> Canvas:
    canvas = Canvas(ROOM)
    canvas.rect(_SHEET, PAPER)
    canvas.outline(_SHEET, INK, LINE)
    return canvas


def _join(below: Canvas, pieces: Iterable[PlacedLayer], above: Canvas) -> Plate:
    return Plate((*plate_of(below).layers, *pieces, *plate_of(above).layers), ROOM)
