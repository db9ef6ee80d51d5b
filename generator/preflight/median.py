"""Take values, find their median: that of numpy loads a package of masked arrays, in 18 ms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def median(values: NDArray[np.float64] | NDArray[np.int16]) -> NDArray[np.float64]:
    """The median along the first axis; of an even number, the mean of the middle two."""
    ordered, count = np.sort(np.asarray(values, np.float64), axis=0), len(values)
    return np.asarray((ordered[(count - 1) // 2] + ordered[count // 2]) / 2)
