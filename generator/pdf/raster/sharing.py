"""Take a page of a sheet and pictures of its faces, make its picture without its marks.

A page of the rules is a picture of its own and is on a sheet, and painting it takes a tenth of a
second: pdfium reads and paints each of its forms anew.
"""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image

from generator.basics.geometry import IDENTITY, Rect, Size
from generator.basics.outlines import box_of
from generator.basics.units import MM_PER_INCH
from generator.model import Page, Placement
from generator.pdf.raster.pictures import pixels_of

_TRUE = 1e-3  # pixels by which an edge may miss a whole one
_STRAIGHT = 1e-9


def lay(
    page: Page, paper: Size, pictures: Mapping[str, Image.Image], dpi: float
) -> Image.Image | None:
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
