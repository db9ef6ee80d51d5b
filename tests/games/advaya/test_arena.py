"""Where Advaya's tiles can go, against geometry: arenas with caves that no game would show."""

from __future__ import annotations

from random import Random

from generator.games.advaya.arena import AdvayaArena, cell_at, place_of
from tests.games.advaya.referee import FAR, slides
from tests.games.arenas import Cell, is_sound, neighbours

_SIZE = 20


def grown(rng: Random) -> set[Cell]:
    """A sound arena of tiles that anyone may lift into their place, rather long than round."""
    tiles = {(0, 0), (1, 1), (0, 2)}
    while len(tiles) < _SIZE:
        cells = sorted(beside(tiles))
        cell = min(rng.sample(cells, min(3, len(cells))), key=lambda at: touching(at, tiles))
        if is_sound(tiles | {cell}):
            tiles.add(cell)
    return tiles


def beside(tiles: set[Cell]) -> set[Cell]:
    return {beyond for cell in tiles for beyond in neighbours(cell)} - tiles


def touching(cell: Cell, tiles: set[Cell]) -> int:
    """The neighbours; too few are too many."""
    count = len(tiles.intersection(neighbours(cell)))
    return count if count > 1 else 9


def arena_of(tiles: set[Cell]) -> AdvayaArena:
    return AdvayaArena.of({cell_at(*cell): 0 for cell in tiles})


def by_geometry(tiles: set[Cell], start: Cell) -> set[Cell]:
    """The cells where another tile keeps an arena sound, and can slide to."""
    around = beside(tiles)
    sound = {cell for cell in around if is_sound(tiles | {cell})}
    return {cell for cell in sound if slides(frozenset(tiles), start, cell)}


def look_at(tiles: set[Cell]) -> set[Cell]:
    """Compares all moves; the tiles that can move, but not out."""
    arena = arena_of(tiles)
    assert {place_of(cell) for cell, _ in arena.places(None)} == by_geometry(tiles, FAR)
    shut_in = set()
    for tile in tiles:
        rest = tiles - {tile}
        expected = by_geometry(rest, tile) if is_sound(rest) else set()
        assert arena.can_lift(cell_at(*tile)) == bool(expected)
        if expected:
            places = arena.without(cell_at(*tile)).places(cell_at(*tile))
            assert {place_of(cell) for cell, _ in places} == expected
            if not slides(frozenset(rest), tile, FAR):
                shut_in.add(tile)
    return shut_in


def test_tiles_go_where_geometry_lets_them() -> None:
    for seed in range(4):
        look_at(grown(Random(seed)))


def test_a_tile_in_a_cave_stays_in_it() -> None:
    """Walls two tiles thick, a way out one tile wide. Wider, it lets the tile out."""
    disc = {(0, 0)}
    inner, *_ = discs = [disc := disc | beside(disc) for _ in range(3)]
    wall = discs[2] - inner - {(0, -4), (0, -6)}
    assert is_sound(wall | {(0, 2)})
    assert look_at(wall | {(0, 2)}) == {(0, 2)}
    wide = wall - {(1, -3), (1, -5)}
    assert look_at(wide | {(0, 2)}) == set()


def test_a_lifted_tile_leaves_nothing_behind() -> None:
    tiles = grown(Random(1))
    for tile in tiles:
        assert arena_of(tiles).without(cell_at(*tile)) == arena_of(tiles - {tile})


def test_a_demand_tells_the_colours_around() -> None:
    """Side k of a tile faces side k + 3 of its neighbour."""
    around = neighbours((0, 0))
    whites = {cell_at(*cell): 1 << (side + 3) % 6 for side, cell in enumerate(around) if side < 3}
    whites |= {cell_at(*cell): 0 for cell in around[3:5]}
    assert AdvayaArena.of(whites).demands[cell_at(0, 0)] == 0b000111_011000
