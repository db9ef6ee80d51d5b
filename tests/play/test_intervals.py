"""Intervals of shares against published ones."""

from __future__ import annotations

import pytest

from generator.play.batches import Counts
from generator.play.figures import (
    estimate_mean,
    estimate_share,
    find_figures,
    find_findings,
    find_t,
    name_estimates,
    tell_precision,
)
from generator.play.odds.answers import bound_share, find_deviations, sampled


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
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


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (10, 2.228), (29, 2.045), (1000, 1.962)]
)
def test_means_of_few_have_students_interval(degrees: int, quantile: float) -> None:
    """Quantiles of Student's distribution for 0.975, as any table has them."""
    assert find_t(degrees) == pytest.approx(quantile, abs=0.004)


@pytest.mark.parametrize(
    ("values", "mean", "low", "high"),
    [
        ({1: 12}, 1, 0.7575, 1),  # Wilson: what was always so need not be
        ({0: 12}, 0, 0, 0.2425),
        ({0: 16, 1: 1}, 1 / 17, 0.0105, 0.2698),
        ({0: 5, 2: 1}, 1 / 3, 0, 1.1901),  # by t, -0.5235
        ({5: 1, 7: 1, 9: 1}, 7, 2.0317, 11.9683),
        ({-3: 1, 3: 1}, 0, -38.12, 38.12),
        ({7: 1}, 7, 0, float("inf")),  # one game does not tell
        ({}, 0, -float("inf"), float("inf")),
    ],
)
def test_a_mean_has_an_interval_that_can_be(values: dict[int, int], mean: float, low: float, high: float) -> None:
    found = estimate_mean(values)
    assert (found.value, found.low, found.high) == pytest.approx((mean, low, high), abs=5e-3)


def test_a_share_in_percent_ends_at_a_hundred() -> None:
    counts = Counts(games=2, watched=2)
    counts.decided.update({(10,): 1, (90,): 1})
    decided = name_estimates(find_figures(counts, 2, ("random",)))["decided after"]
    assert (decided.low, decided.high, decided.unit) == (0, 100, "%")


def test_the_report_says_how_many_games_would_settle_a_difference() -> None:
    """Of 200 games, 1.96 times the standard error of a difference of two halves is 13.9 percent;
    for 10 percent it takes 385 games, for 2 percent 9,604, to tell 53 from 50 percent 1,063."""
    counts = Counts(games=200)
    counts.winners.update({(0,): 106, (1,): 94})
    said = tell_precision(find_figures(counts, 2, ("random",)))
    assert "200 games tell seats apart whose shares of wins differ by 13.9 points" in said
    assert "about 390 would tell 10 points; about 9,700 would tell 2 points" in said
    assert "about 1,100 would settle whether seat 1 wins more than 50.0 %" in said
    first = Counts(games=1)
    first.winners.update({(0,): 1})
    said = tell_precision(find_figures(first, 2, ("random",)))
    assert said.startswith("too few games to tell seats apart; about 390 would tell 10 points")
    assert "settle" not in said
    counts.winners.update({(0,): 80})
    counts.games = 280
    assert "settle" not in tell_precision(find_figures(counts, 2, ("random",)))
    counts.games = 400
    assert "would tell 10 points" not in tell_precision(find_figures(counts, 2, ("random",)))


def test_a_bot_that_wins_more_often_stands_out() -> None:
    counts = Counts(games=200)
    counts.winners.update({(0,): 100, (1,): 100})
    counts.bots.update({(0, 1): 180, (0, 0): 20, (1, 1): 20, (1, 0): 180})
    (first, second) = find_findings(find_figures(counts, 2, ("greedy", "random")))
    assert first.text.startswith("greedy wins 90.0 % (")
    assert first.text.endswith("), more than 50.0 %.")
    assert second.text.startswith("random wins 10.0 % (")
