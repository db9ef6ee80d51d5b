"""Guess how good a hand will be, from the cards that are known of it. For bots."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from random import Random

from generator.games.toripoka.hands import HandValues

_POOLS = 2000  # at random, which stand for all hands
_TRIES = 60  # ways to add the unknown cards, at most


class Outlook(dict[int, float]):
    """How large a part of all hands the hand of some cards will beat, from 0 to 1, by the sum of
    their keys: on average over the unknown cards. The same at every run."""

    def __init__(self, values: HandValues, size: int) -> None:
        """`size`: how many cards a hand is chosen from."""
        super().__init__()
        self._values, self._size = values, size
        self._plain = [keys[0] for keys in values.keys_of]
        rng = Random(0)
        pools = (rng.sample(self._plain, size) for _ in range(_POOLS))
        self._sorted = sorted(values.best(pool) for pool in pools)

    def guess(self, keys: Sequence[int], cards: Sequence[int]) -> float:
        """Of these keys, which are of these cards."""
        total = sum(keys)
        part = self.get(total)
        if part is None:
            parts = [self._part([*keys, *more]) for more in self._additions(total, cards)]
            part = self[total] = sum(parts) / len(parts)
        return part

    def _additions(self, seed: int, cards: Sequence[int]) -> Iterator[Sequence[int]]:
        others = [key for card, key in enumerate(self._plain) if card not in cards]
        count = self._size - len(cards)
        if comb(len(others), count) <= _TRIES:
            yield from combinations(others, count)
        else:
            rng = Random(seed)
            for _ in range(_TRIES):
                yield rng.sample(others, count)

    def _part(self, keys: Sequence[int]) -> float:
        value = self._values.best(keys)
        return (bisect_left(self._sorted, value) + bisect_right(self._sorted, value)) / 2 / _POOLS
