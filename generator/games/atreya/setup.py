"""Take Atreya's tiles, lay the three that start."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

from generator.errors import PnpError, Problem, fail
from generator.games.atreya.arena import AtreyaArena, cell_at
from generator.games.atreya.checks import COLOURS
from generator.games.atreya.lying import CENTRE, LyingTiles
from generator.model import Piece
from generator.place import Place

# Around one corner. Each of the three meets the next at this side, which meets the opposite one.
_CELLS = (cell_at(0, 2), cell_at(1, 1), cell_at(0, 0))
_MEETING = (0, 2, 4)


def lay_start(tiles: LyingTiles, pieces: Sequence[Piece]) -> AtreyaArena:
    """The three start tiles, back up, around one corner, so that every two of them close a shape of
    another colour. Raises PnpError if the deck has no such tiles."""
    starts = [n for n, piece in enumerate(pieces) if piece.row.get("start") == "yes"]
    names = ", ".join(tiles.names[n] for n in starts) or "none"
    if len(starts) != 3:
        what = f"three tiles are the start, {len(starts)} are marked: {names}"
        raise fail(Place("tiles"), what, "write yes in the column start of three tiles")
    backs = [_find_backs(tiles, tile) for tile in starts]
    found = [
        ways
        for order in permutations(backs[1:])
        for ways in product(backs[0], *order)
        if _match(tiles, ways)
    ]
    if found:
        return _lay(tiles, max(found, key=lambda ways: _count_thirds(tiles, ways)))
    what = f"the start tiles {names} cannot meet back up in one corner, every two in another colour"
    raise PnpError([Problem(Place("tiles"), what)])


def _find_backs(tiles: LyingTiles, tile: int) -> Sequence[int]:
    """The ways in which a tile lies back up; all, if its faces look the same."""
    ways = [n for n, way in enumerate(tiles.ways) if way.tile == tile]
    return [n for n in ways if tiles.ways[n].side == "back"] or ways


def _match(tiles: LyingTiles, ways: Sequence[int]) -> bool:
    meets = [_meeting(tiles, ways, i) for i in range(3)]
    return all(a == b for a, b in meets) and len(set(meets)) == len(COLOURS)


def _count_thirds(tiles: LyingTiles, ways: Sequence[int]) -> int:
    """How often two tiles meet in the colour of the third: always, in the published set."""
    centres = [tiles.ways[n].colours[CENTRE] for n in ways]
    return sum(_meeting(tiles, ways, i)[0] == centres[(i + 2) % 3] for i in range(3))


def _meeting(tiles: LyingTiles, ways: Sequence[int], i: int) -> tuple[int, int]:
    """The colours in which a tile and the next meet."""
    one, other = tiles.ways[ways[i]], tiles.ways[ways[(i + 1) % 3]]
    return one.colours[_MEETING[i]], other.colours[(_MEETING[i] + 3) % 6]


def _lay(tiles: LyingTiles, ways: Sequence[int]) -> AtreyaArena:
    arena = AtreyaArena(tiles.ways)
    for cell, way in zip(_CELLS, ways, strict=True):
        arena = arena.place(cell, way)
    return arena
