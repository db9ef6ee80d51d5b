"""The pips of a playing card stand where they have always stood."""

from __future__ import annotations

import pytest

from generator.faces.playing import RANKS
from generator.faces.playing import place_pips as places


@pytest.mark.parametrize("rank", RANKS)
def test_there_are_as_many_as_the_rank_says(rank: str) -> None:
    pips = list(places(rank))
    assert len(pips) == len(set(pips)) == int(rank)


@pytest.mark.parametrize("rank", RANKS)
def test_left_is_as_right(rank: str) -> None:
    pips = set(places(rank))
    assert {(-x, y) for x, y in pips} == pips


@pytest.mark.parametrize("rank", RANKS)
def test_the_foot_is_as_the_top_but_on_the_seven(rank: str) -> None:
    pips = set(places(rank))
    assert ({(-x, -y) for x, y in pips} == pips) == (rank != "7")


@pytest.mark.parametrize("rank", RANKS)
def test_they_reach_from_the_top_to_the_foot(rank: str) -> None:
    ys = [y for _, y in places(rank)]
    assert (min(ys), max(ys)) == (-1, 1)


@pytest.mark.parametrize("rank", RANKS)
def test_none_touches_another_on_a_card_of_usual_shape(rank: str) -> None:
    """The field of pips is about as wide as three of them, and as high as five."""
    pips = list(places(rank))
    for i, (x, y) in enumerate(pips):
        for u, v in pips[:i]:
            assert abs(x - u) >= 1 or abs(y - v) * 2.5 >= 1
