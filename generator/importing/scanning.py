"""What a page of any PDF draws, in mm from the top left of the page as viewers show it; and the
rectangles and lines among it. A card is nearly always a rectangle: a clip, a path, a picture or a
form, as far as the clips in force show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from ctypes import c_float, c_int
from itertools import pairwise
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from msgspec import Struct, field

from generator.basics.geometry import IDENTITY, Affine, Point, Rect, Size, steady
from generator.basics.units import MM_PER_PT

_MOST_THINGS = 300_000  # of a page, all its forms together
_DEEPEST = 12  # forms within forms
_MOST_SEGMENTS = 40  # of a rectangle, with round corners
_MOST_KEPT = 20_000  # rectangles, and lines, of a page
_SMALLEST = 8.0  # mm: the sides of a rectangle that may be a piece
_THIN = 0.8  # mm: a filled rectangle no thicker is a line
_SHORTEST = 1.0  # mm, of a line
_STRAIGHT = 0.05  # mm by which the ends of an upright line may differ
_EDGED = 0.6  # of each side of a rectangle with rounded corners is straight
_LARGEST_PAGE = 5080.0  # mm (ISO 32000-1, annex C.2)
_FAR = 1e5  # mm: what numbers of a broken file are beyond
PATH, IMAGE, FORM = pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM
TEXT, SHADING = pdfium.FPDF_PAGEOBJ_TEXT, pdfium.FPDF_PAGEOBJ_SHADING
_UNSOUND = (TypeError, ValueError, IndexError, OverflowError, AttributeError)
UNIT = Rect(0.0, 0.0, 1.0, 1.0)


class RuledLine(Struct, frozen=True):
    """An upright line at an x, or a level one at a y, and its ends along the other (mm)."""

    is_upright: bool
    at: float
    start: float
    end: float


class PageShapes(Struct, frozen=True):
    """What may say where the cards of a page are. `trim` is the page without its bleed."""

    size: Size
    trim: Rect
    boxes: list[Rect]
    lines: list[RuledLine]


class Outline(Struct):
    """A part of a path: its points, by curves in threes, and whether each ends a straight edge."""

    points: list[Point] = field(default_factory=list)
    is_straight: list[bool] = field(default_factory=list)
    is_closed: bool = False

    def box(self) -> Rect:
        xs, ys = zip(*self.points, strict=True)
        return Rect(min(xs), min(ys), max(xs), max(ys))

    def edges(self) -> Iterator[tuple[Point, Point]]:
        """The straight edges."""
        for (start, end), is_edge in zip(pairwise(self.points), self.is_straight[1:], strict=True):
            if is_edge:
                yield start, end
        if self.is_closed:
            yield self.points[-1], self.points[0]

    def is_rectangle(self, box: Rect) -> bool:
        """Whether edges cover most of each side of the box."""
        upright, level = {box.x0: 0.0, box.x1: 0.0}, {box.y0: 0.0, box.y1: 0.0}
        closed = (*self.edges(), (self.points[-1], self.points[0]))
        for (ax, ay), (bx, by) in closed:
            for at in upright:
                upright[at] += abs(by - ay) * (max(abs(ax - at), abs(bx - at)) < _STRAIGHT)
            for at in level:
                level[at] += abs(bx - ax) * (max(abs(ay - at), abs(by - at)) < _STRAIGHT)
        is_high = min(upright.values()) >= box.height * _EDGED
        return is_high and min(level.values()) >= box.width * _EDGED


class Thing(Struct, frozen=True):
    """An object of a page: its kind, the map of its own points to mm, and the paths that clip it,
    one within the other."""

    raw: Any
    kind: int
    place: Affine
    clips: tuple[Sequence[Outline], ...]

    def outlines(self, most: int = _MOST_THINGS) -> list[Outline]:
        """The parts of a path; none of one with more segments."""
        count = pdfium.FPDFPath_CountSegments(self.raw)
        if count > most:
            return []
        return read_outlines(
            lambda i: pdfium.FPDFPath_GetPathSegment(self.raw, i), count, self.place
        )

    def paints(self) -> tuple[int, bool]:
        """How a path is filled (0: not, 1: even-odd, 2: by winding), and whether it is stroked."""
        fill, stroke = c_int(), c_int()
        pdfium.FPDFPath_GetDrawMode(self.raw, fill, stroke)
        return fill.value, bool(stroke.value)


def read_outlines(segment: Callable[[int], Any], count: int, place: Affine) -> list[Outline]:
    """The parts of a path of so many segments."""
    outlines: list[Outline] = []
    x, y = c_float(), c_float()
    for index in range(count):
        part = segment(index)
        kind = pdfium.FPDFPathSegment_GetType(part)
        pdfium.FPDFPathSegment_GetPoint(part, x, y)
        if kind == pdfium.FPDF_SEGMENT_MOVETO or not outlines:
            outlines.append(Outline())
        point = place.apply(Point(x.value, y.value))
        outlines[-1].points.append(Point(*(min(max(side, -_FAR), _FAR) for side in point)))
        outlines[-1].is_straight.append(kind != pdfium.FPDF_SEGMENT_BEZIERTO)
        outlines[-1].is_closed |= bool(pdfium.FPDFPathSegment_GetClose(part))
    return outlines


def map_of(raw: Any) -> Affine:
    """The map of an object's own points to those of what contains it."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(raw, matrix)
    return Affine(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def find_frame(page: pypdfium2.PdfPage) -> tuple[Size, Affine]:
    """The size of a page as shown (mm), and the map of its points to mm from the top left. Raises
    ValueError for one without a sound size."""
    x0, y0, x1, y1 = page.get_bbox()
    width, height = (x1 - x0) * MM_PER_PT, (y1 - y0) * MM_PER_PT
    if not (min(width, height) >= 1 and max(width, height) <= _LARGEST_PAGE):
        raise ValueError("the page has no size")
    upright = Affine(MM_PER_PT, 0.0, 0.0, -MM_PER_PT, -x0 * MM_PER_PT, y1 * MM_PER_PT)
    turn = page.get_rotation()
    turned = {
        90: Affine(0.0, 1.0, -1.0, 0.0, height, 0.0),
        180: Affine(-1.0, 0.0, 0.0, -1.0, width, height),
        270: Affine(0.0, -1.0, 1.0, 0.0, 0.0, width),
    }.get(turn, IDENTITY)
    size = Size(height, width) if turn in (90, 270) else Size(width, height)
    return size, turned @ upright


def walk(page: pypdfium2.PdfPage, place: Affine) -> Iterator[Thing]:
    """The objects of a page in the order of drawing, those of forms too, after the form."""
    count = pdfium.FPDFPage_CountObjects(page.raw)
    left = iter(range(_MOST_THINGS))
    yield from _walk(lambda i: pdfium.FPDFPage_GetObject(page.raw, i), count, place, (), left, 0)


def _walk(
    get: Callable[[int], Any],
    count: int,
    place: Affine,
    clips: tuple[Sequence[Outline], ...],
    left: Iterator[int],
    depth: int,
) -> Iterator[Thing]:
    for index in range(count):
        if next(left, None) is None:
            return
        raw = get(index)
        within = (*clips, *_clips_of(raw, place))
        thing = Thing(raw, pdfium.FPDFPageObj_GetType(raw), place @ map_of(raw), within)
        yield thing
        if thing.kind == FORM and depth < _DEEPEST:
            inner = pdfium.FPDFFormObj_CountObjects(raw)

            def within_form(number: int, form: Any = raw) -> Any:
                return pdfium.FPDFFormObj_GetObject(form, number)

            yield from _walk(within_form, inner, thing.place, within, left, depth + 1)


def _clips_of(raw: Any, place: Affine) -> Iterator[list[Outline]]:
    clip = pdfium.FPDFPageObj_GetClipPath(raw)
    for index in range(max(pdfium.FPDFClipPath_CountPaths(clip), 0)):
        count = pdfium.FPDFClipPath_CountPathSegments(clip, index)

        def segment(number: int, path: int = index) -> Any:
            return pdfium.FPDFClipPath_GetPathSegment(clip, path, number)

        yield read_outlines(segment, count, place)


def scan_page(page: pypdfium2.PdfPage, clips: pikepdf.Page) -> PageShapes:
    """The rectangles and lines of a page. Raises ValueError for one without a sound size."""
    size, place = find_frame(page)
    scan = _Scan(Rect(0.0, 0.0, *size))
    for box in _read_clips(clips, place):
        scan.keep(box, scan.paper)
    for thing in walk(page, place):
        scan.add(thing)
    trim = place.apply_rect(Rect(*page.get_trimbox())).within(scan.paper)
    return PageShapes(size, trim, list(scan.boxes), list(scan.lines))


class _Scan:
    """Collects rectangles and lines."""

    def __init__(self, paper: Rect) -> None:
        self.paper = paper
        self.boxes: dict[Rect, None] = {}
        self.lines: dict[RuledLine, None] = {}

    def keep(self, box: Rect, clip: Rect) -> None:
        """Keep what a clip shows of a rectangle."""
        seen = Rect(*(steady(side, 2) for side in box.within(clip)))
        if min(seen.width, seen.height) >= _SMALLEST and len(self.boxes) < _MOST_KEPT:
            self.boxes[seen] = None

    def add(self, thing: Thing) -> None:
        """Keep the rectangles and lines that an object is, or that clip it."""
        clip = self.paper
        for outlines in thing.clips:
            boxes = [outline.box() for outline in outlines] or [Rect(0.0, 0.0, 0.0, 0.0)]
            for outline, box in zip(outlines, boxes, strict=False):
                if outline.is_rectangle(box):
                    self.keep(box, clip)
            clip = boxes[0].around(*boxes[1:]).within(clip)
        if thing.kind == IMAGE:
            self.keep(thing.place.apply_rect(UNIT), clip)
        elif thing.kind == PATH:
            self._add_path(thing, clip)

    def _add_path(self, thing: Thing, clip: Rect) -> None:
        fill, is_stroked = thing.paints()
        for outline in thing.outlines(_MOST_SEGMENTS) if fill or is_stroked else ():
            box = outline.box()
            is_thin = min(box.width, box.height) <= _THIN
            if not is_thin and outline.is_rectangle(box):
                self.keep(box, clip)
            if (is_thin or not fill) and len(self.lines) < _MOST_KEPT:
                edges = _thin_edge(box) if fill else outline.edges()
                self.lines.update(dict.fromkeys(_rule(edges, clip)))


def _read_clips(page: pikepdf.Page, place: Affine) -> Iterator[Rect]:
    """The rectangles that clip the content of a page, those of forms too: pdfium forgets the ones
    that all fits into."""
    stack, rect = list[Affine](), None
    with suppress(pikepdf.PdfError, *_UNSOUND):
        for step in pikepdf.parse_content_stream(page, "q Q cm re W W* Do"):
            name, operands = str(step.operator), step.operands
            if name == "q":
                stack.append(place)
            elif name == "Q" and stack:
                place = stack.pop()
            elif name == "cm":
                place = place @ Affine(*map(float, operands))
            elif name == "re":
                x, y, width, height = map(float, operands)
                rect = Rect(x, y, x + width, y + height)
            elif name == "Do":
                with suppress(KeyError, *_UNSOUND):
                    form = page.resources["/XObject"][str(operands[0])]
                    inner = Affine(*map(float, form.get("/Matrix", IDENTITY)))
                    yield (place @ inner).apply_rect(Rect(*map(float, form["/BBox"])))
            elif rect:
                xs, ys = sorted((rect.x0, rect.x1)), sorted((rect.y0, rect.y1))
                yield place.apply_rect(Rect(xs[0], ys[0], xs[1], ys[1]))
                rect = None


def _thin_edge(box: Rect) -> Iterator[tuple[Point, Point]]:
    """The middle line of a thin rectangle."""
    x, y = box.centre
    if box.height >= box.width:
        yield Point(x, box.y0), Point(x, box.y1)
    else:
        yield Point(box.x0, y), Point(box.x1, y)


def _rule(edges: Iterator[tuple[Point, Point]], clip: Rect) -> Iterator[RuledLine]:
    """The upright and level edges as far as a clip shows them."""
    for (ax, ay), (bx, by) in edges:
        is_upright = abs(ax - bx) < _STRAIGHT
        if not is_upright and abs(ay - by) >= _STRAIGHT:
            continue
        seen = Rect(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)).within(clip.grown(_THIN))
        start, end = (seen.y0, seen.y1) if is_upright else (seen.x0, seen.x1)
        is_seen = min(seen.width, seen.height) >= 0 and end - start >= _SHORTEST
        at = steady(seen.centre.x if is_upright else seen.centre.y, 2)
        if is_seen:
            yield RuledLine(is_upright, at, steady(start, 2), steady(end, 2))
