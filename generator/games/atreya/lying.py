"""Take Atreya's tiles, make every way in which one can lie, find those that fit a place.

An area of a tile is a number: 0 to 5 for the half-piece at that side as the tile lies, 6 for its
centre. Sides are counterclockwise from the one above the right corner. Sets of areas are bit masks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from generator.basics.errors import PnpError, Problem, quote
from generator.games.atreya.checks import COLOURS
from generator.model import Piece, Side
from generator.play.decks import name_pieces

CENTRE = 6
HALVES = 0b111111  # the areas that are half-pieces
AREAS_OF = tuple(tuple(a for a in range(7) if mask >> a & 1) for mask in range(128))
SIDES_OF = tuple(tuple(d for d in range(6) if mask >> d & 1) for mask in range(128))
# Of each area, those that share a line with it: the centre with all, a half-piece with two more.
BESIDE = (*(1 << (d + 1) % 6 | 1 << (d - 1) % 6 | 1 << CENTRE for d in range(6)), HALVES)

Pattern = int  # two bits for each side: 0 where no tile lies, else 1 + the colour that it needs


class LyingTile(Struct, frozen=True):
    """A tile as it lies.

    tile: its place in the deck. turn: in sixths, clockwise. colours: of each area, their places in
    COLOURS. regions: the areas that hang together. region_at: the region of each area.
    """

    tile: int
    side: Side
    turn: int
    colours: tuple[int, ...]
    regions: tuple[int, ...]
    region_at: tuple[int, ...]

    def colour_of(self, region: int) -> int:
        """The colour of a region, or of several of one colour."""
        return self.colours[AREAS_OF[region][0]]


class FittingTiles(Struct, frozen=True):
    """What fits a place.

    is_sound: a tile there touches two others and makes no hole. sides: those at which tiles lie.
    tiles: a bit mask. ways: the places in the list of all ways, each with the bit of its tile.
    of_tile: those of each tile.
    """

    is_sound: bool
    sides: Sequence[int]
    tiles: int
    ways: Sequence[tuple[int, int]]
    of_tile: Mapping[int, Sequence[int]]


class LyingTiles:
    """A deck. ways: all ways in which its tiles can lie, each that looks different once."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        """Raises PnpError with every cell that holds no colours."""
        problems = [problem for piece in pieces for problem in _find_faults(piece)]
        if problems:
            raise PnpError(problems)
        self.ids = [piece.id for piece in pieces]
        self.names = name_pieces(pieces)
        self.ways = [way for n, piece in enumerate(pieces) for way in _turn_both_faces(n, piece)]
        self.bits = [1 << way.tile for way in self.ways]
        self._codes = [_encode(way.colours) for way in self.ways]
        self._fits: dict[Pattern, FittingTiles] = {}
        self._closed: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}

    def fit(self, pattern: Pattern) -> FittingTiles:
        """What fits a place with these neighbours."""
        fit = self._fits.get(pattern)
        if fit is None:
            fit = self._fits[pattern] = self._find_fit(pattern)
        return fit

    def _find_fit(self, pattern: Pattern) -> FittingTiles:
        touched = sum(3 << 2 * d for d in range(6) if pattern >> 2 * d & 3)
        found = [n for n, code in enumerate(self._codes) if code & touched == pattern]
        of_tile: dict[int, list[int]] = {}
        tiles = 0
        for n in found:
            of_tile.setdefault(self.ways[n].tile, []).append(n)
            tiles |= self.bits[n]
        ways = [(n, self.bits[n]) for n in found]
        contacts = sum(1 << d for d in range(6) if pattern >> 2 * d & 3)
        return FittingTiles(is_sound(contacts), SIDES_OF[contacts], tiles, ways, of_tile)

    def find_closed(self, number: int, ready: tuple[int, ...]) -> int:
        """Which areas of a tile that lies in the way of this number belong to closed shapes, where
        it meets shapes at these sides which it alone can close."""
        regions = self.ways[number].regions
        known = self._closed.setdefault(ready, {})
        if regions not in known:
            known[regions] = _find_closed(regions, ready)
        return known[regions]


def is_sound(contacts: int) -> bool:
    """Whether a tile may be added or taken away where others lie at these sides of it.

    It touches two at least; and there is one gap. With two gaps, a tile that is added would
    enclose a hole, and one that is taken away would leave two groups; with none, a hole.
    """
    gaps = sum(contacts >> d & 1 and not contacts >> (d + 1) % 6 & 1 for d in range(6))
    return gaps == 1 and contacts.bit_count() >= 2


def _find_closed(regions: Sequence[int], ready: Sequence[int]) -> int:
    sides = sum(ready)
    closed = sum(r for r in regions if r & HALVES and not r & HALVES & ~sides)
    while any(mask & closed and mask & ~closed for mask in ready):
        # a shape that also meets an open region of the tile is open, with all that it meets
        spoilt = sum(mask for mask in ready if mask & ~closed)
        closed = sum(r for r in regions if r & closed and not r & spoilt)
    return closed


def _find_faults(piece: Piece) -> list[Problem]:
    due = {"centre": 1, "sides": 6, "back_centre": 1, "back_sides": 6}
    problems = []
    for column, length in due.items():
        cell = str(piece.row.get(column, ""))
        if len(cell) != length or set(cell) - set(COLOURS):
            need = "six of R, G and B" if length > 1 else "R, G or B"
            what = f"{column} of {piece.id} is {quote(cell)}, its engine needs {need}"
            problems.append(Problem(piece.place.at_column(column), what))
    return problems


def _turn_both_faces(tile: int, piece: Piece) -> list[LyingTile]:
    ways: dict[tuple[int, ...], LyingTile] = {}
    faces: tuple[tuple[Side, str], ...] = (("front", ""), ("back", "back_"))
    for side, prefix in faces:
        centre = COLOURS.index(str(piece.row[f"{prefix}centre"]))
        sides = [COLOURS.index(letter) for letter in str(piece.row[f"{prefix}sides"])]
        for turn in range(6):
            colours = (*(sides[(d + turn) % 6] for d in range(6)), centre)
            regions = _find_regions(colours)
            at = tuple(next(r for r in regions if r >> area & 1) for area in range(7))
            ways.setdefault(colours, LyingTile(tile, side, turn, colours, regions, at))
    return list(ways.values())


def _find_regions(colours: Sequence[int]) -> tuple[int, ...]:
    regions, left = [], set(range(7))
    while left:
        ahead, region = [min(left)], 0
        while ahead:
            area = ahead.pop()
            if not region >> area & 1:
                region |= 1 << area
                ahead += [b for b in left if BESIDE[area] >> b & 1 and colours[b] == colours[area]]
        left -= {area for area in left if region >> area & 1}
        regions.append(region)
    return tuple(regions)


def _encode(colours: Sequence[int]) -> Pattern:
    return sum(colours[d] + 1 << 2 * d for d in range(6))
