"""Take the shape of a piece and an area, make the ways to lay the piece on it, fullest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot, sqrt

from generator.geometry import Affine, Point, Rect, Size, translation
from generator.layout.area import Area
from generator.outlines import Outline, Shape, box_of, edges, grown

_TOLERANCE = 1e-6
_SAME = 3  # decimals of a mm to which the middles of a shared edge agree
_FEWER = 4  # grids that have up to so many fewer rows leave the slug its room


@dataclass(frozen=True)
class Packing:
    """Where pieces of one shape lie: `places` map the piece's box to the page, as one reads.

    Neighbours keep `gap` mm between them. `is_straight`: hexagons that touch in their corners,
    so that every cut runs straight through, and the triangles between them hold their bleeds.
    """

    area: Area
    shape: Shape
    places: tuple[Affine, ...]
    gap: float = 0.0
    is_straight: bool = False

    @cached_property
    def trims(self) -> tuple[Outline, ...]:
        return self.grown(0.0)

    def grown(self, by: float) -> tuple[Outline, ...]:
        """The trims, every edge so many mm further out."""
        return tuple(self.shape.placed(place, by=by) for place in self.places)

    @cached_property
    def block(self) -> Rect:
        """The box around all trims."""
        return box_of(corner for trim in self.trims for corner in trim)

    def clips(self, bleed: float, filled: int | None = None) -> list[Outline]:
        """What each piece may ink when so many places are taken, the first of them; None: all.

        Its trim and its bleed, but none towards a neighbour that it touches.
        """
        filled = len(self.places) if filled is None else filled
        if self.is_straight:
            return [_between_straight_cuts(trim, bleed) for trim in self.trims[:filled]]
        if self.gap >= 2 * bleed:
            return list(self.grown(bleed)[:filled])
        return [
            grown(trim, [0.0 if other is not None and other < filled else bleed for other in near])
            for trim, near in zip(self.trims[:filled], self._touching, strict=False)
        ]

    @cached_property
    def _touching(self) -> Sequence[Sequence[int | None]]:
        """For every place and edge of it, the place that shares the edge."""
        middles: dict[tuple[float, float], list[int]] = {}
        for index, trim in enumerate(self.trims):
            for edge in edges(trim):
                middles.setdefault(_middle(*edge), []).append(index)
        return [
            [_other(middles[_middle(*edge)], index) for edge in edges(trim)]
            for index, trim in enumerate(self.trims)
        ]


def _middle(p: Point, q: Point) -> tuple[float, float]:
    return round((p.x + q.x) / 2, _SAME), round((p.y + q.y) / 2, _SAME)


def _other(indices: Sequence[int], index: int) -> int | None:
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


def packings(
    shape: Shape, areas: Sequence[Area], *, bleed: float, is_shared: bool, slug: float
) -> Iterator[Packing]:
    """The ways to lay a piece on a sheet, the fullest first.

    `is_shared`: neighbours touch and share their cuts; else each has its `bleed` (mm) around it.
    Smaller ones follow the fullest because a slug of `slug` mm needs room too.
    """
    gap = 0.0 if is_shared else 2 * bleed
    if shape.kind == "rectangle":
        found = [grid for area in areas for grid in _grids(shape, area, gap)]
    else:
        from generator.layout.nest import nests  # loads what only these shapes need

        found = list(nests(shape, areas, gap, bleed, slug))
    yield from sorted(found, key=lambda packing: -len(packing.places))


def _grids(shape: Shape, area: Area, gap: float) -> Iterator[Packing]:
    width, height = shape.size
    box = area.box
    for columns in _largest(box.width, width, gap):
        for rows in _largest(box.height, height, gap):
            block = Size(columns * (width + gap) - gap, rows * (height + gap) - gap)
            x, y = area.corner(block)
            places = (
                translation(x + column * (width + gap), y + row * (height + gap))
                for row in range(rows)
                for column in range(columns)
            )
            yield Packing(area, shape, tuple(places), gap)


def _largest(room: float, piece: float, gap: float) -> range:
    """The most pieces that fit along a side, and up to three fewer."""
    most = max(int((room + gap + _TOLERANCE) / (piece + gap)), 0)
    return range(most, max(most - _FEWER, 0), -1)
