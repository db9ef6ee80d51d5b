"""Take a page of a PDF, make its contents: words, lines, pictures as printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot, inf

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from generator.basics.geometry import IDENTITY, Affine, Rect
from generator.basics.units import PT_PER_MM
from generator.model.printed import FORM_MARK, PageContents
from generator.pdf.raster import calls
from generator.pdf.raster.calls import Handle, addresses_of, handle_of
from generator.pdf.raster.words import enlargement, words_of

_THIN = 0.25  # mm: wider lines print well
_LINE = 1.0  # mm: a shorter filled area is a speck, not a line
_FORM, _PATH, _IMAGE = (
    pdfium.FPDF_PAGEOBJ_FORM,
    pdfium.FPDF_PAGEOBJ_PATH,
    pdfium.FPDF_PAGEOBJ_IMAGE,
)
_DEPTH = 12  # forms within forms; ours are three deep
_ROUNDED = 4  # digits
_FEW = 500  # paths of a page
_LONGEST = 64  # letters of a mark

_Numbers = npt.NDArray[np.float64]
_Flags = npt.NDArray[np.bool_]


def contents_of(
    page: pypdfium2.PdfPage, known: dict[str, FormContents] | None = None
) -> PageContents:
    """The contents of a page. `known` has the drawings of a proof by the marks of their forms, and
    is added to: most of its pages show the same ones, and reading them takes longest."""
    handle, known = handle_of(page.raw), {} if known is None else known
    lines, pictures, unmarked = set[float](), set[float](), list[Handle]()
    for index in range(calls.count_objects(handle)):
        thing = calls.get_object(handle, index)
        mark = _mark_of(thing) if calls.get_type(thing) == _FORM else ""
        if not mark.startswith(FORM_MARK):
            unmarked.append(thing)
            continue
        if mark not in known:
            known[mark] = FormContents(_things_in(thing), _DEPTH - 1)
        known[mark].add_to(lines, pictures, _READER.place(thing), page.get_size())
    if unmarked:
        FormContents(unmarked, _DEPTH).add_to(lines, pictures, IDENTITY, page.get_size())
    words = tuple(words_of(page))
    return PageContents(words, tuple(sorted(lines)), tuple(sorted(pictures)))


def _things_in(form: Handle) -> Iterator[Handle]:
    count = calls.count_objects_of_form(form)
    return (calls.get_object_of_form(form, index) for index in range(count))


def _mark_of(form: Handle) -> str:
    """The name of the innermost marked content that a form is; "" without one."""
    count = calls.count_marks(form)
    return _READER.name(calls.get_mark(form, count - 1)) if count else ""


class _PageObjectReader:
    """Asks pdfium about objects. A page may have thousands, so the buffers for the answers, and the
    addresses in them, are made once: one thread at a time uses pdfium."""

    def __init__(self) -> None:
        self._matrix, self._width = np.empty(6, np.float32), np.empty(1, np.float32)
        self._pixels = np.empty(2, np.uint32)
        self._to_pixels = addresses_of(self._pixels)
        (self._to_width,), (self._to_matrix, *_) = map(addresses_of, (self._width, self._matrix))
        self._name, self._length = np.empty(_LONGEST, np.uint16), np.empty(1, np.uint32)
        self._to_name, self._to_length = addresses_of(self._name)[0], addresses_of(self._length)[0]
        self._make_room(_FEW)

    def _make_room(self, count: int) -> None:
        self._boxes, self._modes = np.empty((count, 4), np.float32), np.empty((count, 2), np.int32)
        to_boxes, to_modes = addresses_of(self._boxes), addresses_of(self._modes)
        self._to_boxes = [to_boxes[start : start + 4] for start in range(0, len(to_boxes), 4)]
        self._to_modes = [to_modes[start : start + 2] for start in range(0, len(to_modes), 2)]

    def shapes(self, paths: Sequence[Handle]) -> tuple[_Numbers, _Flags]:
        """The boxes around paths (n, 4; pt, y up), in the forms that contain them; whether each is
        filled, and whether it is stroked (n, 2)."""
        count = len(paths)
        if count > len(self._to_boxes):
            self._make_room(2 * count)
        for path, to_box, to_mode in zip(paths, self._to_boxes, self._to_modes, strict=False):
            calls.get_bounds(path, *to_box)
            calls.get_draw_mode(path, *to_mode)
        return self._boxes[:count].astype(np.float64), self._modes[:count] != 0

    def name(self, mark: Handle) -> str:
        """The name of marked content."""
        calls.get_mark_name(mark, self._to_name, self._name.nbytes, self._to_length)
        letters = int(self._length[0]) // self._name.itemsize - 1  # without the null at the end
        return bytes(self._name[:letters].astype(np.uint8)).decode("ascii")

    def place(self, thing: Handle) -> Affine:
        """The map of an object to what contains it."""
        calls.get_matrix(thing, self._to_matrix)
        return Affine(*self._matrix.tolist())

    def stroke_width(self, path: Handle) -> float:
        calls.get_stroke_width(path, self._to_width)
        return float(self._width[0])

    def pixel_size(self, image: Handle) -> tuple[int, int]:
        calls.get_pixel_size(image, *self._to_pixels)
        wide, high = self._pixels.tolist()
        return wide, high


_READER = _PageObjectReader()


class FormContents:
    """The thin shapes and the pictures among objects, also within their forms, to be measured at
    several places. All paths are read together, which takes half as long."""

    def __init__(self, things: Iterable[Handle], depth: int) -> None:
        self._paths: list[Handle] = []
        self._places: list[Affine] = []  # of each path: the map of what contains it
        self._scales: list[float] = []  # by which that enlarges lengths
        self._pictures: list[tuple[Affine, tuple[int, int]]] = []
        self._search(things, IDENTITY, depth)
        if self._paths:  # many forms are words alone
            self._boxes, modes = _READER.shapes(self._paths)
            self._measure(*modes.T)
            self._paths.clear()  # they end with their page

    def _search(self, things: Iterable[Handle], place: Affine, depth: int) -> None:
        scale = enlargement(place)
        for thing in things:
            kind = calls.get_type(thing)
            if kind == _PATH:
                self._paths.append(thing)
                self._places.append(place)
                self._scales.append(scale)
            elif kind == _FORM and depth:
                self._search(_things_in(thing), place @ _READER.place(thing), depth - 1)
            elif kind == _IMAGE:
                size = _READER.pixel_size(thing)
                self._pictures.append((place @ _READER.place(thing), size))

    def _measure(self, is_filled: _Flags, is_stroked: _Flags) -> None:
        """The widths of strokes, and of filled areas; and the lengths of these."""
        scales = np.array(self._scales)[:, None]
        sides = np.sort(self._boxes[:, 2:] - self._boxes[:, :2], axis=1) * scales
        is_area = is_filled & ~is_stroked & (sides[:, 0] > 0)
        self._widths, self._lengths = np.where(is_area[:, None], sides, inf).T
        for index in np.flatnonzero(is_stroked).tolist():
            path, scale = self._paths[index], self._scales[index]
            width = _READER.stroke_width(path) * enlargement(_READER.place(path))
            self._widths[index] = width * scale

    def add_to(
        self,
        lines: set[float],
        pictures: set[float],
        place: Affine,
        page: tuple[float, float],
    ) -> None:
        """Add the widths (mm) of its thin lines on a page of a size (pt), to which `place` maps it,
        strokes and filled areas as thin as one; and the resolutions of its pictures."""
        if self._places:
            scale = enlargement(place) / PT_PER_MM
            widths = self._widths * scale
            is_line = (widths < _THIN) & (self._lengths * scale >= _LINE)
            for index in np.flatnonzero(is_line).tolist():
                width = round(float(widths[index]), _ROUNDED)
                if width not in lines and self._is_on_page(index, place, page):
                    lines.add(width)
        for inner, size in self._pictures:
            pictures.add(round(_resolution(place @ inner, size), 1))

    def _is_on_page(self, index: int, place: Affine, page: tuple[float, float]) -> bool:
        """Whether a path is on the page; beside it, nothing prints."""
        box = Rect(*self._boxes[index].tolist())
        x0, y0, x1, y1 = (place @ self._places[index]).apply_rect(box)
        return x1 > 0 and y1 > 0 and x0 < page[0] and y0 < page[1]


def _resolution(place: Affine, pixels: tuple[int, int]) -> float:
    """Pixels per inch of a picture, the lesser of across and down."""
    a, b, c, d, _, _ = place  # of the unit square
    inches = (hypot(a, b) / 72, hypot(c, d) / 72)
    return min(n / max(inch, 1e-6) for n, inch in zip(pixels, inches, strict=True))
