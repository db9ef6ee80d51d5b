"""The random numbers of Python's `Random`, one by one: the Mersenne Twister.

Matsumoto and Nishimura, "Mersenne Twister", ACM Transactions on Modeling and Computer Simulation 8
(1998), and their `init_by_array` of 2002; what `Random` makes of its words is said in the
documentation and the source of Python's module `random`.

A state is 624 words of 32 bits, and how many of them were used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from generator.games.toripoka.kernel.compiling import compiled

Ints = NDArray[np.int64]

_WORDS, _AHEAD = 624, 397
TWISTER = _WORDS + 1  # numbers of a state
_WORD, _TOP, _BELOW = 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF
_TWIST = 0x9908B0DF


def words_of(seed: int) -> Ints:
    """A seed as its words, the lowest first: what `Random.seed` takes of a whole number."""
    seed = abs(seed)
    count = max(1, -(-seed.bit_length() // 32))
    return np.array([seed >> 32 * at & _WORD for at in range(count)], np.int64)


@compiled
def seed_twister(state: Ints, key: Ints) -> None:
    """As `Random.seed` does, by the words of a number."""
    state[0] = 19650218
    for at in range(1, _WORDS):
        before = state[at - 1]
        state[at] = (1812433253 * (before ^ (before >> 30)) + at) & _WORD
    at, of_key = 1, 0
    for _ in range(max(_WORDS, len(key))):
        before = state[at - 1]
        mixed = state[at] ^ ((before ^ (before >> 30)) * 1664525)
        state[at] = (mixed + key[of_key] + of_key) & _WORD
        at, of_key = at + 1, (of_key + 1) % len(key)
        if at == _WORDS:
            state[0] = state[_WORDS - 1]
            at = 1
    for _ in range(_WORDS - 1):
        before = state[at - 1]
        state[at] = ((state[at] ^ ((before ^ (before >> 30)) * 1566083941)) - at) & _WORD
        at += 1
        if at == _WORDS:
            state[0] = state[_WORDS - 1]
            at = 1
    state[0] = _TOP
    state[_WORDS] = _WORDS


@compiled
def _twist(state: Ints) -> None:
    for at in range(_WORDS):
        pair = (state[at] & _TOP) | (state[(at + 1) % _WORDS] & _BELOW)
        state[at] = state[(at + _AHEAD) % _WORDS] ^ (pair >> 1) ^ (_TWIST if pair & 1 else 0)
    state[_WORDS] = 0


@compiled
def _word(state: Ints) -> int:
    """32 bits."""
    if state[_WORDS] == _WORDS:
        _twist(state)
    word: int = state[state[_WORDS]]
    state[_WORDS] += 1
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return word ^ (word >> 18)


@compiled
def pick(state: Ints, count: int) -> int:
    """As `int(random() * count)` does."""
    high, low = _word(state) >> 5, _word(state) >> 6
    return int((high * 67108864.0 + low) * (1.0 / 9007199254740992.0) * count)


@compiled
def skip_shuffle(state: Ints, count: int) -> None:
    """Takes the random numbers that `shuffle` takes for so many things."""
    bits = 0
    while count >> bits:
        bits += 1
    for left in range(count, 1, -1):
        while left >> bits - 1 == 0:
            bits -= 1
        while _word(state) >> 32 - bits >= left:
            pass
