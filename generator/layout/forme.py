"""A forme: the places of pieces on one sheet, and how far each piece may bleed there.

The area for pieces and the room beside it depend on a paper, its margin and its fold. Pieces that
tile the plane have places where each shares whole edges with its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, product
from math import ceil, floor, hypot, inf, sqrt
from typing import Literal, NamedTuple
from zlib import crc32

from msgspec import Struct

from generator.basics.geometry import (
    HAIR,
    IDENTITY,
    Affine,
    Point,
    Rect,
    Size,
    decimal,
    mirror_x,
    mirror_y,
    steady,
    translation,
)
from generator.basics.recent import remembered
from generator.basics.shapes import Outline, Ray, Shape, box_of, edges, grown, rectangle, without
from generator.basics.shapes import area as area_of
from generator.layout.registration import UNMARKED, Registration
from generator.model import Cut, Side

NO_GAP = Size(0.0, 0.0)
_SAME = 0.001  # mm, or mm²: sides of pieces that differ by less are equal, or shared
_Spot = tuple[int, int]
Edge = Literal["left", "top", "right", "bottom"]
EDGES: tuple[Edge, ...] = ("left", "top", "right", "bottom")
Axis = Literal["down", "across"]

_FOLD_TO_BLEED = 3.0  # mm needed to fold and glue exactly
_FOLD_REACH = 1.0  # mm that marks keep from the fold
_NEAR, _MOST_STARTS = 4, 48  # steps between two pieces at the edges of a room, starts to try


class Blank(Struct, frozen=True):
    """The common properties of a run's pieces: their shape, and the drawn bleed of each side in mm.

    Their faces are drawn at the size of the game; `scale` makes them as large as the shape. At most
    `limit` mm of their bleeds are printed.
    """

    shape: Shape
    bleed: float
    back_bleed: float
    scale: float = 1.0
    limit: float = inf

    @property
    def most_bleed(self) -> float:
        """The largest printed bleed."""
        return min(max(self.bleed, self.back_bleed), self.limit)

    @property
    def overhang(self) -> float:
        """The mm that the bleed reaches beyond the piece's box: at sharp corners more than it is wide."""
        box, out = (self.shape.box(IDENTITY, by=by) for by in (0.0, self.most_bleed))
        return max(abs(one - other) for one, other in zip(box, out, strict=True))

    def scaled(self, by: float) -> Blank:
        if by == 1.0:
            return self
        return Blank(self.shape.scaled(by), self.bleed * by, self.back_bleed * by, by)

    def bleed_of(self, side: Side) -> float:
        """The printed bleed of a side."""
        return min(self.bleed if side == "front" else self.back_bleed, self.limit)


class Seat(Struct, frozen=True):
    """The place of a piece on a sheet: `place` maps its box to the page."""

    blank: Blank
    place: Affine

    def outline(self, by: float = 0.0) -> Outline:
        """The trim of the piece on the page, with every edge `by` mm further out."""
        return self.blank.shape.placed(self.place, by=by)

    def box(self, by: float = 0.0) -> Rect:
        """The box around its outline."""
        return self.blank.shape.box(self.place, by=by)


class BareEdges(NamedTuple):
    """The mm of a page that stay without pieces, at each edge."""

    left: float
    top: float
    right: float
    bottom: float


class Area(Struct, frozen=True):
    """The part of a sheet for the fronts.

    Without a `fold`, the whole sheet except its margin. With one, the half to the left of the fold
    or above it; the other half is for the backs. Pieces need `bleed` mm around them. A `room` is
    for trims instead, because of the `registration` that a cutting machine needs.
    """

    paper: Size
    bare: BareEdges
    bleed: float
    fold: Axis | None = None
    room: Rect | None = None
    registration: Registration = UNMARKED

    @property
    def box(self) -> Rect:
        """The room for trims."""
        if self.room:
            return self.room
        (width, height), bare = self.paper, self.bare
        right = width / 2 - self._to_fold() if self.fold == "down" else width - bare.right
        bottom = height / 2 - self._to_fold() if self.fold == "across" else height - bare.bottom
        return Rect(bare.left, bare.top, right, bottom)

    def _to_fold(self) -> float:
        return self.bleed + _FOLD_TO_BLEED

    def corner(self, block: Size, *, above: float = 0.0, beside: float = 0.0) -> Point:
        """The top left of a block: as near to the middle of the paper as its margins allow, or at the fold.

        `above` and `beside` are the mm of slug above the block and left of it.
        """
        (width, height), box = self.paper, self.box
        x = min((width + beside - block.width) / 2, box.x1 - block.width)
        y = min((height + above - block.height) / 2, box.y1 - block.height)
        if self.fold == "down":
            x = box.x1 - block.width
        elif self.fold == "across":
            y = box.y1 - block.height
        return Point(x, y)

    def spaces(self, block: Rect) -> dict[Edge, Space]:
        """The room beside each edge of a block."""
        paper, bare = self.paper, self.bare
        right, bottom = paper.width - block.x1, paper.height - block.y1
        to_fold = Space(self._to_fold(), _FOLD_REACH, is_fold=True)
        return {
            "left": Space(block.x0, bare.left),
            "top": Space(block.y0, bare.top),
            "right": to_fold if self.fold == "down" else Space(right, bare.right),
            "bottom": to_fold if self.fold == "across" else Space(bottom, bare.bottom),
        }

    def printable(self, block: Rect) -> Rect:
        """The part of the fronts' side that the printer reaches."""
        left, top, right, bottom = (space.width - space.margin for space in self.spaces(block).values())
        return Rect(block.x0 - left, block.y0 - top, block.x1 + right, block.y1 + bottom)

    def fold_turn(self) -> Affine:
        """Map a point of a front to the point of the same page that folding puts behind it."""
        is_down = self.fold == "down"
        return mirror_x(self.paper.width) if is_down else mirror_y(self.paper.height)


class Forme(Struct, frozen=True, dict=True):
    """The seats of a sheet, in reading order.

    `cuts`: neighbours touch ("shared"), or their bleeds stay apart ("double"), or they are hexagons that touch at their
    corners ("straight"): every cut crosses the whole sheet, and the triangles between the hexagons hold their bleeds.
    Or they lie `gap` mm apart, across and down ("gap"), and the bleeds of both end in the middle of it. Or each lies in
    a rectangle that holds its bleed, and these touch ("squares"). Or they lie `gap` mm apart where a `template` has
    them, and bleed outward as far as the marks of the fronts let them.
    """

    area: Area
    seats: tuple[Seat, ...]
    cuts: Cut
    gap: Size = NO_GAP
    template: str = ""

    @cached_property
    def trims(self) -> tuple[Outline, ...]:
        return tuple(seat.outline() for seat in self.seats)

    @cached_property
    def layout(self) -> str:
        """The name of the template, or one that differs where pieces lie elsewhere."""
        if self.template:
            return self.template
        corners = (self.area.paper, *chain(*self.trims))
        text = " ".join(decimal(mm, 2) for corner in corners for mm in corner)
        return f"{crc32(text.encode()) & 0xFFFF:04x}"

    @property
    def is_grid(self) -> bool:
        """Whether straight cuts across the whole sheet separate all pieces."""
        if self.cuts in ("straight", "squares"):
            return True
        boxes = [seat.box() for seat in self.seats]
        sizes = {(steady(box.width, 2), steady(box.height, 2)) for box in boxes}
        return len(sizes) == 1 and {seat.blank.shape.kind for seat in self.seats} == {"rectangle"}

    @cached_property
    def freed(self) -> Forme:
        """The forme of what straight cuts free: the squares around pieces, or the pieces."""
        if self.cuts != "squares":
            return self
        boxes = (seat.box().grown(seat.blank.most_bleed) for seat in self.seats)
        seats = (
            Seat(Blank(rectangle(Size(x1 - x0, y1 - y0)), 0.0, 0.0), translation(x0, y0)) for x0, y0, x1, y1 in boxes
        )
        return Forme(self.area, tuple(seats), "shared")

    @cached_property
    def block(self) -> Rect:
        """The box around all that straight cuts free: trims, or squares."""
        return Rect.around(*(seat.box() for seat in self.freed.seats))

    @cached_property
    def reach(self) -> Rect:
        """The box around all bleeds."""
        return Rect.around(*(seat.box(seat.blank.most_bleed) for seat in self.freed.seats))

    def clips(self, side: Side, filled: int | None = None) -> list[Outline]:
        """The area that each piece may ink when the first `filled` seats are taken (None: all).

        It is the trim and the bleed, without bleed towards a neighbour that the piece touches, and with half the gap
        towards one across a gap. Clips of a back are as seen from the front too.
        """
        return self._clip(side, len(self.seats) if filled is None else filled)

    @remembered
    def _clip(self, side: Side, filled: int) -> list[Outline]:
        seats = self.seats[:filled]
        if self.cuts == "straight":
            return [_between_straight_cuts(seat.outline(), seat.blank.bleed_of(side)) for seat in seats]
        if self.cuts == "squares":
            return [seat.box().grown(seat.blank.bleed_of(side)).corners() for seat in seats]
        if self.cuts == "double":
            return [seat.outline(seat.blank.bleed_of(side)) for seat in seats]
        clips = [
            grown(
                seat.outline(),
                [
                    seat.blank.bleed_of(side)
                    if other is None or other >= filled
                    else min(seat.blank.bleed_of(side), half)
                    for other, half in zip(near, self._halves(seat.outline()), strict=True)
                ],
            )
            for seat, near in zip(seats, self._touching, strict=False)
        ]
        if self.cuts == "template":
            bare = [corner.corners() for corner in self.area.registration.bare if side == "front"]
            return [without(clip, tuple(bare)) if bare else clip for clip in clips]
        return [
            self._clear(clip, index, filled) if seat.blank.shape.kind == "polygon" else clip
            for index, (seat, clip) in enumerate(zip(seats, clips, strict=True))
        ]

    def _clear(self, clip: Outline, index: int, filled: int) -> Outline:
        """A clip without the trims of others: bleed past a sharp corner enters those beyond it."""
        if all(other is not None and other < filled for other in self._touching[index]):
            return clip
        box = box_of(clip)
        near = (other for other in range(filled) if box.overlaps(self._boxes[other]))
        trims = tuple(self.trims[other] for other in near if other != index)
        return without(clip, trims) if trims else clip

    @cached_property
    def _boxes(self) -> Sequence[Rect]:
        return [box_of(trim) for trim in self.trims]

    @cached_property
    def _touching(self) -> Sequence[Sequence[int | None]]:
        """For every edge of every seat, the seat that shares the edge, or lies across the gap."""
        seats: dict[_Spot, list[int]] = {}
        cells = [grown(trim, self._halves(trim)) if any(self.gap) else trim for trim in self.trims]
        for index, trim in enumerate(cells):
            for spot in (spot for edge in edges(trim) for spot in _spots(*edge)):
                seats.setdefault(spot, []).append(index)
        return [
            [next((i for spot in _spots(*edge) for i in seats[spot] if i != index), None) for edge in edges(trim)]
            for index, trim in enumerate(cells)
        ]

    def _halves(self, trim: Outline) -> list[float]:
        """Half the gap beyond each edge of a piece; only a rectangle has another across than down."""
        across, down = self.gap
        if across == down:
            return [across / 2] * len(trim)
        return [(across if abs(q.y - p.y) > abs(q.x - p.x) else down) / 2 for p, q in edges(trim)]


def _spots(p: Point, q: Point) -> Iterator[_Spot]:
    """The points of a grid nearest to the middle of an edge.

    Middles closer than half a step always share a point. With one rounded value each, rounding could separate them.
    """
    x, y = (p.x + q.x) / 2 / _SAME, (p.y + q.y) / 2 / _SAME
    for dx, dy in product((-0.25, 0.25), repeat=2):
        yield round(x + dx), round(y + dy)


def _between_straight_cuts(trim: Outline, bleed: float) -> Outline:
    """A hexagon with a strip along each edge, up to the lines of the edges before and after."""
    clip: list[Point] = []
    count = len(trim)
    reach = bleed / (sqrt(3) / 2)  # along a line that leaves the edge at 60 degrees
    for i in range(count):
        before, start, end, after = (trim[(i + k) % count] for k in (-1, 0, 1, 2))
        clip += [start, Ray.past(before, start).at(reach), Ray.past(after, end).at(reach)]
    return tuple(clip)


class Space(Struct, frozen=True):
    """The mm between a block and the paper's edge or the fold; the last `margin` mm stay bare."""

    width: float
    margin: float
    is_fold: bool = False


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
