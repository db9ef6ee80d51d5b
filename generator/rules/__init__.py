"""Take a Game, make findings; knows no drawing and no paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

from generator.errors import LEVELS, Problem
from generator.model import Game, Rule
from generator.rules import advaya_set, atreya, taluva, toripoka
from generator.rules.expansions import merged
from generator.rules.table import (
    Balanced,
    Complete,
    Count,
    OneOf,
    Permutation,
    Spread,
    Sum,
    Unique,
)
from generator.rules.talavera import Deal
from generator.rules.translations import untranslated

RULES: Mapping[str, type[Rule]] = {
    "advaya.set": advaya_set.Set,
    "atreya.set": atreya.Set,
    "balanced": Balanced,
    "complete": Complete,
    "count": Count,
    "one_of": OneOf,
    "permutation": Permutation,
    "spread": Spread,
    "sum": Sum,
    "talavera.deal": Deal,
    "taluva.buildings": taluva.Buildings,
    "taluva.pairs": taluva.Pairs,
    "taluva.setup": taluva.Setup,
    "toripoka.deck": toripoka.Deck,
    "toripoka.pyramids": toripoka.Pyramids,
    "unique": Unique,
}
KINDS = (*RULES, "translation")  # of findings


def check(game: Game) -> list[Problem]:
    """What the rules declared in the game's spec find, errors first; what an expansion made of
    it, and what is untranslated."""
    problems = [
        replace(problem, on=(component.id,))
        for component in game.components
        for rule, where in zip_longest(component.rules, component.ruled)
        for problem in rule.check(replace(component, where=where or component.where))
    ]
    problems += [*merged(game), *untranslated(game)]
    return sorted(problems, key=lambda problem: LEVELS.index(problem.level))
