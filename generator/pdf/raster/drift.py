"""Take pictures of back pages, make pictures of the backs after a misprint.

A printer shifts the whole back page a little, and pieces are cut along the front's marks. So each
back is cut out of its page at a shifted place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, hypot

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

from generator.basics.geometry import Affine, Point, translation
from generator.basics.units import MM_PER_INCH
from generator.model import Face, Page, Sheet
from generator.pdf.raster.pictures import TABLE, cut_out
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook

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
_HAIR = 1e-3  # pixels: 300.0001 of them are 300, not 301


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
    finished: set[str] = set()
    font = _font(dpi)
    for (sheet, page), image in zip(pages, images, strict=True):
        for placement in page.placements if page.side == "back" else ():
            if placement.face in finished:
                continue
            finished.add(placement.face)
            face = faces[placement.face]
            # pages are stretched to a whole number of pixels
            to_image = Affine(
                a=image.width / sheet.paper.width, d=image.height / sheet.paper.height
            )
            to_image = to_image @ page.correction @ placement.affine
            off = drift / hypot(placement.affine.a, placement.affine.b)  # pieces may be scaled
            views = tuple(
                _view(image, to_image @ translation(-x * off, -y * off), face, dpi)
                for _, (x, y) in _MISPRINTS
            )
            captions = [f"{placement.piece}: true", *(name for name, _ in _MISPRINTS[1:])]
            picture = _row(views, captions, font, dpi)
            yield DriftRow(sheet.component, placement.piece, views, picture)


def _view(image: Image.Image, to_image: Affine, face: Face, dpi: float) -> Image.Image:
    """Cut a face out of a page's picture, at the place that a map gives it, and turn it upright."""
    scale, trim = dpi / MM_PER_INCH, face.trim
    a, b, c, d, e, f = to_image @ Affine(1 / scale, 0.0, 0.0, 1 / scale, trim.x0, trim.y0)
    size = ceil(trim.width * scale - _HAIR), ceil(trim.height * scale - _HAIR)
    moved = image.transform(
        size,
        Image.Transform.AFFINE,
        (a, c, e, b, d, f),
        Image.Resampling.BICUBIC,
        fillcolor=_WHITE,
    )
    return cut_out(moved, face, dpi)


def _font(dpi: float) -> ImageFont.FreeTypeFont:
    path = FontBook([HOUSE_FONTS]).find(HOUSE_FAMILY).path
    return ImageFont.truetype(str(path), max(round(_TYPE * dpi / MM_PER_INCH), _LEAST_TYPE))


def _row(
    views: Sequence[Image.Image],
    captions: Sequence[str],
    font: ImageFont.FreeTypeFont,
    dpi: float,
) -> Image.Image:
    """Views in a row on the table, each with its caption below."""
    gap = round(3 * dpi / MM_PER_INCH)
    ascent, descent = font.getmetrics()
    widths = [
        max(view.width, ceil(font.getlength(caption)))
        for view, caption in zip(views, captions, strict=True)
    ]
    height = views[0].height
    size = sum(widths) + gap * (len(widths) + 1), height + gap + ascent + descent + gap // 2
    row = Image.new("RGBA", size, TABLE)
    draw, x = ImageDraw.Draw(row), gap
    for view, caption, width in zip(views, captions, widths, strict=True):
        row.paste(view, (x + (width - view.width) // 2, gap), view)
        draw.text((x + width / 2, gap + height + gap // 4), caption, _INK, font, anchor="ma")
        x += width + gap
    return row
