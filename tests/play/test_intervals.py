"""Intervals of shares against published ones."""

from __future__ import annotations

import pytest

from generator.play.figures import estimate_share
from generator.play.odds.answers import bound_share, find_deviations, sampled


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_a_share_has_the_interval_of_wilson(part: int, whole: int, low: float, high: float) -> None:
    """Newcombe (1998), Two-sided confidence intervals for the single proportion, table I, method
    3; odds and playtests have the same."""
    found = bound_share(part, whole)
    assert found == pytest.approx((low, high), abs=5e-5)
    chance, estimate = sampled(part, whole), estimate_share(part, whole)
    assert (chance.low, chance.high) == found
    assert (estimate.low / 100, estimate.high / 100) == pytest.approx(found)


def test_a_smaller_doubt_is_wider() -> None:
    """Quantiles of the normal distribution, as any table has them."""
    assert find_deviations() == pytest.approx(1.95996, abs=1e-5)
    assert find_deviations(0.01) == pytest.approx(2.57583, abs=1e-5)
