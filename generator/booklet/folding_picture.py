"""Take a sheet and the half of it that is folded over the other, draw the sheet half folded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from generator.booklet.plates import Plate
from generator.booklet.step_pictures import ROOM, dashes, plate_of
from generator.booklet.step_tools import INK, LINE, PAPER, SHADE, THIN, bow, draw_arrow
from generator.faces.canvas import Canvas
from generator.geometry import Affine, Point, Rect
from generator.outlines import Outline, carried

_NARROWED = 0.62  # of its width: a half in the air
_RISE = 2.4  # mm from its fold to its far edge
_BEYOND = 1.2  # mm of the fold's line above and below the sheet
_WORDS = "#b9b3a6"
_SHEET = Rect(3.5, 6.0, 26.5, 17.0)  # mm, of pieces
_INSET, _GLUE = 1.6, 1.5  # mm


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
        return carried(_corners(self.resting), self.lifting)

    def draw_paper(self, canvas: Canvas) -> None:
        """The half that stays, and where the other was."""
        was = _corners(self._half(is_right=self.is_from_right))
        for start, end in pairwise((*was, was[0])):
            canvas.lines(dashes(start, end), INK, THIN)
        canvas.rect(self.resting, PAPER)
        canvas.outline(self.resting, INK, LINE)

    def draw_flap(self, canvas: Canvas) -> None:
        """The half in the air, bare."""
        canvas.polygons([self.flap], PAPER)

    def draw_fold(self, canvas: Canvas, accent: str) -> None:
        """The edge of the half in the air, the fold, and the way that the half goes."""
        canvas.lines([(*self.flap, self.flap[0])], INK, LINE)
        x, top = self.sheet.centre.x, self.sheet.y0
        fold = Point(x, top - _BEYOND), Point(x, self.sheet.y1 + _BEYOND)
        canvas.lines(dashes(*fold), accent, 0.5)
        way = -1 if self.is_from_right else 1
        quarter = self.sheet.width / 4
        start = Point(x - way * 1.3 * quarter, top - 0.9)
        end = Point(x + way * _NARROWED * 1.4 * quarter, top - _RISE - 0.4)
        draw_arrow(canvas, bow(start, Point(x - 0.2 * way * quarter, top - 8.5), end), accent)

    def _half(self, *, is_right: bool) -> Rect:
        x = self.sheet.centre.x
        return self.sheet._replace(x0=x) if is_right else self.sheet._replace(x1=x)


def draw_words(canvas: Canvas, page: Rect) -> None:
    """Lines of text on a page, grey."""
    count = int((page.height - 2 * _INSET) / 1.1)
    for number in range(count + 1):
        y = page.y0 + _INSET + number * (page.height - 2 * _INSET) / count
        canvas.line([Point(page.x0 + 1.1, y), Point(page.x1 - 1.1, y)], _WORDS, 0.3)


def draw_sheet_of_pieces(accent: str) -> Plate:
    """A sheet of pieces, glue on its bare side, the half with the fronts folded over it."""
    canvas, sheet = Canvas(ROOM), HalfFolded(_SHEET, is_from_right=True)
    sheet.draw_paper(canvas)
    rest = sheet.resting
    for number in range(3):
        y = rest.y0 + (number + 0.5) * rest.height / 3
        canvas.line(list(_zigzag(rest.x0 + _INSET, rest.x1 - _INSET, y)), accent, 0.5)
    sheet.draw_flap(canvas)
    pieces = [carried(_corners(piece), sheet.lifting) for piece in _pieces(rest)]
    canvas.polygons(pieces, SHADE)
    canvas.lines([(*piece, piece[0]) for piece in pieces], INK, THIN)
    sheet.draw_fold(canvas, accent)
    return plate_of(canvas)


def _pieces(page: Rect) -> Iterator[Rect]:
    """Four pieces edge to edge on a page."""
    block = page.grown(-_INSET)
    x, y = block.centre
    for x0, x1 in ((block.x0, x), (x, block.x1)):
        for y0, y1 in ((block.y0, y), (y, block.y1)):
            yield Rect(x0, y0, x1, y1)


def _zigzag(left: float, right: float, y: float) -> Iterator[Point]:
    count = 8
    for number in range(count + 1):
        yield Point(left + number * (right - left) / count, y + _GLUE * (number % 2 - 0.5))


def _corners(box: Rect) -> Outline:
    x0, y0, x1, y1 = box
    return Point(x0, y0), Point(x1, y0), Point(x1, y1), Point(x0, y1)
