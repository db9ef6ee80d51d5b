"""The exact census of hands: how many of all C(N, n) hands have each sum, pattern or class.

Also the exact chance that a hand drawn without replacement holds the wanted cards, and random hands
of a deck: the same in every run and on every machine.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import comb, gcd, lcm, prod
from random import Random
from typing import TypeVar

from msgspec import Struct

from generator.play.odds.answers import Number, Signature

MOST_HANDS = 60_000  # to list one by one
S = TypeVar("S")
T = TypeVar("T")
Pattern = tuple[int, ...]  # how many cards are alike, the most first: a full house is 3, 2
MOST_STEPS = 1_000_000  # of an exact count; beyond it, hands are sampled
SAMPLES = 20_000  # hands: an interval of 95 % is then at most 1.4 % wide
MOST_CARDS = 1_000_000  # drawn for all samples together
_LEAST_SAMPLES = 1000
_SEED = 20_170


def count_sums(deck: Mapping[Number, int], draw: int) -> dict[Number, int]:
    """The number of hands by the sum of their cards. Raises TooManyStepsError."""
    scale = lcm(*(Fraction(value).denominator for value in deck))
    whole = {int(value * scale): copies for value, copies in deck.items()}  # ten times as fast
    _check_sums(whole, draw)
    states = _count(whole.items(), draw, 0, lambda total, value, number: total + number * value)
    found = {total: hands for (drawn, total), hands in states.items() if drawn == draw}
    return {_divide(total, scale): found[total] for total in sorted(found)}


def _divide(total: int, scale: int) -> Number:
    return Fraction(total, scale) if total % scale else total // scale


def _count(
    kinds: Iterable[tuple[T, int]],
    most: int,
    none: S,
    add: Callable[[S, T, int], S],
    steps: StepCount | None = None,
) -> dict[tuple[int, S], int]:
    """How many hands of at most so many cards there are, by their number of cards and what these
    come to: `add` gives that with a number of cards of a kind more. `kinds`: each with its number
    of cards. Raises TooManyStepsError."""
    states = {(0, none): 1}
    for kind, copies in kinds:
        ways = [comb(copies, number) for number in range(min(copies, most) + 1)]
        if steps:
            steps.take(len(states) * len(ways))
        after: defaultdict[tuple[int, S], int] = defaultdict(int)
        for (drawn, held), hands in states.items():
            for number in range(min(copies, most - drawn) + 1):
                after[drawn + number, add(held, kind, number)] += hands * ways[number]
        states = after
    return states


def _check_sums(deck: Mapping[int, int], draw: int) -> None:
    """Raises TooManyStepsError if the hands may have too many sums. So many cards have no more of
    them than different hands, nor than there are numbers between the least and the greatest."""
    steps = StepCount()
    least = min(deck, default=0)
    apart = gcd(*(value - least for value in deck)) or 1
    spread = (max(deck, default=0) - least) // apart
    ways = [1] + [0] * draw  # hands of the kinds so far, by the number of cards
    for copies in deck.values():
        states = sum(min(hands, cards * spread + 1) for cards, hands in enumerate(ways))
        steps.take(states * (min(copies, draw) + 1))
        ways = _count_more(ways, copies)


def _count_more(ways: Sequence[int], copies: int) -> list[int]:
    """How many different hands there are by the number of cards, with one kind more."""
    return [sum(ways[max(0, cards - copies) : cards + 1]) for cards in range(len(ways))]


def count_patterns(copies: Sequence[int], draw: int) -> dict[Pattern, int]:
    """The number of hands by how many of their cards are alike. `copies` has the number of cards of
    each value. Raises TooManyStepsError."""
    none: Pattern = ()
    states = _count(enumerate(copies), draw, none, _insert, StepCount())
    found = {pattern: hands for (drawn, pattern), hands in states.items() if drawn == draw}
    return dict(sorted(found.items(), reverse=True))


def pattern_of(values: Sequence[object]) -> Pattern:
    """How many of these values are alike, the most first."""
    return tuple(sorted(Counter(values).values(), reverse=True))


def count_classes(
    deck: Mapping[Signature, int], draw: int, classify: Callable[[list[Signature]], T]
) -> dict[T, int]:
    """The number of hands by the class of their cards. Raises TooManyStepsError."""
    if not _is_short(deck, draw):
        raise TooManyStepsError
    found: defaultdict[T, int] = defaultdict(int)
    kinds, copies = list(deck), list(deck.values())
    for taken in _list_hands(copies, draw):
        hand = [kinds[kind] for kind, number in taken for _ in range(number)]
        found[classify(hand)] += prod(comb(copies[kind], number) for kind, number in taken)
    return dict(found)


def _is_short(deck: Mapping[Signature, int], draw: int) -> bool:
    """Whether the different hands are few enough to list them."""
    ways = [1] + [0] * draw  # by the number of cards
    for copies in deck.values():
        ways = _count_more(ways, copies)
        if max(ways) > MOST_HANDS * max(1, draw):
            return False
    return ways[draw] <= MOST_HANDS


def _list_hands(copies: Sequence[int], draw: int) -> Iterator[list[tuple[int, int]]]:
    """Every way to take `draw` cards: the kinds taken, by index, with their numbers."""
    left = list(accumulate(reversed(copies), initial=0))[::-1]

    def list_from(at: int, need: int) -> Iterator[list[tuple[int, int]]]:
        if not need:
            yield []
        for kind in range(at, len(copies) if need else at):
            if left[kind] < need:
                return
            for number in range(1, min(copies[kind], need) + 1):
                for rest in list_from(kind + 1, need - number):
                    yield [(kind, number), *rest]

    return list_from(0, draw)


def _insert(pattern: Pattern, _kind: int, number: int) -> Pattern:
    if not number:
        return pattern
    grown = list(pattern)
    insort(grown, number, key=lambda count: -count)
    return tuple(grown)


class CountRange(Struct, frozen=True):
    """How many cards are wanted; any number from `least` if `most` is None."""

    least: int
    most: int | None = None

    def holds(self, count: int) -> bool:
        return self.least <= count and (self.most is None or count <= self.most)

    @property
    def cap(self) -> int:
        """From this number on, more cards make no difference."""
        return self.least if self.most is None else self.most + 1

    def __str__(self) -> str:
        if self.most is None:
            return f"at least {self.least}"
        return f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"


class TooManyStepsError(Exception):
    """An exact count would take too long."""


class StepCount:
    """The steps that exact counts may still take."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self._left = steps

    def take(self, steps: int) -> None:
        """Raises TooManyStepsError if no more are left."""
        self._left -= steps
        if self._left < 0:
            raise TooManyStepsError


def count_hands(
    deck: Mapping[tuple[bool, ...], int], most: int, wanted: Sequence[CountRange]
) -> list[int]:
    """How many of the C(N, n) hands have the wanted cards, for each n from 0 to `most`.

    The deck has the number of cards by what they count for: of each range, yes or no.
    Raises TooManyStepsError.
    """
    none = (0,) * len(wanted)
    states = _count(deck.items(), most, none, partial(_add, wanted), StepCount())
    found = [0] * (most + 1)
    for (drawn, counts), hands in states.items():
        found[drawn] += hands * is_wanted(counts, wanted)
    return found


def is_wanted(counts: Sequence[int], wanted: Sequence[CountRange]) -> bool:
    """Whether a hand with these counts has all that is wanted."""
    return all(wish.holds(count) for wish, count in zip(wanted, counts, strict=True))


def _add(
    wanted: Sequence[CountRange], counts: tuple[int, ...], kinds: tuple[bool, ...], number: int
) -> tuple[int, ...]:
    return tuple(
        min(count + number, wish.cap) if is_of else count
        for count, is_of, wish in zip(counts, kinds, wanted, strict=True)
    )


def chance_after(chances: Sequence[Fraction]) -> Fraction:
    """The chance that one of several independent hands succeeds: a first hand and its mulligans."""
    failure = Fraction(1)
    for chance in chances:
        failure *= 1 - chance
    return 1 - failure


def samples_for(draw: int) -> int:
    """How many hands of so many cards to sample."""
    return max(_LEAST_SAMPLES, min(SAMPLES, MOST_CARDS // max(1, draw)))


def draw_hands(copies: Sequence[int], draw: int, hands: int, seed: int = 0) -> Iterator[list[int]]:
    """Random hands without replacement, each a list of the indices of kinds of cards in the order
    drawn. `copies` has the number of cards of each kind.

    Only `Random.random` gives the same numbers in every version of Python.
    """
    random = Random(_SEED + seed).random
    ends = list(accumulate(copies))
    cards = ends[-1] if ends else 0
    for _ in range(hands):
        moved: dict[int, int] = {}  # a shuffle that holds only what it touches
        hand = []
        for place in range(min(draw, cards)):
            other = place + int(random() * (cards - place))
            hand.append(bisect_right(ends, moved.get(other, other)))
            moved[other] = moved.get(place, place)
        yield hand
