"""Advice on a plan: small changes that would save sheets, and places that stay free."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.geometry import Size
from generator.basics.papers import margins, parse_paper
from generator.basics.shapes import rectangle
from generator.model import Component, Game, Sheet
from generator.pipeline.request import Request

_STEP = 0.1  # mm
_MOST_STEPS = 20  # by which a piece may be narrower or shorter
_OTHER = {"letter": "a4", "a4": "letter"}
_WAYS = (("narrower", Size(1.0, 0.0)), ("shorter", Size(0.0, 1.0)))
Impose = Callable[[Game, Request], list[Sheet]]


class SheetFill(NamedTuple):
    """How many sheets a component takes, how many pieces one has room for, and how many places stay
    free."""

    sheets: int
    seats: int
    free: int = 0


def advise(
    game: Game, request: Request, filled: Mapping[str, SheetFill], impose: Impose
) -> Iterator[str]:
    """What would save sheets of each component, and the places that stay free. Sheets that are cut
    already, or by a machine, stay as they are. `impose` lays the pieces of a game."""
    is_fixed = request.printing.precut or request.printing.cutter
    for component in game.components:
        now = filled.get(component.id, SheetFill(0, 0))
        if now.sheets > 1 and not is_fixed:
            yield from _Saving(game, request, component, now, impose).find()
        is_blank = any(piece.fills for piece in component.pieces)
        if now.free and not is_blank and component.shape.kind != "net":
            places = "a place is" if now.free == 1 else f"{now.free} places are"
            yield f"{component.id}: {places} free; a row with count = fill takes them"


class _Saving(Struct, frozen=True):
    """Tries other papers, margins and measures for one component."""

    game: Game
    request: Request
    component: Component
    now: SheetFill
    impose: Impose

    def find(self) -> Iterator[str]:
        """The changes that save sheets, together where they save as many."""
        found: dict[SheetFill, list[str]] = {}
        for change, filled in self._changes():
            if filled.sheets < self.now.sheets:
                found.setdefault(filled, []).append(change)
        for filled, changes in sorted(found.items()):
            sheets = f"{filled.sheets} sheet{'s' * (filled.sheets != 1)}"
            yield (
                f"{self.component.id}: {' or '.join(changes)}: {sheets} instead of "
                f"{self.now.sheets}, {filled.seats} a sheet instead of {self.now.seats}"
            )

    def _changes(self) -> Iterator[tuple[str, SheetFill]]:
        printing = self.request.printing
        if self.component.shape.kind == "rectangle":
            yield from self._smaller()
        if printing.margin > margins()["tight"]:
            tight = replace(printing, margin=margins()["tight"])
            yield "--margin tight", self._fill(replace(self.request, printing=tight))
        if printing.orientation != "auto":
            free = replace(printing, orientation="auto")
            yield "the other orientation", self._fill(replace(self.request, printing=free))
        if name := _OTHER.get(printing.paper_name.lower()):
            paper = parse_paper(name)
            other = replace(printing, paper=paper.size, paper_name=paper.name)
            yield f"--paper {name}", self._fill(replace(self.request, printing=other))

    def _smaller(self) -> Iterator[tuple[str, SheetFill]]:
        """The least by which a narrower or a shorter piece saves sheets."""
        for word, way in _WAYS:

            def fill(steps: int, way: Size = way) -> SheetFill:
                return self._fill(self.request, Size(*(side * steps * _STEP for side in way)))

            steps = range(1, _MOST_STEPS + 1)
            at = bisect_left(steps, True, key=lambda n: fill(n).sheets < self.now.sheets)
            if at < len(steps):
                yield f"{steps[at] * _STEP:.1f} mm {word}", fill(steps[at])

    def _fill(self, request: Request, less: Size = Size(0.0, 0.0)) -> SheetFill:  # noqa: B008
        component, shape = self.component, self.component.shape
        if any(less):
            size = (side - by for side, by in zip(shape.size, less, strict=True))
            shape = rectangle(Size(*size))
        pieces = tuple(replace(piece, fills=False) for piece in component.pieces)
        own = replace(component, shape=shape, pieces=pieces)
        sheets = self.impose(replace(self.game, components=(own,)), replace(request, only=()))
        return SheetFill(len(sheets), sheets[0].seats)
