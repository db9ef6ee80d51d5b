"""Take a finished PDF, make PNG pictures: sheets, faces cut out, an overview of a game."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import memmove
from functools import lru_cache
from itertools import chain, product, repeat
from math import ceil, sqrt
from threading import RLock

import pypdfium2
import pypdfium2.raw as pdfium
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw

from generator.basics.geometry import Point, Rect, Size, translation
from generator.basics.outlines import Outline, carried
from generator.basics.units import MM_PER_INCH, PT_PER_MM
from generator.model import Face, Page, Placement, Sheet

TABLE = (238, 236, 231)  # the ground of an overview
_FLAT = (0.25, 0.5, 1.0, 2.0, 4.0)  # the widths of blocks, in their heights
_BROAD = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5)  # the widths of a table, in roots of the blocks' area
_Order = Callable[[int, int], int]  # of the width and the height of a block
_ORDERS: tuple[_Order, ...] = (lambda _, high: high, lambda wide, high: wide * high, max)
_HIGH, _WIDE = 1.1, 1.9  # the widths of a good table, in its heights
_SUPERSAMPLING = 4
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


def trimmed(face: Face) -> Face:
    """A face without its bleed: no larger than its trim."""
    left, top, right, bottom = face.trim
    by = translation(-left, -top)
    layers = tuple(
        one._replace(motion=by @ one.motion, clip=one.clip and carried(one.clip, by))
        for one in face.layers
    )
    size, outline = Size(right - left, bottom - top), carried(face.outline, by)
    return replace(face, layers=layers, size=size, outline=outline)


@contextmanager
def open_pdf(pdf: bytes) -> Iterator[pypdfium2.PdfDocument]:
    """Open a PDF to read it, in one thread at a time."""
    with _IN_TURN, pypdfium2.PdfDocument(pdf) as document:
        yield document


def rasterise(pdf: bytes, dpi: float) -> list[Image.Image]:
    """A picture of every page; lengths are rounded up to whole pixels."""
    return list(rasterise_each(pdf, dpi))


def rasterise_each(
    pdf: bytes, dpi: float, grounds: Iterable[Image.Image | None] = ()
) -> Iterator[Image.Image]:
    """Like `rasterise`, but yield each picture as soon as it is made. A page that has one of
    `grounds` is painted onto that, the others onto white."""
    with open_pdf(pdf) as document:
        for page, ground in zip(document, chain(grounds, repeat(None)), strict=False):
            yield to_rgb(_paint(page, dpi)) if ground is None else paint_on(page, ground)


def rasterise_as_jpegs(pdf: bytes, dpi: float, quality: int) -> Iterator[bytes]:
    """Like `rasterise_each`, but yield JPEGs of a quality (percent)."""
    with open_pdf(pdf) as document:
        for page in document:
            painted, file = _paint(page, dpi), io.BytesIO()
            painted.to_pil().save(file, "JPEG", quality=quality, subsampling=0)
            yield file.getvalue()


def _paint(page: pypdfium2.PdfPage, dpi: float) -> pypdfium2.PdfBitmap:
    """The pixels of a page; pdfium paints faster with a fourth byte to each."""
    return page.render(scale=scale_of(dpi), rev_byteorder=True, prefer_bgrx=True)


def paint_on(page: pypdfium2.PdfPage, ground: Image.Image) -> Image.Image:
    """A picture of a page on one that lies below it, of the same size."""
    width, height = ground.size
    painted = new_bitmap(width, height)
    memmove(painted.buffer, ground.tobytes("raw", "RGBX"), 4 * width * height)
    add(page, painted)
    return to_rgb(painted)


def to_rgb(painted: pypdfium2.PdfBitmap) -> Image.Image:
    image: Image.Image = painted.to_pil()
    return image.convert("RGB")


def new_bitmap(width: int, height: int) -> pypdfium2.PdfBitmap:
    """Room for a picture: red, green, blue, and a byte without meaning."""
    return pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGRx, rev_byteorder=True)


def add(page: pypdfium2.PdfPage, picture: pypdfium2.PdfBitmap) -> None:
    """Paint a page onto a picture."""
    size = picture.width, picture.height
    pdfium.FPDF_RenderPageBitmap(picture, page, 0, 0, *size, 0, pdfium.FPDF_REVERSE_BYTE_ORDER)


def pixels_of(size: Size, dpi: float) -> tuple[int, int]:
    """The pixels of a page of a size (mm)."""
    width, height = (ceil(length * PT_PER_MM * scale_of(dpi)) for length in size)
    return width, height


def scale_of(dpi: float) -> float:
    """Pixels to a point of a page."""
    return dpi / 72 * (1 - _HAIR)


def cut_out(image: Image.Image, face: Face, dpi: float) -> Image.Image:
    """A picture of a face's trim box, transparent outside the cut piece."""
    left, top = face.trim[:2]
    return cut_along(image, [[Point(x - left, y - top) for x, y in face.cut]], dpi)


def cut_along(image: Image.Image, outlines: Iterable[Sequence[Point]], dpi: float) -> Image.Image:
    """A picture, transparent outside outlines in mm from its top left."""
    cut = image.convert("RGBA")
    cut.putalpha(_mask(image.size, tuple(map(tuple, outlines)), dpi))
    return cut


@lru_cache(maxsize=4)  # the pieces of a component are cut alike
def _mask(size: tuple[int, int], outlines: tuple[Outline, ...], dpi: float) -> Image.Image:
    """White within the outlines, in grey as far as a pixel is."""
    scale = dpi / MM_PER_INCH * _SUPERSAMPLING
    mask = Image.new("L", (size[0] * _SUPERSAMPLING, size[1] * _SUPERSAMPLING), 0)
    for outline in outlines:
        corners = [(x * scale - 0.5, y * scale - 0.5) for x, y in outline]
        ImageDraw.Draw(mask).polygon(corners, 255)
    return mask.resize(size, Image.Resampling.BOX)


def overview(rows: Iterable[Sequence[Image.Image]], dpi: float) -> Image.Image:
    """Each group of faces as a block, the blocks close together on a table."""
    gap = round(3 * dpi / MM_PER_INCH)
    groups = [faces for faces in rows if faces]
    tables = (_arrange(groups, gap, *choice) for choice in product(_FLAT, _BROAD, _ORDERS))
    best = min(tables, key=lambda table: table.waste)
    picture = Image.new("RGB", (best.width, best.height), TABLE)
    for faces, columns, (x, y) in zip(groups, best.columns, best.places, strict=True):
        picture.paste(_block(faces, columns, gap), (x, y))
    return picture


class _Packing(Struct, frozen=True):
    """Blocks on a table, in pixels: the columns of each and its place."""

    width: int
    height: int
    columns: list[int]
    places: list[tuple[int, int]]

    @property
    def waste(self) -> float:
        """Its area, more if it is high or very wide."""
        ratio = self.width / self.height
        return self.width * self.height * (1 + max(_HIGH - ratio, ratio - _WIDE, 0.0))


def _arrange(
    groups: Sequence[Sequence[Image.Image]],
    gap: int,
    flatness: float,
    breadth: float,
    order: _Order,
) -> _Packing:
    """Put each block as high as it goes on a table that is about as wide as `breadth` says."""
    columns = [_columns(faces, gap, flatness) for faces in groups]
    sizes = [_extent(faces, count, gap) for faces, count in zip(groups, columns, strict=True)]
    area = sum(width * height for width, height in sizes)
    room = max(*(width for width, _ in sizes), ceil(sqrt(area) * breadth))
    places: dict[int, tuple[int, int]] = {}
    for index in sorted(range(len(sizes)), key=lambda one: -order(*sizes[one])):
        taken = [(*places[one], *sizes[one]) for one in places]
        places[index] = _find_room(sizes[index], taken, room)
    right = max(x + sizes[one][0] for one, (x, _) in places.items())
    low = max(y + sizes[one][1] for one, (_, y) in places.items())
    return _Packing(right + gap, low + gap, columns, [places[one] for one in range(len(sizes))])


def _find_room(
    size: tuple[int, int], taken: Sequence[tuple[int, int, int, int]], room: int
) -> tuple[int, int]:
    """The highest free place, of these the leftmost."""
    width, _ = size

    def top(left: int) -> int:
        under = (y + h for x, y, w, h in taken if x < left + width and left < x + w)
        return max(under, default=0)

    lefts = {0, *(x + w for x, _, w, _ in taken)}
    return min(((left, top(left)) for left in lefts if left + width <= room), key=lambda p: p[::-1])


def _columns(faces: Sequence[Image.Image], gap: int, flatness: float) -> int:
    """The columns of a block that is about as flat as asked for."""
    width, height = _cell(faces, gap)
    wide = ceil(sqrt(len(faces) * flatness * height / width))
    candidates = range(max(wide - 2, 1), wide + 2)  # chooses the one with the fullest last row
    return min(candidates, key=lambda count: (-len(faces) % count, abs(count - wide), -count))


def _cell(faces: Sequence[Image.Image], gap: int) -> tuple[int, int]:
    width, height = (max(sides) + gap for sides in zip(*(face.size for face in faces), strict=True))
    return width, height


def _extent(faces: Sequence[Image.Image], columns: int, gap: int) -> tuple[int, int]:
    """The size of a block, with a gap on one side of each face."""
    width, height = _cell(faces, gap)
    return min(columns, len(faces)) * width, -(-len(faces) // columns) * height


def _block(faces: Sequence[Image.Image], columns: int, gap: int) -> Image.Image:
    width, height = _cell(faces, gap)
    wide, high = _extent(faces, columns, gap)
    block = Image.new("RGB", (wide + gap, high + gap), TABLE)
    for index, face in enumerate(faces):
        row, column = divmod(index, columns)
        block.paste(face, (gap + column * width, gap + row * height), face)
    return block
