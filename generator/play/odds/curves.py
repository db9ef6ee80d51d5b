"""Take what cards cost and what they are worth, fit the line between them (least squares)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from generator.basics.errors import count_of
from generator.model import Component
from generator.play.odds.answers import OddsAnswer, OddsCurve, OddsRow, counted
from generator.play.odds.cards import (
    Number,
    cards_of,
    number_each,
    plain,
    say_number,
    say_value,
    value_each,
)

_MOST_DOTS = 1500  # of a plot
_NAMED = 3  # cards above and below the line


class PricedCard(Struct, frozen=True):
    """A card with what it costs and what it is worth."""

    id: str
    cost: Number
    worth: Number
    copies: int


class PriceLine(Struct, frozen=True):
    """The worth that a cost buys on average: base + slope · cost."""

    base: Fraction
    slope: Fraction

    def worth_at(self, cost: Number) -> Fraction:
        return self.base + self.slope * cost

    def excess_of(self, card: PricedCard) -> Fraction:
        """By how much a card is worth more than its cost buys on average."""
        return card.worth - self.worth_at(card.cost)


def fit_line(cards: Sequence[PricedCard]) -> PriceLine | None:
    """The line with the least squares of the differences, each copy counted; None if all cards cost
    the same."""
    total = sum(card.copies for card in cards)
    cost = Fraction(sum(card.copies * card.cost for card in cards), total)
    worth = Fraction(sum(card.copies * card.worth for card in cards), total)
    spread = sum(card.copies * (card.cost - cost) ** 2 for card in cards)
    if not spread:
        return None
    joint = sum(card.copies * (card.cost - cost) * (card.worth - worth) for card in cards)
    slope = Fraction(joint) / spread
    return PriceLine(worth - slope * cost, slope)


def answer_curve(
    component: Component, title: str | None, cost: str, worth: str, name: str
) -> OddsAnswer:
    """What cards cost, and the cards farthest from the line. Raises MisfitError."""
    cards = _price_cards(component, cost, worth, name)
    line = fit_line(cards)
    above, below = _find_farthest(cards, line) if line else ([], [])
    said = ["All cards cost the same."]
    if line:
        formula = f"{worth} = {say_number(line.base)} + {say_number(line.slope)} × {cost}"
        said = [f"On average {formula}."]
        for where, few in (("above", above), ("below", below)):
            names = ", ".join(_say_off(one, line) for one in few)
            said += [f"Farthest {where} it: {names}."] if few else []
    return OddsAnswer(
        kind="curve",
        title=title or f"{worth} for {cost}",
        component=component.title,
        said=tuple(said),
        heads=(cost, worth),
        rows=tuple(_list_costs(cards)),
        plot="bars",
        of_rows="share of the cards",
        curves=tuple(_plot(cards, line, {one.id for one in (*above, *below)})),
        across=cost,
        up=worth,
    )


def _price_cards(component: Component, cost: str, worth: str, name: str) -> list[PricedCard]:
    names = map(say_value, value_each(component, name))
    costs, worths = number_each(component, cost), number_each(component, worth)
    copies = (piece.copies for piece in cards_of(component))
    return list(map(PricedCard, names, costs, worths, copies))


def _find_farthest(
    cards: Sequence[PricedCard], line: PriceLine
) -> tuple[list[PricedCard], list[PricedCard]]:
    """The few cards farthest above and below the line, the farthest first."""
    order = sorted(cards, key=line.excess_of, reverse=True)
    above = [one for one in order[:_NAMED] if line.excess_of(one) > 0]
    return above, [one for one in order[::-1][:_NAMED] if line.excess_of(one) < 0]


def _say_off(card: PricedCard, line: PriceLine) -> str:
    off = line.excess_of(card)
    return f"{card.id} ({'+' if off > 0 else '−'}{say_number(abs(off))})"


def _list_costs(cards: Sequence[PricedCard]) -> Iterator[OddsRow]:
    total = sum(card.copies for card in cards)
    for cost in sorted({card.cost for card in cards}):
        those = [card for card in cards if card.cost == cost]
        copies = sum(card.copies for card in those)
        mean = Fraction(sum(card.copies * card.worth for card in those), copies)
        note = f"{count_of(copies, 'card')}, {say_number(mean)} on average"
        yield OddsRow(say_number(cost), counted(copies, total), note, plain(cost))


def _plot(
    cards: Sequence[PricedCard], line: PriceLine | None, named: Collection[str]
) -> Iterator[OddsCurve]:
    spots: dict[tuple[float, float], list[str]] = {}
    for card in cards:
        spot = spots.setdefault((float(card.cost), float(card.worth)), [])
        spot += [card.id] if card.id in named else []
    names = tuple(map(", ".join, spots.values()))
    if len(spots) <= _MOST_DOTS:
        yield OddsCurve("cards", tuple(spots), has_line=False, names=names)
    if line:
        ends = min(card.cost for card in cards), max(card.cost for card in cards)
        yield OddsCurve("average", tuple((float(one), float(line.worth_at(one))) for one in ends))
