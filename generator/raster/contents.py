"""Take a finished PDF, make what is to be seen of its pages: words, lines, pictures as printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import byref, c_float, c_int, c_uint
from math import hypot, inf, sqrt
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from generator.geometry import IDENTITY, Affine, Rect
from generator.printed import Ink, PageContents, PrintedWord
from generator.raster.pictures import open_pdf, picture
from generator.units import PT_PER_MM

_THIN = 0.25  # mm: wider lines are nobody's concern
_LINE = 1.0  # mm: what is filled and shorter is a speck
_DEPTH = 12  # forms within forms; ours are three deep
_NEAR = 0.1  # em between letters of a word: a space is wider, and is not always in the file
_ROUNDED = 4  # digits


class _ReadLetter(NamedTuple):
    sign: str
    size: float
    ink: Ink
    box: Rect  # of the ink
    room: Rect  # with what is left free beside it


def read_pages(
    pdf: bytes, dpi: float, read: Sequence[int] | None = None
) -> list[tuple[Image.Image, PageContents]]:
    """A picture of every page as `rasterise` makes it, and what it holds; or pictures of the first
    pages, and what those hold that are named in `read`, by their indices."""
    with open_pdf(pdf) as document:  # opening a page takes as long as painting it
        looks = []
        for index, other in enumerate(range(len(document)) if read is None else read):
            page = document[index]
            held = page if other == index else document[other]
            looks.append((picture(page, dpi), _contents(held)))
        return looks


def _contents(page: pypdfium2.PdfPage) -> PageContents:
    look = _Search(page.get_size())
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        look.into(pdfium.FPDFPage_GetObject(page, index), IDENTITY, _DEPTH)
    lines, pictures = sorted(look.lines), sorted(look.pictures)
    return PageContents(tuple(_words(page)), tuple(lines), tuple(pictures))


class _Search:
    """Goes through the objects of a page of a size (pt) and through its forms, of which it may hold
    thousands: so the values that are asked for are allocated once."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.lines: set[float] = set()
        self.pictures: set[float] = set()
        self._size = size
        self._box = [c_float() for _ in range(4)]
        self._at_box = [byref(side) for side in self._box]
        self._fill, self._stroke, self._width = c_int(), c_int(), c_float()

    def into(self, thing: Any, place: Affine, depth: int) -> None:
        """Look at an object of the page, or of a form that `place` maps to the page (pt)."""
        kind = pdfium.FPDFPageObj_GetType(thing)
        if kind == pdfium.FPDF_PAGEOBJ_FORM and depth:
            place = place @ _matrix(thing)
            for index in range(pdfium.FPDFFormObj_CountObjects(thing)):
                self.into(pdfium.FPDFFormObj_GetObject(thing, index), place, depth - 1)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            self.pictures.add(round(_resolution(thing, place), 1))
        elif kind == pdfium.FPDF_PAGEOBJ_PATH:
            width = self._line_width(thing, place)
            if width < _THIN and self._is_on_page(thing, place):
                self.lines.add(round(width, _ROUNDED))

    def _line_width(self, path: Any, place: Affine) -> float:
        """Of a stroke, or of an area that is as thin as one (mm); inf for what is no line."""
        pdfium.FPDFPath_GetDrawMode(path, byref(self._fill), byref(self._stroke))
        if self._stroke.value:
            pdfium.FPDFPageObj_GetStrokeWidth(path, byref(self._width))
            return self._width.value * _scale(place @ _matrix(path)) / PT_PER_MM
        if not self._fill.value:
            return inf
        x0, y0, x1, y1 = self._bounds(path)
        scale = _scale(place) / PT_PER_MM
        short, long = min(x1 - x0, y1 - y0) * scale, max(x1 - x0, y1 - y0) * scale
        return short if short > 0 and long >= _LINE else inf

    def _is_on_page(self, path: Any, place: Affine) -> bool:
        """What lies beside the page does not print."""
        x0, y0, x1, y1 = place.apply_rect(self._bounds(path))
        return x1 > 0 and y1 > 0 and x0 < self._size[0] and y0 < self._size[1]

    def _bounds(self, thing: Any) -> Rect:
        """The box around it (pt, y up), as in the form that holds it."""
        pdfium.FPDFPageObj_GetBounds(thing, *self._at_box)
        x0, y0, x1, y1 = (side.value for side in self._box)
        return Rect(x0, y0, x1, y1)


def _resolution(image: Any, place: Affine) -> float:
    """Pixels an inch, across or down, the lesser."""
    wide, high = c_uint(), c_uint()
    pdfium.FPDFImageObj_GetImagePixelSize(image, byref(wide), byref(high))
    a, b, c, d, _, _ = place @ _matrix(image)  # of the unit square
    inches = (hypot(a, b) / 72, hypot(c, d) / 72)
    pixels = (wide.value, high.value)
    return min(n / max(inch, 1e-6) for n, inch in zip(pixels, inches, strict=True))


def _matrix(thing: Any) -> Affine:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(thing, byref(matrix))
    return _affine(matrix)


def _affine(matrix: Any) -> Affine:
    return Affine(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _scale(affine: Affine) -> float:
    a, b, c, d, _, _ = affine
    return sqrt(abs(a * d - b * c))


def _words(page: pypdfium2.PdfPage) -> Iterator[PrintedWord]:
    """Letters in the order of the file that are alike and follow each other."""
    word: list[_ReadLetter] = []
    for letter in _letters(page):
        if word and not _goes_on(word[-1], letter):
            yield _word(word)
            word = []
        word.append(letter)
    if word:
        yield _word(word)


def _goes_on(last: _ReadLetter, letter: _ReadLetter) -> bool:
    common = last.room.grown(_NEAR * last.size / PT_PER_MM).within(letter.room)
    is_near = common.width > 0 and common.height > 0
    return is_near and (letter.size, letter.ink) == (last.size, last.ink)


def _word(letters: list[_ReadLetter]) -> PrintedWord:
    text = "".join(letter.sign for letter in letters)
    return PrintedWord(
        text, letters[0].size, letters[0].ink, tuple(letter.box for letter in letters)
    )


def _letters(page: pypdfium2.PdfPage) -> Iterator[_ReadLetter]:
    text, height = page.get_textpage(), page.get_height()
    matrix, colour = pdfium.FS_MATRIX(), [c_uint() for _ in Ink._fields]
    for index in range(text.count_chars()):
        box = _box(text.get_charbox(index), height)
        sign = chr(pdfium.FPDFText_GetUnicode(text, index))
        if box.width > 0 and box.height > 0 and sign.strip():
            pdfium.FPDFText_GetMatrix(text, index, byref(matrix))
            size = pdfium.FPDFText_GetFontSize(text, index) * _scale(_affine(matrix))
            pdfium.FPDFText_GetFillColor(text, index, *map(byref, colour))
            ink = Ink(*(part.value for part in colour))
            room = _box(text.get_charbox(index, loose=True), height)
            yield _ReadLetter(sign, round(size, 2), ink, box, room)


def _box(sides: tuple[float, float, float, float], height: float) -> Rect:
    """Left, bottom, right and top (pt, y up) on a page of a height."""
    x0, y0, x1, y1 = sides
    return Rect(*(value / PT_PER_MM for value in (x0, height - y1, x1, height - y0)))
