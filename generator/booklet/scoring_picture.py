"""Take a net, draw how a pen along a ruler scores one of its folds, and what that is for."""

from __future__ import annotations

from math import atan2, degrees

from generator.booklet.plates import Plate
from generator.booklet.step_pictures import ROOM, between, dashes, length_of, plate_of
from generator.booklet.step_tools import (
    INK,
    LINE,
    PAPER,
    SHADE,
    THIN,
    draw_arrow,
    draw_pen,
    draw_ruler,
)
from generator.faces.canvas import Canvas
from generator.geometry import ORIGIN, Affine, Point, Rect, scaling, steady, translation, turning
from generator.model import PlacedLayer
from generator.nets import Net
from generator.outlines import Crease, carried

_SHEET = Rect(0.4, 0.6, 18.6, 17.4)  # mm, the part of it that is seen
_FOLD = Point(7.2, 3.2), Point(7.2, 15.2)  # the ends of the fold
_PEN = 0.72  # of the fold, from its upper end to the pen
_ASIDE = 0.6  # mm from the fold to the ruler
_BOLD = 0.9  # mm, the width of its dashes
_TICK = 1.3  # mm from the end of a fold
_DASH = 2.2  # mm of the fold, from one dash to the next
_RIDGE = Point(25.9, 9.2), Point(25.9, 16.4)  # of the paper that is folded
_SIDE = Point(3.7, -2.6)  # mm from the ridge to the far edges


def draw_scoring(net: Net, accent: str) -> Plate:
    """A part of the flat net, a pen along a ruler on its longest fold, and paper folded there."""
    longest = max(net.creases, key=lambda fold: steady(length_of(*fold)))
    base = _lay_on(longest, _FOLD)
    sheet = Canvas(ROOM)
    sheet.rect(_SHEET, PAPER)
    sheet.polygons([carried(net.outline, base)], SHADE)
    rim = carried(net.outline, base)
    sheet.lines([(*rim, rim[0])], INK, THIN)
    for start, end in net.creases:
        if (start, end) != longest:
            sheet.lines(dashes(base.apply(start), base.apply(end)), INK, THIN)
    seen = PlacedLayer(sheet.layer("score"), ORIGIN, clip=_SHEET.corners())
    return Plate((seen, *plate_of(_draw_tools(accent)).layers), ROOM)


def _lay_on(fold: Crease, line: Crease) -> Affine:
    """The map of a net that lays one of its folds on a line of the picture."""
    (start, end), (to, far) = fold, line
    turn = degrees(atan2(far.y - to.y, far.x - to.x) - atan2(end.y - start.y, end.x - start.x))
    scale = length_of(*line) / length_of(*fold)
    return (
        translation(*to) @ turning(turn, ORIGIN) @ scaling(scale) @ translation(-start.x, -start.y)
    )


def _draw_tools(accent: str) -> Canvas:
    canvas = Canvas(ROOM)
    canvas.outline(_SHEET, INK, LINE)
    top, foot = _FOLD
    draw_ruler(canvas, Point(foot.x - _ASIDE, foot.y), Point(top.x - _ASIDE, top.y))
    for tick, way in ((top, -1), (foot, 1)):
        canvas.line([tick, Point(tick.x, tick.y + way * _TICK)], INK, LINE)
    tip = between(top, foot, _PEN)
    for colour, width in ((PAPER, 1.4), (accent, _BOLD)):
        canvas.lines(dashes(top, foot, _DASH), colour, width)
    draw_pen(canvas, tip, accent)
    draw_arrow(canvas, [Point(tip.x + 2.6, tip.y), Point(tip.x + 2.6, foot.y + 0.8)], accent)
    draw_arrow(canvas, [Point(19.2, 13.0), Point(21.6, 13.0)], accent)
    _draw_folded(canvas, accent)
    return canvas


def _draw_folded(canvas: Canvas, accent: str) -> None:
    """Paper that stands on both sides of its fold."""
    top, foot = _RIDGE
    for way, colour in ((-1, PAPER), (1, SHADE)):
        far = [Point(end.x + way * _SIDE.x, end.y + _SIDE.y) for end in (foot, top)]
        rim = (top, foot, *far)
        canvas.polygons([rim], colour)
        canvas.lines([(*rim, rim[0])], INK, LINE)
    canvas.lines(dashes(top, foot, _DASH), accent, _BOLD)
