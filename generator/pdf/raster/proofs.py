"""Pictures of the faces in a proof, and the contents of each.

The contents of a page are words, lines and pictures as printed; words have their letters, size and ink as printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from ctypes import c_double, c_float, c_int, c_uint, c_ulong, c_ushort, c_void_p, cast, memmove, sizeof
from itertools import compress, pairwise
from math import ceil, hypot, inf
from operator import eq
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from generator.basics.geometry import IDENTITY, PT_PER_MM, Affine, Rect
from generator.model.face import FORM_MARK, FacePages, Ink, PageContents, PrintedWord
from generator.pdf.raster.pictures import add, new_bitmap, open_pdf, scale_of, to_rgb

Pixels = npt.NDArray[np.uint8]  # (high, wide, 4): red, green, blue, and a byte without meaning
_Open = Callable[[int], pypdfium2.PdfPage]  # a page by its number
_MOST_KEPT = 150_000_000  # bytes of pictures
_WHITE = (255, 255, 255, 255)
_THIN = 0.25  # mm: wider lines print well
_LINE = 1.0  # mm: a shorter filled area is a speck, not a line
_FORM, _PATH, _IMAGE = (pdfium.FPDF_PAGEOBJ_FORM, pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE)
_DEPTH = 12  # forms within forms; ours are three deep
_ROUNDED = 4  # digits
_LONGEST = 64  # letters of a mark

_Numbers = npt.NDArray[np.float64]
_Flags = npt.NDArray[np.bool_]
_NEAR = 0.1  # em between letters of a word: a wider gap is a space, even if the file has none
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)  # the first and second halves of pairs

_Style = tuple[float, Ink]  # the size of a letter in pt, and its colour


def read_faces(pdf: bytes, faces: Sequence[FacePages], dpi: float) -> Iterator[tuple[Pixels, PageContents]]:
    """The pixels of each face and the contents of its piece, one face after another, so that few
    pictures are in memory; lengths are rounded up to whole pixels."""
    with open_pdf(pdf) as document:
        reader = _Reader(document, faces, dpi)
        for face in faces:
            yield reader.see(face)


def paint_faces(pdf: bytes, faces: Sequence[FacePages], dpi: float) -> Iterator[Image.Image]:
    """A picture of each face, one after another; lengths are rounded up to whole pixels."""
    with open_pdf(pdf) as document:
        reader = _Reader(document, faces, dpi)
        for face in faces:
            yield to_rgb(reader.paint(face))


class _Reader:
    """Paints and reads faces. It keeps pictures and contents of the pages that later faces use."""

    def __init__(self, document: pypdfium2.PdfDocument, faces: Sequence[FacePages], dpi: float) -> None:
        self._document, self._scale = document, scale_of(dpi)
        self._beginnings = Counter(part for face in faces for part in _beginnings(face.painted))
        self._readings = Counter(number for face in faces for number in face.read)
        self._pictures: dict[tuple[int, ...], pypdfium2.PdfBitmap] = {}
        self._contents: dict[int, PageContents] = {}
        self._forms: dict[str, FormContents] = {}

    def see(self, face: FacePages) -> tuple[Pixels, PageContents]:
        opened: dict[int, pypdfium2.PdfPage] = {}  # many faces are painted and read from one page

        def page(number: int) -> pypdfium2.PdfPage:
            if number not in opened:
                opened[number] = self._document[number]
            return opened[number]

        picture = self._paint(face.painted, page)
        pixels = np.frombuffer(picture.buffer, np.uint8)
        shape = picture.height, picture.width, 4
        return pixels.reshape(shape), _join([self._read(number, page) for number in face.read])

    def paint(self, face: FacePages) -> pypdfium2.PdfBitmap:
        return self._paint(face.painted, self._document.__getitem__)

    def _paint(self, numbers: tuple[int, ...], page: _Open) -> pypdfium2.PdfBitmap:
        """The picture of pages, one above the other."""
        below = next((part for part in _beginnings(numbers) if part in self._pictures), ())
        last = page(numbers[-1])
        picture = _copy(self._pictures[below]) if below else self._blank(last)
        for count in range(len(below), len(numbers)):
            if count > len(below):
                picture = self._keep(numbers[:count], picture)
            add(page(numbers[count]), picture)
        for part in _beginnings(numbers):
            self._beginnings[part] -= 1
            if not self._beginnings[part]:
                self._pictures.pop(part, None)
        return picture

    def _keep(self, numbers: tuple[int, ...], picture: pypdfium2.PdfBitmap) -> pypdfium2.PdfBitmap:
        """Keep a picture that other faces begin with too; a picture to go on with."""
        kept = sum(len(picture.buffer) for picture in self._pictures.values())
        if self._beginnings[numbers] < 2 or kept + len(picture.buffer) > _MOST_KEPT:
            return picture
        self._pictures[numbers] = picture
        return _copy(picture)

    def _blank(self, page: pypdfium2.PdfPage) -> pypdfium2.PdfBitmap:
        width, height = (ceil(length * self._scale) for length in page.get_size())
        picture = new_bitmap(width, height)
        picture.fill_rect(_WHITE, 0, 0, width, height)
        return picture

    def _read(self, number: int, page: _Open) -> PageContents:
        if number in self._contents:
            return self._contents[number]
        contents = contents_of(page(number), self._forms)
        if self._readings[number] > 1:
            self._contents[number] = contents
        return contents


def _beginnings(numbers: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The pages without the last ones, the longest first."""
    return (numbers[:count] for count in range(len(numbers) - 1, 0, -1))


def _copy(picture: pypdfium2.PdfBitmap) -> pypdfium2.PdfBitmap:
    copy = new_bitmap(picture.width, picture.height)
    memmove(copy.buffer, picture.buffer, len(picture.buffer))
    return copy


def _join(contents: Sequence[PageContents]) -> PageContents:
    """The contents of pages that make one piece."""
    if len(contents) == 1:
        return contents[0]
    words = tuple(word for content in contents for word in content.words)
    lines = {line for content in contents for line in content.lines}
    pictures = {dpi for content in contents for dpi in content.pictures}
    return PageContents(words, tuple(sorted(lines)), tuple(sorted(pictures)))


def contents_of(page: pypdfium2.PdfPage, known: dict[str, FormContents] | None = None) -> PageContents:
    """The contents of a page. `known` has the drawings of a proof by the marks of their forms, and
    is added to: most of its pages show the same ones, and reading them takes longest."""
    known = {} if known is None else known
    lines, pictures, unmarked = set[float](), set[float](), list[Any]()
    for index in range(pdfium.FPDFPage_CountObjects(page.raw)):
        thing = pdfium.FPDFPage_GetObject(page.raw, index)
        is_form = pdfium.FPDFPageObj_GetType(thing) == _FORM
        mark = _mark_of(thing) if is_form else ""
        if not mark.startswith(FORM_MARK):
            unmarked.append(thing)
            continue
        if mark not in known:
            known[mark] = FormContents(_things_in(thing), _DEPTH - 1)
        known[mark].add_to(lines, pictures, _place_of(thing), page.get_size())
    if unmarked:
        FormContents(unmarked, _DEPTH).add_to(lines, pictures, IDENTITY, page.get_size())
    return PageContents(tuple(words_of(page)), tuple(sorted(lines)), tuple(sorted(pictures)))


def _things_in(form: Any) -> Iterator[Any]:
    count = pdfium.FPDFFormObj_CountObjects(form)
    return (pdfium.FPDFFormObj_GetObject(form, index) for index in range(count))


def _mark_of(form: Any) -> str:
    """The name of the innermost marked content that a form is; "" without one."""
    count = pdfium.FPDFPageObj_CountMarks(form)
    if not count:
        return ""
    name, length = (c_ushort * _LONGEST)(), c_ulong()  # in UTF-16, with a null at the end
    mark = pdfium.FPDFPageObj_GetMark(form, count - 1)
    pdfium.FPDFPageObjMark_GetName(mark, name, sizeof(name), length)
    return bytes(name)[: length.value - 2].decode("utf-16-le")


def _read_shapes(paths: Sequence[Any]) -> tuple[_Numbers, _Flags]:
    """The boxes around paths (n, 4; pt, y up), in the forms that contain them; whether each is
    filled, and whether it is stroked (n, 2)."""
    sides, modes = [c_float() for _ in range(4)], (c_int(), c_int())
    boxes, drawn = list[list[float]](), list[tuple[bool, bool]]()
    for path in paths:
        pdfium.FPDFPageObj_GetBounds(path, *sides)
        pdfium.FPDFPath_GetDrawMode(path, *modes)
        boxes.append([side.value for side in sides])
        drawn.append((modes[0].value != 0, modes[1].value != 0))
    return np.array(boxes), np.array(drawn)


def _place_of(thing: Any) -> Affine:
    """The map of an object to what contains it."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(thing, matrix)
    return _affine(matrix)


def _affine(matrix: Any) -> Affine:
    return Affine(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


class FormContents:
    """The thin shapes and the pictures among objects, also within their forms, to be measured at
    several places. All paths are read together, which takes half as long."""

    def __init__(self, things: Iterable[Any], depth: int) -> None:
        self._paths: list[Any] = []
        self._places: list[Affine] = []  # of each path: the map of what contains it
        self._scales: list[float] = []  # by which that enlarges lengths
        self._pictures: list[tuple[Affine, tuple[int, int]]] = []
        self._search(things, IDENTITY, depth)
        if self._paths:  # many forms are words alone
            self._boxes, modes = _read_shapes(self._paths)
            self._measure(*modes.T)
            self._paths.clear()  # they end with their page

    def _search(self, things: Iterable[Any], place: Affine, depth: int) -> None:
        scale = place.enlargement
        for thing in things:
            kind = pdfium.FPDFPageObj_GetType(thing)
            if kind == _PATH:
                self._paths.append(thing)
                self._places.append(place)
                self._scales.append(scale)
            elif kind == _FORM and depth:
                self._search(_things_in(thing), place @ _place_of(thing), depth - 1)
            elif kind == _IMAGE:
                wide, high = c_uint(), c_uint()
                pdfium.FPDFImageObj_GetImagePixelSize(thing, wide, high)
                self._pictures.append((place @ _place_of(thing), (wide.value, high.value)))

    def _measure(self, is_filled: _Flags, is_stroked: _Flags) -> None:
        """The widths of strokes, and of filled areas; and the lengths of these."""
        scales = np.array(self._scales)[:, None]
        sides = np.sort(self._boxes[:, 2:] - self._boxes[:, :2], axis=1) * scales
        is_area = is_filled & ~is_stroked & (sides[:, 0] > 0)
        self._widths, self._lengths = np.where(is_area[:, None], sides, inf).T
        for index in np.flatnonzero(is_stroked).tolist():
            path, scale = self._paths[index], self._scales[index]
            width = c_float()
            pdfium.FPDFPageObj_GetStrokeWidth(path, width)
            self._widths[index] = width.value * _place_of(path).enlargement * scale

    def add_to(self, lines: set[float], pictures: set[float], place: Affine, page: tuple[float, float]) -> None:
        """Add the widths (mm) of its thin lines on a page of a size (pt), to which `place` maps it,
        strokes and filled areas as thin as one; and the resolutions of its pictures."""
        if self._places:
            scale = place.enlargement / PT_PER_MM
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


def words_of(page: pypdfium2.PdfPage) -> Iterator[PrintedWord]:
    """Words: runs of adjacent letters of one size and colour, in the order of the file."""
    page_text = page.get_textpage()
    text = page_text.raw
    letters = list(_characters(text))
    ink, room = _read_boxes(text, [index for index, _ in letters])
    is_seen = (ink[:, 0] < ink[:, 1]) & (ink[:, 2] < ink[:, 3])
    if not is_seen.all():
        letters, ink, room = list(compress(letters, is_seen)), ink[is_seen], room[is_seen]
    if not letters:
        return
    styles = _read_styles(text, [index for index, _ in letters])
    boxes = list(map(Rect._make, _to_mm(ink, page.get_height()).tolist()))
    ends = np.flatnonzero(~_go_on(styles, room)) + 1
    for start, end in pairwise([0, *ends.tolist(), len(letters)]):
        characters = "".join([character for _, character in letters[start:end]])
        yield PrintedWord(characters, *styles[start], tuple(boxes[start:end]))


def _characters(text: Any) -> Iterator[tuple[int, str]]:
    """The characters of a text that are not spaces, each with its index. pdfium parts those beyond
    U+FFFF into two of the same box, as UTF-16 does."""
    codes = [pdfium.FPDFText_GetUnicode(text, index) for index in range(pdfium.FPDFText_CountChars(text))]
    for index, code in enumerate(codes):
        if code < _HIGH.start or code >= _LOW.stop:
            character = chr(code)
            if not character.isspace():
                yield index, character
        elif code in _LOW and index and codes[index - 1] in _HIGH:
            high = codes[index - 1] - _HIGH.start
            yield index, chr(0x10000 + high * len(_LOW) + code - _LOW.start)


def _read_boxes(text: Any, indices: Sequence[int]) -> tuple[_Numbers, _Numbers]:
    """The boxes of letters in pt, y up: of the ink (n, 4: left, right, bottom, top), and with the
    free space beside it (n, 4: left, top, right, bottom)."""
    sides, loose = [c_double() for _ in range(4)], pdfium.FS_RECTF()
    ink, room = list[list[float]](), list[list[float]]()
    for index in indices:
        pdfium.FPDFText_GetCharBox(text, index, *sides)
        pdfium.FPDFText_GetLooseCharBox(text, index, loose)
        ink.append([side.value for side in sides])
        room.append([loose.left, loose.top, loose.right, loose.bottom])
    return np.array(ink).reshape(-1, 4), np.array(room).reshape(-1, 4)


def _read_styles(text: Any, indices: Sequence[int]) -> list[_Style]:
    """The styles of letters; those of an object share one."""
    of_last, styles = None, list[_Style]()
    for index in indices:
        thing = cast(pdfium.FPDFText_GetTextObject(text, index), c_void_p).value
        if not thing or thing != of_last:
            of_last, style = thing, _read_style(text, index)
        styles.append(style)
    return styles


def _read_style(text: Any, index: int) -> _Style:
    """The size of a letter in pt, after scaling, and its colour."""
    matrix, colour = pdfium.FS_MATRIX(), [c_uint() for _ in range(4)]
    pdfium.FPDFText_GetMatrix(text, index, matrix)
    size = pdfium.FPDFText_GetFontSize(text, index) * _affine(matrix).enlargement
    pdfium.FPDFText_GetFillColor(text, index, *colour)
    return round(size, 2), Ink(*(part.value for part in colour))


def _to_mm(ink: _Numbers, height: float) -> _Numbers:
    """Boxes (mm, y down) of letters on a page of a height (pt)."""
    left, right, bottom, top = ink.T
    return np.stack([left, height - top, right, height - bottom], axis=1) / PT_PER_MM


def _go_on(styles: Sequence[_Style], room: _Numbers) -> _Flags:
    """Whether each letter and the next one are of one word."""
    is_same = np.fromiter(map(eq, styles, styles[1:]), np.bool_, len(styles) - 1)
    gap = _NEAR * np.array([size for size, _ in styles[:-1]])
    x0, y1, x1, y0 = room[:-1].T
    u0, v1, u1, v0 = room[1:].T
    is_beside = (u0 < u1) & (x0 - gap < u1) & (u0 < x1 + gap)
    is_level = (v0 < v1) & (y0 - gap < v1) & (v0 < y1 + gap)
    goes_on: _Flags = is_same & is_beside & is_level
    return goes_on
