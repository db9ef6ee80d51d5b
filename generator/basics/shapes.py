"""Outlines of pieces in millimetres: made from measures, grown, cut and joined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from math import acos, cos, degrees, dist, hypot, pi, sin, sqrt
from typing import Literal, NamedTuple, Self

from msgspec import Struct

from generator.basics.geometry import Affine, Point, Rect, Size, mirror_x, scaling, steady, translation

Outline = tuple[Point, ...]
Crease = tuple[Point, Point]  # a line to fold on
Kind = Literal["rectangle", "hexagon", "trihex", "circle", "polygon", "outline", "net"]
Top = Literal["corner", "edge"]

CIRCLE_CORNERS = 120  # such a polygon is less than 0.01 mm off a circle of 50 mm
_ARC_CORNERS = 9  # per rounded corner: less than 0.02 mm off an arc of 10 mm
_HAIR = 1e-9
_NOTHING = 1e-3  # mm²
_PLACES = 7
_UNIT = 10.0**_PLACES  # per mm: pyclipper counts in whole numbers
_OFF_CIRCLE = 1e-4  # mm
_SHARPEST = 12.0  # the reach of a corner, in steps of growth: no corner is sharper than 20 degrees


class Ray(NamedTuple):
    """A point, and a direction from it: a step of 1 mm."""

    x: float
    y: float
    dx: float
    dy: float

    @classmethod
    def through(cls, start: Point, end: Point) -> Self:
        """The ray from a point to another, and on."""
        length = dist(start, end)
        return cls(*start, (end.x - start.x) / length, (end.y - start.y) / length)

    @classmethod
    def past(cls, before: Point, start: Point) -> Self:
        """The ray that goes on from a point, away from the one before."""
        return cls.through(before, start)._replace(x=start.x, y=start.y)

    @property
    def frame(self) -> Affine:
        """Lay the x axis on it."""
        return Affine(self.dx, self.dy, -self.dy, self.dx, self.x, self.y)

    def at(self, along: float) -> Point:
        """The point so many mm from its start."""
        return Point(self.x + along * self.dx, self.y + along * self.dy)

    def place(self, point: Point) -> tuple[float, float]:
        """How far along the ray a point is, and how far beside it (mm)."""
        across, down = point.x - self.x, point.y - self.y
        return across * self.dx + down * self.dy, down * self.dx - across * self.dy


class Shape(Struct, frozen=True, dict=True):
    """The form of a cut piece: its kind, its outline, with the box at (0, 0), and the outlines of
    the holes that are cut out of it, clockwise too."""

    kind: Kind
    outline: Outline
    holes: tuple[Outline, ...] = ()

    @cached_property
    def size(self) -> Size:
        """The size of the box around the piece."""
        box = box_of(self.outline)
        return Size(box.x1, box.y1)

    @cached_property
    def area(self) -> float:
        """The area in mm² within the outline."""
        return area(self.outline)

    @cached_property
    def is_box(self) -> bool:
        """Whether it is an upright rectangle, as a net may be too."""
        return len(self.outline) == 4 and abs(self.area - self.size.width * self.size.height) < _NOTHING

    def placed(self, place: Affine, *, by: float = 0.0) -> Outline:
        """The outline, grown by `by` mm and mapped from the piece's box by `place`."""
        return carried(self._grow(by), place)

    def box(self, place: Affine, *, by: float = 0.0) -> Rect:
        """The box around the placed outline, for a place that turns by quarters."""
        return place.apply_rect(_box_once(self._grow(by)))

    def _grow(self, by: float) -> Outline:
        if not by:
            return self.outline
        has_notches = self.kind in ("polygon", "outline", "net")
        return (_offset if has_notches else _grown_once)(self.outline, by)

    @property
    def creases(self) -> tuple[Crease, ...]:
        """The lines to fold the cut piece on, in its box; only a net has them."""
        return ()

    def mirrored(self) -> Shape:
        """The piece as seen from behind."""
        return self._carried(mirror_x(self.size.width))

    def scaled(self, by: float) -> Shape:
        """The piece, `by` times as large."""
        return self._carried(scaling(by))

    def _carried(self, by: Affine) -> Shape:
        holes = tuple(carried(hole, by) for hole in self.holes)
        return Shape(self.kind, carried(self.outline, by), holes)


class DrawnShape(Shape, frozen=True, kw_only=True):
    """An outline that is drawn; its kind is "outline" if it has curves. `page`: the page of its
    drawing, in the piece's box; a face drawn on such a page lies as the outline does."""

    page: Rect

    def _carried(self, by: Affine) -> DrawnShape:
        moved, page = super()._carried(by), by.apply_rect(self.page)
        return DrawnShape(moved.kind, moved.outline, moved.holes, page=page)


def drawn(kind: Kind, outline: Outline, page: Size, holes: Sequence[Outline] = ()) -> DrawnShape:
    """A piece of an outline on a page, and its holes, in either direction."""
    x, y, _, _ = box_of(outline)
    rim, *within = (
        carried(ring if area(ring) > 0 else tuple(reversed(ring)), translation(-x, -y)) for ring in (outline, *holes)
    )
    return DrawnShape(kind, rim, tuple(within), page=Rect(0.0, 0.0, *page).moved(-x, -y))


def rectangle(size: Size) -> Shape:
    """A rectangle of a size in mm."""
    return Shape("rectangle", Rect(0.0, 0.0, *size).corners())


def hexagon(across: float, top: Top) -> Shape:
    """A regular hexagon, `across` mm from side to side, with a corner or an edge at its top."""
    return Shape("hexagon", _at_origin(_hexagon(Point(0.0, 0.0), across, top)))


def trihex(across: float) -> Shape:
    """Three hexagons around a point, one above two, each `across` mm from side to side."""
    radius, half = across / sqrt(3), across / 2
    upper, right, left = (
        _hexagon(Point(x, y), across, "corner") for x, y in ((0.0, -radius), (half, radius / 2), (-half, radius / 2))
    )
    return Shape("trihex", _at_origin((*upper[4:], *upper[:2], *right[:5], *left[3:])))


def circle(diameter: float) -> Shape:
    """A circle of a diameter in mm, as a polygon of CIRCLE_CORNERS corners."""
    radius = diameter / 2
    angles = (2 * pi * i / CIRCLE_CORNERS for i in range(CIRCLE_CORNERS))
    return Shape("circle", tuple(Point(radius + radius * cos(a), radius + radius * sin(a)) for a in angles))


def polygon(corners: Iterable[Point]) -> Shape:
    """A piece of any outline without crossings, in either direction."""
    outline = tuple(corners)
    if area(outline) < 0:
        outline = tuple(reversed(outline))
    return Shape("polygon", _at_origin(outline))


def circle_of(outline: Outline) -> tuple[Point, float] | None:
    """The middle and the radius (mm) of the circle that an outline stands for; None if it has few
    corners, or they are not on a circle."""
    middle = box_of(outline).centre
    radii = [hypot(x - middle.x, y - middle.y) for x, y in outline]
    is_round = len(outline) >= CIRCLE_CORNERS and max(radii) - min(radii) < _OFF_CIRCLE
    return (middle, sum(radii) / len(radii)) if is_round else None


def _hexagon(centre: Point, across: float, top: Top) -> Outline:
    """The corners clockwise from the topmost one (of two, the left)."""
    radius = across / sqrt(3)
    first = -90 if top == "corner" else -120
    angles = ((first + 60 * i) * pi / 180 for i in range(6))
    return tuple(Point(centre.x + radius * cos(a), centre.y + radius * sin(a)) for a in angles)


def _at_origin(outline: Outline) -> Outline:
    box = box_of(outline)
    return carried(outline, translation(-box.x0, -box.y0))


def bezier(ends: Sequence[Point], steps: int) -> Iterator[Point]:
    """So many points along a Bézier curve, the last at its end (de Casteljau). `ends`: start, controls, end."""
    for step in range(1, steps + 1):
        t, row = step / steps, ends
        while len(row) > 1:
            row = [Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t) for a, b in pairwise(row)]
        yield row[0]


def box_of(points: Iterable[Point]) -> Rect:
    """The smallest upright rectangle around points."""
    xs, ys = zip(*points, strict=True)
    return Rect(min(xs), min(ys), max(xs), max(ys))


def carried(outline: Outline, by: Affine) -> Outline:
    """The outline mapped by `by`; it stays clockwise if that is a mirror."""
    a, b, c, d, e, f = by
    corners = [Point(a * x + c * y + e, b * x + d * y + f) for x, y in outline]
    return tuple(corners) if a * d > b * c else tuple(reversed(corners))


def edges(outline: Outline) -> Iterator[tuple[Point, Point]]:
    """Each edge from corner to corner, clockwise; the last ends at the start of the first."""
    yield from pairwise((*outline, outline[0]))


def area(outline: Outline) -> float:
    """The area in mm²; negative if the corners are counterclockwise."""
    return sum(p.x * q.y - q.x * p.y for p, q in edges(outline)) / 2


def grown(outline: Outline, by: float | Sequence[float]) -> Outline:
    """Move every edge outward, by the same mm or by one number for each edge; corners stay sharp.

    The result is right as long as no edge shrinks to nothing. Edges without a length are left out.
    """
    sides = list(edges(outline))
    steps = [by] * len(sides) if isinstance(by, float) else by
    stepped = zip(sides, steps, strict=True)
    moved = [_move_side(side, step) for side, step in stepped if side[0] != side[1]]
    return tuple(_intersection(moved[i - 1], moved[i]) for i in range(len(moved)))


def _move_side(side: tuple[Point, Point], by: float) -> tuple[Point, Point]:
    (x0, y0), (x1, y1) = side
    length = hypot(x1 - x0, y1 - y0)
    dx, dy = (y1 - y0) / length * by, (x0 - x1) / length * by
    return Point(x0 + dx, y0 + dy), Point(x1 + dx, y1 + dy)


def _intersection(one: tuple[Point, Point], other: tuple[Point, Point]) -> Point:
    """The intersection of the lines of two edges; if they are in line, the point between them."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    cross = ux * vy - uy * vx
    if abs(cross) <= _HAIR * hypot(ux, uy) * hypot(vx, vy):
        return Point((bx + cx) / 2, (by + cy) / 2)
    t = ((cx - ax) * vy - (cy - ay) * vx) / cross
    return Point(ax + t * ux, ay + t * uy)


_grown_once = cache(grown)


_box_once = cache(box_of)


@cache
def _offset(outline: Outline, by: float) -> Outline:
    """Like `grown`, for outlines with notches that close when they grow."""
    import pyclipper  # loaded only for polygons and nets

    offset = pyclipper.PyclipperOffset(_SHARPEST)
    offset.AddPath(path_of(outline), pyclipper.JT_MITER, pyclipper.ET_CLOSEDPOLYGON)
    return max(map(outline_of, offset.Execute(by * _UNIT)), key=area)


def simplified(outline: Outline, within: float) -> Outline:
    """An outline without the corners that are at most `within` mm off the lines between the others
    (Douglas and Peucker, 1973). It keeps its first corner and the one farthest from that."""
    x, y = outline[0]
    far = max(range(len(outline)), key=lambda i: hypot(outline[i].x - x, outline[i].y - y))
    ring = (*outline, outline[0])
    kept, waiting = {0, far}, [(0, far), (far, len(outline))]
    while waiting:
        first, last = waiting.pop()
        line = ring[first], ring[last]
        offs = [(_off_line(ring[i], *line), i) for i in range(first + 1, last)]
        off, middle = max(offs, default=(0.0, 0))
        if off > within:
            kept.add(middle)
            waiting += [(first, middle), (middle, last)]
    return tuple(outline[i] for i in sorted(kept))


def _off_line(point: Point, start: Point, end: Point) -> float:
    """The mm from a point to a line from a start to an end."""
    x, y = point.x - start.x, point.y - start.y
    dx, dy = end.x - start.x, end.y - start.y
    square = dx * dx + dy * dy
    along = min(max((x * dx + y * dy) / square, 0.0), 1.0) if square else 0.0
    return hypot(x - along * dx, y - along * dy)


@lru_cache(1 << 8)
def cover(outline: Outline, by: float) -> Outline:
    """An outline of fewer corners around another: at least as far out, and at most 2 `by` mm."""
    return simplified(_offset(outline, by), by)


def path_of(outline: Iterable[tuple[float, float]]) -> list[tuple[int, int]]:
    """An outline as a path for pyclipper, in whole numbers."""
    return [(round(steady(x, _PLACES) * _UNIT), round(steady(y, _PLACES) * _UNIT)) for x, y in outline]


def outline_of(path: Iterable[tuple[int, int]]) -> Outline:
    """The outline of a path from pyclipper, in mm."""
    return tuple(Point(x / _UNIT, y / _UNIT) for x, y in path)


def angles(outline: Outline) -> Iterator[tuple[Point, float, bool]]:
    """Each corner, the angle between its edges in degrees up to 180, and whether it points outward."""
    way = 1 if area(outline) > 0 else -1
    for i, (x, y) in enumerate(outline):
        (px, py), (qx, qy) = outline[i - 1], outline[(i + 1) % len(outline)]
        ax, ay, bx, by = px - x, py - y, qx - x, qy - y
        cosine = (ax * bx + ay * by) / (hypot(ax, ay) * hypot(bx, by))
        angle = degrees(acos(max(-1.0, min(1.0, cosine))))
        yield outline[i], angle, (bx * ay - by * ax) * way > 0


def holds(outline: Outline, box: Rect) -> bool:
    """Whether a box is within an outline; if that has notches, the answer may be a wrong no."""
    for p, q in edges(outline):
        along, down = q.x - p.x, q.y - p.y
        x = box.x1 if down > 0 else box.x0  # of the corner that is farthest out
        y = box.y0 if along > 0 else box.y1
        if along * (y - p.y) - down * (x - p.x) < -_HAIR:
            return False
    return True


@lru_cache(1 << 12)
def common(outline: Outline, other: Outline) -> tuple[Outline, ...]:
    """The parts that two outlines have in common; a mere touch does not count."""
    if min(abs(area(outline)), abs(area(other))) < _NOTHING:
        return ()  # pyclipper rejects such a path
    parts = _clip("CT_INTERSECTION", outline, [other])
    if any(area(part) < 0 for part in parts):
        parts = _join_holes(parts)
    return tuple(part for part in parts if abs(area(part)) > _NOTHING)


@cache
def without(outline: Outline, others: tuple[Outline, ...]) -> Outline:
    """The largest part of an outline that is in none of the others."""
    return max(_clip("CT_DIFFERENCE", outline, others), key=area)


def _clip(kind: str, outline: Outline, others: Iterable[Outline]) -> list[Outline]:
    """The outlines that pyclipper makes of an outline and others; holes run the other way around."""
    import pyclipper

    clipper = pyclipper.Pyclipper()
    clipper.AddPath(path_of(outline), pyclipper.PT_SUBJECT, True)
    for other in others:
        clipper.AddPath(path_of(other), pyclipper.PT_CLIP, True)
    fill = pyclipper.PFT_NONZERO
    return [*map(outline_of, clipper.Execute(getattr(pyclipper, kind), fill, fill))]


def stretches(ray: Ray, outline: Outline) -> Iterable[tuple[float, float]]:
    """The stretches within an outline, in order, of the line of a ray: how many mm from its start
    each begins and ends."""
    from_x, from_y, dx, dy = ray
    crossings = []
    x, y = outline[-1][0] - from_x, outline[-1][1] - from_y
    is_left = (beside := y * dx - x * dy) > 0
    for corner_x, corner_y in outline:
        next_x, next_y = corner_x - from_x, corner_y - from_y
        is_next_left = (next_beside := next_y * dx - next_x * dy) > 0
        if is_left is not is_next_left:
            along, next_along = x * dx + y * dy, next_x * dx + next_y * dy
            part = beside / (beside - next_beside)
            crossings.append(along + part * (next_along - along))
        x, y, beside, is_left = next_x, next_y, next_beside, is_next_left
    crossings.sort()
    return zip(crossings[::2], crossings[1::2], strict=True)


def hull(points: Iterable[tuple[float, float]]) -> Outline:
    """The smallest convex outline around points."""
    ordered = sorted(set(points))

    def half(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for p in points:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0.0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return tuple(Point(*p) for p in (*half(ordered), *half(reversed(ordered))))


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@cache
def pierced(outline: Outline, holes: tuple[Outline, ...]) -> Outline:
    """The largest part of an outline that is in none of the holes, as one outline: a cut of no
    width leads to each hole within it, and back."""
    if not holes:
        return outline
    return max(_join_holes(_clip("CT_DIFFERENCE", outline, holes)), key=area)


def _join_holes(rings: Sequence[Outline]) -> list[Outline]:
    """Outlines, each with the holes within it; those run the other way around."""
    joined = []
    for ring in (ring for ring in rings if area(ring) > 0):
        holes = [hole for hole in rings if area(hole) < 0 and holds_point(ring, hole[0])]
        whole = ring
        for hole in sorted(holes, key=box_of):
            whole = _joined(whole, hole, [whole, *holes])
        joined.append(whole)
    return joined


@cache
def rims(outline: Outline) -> tuple[Outline, ...]:
    """The rim of an outline and those of its holes, which run the other way; see `pierced`."""
    if len({*outline}) == len(outline):
        return (outline,)
    import pyclipper

    rings = pyclipper.SimplifyPolygon(path_of(outline), pyclipper.PFT_NONZERO)
    return tuple(sorted(map(outline_of, rings), key=area, reverse=True))


def _joined(outline: Outline, hole: Outline, rings: Sequence[Outline]) -> Outline:
    """An outline with a way to a hole and back, as short as it can be from corner to corner
    without crossing any of the rings."""
    pairs = sorted(
        (steady(hypot(p.x - q.x, p.y - q.y), 3), i, j) for i, p in enumerate(outline) for j, q in enumerate(hole)
    )
    sides = [side for ring in rings for side in edges(ring)]
    i, j = next(((i, j) for _, i, j in pairs if not _is_crossed(outline[i], hole[j], sides)), pairs[0][1:])
    return (*outline[: i + 1], *hole[j:], *hole[: j + 1], *outline[i:])


def _is_crossed(p: Point, q: Point, sides: Iterable[tuple[Point, Point]]) -> bool:
    """Whether any of the sides that do not begin or end there meets a line."""
    return any(
        not {p, q} & {a, b} and _turn(p, q, a) * _turn(p, q, b) <= 0.0 and _turn(a, b, p) * _turn(a, b, q) <= 0.0
        for a, b in sides
    )


def holds_point(outline: Outline, point: Point) -> bool:
    """Whether a point is within an outline."""
    along = stretches(Ray(*point, 1.0, 0.0), outline)
    return any(low <= 0.0 <= high for low, high in along)


@cache
def rounded(rectangle: Outline, radius: float) -> Outline:
    """A rectangle with rounded corners; unchanged if the radius is 0."""
    if not radius:
        return rectangle
    box = box_of(rectangle)
    inner = box.grown(-radius).corners()
    turns = (pi + quarter * pi / 2 for quarter in range(4))
    return tuple(
        Point(x + radius * cos(angle), y + radius * sin(angle))
        for (x, y), first in zip(inner, turns, strict=True)
        for angle in (first + pi / 2 * i / (_ARC_CORNERS - 1) for i in range(_ARC_CORNERS))
    )
