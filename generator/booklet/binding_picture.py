"""Take the title page of the rules, draw how its sheets become a booklet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from generator.basics.geometry import Affine, Point, Rect, translation
from generator.basics.outlines import Outline, box_of, carried
from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.booklet.step_pictures import (
    ROOM,
    StepPainter,
    arrow,
    dashes,
    fit,
    loop_of,
    path_of,
    rim_of,
)
from generator.model import Face, PlacedLayer

_LOW, _HIGH = 9.8, 14.8  # mm, the height of a page on its sheet and on the booklet
_LEFT, _TOP = 0.4, 6.2  # mm to the sheet
_FRONT, _RIGHT = 0.9, 1.6  # mm above the booklet and at its right
_STAPLES = (0.2, 0.68)  # of the page's height
_TO_STAPLES = 1.3  # mm from the open edges
_LEAF = Rect(0.0, 0.0, 7.2, 10.2)  # mm, of a nested sheet that is half open
_HANGING = translation(19.8, 3.8) @ Affine(b=3.5 / _LEAF.width)  # the outermost such leaf
_NARROWED = 0.62  # of its width: a half in the air
_RISE = 2.4  # mm from its fold to its far edge
_BEYOND = 1.2  # mm of the fold's line above and below the sheet
_INSET = 1.6  # mm above and below the words on a page


def draw_binding(title_page: Face, painter: StepPainter, *, is_in_leaves: bool) -> Plate:
    """The first sheet of the rules half folded, and what is stapled: sheets one in another, in
    their fold, or sheets folded one by one, beside their open edges."""
    page = box_of(title_page.cut)
    ratio = page.width / page.height
    box = Rect(_LEFT, _TOP, _LEFT + 2 * _LOW * ratio, _TOP + _LOW)
    sheet = HalfFolded(box, is_from_right=is_in_leaves)
    values, name = sheet.values(), "booklet"
    title: Iterator[PlacedLayer]
    if is_in_leaves:
        right = ROOM.width - _RIGHT
        front = Rect(right - _HIGH * ratio, _FRONT, right, _FRONT + _HIGH)
        x, staples = front.x0 + _TO_STAPLES, [_FRONT + part * _HIGH for part in _STAPLES]
        values["front"] = rim_of(front.corners())
        values["staples"] = path_of(*([Point(x, y), Point(x, y + 2.0)] for y in staples))
        name, title = "booklet-leaves", _show(title_page, front)
    else:
        title = carry(cut_to_outline(title_page), _HANGING @ _onto(page, _LEAF))
    below, between, above = (
        painter.paint(name, layer=layer, **values) for layer in ("below", "between", "above")
    )
    flap = carry(_show(title_page, sheet.resting), sheet.lifting)
    return Plate((below, *flap, between, *title, above), ROOM)


class HalfFolded(Struct, frozen=True):
    """A sheet whose right half is in the air on its way to the left one, or the reverse. The
    half in the air shows what is printed on the outside."""

    sheet: Rect
    is_from_right: bool

    @property
    def resting(self) -> Rect:
        """The half that stays, on which the other will lie."""
        return self._half(is_right=not self.is_from_right)

    @property
    def lifting(self) -> Affine:
        """Maps what will lie on the resting half to the half in the air."""
        fold, slope = self.sheet.centre.x, 2 * _RISE / self.sheet.width
        slope = slope if self.is_from_right else -slope
        return Affine(a=_NARROWED, b=slope, e=(1 - _NARROWED) * fold, f=-slope * fold)

    @property
    def flap(self) -> Outline:
        """The rim of the half in the air."""
        return carried(self.resting.corners(), self.lifting)

    def values(self) -> dict[str, str]:
        """Its paths in the picture: its halves, the fold, and the way that a half goes."""
        was = self._half(is_right=self.is_from_right).corners()
        x, top = self.sheet.centre.x, self.sheet.y0
        fold = Point(x, top - _BEYOND), Point(x, self.sheet.y1 + _BEYOND)
        way = -1 if self.is_from_right else 1
        quarter = self.sheet.width / 4
        start = Point(x - way * 1.3 * quarter, top - 0.9)
        end = Point(x + way * _NARROWED * 1.4 * quarter, top - _RISE - 0.4)
        line, tip = arrow(*_bow(start, Point(x - 0.2 * way * quarter, top - 8.5), end))
        return {
            "was": loop_of(dashes(*side) for side in pairwise((*was, was[0]))),
            "rest": rim_of(self.resting.corners()),
            "flap": rim_of(self.flap),
            "words": path_of(*_words(self.resting)),
            "fold": path_of(fold),
            "way": line,
            "tip": tip,
        }

    def _half(self, *, is_right: bool) -> Rect:
        x = self.sheet.centre.x
        return self.sheet._replace(x0=x) if is_right else self.sheet._replace(x1=x)


def _words(page: Rect) -> Iterator[tuple[Point, Point]]:
    """Lines of text on a page."""
    count = int((page.height - 2 * _INSET) / 1.1)
    for number in range(count + 1):
        y = page.y0 + _INSET + number * (page.height - 2 * _INSET) / count
        yield Point(page.x0 + 1.1, y), Point(page.x1 - 1.1, y)


def _bow(start: Point, over: Point, end: Point) -> Iterator[Point]:
    """Points of a curve from start to end that bends toward `over`."""
    for t in (step / 12 for step in range(13)):
        yield Point(
            (1 - t) ** 2 * start.x + 2 * t * (1 - t) * over.x + t * t * end.x,
            (1 - t) ** 2 * start.y + 2 * t * (1 - t) * over.y + t * t * end.y,
        )


def _onto(box: Rect, other: Rect) -> Affine:
    """The map of a box to another one at the origin."""
    across, down = other.width / box.width, other.height / box.height
    return Affine(a=across, d=down) @ translation(-box.x0, -box.y0)


def _show(face: Face, box: Rect) -> Iterator[PlacedLayer]:
    return carry(cut_to_outline(face), fit(box_of(face.cut), box))
