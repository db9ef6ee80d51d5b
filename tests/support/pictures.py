"""Take two pictures of one thing, measure how far they differ."""

from __future__ import annotations

from itertools import product

import numpy as np

DIFFERENT = 32


def compare(ours: np.ndarray, reference: np.ndarray) -> tuple[float, float]:
    """MAD, and the per cent of bad pixels."""
    mad = float(np.abs(ours - reference).mean())
    is_bad = _strays(ours, reference) | _strays(reference, ours)
    return mad, float(is_bad.mean() * 100)


def _strays(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where a picture leaves the range of values around the same place in the other."""
    padded = np.pad(other, ((1, 1), (1, 1), (0, 0)), "edge")
    height, width, _ = one.shape
    around = [
        padded[down : down + height, across : across + width]
        for down, across in product(range(3), range(3))
    ]
    beyond = np.maximum(np.min(around, axis=0) - one, one - np.max(around, axis=0))
    strays: np.ndarray = beyond.max(axis=2) > DIFFERENT
    return strays
