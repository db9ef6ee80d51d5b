"""Take runs of pieces and a Printing, make Sheets with each back behind its front."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from generator.errors import PnpError, Problem
from generator.geometry import HAIR, IDENTITY, Affine, Size, quarter_turn, translation
from generator.layout.area import Area, areas
from generator.layout.dressing import DUPLEX, Dressed, Item, Marking, Sides, SlugHeading, dress
from generator.layout.forme import Blank, Forme, Seat
from generator.layout.marks import OUTLINE_ROOM, clearance
from generator.layout.mix import MixedPiece, mix_formes
from generator.layout.packing import SHORTEST, formes
from generator.layout.sharing import Choice, choose_shares
from generator.layout.slug import LINE_HEIGHT, describe_scale
from generator.model import Cut, Cuts, Orientation, Sheet, Way
from generator.outlines import Shape
from generator.papers import USUAL_MARGIN, Precut
from generator.place import Place
from generator.text import FontBook, Lettering

_MIXED = "mixed"
_CLOSE = 0.5  # mm by which a piece may differ from its place on a precut sheet
_LONGEST_TITLE = 40  # characters of the title of a mixed sheet


@dataclass(frozen=True, slots=True)
class Printing:
    """How the paper is printed: the way backs get behind fronts, and the bare margin in mm.

    The slug names the paper and the `printer` that the backs are corrected for. `is_mixed`: the
    last, partly filled sheets of the runs are put together. On a `precut` sheet, pieces go where
    the sheet is cut, without marks. Elsewhere, pieces lie at least `gap` mm apart, and are as large
    as the game says times `scale`.
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


@dataclass(frozen=True, slots=True)
class PrintRun:
    """Pieces of one blank.

    `is_merging`: the edges of a side are all of one colour, so that neighbours may share a bleed.
    """

    component: str
    title: str
    blank: Blank
    cuts: Cuts
    items: tuple[Item, ...]
    place: Place
    is_merging: bool = False


class _Rest(NamedTuple):
    """The last pieces of a run, which do not fill their sheet."""

    run: PrintRun
    items: Sequence[Item]


class _SheetFilling(NamedTuple):
    """A forme, and the items on its first seats."""

    dressed: Dressed
    items: Sequence[Item]


class _SheetGroup(NamedTuple):
    """Sheets that are numbered together."""

    component: str
    title: str
    fillings: Sequence[_SheetFilling]


def impose(
    game: str,
    runs: Iterable[PrintRun],
    printing: Printing,
    fonts: FontBook,
    *,
    is_duplex: bool = False,
) -> list[Sheet]:
    """Put every piece on a sheet, each back behind its front.

    A sheet without backs gets an empty back when other sheets of the file have backs: a duplex
    printer would print the next front there. `is_duplex`: sheets of the file outside these runs
    have backs. Raises PnpError naming each run whose piece does not fit the paper.
    """
    imposition = _Imposition(game, printing, Lettering.of(fonts))
    runs = [replace(run, blank=run.blank.scaled(printing.scale)) for run in runs]
    groups: list[_SheetGroup] = []
    problems: list[Problem] = []
    for run in runs:
        try:
            groups.append(imposition.lay_out(run))
        except PnpError as error:
            problems += error.problems
    if problems:
        raise PnpError(problems)
    if printing.is_mixed:
        groups = imposition.mix(runs, groups)
    are_backed = is_duplex or any(_has_backs(run.items) for run in runs)
    is_duplex = printing.way in DUPLEX and are_backed
    return [sheet for group in groups for sheet in imposition.sheets(group, is_duplex=is_duplex)]


def _has_backs(items: Iterable[Item]) -> bool:
    return any(item.back for item in items)


@dataclass(frozen=True, slots=True)
class _Imposition:
    """The imposition of one game."""

    game: str
    printing: Printing
    lettering: Lettering

    def lay_out(self, run: PrintRun) -> _SheetGroup:
        """Put a run on its own sheets, with shared cuts or gutters as its `cuts` say. If there is
        to be a gap, pieces do not touch, and only the bleed in the gap is printed between them.

        Where both are allowed, gutters are used if they take no more sheets. Raises PnpError if
        the piece does not fit.
        """
        if self.printing.precut:
            return self._on_precut(run, self.printing.precut)
        is_shared = run.cuts == "shared" or (run.cuts == "auto" and run.is_merging)
        double = None if is_shared else self._fullest(run, is_shared=False)
        shared = None if run.cuts == "double" else self._fullest(run, is_shared=True)
        if double and shared:
            with_gutters, without = (_sheets(run.items, one.forme) for one in (double, shared))
            shared = None if with_gutters <= without else shared
        dressed = shared or double
        if dressed is None:
            raise PnpError([self._misfit(run)])
        return _fill_sheets(run, dressed)

    def _on_precut(self, run: PrintRun, sheet: Precut) -> _SheetGroup:
        """Put a run on a precut sheet. Raises PnpError if the sheet is cut for other pieces."""
        shape, way = run.blank.shape, self._way(run.items)
        turn = _turn_onto(shape, sheet.piece)
        if turn is None or way == "fold":
            width, height = shape.size
            what = (
                f"the sheet {sheet.name} is cut to {sheet.piece.width:g} x "
                f"{sheet.piece.height:g} mm, and these pieces are {width:.4g} x {height:.4g} mm"
            )
            if turn is not None:
                what = f"the sheet {sheet.name} is already cut: its backs cannot be folded over"
            raise PnpError([Problem(run.place, what, "choose an uncut paper: --paper letter")])
        area = Area(self.printing.paper, 0.0, run.blank.most_bleed)
        seats = (Seat(run.blank, translation(x, y) @ turn) for x, y in sheet.corners())
        forme = Forme(area, tuple(seats), "shared" if sheet.pitch == sheet.piece else "double")
        heading = self._heading(run.title, _sheets(run.items, forme), run.items)
        unmarked = Marking(frozenset())
        dressed = dress(forme, heading, unmarked, self.lettering, 0)
        return _fill_sheets(run, dressed or Dressed(forme, (), (), (), ()))

    def _misfit(self, run: PrintRun) -> Problem:
        width, height = run.blank.shape.size
        paper, margin = self.printing.paper, self.printing.margin
        what = (
            f"a piece of {width:.4g} x {height:.4g} mm does not fit on paper of "
            f"{paper.width:g} x {paper.height:g} mm"
        )
        hint = f"the printable area ends {margin:g} mm from each edge, and the slug needs a line"
        if run.blank.shape.kind == "net":
            hint = (
                "a net is printed in one part: make it smaller; divide a [[box]] into two with "
                "`split = 2`, or let it hold fewer components (`holds`)"
            )
        if self.printing.scale > 1:
            hint = f"print it smaller than at {describe_scale(self.printing.scale)}"
        return Problem(run.place, what, hint)

    def _fullest(self, run: PrintRun, *, is_shared: bool) -> Dressed | None:
        """The fullest forme whose margins hold the slug; None if the slug fits beside no forme."""
        bleed = run.blank.most_bleed
        cuts, gap = self._cuts(run, is_shared=is_shared)
        candidates = formes(
            run.blank,
            self._areas(bleed, run.items),
            cuts=cuts,
            gap=gap,
            may_touch=not self.printing.gap,
            slug=self._slug_room(bleed),
        )
        dressed = (self._dress(forme, run.title, run.items) for forme in candidates)
        return next((one for one in dressed if one), None)

    def _cuts(self, run: PrintRun, *, is_shared: bool) -> tuple[Cut, float]:
        """How neighbours are cut, and the mm between them."""
        least = self.printing.gap
        if is_shared and not least:
            return "shared", 0.0
        bleed = run.blank.most_bleed
        gutter = bleed if run.is_merging else 2 * bleed
        if is_shared and least < gutter and run.blank.shape.kind == "rectangle":
            return "gap", least
        return "double", max(gutter, least)

    def _areas(self, bleed: float, items: Iterable[Item]) -> list[Area]:
        printing = self.printing
        is_folded = self._way(items) == "fold"
        return areas(
            printing.paper, printing.margin, bleed, printing.orientation, is_folded=is_folded
        )

    def _way(self, items: Iterable[Item]) -> Way:
        """The way to print these items; without backs there is nothing to flip or fold."""
        return self.printing.way if _has_backs(items) else "single"

    def _dress(self, forme: Forme, title: str, items: Sequence[Item]) -> Dressed | None:
        heading = self._heading(title, _sheets(items, forme), items)
        filled = min(len(items), len(forme.seats))
        return dress(forme, heading, self.printing.marking, self.lettering, filled)

    def _heading(self, title: str, total: int, items: Iterable[Item]) -> SlugHeading:
        printing = self.printing
        sheets = f"{self.game} · {title}"
        way, scale = self._way(items), printing.scale
        return SlugHeading(sheets, total, way, printing.paper_name, printing.printer, scale)

    def _slug_room(self, bleed: float) -> float:
        """The mm beside a block for one line of the slug, between the marks."""
        frame = OUTLINE_ROOM if "outline" in self.printing.marking.kinds else 0.0
        return clearance(bleed) + frame + LINE_HEIGHT + HAIR

    def mix(self, runs: Sequence[PrintRun], groups: Sequence[_SheetGroup]) -> list[_SheetGroup]:
        """Put the partly filled last sheets of runs together where that saves sheets."""
        rests = [
            _Rest(run, group.fillings[-1].items)
            for run, group in zip(runs, groups, strict=True)
            if len(group.fillings[-1].items) < len(group.fillings[-1].dressed.forme.seats)
        ]
        together: dict[Choice, _SheetGroup] = {}

        def count(choice: Choice, enough: int) -> int | None:
            found = self._together([rests[number] for number in choice], enough)
            if found is None:
                return None
            together[choice] = found
            return len(found.fillings)

        shares = choose_shares(self._filled(rests), count)
        mixed = {rests[number].run.component for share in shares for number in share}
        full = [
            group._replace(fillings=group.fillings[:-1]) if group.component in mixed else group
            for group in groups
        ]
        return [*(group for group in full if group.fillings), *(together[one] for one in shares)]

    def _filled(self, rests: Sequence[_Rest]) -> list[float]:
        """The least share of a sheet that the boxes around pieces and their bleeds take."""
        least = self.printing.gap / 2
        paddings = [max(rest.run.blank.most_bleed, least) for rest in rests]
        around = 2 * max(paddings, default=0.0)
        rooms = (area.box for area in self._areas(0.0, [i for r in rests for i in r.items]))
        most = max((room.width + around) * (room.height + around) for room in rooms)
        boxes = [rest.run.blank.shape.size for rest in rests]
        return [
            len(rest.items) * (width + 2 * padding) * (height + 2 * padding) / most
            for rest, padding, (width, height) in zip(rests, paddings, boxes, strict=True)
        ]

    def _together(self, rests: Sequence[_Rest], enough: int) -> _SheetGroup | None:
        """Pieces of several runs on as few sheets as are found, or on `enough`; None if a piece or
        a slug has no room."""
        pieces = [MixedPiece(rest.run.blank, item) for rest in rests for item in rest.items]
        title = _join_titles([rest.run.title for rest in rests])
        items = [piece.item for piece in pieces]
        bleed = max(piece.blank.most_bleed for piece in pieces)
        room, gap = self._slug_room(bleed) + SHORTEST, self.printing.gap
        best: _SheetGroup | None = None
        for area in self._areas(bleed, items):
            mixes = mix_formes(pieces, area, room, gap, enough)
            if best is None or 0 < len(mixes) < len(best.fillings):
                best = self._dress_mixes(mixes, title, items) or best
            if best and len(best.fillings) <= enough:
                break
        return best

    def _dress_mixes(
        self, mixes: Sequence[tuple[Forme, Sequence[Item]]], title: str, items: Sequence[Item]
    ) -> _SheetGroup | None:
        """Formes with their marks; None if there are none, or one has no room for its slug."""
        heading, marking = self._heading(title, len(mixes), items), self.printing.marking
        fillings = [
            _SheetFilling(dressed, on_it)
            for forme, on_it in mixes
            if (dressed := dress(forme, heading, marking, self.lettering, len(on_it)))
        ]
        is_whole = fillings and len(fillings) == len(mixes)
        return _SheetGroup(_MIXED, title, fillings) if is_whole else None

    def sheets(self, group: _SheetGroup, *, is_duplex: bool) -> list[Sheet]:
        items = [item for filling in group.fillings for item in filling.items]
        heading = self._heading(group.title, len(group.fillings), items)
        on_backs = self.printing.marking.on_backs
        sheets = []
        for number, (dressed, on_it) in enumerate(group.fillings, 1):
            forme = dressed.forme
            sides = Sides(dressed, heading, on_it, number, on_backs)
            sheets.append(
                Sheet(
                    component=group.component,
                    title=group.title,
                    number=number,
                    total=heading.total,
                    paper=forme.area.paper,
                    flip=DUPLEX.get(heading.way),
                    seats=len(forme.seats),
                    cuts=forme.cuts,
                    pages=tuple(sides.pages(is_duplex=is_duplex)),
                )
            )
        return sheets


def _fill_sheets(run: PrintRun, dressed: Dressed) -> _SheetGroup:
    """Put a run on as many sheets as it needs."""
    count = len(dressed.forme.seats)
    starts = range(0, len(run.items), count)
    fillings = [_SheetFilling(dressed, run.items[start : start + count]) for start in starts]
    return _SheetGroup(run.component, run.title, fillings)


def _turn_onto(shape: Shape, place: Size) -> Affine | None:
    """Turn a rectangle, if need be, to fit its place on a precut sheet; None if it does not fit."""
    width, height = shape.size
    if shape.kind != "rectangle":
        return None
    if max(abs(width - place.width), abs(height - place.height)) <= _CLOSE:
        return IDENTITY
    if max(abs(height - place.width), abs(width - place.height)) <= _CLOSE:
        return quarter_turn(shape.size)
    return None


def _sheets(items: Sequence[Item], forme: Forme) -> int:
    """How many sheets the items need."""
    return -(-len(items) // len(forme.seats))


def _join_titles(titles: Sequence[str]) -> str:
    """As many titles as a slug has room for."""
    for count in range(len(titles), 0, -1):
        more = f" and {len(titles) - count} more" if count < len(titles) else ""
        joined = ", ".join(titles[:count]) + more
        if len(joined) <= _LONGEST_TITLE:
            return joined
    return f"{len(titles)} kinds of pieces"
