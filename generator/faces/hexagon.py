"""Take a hexagonal piece, divide it into cells by all its possible lines; cells have walls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from math import atan2, pi, sqrt

from msgspec import Struct

from generator.basics.errors import MisfitError, quote
from generator.basics.geometry import Point
from generator.basics.outlines import Outline, grown
from generator.faces import mosaic
from generator.faces.mosaic import Wall
from generator.model import Component

CORNERS = range(6)  # counterclockwise from the right; side k runs from corner k to the next
_CENTRE = 6
_BEYOND = 1.0  # mm past the bleed, out of sight


class HexagonTile(Struct, frozen=True):
    """The tile on its face; `beyond` are its corners moved out past the bleed."""

    centre: Point
    corners: Outline
    beyond: Outline

    @classmethod
    def of(cls, component: Component) -> HexagonTile:
        """The tile of a component. Raises MisfitError if that is not a hexagon with a corner at the
        right."""
        if component.shape.kind != "hexagon":
            hint = 'set kind = "hexagon" in [component.shape]'
            raise MisfitError("the piece is not a hexagon", hint)
        return _find_tile(component.outline, component.bleed)

    @property
    def radius(self) -> float:
        return self.corners[0].x - self.centre.x

    def inner(self, share: float) -> Outline:
        """The corners of a hexagon with the same middle, `share` times as large."""
        x, y = self.centre
        scaled = (Point(x + (p.x - x) * share, y + (p.y - y) * share) for p in self.corners)
        return tuple(point.steadied() for point in scaled)

    def within(self, margin: float) -> Outline:
        """The tile without its margin."""
        share = 1 - margin / (self.radius * sqrt(3) / 2)
        return self.inner(max(share, 0.0))[::-1]


@cache  # all tiles of a component
def _find_tile(outline: Outline, bleed: float) -> HexagonTile:
    centre = _mean(outline)
    numbers = sorted(CORNERS, key=lambda n: _angle(centre, outline[n]))
    corners = tuple(outline[n].steadied() for n in numbers)
    if abs(corners[0].y - centre.y) > 0.001:
        hint = 'set top = "edge" in [component.shape]'
        raise MisfitError("the hexagon has no corner at its left and right", hint)
    further = grown(outline, bleed + _BEYOND)
    return HexagonTile(centre, corners, tuple(further[n].steadied() for n in numbers))


def _mean(points: Sequence[Point]) -> Point:
    xs, ys = zip(*points, strict=True)
    return Point(sum(xs) / len(xs), sum(ys) / len(ys)).steadied()


def _angle(centre: Point, corner: Point) -> float:
    """Counterclockwise from the right, as seen; slightly below the right counts as the right."""
    return (atan2(centre.y - corner.y, corner.x - centre.x) + 0.01) % (2 * pi)


class Cells:
    """The cells of a tile divided by all possible lines: in each sixth four, and a strip of bleed.

    A line between a corner's two neighbours crosses the next such line in the middle of a sixth,
    and the line from that corner to the centre half way.
    """

    def __init__(self, hexagon: HexagonTile) -> None:
        self._centre, self._corners, self._beyond = hexagon.centre, hexagon.corners, hexagon.beyond
        self._midway = hexagon.inner(1 / 2)
        self._middles = tuple(self._middle_of(sixth) for sixth in CORNERS)
        self._cells = [cell for sixth in CORNERS for cell in self._sixth(sixth)]
        self._shared = mosaic.shared_walls(self._cells)
        # by the walls: a front and its back often have the same
        self._areas: dict[frozenset[Wall], list[tuple[tuple[Outline, ...], list[int]]]] = {}

    def _middle_of(self, sixth: int) -> Point:
        around = (self._centre, self._corners[sixth], self._corners[(sixth + 1) % 6])
        return _mean(around)

    def _sixth(self, k: int) -> Iterator[Outline]:
        """The cells of a sixth. The strip is the first: its number is five times that of side k."""
        after, middle = (k + 1) % 6, self._middles[k]
        p, q = self._corners[k], self._corners[after]
        yield p, self._beyond[k], self._beyond[after], q
        yield p, q, middle
        yield p, middle, self._midway[k]
        yield q, self._midway[after], middle
        yield self._centre, self._midway[k], middle, self._midway[after]

    def walls(self, segments: str) -> frozenset[Wall]:
        """The walls of lines such as "0-3 1-6". Raises MisfitError if one is not a line."""
        return frozenset(chain.from_iterable(map(self._walls_of, segments.split())))

    def _walls_of(self, segment: str) -> Iterator[Wall]:
        ends = [int(end) if end in set("0123456") else -1 for end in segment.split("-")]
        a, b = min(ends), max(ends)
        if len(ends) == 2 and a >= 0 and b == _CENTRE != a:
            yield from self._radius(a)
        elif len(ends) == 2 and a >= 0 and b - a == 3:
            yield from chain(self._radius(a), self._radius(b))
        elif len(ends) == 2 and a >= 0 and b - a in (2, 4):
            yield from self._across(a + 1 if b - a == 2 else (b + 1) % 6)
        else:
            hint = "name two corners that are not neighbours, or a corner and the centre: '0-3 1-6'"
            raise MisfitError(f"{quote(segment)} is not a line of a tile", hint)

    def _radius(self, corner: int) -> Iterator[Wall]:
        return mosaic.walls(self._corners[corner], self._midway[corner], self._centre)

    def _across(self, barred: int) -> Iterator[Wall]:
        before, after = (barred - 1) % 6, (barred + 1) % 6
        yield from mosaic.walls(
            self._corners[before],
            self._middles[before],
            self._midway[barred],
            self._middles[barred],
            self._corners[after],
        )

    def areas(self, walls: frozenset[Wall]) -> list[tuple[tuple[Outline, ...], list[int]]]:
        """The rims of each area between walls, and its sides."""
        if walls not in self._areas:
            self._areas[walls] = list(self._find_areas(walls))
        return self._areas[walls]

    def _find_areas(
        self, walls: frozenset[Wall]
    ) -> Iterator[tuple[tuple[Outline, ...], list[int]]]:
        apart = walls | {frozenset(pair) for pair in zip(self._corners, self._beyond, strict=True)}
        yield from (
            (
                tuple(mosaic.outlines(self._cells[n] for n in numbers)),
                [n // 5 for n in numbers if n % 5 == 0],
            )
            for numbers in mosaic.areas(len(self._cells), self._shared, apart)
        )

    def walls_beyond(self, sides: str) -> frozenset[Wall]:
        """Walls through the bleed, from each corner where two colours meet."""
        return frozenset(
            frozenset((self._corners[k], self._beyond[k]))
            for k in CORNERS
            if sides[k - 1] != sides[k]
        )


divide = cache(Cells)  # all tiles of a component have the same


class HexagonRing:
    """A hexagon in the middle of a tile, `share` times as large, and a part on each of its sides.

    `parts` are those of sides 0 to 5, with their bleed, and then the middle.
    """

    def __init__(self, hexagon: HexagonTile, share: float) -> None:
        self._inner, self._outer = hexagon.inner(share), hexagon
        sides = ((self._inner[k], *self._beyond(k), self._inner[(k + 1) % 6]) for k in CORNERS)
        self.parts = tuple(part[::-1] for part in (*sides, self._inner))

    def _beyond(self, k: int) -> tuple[Point, Point]:
        return self._outer.beyond[k], self._outer.beyond[(k + 1) % 6]

    def walls(self, sides: str, centre: str) -> frozenset[Wall]:
        """The walls between two colours."""
        inner, beyond = self._inner, self._outer.beyond
        around = [(inner[k], inner[(k + 1) % 6]) for k in CORNERS if sides[k] != centre]
        outward = [(inner[k], beyond[k]) for k in CORNERS if sides[k - 1] != sides[k]]
        return frozenset(map(frozenset, around + outward))
