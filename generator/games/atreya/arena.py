"""The tiles on Atreya's table and the shapes that they make, kept up to date move by move.

A cell is a number, `cell_at(x, y)`: x columns to the right, y half rows down. An open side is 8 *
the empty cell at it + the side of that cell.

Also every way in which a tile can lie, those that fit a place, and the three tiles at the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations, product

from msgspec import Struct

from generator.basics.errors import Place, PnpError, Problem, fail, quote, raise_all
from generator.games.atreya.checks import COLOURS
from generator.model import Piece, Side
from generator.play.engine import name_pieces

_ROW = 4096  # more than any arena has half rows

# To the neighbour beyond each side.
STEPS = (_ROW - 1, -2, -_ROW - 1, -_ROW + 1, 2, _ROW + 1)
_OPPOSITE = (3, 4, 5, 0, 1, 2)
CENTRE = 6
LONE_CENTRE = 1 << CENTRE  # a region that meets no other tile, so it is no shape

AtreyaCell = int
OpenSide = int
PlacedArea = int  # 8 * its cell + its number
HALVES = 0b111111  # the areas that are half-pieces
AREAS_OF = tuple(tuple(a for a in range(7) if mask >> a & 1) for mask in range(128))
SIDES_OF = tuple(tuple(d for d in range(6) if mask >> d & 1) for mask in range(128))

# Of each area, those that share a line with it: the centre with all, a half-piece with two more.
BESIDE = (*(1 << (d + 1) % 6 | 1 << (d - 1) % 6 | 1 << CENTRE for d in range(6)), HALVES)

Pattern = int  # two bits for each side: 0 where no tile lies, else 1 + the colour that it needs


def cell_at(x: int, y: int) -> AtreyaCell:
    return x * _ROW + y


# Around one corner. Each of the three meets the next at this side, which meets the opposite one.
_CELLS = (cell_at(0, 2), cell_at(1, 1), cell_at(0, 0))
_MEETING = (0, 2, 4)


def place_of(cell: AtreyaCell) -> tuple[int, int]:
    """The columns to the right and the half rows down."""
    x = (cell + _ROW // 2) // _ROW
    return x, cell - x * _ROW


class OpenAtreyaShape(Struct, frozen=True, eq=False):
    """A shape that may grow. tiles: a bit mask. pieces: half-pieces without a partner are none."""

    colour: int
    opens: Sequence[OpenSide]
    tiles: int
    pieces: int


class ClosedAtreyaShape(Struct, frozen=True):
    """tiles: a bit mask. size: its pieces."""

    colour: int
    areas: frozenset[PlacedArea]
    tiles: int
    size: int


class AtreyaArena(Struct, eq=False):
    """An arena, which nothing changes once it is made. Equal if the same tiles lie alike.

    laid:   the tile in each cell.
    around: what a tile needs in each empty cell beside the others.
    closed: the closed shapes, as they were closed.
    pinned: the areas of tiles that belong to them, as bit masks.
    edges:  the shape at each open side.
    """

    laid: dict[AtreyaCell, LyingTile] = {}
    around: dict[AtreyaCell, Pattern] = {}
    closed: tuple[ClosedAtreyaShape, ...] = ()
    pinned: dict[AtreyaCell, int] = {}
    edges: dict[OpenSide, OpenAtreyaShape] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AtreyaArena) and self.laid == other.laid

    def __hash__(self) -> int:
        return hash(frozenset(self.laid.items()))

    @property
    def shapes(self) -> set[OpenAtreyaShape]:
        return set(self.edges.values())

    def _copy(self) -> AtreyaArena:
        laid, around, edges = self.laid.copy(), self.around.copy(), self.edges.copy()
        return AtreyaArena(laid, around, self.closed, self.pinned.copy(), edges)

    def place(self, cell: AtreyaCell, way: LyingTile) -> AtreyaArena:
        """The arena with a tile in an empty cell."""
        arena = self._copy()
        arena.laid[cell] = way
        pattern = arena.around.pop(cell, 0)
        arena._surround(cell, way, pattern)
        for region in way.regions:
            if region != LONE_CENTRE:
                arena._join(cell, way, region, pattern)
        return arena

    def _surround(self, cell: AtreyaCell, way: LyingTile, pattern: Pattern) -> None:
        """Notes what a new tile needs beyond its open sides."""
        for d in range(6):
            if not pattern >> 2 * d & 3:
                beyond = cell + STEPS[d]
                need = way.colours[d] + 1 << 2 * _OPPOSITE[d]
                self.around[beyond] = self.around.get(beyond, 0) | need

    def _join(self, cell: AtreyaCell, way: LyingTile, region: int, pattern: Pattern) -> None:
        """Makes a shape of a region and of those that it meets."""
        edges = self.edges
        opens: list[OpenSide] = []
        met: dict[OpenAtreyaShape, None] = {}
        tiles, pieces = 1 << way.tile, region >> CENTRE
        for d in SIDES_OF[region]:
            if pattern >> 2 * d & 3:
                pieces += 1
                met[edges.pop(8 * cell + d)] = None
            else:
                opens.append(8 * (cell + STEPS[d]) + _OPPOSITE[d])
        for shape in met:
            opens += [side for side in shape.opens if side in edges]
            tiles |= shape.tiles
            pieces += shape.pieces
        colour = way.colour_of(region)
        if opens:
            edges.update(dict.fromkeys(opens, OpenAtreyaShape(colour, opens, tiles, pieces)))
            return
        parts = self._flood(cell, region)
        areas = frozenset(8 * at + area for at, mask in parts.items() for area in AREAS_OF[mask])
        self.closed += (ClosedAtreyaShape(colour, areas, tiles, pieces),)
        for at, mask in parts.items():
            self.pinned[at] = self.pinned.get(at, 0) | mask

    def _flood(self, cell: AtreyaCell, region: int) -> dict[AtreyaCell, int]:
        """All areas that hang together with a region, as a bit mask for each cell."""
        laid = self.laid
        found, ahead = {cell: region}, [(cell, region)]
        while ahead:
            at, mask = ahead.pop()
            for d in SIDES_OF[mask]:
                beyond = at + STEPS[d]
                if beyond in laid:
                    other = laid[beyond].region_at[_OPPOSITE[d]]
                    had = found.get(beyond, 0)
                    if not had & other:
                        found[beyond] = had | other
                        ahead.append((beyond, other))
        return found

    def lift(self, cell: AtreyaCell) -> AtreyaArena:
        """The arena without the tile in a cell. Shapes that it closed are open again."""
        arena = self._copy()
        way = arena.laid.pop(cell)
        met = [d for d in range(6) if cell + STEPS[d] in arena.laid]
        for d in range(6):
            if d not in met:
                arena._forget(cell + STEPS[d], _OPPOSITE[d])
        arena.around[cell] = sum(way.colours[d] + 1 << 2 * d for d in met)
        arena._open(1 << way.tile)
        for d in met:  # what hung together with the tile there
            if 8 * cell + d not in arena.edges:
                beyond = cell + STEPS[d]
                region = arena.laid[beyond].region_at[_OPPOSITE[d]]
                arena._trace(arena._flood(beyond, region))
        return arena

    def _forget(self, beyond: AtreyaCell, side: int) -> None:
        """Forgets the open side of a lifted tile at an empty cell."""
        self.around[beyond] &= ~(3 << 2 * side)
        if not self.around[beyond]:
            del self.around[beyond]
        del self.edges[8 * beyond + side]

    def _open(self, tile: int) -> None:
        """Forgets the closed shapes that a lifted tile belonged to."""
        for shape in self.closed:
            for area in shape.areas if shape.tiles & tile else ():
                self.pinned[area // 8] &= ~(1 << area % 8)
        self.closed = tuple(shape for shape in self.closed if not shape.tiles & tile)

    def _trace(self, parts: Mapping[AtreyaCell, int]) -> None:
        """Makes an open shape of areas."""
        laid = self.laid
        opens: list[OpenSide] = []
        tiles, halves, centres, colour = 0, 0, 0, 0
        for cell, mask in parts.items():
            way = laid[cell]
            tiles |= 1 << way.tile
            centres += mask >> CENTRE
            colour = way.colour_of(mask)
            for d in SIDES_OF[mask]:
                beyond = cell + STEPS[d]
                if beyond in laid:
                    halves += 1
                else:
                    opens.append(8 * beyond + _OPPOSITE[d])
        shape = OpenAtreyaShape(colour, opens, tiles, centres + halves // 2)
        self.edges.update(dict.fromkeys(opens, shape))

    def find_ready(self, cell: AtreyaCell, sides: Sequence[int]) -> tuple[int, ...]:
        """The open shapes that a tile in this empty cell alone can close: for each, the sides at
        which it meets the cell, as a bit mask. sides: those at which tiles lie."""
        met: dict[OpenAtreyaShape, int] = {}
        for d in sides:
            shape = self.edges[8 * cell + d]
            met[shape] = met.get(shape, 0) | 1 << d
        return tuple(mask for it, mask in met.items() if len(it.opens) == mask.bit_count())

    def beside(self, shape: ClosedAtreyaShape) -> dict[PlacedArea, int]:
        """The pieces and half-pieces along a shape's boundary, each by one of its areas, with their colours."""
        found: dict[PlacedArea, int] = {}
        for placed in self._areas_beside(shape):
            cell, area = divmod(placed, 8)
            beyond = cell + STEPS[area] if area < CENTRE else cell
            if area < CENTRE and beyond in self.laid:
                placed = min(placed, 8 * beyond + _OPPOSITE[area])
            found[placed] = self.laid[cell].colours[area]
        return found

    def neighbours(self, shape: ClosedAtreyaShape) -> list[ClosedAtreyaShape]:
        """The closed shapes that share a boundary with a closed shape."""
        along = self._areas_beside(shape)
        return [other for other in self.closed if not along.isdisjoint(other.areas)]

    def largest_open(self, shape: ClosedAtreyaShape) -> int:
        """The most pieces of an open shape that shares a boundary with a closed one; 0 if none does."""
        beside = (divmod(placed, 8) for placed in self._areas_beside(shape))
        parts = (self._flood(cell, self.laid[cell].region_at[area]) for cell, area in beside)
        sides = (
            8 * (cell + STEPS[d]) + _OPPOSITE[d]
            for part in parts
            for cell, mask in part.items()
            for d in SIDES_OF[mask]
        )
        return max((self.edges[side].pieces for side in sides if side in self.edges), default=0)

    def _areas_beside(self, shape: ClosedAtreyaShape) -> set[PlacedArea]:
        own = shape.areas
        near = {area - area % 8 + b for area in own for b in AREAS_OF[BESIDE[area % 8]]}
        return near - own


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
    """The tiles that fit a place.

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
        raise_all(problem for piece in pieces for problem in _find_faults(piece))
        self.ids = [piece.id for piece in pieces]
        self.names = name_pieces(pieces)
        self.ways = [way for n, piece in enumerate(pieces) for way in _turn_both_faces(n, piece)]
        self.bits = [1 << way.tile for way in self.ways]
        self._codes = [sum(way.colours[d] + 1 << 2 * d for d in range(6)) for way in self.ways]
        self.fit = cache(self._find_fit)

    def _find_fit(self, pattern: Pattern) -> FittingTiles:
        """The tiles that fit a place with these neighbours."""
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
        return _find_closed(self.ways[number].regions, ready)


def is_sound(contacts: int) -> bool:
    """Whether a tile may be added or taken away where others lie at these sides of it.

    It touches two at least; and there is one gap. With two gaps, a tile that is added would
    enclose a hole, and one that is taken away would leave two groups; with none, a hole.
    """
    gaps = sum(contacts >> d & 1 and not contacts >> (d + 1) % 6 & 1 for d in range(6))
    return gaps == 1 and contacts.bit_count() >= 2


@cache
def _find_closed(regions: tuple[int, ...], ready: tuple[int, ...]) -> int:
    sides = sum(ready)
    closed = sum(r for r in regions if r & HALVES and not r & HALVES & ~sides)
    while any(mask & closed and mask & ~closed for mask in ready):
        # a shape that also meets an open region of the tile is open, with all that it meets
        spoilt = sum(mask for mask in ready if mask & ~closed)
        closed = sum(r for r in regions if r & closed and not r & spoilt)
    return closed


def _find_faults(piece: Piece) -> Iterator[Problem]:
    due = {"centre": 1, "sides": 6, "back_centre": 1, "back_sides": 6}
    for column, length in due.items():
        cell = str(piece.row.get(column, ""))
        if len(cell) != length or set(cell) - set(COLOURS):
            need = "six of R, G and B" if length > 1 else "R, G or B"
            what = f"{column} of {piece.id} is {quote(cell)}, its engine needs {need}"
            yield Problem(piece.place.at_column(column), what)


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


def lay_start(tiles: LyingTiles, pieces: Sequence[Piece]) -> AtreyaArena:
    """The three start tiles, back up, around one corner, so that every two of them close a shape of
    another colour. Raises PnpError if the deck has no such tiles."""
    starts = [n for n, piece in enumerate(pieces) if piece.row.get("start") == "yes"]
    names = ", ".join(tiles.names[n] for n in starts) or "none"
    if len(starts) != 3:
        what = f"three tiles are the start, {len(starts)} are marked: {names}"
        raise fail(Place("tiles"), what, "write yes in the column start of three tiles")
    backs = [_find_backs(tiles, tile) for tile in starts]
    every = (ways for order in permutations(backs[1:]) for ways in product(backs[0], *order))
    best = max(filter(_match, every), key=_count_thirds, default=())
    if not best:
        what = f"the start tiles {names} cannot meet back up in one corner"
        raise PnpError([Problem(Place("tiles"), f"{what}, every two in another colour")])
    arena = AtreyaArena()
    for cell, way in zip(_CELLS, best, strict=True):
        arena = arena.place(cell, way)
    return arena


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
    one, other = ways[i], ways[(i + 1) % 3]
    return one.colours[_MEETING[i]], other.colours[(_MEETING[i] + 3) % 6]
