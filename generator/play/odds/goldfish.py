"""Play alone: how soon a hand holds a card that can be paid.

Nothing is played, so a card that can be paid once can be paid ever after, as long as the income of
a turn never falls. So the chance by a turn is that of the cards seen by then, and is exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from msgspec import Struct

from generator.model import Component
from generator.play.odds.answers import OddsAnswer, OddsCurve, OddsRow, counted, say_share
from generator.play.odds.cards import Number, count_cards, number_each, say_number
from generator.play.odds.wanted import check_draw

_MOSTLY = 0.9


class Tempo(Struct, frozen=True):
    """The cards of the first hand, those drawn at the beginning of each turn, and what may be paid
    in the first turn and how much more in each later one."""

    hand: int
    draw: int
    income: Number
    growth: Number
    draws_first: bool = True

    def seen(self, turn: int) -> int:
        """The cards drawn by a turn, from 1."""
        return self.hand + self.draw * (turn if self.draws_first else turn - 1)

    def pays(self, turn: int) -> Number:
        return self.income + self.growth * (turn - 1)


def count_payable(costs: Mapping[Number, int], most: Number) -> int:
    """The cards that cost no more."""
    return sum(copies for cost, copies in costs.items() if cost <= most)


def chance_of_play(costs: Mapping[Number, int], tempo: Tempo, turn: int) -> Fraction:
    """The chance that a card can be paid in a turn or before. `costs` has the copies by cost."""
    cards = sum(costs.values())
    seen = min(cards, tempo.seen(turn))
    payable = count_payable(costs, tempo.pays(turn))
    return 1 - Fraction(comb(cards - payable, seen), comb(cards, seen))


def expect_payable(costs: Mapping[Number, int], tempo: Tempo, turn: int) -> Fraction:
    """How many of the cards seen by a turn could be paid then, each on its own, on average."""
    cards = sum(costs.values())
    seen = min(cards, tempo.seen(turn))
    return Fraction(seen * count_payable(costs, tempo.pays(turn)), cards)


def answer_goldfish(
    component: Component, title: str | None, text: str, tempo: Tempo, turns: int
) -> OddsAnswer:
    """The chance of a card that can be paid, turn by turn. Raises MisfitError."""
    values = count_cards(component, [number_each(component, text)])
    costs: dict[Number, int] = {key[0]: copies for key, copies in values.items()}
    check_draw(sum(costs.values()), tempo.hand)
    rows = [_answer_turn(costs, tempo, turn) for turn in range(1, turns + 1)]
    points = tuple((row.at or 0.0, row.chance.share) for row in rows if row.chance)
    return OddsAnswer(
        kind="goldfish",
        title=title or "How soon a card can be paid",
        component=component.title,
        said=(_say_soon(points),),
        heads=("turn", "cards seen that can be paid, on average"),
        rows=tuple(rows),
        curves=(OddsCurve("", points),),
        across="turn",
        up="chance of a card that can be paid",
        hand=tempo.hand,
    )


def _answer_turn(costs: Mapping[Number, int], tempo: Tempo, turn: int) -> OddsRow:
    chance = chance_of_play(costs, tempo, turn)
    seen = min(sum(costs.values()), tempo.seen(turn))
    able = say_number(expect_payable(costs, tempo, turn))
    note = f"{able} of {seen}, with {say_number(tempo.pays(turn))} to pay"
    return OddsRow(str(turn), counted(chance.numerator, chance.denominator), note, turn)


def _say_soon(points: Sequence[tuple[float, float]]) -> str:
    first = f"{say_share(points[0][1])} of the hands have a card that can be paid in turn 1"
    sure = next((turn for turn, share in points if share >= _MOSTLY), None)
    if sure is None:
        return f"{first}, {say_share(points[-1][1])} in turn {len(points)}."
    return f"{first}; 9 of 10 have one in turn {sure:g}."
