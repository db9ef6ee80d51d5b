"""The places of hexagons: which keep the arena sound, and which a tile can slide to.

A cell is a place of the lattice, as one number: its columns to the right and its steps up, see
`cell_at`. Side k of a cell faces `BEYOND[k]`. A demand is what tiles around a cell ask of it: six
bits for the sides that must be black, six higher ones for those that must be white.

An arena is sound if no tile holds it together and it has no hole. Then only what lies next to a
cell decides whether it stays so: the neighbours of each tile lie in one row, without a gap between
them. (Two rows would hang together elsewhere, by tiles that enclose a gap, or only by that tile.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

_COLUMN = 1 << 16
BEYOND = (_COLUMN, 1, 1 - _COLUMN, -_COLUMN, -1, _COLUMN - 1)  # counterclockwise, side 1 above
ALL_SIDES = 63
_TO_WHITE = 6  # bits from the black side to the white one

Cell = int
Demand = int
Ring = int  # six bits: the sides at which a tile lies


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
_EXITS = tuple(
    tuple(BEYOND[s] for s in range(6) if not ring >> s & 1 and not _is_narrow(ring, s))
    for ring in _RINGS
)
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
        around = [cell + beyond for beyond in BEYOND]
        rings = [
            (self.ring(each) & ~_opposite(side), each)
            for side, each in enumerate(around)
            if each in self.whites
        ]
        return len(rings) < 6 and all(_IS_IN_ONE_ROW[ring] for ring, _ in rings)

    def places(self, start: Cell | None) -> Iterator[tuple[Cell, Demand]]:
        """The cells where another tile leaves the arena sound and that it can slide to from an
        empty cell, or from outside, and their demands; in order."""
        reached, demands = self.reach(start), self.demands
        for cell in sorted(reached):
            demand = demands.get(cell, 0)
            if _HOLDS[(demand | demand >> _TO_WHITE) & ALL_SIDES] or len(self.whites) == 1:
                yield cell, demand

    def reach(self, start: Cell | None) -> set[Cell]:
        """The empty cells beside tiles that a tile can slide to along others from an empty cell, or
        from outside."""
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


def _opposite(side: int) -> int:
    return 1 << (side + 3) % 6
