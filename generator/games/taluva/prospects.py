"""How good an island of Taluva looks to its seats: a rule of thumb for bots."""

from __future__ import annotations

from collections.abc import Sequence

from generator.games.taluva.building import TEMPLE_SIZE, TOWER_LEVEL
from generator.games.taluva.island import TEMPLE, TOWER, find_settlements, free_fields
from generator.games.taluva.state import TaluvaState

# Found by trial, in games between bots.
_BUILT = (2, 100, 70)  # of each kind
_TEMPLE_HOPES = (0, 4, 10, 30)  # of a settlement without a temple, by its size
_TOWER_HOPES = (0, 1, 6, 25)  # of one without a tower, by the highest free field beside it


def promises_of(state: TaluvaState, pools: Sequence[Sequence[int]]) -> list[int]:
    """For each seat what it has built, and what its settlements may still give it."""
    land = dict(state.land)
    temples: list[list[int]] = [[] for _ in pools]
    towers: list[list[int]] = [[] for _ in pools]
    for settlement in find_settlements(state.built):
        free = free_fields(land, settlement)
        if free and TEMPLE not in settlement.kinds:
            hope = _TEMPLE_HOPES[min(len(settlement.fields), TEMPLE_SIZE)]
            temples[settlement.seat].append(hope)
        if free and TOWER not in settlement.kinds:
            level = max(level for _, (level, _) in free)
            towers[settlement.seat].append(_TOWER_HOPES[min(level, TOWER_LEVEL)])
    return [
        sum(map(int.__mul__, _BUILT, used))
        + _best(temples[seat], pool[TEMPLE] - used[TEMPLE])
        + _best(towers[seat], pool[TOWER] - used[TOWER])
        for seat, (used, pool) in enumerate(zip(state.used, pools, strict=True))
    ]


def _best(hopes: Sequence[int], count: int) -> int:
    """The sum of the best, as many as there are pieces for."""
    return sum(sorted(hopes, reverse=True)[:count])
