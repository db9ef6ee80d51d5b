"""Outlines that fill the plane, each sharing whole edges with its neighbours."""

from functools import lru_cache
from itertools import product
from math import ceil, floor, hypot
from typing import NamedTuple

from msgspec import Struct

from generator.basics.geometry import HAIR, Point, Size, steady
from generator.basics.shapes import Outline, Shape, edges
from generator.basics.shapes import area as area_of

_NEAR, _MOST_STARTS = 4, 48  # steps between two pieces at the edges of a room, starts to try
_SAME = 1e-3  # mm, or mm²: sides of a tile that differ by less are equal


class NestPlace(NamedTuple):
    """The top left of a piece's box in the room, and whether the piece is turned in it."""

    y: float
    x: float
    is_turned: bool


class Tessellation(Struct, frozen=True):
    """How equal pieces fill the plane: the mm from a piece to those beside and below it that lie as it does, and to
    one that is turned by half a turn, if any are. The second step is the longer one downward."""

    steps: tuple[Point, Point]
    turned: Point | None

    @property
    def kinds(self) -> list[tuple[float, float, bool]]:
        """A piece and, if there is one, a turned one: its place, and whether it is turned."""
        return [(0.0, 0.0, False), *([(*self.turned, True)] if self.turned else [])]


@lru_cache(maxsize=64)
def find_tiling(shape: Shape) -> Tessellation | None:
    """The tiling of a triangle, a convex quadrilateral, or a convex hexagon with equal and parallel
    opposite sides; None for other outlines.

    Across an edge lies the piece turned by half a turn about the middle of the edge, so that both
    share the whole edge (a case of Conway's criterion).
    """
    sides, size = list(edges(shape.outline)), shape.size
    if len(sides) not in (3, 4, 6) or not _is_convex(shape.outline):
        return None
    turned = [Point(p.x + q.x - size.width, p.y + q.y - size.height) for p, q in sides]
    half = len(sides) // 2
    is_symmetric = len(sides) != 3 and all(
        hypot(one.x + other.x, one.y + other.y) < _SAME for one, other in zip(turned, turned[half:], strict=False)
    )
    if is_symmetric:
        return Tessellation(_shortest(turned[0], turned[1]), None)
    if len(sides) == 6:
        return None
    first, second, last = turned[0], turned[1], turned[-1]
    beside, below = (Point(other.x - first.x, other.y - first.y) for other in (second, last))
    return Tessellation(_shortest(beside, below), first)


def _shortest(one: Point, other: Point) -> tuple[Point, Point]:
    """The shortest two steps of a lattice (Lagrange's reduction), the one further down last."""
    steps = one, other
    while True:
        short, long = sorted(steps, key=lambda step: steady(hypot(*step), 6))
        share = (short.x * long.x + short.y * long.y) / (short.x**2 + short.y**2)
        times = floor(steady(share, 6) + 0.5)
        if not times:
            flat, steep = sorted((short, long), key=lambda step: steady(abs(step.y), 6))
            return flat, steep
        steps = short, Point(long.x - times * short.x, long.y - times * short.y)


def _is_convex(outline: Outline) -> bool:
    corners = zip(outline, outline[1:] + outline[:1], outline[2:] + outline[:2], strict=True)
    return all(area_of(corner) > _SAME for corner in corners)


@lru_cache(maxsize=256)
def fill_tiled(shape: Shape, room: Size) -> list[NestPlace]:
    """The places of as many pieces of a tiling as a room holds, of the starts that are tried: in
    each a piece touches the left of the room, and one its top."""
    tiling = find_tiling(shape)
    assert tiling
    ends = Size(room.width - shape.size.width + HAIR, room.height - shape.size.height + HAIR)
    near = sorted(
        (hypot(i * ax + j * bx, i * ay + j * by), i * ay + j * by + down)
        for (ax, ay), (bx, by) in [tiling.steps]
        for i, j in product(range(-_NEAR, _NEAR + 1), repeat=2)
        for _, down, _ in tiling.kinds
    )
    corners = (Point(left, top) for _, top in near for left, _, _ in tiling.kinds)
    starts = {_within_cell(corner, tiling): corner for corner in corners}
    found = (_seats_within(tiling, start, ends) for start in [*starts.values()][:_MOST_STARTS])
    return max(found, key=len)


def _seats_within(tiling: Tessellation, start: Point, ends: Size) -> list[NestPlace]:
    """The places of a tiling between a start and the ends of the boxes' top left corners."""
    (ax, ay), (bx, by) = tiling.steps
    most = ceil(hypot(*ends) * hypot(bx, by) / abs(ax * by - ay * bx)) + 2
    seats = []
    for i, (across, down, is_turned) in product(range(-most, most + 1), tiling.kinds):
        x, y = i * ax + across - start.x, i * ay + down - start.y
        rows = sorted((-y / by, (ends.height - y) / by))
        for j in range(ceil(rows[0] - HAIR), floor(rows[1] + HAIR) + 1):
            seat = NestPlace(y + j * by, x + j * bx, is_turned)
            if -HAIR < seat.x < ends.width and -HAIR < seat.y < ends.height:
                seats.append(seat)
    return seats


def _within_cell(start: Point, tiling: Tessellation) -> tuple[float, float]:
    """Where in a cell of the lattice a point is, as steady parts of its sides."""
    (ax, ay), (bx, by) = tiling.steps
    span = ax * by - ay * bx
    parts = (start.x * by - start.y * bx) / span, (start.y * ax - start.x * ay) / span
    one, other = (steady(part, 6) % 1 for part in parts)
    return steady(one, 5), steady(other, 5)
