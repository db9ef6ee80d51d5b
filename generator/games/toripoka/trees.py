"""Take the pyramids that a player has won, find the most points that they are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from generator.games.toripoka.checks import BLACK

SOLID, MIXED, SINGLE = 7, 5, 1  # "Final scoring"; with black as much below zero
Pyramid = tuple[str, int]  # its colour, and its place among the sizes


class TreePoints(dict[tuple[int, ...], int]):
    """The points of pyramids, by their places among all; worked out when first asked for."""

    def __init__(self, pyramids: Sequence[Pyramid], *, builds_all: bool) -> None:
        """`builds_all`: as many trees must be built as there can be."""
        super().__init__()
        self._pyramids, self._builds_all = pyramids, builds_all

    def __missing__(self, won: tuple[int, ...]) -> int:
        own = [self._pyramids[each] for each in won]
        self[won] = points_of(own, builds_all=self._builds_all)
        return self[won]


def points_of(pyramids: Sequence[Pyramid], *, builds_all: bool) -> int:
    """The points of the best trees.

    Solid trees without black come first: each leaves the others as many pyramids of each size as
    they need. Black pyramids spoil as few of the others as they can, and as many of them as fit go
    into the spoiled trees, where they cost nothing more; a tree all of black costs what it saves.
    """
    counts = Counter(pyramids)
    black = [counts[BLACK, size] for size in range(3)]
    colours = {colour for colour, _ in counts} - {BLACK}
    each = [[counts[colour, size] for size in range(3)] for colour in colours]
    bright = [sum(sizes[at] for sizes in each) for at in range(3)]
    solid = sum(map(min, each))
    sound = min(bright)
    both = [one + other for one, other in zip(bright, black, strict=True)]
    trees = min(both) if builds_all else sound
    spoiled = trees - sound
    singles = sum(bright) - 3 * trees - sum(black)
    hidden = min(sum(min(number, spoiled) for number in black), 2 * spoiled)
    points = SOLID * solid + MIXED * (sound - solid) - MIXED * spoiled
    return points + SINGLE * (singles + 2 * hidden)
