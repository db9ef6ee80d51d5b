"""Take sizes and counts, make Sheets of Placements; never sees a face's content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.errors import PnpError, Problem
from generator.geometry import Affine, Rect, Size, translation
from generator.layout.grid import Grid, grids
from generator.layout.marks import crop_marks, fold_marks
from generator.layout.papers import USUAL_MARGIN, margin_width, paper_size
from generator.layout.slug import Item as SlugItem
from generator.layout.slug import Margins, Spot, margins, reserve, set_slug, slug_items
from generator.model import Flip, Page, Placement, Sheet, Side, Way
from generator.text import FontBook, Lettering
from generator.turn import back_of, paper_turn

__all__ = ["USUAL_MARGIN", "Item", "Printing", "Run", "impose", "margin_width", "paper_size"]

_SIDES: tuple[Side, Side] = ("front", "back")
_BOTH = "front and back"
_FLIPS: dict[Way, Flip] = {"long": "long", "short": "short"}


@dataclass(frozen=True, slots=True)
class Printing:
    """How the paper is printed: which way fronts get backs, and the mm that stay bare around.

    `printer` is the name of the printer that the backs are corrected for, told in the slug.
    """

    paper: Size
    way: Way
    margin: float = USUAL_MARGIN
    printer: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A physical piece: its name and the ids of its faces."""

    piece: str
    front: str
    back: str | None


@dataclass(frozen=True, slots=True)
class Run:
    """Pieces of one size to be laid on sheets of their own."""

    component: str
    title: str
    size: Size
    bleed: float
    items: tuple[Item, ...]
    where: str


def impose(game: str, runs: Iterable[Run], printing: Printing, fonts: FontBook) -> list[Sheet]:
    """Every piece on a sheet, each back behind its front.

    A sheet printed on one side gets an empty back when others of the same file have one: a
    duplex printer would put the next front there. Raises PnpError naming each run whose piece
    does not fit the paper.
    """
    lettering = Lettering.of(fonts)
    runs = tuple(runs)
    is_duplex = printing.way in _FLIPS and any(map(_has_backs, runs))
    sheets: list[Sheet] = []
    problems: list[Problem] = []
    for run in runs:
        try:
            sheets += _Imposition(game, run, printing, lettering, is_duplex).sheets()
        except PnpError as error:
            problems += error.problems
    if problems:
        raise PnpError(problems)
    return sheets


def _has_backs(run: Run) -> bool:
    return any(item.back for item in run.items)


class _Frame(NamedTuple):
    """What all sheets of a run have in common."""

    grid: Grid
    room: Margins
    slug: list[Spot]
    total: int


@dataclass(frozen=True, slots=True)
class _Imposition:
    """One run on its way to paper."""

    game: str
    run: Run
    printing: Printing
    lettering: Lettering
    is_duplex: bool

    def sheets(self) -> Iterator[Sheet]:
        frame = self._frame()
        count, paper = frame.grid.count, frame.grid.paper
        for number in range(1, frame.total + 1):
            filling = self.run.items[(number - 1) * count : number * count]
            pages = tuple(self._pages(frame, filling, number))
            run = self.run
            yield Sheet(run.component, run.title, number, frame.total, paper, self._flip(), pages)

    def _way(self) -> Way:
        """A run without backs is never told to be flipped or folded."""
        return self.printing.way if _has_backs(self.run) else "single"

    def _flip(self) -> Flip | None:
        return _FLIPS.get(self._way())

    def _frame(self) -> _Frame:
        """The fullest grid whose margins hold the slug. Raises PnpError when none does."""
        margin, bleed = self.printing.margin, self.run.bleed
        is_folded = self._way() == "fold"
        for grid in grids(
            self.run.size, self.printing.paper, margin=margin, bleed=bleed, is_folded=is_folded
        ):
            room = margins(grid, bleed)
            total = -(-len(self.run.items) // grid.count)
            slug = reserve(self._widest_slugs(total), room.bays, self.lettering)
            if slug is not None:
                return _Frame(grid, room, slug, total)
        width, height = self.run.size
        paper = self.printing.paper
        what = (
            f"a piece of {width:g} x {height:g} mm does not fit on paper of "
            f"{paper.width:g} x {paper.height:g} mm"
        )
        hint = f"the printable area ends {margin:g} mm from each edge, and the slug needs a line"
        raise PnpError([Problem(self.run.where, what, hint)])

    def _slug(self, number: int, total: int, side: str) -> list[SlugItem]:
        sheet = f"{self.game} · {self.run.title} · sheet {number} of {total}"
        return slug_items(sheet, side.upper(), self._way(), self.printing.printer)

    def _widest_slugs(self, total: int) -> list[list[SlugItem]]:
        """Slugs of which each item is at least once as wide as it ever gets: digits differ."""
        digits = range(1, min(total, 9) + 1)
        numbers = [int(str(digit) * len(str(total))) for digit in digits]
        sides = (_BOTH,) if self._way() == "fold" else _SIDES
        return [self._slug(number, total, side) for number in numbers for side in sides]

    def _pages(self, frame: _Frame, items: Sequence[Item], number: int) -> Iterator[Page]:
        grid, bleed = frame.grid, self.run.bleed
        fronts = tuple(self._fronts(grid, items))
        marks = tuple(crop_marks(grid, bleed, frame.room.reaches))
        block, paper = grid.block, Rect(0.0, 0.0, *grid.paper)

        def page(side: Side, told: str, placements: tuple[Placement, ...], trim: Rect) -> Page:
            labels, lines = set_slug(self._slug(number, frame.total, told), frame.slug)
            lines = [*(marks if side == "front" else ()), *lines]
            bleeds = trim.grown(bleed).within(paper)
            return Page(side, placements, tuple(lines), tuple(labels), trim, bleeds)

        if grid.fold:
            turn = grid.fold_turn()
            both = (*fronts, *self._backs(fronts, items, turn))
            marks = (*marks, *fold_marks(grid))
            yield page("front", _BOTH, both, block.around(turn.apply_rect(block)))
            return
        yield page("front", "front", fronts, block)
        flip = self._flip()
        if flip is not None:
            backs = self._backs(fronts, items, paper_turn(grid.paper, flip))
            yield page("back", "back", tuple(backs), block)
        elif self.is_duplex:
            yield Page("back", (), (), (), block, block.grown(bleed).within(paper))

    def _fronts(self, grid: Grid, items: Sequence[Item]) -> Iterator[Placement]:
        paper = Rect(0.0, 0.0, *grid.paper)
        bleed = self.run.bleed
        for index, item in enumerate(items):
            corner = grid.corner(index)
            left, top, right, bottom = (
                0.0 if is_there else bleed for is_there in grid.neighbours(index, len(items))
            )
            clip = Rect(
                corner.x - left,
                corner.y - top,
                corner.x + grid.cell.width + right,
                corner.y + grid.cell.height + bottom,
            )
            place = translation(corner.x - bleed, corner.y - bleed)
            yield Placement(item.front, item.piece, place, clip.within(paper))

    def _backs(
        self, fronts: Sequence[Placement], items: Sequence[Item], turn: Affine
    ) -> Iterator[Placement]:
        width = self.run.size.width + 2 * self.run.bleed
        for front, item in zip(fronts, items, strict=True):
            if item.back is not None:
                place = back_of(front.affine, width, turn)
                yield Placement(item.back, item.piece, place, turn.apply_rect(front.clip))
