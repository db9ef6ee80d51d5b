"""Areas of a tile and the lines to draw, from its cells and the walls between them.

All possible lines of a hexagonal piece divide it into cells; cells have walls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache, lru_cache
from itertools import chain, pairwise
from math import atan2, hypot, pi, sqrt

from msgspec import Struct

from generator.basics.errors import MisfitError, quote
from generator.basics.geometry import HAIR, Point
from generator.basics.shapes import Outline, edges, grown
from generator.model import Component

Wall = frozenset[Point]  # two corners of cells, in either order
Chain = tuple[Point, ...]  # a line through its points; closed if it ends at its start
CORNERS = range(6)  # counterclockwise from the right; side k runs from corner k to the next
_CENTRE = 6
_BEYOND = 1.0  # mm past the bleed, out of sight


def walls(*points: Point) -> Iterator[Wall]:
    """The walls along a line through corners of cells."""
    yield from (frozenset(pair) for pair in pairwise(points))


def walls_of(outline: Outline) -> Iterator[Wall]:
    yield from walls(*outline, outline[0])


def shared_walls(cells: Sequence[Outline]) -> list[tuple[Wall, int, int]]:
    """The walls between cells, with the numbers of both. Neighbours share two corners."""
    sharing: defaultdict[Wall, list[int]] = defaultdict(list)
    for number, cell in enumerate(cells):
        for wall in walls_of(cell):
            sharing[wall].append(number)
    return [(wall, one, other) for wall, (one, *others) in sharing.items() for other in others]


def areas(count: int, shared: Iterable[tuple[Wall, int, int]], between: Set[Wall]) -> list[list[int]]:
    """Group the numbers of cells that no wall separates, of so many cells with shared walls."""
    area_of = list(range(count))
    for wall, one, other in shared:
        low, high = sorted((area_of[one], area_of[other]))
        if low != high and wall not in between:
            area_of = [low if area == high else area for area in area_of]
    return [[n for n, of in enumerate(area_of) if of == area] for area in sorted(set(area_of))]


def outlines(cells: Iterable[Outline]) -> list[Outline]:
    """The rims of cells taken together, without corners on a straight rim."""
    sides = [(p, q) for cell in cells for p, q in edges(cell)]
    inner = {(q, p) for p, q in sides}
    onward: defaultdict[Point, list[Point]] = defaultdict(list)
    for p, q in sides:
        if (p, q) not in inner:
            onward[p].append(q)
    return [_without_straight(_loop(start, onward)) for start in list(onward) if onward[start]]


def _loop(start: Point, onward: dict[Point, list[Point]]) -> list[Point]:
    """Follow a rim from a corner until it comes back, and remove its sides from `onward`."""
    loop = [start]
    while (point := onward[loop[-1]].pop()) != start:
        loop.append(point)
    return loop


def _without_straight(loop: Sequence[Point]) -> Outline:
    count = len(loop)
    return tuple(p for i, p in enumerate(loop) if abs(_bend(loop[i - 1], p, loop[(i + 1) % count])) > HAIR)


def chains(of: Set[Wall]) -> list[Chain]:
    """Join walls into lines, to draw with mitred joins and square ends.

    Lines go straight through a crossing. Where all walls of a point are within less than a half
    turn, the outermost two are one line: only there is a mitre needed, and none sticks out.
    """
    joined = _joins(of)
    rest = set(of)
    paths: list[Chain] = []
    ways = sorted((p, q) for wall in of for p in wall for q in wall - {p})
    # lines with ends first; the rest are closed
    starts = [way for way in ways if (way[0], frozenset(way)) not in joined]
    for start, end in (*starts, *(way for way in ways if way[0] < way[1])):
        wall = frozenset((start, end))
        if wall in rest:
            paths.append(_without_midway(_follow(start, wall, joined, rest)))
    return paths


def _follow(start: Point, wall: Wall, joined: dict[tuple[Point, Wall], Wall], rest: set[Wall]) -> list[Point]:
    chain, here = [start], start
    next_wall: Wall | None = wall
    while next_wall is not None and next_wall in rest:
        rest.remove(next_wall)
        (here,) = next_wall - {here}
        chain.append(here)
        next_wall = joined.get((here, next_wall))
    return chain


def _without_midway(chain: Sequence[Point]) -> Chain:
    inner = (q for p, q, r in zip(chain, chain[1:], chain[2:], strict=False) if abs(_bend(p, q, r)) > HAIR)
    return (chain[0], *inner, chain[-1])


def _joins(of: Set[Wall]) -> dict[tuple[Point, Wall], Wall]:
    """For a point and a wall that ends there, the wall that continues it."""
    meeting: defaultdict[Point, list[tuple[float, Wall]]] = defaultdict(list)
    for wall in of:
        for here in wall:
            (there,) = wall - {here}
            meeting[here].append((atan2(there.y - here.y, there.x - here.x), wall))
    joined: dict[tuple[Point, Wall], Wall] = {}
    for here, spokes in meeting.items():
        for one, other in _pairs(sorted(spokes, key=lambda spoke: spoke[0])):
            joined[here, one], joined[here, other] = other, one
    return joined


def _pairs(spokes: Sequence[tuple[float, Wall]]) -> Iterator[tuple[Wall, Wall]]:
    for i, (angle, wall) in enumerate(spokes):
        after, other = spokes[(i + 1) % len(spokes)]
        if len(spokes) > 1 and (after - angle) % (2 * pi) > pi + HAIR:
            yield wall, other
            return
    for i, (angle, wall) in enumerate(spokes):
        for after, other in spokes[i + 1 :]:
            if abs(after - angle - pi) < HAIR:
                yield wall, other


def _bend(p: Point, q: Point, r: Point) -> float:
    """The sine of the turn from p to r at q; 0 if straight on."""
    ax, ay, bx, by = q.x - p.x, q.y - p.y, r.x - q.x, r.y - q.y
    return (ax * by - ay * bx) / (hypot(ax, ay) * hypot(bx, by))


chains_once = lru_cache(maxsize=256)(chains)  # a front and its back often have the same


class HexagonTile(Struct, frozen=True):
    """The tile on its face; `beyond` are its corners moved out past the bleed."""

    centre: Point
    corners: Outline
    beyond: Outline

    @classmethod
    def of(cls, component: Component) -> HexagonTile:
        """The tile of a component. Raises MisfitError if that is not a hexagon with a corner at the right."""
        if component.shape.kind != "hexagon":
            raise MisfitError("the piece is not a hexagon", 'set kind = "hexagon" in [component.shape]')
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
        raise MisfitError("the hexagon has no corner at its left and right", 'set top = "edge" in [component.shape]')
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
        self._shared = shared_walls(self._cells)

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
        return walls(self._corners[corner], self._midway[corner], self._centre)

    def _across(self, barred: int) -> Iterator[Wall]:
        before, after = (barred - 1) % 6, (barred + 1) % 6
        yield from walls(
            self._corners[before],
            self._middles[before],
            self._midway[barred],
            self._middles[barred],
            self._corners[after],
        )

    def areas(self, walls: frozenset[Wall]) -> Iterator[tuple[tuple[Outline, ...], list[int]]]:
        """The rims of each area between walls, and its sides."""
        apart = walls | {frozenset(pair) for pair in zip(self._corners, self._beyond, strict=True)}
        yield from (
            (tuple(outlines(self._cells[n] for n in numbers)), [n // 5 for n in numbers if n % 5 == 0])
            for numbers in areas(len(self._cells), self._shared, apart)
        )

    def walls_beyond(self, sides: str) -> frozenset[Wall]:
        """Walls through the bleed, from each corner where two colours meet."""
        return frozenset(frozenset((self._corners[k], self._beyond[k])) for k in CORNERS if sides[k - 1] != sides[k])


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
