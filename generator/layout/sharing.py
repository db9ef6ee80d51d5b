"""Take the last sheets of several runs, choose which of them are put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from math import ceil

from generator.basics.geometry import HAIR

_MOST = 7  # parts, of which there are 120 choices; more are rare, and the emptiest save the most

Choice = tuple[int, ...]


def choose_shares(
    filled: Sequence[float], count_together: Callable[[Choice, int], int | None]
) -> list[Choice]:
    """The numbers of the parts that share sheets; each other part keeps a sheet of its own.

    `filled` is the least share of a sheet that each part takes. `count_together` returns how many
    sheets a choice of parts takes, None if they cannot be together; it may stop looking when it
    has found the number that it gets. Of the ways with the fewest sheets that are weighed, the one
    that moves the fewest parts.
    """
    emptiest = sorted(range(len(filled)), key=lambda number: filled[number])[:_MOST]

    def least(choice: Choice) -> int:
        return ceil(sum(filled[number] for number in choice) - HAIR)

    @cache
    def count(choice: Choice) -> int:
        found = count_together(choice, least(choice))
        return len(choice) if found is None else found

    @cache
    def best(rest: Choice) -> tuple[int, int, tuple[Choice, ...]]:
        """The sheets, the parts moved, and the shares of some parts."""
        if not rest:
            return 0, 0, ()
        first, others = rest[0], rest[1:]
        sheets, moved, shares = best(others)
        found = sheets + 1, moved, shares
        for more in _choices(others):
            share, left = (first, *more), tuple(one for one in others if one not in more)
            if least(share) >= len(share) or least(share) + least(left) >= found[0]:
                continue
            own = count(share)
            if own < len(share):
                sheets, moved, shares = best(left)
                found = min(found, (sheets + own, moved + len(share), (share, *shares)))
        return found

    return list(best(tuple(sorted(emptiest)))[2])


def _choices(numbers: Choice) -> Iterator[Choice]:
    """Every choice of at least one."""
    for size in range(1, len(numbers) + 1):
        yield from combinations(numbers, size)
