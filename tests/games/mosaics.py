"""Take tiles of Atreya in a figure, count by its rules: sizes, health, freedom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from math import atan2, cos, degrees, hypot, radians

from generator import pipeline
from tests.games.arenas import Area, Arena, Cell, Shape, Tile, neighbours
from tests.games.figures import Laid, Point

ROWS = {piece.id: piece.row for piece in pipeline.read("atreya").game.components[0].pieces}
# Of three players: whose colour is inferior to which; of two, in red and blue, green is nobody's.
THREE = {"R": {"G"}, "B": {"R"}, "G": {"B"}}
TWO = {"R": {"G"}, "B": {"G"}}
_CENTRE, _HALVES = 0, range(1, 7)  # the areas of a tile: half-piece k lies at side k - 1
_TOUCHING = {(_CENTRE, half) for half in _HALVES} | {(half, half % 6 + 1) for half in _HALVES}

Piece = frozenset[Area]


class Mosaic(Arena):
    """An arena of Atreya's tiles. A piece is a centre, or two half-pieces that meet at a side; a
    half-piece at an open side is by itself."""

    def __init__(self, laid: Sequence[Laid]) -> None:
        super().__init__(laid, _tile)

    @cached_property
    def _paired(self) -> Mapping[Area, Area]:
        return {one: other for pair in self.contacts for one, other in (pair, pair[::-1])}

    def pieces(self, areas: Set[Area]) -> set[Piece]:
        """What these areas belong to, each piece and each half-piece by itself once."""
        return {frozenset({area, self._paired.get(area, area)}) for area in areas}

    def size(self, shape: Shape) -> int:
        return len(self.pieces(shape))

    def beside_of(self, shape: Shape) -> Counter[str]:
        """The pieces and half-pieces along its boundary, by their colours."""
        pieces = self.pieces(self.beside(shape))
        return Counter(self.colour(piece) for piece in pieces)

    def is_healthy(self, shape: Shape, inferior: Mapping[str, Set[str]] = THREE) -> bool:
        weaker = inferior[self.colour(shape)]
        along = self.beside_of(shape)
        count = sum(along[colour] for colour in weaker)
        return count >= along.total() - count

    def dominated(self, shape: Shape) -> set[Shape]:
        """The closed neighbours that are smaller."""
        return {
            other
            for other in self.closed - {shape}
            if self.size(other) < self.size(shape) and self.are_neighbours(shape, other)
        }

    def freedom(self, cell: Cell) -> int:
        """How many of its centre and its half-pieces are in no closed shape."""
        held = {area for shape in self.closed for area in shape}
        return sum((cell, area) not in held for area in (_CENTRE, *_HALVES))


def touch_two(cells: Set[Cell]) -> bool:
    """Every tile touches at least two others."""
    return all(len(cells & {*neighbours(cell)}) >= 2 for cell in cells)


def _tile(lying: Laid) -> Tile:
    row, side = ROWS[lying.piece], "back_" if lying.is_back else ""
    colours = [str(row[f"{side}centre"]), *str(row[f"{side}sides"])]

    def area_at(point: Point) -> int:
        angle = degrees(atan2(point[1], point[0])) % 360
        is_inner = hypot(*point) * cos(radians(angle % 60 - 30)) < 0.5 * cos(radians(30))
        return _CENTRE if is_inner else _HALVES[int(angle // 60)]

    return Tile(tuple(_HALVES), colours, _TOUCHING, area_at)
