"""The chance that hands hold what is wanted: exact, or of a sample.

Also, for play alone, how soon a hand holds a card that can be paid, and by which turn cards that
give something each turn pay each cost.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, count_of, quote
from generator.faces.templating.sandbox import Expression
from generator.model import Component
from generator.play.odds.answers import (
    Chance,
    Number,
    OddsAnswer,
    OddsCurve,
    OddsRow,
    cards_of,
    count_cards,
    counted,
    exact,
    exact_number,
    number_each,
    plain,
    sampled,
    say_number,
    say_share,
    value_each,
)
from generator.play.odds.hands import (
    CountRange,
    StepCount,
    TooManyStepsError,
    chance_after,
    count_hands,
    draw_hands,
    is_wanted,
    samples_for,
)

_WANTED = re.compile(r"(\d{1,4})(?:(\+)|-(\d{1,4}))?\s+of\s+(\S.*)", re.DOTALL)
WANTED_HINT = "a number, 'of' and a condition: \"2+ of kind == 'land'\", \"1-3 of cost <= 2\""

Membership = tuple[bool, ...]  # for each wanted number, whether a card counts
_MOSTLY = 0.9
_MOST_CURVES = 8
_MOST_MEANS = 5  # turns that the first sentence names
Powers = Mapping[Number, int]  # how often a seat can pay so much


class WantedCards(Struct, frozen=True):
    """How many cards are wanted, and the condition for a card to count."""

    range: CountRange
    where: str

    def __str__(self) -> str:
        return f"{self.range} of {self.where}"


def read_wanted(text: object) -> WantedCards:
    """The parts of "2-4 of kind == 'land'". Raises MisfitError."""
    found = _WANTED.fullmatch(text.strip()) if isinstance(text, str) else None
    if not found:
        raise MisfitError(f"{quote(text)} does not say how many of what", WANTED_HINT)
    least, is_open, most = int(found[1]), bool(found[2]), found[3]
    last = None if is_open else int(most) if most else least
    if last is not None and last < least:
        raise MisfitError(f"{quote(text)}: {last} is less than {least}", WANTED_HINT)
    return WantedCards(CountRange(least, last), Expression(found[4]).source)


class HandDraw(Struct, frozen=True):
    """The hands to draw: how many cards, how often a hand that fails is replaced by a new one, and
    by how many cards each new one is smaller."""

    draw: int
    mulligans: int = 0
    fewer: int = 0

    def sizes(self) -> list[int]:
        sizes = (self.draw - self.fewer * number for number in range(self.mulligans + 1))
        return [size for size in sizes if size >= 0]

    def describe_mulligans(self) -> str:
        """The mulligans in a clause; empty if there are none."""
        if not self.mulligans:
            return ""
        times = "once" if self.mulligans == 1 else f"up to {self.mulligans} times"
        smaller = f", smaller by {self.fewer}" if self.fewer else ""
        return f"; a hand that fails is drawn anew {times}{smaller}"


def count_members(component: Component, wanted: Sequence[WantedCards]) -> dict[Membership, int]:
    """The cards by what they count for. Raises MisfitError."""
    values = [list(map(bool, value_each(component, wish.where))) for wish in wanted]
    return {tuple(key): copies for key, copies in count_cards(component, values).items()}


def check_draw(cards: int, draw: int) -> None:
    """Raises MisfitError if the deck has fewer cards."""
    if draw > cards:
        raise MisfitError(f"{draw} cards are drawn from {count_of(cards, 'card')}", "draw fewer")


def find_chance(
    deck: Mapping[Membership, int], hands: HandDraw, wanted: Sequence[CountRange]
) -> tuple[Chance, int]:
    """The chance of what is wanted, and the number of samples, 0 if it is exact."""
    cards = sum(deck.values())
    try:
        counts = count_hands(deck, hands.draw, wanted)
    except TooManyStepsError:
        return _sample_chance(deck, hands, wanted)
    if not hands.mulligans:
        return counted(counts[hands.draw], comb(cards, hands.draw)), 0
    chances = [Fraction(counts[size], comb(cards, size)) for size in hands.sizes()]
    return exact(chance_after(chances)), 0


def _sample_chance(
    deck: Mapping[Membership, int], hands: HandDraw, wanted: Sequence[CountRange]
) -> tuple[Chance, int]:
    kinds, copies = list(deck), list(deck.values())
    samples = samples_for(hands.draw * (hands.mulligans + 1))

    def succeeds(hand: Sequence[int]) -> bool:
        counts = [sum(kinds[card][at] for card in hand) for at in range(len(wanted))]
        return is_wanted(counts, wanted)

    sizes = hands.sizes()
    drawn = [draw_hands(copies, size, samples, seed) for seed, size in enumerate(sizes)]
    hits = sum(any(map(succeeds, tries)) for tries in zip(*drawn, strict=True))
    return sampled(hits, samples), samples


def list_chances(
    deck: Mapping[Membership, int], most: int, wanted: Sequence[CountRange]
) -> list[Fraction]:
    """The exact chance for each number of cards drawn, from 0; none if that is not feasible."""
    cards = sum(deck.values())
    try:
        counts = count_hands(deck, most, wanted)
    except TooManyStepsError:
        return []
    return [Fraction(count, comb(cards, draw)) for draw, count in enumerate(counts)]


def answer_draw(
    component: Component, title: str | None, hands: HandDraw, wanted: Sequence[WantedCards]
) -> OddsAnswer:
    """The chance of wanted cards, and how it grows with the cards drawn. Raises MisfitError."""
    deck = count_members(component, wanted)
    check_draw(sum(deck.values()), hands.draw)
    ranges = [wish.range for wish in wanted]
    chance, samples = find_chance(deck, hands, ranges)
    what = " and ".join(map(str, wanted))
    most = min(sum(deck.values()), max(10, 2 * hands.draw))
    grown = list_chances(deck, most, ranges)
    points = tuple((float(draw), float(mean)) for draw, mean in enumerate(grown))
    return OddsAnswer(
        kind="draw",
        title=title or what,
        component=component.title,
        said=(
            f"{chance}: {what}, among {hands.draw} of {count_of(sum(deck.values()), 'card')}"
            f"{hands.describe_mulligans()}.",
            *_warn(deck, wanted),
        ),
        heads=("wanted cards" if len(wanted) == 1 else "each on its own", ""),
        rows=tuple(_list_rows(deck, hands, wanted)),
        samples=samples,
        plot="bars",
        of_rows=f"chance, {hands.draw} drawn",
        curves=(OddsCurve("", points),) if points else (),
        across="cards drawn",
        chance=chance,
        hand=hands.draw,
    )


def _warn(deck: Mapping[Membership, int], wanted: Sequence[WantedCards]) -> Iterator[str]:
    """The conditions that no card meets, which may be misspelt."""
    for at, wish in enumerate(wanted):
        if not any(kinds[at] for kinds in deck):
            yield f"No card at all counts for {wish.where}."


def _list_rows(
    deck: Mapping[Membership, int], hands: HandDraw, wanted: Sequence[WantedCards]
) -> Iterator[OddsRow]:
    """The numbers of wanted cards; for several conditions, the whole chance of each."""
    if len(wanted) > 1:
        for at, wish in enumerate(wanted):
            yield OddsRow(
                str(wish), find_chance(_only(deck, at), HandDraw(hands.draw), [wish.range])[0]
            )
        return
    cards, able, draw = sum(deck.values()), deck.get((True,), 0), hands.draw
    for number in range(max(0, draw - cards + able), min(able, draw) + 1):
        ways = comb(able, number) * comb(cards - able, draw - number)
        note = "wanted" if wanted[0].range.holds(number) else ""
        yield OddsRow(str(number), counted(ways, comb(cards, draw)), note, number)


def _only(deck: Mapping[Membership, int], at: int) -> dict[Membership, int]:
    """The deck by one of its conditions."""
    able = sum(copies for kinds, copies in deck.items() if kinds[at])
    return {(True,): able, (False,): sum(deck.values()) - able}


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
    return OddsRow(str(turn), exact(chance), note, turn)


def _say_soon(points: Sequence[tuple[float, float]]) -> str:
    first = f"{say_share(points[0][1])} of the hands have a card that can be paid in turn 1"
    sure = next((turn for turn, share in points if share >= _MOSTLY), None)
    if sure is None:
        return f"{first}, {say_share(points[-1][1])} in turn {len(points)}."
    return f"{first}; 9 of 10 have one in turn {sure:g}."


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
    givers = f"{sum(deck.copies)} of {deck.cards} cards give something each turn."
    paid = {cost: [_chance_of(cost, turn, samples) for turn in powers] for cost in costs}
    return OddsAnswer(
        kind="resources",
        title=title or "How soon each cost can be paid",
        component=component.title,
        said=(givers, _say_means(powers)),
        heads=(cost, "the first turn that allows it"),
        rows=tuple(_answer_cost(cost, chances) for cost, chances in paid.items()),
        samples=samples,
        curves=tuple(_draw_cost(cost, paid[cost]) for cost in costs[:_MOST_CURVES]),
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
    return GiverDeck(gives, [copies[give] for give in gives], others, lays)


def _list_costs(component: Component, given: Sequence[Number], text: str) -> list[Number]:
    """The different costs of the cards that give nothing, without 0. Raises MisfitError."""
    values: list[Any] = value_each(component, text)
    cards = zip(cards_of(component), values, given, strict=True)
    costs = {exact_number(value, text, piece) for piece, value, gives in cards if not gives}
    found = sorted(cost for cost in costs if cost > 0)
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
    first = next((turn for turn, chance in enumerate(chances, 1) if chance.share > 0), None)
    if first is None:
        return OddsRow(say_number(cost), note=f"not in the first {len(chances)} turns")
    mostly = next((turn for turn, chance in enumerate(chances, 1) if chance.share >= _MOSTLY), None)
    last = f"{chances[-1].share:.0%}".replace("%", " %")
    sure = f"9 of 10 hands by turn {mostly}" if mostly else f"{last} by turn {len(chances)}"
    return OddsRow(say_number(cost), chances[first - 1], f"turn {first}; {sure}", plain(cost))


def _draw_cost(cost: Number, chances: Sequence[Chance]) -> OddsCurve:
    points = tuple((float(turn), chance.share) for turn, chance in enumerate(chances, 1))
    return OddsCurve(f"cost {say_number(cost)}", points)


def _say_means(powers: Iterable[Powers]) -> str:
    means = [
        Fraction(sum(power * ways for power, ways in turn.items()), sum(turn.values()))
        for turn in powers
    ]
    shown = means[:_MOST_MEANS]
    said = ", ".join(f"{say_number(mean)} in turn {turn}" for turn, mean in enumerate(shown, 1))
    return f"On average a seat can pay {said}."
