"""Take the outline of a piece, make the band along it: both sides of the cut, unrolled.

A row of the band is a point on the cut, a column is a depth: mm inward from the cut, negative in
the bleed. All faces of a shape share one band.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

import numpy as np
from numpy.typing import NDArray

from generator.geometry import Point, Size
from generator.outlines import Outline, box_of, edges

STEP = 0.4  # mm along the cut from row to row
DEPTH = 0.1  # mm from column to column
_EDGE_OF_PICTURE = 0.1  # mm between it and the outermost column
_TRUE = 0.03  # mm that a depth may differ from the distance to the cut
_SIDE = 0.12  # of the piece's box: shorter edges are parts of a curve
_OPPOSITE = -0.98  # the cosine between normals

Numbers = NDArray[np.float64]
Colours = NDArray[np.int16]
Flags = NDArray[np.bool_]
Cells = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Shares = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class CutBand:
    """The points to sample. `depths` (m); `spots` (n, m, 2) in mm of the face; `is_true` (n, m): no
    other part of the cut is nearer. `sides` (n): the number of a row's straight side, -1 on a
    curve; a piece without straight sides has one side all around."""

    depths: Numbers
    spots: Numbers
    is_true: Flags
    sides: NDArray[np.int64]
    opposite: tuple[tuple[int, int], ...]

    def sample(self, wide: int, high: int, face: Size) -> CutSample:
        """Where to read its colours in pictures of whole faces, so many pixels wide and high."""
        at = self.spots * (np.array([wide, high]) / np.array(face)) - 0.5
        low = np.floor(at).astype(int)
        share = (at - low).astype(np.float32)[..., None]
        last = np.array([wide - 1, high - 1])
        (x0, y0), (x1, y1) = (np.moveaxis((low + step).clip(0, last), -1, 0) for step in (0, 1))
        cells = np.stack([y0 * wide + x0, y0 * wide + x1, y1 * wide + x0, y1 * wide + x1])
        used, numbers = np.unique(cells, return_inverse=True)
        return CutSample(used, numbers.reshape(cells.shape), share[:, :, 0], share[:, :, 1])

    def column(self, depth: float) -> int:
        """The column nearest to a depth."""
        return int(np.abs(self.depths - depth).argmin())

    def side_numbers(self) -> list[int]:
        return sorted({int(side) for side in self.sides if side >= 0})


@dataclass(frozen=True, eq=False)
class CutSample:
    """The pixels of a picture that a band is read from, `used` (p); the four around each spot by
    their numbers among those (4, n, m), and its place between them (n, m, 1)."""

    used: Cells
    numbers: Cells
    right: Shares
    down: Shares

    def take(self, pixels: Bytes) -> Bytes:
        """The used pixels (p, 4) of a picture (high, wide, 4)."""
        return pixels.view(np.uint32).reshape(-1).take(self.used).view(np.uint8).reshape(-1, 4)

    def interpolate(self, taken: Bytes) -> Colours:
        """The colours (n, m, 3), interpolated between pixels that `take` gave."""
        corners = (taken[:, :3].take(numbers, axis=0) for numbers in self.numbers)
        left_up, right_up, left_down, right_down = corners
        right, down = self.right, self.down
        upper = left_up * (1 - right) + right_up * right
        lower = left_down * (1 - right) + right_down * right
        colours: Colours = (upper * (1 - down) + lower * down).astype(np.int16)
        return colours


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
    is_true = np.abs(distances(spots, cut) - np.abs(depths)) < _TRUE
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


def _along(start: Point, end: Point, length: float) -> Iterator[Point]:
    count = max(round(length / STEP), 1)
    for share in ((i + 0.5) / count for i in range(count)):
        yield Point(
            start.x + (end.x - start.x) * share,
            start.y + (end.y - start.y) * share,
        )


def distances(points: Numbers, cut: Outline) -> Numbers:
    """The distances of (..., 2) points from the cut (mm), never negative."""
    x, y = points[..., 0].copy(), points[..., 1].copy()
    nearest = np.full(x.shape, np.inf)
    for start, end in edges(cut):
        along = Point(end.x - start.x, end.y - start.y)
        square = along.x * along.x + along.y * along.y
        right, down = x - start.x, y - start.y
        if square:
            share = ((right * along.x + down * along.y) / square).clip(0, 1)
            right -= share * along.x
            down -= share * along.y
        np.minimum(nearest, right * right + down * down, out=nearest)
    return np.asarray(np.sqrt(nearest))


def is_within(points: Numbers, cut: Outline) -> Flags:
    """Whether each of (..., 2) points lies inside the cut."""
    inside = np.zeros(points.shape[:-1], bool)
    x, y = points[..., 0], points[..., 1]
    for (x0, y0), (x1, y1) in edges(cut):
        if y0 != y1:
            crosses = (y0 > y) != (y1 > y)
            inside ^= crosses & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
    return inside
