"""Take the cells of a tile and the walls between them, make its areas and the lines to draw."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import pairwise
from math import atan2, hypot, pi

from generator.basics.geometry import HAIR, Point
from generator.basics.outlines import Outline, edges

Wall = frozenset[Point]  # two corners of cells, in either order
Chain = tuple[Point, ...]  # a line through its points; closed if it ends at its start


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


def areas(
    count: int, shared: Iterable[tuple[Wall, int, int]], between: Set[Wall]
) -> list[list[int]]:
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
    return tuple(
        p for i, p in enumerate(loop) if abs(_bend(loop[i - 1], p, loop[(i + 1) % count])) > HAIR
    )


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


chains_once = lru_cache(maxsize=256)(chains)  # a front and its back often have the same


def _follow(
    start: Point, wall: Wall, joined: dict[tuple[Point, Wall], Wall], rest: set[Wall]
) -> list[Point]:
    chain, here = [start], start
    next_wall: Wall | None = wall
    while next_wall is not None and next_wall in rest:
        rest.remove(next_wall)
        (here,) = next_wall - {here}
        chain.append(here)
        next_wall = joined.get((here, next_wall))
    return chain


def _without_midway(chain: Sequence[Point]) -> Chain:
    inner = (
        q
        for p, q, r in zip(chain, chain[1:], chain[2:], strict=False)
        if abs(_bend(p, q, r)) > HAIR
    )
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
