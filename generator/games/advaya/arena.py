"""The places of hexagons: which keep the arena sound, and which a tile can slide to.

A cell is a place of the lattice, as one number: its columns to the right and its steps up, see
`cell_at`. Side k of a cell faces `BEYOND[k]`. A demand is what tiles around a cell ask of it: six
bits for the sides that must be black, six higher bits for those that must be white.

An arena is sound if no tile holds it together and it has no hole. Then only what lies next to a
cell decides whether it stays so: the neighbours of each tile lie in one row, without a gap between
them. (Two rows would hang together elsewhere, by tiles that enclose a gap, or only by that tile.)

Also the faces of a deck in all turns, and the shapes that a laid tile closes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from generator.basics.errors import MisfitError, Problem, quote
from generator.games.advaya import tiles as advaya
from generator.games.hexagon import turned
from generator.model import Piece, Side

_COLUMN = 1 << 16
BEYOND = (_COLUMN, 1, 1 - _COLUMN, -_COLUMN, -1, _COLUMN - 1)  # counterclockwise, side 1 above
ALL_SIDES = 63
_TO_WHITE = 6  # bits from the black side to the white one

Cell = int
Demand = int
Ring = int  # six bits: the sides at which a tile lies
COLOURS = "BW"
_COLUMNS: Mapping[Side, str] = {"front": "", "back": "back_"}
Area = tuple[Cell, int]  # of the tile there, by its number


def cell_at(column: int, row: int) -> Cell:
    """The cell in this column to the right and this half row down; both even or both odd."""
    return column * _COLUMN - (row + column) // 2


def place_of(cell: Cell) -> tuple[int, int]:
    """The column of a cell, and its half row down: what `cell_at` takes."""
    column = (cell + _COLUMN // 2) // _COLUMN
    return column, -2 * (cell - column * _COLUMN) - column


def _count_rows(ring: Ring) -> int:
    """The rows of neighbours next to each other; 0 if there are none, or six."""
    return sum(ring >> side & 1 and not ring >> (side - 1) % 6 & 1 for side in range(6))


def _is_narrow(ring: Ring, side: int) -> bool:
    """Whether tiles on both sides of the way out at a side leave no room."""
    return bool(ring >> (side + 1) % 6 & 1 and ring >> (side - 1) % 6 & 1)


_RINGS = range(ALL_SIDES + 1)

# Where a tile can slide to from a cell, by its ring: an empty cell, and one beside it is empty too.
_EXITS = tuple(tuple(BEYOND[s] for s in range(6) if not ring >> s & 1 and not _is_narrow(ring, s)) for ring in _RINGS)
_IS_IN_ONE_ROW = tuple(_count_rows(ring) == 1 or ring == ALL_SIDES for ring in _RINGS)
_HOLDS = tuple(_count_rows(ring) == 1 and ring.bit_count() > 1 for ring in _RINGS)


class AdvayaArena(Struct, frozen=True):
    """Tiles on the lattice.

    whites: the white sides of each tile, six bits. demands: of each cell at which a neighbour lies,
    whether a tile lies there or not.
    """

    whites: Mapping[Cell, int]
    demands: Mapping[Cell, Demand]

    @classmethod
    def of(cls, whites: Mapping[Cell, int]) -> AdvayaArena:
        demands: dict[Cell, Demand] = {}
        for cell, white in whites.items():
            for side, bit in _BITS:
                beyond = cell + BEYOND[side]
                demands[beyond] = demands.get(beyond, 0) | bit << (_TO_WHITE * (white >> side & 1))
        return cls(whites, demands)

    def without(self, cell: Cell) -> AdvayaArena:
        whites, demands = dict(self.whites), dict(self.demands)
        del whites[cell]
        for side, bit in _BITS:
            beyond = cell + BEYOND[side]
            demands[beyond] &= ~(bit | bit << _TO_WHITE)
            if not demands[beyond]:
                del demands[beyond]
        return AdvayaArena(whites, demands)

    def ring(self, cell: Cell) -> Ring:
        demand = self.demands.get(cell, 0)
        return (demand | demand >> _TO_WHITE) & ALL_SIDES

    def can_lift(self, cell: Cell) -> bool:
        """Whether the tile there is free, and the arena stays sound without it."""
        if not _EXITS[self.ring(cell)] or len(self.whites) == 1:
            return False
        if len(self.whites) == 2:
            return True
        around = [(cell + BEYOND[side], bit) for side, bit in _BITS]
        rings = [self.ring(each) & ~bit for each, bit in around if each in self.whites]
        return len(rings) < 6 and all(_IS_IN_ONE_ROW[ring] for ring in rings)

    def places(self, start: Cell | None) -> Iterator[tuple[Cell, Demand]]:
        """The cells where another tile leaves the arena sound and that it can slide to from an
        empty cell, or from outside, and their demands; in order."""
        reached, demands = self.reach(start), self.demands
        for cell in sorted(reached):
            demand = demands.get(cell, 0)
            if _HOLDS[(demand | demand >> _TO_WHITE) & ALL_SIDES] or len(self.whites) == 1:
                yield cell, demand

    def reach(self, start: Cell | None) -> set[Cell]:
        """The empty cells beside tiles that a tile can slide to along others from an empty cell, or from outside."""
        whites, demands = self.whites, self.demands
        first = min(whites) - _COLUMN if start is None else start
        reached, ahead = {first}, [first]
        while ahead:
            cell = ahead.pop()
            demand = demands[cell]
            for exit_ in _EXITS[(demand | demand >> _TO_WHITE) & ALL_SIDES]:
                beyond = cell + exit_
                if beyond not in reached and beyond in demands:
                    reached.add(beyond)
                    ahead.append(beyond)
        return reached


_BITS = tuple((side, 1 << (side + 3) % 6) for side in range(6))  # the side that faces a side


class TurnedFace(Struct, frozen=True):
    """A face of a tile in one turn.

    tile: its place in the deck. turn: sixths counterclockwise. white: six bits, the white sides.
    areas: the area of each side. sides: of each area. colours: of each area, a place in COLOURS.
    beside: the areas that share a line with each. is_blue: its lines count for the value.
    """

    tile: int
    side: Side
    turn: int
    white: int
    areas: tuple[int, ...]
    sides: tuple[tuple[int, ...], ...]
    colours: tuple[int, ...]
    beside: tuple[tuple[int, ...], ...]
    is_blue: bool


Laid = Mapping[Cell, TurnedFace]


class ClosedShape(Struct, frozen=True):
    """A closed shape. colour: a place in COLOURS. value: its pieces with a blue boundary."""

    colour: int
    value: int
    areas: frozenset[Area]


def read_faces(pieces: Sequence[Piece]) -> list[TurnedFace]:
    """Every face of every tile in every turn; turns that look alike are one.

    Fronts have the columns `segments` and `sides`, backs `back_segments` and `back_sides`, without faults.
    """
    return [face for n, piece in enumerate(pieces) for side in _COLUMNS for face in _turns(n, piece, side)]


def find_faults(pieces: Sequence[Piece]) -> list[Problem]:
    """The faults that keep pieces from being played, each once though a row may be several tiles."""
    faults = (fault for piece in pieces for side in _COLUMNS for fault in _faults(piece, side))
    return list(dict.fromkeys(faults))


def _faults(piece: Piece, side: Side) -> Iterator[Problem]:
    columns = [_COLUMNS[side] + name for name in ("segments", "sides")]
    lines, sides = (str(piece.row.get(column, "")) for column in columns)
    places = [piece.place.at_column(column) for column in columns]
    is_coloured = len(sides) == 6 and not set(sides) - set(COLOURS)
    if not is_coloured:
        yield Problem(places[1], f"{columns[1]} is {quote(sides)}, its engine needs six letters, each B or W")
    try:
        drawing = advaya.parse(lines)
    except MisfitError as error:
        yield Problem(places[0], f"{piece.id}: {error}", error.hint)
        return
    if flaw := advaya.flaw(drawing):
        yield Problem(places[0], f"{piece.id} cannot be played: {flaw}")
        return
    areas = advaya.areas(drawing).of_sides
    if is_coloured and len(set(zip(areas, sides, strict=True))) > len(set(areas)):
        yield Problem(places[1], f"{piece.id} cannot be played: sides of one area differ in colour, {sides}")


def _turns(tile: int, piece: Piece, side: Side) -> Iterator[TurnedFace]:
    drawing = advaya.parse(str(piece.row[_COLUMNS[side] + "segments"]))
    letters = str(piece.row[_COLUMNS[side] + "sides"])
    found = advaya.areas(drawing)
    numbers = range(max(found.of_sides) + 1)
    beside = [{a for pair in found.touching if n in pair for a in pair} - {n} for n in numbers]
    looks = set()
    for turn in range(6):
        areas = tuple(found.of_sides[(k - turn) % 6] for k in range(6))
        colours = turned(letters, turn)
        order = list(dict.fromkeys(areas))
        touching = {frozenset(map(order.index, pair)) for pair in found.touching}
        look = (colours, tuple(map(order.index, areas)), frozenset(touching))
        if look in looks:
            continue
        looks.add(look)
        yield TurnedFace(
            tile,
            side,
            turn,
            sum(1 << k for k, letter in enumerate(colours) if letter == "W"),
            areas,
            tuple(tuple(k for k in range(6) if areas[k] == n) for n in numbers),
            tuple(COLOURS.index(colours[areas.index(n)]) for n in numbers),
            tuple(tuple(sorted(others)) for others in beside),
            side == "front" and bool(drawing),
        )


def find_closed(laid: Laid, cell: Cell) -> list[ClosedShape]:
    """The closed shapes that have a piece of the tile in a cell."""
    found: list[ClosedShape] = []
    for area in range(len(laid[cell].sides)):
        if not any((cell, area) in shape.areas for shape in found):
            areas, gaps = _spread(laid, (cell, area), most_gaps=0)
            if not gaps:
                value = sum(laid[at].is_blue for at, _ in areas)
                found.append(ClosedShape(laid[cell].colours[area], value, frozenset(areas)))
    return found


class OpenShape(Struct, frozen=True):
    """A shape that is not closed. value: as it would count now. gaps: the empty cells beside it."""

    colour: int
    value: int
    gaps: frozenset[Cell]
    cells: frozenset[Cell]
    areas: frozenset[Area]


def find_open(laid: Laid) -> Iterator[OpenShape]:
    """Every shape that is not closed."""
    seen: set[Area] = set()
    for cell, face in laid.items():
        for area in range(len(face.sides)):
            if (cell, area) in seen:
                continue
            areas, gaps = _spread(laid, (cell, area), most_gaps=len(laid) * 6)
            seen |= areas
            if gaps:
                value = sum(laid[at].is_blue for at, _ in areas)
                cells = frozenset(at for at, _ in areas)
                colour = face.colours[area]
                yield OpenShape(colour, value, frozenset(gaps), cells, frozenset(areas))


def _spread(laid: Laid, first: Area, most_gaps: int) -> tuple[set[Area], set[Cell]]:
    """The areas of a shape, and the empty cells beside it. Ends where these are too many."""
    areas, ahead = {first}, [first]
    gaps: set[Cell] = set()
    while ahead and len(gaps) <= most_gaps:
        cell, area = ahead.pop()
        for side in laid[cell].sides[area]:
            beyond = cell + BEYOND[side]
            other = laid.get(beyond)
            if other is None:
                gaps.add(beyond)
                continue
            next_ = beyond, other.areas[side - 3]
            if next_ not in areas:
                areas.add(next_)
                ahead.append(next_)
    return areas, gaps
