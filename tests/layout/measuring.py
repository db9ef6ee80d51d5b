"""Take placements, marks and labels, measure what they cover on the page (shapely)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot

import shapely
from shapely.geometry import LineString, Polygon

from generator.basics.geometry import Point, Rect
from generator.basics.papers import USUAL_MARGIN as MARGIN
from generator.layout import PrintRun, marks
from generator.model import Label, MarkLine, Page, Placement, Sheet
from generator.text import HOUSE_FAMILY
from tests.support.printing import FONTS

HAIR = 1e-6  # mm
SLIVER = 1e-4  # mm²: what two outlines that touch may share by rounding
GRID = 1e-7  # mm: without one, outlines that just touch are at times cut wrong
INSIDES_MEET = "T********"  # DE-9IM; to ask this takes a tenth of the time that an area takes
Lettering = {bold: FONTS.find(HOUSE_FAMILY, 700 if bold else 400) for bold in (False, True)}


def is_front(placement: Placement) -> bool:
    return placement.face.startswith("f")


def bleed_of(placement: Placement, run: PrintRun) -> float:
    return run.blank.bleed if is_front(placement) else run.blank.back_bleed


def trim_of(placement: Placement, run: PrintRun) -> Polygon:
    """The cut piece on the page: the outline, for a back its mirror image, as the face lies."""
    bleed = bleed_of(placement, run)
    width = run.blank.shape.size.width
    seen = [
        Point(x + bleed if is_front(placement) else width - x + bleed, y + bleed) for x, y in run.blank.shape.outline
    ]
    return Polygon([placement.affine.apply(corner) for corner in seen])


def trims(page: Page, run: PrintRun) -> list[Polygon]:
    return [trim_of(placement, run) for placement in page.placements]


def clip_of(placement: Placement) -> Polygon:
    return Polygon(placement.clip)


def overlap(a: Polygon, b: Polygon) -> bool:
    if not shapely.relate_pattern(a, b, INSIDES_MEET):
        return False
    return bool(shapely.intersection(a, b, grid_size=GRID).area > SLIVER)


def is_inside(inner: Polygon, outer: Polygon) -> bool:
    if outer.covers(inner):
        return True
    return bool(shapely.difference(inner, outer, grid_size=GRID).area < SLIVER)


def meet(polygons: Sequence[Polygon], others: Sequence[Polygon] | None = None) -> bool:
    """Whether any two overlap: of one list, or one of each."""
    tree = shapely.STRtree(polygons)
    for index, polygon in enumerate(polygons if others is None else others):
        near = tree.query(polygon)
        if any(overlap(polygon, polygons[i]) for i in near if others is not None or i > index):
            return True
    return False


def inked(line: MarkLine) -> Polygon:
    """The paper a line covers, its white halo included."""
    return LineString([line.start, line.end]).buffer(max(line.width, line.halo) / 2, cap_style="flat")


def is_hairline(line: MarkLine) -> bool:
    """Whether a mark is part of an outline: ink, or the paper white beyond it."""
    return line.width == marks.HAIRLINE_WIDTH or (not line.width and line.halo == marks.BARE)


def lettered(label: Label) -> Polygon:
    return rect(label.affine.apply_rect(Lettering[label.bold].ink(label.text, label.size)))


def rect(box: Rect) -> Polygon:
    return shapely.box(*box)


def printable(sheet: Sheet, margin: float = MARGIN, narrow: float | None = None) -> Polygon:
    """What a printer reaches that leaves `margin` mm bare at the bottom of the upright paper, and
    `narrow` mm elsewhere. A dialog turns a page in landscape either way."""
    width, height = sheet.paper
    narrow = margin if narrow is None else narrow
    if height >= width:
        return rect(Rect(narrow, narrow, width - narrow, height - margin))
    return rect(Rect(margin, narrow, width - margin, height - narrow))


def page_box(sheet: Sheet) -> Polygon:
    return rect(Rect(0.0, 0.0, *sheet.paper))


def length(line: MarkLine) -> float:
    return abs(complex(line.end.x - line.start.x, line.end.y - line.start.y))


def strips(trim: Polygon, bleed: float) -> Iterator[Polygon]:
    """The bleed beside the middle of each edge of a piece, on its outer side."""
    ring = list(trim.exterior.coords)
    for (x0, y0), (x1, y1) in pairwise(ring):
        length = hypot(x1 - x0, y1 - y0)
        out = bleed if trim.exterior.is_ccw else -bleed  # y down: clockwise as one sees it
        nx, ny = (y1 - y0) / length * out, (x0 - x1) / length * out
        middle = Point((x0 + x1) / 2, (y0 + y1) / 2)
        part = min(0.2, length / 8)
        ux, uy = (x1 - x0) / length * part, (y1 - y0) / length * part
        yield Polygon(
            [
                (middle.x - ux, middle.y - uy),
                (middle.x + ux, middle.y + uy),
                (middle.x + ux + nx, middle.y + uy + ny),
                (middle.x - ux + nx, middle.y - uy + ny),
            ]
        )
