"""Take a proof, make pictures of its faces, and read the contents of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from ctypes import memmove
from math import ceil

import numpy as np
import numpy.typing as npt
import pypdfium2
from PIL import Image

from generator.model.printed import FacePages, PageContents
from generator.pdf.raster.contents import FormContents, contents_of
from generator.pdf.raster.pictures import add, new_bitmap, open_pdf, scale_of, to_rgb

Pixels = npt.NDArray[np.uint8]  # (high, wide, 4): red, green, blue, and a byte without meaning
_Open = Callable[[int], pypdfium2.PdfPage]  # a page by its number
_MOST_KEPT = 150_000_000  # bytes of pictures
_WHITE = (255, 255, 255, 255)


def read_faces(
    pdf: bytes, faces: Sequence[FacePages], dpi: float
) -> Iterator[tuple[Pixels, PageContents]]:
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

    def __init__(
        self, document: pypdfium2.PdfDocument, faces: Sequence[FacePages], dpi: float
    ) -> None:
        self._document, self._scale = document, scale_of(dpi)
        self._beginnings = Counter(part for face in faces for part in _beginnings(face.painted))
        self._readings = Counter(number for face in faces for number in face.read)
        self._pictures: dict[tuple[int, ...], pypdfium2.PdfBitmap] = {}
        self._contents: dict[int, PageContents] = {}
        self._forms: dict[str, FormContents] = {}

    def see(self, face: FacePages) -> tuple[Pixels, PageContents]:
        """The pixels and the contents of a face."""
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
        """The picture of a face."""
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
        kept = sum(len(one.buffer) for one in self._pictures.values())
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
    words = tuple(word for one in contents for word in one.words)
    lines = {line for one in contents for line in one.lines}
    pictures = {dpi for one in contents for dpi in one.pictures}
    return PageContents(words, tuple(sorted(lines)), tuple(sorted(pictures)))
