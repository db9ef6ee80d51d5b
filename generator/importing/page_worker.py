"""The worker process of reading.py: reads, paints and cuts up the pages of a PDF of any program."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from math import sqrt
from pathlib import Path

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from lxml import etree
from msgspec import msgpack
from PIL import Image

from generator.basics.geometry import Rect, Size, steady
from generator.basics.units import MM_PER_PT
from generator.basics.workers import serve
from generator.importing.finding import PageInk, find_cards
from generator.importing.reading import CutFace, FaceRequest, OpenedPdf, OpenRequest, PageLook, PageRequest
from generator.importing.scanning import scan_drawing
from generator.importing.tracing import PageTracing

_SMALLEST, _LARGEST = 10.0, 5080.0  # mm, of the sides of a page (ISO 32000-1, annex C.2)
_PIXELS = 4.0  # to a mm, of the picture of a page
_MOST_PIXELS = 6e6
_MOST_FACE_PIXELS = 25e6
_WHITE = (255, 255, 255, 255)
_OWN = "pnp"
_COPY = 1 << 4  # ISO 32000-1, table 22: bit 5
_LOCKED = "it needs a password"
_ENCODED = 3  # compression of PNG


@lru_cache(maxsize=1)
def _open(path: str) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(path)


def _answer(request: OpenRequest | PageRequest | FaceRequest) -> Iterator[bytes]:
    if isinstance(request, OpenRequest):
        yield msgpack.encode(_describe(request.path))
    elif isinstance(request, PageRequest):
        yield msgpack.encode(look(request))
    else:
        yield msgpack.encode(_cut(request))


def _describe(path: str) -> OpenedPdf:
    try:
        document = _open(path)
        count = len(document)
    except pypdfium2.PdfiumError as error:
        is_locked = error.err_code == pdfium.FPDF_ERR_PASSWORD
        return OpenedPdf(fault=_LOCKED if is_locked else "this is not a readable PDF")
    if not count:
        return OpenedPdf(fault="it has no pages")
    says = document.get_metadata_dict()
    is_free = bool(pdfium.FPDF_GetDocPermissions(document) & _COPY)
    return OpenedPdf(count, says["Title"], is_own=says["Creator"] == _OWN, is_free=is_free)


def look(request: PageRequest) -> PageLook:
    """A page as it is asked for."""
    try:
        page = _open(request.path)[request.page]
        width, height = (steady(side * MM_PER_PT) for side in page.get_size())
        if not _SMALLEST <= min(width, height) <= max(width, height) <= _LARGEST:
            return PageLook(fault="its size is not that of a page")
        size = Size(width, height)
        root = _trace(request.path, request.page).root
        shapes = scan_drawing(root, size, _find_trim(page, size))
    except (pypdfium2.PdfiumError, ValueError) as error:
        return PageLook(fault=f"it cannot be read: {error}")
    pixels = min(_PIXELS, sqrt(_MOST_PIXELS / (shapes.size.width * shapes.size.height)))
    picture = _paint(page, Rect(0.0, 0.0, *shapes.size), shapes.size, pixels)
    ink = PageInk(np.asarray(picture.convert("L")), shapes.size)
    found = find_cards(shapes, ink, request.wanted) if ink.total else []
    return PageLook(shapes.size, found, _encode(picture), is_blank=not ink.total)


def _find_trim(page: pypdfium2.PdfPage, size: Size) -> Rect:
    """The page without its bleed (mm), if it is not turned."""
    whole, (left, _, _, top) = Rect(0.0, 0.0, *size), page.get_bbox()
    x0, y0, x1, y1 = page.get_trimbox()
    if page.get_rotation() or (x0, y0, x1, y1) == page.get_mediabox():
        return whole
    return Rect(*(end * MM_PER_PT for end in (x0 - left, top - y1, x1 - left, top - y0))).within(whole)


def _paint(page: pypdfium2.PdfPage, box: Rect, size: Size, pixels: float) -> Image.Image:
    """A picture of a box (mm) of a page of a size, with so many pixels to a mm."""
    width, height = (max(round(side * pixels), 1) for side in (box.width, box.height))
    painted = pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGRx, rev_byteorder=True)
    painted.fill_rect(_WHITE, 0, 0, width, height)
    wide, high = page.get_size()  # differs from the size in mm by a user unit
    across, down = width / box.width * size.width / wide, height / box.height * size.height / high
    x, y = -box.x0 * width / box.width, -box.y0 * height / box.height
    matrix = pdfium.FS_MATRIX(across, 0.0, 0.0, down, x, y)
    clip = pdfium.FS_RECTF(0.0, 0.0, width, height)
    flags = pdfium.FPDF_REVERSE_BYTE_ORDER | pdfium.FPDF_ANNOT
    pdfium.FPDF_RenderPageBitmapWithMatrix(painted, page, matrix, clip, flags)
    image: Image.Image = painted.to_pil()
    return image.convert("RGB")


def _encode(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "PNG", compress_level=_ENCODED)
    return stream.getvalue()


def _cut(request: FaceRequest) -> CutFace:
    """A face as a drawing, or if it cannot be one, as pixels."""
    page = _open(request.path)[request.page]
    box, size = request.box, request.size
    if not request.is_raster:
        with suppress(ValueError, etree.XMLSyntaxError):
            part = _trace(request.path, request.page).cut(box, is_turned=request.is_turned)
            seen = _turn(_paint(page, box, size, _PIXELS), request)
            is_true = len(part.svg) <= request.most_bytes
            if is_true and _trace(request.path, request.page).prints_like(part.svg, seen, box):
                return CutFace(".svg", part.svg, part.key, part.points)
    pixels = min(request.pixels, sqrt(_MOST_FACE_PIXELS / (box.width * box.height)))
    image = _turn(_paint(page, box, size, pixels), request)
    content = _encode(image)
    if len(content) <= request.most_bytes:
        return CutFace(".png", content, content)
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=95, subsampling=0)
    return CutFace(".jpg", stream.getvalue(), stream.getvalue())


@lru_cache(maxsize=1)
def _trace(path: str, page: int) -> PageTracing:
    return PageTracing(Path(path), page, _open(path)[page])


def _turn(image: Image.Image, request: FaceRequest) -> Image.Image:
    return image.transpose(Image.Transpose.ROTATE_180) if request.is_turned else image


if __name__ == "__main__":
    serve(_answer)
