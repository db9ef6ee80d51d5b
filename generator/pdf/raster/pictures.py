"""PNG pictures of a finished PDF: sheets, faces cut out, an overview of a game.

Also pictures of a sheet without its marks, from its page and pictures of its faces, and pictures of
the backs after a misprint, from pictures of back pages.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import memmove
from functools import lru_cache
from itertools import chain, product, repeat
from math import ceil, hypot, sqrt
from threading import RLock

import pypdfium2
import pypdfium2.raw as pdfium
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont

from generator.art.pixels import save_picture
from generator.basics.geometry import IDENTITY, MM_PER_INCH, PT_PER_MM, Affine, Point, Rect, Size, translation
from generator.basics.shapes import Outline, box_of, carried
from generator.model import Face, Page, Placement, Sheet
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook

TABLE = (238, 236, 231)  # the ground of an overview
_FLAT = (0.25, 0.5, 1.0, 2.0, 4.0)  # the widths of blocks, in their heights
_BROAD = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5)  # the widths of a table, in roots of the blocks' area
_Order = Callable[[int, int], int]  # of the width and the height of a block
_ORDERS: tuple[_Order, ...] = (lambda _, high: high, lambda wide, high: wide * high, max)
_HIGH, _WIDE = 1.1, 1.9  # the widths of a good table, in its heights
_SUPERSAMPLING = 4
_IN_TURN = RLock()  # pdfium is not safe for threads
_HAIR = 1e-5  # of a length: 300.001 pixels are 300, not 301
_TRUE = 1e-3  # pixels by which an edge may miss a whole one
_STRAIGHT = 1e-9
_COMPRESSION = 2  # zlib: 6 takes half as long again and makes sheets 6 % smaller
_BAND = 2**20  # pixels
# The offset of the back, seen from the back, in drifts to the right and down.
_MISPRINTS = (
    ("true", Point(0.0, 0.0)),
    ("up left", Point(-1.0, -1.0)),
    ("up right", Point(1.0, -1.0)),
    ("down left", Point(-1.0, 1.0)),
    ("down right", Point(1.0, 1.0)),
)
_INK = (40, 38, 34)
_TYPE = 3.6  # mm
_LEAST_TYPE = 12  # pixels: smaller type cannot be read
_WHITE = (255, 255, 255)
_HAIR_OF_PIXEL = 1e-3  # pixels: 300.0001 of them are 300, not 301


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
    return Sheet(face.name, face.name, number, total, paper, None, (Page("front", (whole,), (), (), edge, edge),))


def trimmed(face: Face) -> Face:
    """A face without its bleed: no larger than its trim, and without the art that only makes the
    bleed. With mirrored edges, that is most of the work."""
    left, top, right, bottom = face.trim
    by = translation(-left, -top)
    layers = tuple(layer.carried(by) for layer in face.cut_out)
    size, outline = Size(right - left, bottom - top), carried(face.outline, by)
    holes = tuple(carried(hole, by) for hole in face.holes)
    return replace(face, layers=layers, size=size, outline=outline, holes=holes)


@contextmanager
def open_pdf(pdf: bytes) -> Iterator[pypdfium2.PdfDocument]:
    """Open a PDF to read it, in one thread at a time."""
    with _IN_TURN, pypdfium2.PdfDocument(pdf) as document:
        yield document


def rasterise(pdf: bytes, dpi: float) -> list[Image.Image]:
    """A picture of every page; lengths are rounded up to whole pixels."""
    return list(rasterise_each(pdf, dpi))


def rasterise_each(pdf: bytes, dpi: float, grounds: Iterable[Image.Image | None] = ()) -> Iterator[Image.Image]:
    """Like `rasterise`, but yield each picture as soon as it is made. A page that has one of
    `grounds` is painted onto that, the others onto white."""
    with open_pdf(pdf) as document:
        for page, ground in zip(document, chain(grounds, repeat(None)), strict=False):
            if ground is not None:
                yield paint_on(page, ground)
            else:  # pdfium paints faster with a fourth byte to each pixel
                yield to_rgb(page.render(scale=scale_of(dpi), rev_byteorder=True, prefer_bgrx=True))


def paint_bands(pdf: bytes, dpi: float) -> Iterator[Iterator[Image.Image]]:
    """The pixels of each page from top to bottom, in pictures of a few megabytes however large the paper is."""
    with open_pdf(pdf) as document:
        for page in document:
            yield _paint_bands(page, dpi)


def _paint_bands(page: pypdfium2.PdfPage, dpi: float) -> Iterator[Image.Image]:
    width, height = (ceil(length * scale_of(dpi)) for length in page.get_size())
    high = max(1, _BAND // width)
    for top in range(0, height, high):
        painted = new_bitmap(width, min(high, height - top))
        painted.fill_rect((255, 255, 255, 255), 0, 0, painted.width, painted.height)
        size = 0, -top, width, height
        pdfium.FPDF_RenderPageBitmap(painted, page, *size, 0, pdfium.FPDF_REVERSE_BYTE_ORDER)
        yield to_rgb(painted)


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
        """The area of the table, increased if it is high or very wide."""
        ratio = self.width / self.height
        return self.width * self.height * (1 + max(_HIGH - ratio, ratio - _WIDE, 0.0))


def _arrange(
    groups: Sequence[Sequence[Image.Image]], gap: int, flatness: float, breadth: float, order: _Order
) -> _Packing:
    """Put each block as high as it goes on a table that is about as wide as `breadth` says."""
    columns = [_columns(faces, gap, flatness) for faces in groups]
    sizes = [_extent(faces, count, gap) for faces, count in zip(groups, columns, strict=True)]
    area = sum(width * height for width, height in sizes)
    room = max(*(width for width, _ in sizes), ceil(sqrt(area) * breadth))
    places: dict[int, tuple[int, int]] = {}
    for index in sorted(range(len(sizes)), key=lambda name: -order(*sizes[name])):
        taken = [(*places[place], *sizes[place]) for place in places]
        places[index] = _find_room(sizes[index], taken, room)
    right = max(x + sizes[name][0] for name, (x, _) in places.items())
    low = max(y + sizes[name][1] for name, (_, y) in places.items())
    return _Packing(right + gap, low + gap, columns, [places[number] for number in range(len(sizes))])


def _find_room(size: tuple[int, int], taken: Sequence[tuple[int, int, int, int]], room: int) -> tuple[int, int]:
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


def lay(page: Page, paper: Size, pictures: Mapping[str, Image.Image], dpi: float) -> Image.Image | None:
    """The picture of a page of a size (mm), of those of its whole faces by their ids. None if one
    has no picture, or does not lie upright and in its size on whole pixels."""
    if page.correction != IDENTITY or not page.placements:
        return None
    laid = Image.new("RGB", pixels_of(paper, dpi), "white")
    for placed in page.placements:
        image, box = pictures.get(placed.face), _find_pixels(placed, paper, dpi)
        if image is None or box is None or image.size != (box[2] - box[0], box[3] - box[1]):
            return None
        laid.paste(image, box)
    return laid


def _find_pixels(placed: Placement, paper: Size, dpi: float) -> tuple[int, int, int, int] | None:
    """The pixels that a face covers; None if it is turned or scaled, or cuts some in two."""
    turned = (one - other for one, other in zip(placed.affine[:4], IDENTITY[:4], strict=True))
    if max(map(abs, turned)) > _STRAIGHT:
        return None
    box, scale = box_of(placed.clip), dpi / MM_PER_INCH
    if max(abs(x - y) for x, y in zip(box, Rect(0.0, 0.0, *paper), strict=True)) < _STRAIGHT:
        return (0, 0, *pixels_of(paper, dpi))
    lengths = [length * scale for length in (*box, *paper)]  # pages have a whole number of pixels
    if any(abs(length - round(length)) > _TRUE for length in lengths):
        return None
    x0, y0, x1, y1 = map(round, lengths[:4])
    return x0, y0, x1, y1


def encode(image: Image.Image, dpi: float) -> bytes:
    """The file of an RGB or RGBA picture."""
    return save_picture(image, "PNG", compress_level=_COMPRESSION, dpi=(dpi, dpi))


class DriftRow(Struct, frozen=True):
    """The views of one back side by side, with its component and piece."""

    component: str
    piece: str
    views: tuple[Image.Image, ...]  # in the order of _MISPRINTS
    picture: Image.Image


def drift_backs(
    pages: Sequence[tuple[Sheet, Page]],
    images: Sequence[Image.Image],
    faces: Mapping[str, Face],
    drift: float,
    dpi: float,
) -> Iterator[DriftRow]:
    """Views of every distinct back, at its place and `drift` mm off along both axes.

    `images` are the pages at `dpi`; `faces` are by id. Pieces with the same back are shown by the
    first of them, although the others have different neighbours, which may show at their edges.
    """
    font = _font(dpi)
    found: dict[str, list[_PlacedBack]] = {}
    for (sheet, page), image in zip(pages, images, strict=True):
        for placement in page.placements if page.side == "back" else ():
            found.setdefault(placement.face, []).append(_PlacedBack(sheet, page, placement, image))
    for id_, backs in found.items():
        first, face = backs[0], faces[id_]
        # a piece in panels is all of them
        panels = {back.placement.panel.name: back for back in backs if back.placement.panel}
        place = first.placement.affine
        off = drift / hypot(place.a, place.b)  # pieces may be scaled
        views = tuple(
            _view([*panels.values()] or [first], face, Point(x * off, y * off), dpi) for _, (x, y) in _MISPRINTS
        )
        piece = first.placement.piece
        captions = [f"{piece}: true", *(name for name, _ in _MISPRINTS[1:])]
        yield DriftRow(first.sheet.component, piece, views, _row(views, captions, font, dpi))


class _PlacedBack(Struct, frozen=True):
    """A back, or a panel of one, on the picture of its page."""

    sheet: Sheet
    page: Page
    placement: Placement
    image: Image.Image

    @property
    def to_image(self) -> Affine:
        """Map the face to the picture, which is stretched to a whole number of pixels."""
        (width, height), paper = self.image.size, self.sheet.paper
        stretch = Affine(a=width / paper.width, d=height / paper.height)
        return stretch @ self.page.correction @ self.placement.affine

    def part_of(self, face: Face) -> Rect:
        """The part of a face that is seen here: all of it, or what no other panel covers."""
        panel, trim = self.placement.panel, face.trim
        if panel is None:
            return trim
        x0, y0, x1, y1 = panel.seen_behind
        return Rect(trim.x1 - x1, trim.y0 + y0, trim.x1 - x0, trim.y0 + y1)


def _view(backs: Sequence[_PlacedBack], face: Face, off: Point, dpi: float) -> Image.Image:
    """Cut a face, or its panels, out of pages that are `off` mm, and turn it upright. Panels beside
    one another are off in opposite directions, so that each joint shows the largest error."""
    scale, trim = dpi / MM_PER_INCH, face.trim
    size = ceil(trim.width * scale - _HAIR_OF_PIXEL), ceil(trim.height * scale - _HAIR_OF_PIXEL)
    whole = Image.new("RGB", size, _WHITE)
    for back in backs:
        panel, part = back.placement.panel, back.part_of(face)
        way = -1.0 if panel and (ord(panel.name[0]) + int(panel.name[1:])) % 2 else 1.0
        x, y = round((part.x0 - trim.x0) * scale), round((part.y0 - trim.y0) * scale)
        place = back.to_image @ translation(-off.x * way, -off.y * way)
        corner = trim.x0 + x / scale, trim.y0 + y / scale
        a, b, c, d, e, f = place @ Affine(1 / scale, 0.0, 0.0, 1 / scale, *corner)
        right, foot = (part.x1 - trim.x0) * scale, (part.y1 - trim.y0) * scale
        moved = back.image.transform(
            (ceil(right - _HAIR_OF_PIXEL) - x, ceil(foot - _HAIR_OF_PIXEL) - y),
            Image.Transform.AFFINE,
            (a, c, e, b, d, f),
            Image.Resampling.BICUBIC,
            fillcolor=_WHITE,
        )
        whole.paste(moved, (x, y))
    return cut_out(whole, face, dpi)


def _font(dpi: float) -> ImageFont.FreeTypeFont:
    path = FontBook([HOUSE_FONTS]).find(HOUSE_FAMILY).path
    return ImageFont.truetype(str(path), max(round(_TYPE * dpi / MM_PER_INCH), _LEAST_TYPE))


def _row(
    views: Sequence[Image.Image], captions: Sequence[str], font: ImageFont.FreeTypeFont, dpi: float
) -> Image.Image:
    """Views in a row on the table, each with its caption below."""
    gap = round(3 * dpi / MM_PER_INCH)
    ascent, descent = font.getmetrics()
    widths = [max(view.width, ceil(font.getlength(caption))) for view, caption in zip(views, captions, strict=True)]
    height = views[0].height
    size = sum(widths) + gap * (len(widths) + 1), height + gap + ascent + descent + gap // 2
    row = Image.new("RGBA", size, TABLE)
    draw, x = ImageDraw.Draw(row), gap
    for view, caption, width in zip(views, captions, widths, strict=True):
        row.paste(view, (x + (width - view.width) // 2, gap), view)
        draw.text((x + width / 2, gap + height + gap // 4), caption, _INK, font, anchor="ma")
        x += width + gap
    return row
