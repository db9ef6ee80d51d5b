"""How good an island of Taluva looks to its seats: a rule of thumb for bots."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from generator.games.taluva.building import TEMPLE_SIZE, TOWER_LEVEL
from generator.games.taluva.island import TEMPLE, TOWER, find_settlements
from generator.games.taluva.state import TaluvaState

# Found by trial, in games between bots.
_BUILT = (2, 100, 70)  # of each kind
_TEMPLE_HOPES = (0, 4, 10, 30)  # of a settlement without a temple, by its size
_TOWER_HOPES = (0, 1, 6, 25)  # of one without a tower, by the highest free field beside it


def promises_of(state: TaluvaState, pools: Sequence[Sequence[int]]) -> list[int]:
    """For each seat what it has built, and what its settlements may still give it."""
    levels = {field: level for field, (level, terrain) in state.land if terrain >= 0}
    temples: list[list[int]] = [[] for _ in pools]
    towers: list[list[int]] = [[] for _ in pools]
    for seat, fields, shore, kinds in find_settlements(state.built):
        highest = max(map(levels.get, shore, repeat(0)), default=0)  # of the free fields
        if highest and TEMPLE not in kinds:
            temples[seat].append(_TEMPLE_HOPES[min(len(fields), TEMPLE_SIZE)])
        if TOWER not in kinds:
            towers[seat].append(_TOWER_HOPES[min(highest, TOWER_LEVEL)])
    return [
        sum(map(int.__mul__, _BUILT, used))
        + _best(temples[seat], pool[TEMPLE] - used[TEMPLE])
        + _best(towers[seat], pool[TOWER] - used[TOWER])
        for seat, (used, pool) in enumerate(zip(state.used, pools, strict=True))
    ]


def _best(hopes: Sequence[int], count: int) -> int:
    """The sum of the best, as many as there are pieces for."""
    return sum(sorted(hopes, reverse=True)[:count])
