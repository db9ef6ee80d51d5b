"""Take the room around a block, make the slug: what the sheet is, how to print it, a ruler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from generator.geometry import Affine, Point, translation
from generator.layout.grid import EDGES, Edge, Grid
from generator.layout.marks import SHORTEST, Reach, clearance, reach
from generator.model import Label, Line, Way
from generator.text import Lettering
from generator.units import MM_PER_INCH

SIZE = 7 / 72 * MM_PER_INCH  # 7 pt type
RULE = 50.0
_RULE_LINE = 0.2
_LINE_HEIGHT = SIZE * 1.05
_GAP = 5.0  # between two items of a strip
_CLEAR = 1.5  # around a crop mark
_BASELINE = 0.72  # of the type size, down from the top of a line


_WAYS: dict[Way, str] = {
    "long": "print on both sides, flip on the long edge, 100 %",
    "short": "print on both sides, flip on the short edge, 100 %",
    "fold": "print on one side, 100 %, fold on the dashed line, glue, cut",
    "single": "print on one side, 100 %",
}


class Text(NamedTuple):
    text: str
    bold: bool = False


class Arrow(NamedTuple):
    """An arrow to the top of the page, and a word beside it."""

    text: str


class Ruler(NamedTuple):
    text: str


Item = Text | Arrow | Ruler


class Bay(NamedTuple):
    """A free run of `length` mm; `affine` maps its top left, running in +x, to the page.

    Where a margin holds several lines, the middle one has rank 0 and is the first to be used.
    """

    affine: Affine
    length: float
    edge: Edge
    rank: int


class Margins(NamedTuple):
    """How the margin around a block is shared between crop marks and the slug."""

    reaches: dict[Edge, Reach]
    bays: tuple[Bay, ...]


def margins(grid: Grid, bleed: float) -> Margins:
    """Crop marks next to the block; the slug past them where there is room, else between them."""
    reaches: dict[Edge, Reach] = {}
    bays: list[Bay] = []
    for edge, space in grid.spaces().items():
        marks = reach(space, bleed)
        clear = clearance(bleed)
        room = space.width - space.margin - clear
        if space.is_fold:
            pass  # a line of text would be folded
        elif room >= SHORTEST + _LINE_HEIGHT:
            marks = Reach(marks.start, min(marks.end, space.width - space.margin - _LINE_HEIGHT))
            bays += _bays(grid, edge, marks.end, split=False)
        elif room >= _LINE_HEIGHT:
            bays += _bays(grid, edge, clear, split=True)
        reaches[edge] = marks
    order = sorted(bays, key=lambda bay: (bay.rank, -bay.length, EDGES.index(bay.edge)))
    return Margins(reaches, tuple(order))


def _bays(grid: Grid, edge: Edge, start: float, *, split: bool) -> Iterator[Bay]:
    """The runs along an edge, `start` mm out from the block; all read from its left or bottom."""
    cuts = grid.cuts_across() if edge in ("left", "right") else grid.cuts_down()
    ends = list(pairwise(cuts)) if split else [(cuts[0], cuts[-1])]
    clear = _CLEAR if split else 0.0
    end = grid.spaces()[edge].width - grid.margin
    for rank, offset in enumerate(_line_offsets(end - start)):
        middle = (start + end) / 2 + offset
        for low, high in ends:
            affine = _bay_affine(grid, edge, middle, low + clear, high - clear)
            yield Bay(affine, high - low - 2 * clear, edge, rank)


def _line_offsets(room: float) -> list[float]:
    """Where lines stand in a margin, from its middle inward and outward in turn."""
    lines = int((room + 1e-9) / _LINE_HEIGHT)
    steps = [(i + 1) // 2 * (-1 if i % 2 else 1) for i in range(lines - (lines + 1) % 2)]
    return [step * _LINE_HEIGHT for step in steps]


def _bay_affine(grid: Grid, edge: Edge, middle: float, low: float, high: float) -> Affine:
    """The start of a line whose middle is `middle` mm out from the block."""
    block, half = grid.block, _LINE_HEIGHT / 2
    match edge:
        case "left":
            return Affine(0, -1, 1, 0, block.x0 - middle - half, high)
        case "right":
            return Affine(0, -1, 1, 0, block.x1 + middle - half, high)
        case "top":
            return translation(low, block.y0 - middle - half)
        case "bottom":
            return translation(low, block.y1 + middle - half)


def slug_items(sheet: str, side: str, way: Way, printer: str = "") -> list[Item]:
    """What the slug of a page says."""
    return [
        Text(f"{sheet} · {side}", bold=True),
        Text(f"{_WAYS[way]}, printer {printer}" if printer else _WAYS[way]),
        Arrow("this edge up"),
        Ruler(f"{RULE:g} mm"),
    ]


class Spot(NamedTuple):
    """Where an item of the slug stands: `x` mm along a bay."""

    bay: Bay
    x: float


def reserve(
    variants: Sequence[Sequence[Item]], bays: Sequence[Bay], lettering: Lettering
) -> list[Spot] | None:
    """A spot for each item, wide enough for it in every variant; None when one finds none.

    Each item takes the first bay with room for it, and keeps it on every page.
    """
    used = [0.0] * len(bays)
    spots: list[Spot] = []
    for item in zip(*variants, strict=True):
        width = max(_width(variant, lettering) for variant in item)
        fitting = (i for i, bay in enumerate(bays) if used[i] + width <= bay.length)
        index = next(fitting, None)
        if index is None:
            return None
        spots.append(Spot(bays[index], used[index]))
        used[index] += width + _GAP
    return spots


def set_slug(items: Sequence[Item], spots: Sequence[Spot]) -> tuple[list[Label], list[Line]]:
    labels: list[Label] = []
    lines: list[Line] = []
    for item, (bay, x) in zip(items, spots, strict=True):
        _set_item(item, bay, x, labels, lines)
    return labels, lines


def _width(item: Item, lettering: Lettering) -> float:
    font = lettering.font(bold=isinstance(item, Text) and item.bold)
    width = font.width(item.text, SIZE)
    match item:
        case Text():
            return width
        case Arrow():
            return width + 1.5 * SIZE
        case Ruler():
            return width + RULE + SIZE / 2


def _set_item(
    item: Item,
    bay: Bay,
    x: float,
    labels: list[Label],
    lines: list[Line],
) -> None:
    indent = 0.0
    match item:
        case Arrow():
            indent = 1.5 * SIZE
            lines += _arrow(bay.affine.apply(Point(x + SIZE / 2, _LINE_HEIGHT / 2)))
        case Ruler():
            indent = RULE + SIZE / 2
            lines += _ruler(bay.affine @ translation(x, 0.0))
    at = bay.affine @ translation(x + indent, SIZE * _BASELINE)
    labels.append(Label(item.text, SIZE, at, isinstance(item, Text) and item.bold))


def _arrow(centre: Point) -> list[Line]:
    """An arrow that points to the top of the page, whichever way its bay runs."""
    half, barb = SIZE * 0.42, SIZE * 0.3
    x, y = centre
    top = Point(x, y - half)
    return [
        Line(Point(x, y + half), top, _RULE_LINE * 1.5),
        Line(Point(x - barb, y - half + barb), top, _RULE_LINE * 1.5),
        Line(Point(x + barb, y - half + barb), top, _RULE_LINE * 1.5),
    ]


def _ruler(start: Affine) -> list[Line]:
    """50 mm, a tick each 10; measured from the outside of the first tick to that of the last."""
    bottom = SIZE * _BASELINE
    inset = _RULE_LINE / 2

    def line(x0: float, y0: float, x1: float, y1: float) -> Line:
        return Line(start.apply(Point(x0, y0)), start.apply(Point(x1, y1)), _RULE_LINE)

    ticks = [min(max(x, inset), RULE - inset) for x in (0.0, 10.0, 20.0, 30.0, 40.0, RULE)]
    outer = {ticks[0], ticks[-1]}
    return [
        line(0.0, bottom - inset, RULE, bottom - inset),
        *(line(x, bottom - (SIZE * 0.6 if x in outer else SIZE * 0.35), x, bottom) for x in ticks),
    ]
