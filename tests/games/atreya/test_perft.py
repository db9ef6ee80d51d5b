"""How many ways a game of Atreya can go on, counted by the engine and by brute force.

A turn has two decisions. Tiles all differ, so none are merged; ways in which a tile looks the same
count once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from generator.games.atreya.play import Atreya, AtreyaState
from generator.play.bots import count_paths
from tests.conftest import Golden
from tests.games.atreya import referee
from tests.games.atreya.tables import WAYS, arena_of, atreya, table_of
from tests.games.figures import figure, rules_of

_ARENA = figure(rules_of("atreya"), "Seven closed shapes").laid


def begin(engine: Atreya, pool: str) -> AtreyaState:
    """The start with a smaller pool."""
    mask = sum(1 << engine.tiles.ids.index(name) for name in pool.split())
    return replace(engine.start(), pool=mask)


def go_on(engine: Atreya, pool: str) -> AtreyaState:
    """The arena of the booklet with a smaller pool."""
    return replace(begin(engine, pool), arena=arena_of(engine, _ARENA))


def test_perft_stays_the_same(golden: Golden) -> None:
    golden(Path(__file__).parent / "perft.txt", "\n".join(_lines()) + "\n")


def _lines() -> Iterator[str]:
    engine, pool = atreya(), "7 38 107 101 52 37 26"
    yield "the start, all tiles"
    yield from _count(engine, engine.start(), 3)
    yield f"\nthe start, {pool} in the pool"
    yield from _count(engine, begin(engine, pool), 6)
    yield "\nthe arena of the booklet, 8 and 166 in the pool"
    yield from _count(engine, go_on(engine, "8 166"), 4)


def _count(engine: Atreya, state: AtreyaState, most: int) -> Iterator[str]:
    return (f"{depth} {count_paths(engine, depth, state)}" for depth in range(1, most + 1))


def test_perft_of_the_first_turn() -> None:
    """By hand: each place touches two start tiles, in two colours. A tile fits in each way in which
    two of its sides next to each other have these."""
    engine = atreya()
    tiles = [looks for name, looks in WAYS.items() if name not in ("1", "95", "150")]
    fitting = Counter(look[:2] for looks in tiles for look in looks)
    needed = _needed(engine)
    assert count_paths(engine, 1) == len(needed) == 3
    assert count_paths(engine, 2) == sum(fitting[pair] for pair in needed)


def _needed(engine: Atreya) -> list[str]:
    """The two colours of each place at the start, counterclockwise as its tile shows them."""
    table, _ = table_of(engine, engine.start())
    needs = []
    for cell in {near for tile in table for near in referee.around(tile)} - table.keys():
        sides = enumerate(referee.around(cell))
        near = [table[tile][(side + 3) % 6] if tile in table else "" for side, tile in sides]
        if sum(map(bool, near)) == 2:
            first = next(side for side in range(6) if near[side] and not near[side - 1])
            needs.append(near[first] + near[(first + 1) % 6])
    return needs


@pytest.mark.parametrize("pins", ["weak", "strong"])
@pytest.mark.parametrize(("from_", "pool", "turns"), [(begin, "7 38 107", 3), (go_on, "8", 2)], ids=["start", "arena"])
def test_perft_is_that_of_brute_force(
    from_: Callable[[Atreya, str], AtreyaState], pool: str, turns: int, pins: str
) -> None:
    engine = atreya(pins=pins)
    state = from_(engine, pool)
    table, names = table_of(engine, state)
    level = Counter({frozenset((cell, names[cell], look) for cell, look in table.items()): 1})
    ended = 0
    for turn in range(1, turns + 1):
        after: Counter[_Arena] = Counter()
        for arena, paths in level.items():
            found = [*_after(arena, pool, pins == "strong")]
            ended += 0 if found else paths
            for tile in found:
                after[tile] += paths
        level = after
        assert count_paths(engine, 2 * turn, state) == ended + level.total()


_Arena = frozenset[tuple[referee.Cell, str, str]]


def _after(arena: _Arena, pool: str, is_strong: bool) -> Iterator[_Arena]:
    table = {cell: look for cell, _, look in arena}
    on = {cell: name for cell, name, _ in arena}
    ways = {name: WAYS[name] for name in pool.split() if name not in on.values()}
    for start, name, cell, look in referee.turns(table, ways, on, WAYS, is_strong):
        yield frozenset(tile for tile in arena if tile[0] != start) | {(cell, name, look)}
