"""Take hands and what is wanted of them, find the chance: exact, or of a sample."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb

from msgspec import Struct

from generator.basics.errors import MisfitError, count_of, quote
from generator.faces.templating.sandbox import Expression
from generator.model import Component
from generator.play.odds.answers import (
    Chance,
    OddsAnswer,
    OddsCurve,
    OddsRow,
    counted,
    exact,
    sampled,
)
from generator.play.odds.cards import count_cards, value_each
from generator.play.odds.drawing import (
    CountRange,
    TooManyStepsError,
    chance_after,
    count_hands,
    is_wanted,
)
from generator.play.odds.sampling import draw_hands, samples_for

_WANTED = re.compile(r"(\d{1,4})(?:(\+)|-(\d{1,4}))?\s+of\s+(\S.*)", re.DOTALL)
WANTED_HINT = "a number, 'of' and a condition: \"2+ of kind == 'land'\", \"1-3 of cost <= 2\""

Membership = tuple[bool, ...]  # for each wanted number, whether a card counts


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
    values = [list(map(bool, value_each(component, one.where))) for one in wanted]
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
    ranges = [one.range for one in wanted]
    chance, samples = find_chance(deck, hands, ranges)
    what = " and ".join(map(str, wanted))
    grown = list_chances(deck, _most_shown(deck, hands), ranges)
    points = tuple((float(draw), float(one)) for draw, one in enumerate(grown))
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
    for at, one in enumerate(wanted):
        if not any(kinds[at] for kinds in deck):
            yield f"No card at all counts for {one.where}."


def _most_shown(deck: Mapping[Membership, int], hands: HandDraw) -> int:
    return min(sum(deck.values()), max(10, 2 * hands.draw))


def _list_rows(
    deck: Mapping[Membership, int], hands: HandDraw, wanted: Sequence[WantedCards]
) -> Iterator[OddsRow]:
    """The numbers of wanted cards; for several conditions, the whole chance of each."""
    if len(wanted) > 1:
        for at, one in enumerate(wanted):
            yield OddsRow(
                str(one), find_chance(_only(deck, at), HandDraw(hands.draw), [one.range])[0]
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
