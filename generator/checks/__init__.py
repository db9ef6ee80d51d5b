"""Take a Game, make findings; knows no drawing and no paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Protocol, runtime_checkable

from generator.checks.expansions import note_expansions
from generator.checks.translations import note_untranslated
from generator.errors import LEVELS, Problem
from generator.model import Booklet, Check, Component, Game

# "module:class" by the kind that a spec says
CHECKS: Mapping[str, str] = {
    "balanced": "generator.checks.table:Balanced",
    "complete": "generator.checks.table:Complete",
    "count": "generator.checks.table:Count",
    "one_of": "generator.checks.table:OneOf",
    "permutation": "generator.checks.table:Permutation",
    "spread": "generator.checks.table:Spread",
    "sum": "generator.checks.table:Sum",
    "unique": "generator.checks.table:Unique",
}
UNDECLARED = ("translation",)  # kinds of findings that no [[component.rule]] asks for


def check(game: Game) -> list[Problem]:
    """What the rules declared in the game's spec find, errors first; what an expansion made of
    it, and what is untranslated."""
    problems = [
        replace(problem, on=_on(problem, component, rows))
        for component in game.components
        for rows in [{piece.where: piece.id for piece in component.pieces}]
        for rule, where in zip_longest(component.checks, component.check_places)
        for problem in _check(rule, replace(component, where=where or component.where), game)
    ]
    problems += [*note_expansions(game), *note_untranslated(game)]
    return sorted(problems, key=lambda problem: LEVELS.index(problem.level))


@runtime_checkable
class _ReadsBooklet(Protocol):
    """A rule that looks at what the booklet shows of a component, too."""

    def check_booklet(self, component: Component, booklet: Booklet) -> Iterable[Problem]: ...


def _check(rule: Check, component: Component, game: Game) -> Iterator[Problem]:
    yield from rule.check(component)
    if game.booklet is not None and isinstance(rule, _ReadsBooklet):
        yield from rule.check_booklet(component, game.booklet)


def _on(problem: Problem, component: Component, rows: Mapping[str, str]) -> tuple[str, ...]:
    """The pieces that a rule names, or the one in whose row the fault is; else the component."""
    row = problem.where.partition(" column ")[0]
    names = problem.on or ([rows[row]] if row in rows else [])
    return tuple(f"{component.id}/{name}" for name in names) or (component.id,)
