"""DXF files of the cuts of sheets, by ezdxf, with a layer for each operation.

ezdxf is the extra `dxf` of pnp: it is large, and few people have a machine that reads DXF.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from generator.basics.errors import Place, fail
from generator.basics.geometry import Rect, steady
from generator.basics.keys import Keys
from generator.export.cuts.paths import Corner, CutPath, CutSheet, cut_sheets
from generator.export.exporter import ExportedFile, Kit
from generator.tables.fields import Length

if TYPE_CHECKING:
    from ezdxf.layouts.layout import Modelspace

_MILLIMETRES, _METRIC = 4, 1  # $INSUNITS, $MEASUREMENT
_RED, _BLUE, _GREY = 1, 5, 8  # colours by number
_PAPER, _MARKS = "paper", "marks"
_R12 = "AC1009"


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
            yield ExportedFile(f"cut/{sheet.name}.dxf", _draw(sheet, self.version))


def _draw(sheet: CutSheet, version: str) -> bytes:
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
            _add(drawn, path, height, layer)
    # ezdxf adds these classes itself, in the order of a set
    for kind in sorted(document.entitydb.dxf_types_in_use()):
        document.classes.add_class(kind)
    text = io.StringIO()
    document.write(text)
    return text.getvalue().encode("ascii")


def _around(box: Rect) -> CutPath:
    return CutPath(tuple(map(Corner, box.corners())))


def _add(drawn: Modelspace, path: CutPath, height: float, layer: str) -> None:
    """Add a path, turned to y up."""
    corners = [(steady(point.x), steady(height - point.y), -steady(bulge, 6)) for point, bulge in path.corners]
    add = drawn.add_polyline2d if drawn.dxfversion == _R12 else drawn.add_lwpolyline
    add(corners, format="xyb", close=path.is_closed, dxfattribs={"layer": layer})
