"""The exact chance that a hand drawn without replacement holds the wanted cards.

That is the multivariate hypergeometric distribution: of C(N, n) equally likely hands, those with x₁
cards of the first kind, x₂ of the second and so on are C(c₁, x₁) · C(c₂, x₂) · … Source: Feller,
"An Introduction to Probability Theory and Its Applications", vol. 1, II.6.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from msgspec import Struct

MOST_STEPS = 1_000_000  # of an exact count; beyond it, hands are sampled


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
    steps = StepCount()
    states: dict[tuple[int, tuple[int, ...]], int] = {(0, (0,) * len(wanted)): 1}
    for kinds, copies in deck.items():
        ways = [comb(copies, number) for number in range(min(copies, most) + 1)]
        steps.take(len(states) * len(ways))
        after: defaultdict[tuple[int, tuple[int, ...]], int] = defaultdict(int)
        for (drawn, counts), hands in states.items():
            for number in range(min(copies, most - drawn) + 1):
                key = drawn + number, _add(counts, kinds, number, wanted)
                after[key] += hands * ways[number]
        states = after
    found = [0] * (most + 1)
    for (drawn, counts), hands in states.items():
        found[drawn] += hands * is_wanted(counts, wanted)
    return found


def is_wanted(counts: Sequence[int], wanted: Sequence[CountRange]) -> bool:
    """Whether a hand with these counts has all that is wanted."""
    return all(one.holds(count) for one, count in zip(wanted, counts, strict=True))


def _add(
    counts: tuple[int, ...], kinds: tuple[bool, ...], number: int, wanted: Sequence[CountRange]
) -> tuple[int, ...]:
    return tuple(
        min(count + number, one.cap) if is_of else count
        for count, is_of, one in zip(counts, kinds, wanted, strict=True)
    )


def chance_after(chances: Sequence[Fraction]) -> Fraction:
    """The chance that one of several independent hands succeeds: a first hand and its mulligans."""
    failure = Fraction(1)
    for chance in chances:
        failure *= 1 - chance
    return 1 - failure
