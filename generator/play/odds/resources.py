"""Cards that give something each turn: by which turn each cost can be paid.

In each turn a seat draws, lays cards that give, those that give the most first, and pays with what
all of them give. No other order pays more in any turn: what is not laid now can be laid later.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, quote
from generator.model import Component
from generator.play.odds.answers import Chance, OddsAnswer, OddsCurve, OddsRow, exact, sampled
from generator.play.odds.cards import (
    Number,
    cards_of,
    exact_number,
    number_each,
    plain,
    say_number,
    value_each,
)
from generator.play.odds.drawing import StepCount, TooManyStepsError
from generator.play.odds.goldfish import Tempo
from generator.play.odds.sampling import draw_hands, samples_for
from generator.play.odds.wanted import check_draw

_MOSTLY = 0.9
_MOST_CURVES = 8
_MOST_MEANS = 5  # turns that the first sentence names
Powers = Mapping[Number, int]  # how often a seat can pay so much


class GiverDeck(Struct, frozen=True):
    """What the kinds of cards give each turn, the most first, and their copies; the number of other
    cards; how many that give can be laid in a turn."""

    gives: Sequence[Number]
    copies: Sequence[int]
    others: int
    lays: int

    @property
    def cards(self) -> int:
        return sum(self.copies) + self.others


class _Held(Struct, frozen=True):
    """The cards of each kind that gives: all that were drawn, and those not yet laid."""

    drawn: tuple[int, ...]
    hand: tuple[int, ...]


def count_powers(deck: GiverDeck, tempo: Tempo, turns: int) -> list[Powers]:
    """How often a seat can pay so much, turn by turn, in all ways to draw. Raises
    TooManyStepsError."""
    steps = StepCount()
    none = (0,) * len(deck.gives)
    states: dict[_Held, int] = {_Held(none, none): 1}
    seen = 0
    found: list[Powers] = []
    for turn in range(1, turns + 1):
        drawn = min(deck.cards, tempo.seen(turn)) - seen
        after: defaultdict[_Held, int] = defaultdict(int)
        for held, ways in states.items():
            for more, times in _list_draws(deck, held, seen, drawn, steps):
                after[_lay(_take(held, more), deck.lays)] += ways * times
        states, seen = after, seen + drawn
        powers: defaultdict[Number, int] = defaultdict(int)
        for held, ways in states.items():
            powers[tempo.pays(turn) + _sum_up(deck, held)] += ways
        found.append(powers)
    return found


def _list_draws(
    deck: GiverDeck, held: _Held, seen: int, draw: int, steps: StepCount
) -> Iterator[tuple[tuple[int, ...], int]]:
    """The numbers of cards of each kind that may be drawn next, and in how many ways."""
    left = [copies - drawn for copies, drawn in zip(deck.copies, held.drawn, strict=True)]
    others = deck.cards - seen - sum(left)
    found: list[tuple[tuple[int, ...], int]] = [((), 1)]
    for copies in left:
        found = [
            ((*more, number), ways * comb(copies, number))
            for more, ways in found
            for number in range(min(copies, draw - sum(more)) + 1)
        ]
        steps.take(len(found))
    for more, ways in found:
        if times := ways * comb(others, draw - sum(more)):
            yield more, times


def _take(held: _Held, more: Sequence[int]) -> _Held:
    drawn, hand = (tuple(map(int.__add__, before, more)) for before in (held.drawn, held.hand))
    return _Held(drawn, hand)


def _lay(held: _Held, lays: int) -> _Held:
    """The same after those that give the most were laid."""
    hand = []
    for number in held.hand:
        laid = min(number, lays)
        hand.append(number - laid)
        lays -= laid
    return replace(held, hand=tuple(hand))


def _sum_up(deck: GiverDeck, held: _Held) -> Number:
    """What the cards that were laid give."""
    kinds = zip(deck.gives, held.drawn, held.hand, strict=True)
    return sum(gives * (drawn - hand) for gives, drawn, hand in kinds)


def sample_powers(deck: GiverDeck, tempo: Tempo, turns: int) -> tuple[list[Powers], int]:
    """The same for random hands, and their number."""
    samples = samples_for(tempo.seen(turns))
    found: list[Counter[Number]] = [Counter() for _ in range(turns)]
    none = (0,) * len(deck.gives)
    for cards in draw_hands([*deck.copies, deck.others], tempo.seen(turns), samples):
        held, seen = _Held(none, none), 0
        for turn in range(1, turns + 1):
            new = Counter(cards[seen : tempo.seen(turn)])
            seen = tempo.seen(turn)
            held = _lay(_take(held, [new[kind] for kind in range(len(none))]), deck.lays)
            found[turn - 1][tempo.pays(turn) + _sum_up(deck, held)] += 1
    return list(found), samples


def answer_resources(
    component: Component,
    title: str | None,
    texts: tuple[str, str],
    tempo: Tempo,
    lays: int,
    turns: int,
) -> OddsAnswer:
    """By which turn each cost can be paid; `texts` are the formulas of the cost and of what a card
    gives. Raises MisfitError."""
    cost, gives = texts
    given = number_each(component, gives)
    deck = _make_deck(component, given, gives, lays)
    costs = _list_costs(component, given, cost)
    check_draw(deck.cards, tempo.hand)
    samples = 0
    try:
        powers = count_powers(deck, tempo, turns)
    except TooManyStepsError:
        powers, samples = sample_powers(deck, tempo, turns)
    paid = {one: [_chance_of(one, turn, samples) for turn in powers] for one in costs}
    return OddsAnswer(
        kind="resources",
        title=title or "How soon each cost can be paid",
        component=component.title,
        said=(_say_givers(deck), _say_means(powers)),
        heads=(cost, "the first turn that allows it"),
        rows=tuple(_answer_cost(one, chances) for one, chances in paid.items()),
        samples=samples,
        curves=tuple(_draw_cost(one, paid[one]) for one in costs[:_MOST_CURVES]),
        across="turn",
        up="chance that the cost can be paid",
        hand=tempo.hand,
    )


def _make_deck(component: Component, given: Sequence[Number], text: str, lays: int) -> GiverDeck:
    copies: Counter[Number] = Counter()
    for piece, number in zip(cards_of(component), given, strict=True):
        if number < 0:
            what = f"{quote(text)} is {say_number(number)} for {quote(piece.id)}"
            raise MisfitError(what, "a card gives 0 or more")
        copies[number] += piece.copies
    others = copies.pop(0, 0)
    gives = sorted(copies, reverse=True)
    return GiverDeck(gives, [copies[one] for one in gives], others, lays)


def _list_costs(component: Component, given: Sequence[Number], text: str) -> list[Number]:
    """The different costs of the cards that give nothing, without 0. Raises MisfitError."""
    values: list[Any] = value_each(component, text)
    cards = zip(cards_of(component), values, given, strict=True)
    costs = {exact_number(value, text, piece) for piece, value, gives in cards if not gives}
    found = sorted(one for one in costs if one > 0)
    if not found:
        raise MisfitError("no card has a cost", "a card that gives something is laid free")
    return found


def _chance_of(cost: Number, powers: Powers, samples: int) -> Chance:
    """The chance that this cost can be paid in a turn."""
    able = sum(ways for power, ways in powers.items() if power >= cost)
    if samples:
        return sampled(able, samples)
    return exact(Fraction(able, sum(powers.values())))


def _answer_cost(cost: Number, chances: Sequence[Chance]) -> OddsRow:
    first = next((turn for turn, one in enumerate(chances, 1) if one.share > 0), None)
    if first is None:
        return OddsRow(say_number(cost), note=f"not in the first {len(chances)} turns")
    mostly = next((turn for turn, one in enumerate(chances, 1) if one.share >= _MOSTLY), None)
    last = f"{chances[-1].share:.0%}".replace("%", " %")
    sure = f"9 of 10 hands by turn {mostly}" if mostly else f"{last} by turn {len(chances)}"
    return OddsRow(say_number(cost), chances[first - 1], f"turn {first}; {sure}", plain(cost))


def _draw_cost(cost: Number, chances: Sequence[Chance]) -> OddsCurve:
    points = tuple((float(turn), one.share) for turn, one in enumerate(chances, 1))
    return OddsCurve(f"cost {say_number(cost)}", points)


def _say_givers(deck: GiverDeck) -> str:
    return f"{sum(deck.copies)} of {deck.cards} cards give something each turn."


def _say_means(powers: Iterable[Powers]) -> str:
    means = [
        Fraction(sum(power * ways for power, ways in turn.items()), sum(turn.values()))
        for turn in powers
    ]
    shown = means[:_MOST_MEANS]
    said = ", ".join(f"{say_number(mean)} in turn {turn}" for turn, mean in enumerate(shown, 1))
    return f"On average a seat can pay {said}."
