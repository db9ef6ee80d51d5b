"""How good an island of Taluva looks to its seats: a rule of thumb for bots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from generator.games.taluva.building import TEMPLE_SIZE, TOWER_LEVEL
from generator.games.taluva.island import (
    TEMPLE,
    TOWER,
    Hex,
    Occupant,
    OnHexes,
    find_settlements,
)
from generator.games.taluva.state import TaluvaState

# Guesses: bots that go by them beat random ones.
_BUILT = (2, 100, 70)  # of each kind
_TEMPLE_HOPES = (0, 4, 10, 30)  # of a settlement without a temple, by its size
_TOWER_HOPES = (0, 0, 6, 25)  # of one without a tower, by the highest free field beside it


def promises_of(state: TaluvaState, pools: Sequence[Sequence[int]]) -> list[int]:
    """For each seat what it has built, and what its settlements may still give it."""
    temples, towers = _temple_hopes(state.built), _tower_hopes(state)
    return [
        sum(map(int.__mul__, _BUILT, used))
        + sum(temples.get(seat, ())[: pool[TEMPLE] - used[TEMPLE]])
        + sum(towers.get(seat, ())[: pool[TOWER] - used[TOWER]])
        for seat, (used, pool) in enumerate(zip(state.used, pools, strict=True))
    ]


@lru_cache(maxsize=256)
def _temple_hopes(built: OnHexes[Occupant]) -> Mapping[int, Sequence[int]]:
    """Of each seat, the best first."""
    hopes: defaultdict[int, list[int]] = defaultdict(list)
    for settlement in find_settlements(built):
        if TEMPLE not in settlement.kinds:
            size = min(len(settlement.fields), TEMPLE_SIZE)
            hopes[settlement.seat].append(_TEMPLE_HOPES[size])
    return {seat: sorted(own, reverse=True) for seat, own in hopes.items()}


def _tower_hopes(state: TaluvaState) -> Mapping[int, Sequence[int]]:
    """Of each seat, the best first."""
    beside = _without_tower(state.built)
    highest: dict[int, int] = {}
    for field, (level, terrain) in state.land:
        if level > 1 and terrain >= 0 and field in beside:
            for number in beside[field]:
                highest[number] = max(level, highest.get(number, 0))
    settlements = find_settlements(state.built)
    hopes: defaultdict[int, list[int]] = defaultdict(list)
    for number, level in highest.items():
        hopes[settlements[number].seat].append(_TOWER_HOPES[min(level, TOWER_LEVEL)])
    return {seat: sorted(own, reverse=True) for seat, own in hopes.items()}


@lru_cache(maxsize=256)
def _without_tower(built: OnHexes[Occupant]) -> Mapping[Hex, Sequence[int]]:
    """The numbers of the settlements without a tower that touch each hexagon."""
    beside: defaultdict[Hex, list[int]] = defaultdict(list)
    for number, settlement in enumerate(find_settlements(built)):
        if TOWER not in settlement.kinds:
            for near in settlement.shore:
                beside[near].append(number)
    return dict(beside)
