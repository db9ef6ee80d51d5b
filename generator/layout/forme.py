"""A forme: the places of pieces on one sheet, and how far each of them may bleed there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import hypot, sqrt
from typing import NamedTuple

from generator.geometry import Affine, Point, Rect
from generator.layout.area import Area
from generator.model import Cut, Side
from generator.outlines import Outline, Shape, edges, grown

_SAME = 0.001  # mm to which the middles of a shared edge agree
_Spot = tuple[int, int]


class Blank(NamedTuple):
    """What pieces of a run have in common: their shape, and how far each side bleeds."""

    shape: Shape
    bleed: float
    back_bleed: float

    @property
    def most_bleed(self) -> float:
        return max(self.bleed, self.back_bleed)

    def bleed_of(self, side: Side) -> float:
        return self.bleed if side == "front" else self.back_bleed


class Seat(NamedTuple):
    """Where a piece lies: `place` maps its box to the page."""

    blank: Blank
    place: Affine

    def outline(self, by: float = 0.0) -> Outline:
        """Its trim on the page, every edge so many mm further out."""
        return self.blank.shape.placed(self.place, by=by)

    def box(self, by: float = 0.0) -> Rect:
        """The box around that."""
        return self.blank.shape.box(self.place, by=by)


@dataclass(frozen=True)
class Forme:
    """The seats of a sheet, as one reads.

    `cuts`: neighbours touch ("shared"), keep their bleeds apart ("double"), or are hexagons that
    touch in their corners, so that every cut runs straight through and the triangles between
    them hold their bleeds ("straight").
    """

    area: Area
    seats: tuple[Seat, ...]
    cuts: Cut

    @cached_property
    def trims(self) -> tuple[Outline, ...]:
        return tuple(seat.outline() for seat in self.seats)

    @property
    def is_grid(self) -> bool:
        """Whether straight cuts through the whole sheet part all pieces."""
        kinds = {seat.blank.shape.kind for seat in self.seats}
        return kinds == {"rectangle"} or self.cuts == "straight"

    @cached_property
    def block(self) -> Rect:
        """The box around all trims."""
        return _around(seat.box() for seat in self.seats)

    @cached_property
    def reach(self) -> Rect:
        """The box around all bleeds."""
        return _around(seat.box(seat.blank.most_bleed) for seat in self.seats)

    def clips(self, side: Side, filled: int | None = None) -> list[Outline]:
        """What each piece may ink when so many seats are taken, the first of them; None: all.

        Its trim and its bleed, but none towards a neighbour that it touches. As a front lies; a
        back's are to be carried behind it.
        """
        filled = len(self.seats) if filled is None else filled
        if (side, filled) not in self._clips:
            self._clips[side, filled] = self._clip(side, filled)
        return self._clips[side, filled]

    @cached_property
    def _clips(self) -> dict[tuple[Side, int], list[Outline]]:
        return {}

    def _clip(self, side: Side, filled: int) -> list[Outline]:
        seats = self.seats[:filled]
        if self.cuts == "straight":
            return [
                _between_straight_cuts(seat.outline(), seat.blank.bleed_of(side)) for seat in seats
            ]
        if self.cuts == "double":
            return [seat.outline(seat.blank.bleed_of(side)) for seat in seats]
        return [
            grown(
                seat.outline(),
                [
                    0.0 if other is not None and other < filled else seat.blank.bleed_of(side)
                    for other in near
                ],
            )
            for seat, near in zip(seats, self._touching, strict=False)
        ]

    @cached_property
    def _touching(self) -> Sequence[Sequence[int | None]]:
        """For every seat and edge of it, the seat that shares the edge."""
        seats: dict[_Spot, list[int]] = {}
        for index, trim in enumerate(self.trims):
            for spot in (spot for edge in edges(trim) for spot in _spots(*edge)):
                seats.setdefault(spot, []).append(index)
        return [
            [
                _other((i for spot in _spots(*edge) for i in seats[spot]), index)
                for edge in edges(trim)
            ]
            for index, trim in enumerate(self.trims)
        ]


def _around(boxes: Iterable[Rect]) -> Rect:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Rect(min(lefts), min(tops), max(rights), max(bottoms))


def _spots(p: Point, q: Point) -> Iterator[_Spot]:
    """Where the middle of an edge is, on a grid. Middles nearer than half a step always have a spot
    in common; with one rounded value each, two of them may lie on either side of a tie."""
    x, y = (p.x + q.x) / 2 / _SAME, (p.y + q.y) / 2 / _SAME
    for dx, dy in product((-0.25, 0.25), repeat=2):
        yield round(x + dx), round(y + dy)


def _other(indices: Iterable[int], index: int) -> int | None:
    return next((other for other in indices if other != index), None)


def _between_straight_cuts(trim: Outline, bleed: float) -> Outline:
    """A hexagon and a strip along each edge, ended by the lines of the edges before and after."""
    clip: list[Point] = []
    count = len(trim)
    reach = bleed / (sqrt(3) / 2)  # along a line that leaves the edge at 60 degrees
    for i in range(count):
        before, start, end, after = (trim[(i + k) % count] for k in (-1, 0, 1, 2))
        clip += [start, _beyond(before, start, reach), _beyond(after, end, reach)]
    return tuple(clip)


def _beyond(origin: Point, through: Point, by: float) -> Point:
    dx, dy = through.x - origin.x, through.y - origin.y
    length = hypot(dx, dy)
    return Point(through.x + dx / length * by, through.y + dy / length * by)
