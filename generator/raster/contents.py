"""Take a page of a PDF, make its contents: words, lines, pictures as printed."""

from __future__ import annotations

from math import hypot, inf

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from generator.geometry import IDENTITY, Affine, Rect
from generator.printed import PageContents
from generator.raster import calls
from generator.raster.calls import Handle, addresses_of, handle_of
from generator.raster.words import enlargement, words_of
from generator.units import PT_PER_MM

_THIN = 0.25  # mm: wider lines print well
_LINE = 1.0  # mm: a shorter filled area is a speck, not a line
_FORM, _PATH, _IMAGE = (
    pdfium.FPDF_PAGEOBJ_FORM,
    pdfium.FPDF_PAGEOBJ_PATH,
    pdfium.FPDF_PAGEOBJ_IMAGE,
)
_DEPTH = 12  # forms within forms; ours are three deep
_ROUNDED = 4  # digits


def contents_of(page: pypdfium2.PdfPage) -> PageContents:
    handle, search = handle_of(page.raw), _Search(page.get_size())
    for index in range(calls.count_objects(handle)):
        search.into(calls.get_object(handle, index), IDENTITY, 1 / PT_PER_MM, _DEPTH)
    lines, pictures = sorted(search.lines), sorted(search.pictures)
    return PageContents(tuple(words_of(page)), tuple(lines), tuple(pictures))


class _PageObjectReader:
    """Asks pdfium about objects. A page may have thousands, so the buffers for the answers, and the
    addresses in them, are made once: one thread at a time uses pdfium."""

    def __init__(self) -> None:
        self._box, self._matrix = np.empty(4, np.float32), np.empty(6, np.float32)
        self._width, self._mode = np.empty(1, np.float32), np.empty(2, np.int32)
        self._pixels = np.empty(2, np.uint32)
        self._to_box, self._to_mode = addresses_of(self._box), addresses_of(self._mode)
        self._to_pixels = addresses_of(self._pixels)
        (self._to_width,), (self._to_matrix, *_) = map(addresses_of, (self._width, self._matrix))

    def bounds(self, thing: Handle) -> Rect:
        """The box around an object (pt, y up), in the form that contains it."""
        calls.get_bounds(thing, *self._to_box)
        return Rect(*self._box.tolist())

    def place(self, thing: Handle) -> Affine:
        """The map of an object to what contains it."""
        calls.get_matrix(thing, self._to_matrix)
        return Affine(*self._matrix.tolist())

    def draw_mode(self, path: Handle) -> tuple[int, int]:
        """Whether a path is filled, and whether it is stroked; not 0 if so."""
        calls.get_draw_mode(path, *self._to_mode)
        fill, stroke = self._mode.tolist()
        return fill, stroke

    def stroke_width(self, path: Handle) -> float:
        calls.get_stroke_width(path, self._to_width)
        return float(self._width[0])

    def pixel_size(self, image: Handle) -> tuple[int, int]:
        calls.get_pixel_size(image, *self._to_pixels)
        wide, high = self._pixels.tolist()
        return wide, high


_READER = _PageObjectReader()


class _Search:
    """Goes through the objects of a page, and through its forms; the page's size is in pt."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.lines: set[float] = set()
        self.pictures: set[float] = set()
        self._size = size

    def into(self, thing: Handle, place: Affine, scale: float, depth: int) -> None:
        """Read an object of the page, or of a form that `place` maps to the page (pt), where a
        length of 1 becomes `scale` mm."""
        kind = calls.get_type(thing)
        if kind == _PATH:
            width = _line_width(thing, place, scale)
            if width < _THIN and self._is_on_page(thing, place):
                self.lines.add(round(width, _ROUNDED))
        elif kind == _FORM and depth:
            place = place @ _READER.place(thing)
            scale = enlargement(place) / PT_PER_MM
            for index in range(calls.count_objects_of_form(thing)):
                self.into(calls.get_object_of_form(thing, index), place, scale, depth - 1)
        elif kind == _IMAGE:
            self.pictures.add(round(_resolution(thing, place), 1))

    def _is_on_page(self, path: Handle, place: Affine) -> bool:
        """Whether a path is on the page; beside it, nothing prints."""
        x0, y0, x1, y1 = place.apply_rect(_READER.bounds(path))
        return x1 > 0 and y1 > 0 and x0 < self._size[0] and y0 < self._size[1]


def _line_width(path: Handle, place: Affine, scale: float) -> float:
    """The width in mm of a stroke, or of a filled area as thin as one; inf if it is not a line."""
    fill, stroke = _READER.draw_mode(path)
    if stroke:
        place = place @ _READER.place(path)
        return _READER.stroke_width(path) * enlargement(place) / PT_PER_MM
    if not fill:
        return inf
    x0, y0, x1, y1 = _READER.bounds(path)
    wide, high = x1 - x0, y1 - y0
    short, long = (wide, high) if wide < high else (high, wide)
    return short * scale if short > 0 and long * scale >= _LINE else inf


def _resolution(image: Handle, place: Affine) -> float:
    """Pixels per inch, the lesser of across and down."""
    a, b, c, d, _, _ = place @ _READER.place(image)  # of the unit square
    inches = (hypot(a, b) / 72, hypot(c, d) / 72)
    pixels = _READER.pixel_size(image)
    return min(n / max(inch, 1e-6) for n, inch in zip(pixels, inches, strict=True))
