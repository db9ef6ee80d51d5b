"""Findings about a Game; knows no drawing and no paper."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, runtime_checkable

from msgspec.structs import replace

from generator.basics.errors import LEVELS, Place, Problem
from generator.checks.looks import Looks
from generator.checks.table import note_expansions, note_untranslated
from generator.model import Booklet, Check, Component, Design, LoadedGame, PlacedCheck

# kinds of findings that no [[component.rule]] asks for
UNDECLARED = (
    "art.mended",
    "art.pixels",
    "art.reference",
    "cell.date",
    "cell.format",
    "cell.struck",
    "column.braces",
    "column.count",
    "column.unread",
    "font.replaced",
    "font.unread",
    "row.hidden",
    "row.struck",
    "text.marks",
    "translation",
)


def check(loaded: LoadedGame) -> list[Problem]:
    """The findings of the game's [[component.rule]] tables and of its reader, and the notes on
    expansions and translations; errors first."""
    whole = (replace(each, component=each.component.with_joined_copies()) for each in loaded.designs)
    problems = [
        replace(problem, on=_on(problem, design.component, rows))
        for design in whole
        for rows in [{piece.place: piece.id for piece in design.component.pieces}]
        for placed in design.checks
        for problem in _apply(placed, design, loaded.game.booklet)
    ]
    problems += [*loaded.findings, *note_expansions(loaded.game), *note_untranslated(loaded.game)]
    return sorted(problems, key=lambda problem: LEVELS.index(problem.level))


@runtime_checkable
class TableCheck(Check, Protocol):
    """A check of the pieces of a component, as its table lists them."""

    def check(self, component: Component) -> Iterable[Problem]: ...


@runtime_checkable
class FaceCheck(Check, Protocol):
    """A check of the faces of a component."""

    def check_faces(self, component: Component, looks: Looks) -> Iterable[Problem]: ...


@runtime_checkable
class BookletCheck(Check, Protocol):
    """A check of a component's figures in the booklet."""

    def check_booklet(self, component: Component, booklet: Booklet) -> Iterable[Problem]: ...


def _apply(placed: PlacedCheck, design: Design, booklet: Booklet | None) -> Iterator[Problem]:
    check, component = placed.check, replace(design.component, place=placed.place)
    if isinstance(check, TableCheck):
        yield from check.check(component)
    if isinstance(check, FaceCheck):
        yield from check.check_faces(component, Looks(design))
    if isinstance(check, BookletCheck) and booklet is not None:
        yield from check.check_booklet(component, booklet)


def _on(problem: Problem, component: Component, rows: Mapping[Place, str]) -> tuple[str, ...]:
    """The pieces that a finding names, or else the piece of its row, or else the component."""
    row = problem.place.row
    names = problem.on or ([rows[row]] if row in rows else [])
    return tuple(f"{component.id}/{name}" for name in names) or (component.id,)
