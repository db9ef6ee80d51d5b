"""The second step of a turn of Taluva: all that a seat may build."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.games.taluva.island import (
    HUT,
    TEMPLE,
    TOWER,
    Hex,
    Occupant,
    OnHexes,
    Settlement,
    Surface,
    find_settlements,
    free_fields,
)
from generator.games.taluva.state import Build, ExpandSettlement, TaluvaState

TOWER_LEVEL = 3  # the least level of a tower's field
TEMPLE_SIZE = 3  # the least size of a settlement that gets a temple
Beside = tuple[Settlement, Sequence[tuple[Hex, Surface]]]  # with the free fields that touch it


def find_builds(state: TaluvaState, pool: Sequence[int]) -> Iterator[Build | ExpandSettlement]:
    """All that the seat may build that has these huts, temples and towers in all. What leads to
    the same is found once, such as the expansion of two settlements into one field."""
    land = dict(state.land)
    huts, temples, towers = map(int.__sub__, pool, state.used[state.seat])
    own = [one for one in find_settlements(state.built) if one.seat == state.seat]
    if huts:
        yield from (Build(HUT, field) for field in _hut_fields(land, state.built, own))
    beside = [(one, free_fields(land, one)) for one in own]
    if temples:
        yield from (Build(TEMPLE, field) for field in _temple_fields(beside))
    if towers:
        yield from (Build(TOWER, field) for field in _tower_fields(beside))
    yield from map(ExpandSettlement, _expansions(beside, huts))


def _hut_fields(
    land: Mapping[Hex, Surface], built: OnHexes[Occupant], own: Sequence[Settlement]
) -> Iterator[Hex]:
    """Empty fields of level 1 that touch none of the settlements."""
    taken = {field for field, _ in built}.union(*(one.shore for one in own))
    for field, (level, terrain) in land.items():
        if level == 1 and terrain >= 0 and field not in taken:
            yield field


def _temple_fields(beside: Sequence[Beside]) -> list[Hex]:
    """Those beside a settlement that is large enough and has no temple."""
    return sorted(
        {
            field
            for settlement, free in beside
            if TEMPLE not in settlement.kinds and len(settlement.fields) >= TEMPLE_SIZE
            for field, _ in free
        }
    )


def _tower_fields(beside: Sequence[Beside]) -> list[Hex]:
    """High ones beside a settlement without a tower."""
    return sorted(
        {
            field
            for settlement, free in beside
            if TOWER not in settlement.kinds
            for field, (level, _) in free
            if level >= TOWER_LEVEL
        }
    )


def _expansions(beside: Sequence[Beside], huts: int) -> list[tuple[Hex, ...]]:
    """All fields of one terrain beside one settlement, if there are huts enough for them."""
    found = set()
    for _, free in beside:
        for terrain in {terrain for _, (_, terrain) in free}:
            fields = [(field, level) for field, (level, each) in free if each == terrain]
            if sum(level for _, level in fields) <= huts:
                found.add(tuple(field for field, _ in fields))
    return sorted(found)
