"""Take a finished PDF, make the contents of its pages: words, lines, pictures as printed."""

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

_THIN = 0.25  # mm: wider lines print well
_LINE = 1.0  # mm: a shorter filled area is a speck, not a line
_DEPTH = 12  # forms within forms; ours are three deep
_NEAR = 0.1  # em between letters of a word: a wider gap is a space, even if the file has none
_ROUNDED = 4  # digits


class _ReadLetter(NamedTuple):
    character: str
    size: float
    ink: Ink
    box: Rect  # of the ink
    room: Rect  # of the ink and the free space beside it


def read_pages(
    pdf: bytes, dpi: float, read: Sequence[int] | None = None
) -> list[tuple[Image.Image, PageContents]]:
    """A picture of every page, as by `rasterise`, and the page's contents.

    With `read`, a list of indices, the n-th result has the picture of the n-th page and the
    contents of the page at the n-th index.
    """
    with open_pdf(pdf) as document:  # opening a page takes as long as painting it
        results = []
        for index, other in enumerate(range(len(document)) if read is None else read):
            page = document[index]
            source = page if other == index else document[other]
            results.append((picture(page, dpi), _contents(source)))
        return results


def _contents(page: pypdfium2.PdfPage) -> PageContents:
    search = _Search(page.get_size())
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        search.into(pdfium.FPDFPage_GetObject(page, index), IDENTITY, _DEPTH)
    lines, pictures = sorted(search.lines), sorted(search.pictures)
    return PageContents(tuple(_words(page)), tuple(lines), tuple(pictures))


class _Search:
    """Goes through the objects of a page, and through its forms; the page's size is in pt.

    A page may have thousands of objects, so the buffers for their values are allocated once.
    """

    def __init__(self, size: tuple[float, float]) -> None:
        self.lines: set[float] = set()
        self.pictures: set[float] = set()
        self._size = size
        self._box = [c_float() for _ in range(4)]
        self._at_box = [byref(side) for side in self._box]
        self._fill, self._stroke, self._width = c_int(), c_int(), c_float()

    def into(self, thing: Any, place: Affine, depth: int) -> None:
        """Read an object of the page, or of a form that `place` maps to the page (pt)."""
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
        """The width in mm of a stroke, or of a filled area as thin as one; inf if it is not a
        line."""
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
        """Whether a path is on the page; beside it, nothing prints."""
        x0, y0, x1, y1 = place.apply_rect(self._bounds(path))
        return x1 > 0 and y1 > 0 and x0 < self._size[0] and y0 < self._size[1]

    def _bounds(self, thing: Any) -> Rect:
        """The box around an object (pt, y up), in the form that contains it."""
        pdfium.FPDFPageObj_GetBounds(thing, *self._at_box)
        x0, y0, x1, y1 = (side.value for side in self._box)
        return Rect(x0, y0, x1, y1)


def _resolution(image: Any, place: Affine) -> float:
    """Pixels per inch, the lesser of across and down."""
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
    """Words: runs of adjacent letters of one size and colour, in the order of the file."""
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
    text = "".join(letter.character for letter in letters)
    return PrintedWord(
        text, letters[0].size, letters[0].ink, tuple(letter.box for letter in letters)
    )


def _letters(page: pypdfium2.PdfPage) -> Iterator[_ReadLetter]:
    text, height = page.get_textpage(), page.get_height()
    matrix, colour = pdfium.FS_MATRIX(), [c_uint() for _ in Ink._fields]
    for index in range(text.count_chars()):
        box = _box(text.get_charbox(index), height)
        character = chr(pdfium.FPDFText_GetUnicode(text, index))
        if box.width > 0 and box.height > 0 and character.strip():
            pdfium.FPDFText_GetMatrix(text, index, byref(matrix))
            size = pdfium.FPDFText_GetFontSize(text, index) * _scale(_affine(matrix))
            pdfium.FPDFText_GetFillColor(text, index, *map(byref, colour))
            ink = Ink(*(part.value for part in colour))
            room = _box(text.get_charbox(index, loose=True), height)
            yield _ReadLetter(character, round(size, 2), ink, box, room)


def _box(sides: tuple[float, float, float, float], height: float) -> Rect:
    """A box (mm, y down) from left, bottom, right and top (pt, y up), on a page of a height."""
    x0, y0, x1, y1 = sides
    return Rect(*(value / PT_PER_MM for value in (x0, height - y1, x1, height - y0)))
