"""Take two pictures of one thing, measure how far they differ."""

from __future__ import annotations

from functools import reduce
from itertools import product

import numpy as np

DIFFERENT = 32


def compare(ours: np.ndarray, reference: np.ndarray) -> tuple[float, float]:
    """MAD, and the per cent of bad pixels, of pictures of bytes."""
    ours, reference = ours.astype(np.int16), reference.astype(np.int16)
    mad = float(np.abs(ours - reference).mean())
    is_bad = _strays(ours, reference) | _strays(reference, ours)
    return mad, float(is_bad.mean() * 100)


def _strays(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where a picture leaves the range of values around the same place in the other."""
    padded = np.pad(other, ((1, 1), (1, 1), (0, 0)), "edge")
    height, width, _ = one.shape
    around = [padded[down : down + height, across : across + width] for down, across in product(range(3), range(3))]
    beyond = np.maximum(reduce(np.minimum, around) - one, one - reduce(np.maximum, around))
    strays: np.ndarray = beyond.max(axis=2) > DIFFERENT
    return strays
