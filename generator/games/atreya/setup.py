"""Take Atreya's tiles, lay the three that start."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

from generator.basics.errors import PnpError, Problem, fail
from generator.basics.place import Place
from generator.games.atreya.arena import AtreyaArena, cell_at
from generator.games.atreya.checks import COLOURS
from generator.games.atreya.lying import CENTRE, LyingTile, LyingTiles
from generator.model import Piece

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
        if _match(ways)
    ]
    if found:
        return _lay(max(found, key=_count_thirds))
    what = f"the start tiles {names} cannot meet back up in one corner, every two in another colour"
    raise PnpError([Problem(Place("tiles"), what)])


def _find_backs(tiles: LyingTiles, tile: int) -> Sequence[LyingTile]:
    """The ways in which a tile lies back up; all, if its faces look the same."""
    ways = [way for way in tiles.ways if way.tile == tile]
    return [way for way in ways if way.side == "back"] or ways


def _match(ways: Sequence[LyingTile]) -> bool:
    meets = [_meeting(ways, i) for i in range(3)]
    return all(a == b for a, b in meets) and len(set(meets)) == len(COLOURS)


def _count_thirds(ways: Sequence[LyingTile]) -> int:
    """How often two tiles meet in the colour of the third: always, in the published set."""
    centres = [way.colours[CENTRE] for way in ways]
    return sum(_meeting(ways, i)[0] == centres[(i + 2) % 3] for i in range(3))


def _meeting(ways: Sequence[LyingTile], i: int) -> tuple[int, int]:
    """The colours in which a tile and the next meet."""
    one, other = ways[i], ways[(i + 1) % 3]
    return one.colours[_MEETING[i]], other.colours[(_MEETING[i] + 3) % 6]


def _lay(ways: Sequence[LyingTile]) -> AtreyaArena:
    arena = AtreyaArena()
    for cell, way in zip(_CELLS, ways, strict=True):
        arena = arena.place(cell, way)
    return arena
