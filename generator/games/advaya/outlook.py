"""How good open shapes look to bots, by a rough guess: the more one is worth, and the fewer cells
are empty beside it, the more it promises.

A bot looks at many places for one tile. The shapes of all the others are found once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generator.games.advaya.arena import BEYOND, Cell
from generator.games.advaya.shapes import Laid, OpenShape, TurnedFace, find_open

Promises = tuple[float, float]  # of each seat
_ELSEWHERE = 0.25  # with 0, bots move the start tile to and fro until the game ends


class ArenaOutlook:
    """What an arena promises, and what it would with one more tile.

    target: the tile of which a shape needs a piece to score, if there is one. Shapes elsewhere may
    still reach it, so they promise less, but not nothing.
    """

    def __init__(self, laid: Laid, target: int | None) -> None:
        self._laid, self._target = laid, target
        self._aims = {cell for cell, face in laid.items() if face.tile == target}
        self._shapes = list(find_open(laid))
        self._of_area = {area: n for n, shape in enumerate(self._shapes) for area in shape.areas}
        self.promises = self._sum(self._shapes, self._aims)

    def with_tile(self, cell: Cell, face: TurnedFace) -> Promises:
        """With this face on an empty cell."""
        beside = [self._beside(cell, sides) for sides in face.sides]
        new = [self._join(cell, face, areas, beside) for areas in _group(beside)]
        aims = self._aims | {cell} if face.tile == self._target else self._aims
        gone = self._sum([self._shapes[n] for n in set().union(*beside)], self._aims)
        more = self._sum(new, aims)
        black, white = (a - b + c for a, b, c in zip(self.promises, gone, more, strict=True))
        return black, white

    def _beside(self, cell: Cell, sides: Iterable[int]) -> set[int]:
        """The shapes that an area with these sides would be part of."""
        around = ((cell + BEYOND[side], side - 3) for side in sides)
        laid, of_area = self._laid, self._of_area
        return {of_area[at, laid[at].areas[side]] for at, side in around if at in laid}

    def _join(
        self, cell: Cell, face: TurnedFace, areas: Sequence[int], beside: Sequence[set[int]]
    ) -> OpenShape:
        """The shape that some areas of a tile and those beside them make; without gaps if it is
        closed."""
        shapes = [self._shapes[n] for n in set().union(*(beside[area] for area in areas))]
        own = {cell + BEYOND[side] for area in areas for side in face.sides[area]}
        gaps = own.difference(self._laid).union(*(shape.gaps for shape in shapes)) - {cell}
        value = sum(shape.value for shape in shapes) + face.is_blue * len(areas)
        cells = frozenset({cell}).union(*(shape.cells for shape in shapes))
        return OpenShape(face.colours[areas[0]], value, frozenset(gaps), cells, frozenset())

    def _sum(self, shapes: Iterable[OpenShape], aims: set[Cell]) -> Promises:
        promises = [0.0, 0.0]
        for shape in shapes:
            if shape.gaps:
                counts = self._target is None or shape.cells & aims
                promise = shape.value / len(shape.gaps)
                promises[shape.colour] += promise if counts else promise * _ELSEWHERE
        return promises[0], promises[1]


def _group(beside: Sequence[set[int]]) -> list[list[int]]:
    """The areas of a tile that come to be one shape, as they lie beside the same one."""
    groups: list[tuple[list[int], set[int]]] = []
    for area, shapes in enumerate(beside):
        met = [group for group in groups if group[1] & shapes]
        groups = [group for group in groups if not group[1] & shapes]
        areas = [area, *(other for group in met for other in group[0])]
        groups.append((areas, shapes.union(*(group[1] for group in met))))
    return [areas for areas, _ in groups]
