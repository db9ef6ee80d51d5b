"""Take the outline of a piece, make the band along it: both sides of the cut, unrolled.

A row of the band is a point on the cut, a column is a depth: mm inward from the cut, negative in
the bleed. All faces of a shape share one band.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import hypot

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generator.basics.geometry import Point, Size
from generator.basics.outlines import Outline, box_of, edges

STEP = 0.4  # mm along the cut from row to row
DEPTH = 0.1  # mm from column to column
_EDGE_OF_PICTURE = 0.1  # mm between it and the outermost column
_TRUE = 0.03  # mm that a depth may differ from the distance to the cut
_SIDE = 0.12  # of the piece's box: shorter edges are parts of a curve
_MOST_KEPT = 8  # bands, and samples of them
_OPPOSITE = -0.98  # the cosine between normals

Numbers = NDArray[np.float64]
Colours = NDArray[np.int16]
Flags = NDArray[np.bool_]
Cells = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Shares = NDArray[np.float32]


class CutBand(Struct, frozen=True, eq=False):
    """The points to sample. `depths` (m); `spots` (n, m, 2) in mm of the face; `is_true` (n, m): no
    other part of the cut is nearer. `sides` (n): the number of a row's straight side, -1 on a
    curve; a piece without straight sides has one side all around."""

    depths: Numbers
    spots: Numbers
    is_true: Flags
    sides: NDArray[np.int64]
    opposite: tuple[tuple[int, int], ...]

    def column(self, depth: float) -> int:
        """The column nearest to a depth."""
        return int(np.abs(self.depths - depth).argmin())

    def side_numbers(self) -> list[int]:
        return sorted({int(side) for side in self.sides if side >= 0})


class CutSample(Struct, frozen=True, eq=False):
    """The pixels of a picture that a band is read from, `used` (p); the four around each spot by
    their numbers among those (4, n, m), and its place between them (n, m)."""

    used: Cells
    numbers: Cells
    right: Shares
    down: Shares

    def take(self, pixels: Bytes) -> Bytes:
        """The used pixels (p, 4) of a picture (high, wide, 4)."""
        return pixels.view(np.uint32).reshape(-1).take(self.used).view(np.uint8).reshape(-1, 4)

    def interpolate(self, taken: Bytes) -> Colours:
        """The colours (n, m, 3), interpolated between pixels that `take` gave.

        Each channel is together in memory, which is three times as fast to measure.
        """
        right, down, left, up = self.right, self.down, 1 - self.right, 1 - self.down
        channels = np.empty((3, *right.shape), np.int16)
        corners = taken.view(np.uint32)[:, 0].take(self.numbers)
        of_channels = np.moveaxis(corners.view(np.uint8).reshape(*corners.shape, 4), -1, 0)[:3]
        for channel, values in zip(channels, of_channels, strict=True):
            left_up, right_up, left_down, right_down = values
            upper = left_up * left + right_up * right
            lower = left_down * left + right_down * right
            channel[...] = upper * up + lower * down
        return np.moveaxis(channels, 0, -1)


@lru_cache(_MOST_KEPT)  # both sides of most cards, and cards of one size, are cut alike
def ring_along(cut: Outline, bleed: float, reach: float) -> CutBand:
    """The band from the end of the bleed to `reach` mm within the cut (mm, face coordinates)."""
    box = box_of(cut)
    longest = max(box.width, box.height)
    rows: list[tuple[Point, Point, int]] = []
    normals: list[Point] = []
    for start, end in edges(cut):
        length = hypot(end.x - start.x, end.y - start.y)
        if length == 0:
            continue
        inward = Point((start.y - end.y) / length, (end.x - start.x) / length)
        side = -1
        if length >= _SIDE * longest:
            side = len(normals)
            normals.append(inward)
        rows += [(spot, inward, side) for spot in _along(start, end, length)]
    depths = np.arange(-max(bleed - _EDGE_OF_PICTURE, 0.0), reach, DEPTH)
    starts, inwards = (np.array([row[i] for row in rows]) for i in (0, 1))
    spots = starts[:, None] + inwards[:, None] * depths[None, :, None]
    is_true = np.abs(_distances_near(spots, starts, depths, cut) - np.abs(depths)) < _TRUE
    sides = np.array([row[2] for row in rows])
    if not normals:
        return CutBand(depths, spots, is_true, np.zeros_like(sides), ((0, 0),))
    opposite = tuple(
        (i, j)
        for i, one in enumerate(normals)
        for j, other in enumerate(normals)
        if i < j and one.x * other.x + one.y * other.y < _OPPOSITE
    )
    return CutBand(depths, spots, is_true, sides, opposite)


@lru_cache(_MOST_KEPT)
def sample_along(band: CutBand, wide: int, high: int, face: Size) -> CutSample:
    """Where to read a band's colours in pictures of whole faces, so many pixels wide and high."""
    at = band.spots * (np.array([wide, high]) / np.array(face)) - 0.5
    low = np.floor(at).astype(int)
    right, down = np.moveaxis((at - low).astype(np.float32), -1, 0).copy()
    last = np.array([wide - 1, high - 1])
    (x0, y0), (x1, y1) = (np.moveaxis((low + step).clip(0, last), -1, 0) for step in (0, 1))
    cells = np.stack([y0 * wide + x0, y0 * wide + x1, y1 * wide + x0, y1 * wide + x1])
    numbers = np.zeros(wide * high, np.int64)  # to sort the cells takes ten times as long
    numbers[cells] = 1
    used = np.flatnonzero(numbers)
    numbers[used] = np.arange(len(used))
    return CutSample(used, numbers[cells], right, down)


def _along(start: Point, end: Point, length: float) -> Iterator[Point]:
    count = max(round(length / STEP), 1)
    for share in ((i + 0.5) / count for i in range(count)):
        yield Point(
            start.x + (end.x - start.x) * share,
            start.y + (end.y - start.y) * share,
        )


def _distances_near(spots: Numbers, starts: Numbers, depths: Numbers, cut: Outline) -> Numbers:
    """The distances of a band's spots (n, m, 2) from the cut (mm). Edges that are far from the
    start of a row on the cut (n, 2) are left out: none of its spots is nearer to one of them."""
    far = 2 * float(np.abs(depths).max())
    nearest = np.full(spots.shape[:2], np.inf)
    for edge in edges(cut):
        low, high = np.min(edge, axis=0) - far, np.max(edge, axis=0) + far
        rows = ((starts >= low) & (starts <= high)).all(axis=1)
        nearest[rows] = np.minimum(nearest[rows], _squares(spots[rows], *edge))
    return np.asarray(np.sqrt(nearest))


def distances(points: Numbers, cut: Outline) -> Numbers:
    """The distances of (..., 2) points from the cut (mm), never negative."""
    nearest = np.full(points.shape[:-1], np.inf)
    for start, end in edges(cut):
        np.minimum(nearest, _squares(points, start, end), out=nearest)
    return np.asarray(np.sqrt(nearest))


def _squares(points: Numbers, start: Point, end: Point) -> Numbers:
    """The squares of the distances of (..., 2) points from an edge."""
    along = Point(end.x - start.x, end.y - start.y)
    square = along.x * along.x + along.y * along.y
    right, down = points[..., 0] - start.x, points[..., 1] - start.y
    if square:
        share = ((right * along.x + down * along.y) / square).clip(0, 1)
        right -= share * along.x
        down -= share * along.y
    squares: Numbers = right * right + down * down
    return squares


def is_within(points: Numbers, cut: Outline) -> Flags:
    """Whether each of (..., 2) points lies inside the cut."""
    inside = np.zeros(points.shape[:-1], bool)
    x, y = points[..., 0], points[..., 1]
    for (x0, y0), (x1, y1) in edges(cut):
        if y0 != y1:
            crosses = (y0 > y) != (y1 > y)
            inside ^= crosses & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
    return inside
