"""Take sizes and counts, make Sheets of Placements; never sees a face's content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from generator.errors import PnpError, Problem
from generator.geometry import Affine, Rect, Size, translation
from generator.layout.grid import MARGIN, Grid, grids
from generator.layout.marks import crop_marks
from generator.layout.papers import paper_names, paper_size
from generator.layout.slug import Item as SlugItem
from generator.layout.slug import Lettering, Margins, margins, set_slug, slug_items
from generator.layout.turn import back_of, paper_turn
from generator.model import Flip, Page, Placement, Sheet, Side
from generator.text import HOUSE_FAMILY, FontBook

__all__ = ["Item", "Printing", "Run", "impose", "paper_names", "paper_size"]


@dataclass(frozen=True, slots=True)
class Printing:
    """How the paper is printed. `flip` is None for fronts only."""

    paper: Size
    flip: Flip | None


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

    Raises PnpError naming each run whose piece does not fit the paper.
    """
    lettering = Lettering(fonts.find(HOUSE_FAMILY), fonts.find(HOUSE_FAMILY, 700))
    sheets: list[Sheet] = []
    problems: list[Problem] = []
    for run in runs:
        try:
            sheets += _Imposition(game, run, printing, lettering).sheets()
        except PnpError as error:
            problems += error.problems
    if problems:
        raise PnpError(problems)
    return sheets


@dataclass(frozen=True, slots=True)
class _Imposition:
    """One run on its way to paper."""

    game: str
    run: Run
    printing: Printing
    lettering: Lettering

    def sheets(self) -> Iterator[Sheet]:
        grid, room = self._grid()
        items = self.run.items
        total = -(-len(items) // grid.count)
        for number in range(1, total + 1):
            filling = items[(number - 1) * grid.count : number * grid.count]
            pages = tuple(self._pages(grid, room, filling, number, total))
            yield Sheet(
                self.run.component, self.run.title, number, total, grid.paper, self._flip(), pages
            )

    def _flip(self) -> Flip | None:
        """A run without backs is never sent through duplex."""
        return self.printing.flip if any(item.back for item in self.run.items) else None

    def _grid(self) -> tuple[Grid, Margins]:
        """The fullest grid whose margins hold the slug. Raises PnpError when none does."""
        for grid in grids(self.run.size, self.printing.paper):
            room = margins(grid, self.run.bleed)
            longest = self._slug_items(999, 999, "front")
            if set_slug(longest, room.bays, self.lettering) is not None:
                return grid, room
        width, height = self.run.size
        paper = self.printing.paper
        what = (
            f"a piece of {width:g} x {height:g} mm does not fit on paper of "
            f"{paper.width:g} x {paper.height:g} mm"
        )
        hint = f"the printable area ends {MARGIN:g} mm from each edge, and the slug needs a line"
        raise PnpError([Problem(self.run.where, what, hint)])

    def _slug_items(self, number: int, total: int, side: Side) -> list[SlugItem]:
        return slug_items(self.game, self.run.title, number, total, side, self._flip())

    def _pages(
        self, grid: Grid, room: Margins, items: Sequence[Item], number: int, total: int
    ) -> Iterator[Page]:
        fronts = tuple(self._fronts(grid, items))
        marks = tuple(crop_marks(grid, self.run.bleed, room.reaches))
        block = grid.block
        bleed = block.grown(self.run.bleed).within(Rect(0.0, 0.0, *grid.paper))
        sides: list[tuple[Side, tuple[Placement, ...]]] = [("front", fronts)]
        flip = self._flip()
        if flip is not None:
            turn = paper_turn(grid.paper, flip)
            sides.append(("back", tuple(self._backs(fronts, items, turn))))
        for side, placements in sides:
            slug = set_slug(self._slug_items(number, total, side), room.bays, self.lettering)
            assert slug is not None, "the longest slug fitted"
            labels, lines = slug
            lines = [*(marks if side == "front" else ()), *lines]
            yield Page(side, placements, tuple(lines), tuple(labels), block, bleed)

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
