"""Take a kit, make what Cricut's Design Space needs: a picture of the cut pieces of each sheet, and
an SVG of its lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor

from msgspec import Struct

from generator.basics.geometry import Rect
from generator.basics.outlines import box_of
from generator.basics.units import MM_PER_INCH
from generator.export.cuts.paths import CutPath, points_of
from generator.export.cuts.sheets import cut_sheets
from generator.export.cuts.svg import draw_cuts
from generator.export.exporter import ExportedFile, Kit
from generator.pdf import raster

_DPI = 300
_PIXEL = MM_PER_INCH / _DPI


class CricutSheets(Struct, frozen=True):
    """cut/cards-1.png, transparent outside the pieces, and cut/cards-1.svg, of the same size.

    Pieces must lie apart: Design Space cuts around each island of the picture.
    """

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        printed = raster.rasterise_each(kit.print(kit.sheets, kit.faces, is_temporary=True), _DPI)
        sides = [page.side for sheet in kit.sheets for page in sheet.pages]
        fronts = (image for image, side in zip(printed, sides, strict=True) if side == "front")
        for sheet, image in zip(cut_sheets(kit, 0.0), fronts, strict=True):
            window = _window(sheet.cuts)
            x0, y0, x1, y1 = (round(side / _PIXEL) for side in window)
            outlines = [points_of(path) for path in sheet.cuts]
            picture = raster.cut_along(image, outlines, _DPI).crop((x0, y0, x1, y1))
            yield ExportedFile(f"cut/{sheet.name}.png", raster.encode(picture, _DPI))
            yield ExportedFile(f"cut/{sheet.name}.svg", draw_cuts(sheet, window))


def _window(cuts: Sequence[CutPath]) -> Rect:
    """The box around all pieces, in whole pixels."""
    box = box_of(point for path in cuts for point in points_of(path))
    x0, y0, x1, y1 = (floor(side / _PIXEL + 0.5) * _PIXEL for side in box)
    return Rect(x0, y0, x1, y1)
