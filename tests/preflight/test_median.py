"""The median is that of numpy."""

import numpy as np
import pytest

from generator.preflight.median import median


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_median_is_that_of_numpy(count: int) -> None:
    values = np.random.default_rng(count).integers(0, 255, (count, 3), np.int16)
    assert (median(values) == np.median(values, axis=0)).all()
    assert (median(values / 7) == np.median(values / 7, axis=0)).all()
    assert median(values[:, 0]) == np.median(values[:, 0])
