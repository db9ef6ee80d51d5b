"""Take the hexagons of a figure, find the shapes that they make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from math import cos, dist, radians, sin, sqrt

from tests.games.figures import Laid, Point

ACROSS = 26.73  # mm, from side to side; a side is on top
RADIUS = ACROSS / sqrt(3)
Cell = tuple[int, int]  # columns to the right, half rows down
Area = tuple[Cell, int]  # of the tile there, by its number
Shape = frozenset[Area]
# Where the neighbour beyond each side lies: counterclockwise from the one above the right corner.
_BEYOND = ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1))


@dataclass(frozen=True)
class Tile:
    """A face: the area of each side, the colour of each area, which areas share a line, and the
    area at a point: y up, the middle at 0, the corners 1 from it."""

    of_sides: tuple[int, ...]
    colours: Sequence[str]
    touching: Set[tuple[int, int]]
    area_at: Callable[[Point], int]


class Arena:
    """What lies on the table. Raises AssertionError: off the lattice, or colours do not match."""

    def __init__(self, laid: Sequence[Laid], tiles: Callable[[Laid], Tile]) -> None:
        self._origin = middle(laid[0])
        self.laid = {self.cell(middle(lying)): lying for lying in laid}
        assert len(self.laid) == len(laid), "two tiles in one place"
        self.tiles: Mapping[Cell, Tile] = {at: tiles(lying) for at, lying in self.laid.items()}
        for (at, a), (beyond, b) in self.contacts:
            assert self.tiles[at].colours[a] == self.tiles[beyond].colours[b], "colours differ"

    def cell(self, point: Point) -> Cell:
        """The cell with this middle."""
        across = (point[0] - self._origin[0]) / (1.5 * RADIUS)
        down = (point[1] - self._origin[1]) / (ACROSS / 2)
        cell = round(across), round(down)
        assert dist((across, down), cell) < 0.01, "off the lattice"
        assert sum(cell) % 2 == 0, "between two hexagons"
        return cell

    def side(self, cell: Cell, side: int) -> int:
        """The area at a side of the tile as it lies."""
        return self.tiles[cell].of_sides[(side + self.laid[cell].turn // 60) % 6]

    @cached_property
    def contacts(self) -> list[tuple[Area, Area]]:
        """Areas of two tiles that meet at a side, each side once."""
        return [
            ((cell, self.side(cell, side)), (beyond, self.side(beyond, side + 3)))
            for cell in self.tiles
            for side, beyond in enumerate(neighbours(cell))
            if side < 3 and beyond in self.tiles
        ]

    @cached_property
    def shapes(self) -> set[Shape]:
        """Areas of one colour that hang together, within tiles and from tile to tile."""
        shape = {(cell, area): frozenset({(cell, area)}) for cell, area in self._areas()}
        for one, other in [*self.contacts, *self._alike]:
            both = shape[one] | shape[other]
            shape |= dict.fromkeys(both, both)
        return set(shape.values())

    @cached_property
    def closed(self) -> set[Shape]:
        """Those with no side at which no tile lies."""
        return {shape for shape in self.shapes if not shape & self._open}

    def at(self, point: Point) -> Shape:
        """The shape that a point lies in."""
        area = self.area_at(point)
        (found,) = (shape for shape in self.shapes if area in shape)
        return found

    def area_at(self, point: Point) -> Area:
        cell = self.cell_at(point)
        x, y = middle(self.laid[cell])
        by = radians(self.laid[cell].turn)
        right, up = (point[0] - x) / RADIUS, (y - point[1]) / RADIUS
        unturned = right * cos(by) - up * sin(by), right * sin(by) + up * cos(by)
        return cell, self.tiles[cell].area_at(unturned)

    def cell_at(self, point: Point) -> Cell:
        """The cell of the tile that a point lies in: none is nearer."""
        cell = min(self.laid, key=lambda at: dist(point, middle(self.laid[at])))
        assert dist(point, middle(self.laid[cell])) < RADIUS
        return cell

    def colour(self, shape: Shape) -> str:
        (colour,) = {self.tiles[cell].colours[area] for cell, area in shape}
        return colour

    def are_neighbours(self, one: Shape, other: Shape) -> bool:
        """They share a line."""
        return bool(self.beside(one) & other)

    def beside(self, shape: Shape) -> set[Area]:
        """The areas of other shapes that share a line with it."""
        lines = [{(cell, a), (cell, b)} for cell, tile in self.tiles.items() for a, b in tile.touching]
        return {area for line in lines if line & shape for area in line - shape}

    def is_free(self, cell: Cell) -> bool:
        """It has two empty sides next to each other."""
        empty = [beyond not in self.tiles for beyond in neighbours(cell)]
        return any(empty[side] and empty[side - 1] for side in range(6))

    @cached_property
    def _alike(self) -> list[tuple[Area, Area]]:
        """Areas of a tile that share a line and a colour."""
        return [
            ((cell, a), (cell, b))
            for cell, tile in self.tiles.items()
            for a, b in tile.touching
            if tile.colours[a] == tile.colours[b]
        ]

    @cached_property
    def _open(self) -> set[Area]:
        return {
            (cell, self.side(cell, side))
            for cell in self.tiles
            for side, beyond in enumerate(neighbours(cell))
            if beyond not in self.tiles
        }

    def _areas(self) -> Iterator[Area]:
        for cell, tile in self.tiles.items():
            yield from ((cell, area) for area in range(len(tile.colours)))


def middle(lying: Laid) -> Point:
    """A hexagon is turned about its middle, so it does not move."""
    return lying.x + RADIUS, lying.y + ACROSS / 2


def neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + x, cell[1] + y) for x, y in _BEYOND]


def is_sound(cells: Set[Cell]) -> bool:
    """No tile holds the others together, and there is no hole."""
    return not has_hole(cells) and all(is_whole(cells - {cell}) for cell in [None, *cells])


def is_whole(cells: Set[Cell]) -> bool:
    return not cells or _reached(next(iter(cells)), cells) == cells


def has_hole(cells: Set[Cell]) -> bool:
    columns, rows = zip(*cells, strict=True)
    around = {
        (x, y)
        for x in range(min(columns) - 2, max(columns) + 3)
        for y in range(min(rows) - 3, max(rows) + 4)
        if (x + y) % 2 == 0
    }
    empty = around - cells
    return _reached(min(empty), empty) != empty


def _reached(start: Cell, within: Set[Cell]) -> set[Cell]:
    found, ahead = {start}, [start]
    while ahead:
        new = set(neighbours(ahead.pop())) & within - found
        found |= new
        ahead += new
    return found
