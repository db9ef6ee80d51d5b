"""The exact census of hands: how many of all C(N, n) hands have each sum, pattern or class."""

from __future__ import annotations

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb, prod
from typing import TypeVar

from generator.play.odds.cards import Number, Signature
from generator.play.odds.drawing import StepCount, TooManyStepsError

MOST_HANDS = 60_000  # to list one by one
T = TypeVar("T")
Pattern = tuple[int, ...]  # how many cards are alike, the most first: a full house is 3, 2


def count_sums(deck: Mapping[Number, int], draw: int) -> dict[Number, int]:
    """The number of hands by the sum of their cards. Raises TooManyStepsError."""
    steps = StepCount()
    states: dict[tuple[int, Number], int] = {(0, 0): 1}
    for value, copies in deck.items():
        ways = [comb(copies, number) for number in range(min(copies, draw) + 1)]
        steps.take(len(states) * len(ways))
        after: defaultdict[tuple[int, Number], int] = defaultdict(int)
        for (drawn, total), hands in states.items():
            for number in range(min(copies, draw - drawn) + 1):
                after[drawn + number, total + number * value] += hands * ways[number]
        states = after
    found = {total: hands for (drawn, total), hands in states.items() if drawn == draw}
    return dict(sorted(found.items()))


def count_patterns(copies: Sequence[int], draw: int) -> dict[Pattern, int]:
    """The number of hands by how many of their cards are alike. `copies` has the number of cards of
    each value. Raises TooManyStepsError."""
    steps = StepCount()
    states: dict[tuple[int, Pattern], int] = {(0, ()): 1}
    for one in copies:
        ways = [comb(one, number) for number in range(min(one, draw) + 1)]
        steps.take(len(states) * len(ways))
        after: defaultdict[tuple[int, Pattern], int] = defaultdict(int)
        for (drawn, pattern), hands in states.items():
            for number in range(min(one, draw - drawn) + 1):
                after[drawn + number, _insert(pattern, number)] += hands * ways[number]
        states = after
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
        ways = [sum(ways[max(0, n - copies) : n + 1]) for n in range(draw + 1)]
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


def _insert(pattern: Pattern, number: int) -> Pattern:
    if not number:
        return pattern
    grown = list(pattern)
    insort(grown, number, key=lambda count: -count)
    return tuple(grown)
