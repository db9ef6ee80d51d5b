"""Take the title page of the rules, draw how its sheets become a booklet."""

from __future__ import annotations

from collections.abc import Iterator

from generator.booklet.folding_picture import HalfFolded, draw_words
from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.booklet.step_pictures import ROOM, fit, plate_of
from generator.booklet.step_tools import INK, LINE, PAPER, THIN, draw_arrow
from generator.faces.canvas import Canvas
from generator.geometry import Affine, Point, Rect, translation
from generator.model import Face, PlacedLayer
from generator.outlines import box_of, carried

_LOW, _HIGH = 9.8, 14.8  # mm, the height of a page on its sheet and on the booklet
_LEFT, _TOP = 0.4, 6.2  # mm to the sheet
_FRONT = 0.9  # mm above the booklet
_LEAF = 0.55  # mm from the edge of one leaf to the next
_STAPLES = (0.2, 0.68)  # of the page's height
_INSET = 1.3  # mm from the open edges to the staples
_FOLDS, _SPINE = (19.8, 21.1, 22.4), 3.8  # mm to the folds of nested sheets, and to their tops
_LEAF_OPEN = Rect(0.0, 0.0, 7.2, 10.2)  # mm, as such a sheet shows its leaves
_RISE = 3.5  # mm from its fold to its far edges
_ARROW = Rect(14.4, 11.4, 18.4, 11.4)  # mm, from one sheet to the nested ones


def draw_binding(title_page: Face, accent: str, *, is_in_leaves: bool) -> Plate:
    """The first sheet of the rules half folded, and what is stapled: sheets one in another, in
    their fold, or sheets folded one by one, beside their open edges."""
    page = box_of(title_page.cut)
    ratio = page.width / page.height
    box = Rect(_LEFT, _TOP, _LEFT + 2 * _LOW * ratio, _TOP + _LOW)
    sheet = HalfFolded(box, is_from_right=is_in_leaves)
    below, above = Canvas(ROOM), Canvas(ROOM)
    sheet.draw_paper(below)
    if not is_in_leaves:  # whose other side is bare
        draw_words(below, sheet.resting)
    sheet.draw_flap(below)
    flap = carry(_show(title_page, sheet.resting), sheet.lifting)
    sheet.draw_fold(above, accent)
    draw = _draw_pile if is_in_leaves else _draw_nest
    layers = (*plate_of(below).layers, *flap, *plate_of(above).layers)
    return Plate((*layers, *draw(title_page, accent)), ROOM)


def _draw_nest(title_page: Face, accent: str) -> Iterator[PlacedLayer]:
    """Half open sheets, each in the fold of the one before, and staples in the fold of all."""
    below, above = Canvas(ROOM), Canvas(ROOM)
    for x, rise in (*((x, -_RISE) for x in _FOLDS), *((x, _RISE) for x in reversed(_FOLDS))):
        leaf = carried(_LEAF_OPEN.corners(), _lean(x, rise))
        below.polygons([leaf], PAPER)
        below.lines([(*leaf, leaf[0])], INK, THIN)
    outer = _lean(_FOLDS[0], _RISE)
    leaf = carried(_LEAF_OPEN.corners(), outer)
    above.lines([(*leaf, leaf[0])], INK, LINE)
    _staple(above, Point(_FOLDS[0], _SPINE), _LEAF_OPEN.height, accent)
    title = carry(cut_to_outline(title_page), outer @ _onto(box_of(title_page.cut), _LEAF_OPEN))
    draw_arrow(above, [Point(_ARROW.x0, _ARROW.y0), Point(_ARROW.x1, _ARROW.y1)], accent)
    yield from (*plate_of(below).layers, *title, *plate_of(above).layers)


def _lean(x: float, rise: float) -> Affine:
    """The map of an upright leaf to one that hangs at a fold, its far edge lower by `rise` mm."""
    return translation(x, _SPINE) @ Affine(b=rise / _LEAF_OPEN.width)


def _onto(box: Rect, other: Rect) -> Affine:
    """The map of a box to another one at the origin."""
    across, down = other.width / box.width, other.height / box.height
    return Affine(a=across, d=down) @ translation(-box.x0, -box.y0)


def _draw_pile(title_page: Face, accent: str) -> Iterator[PlacedLayer]:
    """Folded sheets on one another, with staples beside their open edges."""
    page = box_of(title_page.cut)
    ratio = page.width / page.height
    right = ROOM.width - 1.6
    front = Rect(right - _HIGH * ratio, _FRONT, right, _FRONT + _HIGH)
    below, above = Canvas(ROOM), Canvas(ROOM)
    for number in (2, 1, 0):
        box = front.moved(number * _LEAF, number * _LEAF)
        below.rect(box, PAPER)
        below.outline(box, INK, THIN)
    above.outline(front, INK, LINE)
    _staple(above, Point(front.x0 + _INSET, front.y0), front.height, accent)
    yield from (*plate_of(below).layers, *_show(title_page, front), *plate_of(above).layers)


def _show(face: Face, box: Rect) -> Iterator[PlacedLayer]:
    return carry(cut_to_outline(face), fit(box_of(face.cut), box))


def _staple(canvas: Canvas, top: Point, height: float, accent: str) -> None:
    """Two staples on a line down from a point, `height` mm long."""
    for part in _STAPLES:
        y = top.y + part * height
        for colour, width in ((PAPER, 1.9), (accent, 1.1)):
            canvas.line([Point(top.x, y), Point(top.x, y + 2.0)], colour, width)
