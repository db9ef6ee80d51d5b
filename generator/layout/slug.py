"""The slug in the room around a block: the sheet's name, how to print it, a ruler."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from generator.basics.geometry import MM_PER_PT, Affine, Point, Rect, steady, translation
from generator.basics.phrases import Phrases
from generator.basics.shapes import box_of
from generator.layout.forme import EDGES, Area, Edge
from generator.layout.marks import LENGTH, NEAREST_TO_EDGE, clearance
from generator.layout.packing import SHORTEST
from generator.model import Label, MarkLine, Way
from generator.text import Lettering

SIZE = 7 * MM_PER_PT  # 7 pt type
RULE = 50.0
_RULE_LINE = 0.2
LINE_HEIGHT = SIZE * 1.05
_GAP = 5.0  # between two items of a strip
_CLEAR = 1.5  # around a crop mark or a bare corner
_BASELINE = 0.72  # of the type size, down from the top of a line


class SlugItem(Struct, frozen=True):
    """Words of the slug, or words beside a sign: an arrow to the top of the page, or a ruler that
    shows whether the sheet was scaled."""

    text: str
    bold: bool = False
    sign: Literal["", "arrow", "ruler"] = ""

    @property
    def indent(self) -> float:
        """The mm before the words."""
        return {"": 0.0, "arrow": 1.5 * SIZE, "ruler": RULE + SIZE / 2}[self.sign]


class Bay(Struct, frozen=True):
    """Room for a line of text, `length` mm long.

    `affine` maps its top left to the page; the line runs in +x. Where a margin holds several
    lines, the middle one has rank 0 and is used first.
    """

    affine: Affine
    length: float
    edge: Edge
    rank: int


class Strip(Struct, frozen=True):
    """The part of a margin for the slug: the block's edge beside it, its start and end in mm
    outward from the edge, and whether crop marks run through it."""

    edge: Edge
    start: float
    end: float
    is_crossed: bool


class Margins(Struct, frozen=True):
    """How crop marks and the slug share the margins around a block."""

    marks: Rect  # the limit of crop marks
    strips: tuple[Strip, ...]


def margins(area: Area, block: Rect, reach: Rect) -> Margins:
    """Share the margins: crop marks next to the block, the slug past them if there is room, otherwise between them.

    `reach` is the box around everything on the sheet except marks and slug.
    """
    ends: dict[Edge, float] = {}
    strips: list[Strip] = []
    bleeds = _around(block, reach)
    for edge, space in area.spaces(block).items():
        clear = clearance(bleeds[edge])
        end = space.width - space.margin
        ends[edge] = space.width - (space.margin if space.is_fold else NEAREST_TO_EDGE)
        if space.is_fold:
            continue  # a line of text would be folded
        if end - clear >= SHORTEST + LINE_HEIGHT:
            marks = min(clear + LENGTH, ends[edge], end - LINE_HEIGHT)
            ends[edge] = marks
            strips.append(Strip(edge, marks, end, is_crossed=False))
        elif end - clear >= LINE_HEIGHT:
            strips.append(Strip(edge, clear, end, is_crossed=True))
    limit = Rect(block.x0 - ends["left"], block.y0 - ends["top"], block.x1 + ends["right"], block.y1 + ends["bottom"])
    return Margins(limit, tuple(strips))


def _around(block: Rect, reach: Rect) -> dict[Edge, float]:
    """The mm of bleed beside each edge of the block."""
    return {
        "left": block.x0 - reach.x0,
        "top": block.y0 - reach.y0,
        "right": reach.x1 - block.x1,
        "bottom": reach.y1 - block.y1,
    }


def bays(block: Rect, strips: Sequence[Strip], marks: Sequence[MarkLine], bare: Sequence[Rect] = ()) -> list[Bay]:
    """The room for lines of text along the edges of a block, the best first.

    Lines read from the left or from the bottom. In strips that marks cross, they keep between the
    marks, and everywhere out of `bare` rectangles.
    """
    bays: list[Bay] = []
    for strip in strips:
        is_beside = strip.edge in ("left", "right")
        low, high = (block.y0, block.y1) if is_beside else (block.x0, block.x1)
        lines = [box_of((mark.start, mark.end)) for mark in marks if strip.is_crossed]
        runs = list(_between(low, high, _blocked(strip, block, [*lines, *bare])))
        for rank, offset in enumerate(_line_offsets(strip.end - strip.start)):
            middle = (strip.start + strip.end) / 2 + offset
            for start, end in runs:
                affine = _bay_affine(block, strip.edge, middle, start, end)
                bays.append(Bay(affine, end - start, strip.edge, rank))
    return sorted(bays, key=lambda bay: (bay.rank, -steady(bay.length), EDGES.index(bay.edge)))


def _blocked(strip: Strip, block: Rect, boxes: Sequence[Rect]) -> Iterator[tuple[float, float]]:
    """The parts of a strip, along its edge, that lie beside boxes which reach into it."""
    for box in boxes:
        if _around(block, box)[strip.edge] > strip.start:
            x0, y0, x1, y1 = box.grown(_CLEAR)
            yield (y0, y1) if strip.edge in ("left", "right") else (x0, x1)


def _between(low: float, high: float, blocked: Iterable[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """The parts of a run that are not blocked."""
    at = low
    for start, end in sorted(blocked):
        if min(start, high) > at:
            yield at, min(start, high)
        at = max(at, end)
    if high > at:
        yield at, high


def _line_offsets(room: float) -> list[float]:
    """The offsets of lines from the middle of a margin, inward and outward in turn."""
    lines = int((room + 1e-9) / LINE_HEIGHT)
    steps = [(i + 1) // 2 * (-1 if i % 2 else 1) for i in range(lines - (lines + 1) % 2)]
    return [step * LINE_HEIGHT for step in steps]


def _bay_affine(block: Rect, edge: Edge, middle: float, low: float, high: float) -> Affine:
    """Map the start of a line to the page; the line's middle is `middle` mm out from the block."""
    half = LINE_HEIGHT / 2
    match edge:
        case "left":
            return Affine(0, -1, 1, 0, block.x0 - middle - half, high)
        case "right":
            return Affine(0, -1, 1, 0, block.x1 + middle - half, high)
        case "top":
            return translation(low, block.y0 - middle - half)
        case "bottom":
            return translation(low, block.y1 + middle - half)


def slug_items(
    phrases: Phrases,
    title: str,
    way: Way,
    paper: str,
    printer: str,
    scale: float,
    bleed: float | None,
    cutter: str = "",
) -> list[SlugItem]:
    """The items of a page's slug."""
    say, (kind, _, edge) = phrases.say, way.partition("-")
    size = say("sheet.scaled", scale=phrases.percent(scale)) if scale != 1.0 else ""
    narrow = "" if bleed is None else say("sheet.bleed", bleed=phrases.number(bleed, ".3g"))
    named = say("sheet.printer", name=printer) if printer else ""
    parts = [paper, say(f"sheet.{kind}"), size, narrow, named]
    turn = say(f"sheet.turn-{edge}") if edge else ""
    return [
        SlugItem(title, bold=True),
        SlugItem(say("text.comma").join(filter(None, parts))),
        *(SlugItem(text) for text in (turn, cutter) if text),
        SlugItem(say("sheet.up"), sign="arrow"),
        SlugItem(f"{RULE:g} mm", sign="ruler"),
    ]


class Spot(Struct, frozen=True):
    """The place of an item of the slug: `x` mm along a bay."""

    bay: Bay
    x: float


def reserve(variants: Sequence[Sequence[SlugItem]], bays: Sequence[Bay], lettering: Lettering) -> list[Spot] | None:
    """Find a spot for each item, wide enough for every variant of it; None if one does not fit.

    Each item takes the first bay with room for it and stays there on every page.
    """
    used = [0.0] * len(bays)
    spots: list[Spot] = []
    for width in measure(variants, lettering):
        fitting = (i for i, bay in enumerate(bays) if used[i] + width <= bay.length)
        index = next(fitting, None)
        if index is None:
            return None
        spots.append(Spot(bays[index], used[index]))
        used[index] += width + _GAP
    return spots


def measure(variants: Sequence[Sequence[SlugItem]], lettering: Lettering) -> list[float]:
    """The mm that each item needs along a bay, in the widest of its variants."""

    def width(item: SlugItem) -> float:
        return lettering.width(item.text, SIZE, bold=item.bold) + item.indent

    return [max(map(width, alike)) for alike in zip(*variants, strict=True)]


def set_slug(items: Sequence[SlugItem], spots: Sequence[Spot]) -> tuple[list[Label], list[MarkLine]]:
    """The slug at its spots; nothing without spots, as on a precut sheet whose margins are too narrow."""
    labels: list[Label] = []
    lines: list[MarkLine] = []
    for item, spot in zip(items if spots else (), spots, strict=True):
        _set_item(item, spot.bay, spot.x, labels, lines)
    return labels, lines


def _set_item(item: SlugItem, bay: Bay, x: float, labels: list[Label], lines: list[MarkLine]) -> None:
    if item.sign == "arrow":
        middle = bay.affine.apply(Point(x + SIZE / 2, LINE_HEIGHT / 2))
        tip = Point(middle.x, middle.y - SIZE * 0.42)
        lines += arrow_up(tip, SIZE * 0.84, SIZE * 0.3, _RULE_LINE * 1.5)
    elif item.sign == "ruler":
        lines += _ruler(bay.affine @ translation(x, 0.0))
    at = bay.affine @ translation(x + item.indent, SIZE * _BASELINE)
    labels.append(Label(item.text, SIZE, at, item.bold))


def _ruler(start: Affine) -> list[MarkLine]:
    """A ruler of 50 mm with a tick every 10 mm, measured between the outer edges of its end ticks."""
    bottom = SIZE * _BASELINE
    inset = _RULE_LINE / 2

    def line(x0: float, y0: float, x1: float, y1: float) -> MarkLine:
        return MarkLine(start.apply(Point(x0, y0)), start.apply(Point(x1, y1)), _RULE_LINE)

    ticks = [min(max(x, inset), RULE - inset) for x in (0.0, 10.0, 20.0, 30.0, 40.0, RULE)]
    outer = {ticks[0], ticks[-1]}
    return [
        line(0.0, bottom - inset, RULE, bottom - inset),
        *(line(x, bottom - (SIZE * 0.6 if x in outer else SIZE * 0.35), x, bottom) for x in ticks),
    ]


def arrow_up(tip: Point, length: float, barb: float, width: float) -> Iterator[MarkLine]:
    """An arrow to the top of the page, whose barbs are `barb` mm across and down."""
    for x, y in ((0.0, length), (-barb, barb), (barb, barb)):
        yield MarkLine(Point(tip.x + x, tip.y + y), tip, width)
