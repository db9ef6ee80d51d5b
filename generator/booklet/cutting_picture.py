"""Take pieces of the kit, draw how a knife along a ruler cuts them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, degrees, hypot

from generator.basics.geometry import (
    ORIGIN,
    Point,
    Rect,
    Size,
    decimal,
    steady,
    translation,
    turning,
)
from generator.basics.outlines import Outline, box_of, carried, edges
from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.booklet.step_pictures import (
    INK,
    ROOM,
    THIN,
    StepPainter,
    between,
    fit,
    length_of,
    path_of,
    rim_of,
)
from generator.faces.canvas import Canvas
from generator.model import Face, PlacedLayer

_LEFT, _MIDDLE = 2.8, 9.0  # mm to the row of cards, and down to its middle
_ROW, _MOST = Size(25.0, 10.6), 3  # the mm that cards on a sheet take, and their number
_MARK, _TO_MARK = 1.6, 0.5  # mm, a crop mark and its distance to a card
_PIECE = Rect(2.4, 2.0, 16.8, 16.0)  # mm, the room of a piece alone
_RULER, _REACH = 10.0, (1.5, 16.5)  # mm, the least length of a ruler, and the room for it
_WIDE, _PAST = 3.0, 1.2  # mm of a ruler: its width, and past each end of its line
_KNIFE = 0.72  # of the cut, from its upper end to the knife
_LEAN, _LOW = 38.0, 58.0  # degrees that a knife leans to the right
_TURNED = 7.8  # mm from the top to a knife that points up


def draw_cutting(name: str, faces: Sequence[Face], painter: StepPainter) -> Plate:
    """A knife along a ruler on a cut: between cards for "cut", between hexagons for
    "cut-straight", else along a side of the first piece, as of a card too wide for a row."""
    boxes = list(_row_of(box_of(faces[0].cut)))
    if name == "cut" and len(boxes) > 1:
        return _cut_cards(faces, boxes, painter)
    if name == "cut-straight":
        return painter.picture(name)
    return _cut_piece(faces[0], painter)


def _cut_cards(faces: Sequence[Face], boxes: Sequence[Rect], painter: StepPainter) -> Plate:
    """Cards on a sheet, their marks, and a cut from mark to mark."""
    top, foot = boxes[0].y0 - _TO_MARK, boxes[0].y1 + _TO_MARK
    marks = (
        [Point(x, y), Point(x, y + way * _MARK)]
        for x in (boxes[0].x0, *(box.x1 for box in boxes))
        for y, way in ((top, -1), (foot, 1))
    )
    x = boxes[-1].x0
    cut = Point(x, top), Point(x, foot)
    values = _cut(*cut, _LEAN) | _ruler(cut[1], cut[0])
    return _draw(_show(faces, boxes), painter, marks=path_of(*marks), rim="", **values)


def _draw(pieces: Iterator[PlacedLayer], painter: StepPainter, **values: str) -> Plate:
    """Pieces between the sheet below them and the tools above."""
    below, above = (painter.paint("cut", layer=layer, **values) for layer in ("below", "above"))
    return Plate((below, *pieces, above), ROOM)


def _row_of(card: Rect) -> Iterator[Rect]:
    """The boxes of a few cards beside one another, as large as the sheet allows."""
    count = max(1, min(_MOST, int(steady(_ROW.width * card.height / _ROW.height / card.width))))
    scale = min(_ROW.width / count / card.width, _ROW.height / card.height)
    size = Size(scale * card.width, scale * card.height)
    for number in range(count):
        left = _LEFT + number * size.width
        yield Rect(0.0, 0.0, *size).moved(left, _MIDDLE - size.height / 2)


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


def _cut_piece(face: Face, painter: StepPainter) -> Plate:
    """A piece on a sheet, its cut around it, the knife on the side that is farthest right."""
    place = fit(box_of(face.cut), _PIECE)
    rim = carried(face.cut, place)
    top, foot = _rightmost(rim)
    is_low = between(top, foot, _KNIFE).y > _TURNED
    values = _cut(top, foot, _LOW if is_low else 180.0 - _LOW) | _ruler(*_along(top, foot))
    pieces = carry(cut_to_outline(face), place)
    return _draw(pieces, painter, marks="", rim=rim_of(rim), **values)


def _cut(top: Point, foot: Point, lean: float) -> dict[str, str]:
    """The part of a cut that is made, the part that will be, and the place of the knife."""
    tip = between(top, foot, _KNIFE)
    at = f"translate({decimal(tip.x)} {decimal(tip.y)}) rotate({decimal(lean)})"
    return {"made": path_of([top, tip]), "ahead": path_of([tip, foot]), "knife": at}


def _ruler(start: Point, end: Point) -> dict[str, str]:
    """A ruler along a line and a bit longer, with marks on that side."""
    angle = degrees(atan2(end.y - start.y, end.x - start.x))
    place = turning(angle, start) @ translation(*start)
    rim = Rect(-_PAST, -_WIDE, length_of(start, end) + _PAST, 0.0)
    count = max(4, int(steady(rim.width / 1.2)))
    ticks = (
        (Point(x, 0.0), Point(x, -1.3 if number % 5 == 0 else -0.8))
        for number in range(1, count)
        for x in [rim.x0 + rim.width * number / count]
    )
    return {
        "ruler": rim_of(carried(rim.corners(), place)),
        "ticks": path_of(*(carried(tick, place) for tick in ticks)),
    }


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
