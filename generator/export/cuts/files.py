"""Files for the machines that cut the sheets of a kit: SVG by svgwrite, DXF by ezdxf.

They have a layer for each operation. Cricut's Design Space needs a picture of the cut pieces of each sheet, and an SVG
of its lines. ezdxf is the extra `dxf` of pnp: it is large, and few people have a machine that reads DXF.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from math import floor
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from generator.basics.errors import Place, fail
from generator.basics.geometry import MM_PER_INCH, Rect, decimal, steady
from generator.basics.keys import Keys
from generator.basics.shapes import box_of
from generator.export.cuts.paths import Corner, CutPath, CutSheet, cut_sheets, points_of, radius_of
from generator.export.exporter import ExportedFile, Kit
from generator.pdf import raster
from generator.tables.fields import Length

if TYPE_CHECKING:
    from ezdxf.layouts.layout import Modelspace

    from generator.pdf.binding import Contour
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from generator.export.cuts.paths import curves_of
from generator.export.exporter import Exporter, KitPrinter
from generator.layout import Machine
from generator.model import LEAFLETS, Face, FaceKey, Game, Sheet, Way

CUT, SCORE = "#ff0000", "#0000ff"  # the colours by which programs of lasers tell operations apart
_HAIRLINE = 0.01  # mm; the program of a cutter follows the middle of a line
_DPI = 300
_PIXEL = MM_PER_INCH / _DPI
_MILLIMETRES, _METRIC = 4, 1  # $INSUNITS, $MEASUREMENT
_RED, _BLUE, _GREY = 1, 5, 8  # colours by number
_PAPER, _MARKS = "paper", "marks"
_R12 = "AC1009"


class CutDrawings(Keys, frozen=True, kw_only=True):
    """cut/cards-1.svg and so on: the lines to cut in red, those to score in blue.

    The drawing has the size of the paper, so that it lies on the printed sheet. `kerf` (mm) is the
    width that the blade or beam takes away, at most a tenth of the smallest piece.
    """

    kerf: Length = 0.0

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        for sheet in cut_sheets(kit, self.kerf):
            yield ExportedFile(f"cut/{sheet.name}.svg", draw_cuts(sheet, Rect(0, 0, *sheet.paper)))


def draw_cuts(sheet: CutSheet, window: Rect) -> bytes:
    """The SVG of the part of a sheet within a window."""
    import svgwrite  # DXF needs none of it
    from svgwrite.extensions import Inkscape

    width, height = decimal(window.width), decimal(window.height)
    corner = f"{decimal(window.x0)} {decimal(window.y0)}"
    drawing = svgwrite.Drawing(size=(f"{width}mm", f"{height}mm"), viewBox=f"{corner} {width} {height}", debug=False)
    drawing.set_desc(title=sheet.title)
    inkscape = Inkscape(drawing)
    for label, colour, paths in (("score", SCORE, sheet.folds), ("cut", CUT, sheet.cuts)):
        if paths:
            layer = inkscape.layer(label=label, id=label, fill="none", stroke=colour, stroke_width=_HAIRLINE)
            for path in paths:
                layer.add(drawing.path(d=_describe(path)))
            drawing.add(layer)
    if sheet.marks:
        layer = inkscape.layer(label="marks", id="marks", fill="black")
        for x0, y0, x1, y1 in sheet.marks:
            size = decimal(x1 - x0), decimal(y1 - y0)
            layer.add(drawing.rect(insert=(decimal(x0), decimal(y0)), size=size))
        drawing.add(layer)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{drawing.tostring()}\n'.encode()


def _describe(path: CutPath) -> str:
    """The data of an SVG path."""
    first = path.corners[0].point
    parts = [f"M{decimal(first.x)} {decimal(first.y)}"]
    for start, end, bulge in path.steps():
        to = f"{decimal(end.x)} {decimal(end.y)}"
        if bulge:
            radius = decimal(radius_of(start, end, bulge))
            parts.append(f"A{radius} {radius} 0 0 {int(bulge > 0)} {to}")
        elif not (path.is_closed and end == first):
            parts.append(f"L{to}")
    return "".join(parts) + ("Z" if path.is_closed else "")


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


class CutPlans(Keys, frozen=True, kw_only=True):
    """cut/cards-1.dxf and so on, in millimetres: the layers cut and score, and the outline of the
    paper in a layer that is not plotted.

    `kerf` (mm) is the width that the blade or beam takes away, at most a tenth of the smallest
    piece. `version` is R2010, or R12 for older programs.
    """

    kerf: Length = 0.0
    version: Literal["R2010", "R12"] = "R2010"

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        if find_spec("ezdxf") is None:
            what = "DXF files need the library ezdxf, which is not installed"
            hint = "pipx inject pnp-generator ezdxf, or pip install ezdxf; --to cut-svg needs none"
            raise fail(Place("pnp"), what, hint)
        for sheet in cut_sheets(kit, self.kerf):
            yield ExportedFile(f"cut/{sheet.name}.dxf", _draw_plan(sheet, self.version))


def _draw_plan(sheet: CutSheet, version: str) -> bytes:
    import ezdxf

    ezdxf.options.reset()  # type: ignore[no-untyped-call]  # it has read the user's settings
    ezdxf.options.write_fixed_meta_data_for_testing = True  # no date, no random id
    document = ezdxf.new(version)
    if version != "R12":  # which has no units
        document.header["$INSUNITS"] = _MILLIMETRES
    document.header["$MEASUREMENT"] = _METRIC
    width, height = map(steady, sheet.paper)
    layers = {"cut": _RED, "score": _BLUE, _PAPER: _GREY} | ({_MARKS: _GREY} if sheet.marks else {})
    for name, colour in layers.items():
        document.layers.add(name, color=colour, plot=name not in (_PAPER, _MARKS))
    drawn = document.modelspace()
    drawn.reset_limits((0, 0), (width, height))
    drawn.reset_extents((0, 0, 0), (width, height, 0))
    # ezdxf takes extents from the origin for none
    document.header["$EXTMIN"], document.header["$EXTMAX"] = (0, 0, 0), (width, height, 0)
    edge = Rect(0.0, 0.0, width, height)
    for layer, paths in (
        ("score", sheet.folds),
        ("cut", sheet.cuts),
        (_MARKS, list(map(_around, sheet.marks))),
        (_PAPER, [_around(edge)]),
    ):
        for path in paths:
            _add_path(drawn, path, height, layer)
    # ezdxf adds these classes itself, in the order of a set
    for kind in sorted(document.entitydb.dxf_types_in_use()):
        document.classes.add_class(kind)
    text = io.StringIO()
    document.write(text)
    return text.getvalue().encode("ascii")


def _around(box: Rect) -> CutPath:
    return CutPath(tuple(map(Corner, box.corners())))


def _add_path(drawn: Modelspace, path: CutPath, height: float, layer: str) -> None:
    """Add a path, turned to y up."""
    corners = [(steady(point.x), steady(height - point.y), -steady(bulge, 6)) for point, bulge in path.corners]
    add = drawn.add_polyline2d if drawn.dxfversion == _R12 else drawn.add_lwpolyline
    add(corners, format="xyb", close=path.is_closed, dxfattribs={"layer": layer})


_EXPORTERS: dict[Machine, tuple[Exporter, ...]] = {
    "silhouette": (CutDrawings(), CutPlans()),
    "opos": (CutDrawings(), CutPlans()),
    "laser": (CutDrawings(), CutPlans()),
    "cricut": (CricutSheets(),),
}


def make_cut_files(
    game: Game, faces: Mapping[FaceKey, Face], sheets: Sequence[Sheet], way: Way, machine: Machine, print_: KitPrinter
) -> dict[str, bytes]:
    """Files by their names ("cards-1.svg"), for each sheet of pieces as it was imposed."""
    kit = _choose_cut(game, faces, sheets, way, print_)
    files = (file for exporter in _EXPORTERS.get(machine, ()) for file in exporter.export(kit)) if kit.sheets else ()
    return {PurePosixPath(file.path).name: file.content for file in files}


def draw_contours(content: bytes, games: Sequence[tuple[Game, dict[FaceKey, Face], Sequence[Sheet], Way]]) -> bytes:
    """The PDF of the sheets of games, with the lines to cut and to crease on the fronts."""
    from generator.pdf.binding import add_contours  # loads pikepdf, which the other files do not need

    pages: list[dict[str, list[Contour]]] = []
    for game, faces, sheets, way in games:
        cut = cut_sheets(_choose_cut(game, faces, sheets, way), 0.0)
        for sheet in sheets:
            traced = None if sheet.component in LEAFLETS else next(cut)
            for page in sheet.pages:
                is_cut = traced and page.side == "front"
                pages.append(_contours(traced) if traced and is_cut else {})
    return add_contours(content, pages)


def _never(*_: object, **__: object) -> Any:
    raise AssertionError("files of a cutting machine need no pictures, no inks, no notes and no rules")


def _choose_cut(
    game: Game, faces: Mapping[FaceKey, Face], sheets: Sequence[Sheet], way: Way, print_: KitPrinter = _never
) -> Kit:
    """The kit of the sheets that a machine cuts: those of pieces."""
    cut = [sheet for sheet in sheets if sheet.component not in LEAFLETS]
    return Kit(game, faces, {}, cut, way, print_, _never, _never, game.components, _never, _never, _never)


def _contours(sheet: CutSheet) -> dict[str, list[Contour]]:
    from generator.pdf.binding import Contour

    return {
        name: [Contour(path.corners[0].point, list(curves_of(path)), path.is_closed) for path in paths]
        for name, paths in (("Crease", sheet.folds), ("CutContour", sheet.cuts))
    }
