"""Take the title page of the rules, draw how its sheets become a booklet."""

from __future__ import annotations

from collections.abc import Iterator

from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.booklet.step_pictures import ROOM, dashes, fit, plate_of
from generator.booklet.step_tools import INK, LINE, PAPER, THIN, bow, draw_arrow
from generator.faces.canvas import Canvas
from generator.geometry import Point, Rect, Size, translation
from generator.model import Face, PlacedLayer
from generator.outlines import box_of

_LOW, _HIGH = 9.8, 14.8  # mm, the height of a page on its sheet and on the booklet
_LEFT, _TOP = 0.4, 6.2  # mm to the sheet
_FRONT = 0.9  # mm above the booklet
_LEAF = 0.55  # mm from the edge of one leaf to the next
_STAPLES = (0.2, 0.68)  # of the page's height
_INSET = 1.3  # mm from the open edges to the staples


def draw_binding(title_page: Face, accent: str, *, is_in_leaves: bool) -> Plate:
    """A sheet of the rules with its fold, and the booklet with two staples: in the fold, or,
    if each sheet is folded for itself, beside the open edges."""
    page = box_of(title_page.cut)
    ratio = page.width / page.height
    sheet = Rect(_LEFT, _TOP, _LEFT + 2 * _LOW * ratio, _TOP + _LOW)
    right = ROOM.width - 1.6
    front = Rect(right - _HIGH * ratio, _FRONT, right, _FRONT + _HIGH)
    below, above = Canvas(ROOM), Canvas(ROOM)
    _draw_leaves(below, sheet, front)
    title = sheet._replace(x0=sheet.centre.x)
    pictures = (layer for box in (title, front) for layer in _show(title_page, box))
    _draw_fold(above, sheet, accent)
    _staple(above, front, _INSET if is_in_leaves else 0.0, accent)
    return Plate((*plate_of(below).layers, *pictures, *plate_of(above).layers), ROOM)


def _draw_leaves(canvas: Canvas, sheet: Rect, front: Rect) -> None:
    leaves = (front.moved(number * _LEAF, number * _LEAF) for number in (2, 1, 0))
    for box in (sheet, *leaves):
        canvas.rect(box, PAPER)
        canvas.outline(box, INK, THIN)


def _show(face: Face, box: Rect) -> Iterator[PlacedLayer]:
    size = Size(box.width, box.height)
    place = translation(box.x0, box.y0) @ fit(box_of(face.cut), size, size)
    return carry(cut_to_outline(face), place)


def _draw_fold(canvas: Canvas, sheet: Rect, accent: str) -> None:
    """The line to fold on, and the half that moves."""
    x = sheet.centre.x
    canvas.outline(sheet, INK, LINE)
    canvas.lines(dashes(Point(x, sheet.y0 - 1.2), Point(x, sheet.y1 + 1.2)), accent, 0.5)
    start, end = Point(sheet.x0 + 1.8, sheet.y0 - 0.8), Point(sheet.x1 - 1.8, sheet.y0 - 0.8)
    draw_arrow(canvas, bow(start, Point(x, sheet.y0 - 9.5), end), accent)


def _staple(canvas: Canvas, front: Rect, inset: float, accent: str) -> None:
    canvas.outline(front, INK, LINE)
    x = front.x0 + inset
    for part in _STAPLES:
        y = front.y0 + part * front.height
        for colour, width in ((PAPER, 1.9), (accent, 1.1)):
            canvas.line([Point(x, y), Point(x, y + 2.0)], colour, width)
