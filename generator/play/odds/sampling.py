"""Take a deck, draw random hands from it: the same in every run and on every machine."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random

SAMPLES = 20_000  # hands: an interval of 95 % is then at most 1.4 % wide
MOST_CARDS = 1_000_000  # drawn for all samples together
_LEAST_SAMPLES = 1000
_SEED = 20_170


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
