"""The engine of Atreya against brute force, along games of random moves."""

from __future__ import annotations

from itertools import product

import pytest

from generator.games.atreya.arena import AtreyaArena, place_of
from generator.games.atreya.play import LiftTile
from generator.play.engine import OVER
from tests.games.atreya import referee
from tests.games.atreya.referee import Spot
from tests.games.atreya.tables import ROWS, WAYS, atreya, table_of, turns_of, whole_turns


@pytest.mark.parametrize(("pins", "mode"), [("usual", "Sum"), ("usual", "Max"), ("strong", "Dom"), ("weak", "Max")])
def test_legal_turns_are_those_of_brute_force(pins: str, mode: str) -> None:
    engine = atreya(mode=mode, pool="45", closing="nothing", pins=pins)
    is_strong = pins == "strong" or (pins == "usual" and mode == "Max")
    moved = 0
    for state in [*whole_turns(engine, 1)][:15]:
        if state.turn != OVER:
            table, names = table_of(engine, state)
            pool = {name: WAYS[name] for n, name in enumerate(ROWS) if state.pool >> n & 1}
            due = [*referee.turns(table, pool, names, WAYS, is_strong)]
            mine = turns_of(engine, state)
            assert len({*mine}) == len(mine)
            assert {*mine} == {*due}
            moved += sum(start is not None for start, *_ in due)
    assert moved > 20


def spots(areas: frozenset[int]) -> frozenset[Spot]:
    return frozenset((*place_of(area // 8), area % 8) for area in areas)


def test_shapes_are_those_of_brute_force() -> None:
    engine = atreya(pool="45", pins="strong")
    for seed in range(2):
        for state in [*whole_turns(engine, seed)][::4]:
            table, _ = table_of(engine, state)
            closed = referee.closed(table)
            assert {spots(shape.areas) for shape in state.arena.closed} == {*closed}
            assert len(state.arena.closed) == len(closed)
            for shape in state.arena.closed:
                areas = spots(shape.areas)
                assert shape.size == referee.size(table, areas)
                assert shape.tiles.bit_count() == len({spot[:2] for spot in areas})
                assert "RGB"[shape.colour] == referee.colour_of(table, areas)
            opens = [
                (referee.whole_pieces(table, shape), len({spot[:2] for spot in shape}))
                for shape in {*referee.shapes(table)} - {*closed}
            ]
            mine = [(shape.pieces, shape.tiles.bit_count()) for shape in state.arena.shapes]
            assert sorted(mine) == sorted(opens)


def test_pinned_areas_are_those_of_closed_shapes() -> None:
    engine = atreya(pool="45", pins="strong")
    for state in whole_turns(engine, 3):
        pinned = dict.fromkeys(state.arena.laid, 0)
        for shape in state.arena.closed:
            for area in shape.areas:
                assert not pinned[area // 8] >> area % 8 & 1, "an area of two shapes"
                pinned[area // 8] |= 1 << area % 8
        assert {cell: state.arena.pinned.get(cell, 0) for cell in state.arena.laid} == pinned


def test_an_arena_is_the_same_however_it_came_about() -> None:
    """Built anew, tile by tile, it has the same shapes as after all that was lifted."""
    engine = atreya(pool="45", pins="strong")
    state = [*whole_turns(engine, 4)][-1]
    arena = AtreyaArena()
    for cell, way in sorted(state.arena.laid.items()):
        arena = arena.place(cell, way)
    assert arena == state.arena
    assert hash(arena) == hash(state.arena)
    assert {*arena.closed} == {*state.arena.closed}
    assert arena.around == state.arena.around
    assert opens_of(arena) == opens_of(state.arena)


def opens_of(arena: AtreyaArena) -> set[tuple[int, frozenset[int], int, int]]:
    return {(shape.colour, frozenset(shape.opens), shape.tiles, shape.pieces) for shape in arena.shapes}


_READINGS = [
    ("2", "usual", "counts", "always"),
    ("3", "usual", "counts", "scored"),
    ("3", "strong", "nothing", "always"),
]


@pytest.mark.parametrize("dominating", ["closed", "all"])
def test_dom_scores_as_by_brute_force(dominating: str) -> None:
    total = 0
    for number, (players, pins, closing, bonus) in enumerate(_READINGS):
        readings = {"closing": closing, "bonus": bonus, "dominating": dominating}
        colours = ("red blue green", "green red blue")[number % 2]
        owners = "".join(name[0].upper() for name in colours.split())[: int(players)]
        engine = atreya(mode="Dom", players=players, pins=pins, pool="45", colours=colours, **readings)
        states = [*whole_turns(engine, number)]
        tables = [table_of(engine, state)[0] for state in states]
        points = [0] * engine.seats
        for state, before, after, following in zip(states, tables, tables[1:], states[1:], strict=False):
            if before != after:
                scored = referee.dom(before, after, owners, state.turn, readings)
                points = [a + b for a, b in zip(points, scored, strict=True)]
            assert engine.scores(following) == points
        total += sum(points)
    assert total > 100


def test_sum_scores_as_by_brute_force() -> None:
    for players, colours in product(("2", "3"), ("red blue green", "green red blue")):
        engine = atreya(players=players, pool="45", colours=colours)
        owners = [name[0].upper() for name in colours.split()][: int(players)]
        for state in [*whole_turns(engine, 5)][::6]:
            table, _ = table_of(engine, state)
            sizes = dict.fromkeys("RGB", 0)
            for shape in referee.closed(table):
                sizes[referee.colour_of(table, shape)] += referee.size(table, shape)
            assert engine.scores(state) == [sizes[colour] for colour in owners]


@pytest.mark.parametrize("closing", ["counts", "nothing"])
def test_max_is_won_as_by_brute_force(closing: str) -> None:
    won_by = []
    for seed in range(6):
        engine = atreya(mode="Max", players="23"[seed % 2], pool="45", closing=closing)
        owners = "RBG"[: engine.seats]
        states = [*whole_turns(engine, seed)]
        tables = [table_of(engine, state)[0] for state in states]
        for state, before, after, following in zip(states, tables, tables[1:], states[1:], strict=False):
            won = referee.winners(before, after, owners, state.turn, closing)
            assert engine.scores(following) == [int(s in won) for s in range(engine.seats)]
            assert bool(won) == any(engine.scores(following))
            won_by += [state.turn in won] if won else []
    assert len({*won_by}) == (2 if closing == "counts" else 1)


def test_it_is_known_what_a_tile_would_close() -> None:
    """As it turns out when the tile lies there."""
    engine = atreya(pool="45")
    closed = 0
    for state in [*whole_turns(engine, 1)][:24:3]:
        for cell, pattern in state.arena.around.items():
            fit = engine.tiles.fit(pattern)
            ready = state.arena.find_ready(cell, fit.sides)
            for way, _ in fit.ways[::3]:
                foreseen = engine.tiles.find_closed(way, ready)
                assert foreseen == state.arena.place(cell, engine.tiles.ways[way]).pinned.get(cell, 0)
                closed += foreseen != 0
    assert closed > 200


def test_a_shape_that_is_closed_again_scores_nothing() -> None:
    """By a tile that comes back to its place, turned another way, and closes one more."""
    engine = atreya(mode="Dom", players="3", pins="strong", pool="45")
    again = 0
    for state in [*whole_turns(engine, 8)][:12]:
        lifts = [move for move in engine.legal(state) if isinstance(move, LiftTile)]
        for lifted in (engine.apply(state, lift) for lift in lifts):
            assert lifted.hand is not None
            for move in engine.legal(lifted):
                after = engine.apply(lifted, move)
                if {shape.areas for shape in after.arena.closed} & lifted.hand.opened:
                    again += 1
                    before, now = (table_of(engine, each)[0] for each in (state, after))
                    scored = referee.dom(before, now, "RBG", state.turn, {})
                    won = [b - a for a, b in zip(state.points, after.points, strict=True)]
                    assert won == scored
    assert again > 2


@pytest.mark.parametrize(
    ("ready", "closed"),
    [
        ([0b0001, 0b0100], 0b0001),
        ([0b0101], 0),  # both meet one shape, which stays open at side 3
        ([0b1101], 0b1101),
        ([0b0001, 0b1100], 0b1101),
    ],
)
def test_a_tile_closes_no_shape_that_it_also_opens(ready: list[int], closed: int) -> None:
    """A tile that is red at side 0, and apart from it at the sides 2 and 3."""
    tiles = atreya().tiles
    way = next(n for n, way in enumerate(tiles.ways) if way.colours == (0, 1, 0, 0, 2, 1, 1))
    assert tiles.find_closed(way, tuple(ready)) == closed
