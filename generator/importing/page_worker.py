"""The worker process of reading.py: reads, paints and cuts up the pages of a PDF of any program."""

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from ctypes import byref, c_double
from functools import lru_cache
from math import sqrt

import numpy as np
import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from lxml import etree
from msgspec import msgpack
from PIL import Image

from generator.basics.files import MEGABYTE
from generator.basics.geometry import Point, Rect, Size, steady
from generator.basics.shapes import box_of
from generator.basics.units import MM_PER_PT
from generator.basics.workers import serve
from generator.importing.finding import PageInk, find_cards, share_apart
from generator.importing.pruning import PageMark, add_part, read_marks
from generator.importing.reading import CutFace, FaceRequest, OpenedPdf, PageLook, PageRequest
from generator.importing.scanning import scan_drawing
from generator.pdf.page_worker import STRANGE, PdfFile

_SMALLEST, _LARGEST = 10.0, 5080.0  # mm, of the sides of a page (ISO 32000-1, annex C.2)
_PIXELS = 4.0  # to a mm, of the picture of a page
_MOST_PIXELS = 6e6
_MOST_FACE_PIXELS = 25e6
_MOST_BYTES = 3_500_000  # of a face of pixels; a picture of a game has 4 MB
_PIXELS_OF_PICTURE = re.compile(rb"data:image/\w+;base64,[^\"]*")
_MOST_DRAWN = 48 * MEGABYTE  # of the drawing of a page: reading it takes twenty times as much memory
_WHITE = (255, 255, 255, 255)
_OWN = "pnp"
_ENCODED = 3  # compression of PNG
_MOST_MARKED = 0.004  # of the pixels of a face, that differ from all next to them in the page
_STARK = 48  # levels of grey
_FINE = 1 << 24  # steps of a page


_open = lru_cache(maxsize=1)(PdfFile)


@lru_cache(maxsize=2)  # a sheet and its backs
def _open_page(path: str, number: int) -> pypdfium2.PdfPage:
    return _open(path).document[number]


def _answer(request: str | PageRequest | FaceRequest | Sequence[FaceRequest]) -> Iterator[bytes]:
    if isinstance(request, str):
        yield msgpack.encode(_describe(request))
    elif isinstance(request, PageRequest):
        yield msgpack.encode(look(request))
    elif isinstance(request, FaceRequest):
        yield msgpack.encode(_cut(request))
    else:
        yield bind(request)[1]


def _describe(path: str) -> OpenedPdf:
    try:
        file = _open(path)
    except pikepdf.PasswordError:
        return OpenedPdf(fault="it needs a password")
    except STRANGE:
        return OpenedPdf(fault="this is not a readable PDF")
    says = file.document.get_metadata_dict()
    return OpenedPdf(len(file.document), says["Title"], is_own=says["Creator"] == _OWN, is_free=file.pdf.allow.extract)


def look(request: PageRequest) -> PageLook:
    """A page as it is asked for."""
    try:
        page = _open_page(request.path, request.page)
        width, height = (steady(side * MM_PER_PT) for side in page.get_size())
        if not _SMALLEST <= min(width, height) <= max(width, height) <= _LARGEST:
            return PageLook(fault="its size is not that of a page")
        size = Size(width, height)
        drawing = _PIXELS_OF_PICTURE.sub(b"", _open(request.path).trace(request.page))
        if len(drawing) > _MOST_DRAWN:
            raise ValueError("too much is drawn on it")
        # typst has written it, so nothing in it is hostile
        root = etree.fromstring(drawing, etree.XMLParser(resolve_entities=False, huge_tree=True))
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


def _paint(page: pypdfium2.PdfPage, box: Rect, size: Size, pixels: float, *, is_turned: bool = False) -> Image.Image:
    """A picture of a box (mm) of a page of a size, with so many pixels to a mm, or upside down."""
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
    image: Image.Image = painted.to_pil().convert("RGB")
    return image.transpose(Image.Transpose.ROTATE_180) if is_turned else image


def _encode(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "PNG", compress_level=_ENCODED)
    return stream.getvalue()


def _cut(request: FaceRequest) -> CutFace:
    """A face as a page, or if it cannot be one, as pixels."""
    page = _open_page(request.path, request.page)
    if not request.is_raster:
        with suppress(*STRANGE):
            return _prune(request, page)
    pixels = min(request.pixels, sqrt(_MOST_FACE_PIXELS / (request.box.width * request.box.height)))
    image = _paint(page, request.box, request.size, pixels, is_turned=request.is_turned)
    content = _encode(image)
    if len(content) <= _MOST_BYTES:
        return CutFace(".png", content, content)
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=95, subsampling=0)
    return CutFace(".jpg", stream.getvalue(), stream.getvalue())


def _prune(request: FaceRequest, page: pypdfium2.PdfPage) -> CutFace:
    """A face as a page. Raises ValueError if that does not print like it."""
    shown, content = bind([request])
    seen = np.asarray(_paint(page, request.box, request.size, _PIXELS, is_turned=request.is_turned))
    with pypdfium2.PdfDocument(content) as alone:
        size = Size(request.box.width, request.box.height)
        printed = np.asarray(_paint(alone[0], Rect(0.0, 0.0, *size), size, _PIXELS))
    if share_apart(seen, printed, _STARK) > _MOST_MARKED:
        raise ValueError("the page does not print like the face")
    return CutFace(".pdf", content, "\n".join((str(seen.shape), *shown)).encode(), seen.tobytes(), seen.shape)


def bind(faces: Sequence[FaceRequest]) -> tuple[list[str], bytes]:
    """A PDF with a page of each face, and what the last shows. Raises ValueError."""
    alone, saved, shown = pikepdf.new(), io.BytesIO(), []
    numbers = list(dict.fromkeys(face.page for face in faces))
    alone.pages.extend(_open(faces[0].path).pdf.pages[number] for number in numbers)  # whole
    for face in faces:
        marks, box = _read(face.path, face.page), _to_points(_open_page(face.path, face.page), face)
        shown = add_part(alone, alone.pages[numbers.index(face.page)], marks, box, 180 if face.is_turned else 0)
    del alone.pages[: len(numbers)]
    alone.save(saved, static_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return shown, saved.getvalue()


@lru_cache(maxsize=2)
def _read(path: str, page: int) -> list[PageMark]:
    return read_marks(_open(path).pdf.pages[page], _open_page(path, page))


def _to_points(page: pypdfium2.PdfPage, face: FaceRequest) -> Rect:
    """The box of a face in points of its page, upwards."""
    corners = []
    for x, y in face.box.corners():
        across, down = c_double(), c_double()
        at = round(x / face.size.width * _FINE), round(y / face.size.height * _FINE)
        pdfium.FPDF_DeviceToPage(page, 0, 0, _FINE, _FINE, 0, *at, byref(across), byref(down))
        corners.append(Point(across.value, down.value))
    return box_of(corners)


if __name__ == "__main__":
    serve(_answer)
