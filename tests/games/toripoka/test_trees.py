"""The points of pyramids: the best trees, against all ways to build them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from random import Random

import pytest

from generator.games.toripoka.table import Pyramid, TreePoints, points_of

COLOURS = ("yellow", "green", "red", "blue", "black")
SET = [(colour, size) for size in range(3) for colour in COLOURS]


def most(own: Sequence[Pyramid], builds_all: bool) -> int:
    """Of all ways to build so many trees, or as many as one likes."""
    sized = [[card for card in own if card[1] == size] for size in range(3)]
    count = min(map(len, sized))
    return max(
        points for trees in ([count] if builds_all else range(count + 1)) for points in _every(own, sized, trees)
    )


def _every(own: Sequence[Pyramid], sized: Sequence[list[Pyramid]], trees: int) -> Iterator[int]:
    for large in combinations(sized[0], trees):
        for medium in permutations(sized[1], trees):
            for small in permutations(sized[2], trees):
                rest = Counter(own) - Counter([*large, *medium, *small])
                groups = [*zip(large, medium, small, strict=True), *((p,) for p in rest.elements())]
                yield sum(map(_points, groups))


def _points(group: Sequence[Pyramid]) -> int:
    colours = {colour for colour, _ in group}
    points = 1 if len(group) == 1 else 7 if len(colours) == 1 else 5
    return -points if "black" in colours else points


@pytest.mark.parametrize("builds_all", [True, False])
def test_points_are_those_of_the_best_way(builds_all: bool) -> None:
    rng = Random(2)
    for _ in range(150):
        own = rng.sample(SET, rng.randint(0, 10))
        assert points_of(own, builds_all=builds_all) == most(own, builds_all), own
    for _ in range(150):  # of other sets, with more black and equal pyramids
        own = rng.choices([*SET, *SET[4::5] * 3], k=rng.randint(0, 8))
        assert points_of(own, builds_all=builds_all) == most(own, builds_all), own


def test_a_tree_that_black_would_spoil_may_be_left_unbuilt() -> None:
    own = [("red", 0), ("blue", 1), ("black", 2)]
    assert points_of(own, builds_all=True) == -5
    assert points_of(own, builds_all=False) == 1 + 1 - 1


def test_points_by_the_places_in_a_set() -> None:
    points = TreePoints(SET, builds_all=True)
    assert points[()] == 0
    assert points[0, 5, 10] == 7
    assert points[0, 6, 10] == 5
    assert points[4, 9, 14] == -7
    assert points[4,] == -1
