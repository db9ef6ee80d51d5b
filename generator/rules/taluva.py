"""Take Taluva's tiles and buildings, find what is not as its box has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from generator.errors import Problem, did_you_mean, shown
from generator.model import Column, Component, Piece
from generator.rules.table import Declared

TERRAINS = ("jungle", "clearing", "sand", "rock", "lake")
TILES_A_PLAYER = 12  # 24, 36 and 48 tiles for two, three and four players ("Setup")
PLAYERS = (2, 3, 4)
# Of each player's colour; 80 huts, 12 temples and 8 towers in four ("Components").
BUILDINGS = {"hut": 20, "temple": 3, "tower": 2}
Pair = tuple[str, str]  # left and right field, the volcano on top

# The publisher's; his rules tell 48 and no pairs. Four programs that play the game have these
# numbers alike. A row for each left field, in it the right ones, both in the order of TERRAINS.
_PUBLISHED = {
    48: ((1, 6, 4, 2, 2), (5, 1, 2, 2, 1), (4, 2, 1, 2, 1), (2, 2, 1, 1, 1), (1, 1, 1, 1, 1)),
    60: ((1, 7, 6, 2, 4), (7, 1, 2, 4, 1), (6, 2, 1, 2, 1), (2, 3, 1, 1, 1), (1, 1, 1, 1, 1)),
}


def distribution(tiles: int = 48) -> Mapping[Pair, int]:
    """How many tiles have each pair of fields, in the game of 48 tiles or the variant of 60.

    A pair is the lower left and the lower right field of a tile whose volcano is on top: its
    fields are, clockwise from the volcano, right and left. The physical game may have it the
    other way round (see `mirrored`). Raises KeyError for other numbers of tiles.
    """
    rows = zip(TERRAINS, _PUBLISHED[tiles], strict=True)
    return {(left, right): n for left, row in rows for right, n in zip(TERRAINS, row, strict=True)}


def mirrored(pairs: Mapping[Pair, int]) -> Mapping[Pair, int]:
    """The same tiles with left and right swapped."""
    return {(left, right): pairs[right, left] for left, right in pairs}


@dataclass(frozen=True, kw_only=True)
class Pairs(Declared):
    """Each pair of fields is on as many tiles as published (see `distribution`).

    The columns are `left` and `right`. The table is held against the nearest of 48 and 60 tiles,
    either way round; a note says which.
    """

    kind = "taluva.pairs"

    def columns(self) -> list[Column]:
        return [Column("left"), Column("right")]

    def check(self, component: Component) -> list[Problem]:
        rows: dict[Pair, list[Piece]] = {}
        found = []
        for piece in component.pieces:
            foreign = list(self._foreign(piece))
            found += foreign
            if not foreign:
                rows.setdefault(_pair(piece), []).append(piece)
        counts = {pair: sum(piece.copies for piece in pieces) for pair, pieces in rows.items()}
        tiles, is_mirrored = _nearest(counts)
        due = _read(tiles, is_mirrored)
        for pair in product(TERRAINS, repeat=2):
            where = rows[pair][0].where if pair in rows else component.where
            what = _difference(counts.get(pair, 0), due[pair])
            if what:
                what = f"{_named(pair, rows)}: {what} in the published {tiles}"
                found.append(self.problem(where, what))
        return [*found, self.problem(component.where, _direction(tiles, is_mirrored), "note")]

    def _foreign(self, piece: Piece) -> Iterator[Problem]:
        for column in ("left", "right"):
            terrain = str(piece.row[column])
            if terrain not in TERRAINS:
                hint = did_you_mean(terrain, TERRAINS)
                what = f"{piece.id}: {shown(terrain)} is no terrain; {hint}"
                yield self.problem(f"{piece.where} column {column}", what)
