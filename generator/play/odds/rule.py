"""The check of a chance: a deck whose hands hold wanted cards too rarely or too often."""

import re
from typing import Annotated

from msgspec import Struct

from generator.basics.errors import MisfitError, Problem, quote
from generator.basics.keys import Custom, Reads, Schema, describe
from generator.checks.table import Declared
from generator.model import Column, Component
from generator.play.odds.answers import Chance, draw_part, find_members
from generator.play.odds.questions import Drawn, Fewer, Mulligans, Wanted, read_columns
from generator.play.odds.wanted import Redraws, find_chance
from generator.tables.fields import Title

_RANGE = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)\s*[-–]\s*(\d{1,3}(?:\.\d{1,4})?)\s*%")
_RANGE_HINT = "the least and the most percent: '40-60%'"


class ChanceRange(Struct, frozen=True):
    """The least and the greatest share that is allowed."""

    least: float
    most: float

    def holds(self, chance: Chance) -> bool:
        """Whether it may be within; for a sampled chance, whether any of its interval is."""
        return self.least <= chance.high and chance.low <= self.most

    def __str__(self) -> str:
        return f"{100 * self.least:g} to {100 * self.most:g} %"


def _read_range(text: object) -> ChanceRange:
    found = _RANGE.fullmatch(text.strip()) if isinstance(text, str) else None
    least, most = (float(found[1]), float(found[2])) if found else (1.0, 0.0)
    if not 0 <= least <= most <= 100:
        raise MisfitError(f"{quote(text)} is not a range of percent", _RANGE_HINT)
    return ChanceRange(least / 100, most / 100)


AllowedChance = Custom[ChanceRange, Reads(_read_range), Schema({"type": "string"}), describe(_RANGE_HINT)]


class Odds(Declared, frozen=True, kw_only=True):
    """The chance that a hand holds wanted cards is within a range."""

    kind = "odds"
    draw: Drawn
    want: Wanted
    chance: AllowedChance
    mulligans: Mulligans = 0
    fewer: Fewer = 0
    title: Annotated[Title | None, describe("what the chance is of, in messages")] = None

    def columns(self) -> list[Column]:
        return read_columns([wanted.where for wanted in self.want])

    def check(self, component: Component) -> list[Problem]:
        what = self.title or " and ".join(map(str, self.want))
        try:
            pools = find_members([draw_part(component, self.draw)], self.want)
        except MisfitError as error:
            return [Problem(component.place, str(error), error.hint, self.level, self.kind)]
        redraws = Redraws(self.mulligans, self.fewer)
        chance, _ = find_chance(pools, [wanted.range for wanted in self.want], redraws)
        if self.chance.holds(chance):
            return []
        said = f"{what}: {chance} of the hands of {self.draw}, not {self.chance}"
        return [self.problem(component.place, said, found=f"{what}: {chance}")]
