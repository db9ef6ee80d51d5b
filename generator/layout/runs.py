"""Runs of pieces, each on sheets of its own, for a Printing."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from math import ceil, floor, inf

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.errors import Place, PnpError, Problem
from generator.basics.geometry import HAIR, IDENTITY, Affine, Size, describe_lack, quarter_turn, steady, translation
from generator.basics.papers import USUAL_MARGIN, Margin, Precut, list_larger
from generator.basics.phrases import Phrases
from generator.basics.shapes import Shape, rectangle
from generator.layout.dressing import Dressed, Item, Marking, SlugHeading, dress
from generator.layout.forme import Area, Axis, BareEdges, Blank, Forme, Seat
from generator.layout.marks import FRAME_ROOM, clearance
from generator.layout.packing import formes, rooms
from generator.layout.registration import BLEED, Cutter, find_template
from generator.layout.slug import LINE_HEIGHT, SIZE, measure
from generator.layout.tiling import LEAST_BLEED, Joints, PanelGrid, PiecePart, find_grids, tile_around, tile_evenly
from generator.layout.turn import is_upright
from generator.model import FLIPS, Cut, Cuts, Orientation, Tiling, Way
from generator.text import Lettering

_BLEED_STEP = 0.25  # mm
_CLOSE = 0.5  # mm by which a piece may differ from its place on a precut sheet


class Printing(Struct, frozen=True):
    """How the paper is printed: the way backs get behind fronts, and the bare margin in mm; except
    at the bottom of the page, pieces keep the `narrow` one, if there is one.

    The slug names the paper and the `printer` that the backs are corrected for. `is_mixed`: the last, partly filled
    sheets of the runs are put together. On a `precut` sheet, pieces go where the sheet is cut, without marks.
    Elsewhere, pieces lie at least `gap` mm apart, rectangles `gaps` across and down, if these are given and `gap` is
    the wider. They are as large as the game says times `scale`. A `cutter` needs marks and bare corners on the front.
    """

    paper: Size
    way: Way
    margin: float = USUAL_MARGIN
    printer: str = ""
    paper_name: str = ""
    marking: Marking = field(default_factory=Marking)
    is_mixed: bool = False
    precut: Precut | None = None
    orientation: Orientation = "auto"
    gap: float = 0.0
    scale: float = 1.0
    cutter: Cutter | None = None
    gaps: Size | None = None
    narrow: float | None = None

    @property
    def margins(self) -> Margin:
        """The margin of all edges but the bottom, and that."""
        return Margin(self.margin if self.narrow is None else self.narrow, self.margin)

    def bare(self, paper: Size, way: Way) -> BareEdges:
        """The edges of a page. In landscape, its bottom is the left or the right, as a print dialog
        turns it; if paper turns on its short edge, the bottom of the back is behind the top."""
        narrow, wide = self.margins
        if way == "fold":
            return BareEdges(wide, wide, wide, wide)
        if not is_upright(paper):
            return BareEdges(wide, narrow, wide, narrow)
        return BareEdges(narrow, wide if FLIPS.get(way) == "short" else narrow, narrow, wide)

    @property
    def papers(self) -> list[Size]:
        """The paper as it may lie."""
        short, long = sorted(self.paper)
        return {
            "portrait": [Size(short, long)],
            "landscape": [Size(long, short)],
            "auto": list(dict.fromkeys((self.paper, self.paper.turned()))),
        }[self.orientation]


class PrintRun(Struct, frozen=True):
    """Pieces of one blank.

    `edges`: the colours of the edges of each side, if all edges of a side are of one colour, so that neighbours may
    share a bleed; else none. `least_bleed`: the mm to which the bleeds in gutters may shrink where that saves sheets;
    None keeps them whole. `joints`: how a piece that fits no sheet is divided into panels; None for one that is not to
    be. A sheet takes at most `most` of the pieces. `paper_of` is the component whose own paper it is, or "".
    """

    component: str
    title: str
    blank: Blank
    cuts: Cuts
    items: tuple[Item, ...]
    place: Place
    edges: tuple[str, ...] = ()
    least_bleed: float | None = None
    joints: Joints | None = None
    most: float = inf
    paper_of: str = ""

    def scaled(self, by: float) -> PrintRun:
        least = None if self.least_bleed is None else self.least_bleed * by
        return replace(self, blank=self.blank.scaled(by), least_bleed=least)


class SheetFilling(Struct, frozen=True):
    """A forme, and the items on its first seats."""

    dressed: Dressed
    items: Sequence[Item]


class SheetGroup(Struct, frozen=True):
    """Sheets that are numbered together. `tiling`: of the pieces, if they are in panels."""

    component: str
    title: str
    fillings: Sequence[SheetFilling]
    tiling: Tiling | None = None

    def title_of(self, items: Sequence[Item], phrases: Phrases) -> str:
        """The title of a sheet with some of the items: that of the group, and its panels."""
        if not self.tiling:
            return self.title
        every = [item for filling in self.fillings for item in filling.items]
        return title_panels(self.title, items, self.tiling, every, phrases)


def has_backs(items: Iterable[Item]) -> bool:
    return any(item.back for item in items)


def secret_backs(items: Iterable[Item]) -> frozenset[str]:
    """The backs that pieces with different fronts share: from behind, none of them is to differ."""
    fronts: defaultdict[str, set[str]] = defaultdict(set)
    for item in items:
        if item.back:
            fronts[item.back].add(item.front)
    return frozenset(back for back, seen in fronts.items() if len(seen) > 1)


class RunLayout(Struct, frozen=True):
    """Puts the runs of one game on their own sheets."""

    game: str
    printing: Printing
    lettering: Lettering

    def lay_out(self, run: PrintRun) -> SheetGroup:
        """Put a run on its own sheets, with shared cuts or gutters as its `cuts` say. If there is
        to be a gap, pieces do not touch, and only the bleed in the gap is printed between them. If
        the cutter has a template for these pieces, they lie in its places.

        Where both are allowed, gutters are used if they take no more sheets. Raises PnpError if the piece does not fit.
        """
        if self.printing.precut:
            return self._on_precut(run, self.printing.precut)
        dressed = self._on_template(run) or self._on_uncut(run)
        if dressed:
            return _fill_sheets(run, dressed)
        tiled = self._in_panels(run, run.joints) if run.joints else None
        if tiled is None:
            raise PnpError([self._misfit(run)])
        return tiled

    def _on_uncut(self, run: PrintRun) -> Dressed | None:
        """The forme with shared cuts or with gutters; None if the piece does not fit."""
        is_shared = run.cuts == "shared" or (run.cuts == "auto" and bool(run.edges))
        double = None if is_shared else self._with_gutters(run)
        shared = None if run.cuts in ("double", "squares") else self._fullest(run, is_shared=True)
        if double and shared:
            with_gutters, without = (_sheets(run.items, way.forme) for way in (double, shared))
            shared = None if with_gutters <= without else shared
        return shared or double

    def _in_panels(self, run: PrintRun, joints: Joints) -> SheetGroup | None:
        """Put the panels of a run's pieces on the fewest sheets; None if a panel does not fit either.

        Joints are moved to where they cut the least, if that takes no more sheets.
        """
        blank, scale = run.blank, run.blank.scale
        size = Size(*(side / scale for side in blank.shape.size))
        bleed = max(blank.most_bleed, LEAST_BLEED)
        largest = [
            Size((area.box.width - beside) / scale, (area.box.height - above) / scale)
            for area in self.areas(bleed, run.items, bleed)
            for above, beside in rooms(self.slug_room(bleed))
        ]
        overlap = joints.overlap / scale
        found: list[tuple[SheetGroup, PanelGrid]] = []
        for grid in find_grids(size, largest, overlap):
            group = self._lay_panels(run, tile_evenly(size, grid, overlap))
            if group:
                found.append((group, grid))
        if not found:
            return None
        even, grid = min(found, key=lambda tiled: len(tiled[0].fillings))
        moved = (self._lay_panels(run, tiling) for tiling in tile_around(size, grid, overlap, joints.find_costs()))
        fewest = len(even.fillings)
        group = next((some for some in moved if some and len(some.fillings) <= fewest), even)
        assert group.tiling
        _, larger, other = self._find_missing(run)
        remedy = self._hint(run, larger, other)
        return replace(group, tiling=replace(group.tiling, remedy=remedy))

    def _lay_panels(self, run: PrintRun, tiling: Tiling) -> SheetGroup | None:
        """The sheets of the panels of a tiling, in the order of their names; None if one has no
        room. Panels of one size may share a sheet."""
        blank, scale = run.blank, run.blank.scale
        part = tiling.size, blank.bleed / scale, blank.back_bleed / scale
        items = [replace(item, part=PiecePart(panel, *part)) for item in run.items for panel in tiling.panels]
        alike: dict[Size, list[int]] = {}
        for number, panel in enumerate(tiling.panels * len(run.items)):
            width, height = (steady(side, 6) for side in (panel.box.width, panel.box.height))
            alike.setdefault(Size(width, height), []).append(number)
        phrases = self.lettering.phrases
        longest = max(
            (title_panels(run.title, [item], tiling, items, phrases) for item in items),
            key=lambda title: self.lettering.width(title, SIZE, bold=True),
        )
        filled: list[tuple[int, SheetFilling]] = []
        for size, numbers in alike.items():
            cut = Blank(rectangle(size), *(max(mm, LEAST_BLEED) for mm in part[1:])).scaled(scale)
            sheet = PrintRun(run.component, longest, cut, "double", tuple(items), run.place)
            few = replace(sheet, most=len(numbers))  # no marks of pieces that there are not
            dressed = self._on_uncut(few) or self._on_uncut(sheet)
            if dressed is None:
                return None
            seats = len(dressed.forme.seats)
            filled += (
                (some[0], SheetFilling(dressed, [items[number] for number in some]))
                for start in range(0, len(numbers), seats)
                for some in [numbers[start : start + seats]]
            )
        fillings = [filling for _, filling in sorted(filled, key=lambda pair: pair[0])]
        return SheetGroup(run.component, run.title, fillings, tiling)

    def _with_gutters(self, run: PrintRun) -> Dressed | None:
        """The fullest forme whose gutters hold the bleeds: whole, or the widest that take as few
        sheets as the narrowest."""
        whole, drawn = self._fullest(run, is_shared=False), run.blank.most_bleed
        if run.least_bleed is None or self.printing.gap:
            return whole

        @cache
        def narrow(step: int) -> Dressed | None:
            limit = max(drawn - step * _BLEED_STEP, least)
            blank = replace(run.blank, limit=limit)
            return self._fullest(replace(run, blank=blank), is_shared=False)

        def count(dressed: Dressed | None) -> float:
            return _sheets(run.items, dressed.forme) if dressed else inf

        least = run.least_bleed
        steps = range(1, ceil((drawn - least) / _BLEED_STEP - HAIR) + 1)
        fewest = count(narrow(steps[-1])) if steps else inf
        if fewest >= count(whole):
            return whole
        return narrow(steps[bisect_left(steps, True, key=lambda room: count(narrow(room)) <= fewest)])

    def _on_precut(self, run: PrintRun, sheet: Precut) -> SheetGroup:
        """Put a run on a precut sheet. Raises PnpError if the sheet is cut for other pieces."""
        turn = _turn_onto(run.blank.shape, sheet)
        if turn is None or self.way(run.items) == "fold":
            raise PnpError([_unfit(run, sheet, can_fold=turn is None)])
        forme = _seat(run.blank, sheet, turn, self.printing.paper)
        heading = self.heading(run.title, _sheets(run.items, forme), run.items, forme)
        unmarked = Marking(frozenset())
        dressed = dress(forme, heading, unmarked, self.lettering, 0)
        return _fill_sheets(run, dressed or Dressed(forme, (), (), (), ()))

    def _on_template(self, run: PrintRun) -> Dressed | None:
        """A forme as a template of silhouette-card-maker has it, with its marks; None if there is
        none, or if the marks are to be others."""
        printing, cutter = self.printing, self.printing.cutter
        if run.cuts == "squares" or not cutter or cutter.machine != "silhouette" or not cutter.is_usual:
            return None
        template = find_template(printing.paper, run.blank.shape, printing.orientation, cutter.inset)
        if not template or printing.gap > 2 * BLEED:
            return None
        marks = replace(cutter, length=template.length).register(template.paper, BLEED)
        bare = printing.bare(template.paper, self.way(run.items))
        area = Area(template.paper, bare, BLEED, registration=marks)
        blank = run.blank if run.blank.shape.kind == "rectangle" else replace(run.blank, limit=BLEED)
        seats = tuple(Seat(blank, place) for place in template.places)
        forme = Forme(area, seats, "template", template.gap, template.name)
        return self._dress(forme, run.title, run.items)

    def _misfit(self, run: PrintRun) -> Problem:
        """The problem of a piece that does not fit: the missing length, and whether piece or slug needs it."""
        width, height = run.blank.shape.size
        paper = self.printing.paper
        missing, larger, other = self._find_missing(run)
        what = (
            f"a piece of {width:.4g} x {height:.4g} mm does not fit on paper of "
            f"{paper.width:g} x {paper.height:g} mm: {missing}"
        )
        return Problem(run.place, what, self._hint(run, larger, other))

    def _hint(self, run: PrintRun, larger: str, other: str) -> str:
        """A hint for a piece that does not fit: `larger` paper, of which it names one, or `other` settings."""
        cutter, scale = self.printing.cutter, self.printing.scale
        name = self._find_paper(run)
        own = f"{run.paper_of}=" if run.paper_of else ""
        named = f", such as --paper {own}{name}" if name else ""
        if scale > 1:
            return f"print it smaller than at {scale * 100:g} %, or {larger}{named}"
        if cutter and cutter.machine != "contour":
            by_hand = f"{cutter.machine} leaves less room: cut by hand, --cutter none"
            return f"{by_hand}, or {larger}{named}" if name else by_hand
        if run.blank.shape.kind == "net":
            other = (
                "make it smaller: a net is printed in one part; divide a [[box]] into two with "
                "`split = 2`, or let it hold fewer components (`holds`)"
            )
        elif run.blank.shape.kind != "rectangle":
            only = "make it smaller: only a rectangle is printed in panels"
            other = f"{other}, or {only}" if other else only
        elif not run.joints:
            other = f"{other}, or " * bool(other) + "tile = true, which prints it in panels"
        return f"{larger}{named}" + f", or {other}" * bool(other)

    def _find_paper(self, run: PrintRun) -> str:
        """The name of the smallest paper on which the piece's box fits, first of the same series;
        "" if there is none."""
        shape = rectangle(run.blank.shape.size)
        boxed = replace(run, blank=replace(run.blank, shape=shape), cuts="double")
        for name, paper in list_larger(self.printing.paper):
            printing = replace(self.printing, paper=paper.size, paper_name=paper.name)
            if replace(self, printing=printing)._on_uncut(boxed):
                return name
        return ""

    def _find_missing(self, run: PrintRun) -> tuple[str, str, str]:
        """The lengths that are missing in the best of the areas, the paper that has them, and another remedy or ""."""
        width, height = run.blank.shape.size
        margins = self.printing.margins
        areas = self.areas(run.blank.most_bleed, run.items, run.blank.overhang)
        rooms = [(area.box.width - width, area.box.height - height) for area in areas]
        wide, high = max(rooms, key=lambda room: min(room[0], 0.0) + min(room[1], 0.0))
        if min(wide, high) < -HAIR:
            fold, cutter = areas[rooms.index((wide, high))].fold, self.printing.cutter
            between = "the fold and margins" if fold else "margins"
            widths = " and ".join(f"{side:g}" for side in dict.fromkeys(margins))
            within = f"between {between} of {widths} mm"
            if cutter and cutter.machine != "contour":
                within = f"in the room that {cutter.machine} leaves"
            # half of what a fold divides is for the backs
            lacking = -min(wide * (1 + (fold == "down")), high * (1 + (fold == "across")))
            narrow = floor((margins.edges - lacking / 2) * 10) / 10
            what = f"the piece lacks {describe_lack(-wide, -high)} {within}"
            larger = f"choose paper that is {ceil(lacking)} mm larger"
            return what, larger, f"--margin {narrow:g}mm" * (narrow >= 0)
        lacking = self.slug_room(run.blank.most_bleed) - max(map(max, rooms))
        if lacking > HAIR:
            what = f"the slug, a line of text beside the piece, lacks {lacking:.1f} mm of room"
            larger = f"choose paper that is {ceil(lacking)} mm larger"
            return what, larger, "a narrower --margin"
        forme = Forme(areas[0], (Seat(run.blank, IDENTITY),), "double")
        slug = self.heading(run.title, len(run.items), run.items, forme).widest()
        lines, side = measure(slug, self.lettering), max(width, height)
        longest = max(lines)
        what = f"the slug's longest line of {longest:.1f} mm is {longest - side:.1f} mm too long"
        if longest <= side:
            needed = ", ".join(f"{mm:.0f}" for mm in lines)
            what = f"the slug needs lines of {needed} mm, and the longest has room for {side:.4g}"
        return what, "choose paper on which two pieces lie beside one another", ""

    def _fullest(self, run: PrintRun, *, is_shared: bool) -> Dressed | None:
        """The fullest forme whose margins hold the slug; None if the slug fits beside no forme."""
        bleed = run.blank.most_bleed
        cuts, gap = self._cuts(run, is_shared=is_shared)
        candidates = formes(
            run.blank,
            self.areas(bleed, run.items, run.blank.overhang),
            cuts=cuts,
            gap=gap,
            may_touch=not self.printing.gap,
            slug=self.slug_room(bleed),
            count=len(run.items),
        )
        dressed = (self._dress(forme, run.title, run.items) for forme in candidates if len(forme.seats) <= run.most)
        return next((candidate for candidate in dressed if candidate), None)

    def _cuts(self, run: PrintRun, *, is_shared: bool) -> tuple[Cut, Size]:
        """How neighbours are cut, and the mm between them."""
        least = self.printing.gaps or Size(self.printing.gap, self.printing.gap)
        if run.cuts == "squares":
            return "squares", least
        if is_shared and not any(least):
            return "shared", least
        bleed = run.blank.most_bleed
        gutter = bleed if run.edges else 2 * bleed
        if is_shared and min(least) < gutter and run.blank.shape.is_box:
            return "gap", least
        return "double", Size(*(max(gutter, gap) for gap in least))

    def areas(self, bleed: float, items: Iterable[Item], overhang: float) -> list[Area]:
        """The areas for pieces on each way that the paper may lie, with each fold or room for a
        cutter, whose corners stay bare if bleeds reach `overhang` mm beyond the boxes of pieces."""
        printing, cutter, way = self.printing, self.printing.cutter, self.way(items)
        if cutter:
            return [
                Area(paper, printing.bare(paper, way), bleed, None, room, cutter.register(paper))
                for paper in printing.papers
                for room in cutter.rooms(paper, printing.margin, overhang)
            ]
        folds: tuple[Axis | None, ...] = ("down", "across") if way == "fold" else (None,)
        papers = product(printing.papers, folds)
        return [Area(paper, printing.bare(paper, way), bleed, fold) for paper, fold in papers]

    def way(self, items: Iterable[Item]) -> Way:
        """The way to print these items; without backs there is nothing to flip or fold."""
        return self.printing.way if has_backs(items) else "single"

    def _dress(self, forme: Forme, title: str, items: Sequence[Item]) -> Dressed | None:
        cutter = self.printing.cutter
        if cutter and cutter.skipped:
            kept = cutter.keep_clear(forme.area.paper, [seat.box().centre for seat in forme.seats])
            forme = replace(forme, seats=tuple(forme.seats[number] for number in kept))
        heading = self.heading(title, _sheets(items, forme), items, forme)
        filled = min(len(items), len(forme.seats))
        return dress(forme, heading, self.printing.marking, self.lettering, filled)

    def heading(self, title: str, total: int, items: Iterable[Item], forme: Forme) -> SlugHeading:
        """The heading of sheets like `forme`."""
        printing = self.printing
        sheets = f"{self.game} · {title}"
        way, limit = self.way(items), forme.seats[0].blank.limit
        bleed = limit if limit < inf else None
        is_plain = printing.precut or way == "fold"  # its own sheet, or one glued to double weight
        paper = printing.paper_name
        paper = paper if is_plain else self.lettering.phrases.say("sheet.thick", paper=paper)
        names = paper, printing.printer
        cutter = self.describe_cutter(forme)
        how = *names, printing.scale, bleed, cutter
        return SlugHeading(self.lettering.phrases, sheets, total, way, *how)

    def describe_cutter(self, forme: Forme) -> str:
        """The machine, the layout and the marks of a sheet like `forme`; "" without a machine."""
        cutter = self.printing.cutter
        if cutter is None:
            return ""
        say, mark = self.lettering.phrases.say, forme.area.registration
        named = say("sheet.cutter", machine=cutter.machine, layout=forme.layout)
        if not mark.phrase:
            return named
        fields = {name: self.lettering.phrases.number(mm, ".4g") for name, mm in mark.measures}
        return say("text.comma").join((named, say(mark.phrase, **fields)))

    def slug_room(self, bleed: float) -> float:
        """The mm beside a block for one line of the slug, between the marks."""
        frame = FRAME_ROOM if "frame" in self.printing.marking.kinds else 0.0
        return clearance(bleed) + frame + LINE_HEIGHT + HAIR


def title_panels(title: str, items: Sequence[Item], tiling: Tiling, every: Sequence[Item], phrases: Phrases) -> str:
    """The title of a sheet of panels: "Board · A1 of A1–B3"; with the name of the piece if `every`
    item is not of one."""
    names = [item.part.panel.name for item in items if item.part]
    own = names[0] if len(names) == 1 else f"{names[0]}–{names[-1]}"
    are_several = len({item.piece for item in every}) > 1
    pieces = dict.fromkeys(item.piece for item in items) if are_several else ()
    panels = phrases.say("sheet.panels", own=own, all=tiling.names)
    return " · ".join((title, *pieces, panels))


def _fill_sheets(run: PrintRun, dressed: Dressed) -> SheetGroup:
    """Put a run on as many sheets as it needs."""
    count = len(dressed.forme.seats)
    starts = range(0, len(run.items), count)
    fillings = [SheetFilling(dressed, run.items[start : start + count]) for start in starts]
    return SheetGroup(run.component, run.title, fillings)


def _unfit(run: PrintRun, sheet: Precut, *, can_fold: bool) -> Problem:
    """The fault of pieces for which a precut sheet is not cut, or whose backs are to be folded."""
    if not can_fold:
        what = f"the sheet {sheet.name} is already cut: its backs cannot be folded over"
        return Problem(run.place, what, "choose an uncut paper: --paper letter")
    width, height = run.blank.shape.size
    is_disc = run.blank.shape.kind == "circle"
    form = f"{sheet.piece.width:g} x {sheet.piece.height:g} mm"
    own = f"{width:.4g} x {height:.4g} mm"
    what = (
        f"the sheet {sheet.name} is cut to {'discs of ' * sheet.is_round}{form}, and these pieces "
        f"are {'discs of ' * is_disc}{own}{_tell_difference(run.blank.shape, sheet)}"
    )
    mm = [f"{side:g}mm" for side in sheet.piece]
    key = f"diameter = '{mm[0]}' in a circle" if sheet.is_round else f"size = {mm}"
    return Problem(run.place, what, f"set {key}, or choose an uncut paper: --paper letter")


def _tell_difference(shape: Shape, sheet: Precut) -> str:
    """The mm by which a piece differs from its place on a precut sheet, in words; "" for one of another form."""
    wider, higher = min(_find_differences(shape, sheet), key=lambda more: max(map(abs, more)), default=(0.0, 0.0))
    differences = [f"{abs(wider):.1f} mm too {'wide' if wider > 0 else 'narrow'}"] * (abs(wider) > _CLOSE)
    if abs(higher) > _CLOSE and not sheet.is_round:
        differences.append(f"{abs(higher):.1f} mm too {'high' if higher > 0 else 'low'}")
    return f", {' and '.join(differences)}" if differences else ""


def _seat(blank: Blank, sheet: Precut, turn: Affine, paper: Size) -> Forme:
    """Pieces in the middle of their places on a precut sheet. A bleed goes at most half-way to the next place."""
    box = blank.shape.box(turn)
    gap = Size(*(max(0.0, pitch - side) for pitch, side in zip(sheet.pitch, (box.width, box.height), strict=True)))
    if sheet.is_round and min(gap) / 2 < blank.most_bleed:
        blank = replace(blank, limit=min(gap) / 2)
    across, down = (sheet.piece.width - box.width) / 2, (sheet.piece.height - box.height) / 2
    places = (translation(x + across, y + down) @ turn for x, y in sheet.corners())
    seats = tuple(Seat(blank, place) for place in places)
    cuts: Cut = "double" if sheet.is_round else "gap" if any(gap) else "shared"
    return Forme(Area(paper, BareEdges(0.0, 0.0, 0.0, 0.0), blank.most_bleed), seats, cuts, gap)


def _turn_onto(shape: Shape, sheet: Precut) -> Affine | None:
    """Turn a rectangle, if need be, to fit its place on a precut sheet; None if it does not fit."""
    turns = zip(_find_differences(shape, sheet), (IDENTITY, quarter_turn(shape.size)), strict=False)
    return next((turn for more, turn in turns if max(map(abs, more)) <= _CLOSE), None)


def _find_differences(shape: Shape, sheet: Precut) -> list[tuple[float, float]]:
    """How much wider and higher (mm) a piece is than its place on a precut sheet, as it is and
    turned; nothing if it has another form."""
    if shape.kind != ("circle" if sheet.is_round else "rectangle"):
        return []
    return [(shape.size.width - across, shape.size.height - down) for across, down in (sheet.piece, sheet.piece[::-1])]


def _sheets(items: Sequence[Item], forme: Forme) -> int:
    """How many sheets the items need."""
    return -(-len(items) // len(forme.seats))
