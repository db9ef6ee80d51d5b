"""Take a page of a PDF, make its words: their letters, size and ink as printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, pairwise
from math import sqrt
from operator import eq

import numpy as np
import numpy.typing as npt
import pypdfium2

from generator.basics.geometry import Rect
from generator.basics.units import PT_PER_MM
from generator.model.printed import Ink, PrintedWord
from generator.pdf.raster import calls
from generator.pdf.raster.calls import Handle, addresses_of, handle_of

_NEAR = 0.1  # em between letters of a word: a wider gap is a space, even if the file has none
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)  # the first and second halves of pairs
_FEW = 500  # letters of a page

_Style = tuple[float, Ink]  # the size of a letter in pt, and its colour
_Numbers = npt.NDArray[np.float64]
_Flags = npt.NDArray[np.bool_]


def words_of(page: pypdfium2.PdfPage) -> Iterator[PrintedWord]:
    """Words: runs of adjacent letters of one size and colour, in the order of the file."""
    page_text = page.get_textpage()
    text = handle_of(page_text.raw)
    letters = list(_characters(text))
    ink, room = _READER.boxes(text, [index for index, _ in letters])
    is_seen = (ink[:, 0] < ink[:, 1]) & (ink[:, 2] < ink[:, 3])
    if not is_seen.all():
        letters, ink, room = list(compress(letters, is_seen)), ink[is_seen], room[is_seen]
    if not letters:
        return
    styles = _READER.styles(text, [index for index, _ in letters])
    boxes = list(map(Rect._make, _to_mm(ink, page.get_height()).tolist()))
    ends = np.flatnonzero(~_go_on(styles, room)) + 1
    for start, end in pairwise([0, *ends.tolist(), len(letters)]):
        characters = "".join([character for _, character in letters[start:end]])
        yield PrintedWord(characters, *styles[start], tuple(boxes[start:end]))


def _characters(text: Handle) -> Iterator[tuple[int, str]]:
    """The characters of a text that are not spaces, each with its index. pdfium parts those beyond
    U+FFFF into two of the same box, as UTF-16 does."""
    codes = [calls.get_character(text, index) for index in range(calls.count_characters(text))]
    for index, code in enumerate(codes):
        if code < _HIGH.start or code >= _LOW.stop:
            character = chr(code)
            if not character.isspace():
                yield index, character
        elif code in _LOW and index and codes[index - 1] in _HIGH:
            high = codes[index - 1] - _HIGH.start
            yield index, chr(0x10000 + high * len(_LOW) + code - _LOW.start)


class _PageLetterReader:
    """Asks pdfium about letters by their index. A page may have thousands, so the buffers for the
    answers, and the addresses in them, are made once: one thread at a time uses pdfium."""

    def __init__(self) -> None:
        self._matrix, self._colour = np.empty(6, np.float32), np.empty(4, np.uint32)
        self._to_matrix, *_ = addresses_of(self._matrix)
        self._to_colour = addresses_of(self._colour)
        self._make_room(_FEW)

    def _make_room(self, count: int) -> None:
        self._ink, self._room = np.empty((count, 4)), np.empty((count, 4), np.float32)
        to_ink, to_room = addresses_of(self._ink), addresses_of(self._room)
        self._to_ink = [to_ink[start : start + 4] for start in range(0, len(to_ink), 4)]
        self._to_room = to_room[::4]

    def boxes(self, text: Handle, indices: Sequence[int]) -> tuple[_Numbers, _Numbers]:
        """The boxes of letters in pt, y up: of the ink (n, 4: left, right, bottom, top), and with
        the free space beside it (n, 4: left, top, right, bottom)."""
        count = len(indices)
        if count > len(self._to_ink):
            self._make_room(2 * count)
        for index, to_ink, to_room in zip(indices, self._to_ink, self._to_room, strict=False):
            calls.get_character_box(text, index, *to_ink)
            calls.get_loose_box(text, index, to_room)
        return self._ink[:count].copy(), self._room[:count].astype(np.float64)

    def styles(self, text: Handle, indices: Sequence[int]) -> list[_Style]:
        """The styles of letters; those of an object share one."""
        of_last, styles = None, list[_Style]()
        for index in indices:
            thing = calls.get_text_object(text, index)
            if not thing or thing != of_last:
                of_last, style = thing, self._style(text, index)
            styles.append(style)
        return styles

    def _style(self, text: Handle, index: int) -> _Style:
        """The size of a letter in pt, after scaling, and its colour."""
        calls.get_character_matrix(text, index, self._to_matrix)
        size = calls.get_font_size(text, index) * enlargement(self._matrix.tolist())
        calls.get_fill_colour(text, index, *self._to_colour)
        return round(size, 2), Ink(*self._colour.tolist())


_READER = _PageLetterReader()


def enlargement(affine: Sequence[float]) -> float:
    """The factor by which a map enlarges lengths."""
    a, b, c, d, _, _ = affine
    return sqrt(abs(a * d - b * c))


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
