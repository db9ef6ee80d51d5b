"""The plan of a game's sheets; and advice: what would save sheets, and places that stay free."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from statistics import fmean
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from generator import layout
from generator.basics.errors import Problem
from generator.basics.geometry import Size
from generator.basics.papers import margins, parse_paper
from generator.basics.phrases import read_phrases
from generator.basics.shapes import rectangle
from generator.model import LEAFLETS, Component, Cut, Sheet
from generator.pipeline.game import bound_of
from generator.pipeline.imposing import impose_pieces
from generator.pipeline.printing import ImposedGame, make_sheets
from generator.pipeline.request import Request
from generator.pipeline.sheets import Progress, backs_of, parts

_STEP = 0.1  # mm
_MOST_STEPS = 20  # by which a piece may be narrower or shorter
_OTHER = {"letter": "a4", "a4": "letter"}
_WAYS = (("narrower", Size(1.0, 0.0)), ("shorter", Size(0.0, 1.0)))


class PlanRow(Struct, frozen=True):
    """How one component fills its paper. `used` is a share of the paper's area, without bleeds.

    `bound` is an upper limit for `per_sheet`: the printable area divided by that of a piece. Of a
    component in `panels` ("A1–B3"), all of this is about these.
    """

    component: str
    pieces: int
    sheets: int
    per_sheet: int
    bound: int
    used: float
    paper: Size
    cuts: Cut
    panels: str = ""


class Plan(Struct, frozen=True):
    """How the paper is filled.

    leaflets: the number of sheets of the cover and of the rules.
    rows: how each component fills its own sheets.
    mixed: the number of sheets that components share, by the titles of these.
    sheets: the number of all sheets.
    notes: what is printed, if that is not everything.
    ink: of a sheet, in solid layers, as the kit usually prints and with little ink; None without
        `ink` = "low". inks: the same of the sheets of each title.
    faults: the broken rules, which `print_game` raises; or the faults of a draft.
    advice: what would save sheets, and places that stay free.
    """

    leaflets: dict[str, int]
    rows: list[PlanRow]
    mixed: dict[str, int]
    sheets: int
    notes: list[str]
    ink: tuple[float, float] | None = None
    inks: Mapping[str, tuple[float, float]] = {}
    faults: Sequence[Problem] = ()
    advice: Sequence[str] = ()


def plan(request: Request, progress: Progress) -> Plan:
    """The plan of the sheets that `print_game` would print. Raises PnpError as it does, but not for a broken rule."""
    with bound_of(request.game).hold():
        made = make_sheets(request, progress, is_plan=True)
    sheets = made.sheets
    filled = [_plan_row(component, sheets, request) for component in made.game.components]
    mixed = {sheet.title: sheet.total for sheet in sheets if sheet.component == layout.MIXED}
    read = {sheet.component: sheet.total for sheet in sheets if sheet.component in LEAFLETS}
    inks = _measure_saving(request, made, progress) if request.is_low_ink and sheets else {}
    rows = [row for row in filled if row]
    with bound_of(request.game).hold():
        advice = list(_advise(request, made, rows))
    ink = _mean(chain(*inks.values())) if inks else None
    of_titles = {title: _mean(pairs) for title, pairs in inks.items()}
    return Plan(read, rows, mixed, len(sheets), made.notes, ink, of_titles, made.faults, advice)


def _advise(request: Request, made: ImposedGame, rows: Sequence[PlanRow]) -> Iterator[str]:
    """Advice that saves sheets of whole components, and the places that stay free; nothing if only some pieces are
    printed. Sheets that are cut already, or by a machine, stay as they are."""
    if request.changed_since or not {*request.only} <= {*parts(made.game)}:
        return
    is_fixed = request.printing.precut or request.printing.cutter
    own = Counter(sheet.component for sheet in made.sheets)  # a row has those of backs too
    components = {component.id: component for component in made.game.components}
    for row in rows:
        component = components[row.component]
        if row.sheets > 1 and not is_fixed:
            now = _SheetFill(row.sheets, row.per_sheet)
            yield from _Saving(made, request, component, now).find()
        is_blank = any(piece.fills for piece in component.pieces)
        free = own[row.component] * row.per_sheet - row.pieces
        if free and not is_blank and component.shape.kind != "net":
            places = "a place is" if free == 1 else f"{free} places are"
            yield f"{component.id}: {places} free; a row with count = fill takes them"


def _mean(pairs: Iterable[tuple[float, float]]) -> tuple[float, float]:
    first, second = zip(*pairs, strict=True)
    return fmean(first), fmean(second)


def _measure_saving(request: Request, low: ImposedGame, progress: Progress) -> dict[str, list[tuple[float, float]]]:
    """The ink of each sheet as the kit usually prints, and with little ink, by its title."""
    from generator.pipeline.looking import measure_ink  # it prints the kit twice

    with bound_of(request.game).hold():
        usual = make_sheets(replace(request, ink="usual"), progress, is_plan=True)
    measured = (measure_ink(kit.game, kit.sheets, kit.drawn, progress) for kit in (usual, low))
    inks: dict[str, list[tuple[float, float]]] = {}
    for sheet, pair in zip(low.sheets, zip(*measured, strict=True), strict=True):
        inks.setdefault(sheet.title, []).append(pair)
    return inks


def _plan_row(component: Component, sheets: Sequence[Sheet], request: Request) -> PlanRow | None:
    own = [sheet for sheet in sheets if sheet.component == component.id]
    backs = [sheet for sheet in sheets if sheet.component == backs_of(component, read_phrases()).id]
    if not own:
        return None
    faces_a_piece = 2 if request.way == "fold" and component.has_back else 1
    first, tiling = own[0], own[0].tiling
    area = component.shape.area * request.printing.scale**2 * faces_a_piece
    if tiling:
        boxes = (panel.box for panel in tiling.panels)
        area = max(box.width * box.height for box in boxes) * area / component.shape.area
    width, height = (side - 2 * request.printing.margins.edges for side in first.paper)
    return PlanRow(
        component=component.id,
        pieces=sum(len(sheet.pages[0].placements) for sheet in own) // faces_a_piece,
        sheets=len(own) + len(backs),
        per_sheet=first.seats,
        bound=int(width * height / area),
        used=first.seats * area / (first.paper.width * first.paper.height),
        paper=first.paper,
        cuts=first.cuts,
        panels=tiling.names if tiling else "",
    )


class _SheetFill(NamedTuple):
    sheets: int
    seats: int


class _Saving(Struct, frozen=True):
    """Tries other papers, margins and measures for one component."""

    made: ImposedGame
    request: Request
    component: Component
    now: _SheetFill

    def find(self) -> Iterator[str]:
        """The changes that save sheets, together where they save as many."""
        found: dict[_SheetFill, list[str]] = {}
        for change, filled in self._changes():
            if filled.sheets < self.now.sheets:
                found.setdefault(filled, []).append(change)
        for filled, changes in sorted(found.items()):
            sheets = f"{filled.sheets} sheet{'s' * (filled.sheets != 1)}"
            yield (
                f"{self.component.id}: {' or '.join(changes)}: {sheets} instead of "
                f"{self.now.sheets}, {filled.seats} a sheet instead of {self.now.seats}"
            )

    def _changes(self) -> Iterator[tuple[str, _SheetFill]]:
        printing = self.request.printing
        if self.component.shape.kind == "rectangle":
            yield from self._smaller()
        if printing.margins.edges > margins()["tight"]:
            tight = replace(printing, margin=margins()["tight"], narrow=None)
            yield "--margin tight", self._fill(replace(self.request, printing=tight))
        if printing.orientation != "auto":
            free = replace(printing, orientation="auto")
            yield "the other orientation", self._fill(replace(self.request, printing=free))
        if name := _OTHER.get(printing.paper_name.lower()):
            paper = parse_paper(name)
            other = replace(printing, paper=paper.size, paper_name=paper.name)
            yield f"--paper {name}", self._fill(replace(self.request, printing=other))

    def _smaller(self) -> Iterator[tuple[str, _SheetFill]]:
        """The least by which a narrower or a shorter piece saves sheets."""
        for word, way in _WAYS:

            def fill(steps: int, way: Size = way) -> _SheetFill:
                return self._fill(self.request, Size(*(side * steps * _STEP for side in way)))

            steps = range(1, _MOST_STEPS + 1)
            at = bisect_left(steps, True, key=lambda n: fill(n).sheets < self.now.sheets)
            if at < len(steps):
                yield f"{steps[at] * _STEP:.1f} mm {word}", fill(steps[at])

    def _fill(self, request: Request, less: Size = Size(0.0, 0.0)) -> _SheetFill:  # noqa: B008
        component, shape = self.component, self.component.shape
        if any(less):
            size = (side - by for side, by in zip(shape.size, less, strict=True))
            shape = rectangle(Size(*size))
        pieces = tuple(replace(piece, fills=False) for piece in component.pieces)
        own = replace(component, shape=shape, pieces=pieces)
        game = replace(self.made.game, components=(own,))
        sheets = impose_pieces(game, replace(request, only=()), self.made.drawn)
        return _SheetFill(len(sheets), sheets[0].seats)
