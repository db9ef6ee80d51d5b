"""Take colours, estimate the ink that a press lays down for them, all its inks together.

The estimate needs no profile. It is the one place that knows how colours become inks: with a
profile of the press, only `coverage_of` changes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from generator.checks.preflight.prints import Bytes

_BLACK_FROM = 0.4  # of the grey that the three colours share
_MOST_BLACK = 0.9
_REMOVED = 0.3  # of a layer of each colour


def coverage_of(pixels: Bytes) -> NDArray[np.float64]:
    """The ink (n) of (n, 3) pixels, in percent of one solid layer.

    Black begins at a middle grey and grows to 90 %, the colours recede slowly, by up to 30 % each:
    RGB black is 300 %. The default profile of Ghostscript (coated paper, SWOP) has up to 26 % more
    and up to 15 % less for dark colours.
    """
    inks = 1 - pixels / 255
    depth = ((inks.min(axis=1) - _BLACK_FROM) / (1 - _BLACK_FROM)).clip(0, 1)
    total: NDArray[np.float64] = inks.sum(axis=1) + _MOST_BLACK * depth - 3 * _REMOVED * depth**2
    return 100 * total
