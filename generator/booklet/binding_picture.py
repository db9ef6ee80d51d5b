"""Take the title page of the rules, draw how its sheets become a booklet."""

from __future__ import annotations

from collections.abc import Iterator

from generator.booklet.folding_picture import HalfFolded, draw_words
from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.booklet.step_pictures import ROOM, fit, plate_of
from generator.booklet.step_tools import INK, LINE, PAPER, THIN
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
    """The first sheet of the rules half folded, and the booklet with two staples: in the fold, or,
    if each sheet is folded for itself, beside the open edges."""
    page = box_of(title_page.cut)
    ratio = page.width / page.height
    box = Rect(_LEFT, _TOP, _LEFT + 2 * _LOW * ratio, _TOP + _LOW)
    right = ROOM.width - 1.6
    front = Rect(right - _HIGH * ratio, _FRONT, right, _FRONT + _HIGH)
    sheet = HalfFolded(box, is_from_right=is_in_leaves)
    below, above = Canvas(ROOM), Canvas(ROOM)
    _draw_leaves(below, front)
    sheet.draw_paper(below)
    if not is_in_leaves:  # whose other side is bare
        draw_words(below, sheet.resting)
    sheet.draw_flap(below)
    pictures = (*carry(_show(title_page, sheet.resting), sheet.lifting), *_show(title_page, front))
    sheet.draw_fold(above, accent)
    _staple(above, front, _INSET if is_in_leaves else 0.0, accent)
    return Plate((*plate_of(below).layers, *pictures, *plate_of(above).layers), ROOM)


def _draw_leaves(canvas: Canvas, front: Rect) -> None:
    for number in (2, 1, 0):
        box = front.moved(number * _LEAF, number * _LEAF)
        canvas.rect(box, PAPER)
        canvas.outline(box, INK, THIN)


def _show(face: Face, box: Rect) -> Iterator[PlacedLayer]:
    size = Size(box.width, box.height)
    place = translation(box.x0, box.y0) @ fit(box_of(face.cut), size, size)
    return carry(cut_to_outline(face), place)


def _staple(canvas: Canvas, front: Rect, inset: float, accent: str) -> None:
    canvas.outline(front, INK, LINE)
    x = front.x0 + inset
    for part in _STAPLES:
        y = front.y0 + part * front.height
        for colour, width in ((PAPER, 1.9), (accent, 1.1)):
            canvas.line([Point(x, y), Point(x, y + 2.0)], colour, width)
