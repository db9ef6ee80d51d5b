"""Take a finished PDF, make PNG pictures: sheets, faces cut out, an overview of a game."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import ceil, sqrt
from threading import RLock

import pypdfium2
from PIL import Image, ImageDraw

from generator.geometry import Rect, Size, translation
from generator.model import Face, Page, Placement, Sheet
from generator.units import MM_PER_INCH

TABLE = (238, 236, 231)  # the ground of an overview
_SUPERSAMPLING = 4
_COMPRESSION = 3  # zlib: as small as 9 on faces and sheets, in a fifth of the time
_IN_TURN = RLock()  # pdfium is not safe for threads
_HAIR = 1e-5  # of a length: 300.001 pixels are 300, not 301


def face_sheets(faces: Sequence[Face], *, is_bled: bool = False) -> list[Sheet]:
    """A page for each face, of the size of its trim, or `is_bled`, of its bleed box."""
    total = len(faces)
    return [_face_sheet(face, number, total, is_bled) for number, face in enumerate(faces, 1)]


def _face_sheet(face: Face, number: int, total: int, is_bled: bool) -> Sheet:
    area = Rect(0.0, 0.0, *face.size) if is_bled else face.trim
    paper = Size(area.width, area.height)
    edge = Rect(0.0, 0.0, *paper)
    place = translation(-area.x0, -area.y0)
    whole = Placement(face.id, face.name, place, edge.corners())
    page = Page("front", (whole,), (), (), edge, edge)
    return Sheet(face.name, face.name, number, total, paper, None, (page,))


@contextmanager
def open_pdf(pdf: bytes) -> Iterator[pypdfium2.PdfDocument]:
    """Open a PDF to read it, in one thread at a time."""
    with _IN_TURN, pypdfium2.PdfDocument(pdf) as document:
        yield document


def rasterise(pdf: bytes, dpi: float) -> list[Image.Image]:
    """A picture of every page; lengths are rounded up to whole pixels."""
    return list(rasterise_each(pdf, dpi))


def rasterise_each(pdf: bytes, dpi: float) -> Iterator[Image.Image]:
    """Like `rasterise`, but yield each picture as soon as it is made."""
    with open_pdf(pdf) as document:
        for page in document:
            yield picture(page, dpi)


def picture(page: pypdfium2.PdfPage, dpi: float) -> Image.Image:
    image: Image.Image = page.render(scale=scale_of(dpi)).to_pil().convert("RGB")
    return image


def scale_of(dpi: float) -> float:
    """Pixels to a point of a page."""
    return dpi / 72 * (1 - _HAIR)


def cut_out(image: Image.Image, face: Face, dpi: float) -> Image.Image:
    """A picture of a face's trim box, transparent outside the cut piece."""
    trim, scale = face.trim, dpi / MM_PER_INCH * _SUPERSAMPLING
    corners = [((x - trim.x0) * scale - 0.5, (y - trim.y0) * scale - 0.5) for x, y in face.cut]
    mask = Image.new("L", (image.width * _SUPERSAMPLING, image.height * _SUPERSAMPLING), 0)
    ImageDraw.Draw(mask).polygon(corners, 255)
    cut = image.convert("RGBA")
    cut.putalpha(mask.resize(image.size, Image.Resampling.BOX))
    return cut


def overview(rows: Iterable[Sequence[Image.Image]], dpi: float) -> Image.Image:
    """Each group of faces as a block, on a table as wide as the widest block."""
    gap = round(3 * dpi / MM_PER_INCH)
    blocks = [_block(faces, gap) for faces in rows if faces]
    width = max(block.width for block in blocks)
    places, x, y, below = [], 0, 0, 0
    for block in blocks:
        if x + block.width > width:
            x, y = 0, below
        places.append((x, y))
        x += block.width - gap
        below = max(below, y + block.height - gap)
    table = Image.new("RGB", (width, below + gap), TABLE)
    for block, place in zip(blocks, places, strict=True):
        table.paste(block, place)
    return table


def _block(faces: Sequence[Image.Image], gap: int) -> Image.Image:
    width, height = (max(sides) + gap for sides in zip(*(face.size for face in faces), strict=True))
    wide = ceil(sqrt(len(faces) * 2 * height / width))
    candidates = range(max(wide - 2, 1), wide + 2)  # chooses the one with the fullest last row
    columns = min(candidates, key=lambda count: (-len(faces) % count, abs(count - wide), -count))
    rows = -(-len(faces) // columns)
    block = Image.new("RGB", (columns * width + gap, rows * height + gap), TABLE)
    for index, face in enumerate(faces):
        row, column = divmod(index, columns)
        block.paste(face, (gap + column * width, gap + row * height), face)
    return block


def encode(image: Image.Image, dpi: float) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=_COMPRESSION, dpi=(dpi, dpi))
    return buffer.getvalue()
