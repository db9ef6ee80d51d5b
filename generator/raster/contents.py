"""Take a page of a PDF, make its contents: words, lines, pictures as printed."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import addressof, c_double, c_float, c_int, c_uint
from math import hypot, inf, sqrt
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from generator.geometry import IDENTITY, Affine, Rect
from generator.printed import Ink, PageContents, PrintedWord
from generator.units import PT_PER_MM

_THIN = 0.25  # mm: wider lines print well
_LINE = 1.0  # mm: a shorter filled area is a speck, not a line
_DEPTH = 12  # forms within forms; ours are three deep
_NEAR = 0.1  # em between letters of a word: a wider gap is a space, even if the file has none
_ROUNDED = 4  # digits
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)  # the first and second halves of pairs


_Style = tuple[float, Ink]  # the size of a letter in pt, and its colour
# The character, its style, the box of its ink (mm, y down), and that of the ink and the free space
# beside it (pt, y up). A plain tuple, because a page has hundreds.
_ReadLetter = tuple[str, _Style, Rect, tuple[float, float, float, float]]


def contents_of(page: pypdfium2.PdfPage) -> PageContents:
    search = _Search(page.get_size())
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        search.into(pdfium.FPDFPage_GetObject(page, index), IDENTITY, _DEPTH)
    lines, pictures = sorted(search.lines), sorted(search.pictures)
    return PageContents(tuple(_words(page)), tuple(lines), tuple(pictures))


class _Search:
    """Goes through the objects of a page, and through its forms; the page's size is in pt.

    A page may have thousands of objects, so the buffers for their values are allocated once, and
    passed as they are: ctypes takes twice as long with byref.
    """

    def __init__(self, size: tuple[float, float]) -> None:
        self.lines: set[float] = set()
        self.pictures: set[float] = set()
        self._size = size
        self._box = [c_float() for _ in range(4)]
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
        pdfium.FPDFPath_GetDrawMode(path, self._fill, self._stroke)
        if self._stroke.value:
            pdfium.FPDFPageObj_GetStrokeWidth(path, self._width)
            return self._width.value * _scale(place @ _matrix(path)) / PT_PER_MM
        if not self._fill.value:
            return inf
        x0, y0, x1, y1 = self._bounds(path)
        scale = _scale(place) / PT_PER_MM
        short, long = sorted((x1 - x0, y1 - y0))
        return short * scale if short > 0 and long * scale >= _LINE else inf

    def _is_on_page(self, path: Any, place: Affine) -> bool:
        """Whether a path is on the page; beside it, nothing prints."""
        x0, y0, x1, y1 = place.apply_rect(self._bounds(path))
        return x1 > 0 and y1 > 0 and x0 < self._size[0] and y0 < self._size[1]

    def _bounds(self, thing: Any) -> Rect:
        """The box around an object (pt, y up), in the form that contains it."""
        pdfium.FPDFPageObj_GetBounds(thing, *self._box)
        x0, y0, x1, y1 = self._box
        return Rect(x0.value, y0.value, x1.value, y1.value)


def _resolution(image: Any, place: Affine) -> float:
    """Pixels per inch, the lesser of across and down."""
    wide, high = c_uint(), c_uint()
    pdfium.FPDFImageObj_GetImagePixelSize(image, wide, high)
    a, b, c, d, _, _ = place @ _matrix(image)  # of the unit square
    inches = (hypot(a, b) / 72, hypot(c, d) / 72)
    pixels = (wide.value, high.value)
    return min(n / max(inch, 1e-6) for n, inch in zip(pixels, inches, strict=True))


def _matrix(thing: Any) -> Affine:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(thing, matrix)
    return _affine(matrix)


def _affine(matrix: Any) -> Affine:
    return Affine(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _scale(affine: Affine) -> float:
    a, b, c, d, _, _ = affine
    return sqrt(abs(a * d - b * c))


def _words(page: pypdfium2.PdfPage) -> Iterator[PrintedWord]:
    """Words: runs of adjacent letters of one size and colour, in the order of the file."""
    word: list[_ReadLetter] = []
    for letter in _Letters(page):
        if word and not _goes_on(word[-1], letter):
            yield _word(word)
            word = []
        word.append(letter)
    if word:
        yield _word(word)


def _goes_on(last: _ReadLetter, letter: _ReadLetter) -> bool:
    _, style, _, (x0, y0, x1, y1) = last
    _, other, _, (u0, v0, u1, v1) = letter
    gap = _NEAR * style[0]
    return (
        style == other
        and (u0 < u1 and x0 - gap < u1 and u0 < x1 + gap)
        and (v0 < v1 and y0 - gap < v1 and v0 < y1 + gap)
    )


def _word(letters: list[_ReadLetter]) -> PrintedWord:
    characters, styles, boxes, _ = zip(*letters, strict=True)
    size, ink = styles[0]
    return PrintedWord("".join(characters), size, ink, boxes)


class _Letters:
    """The visible letters of a page. A page may have hundreds, so the buffers for their values are
    allocated once, and the letters of an object, which share a style, are asked for it once."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self._page = page
        self._matrix, self._colour = pdfium.FS_MATRIX(), [c_uint() for _ in Ink._fields]

    def __iter__(self) -> Iterator[_ReadLetter]:
        page_text, height = self._page.get_textpage(), self._page.get_height()
        text = page_text.raw
        sides, room = [c_double() for _ in range(4)], pdfium.FS_RECTF()
        left, right, bottom, top = sides
        of_last, style = 0, (0.0, Ink(0, 0, 0, 0))
        for index, character in _characters(text):
            if character.isspace():
                continue
            pdfium.FPDFText_GetCharBox(text, index, *sides)
            x0, y0, x1, y1 = left.value, bottom.value, right.value, top.value
            if x0 < x1 and y0 < y1:
                thing = pdfium.FPDFText_GetTextObject(text, index)
                address = addressof(thing.contents) if thing else 0
                if not address or address != of_last:
                    of_last, style = address, self._style(text, index)
                pdfium.FPDFText_GetLooseCharBox(text, index, room)
                around = room.left, room.bottom, room.right, room.top
                yield character, style, _box(x0, y0, x1, y1, height), around

    def _style(self, text: Any, index: int) -> tuple[float, Ink]:
        """The size of a letter in pt, after scaling, and its colour."""
        pdfium.FPDFText_GetMatrix(text, index, self._matrix)
        size = pdfium.FPDFText_GetFontSize(text, index) * _scale(_affine(self._matrix))
        pdfium.FPDFText_GetFillColor(text, index, *self._colour)
        return round(size, 2), Ink(*[part.value for part in self._colour])


def _characters(text: Any) -> Iterator[tuple[int, str]]:
    """The characters of a text page, each with its index. pdfium parts those beyond U+FFFF into two
    of the same box, as UTF-16 does."""
    high = 0
    for index in range(pdfium.FPDFText_CountChars(text)):
        code = pdfium.FPDFText_GetUnicode(text, index)
        if not _HIGH.start <= code < _LOW.stop:
            yield index, chr(code)
        elif code in _LOW and high:
            yield index, chr(0x10000 + (high - _HIGH.start) * len(_LOW) + code - _LOW.start)
        high = code if code in _HIGH else 0


def _box(x0: float, y0: float, x1: float, y1: float, height: float) -> Rect:
    """A box (mm, y down) from left, bottom, right and top (pt, y up), on a page of a height."""
    return Rect(
        x0 / PT_PER_MM, (height - y1) / PT_PER_MM, x1 / PT_PER_MM, (height - y0) / PT_PER_MM
    )
