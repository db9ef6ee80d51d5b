"""A second referee of Advaya: slow, by geometry, from the table alone, without the engine's code.

It cuts hexagons with shapely, moves a tile's middle through the room that others leave it, and
takes the arena apart to see whether it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin, sqrt

from msgspec import Struct
from shapely import LineString, Point, Polygon, box, unary_union
from shapely.affinity import rotate, scale, translate
from shapely.ops import polygonize

from tests.games.arenas import Cell, is_sound, neighbours

Shape = frozenset[tuple[Cell, int]]  # pieces, by their numbers in the tile there
_CORNERS = [(cos(radians(60 * k)), sin(radians(60 * k))) for k in range(6)]
# Where lines end, the centre last, in a hexagon as high as 2: no number is rounded, so that lines
# through the centre meet there.
_ENDS = [(1.0, 0.0), (0.5, 1.0), (-0.5, 1.0), (-1.0, 0.0), (-0.5, -1.0), (0.5, -1.0), (0.0, 0.0)]
_NEAR = 1e-6
FAR = (-1000, 0)  # a cell outside


class Cut(Struct, frozen=True):
    """A face in one turn, cut along its lines. sides: the hexagon's, of each piece, as seen."""

    sides: tuple[frozenset[int], ...]
    colours: tuple[str, ...]
    touching: frozenset[frozenset[int]]
    look: frozenset[tuple[str, frozenset[tuple[float, float]]]]


@cache
def cut(lines: str, letters: str, turn: int) -> Cut:
    """The pieces of a face turned clockwise by `turn` degrees. Side k leads from corner k to the
    next, counterclockwise from the right; letters are its colours before the turn."""
    ends = [[_ENDS[int(n)] for n in word.split("-")] for word in lines.split()]
    cuts = unary_union([Polygon(_ENDS[:6]).exterior, *(LineString(line) for line in ends)])
    whole = [scale(area, 1, sqrt(3) / 2, origin=(0, 0)) for area in polygonize(cuts)]
    turned = [rotate(area, -turn, origin=(0, 0)) for area in whole]
    colours = [{letters[side] for side in _sides(area)} for area in whole]
    assert all(len(found) == 1 for found in colours)
    return Cut(
        tuple(map(_sides, turned)),
        tuple(min(found) for found in colours),
        frozenset(
            frozenset((a, b))
            for a, one in enumerate(whole)
            for b, other in enumerate(whole)
            if a < b and one.intersection(other).length > _NEAR  # not in a point
        ),
        frozenset(
            (min(colour), frozenset((round(x, 4) + 0.0, round(y, 4) + 0.0) for x, y in one.exterior.coords))
            for colour, one in zip(colours, turned, strict=True)
        ),
    )


def _ring(piece: Polygon) -> list[tuple[float, float]]:
    return [(x, y) for x, y in piece.exterior.coords]


def _sides(piece: Polygon) -> frozenset[int]:
    """Those of the hexagon that are the piece's: no line ends within a side."""
    ends = zip(_CORNERS, _CORNERS[1:] + _CORNERS[:1], strict=True)
    middles = [Point((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in ends]
    return frozenset(k for k, point in enumerate(middles) if piece.distance(point) < _NEAR)


def middle(cell: Cell) -> tuple[float, float]:
    return 1.5 * cell[0], -sqrt(3) / 2 * cell[1]


@cache
def room(tiles: frozenset[Cell]) -> list[Polygon]:
    """Where the middle of another tile can be: rooms between which it cannot slide. A tile beside
    others touches them, so each of them is a bit smaller here."""
    taken = [translate(_TWICE, *middle(cell)) for cell in tiles]
    free = box(-300, -300, 300, 300).difference(unary_union(taken))
    rooms = [free] if isinstance(free, Polygon) else list(free.geoms)
    return [area for area in rooms if area.area > 0.1]  # else it cannot leave its place


_TWICE = Polygon([(1.999 * x, 1.999 * y) for x, y in _CORNERS])


def slides(tiles: frozenset[Cell], start: Cell, end: Cell) -> bool:
    return any(_is_in(start, area) and _is_in(end, area) for area in room(tiles))


def _is_in(cell: Cell, polygon: Polygon) -> bool:
    return bool(polygon.covers(Point(299, 299) if cell == FAR else Point(middle(cell))))


class OnTable(Struct, frozen=True):
    """A tile on the table."""

    name: str
    side: str
    turn: int


@dataclass
class Referee:
    """A game, move by move. Rows by the names of tiles; the start tile lies in the middle."""

    rows: Mapping[str, Mapping[str, object]]
    goal: str
    start: str

    def __post_init__(self) -> None:
        self.table = {(0, 0): OnTable(self.start, "", 0)}
        self.last = ""
        self.closed: dict[Shape, int] = {}  # their values
        self.points = {"B": 0, "W": 0}
        self.mover = "B"
        self.is_won = False

    def cut(self, on_table: OnTable) -> Cut:
        row = self.rows[on_table.name]
        prefix = "back_" if on_table.side else ""
        return cut(str(row[f"{prefix}segments"]), str(row[f"{prefix}sides"]), on_table.turn)

    def legal(self) -> set[str]:
        """The names of the moves of tiles."""
        found: set[str] = set()
        lying = {tile.name: cell for cell, tile in self.table.items()}
        pinned = {cell for shape in self.closed for cell, _ in shape}
        pool = [name for name in self.rows if name not in lying]
        for cell in self._cells(self.table, FAR):
            for name in pool:
                found |= {f"lay {text}" for text in self._turns(name, cell, self.table, "")}
        for name, at in lying.items():
            rest = {cell: tile for cell, tile in self.table.items() if cell != at}
            if name == self.last or at in pinned or not rest or not is_sound(rest.keys()):
                continue
            now = self._text(self.table[at], at)
            for cell in self._cells(rest, at):
                found |= {f"move {text}" for text in self._turns(name, cell, rest, now)}
        return found

    def _cells(self, tiles: Mapping[Cell, OnTable], start: Cell) -> Iterator[Cell]:
        taken = frozenset(tiles)
        for cell in {beyond for tile in tiles for beyond in neighbours(tile)} - taken:
            if slides(taken, start, cell) and is_sound(taken | {cell}):
                yield cell

    def _turns(self, name: str, cell: Cell, tiles: Mapping[Cell, OnTable], now: str) -> Iterator[str]:
        for side in ("", " back"):
            looks = set()
            for turn in (0, 300, 240, 180, 120, 60):
                on_table = OnTable(name, side, turn)
                face = self.cut(on_table)
                if face.look in looks:
                    continue
                looks.add(face.look)
                if self._matches(face, cell, tiles) and self._text(on_table, cell) != now:
                    yield self._text(on_table, cell)

    def _matches(self, face: Cut, cell: Cell, tiles: Mapping[Cell, OnTable]) -> bool:
        for k, beyond in enumerate(neighbours(cell)):
            if beyond in tiles:
                other = self.cut(tiles[beyond])
                if face.colours[_at(face, k)] != other.colours[_at(other, (k + 3) % 6)]:
                    return False
        return True

    def _text(self, on_table: OnTable, cell: Cell) -> str:
        turn = f" turn {on_table.turn}" if on_table.turn else ""
        return f"{on_table.name}{on_table.side} at {cell[0]},{cell[1]}{turn}"

    def play(self, text: str) -> None:
        """A legal move of a tile, or pass."""
        if text == "pass":
            self.last = ""
        else:
            self._lay(text.split())
        self.mover = "BW"[self.mover == "B"]

    def _lay(self, words: Sequence[str]) -> None:
        self.last = name = words[1]
        turn = int(words[-1]) if words[-2] == "turn" else 0
        self.table = {cell: tile for cell, tile in self.table.items() if tile.name != name}
        column, row = words[words.index("at") + 1].split(",")
        side = " back" if "back" in words else ""
        self.table[int(column), int(row)] = OnTable(name, side, turn)
        before, now = self.closed, self.find_closed()
        assert before.items() <= now.items()
        self.closed = now
        self._score(before, {shape for shape in now if shape not in before})

    def find_closed(self) -> dict[Shape, int]:
        """By joining pieces, two by two, until nothing changes."""
        cuts = {cell: self.cut(tile) for cell, tile in self.table.items()}
        group = {(cell, n): {(cell, n)} for cell, face in cuts.items() for n in range(len(face.sides))}
        is_open = set()
        for cell, face in cuts.items():
            for k, beyond in enumerate(neighbours(cell)):
                one = cell, _at(face, k)
                if beyond not in cuts:
                    is_open.add(one)
                    continue
                other = beyond, _at(cuts[beyond], (k + 3) % 6)
                both = group[one] | group[other]
                group |= dict.fromkeys(both, both)
        shapes = {frozenset(areas) for areas in group.values() if not areas & is_open}
        return {shape: sum(not self.table[cell].side for cell, _ in shape) for shape in shapes}

    def colour(self, shape: Shape) -> str:
        (colour,) = {self.cut(self.table[cell]).colours[n] for cell, n in shape}
        return colour

    def are_neighbours(self, one: Shape, other: Shape) -> bool:
        return any(
            frozenset((a, b)) in self.cut(self.table[cell]).touching for cell, a in one for at, b in other if at == cell
        )

    def _score(self, before: Mapping[Shape, int], new: set[Shape]) -> None:
        for shape in new:
            value, owner = self.closed[shape], self.colour(shape)
            if value < 4:
                continue
            starts = any(self.table[cell].name == self.start for cell, _ in shape)
            if self.goal in ("first-closed", "max-closed"):
                self._add(owner, value)
            elif self.goal == "domination":
                beside = {s: v for s, v in self.closed.items() if self.are_neighbours(shape, s)}
                if max(beside.values(), default=0) <= value:
                    self._add(owner, value)
                if owner == self.mover:
                    self._add(owner, sum(v for s, v in beside.items() if v < value and s in before))
            elif starts:
                self._add(owner, value)

    def _add(self, owner: str, value: int) -> None:
        is_first = self.goal.startswith("first")
        if is_first or self.goal == "max-capture":
            self.points[owner] = max(self.points[owner], value)
        else:
            self.points[owner] += value
        self.is_won |= is_first


def _at(face: Cut, side: int) -> int:
    (piece,) = (n for n, own in enumerate(face.sides) if side in own)
    return piece
