"""Take runs of pieces and how they are printed, make Sheets: each back behind its front."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.errors import PnpError, Problem
from generator.geometry import Affine, Rect, Size, translation
from generator.layout.area import areas
from generator.layout.marks import Bounds, Mark, crop_marks, fold_marks
from generator.layout.packing import Packing, packings
from generator.layout.papers import USUAL_MARGIN
from generator.layout.slug import LINE_HEIGHT, Spot, bays, margins, reserve, set_slug, slug_items
from generator.layout.slug import Item as SlugItem
from generator.model import Cuts, Flip, Page, Placement, Sheet, Side, Way
from generator.outlines import Shape, box_of, carried
from generator.text import FontBook, Lettering
from generator.turn import back_of, paper_turn

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
    """Pieces of one shape to be laid on sheets of their own."""

    component: str
    title: str
    shape: Shape
    bleed: float
    back_bleed: float
    cuts: Cuts
    items: tuple[Item, ...]
    where: str

    @property
    def most_bleed(self) -> float:
        return max(self.bleed, self.back_bleed)


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

    packing: Packing
    marks: tuple[Mark, ...]
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
        count, paper = len(frame.packing.places), frame.packing.area.paper
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
        """Shared cuts or gutters, as asked; gutters where either will do if they cost no sheet.

        Raises PnpError when nothing fits.
        """
        shared = self._fullest(is_shared=True) if self.run.cuts != "double" else None
        double = self._fullest(is_shared=False) if self.run.cuts != "shared" else None
        if double is not None and (shared is None or double.total <= shared.total):
            return double
        if shared is not None:
            return shared
        width, height = self.run.shape.size
        paper, margin = self.printing.paper, self.printing.margin
        what = (
            f"a piece of {width:.4g} x {height:.4g} mm does not fit on paper of "
            f"{paper.width:g} x {paper.height:g} mm"
        )
        hint = f"the printable area ends {margin:g} mm from each edge, and the slug needs a line"
        raise PnpError([Problem(self.run.where, what, hint)])

    def _fullest(self, *, is_shared: bool) -> _Frame | None:
        """The fullest packing whose margins hold the slug, None when there is none."""
        run, printing = self.run, self.printing
        bleed = run.most_bleed
        sides = areas(printing.paper, printing.margin, bleed, is_folded=self._way() == "fold")
        slug_room = 2 * (bleed + LINE_HEIGHT)
        for packing in packings(run.shape, sides, bleed=bleed, is_shared=is_shared, slug=slug_room):
            frame = self._framed(packing)
            if frame is not None:
                return frame
        return None

    def _framed(self, packing: Packing) -> _Frame | None:
        """The packing with marks and a slug around it, None when its margins are too narrow."""
        bleed, block, area = self.run.most_bleed, packing.block, packing.area
        reach = box_of(corner for clip in packing.clips(bleed) for corner in clip)
        room = margins(area, block, reach)
        if not room.strips:
            return None
        bounds = Bounds(room.marks, area.printable(block))
        marks = tuple(crop_marks(packing, bleed, bounds))
        total = -(-len(self.run.items) // len(packing.places))
        free = bays(block, room.strips, [mark.line for mark in marks])
        slug = reserve(self._widest_slugs(total), free, self.lettering)
        return None if slug is None else _Frame(packing, marks, slug, total)

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
        packing, bleed = frame.packing, self.run.most_bleed
        block, area = packing.block, packing.area
        paper = Rect(0.0, 0.0, *area.paper)
        fronts = tuple(self._fronts(packing, items))
        marks = [
            mark.line for mark in frame.marks if mark.line.kind == "cut" or mark.owner < len(items)
        ]

        def page(side: Side, told: str, placements: tuple[Placement, ...], trim: Rect) -> Page:
            labels, lines = set_slug(self._slug(number, frame.total, told), frame.slug)
            lines = [*(marks if side == "front" else ()), *lines]
            bleeds = trim.grown(bleed).within(paper)
            return Page(side, placements, tuple(lines), tuple(labels), trim, bleeds)

        if area.fold:
            turn = area.fold_turn()
            both = (*fronts, *self._backs(packing, items, turn))
            marks = [*marks, *fold_marks(area)]
            yield page("front", _BOTH, both, block.around(turn.apply_rect(block)))
            return
        yield page("front", "front", fronts, block)
        flip = self._flip()
        if flip is not None:
            backs = self._backs(packing, items, paper_turn(area.paper, flip))
            yield page("back", "back", tuple(backs), block)
        elif self.is_duplex:
            yield Page("back", (), (), (), block, block.grown(bleed).within(paper))

    def _fronts(self, packing: Packing, items: Sequence[Item]) -> Iterator[Placement]:
        bleed = self.run.bleed
        clips = packing.clips(bleed, len(items))
        for item, place, clip in zip(items, packing.places, clips, strict=False):
            yield Placement(item.front, item.piece, place @ translation(-bleed, -bleed), clip)

    def _backs(self, packing: Packing, items: Sequence[Item], turn: Affine) -> Iterator[Placement]:
        width, bleed = self.run.shape.size.width, self.run.back_bleed
        clips = packing.clips(bleed, len(items))
        for item, front, clip in zip(items, packing.places, clips, strict=False):
            if item.back is not None:
                place = back_of(front, width, turn) @ translation(-bleed, -bleed)
                yield Placement(item.back, item.piece, place, carried(clip, turn))
