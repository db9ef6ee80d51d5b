"""Art along a cut that a misprint spoils, measured in rings of colours along the cut.

The difference between two colours is that of the channel in which they differ most, 0 to 255.

The band along the outline of a piece is both sides of the cut, unrolled. Letters are measured by
the distance of their boxes from the cut.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from math import hypot

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generator.basics.geometry import Point, Rect, Size
from generator.basics.shapes import Outline, box_of, edges

_ALIKE = 24  # by which paper, compression and soft edges vary one colour
_CONTRAST = 36  # a visible difference
_WHITE = 255
_SOFT_EDGE = 0.5  # mm, the width of an edge; a shading is wider
_JUST_INSIDE = 0.2  # mm: the first pixel that lies wholly within the cut
_STEADY = 0.25  # mm that the width of a border may vary
_MOST_OF_A_SIDE = 0.6  # a border may be rounder than the piece
_LEAST_BORDER = 0.2  # mm
_ALL_AROUND = 0.95
_NOTICED = 0.05  # of the outline
_SPECK = 0.8  # mm along the cut: anything shorter is ignored
_FURTHER_IN = 1.2  # mm: at this depth, a motif that just crosses the cut visibly curves away
_TINT = 4  # of paper: nothing is drawn there
_STRAIGHT = 0.2  # mm by which a straight line varies on slanted pixels
_MOSTLY = 0.75
_PIXEL = 0.15  # mm, about: the error of a measure
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
AROUND = 0.4  # mm: the soft edge of a letter


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
        return int(np.abs(self.depths - depth).argmin())

    def side_numbers(self) -> list[int]:
        return sorted({int(side) for side in self.sides if side >= 0})


class Edge(Struct, frozen=True, eq=False, dict=True):
    """A face along its cut."""

    ring: CutBand
    colours: Colours

    @cached_property
    def trim(self) -> Colours:
        """The colour just inside the cut (n, 3)."""
        return self.colours[:, self.ring.column(_JUST_INSIDE)]

    @cached_property
    def is_inked(self) -> Flags:
        is_inked: Flags = _WHITE - self.trim.min(axis=1) >= _CONTRAST
        return is_inked

    @property
    def inked_share(self) -> float:
        return float(self.is_inked.mean())

    @cached_property
    def onsets(self) -> Numbers:
        """The depth at which the colour at the cut changes (n, mm); inf where it does not, where it
        fades slowly, and where another part of the cut is nearer."""
        ring = self.ring
        inside = ring.column(_JUST_INSIDE)
        apart = np.abs(self.colours[:, inside:] - self.trim[:, None]).max(axis=2)
        onsets = _beginnings(apart, ring.depths[inside:])
        columns = np.abs(ring.depths - onsets[:, None]).argmin(axis=1)
        return np.where(ring.is_true[np.arange(len(onsets)), columns], onsets, np.inf)

    @property
    def onset_spots(self) -> Numbers:
        """The points of `onsets` (n, 2), in mm of the face; arbitrary where those are inf."""
        ring = self.ring
        columns = np.searchsorted(ring.depths, self.onsets).clip(max=len(ring.depths) - 1)
        spots: Numbers = ring.spots[np.arange(len(columns)), columns]
        return spots

    @cached_property
    def borders(self) -> dict[int, float]:
        """The width of the band of one colour along each side that has one (mm)."""
        widths = {}
        for side in self.ring.side_numbers():
            width = self._border(self.ring.sides == side)
            if width is not None:
                widths[side] = width
        return widths

    def _border(self, rows: Flags) -> float | None:
        """The width (mm) of a band of one colour that most of the side has; None without one."""
        colours, onsets = self.trim[rows], self.onsets[rows]
        reached = onsets[np.isfinite(onsets)]
        if len(reached) == 0:
            return None
        width = float(np.median(reached))
        # near a corner, the band of the next side is nearer
        is_measured = self.ring.is_true[rows, self.ring.column(width)]
        is_band = np.abs(onsets - width) <= _STEADY
        is_band &= np.abs(colours - np.median(colours, axis=0)).max(axis=1) <= _ALIKE
        is_band &= self._runs_on(rows)
        if not is_measured.any() or is_band[is_measured].mean() < _MOST_OF_A_SIDE:
            return None
        return width

    def _runs_on(self, rows: Flags) -> Flags:
        """Whether the colour at the trim fills the bleed (n); a stripe of a texture does not."""
        beyond = int(np.searchsorted(self.ring.depths, -_PIXEL))
        if not beyond:
            return np.ones(int(rows.sum()), dtype=bool)
        apart = np.abs(self.colours[:, :beyond][rows] - self.trim[rows][:, None])
        is_alike: Flags = (apart.max(axis=2, initial=0) <= _ALIKE).mean(axis=1) >= _MOSTLY
        return is_alike

    def narrow_border(self, drift: float) -> float | None:
        """The width (mm) of a border on opposite sides that a drift (mm) makes uneven."""
        widths = [
            min(self.borders[one], self.borders[other])
            for one, other in self.ring.opposite
            if one in self.borders and other in self.borders
        ]
        narrow = [width for width in widths if _LEAST_BORDER <= width < 2 * drift - _PIXEL]
        return min(narrow, default=None)

    def nearest_art(self, zone: float, is_lettered: Flags) -> float | None:
        """How near to the cut something begins on an even ground (mm), if nearer than `zone`.

        Ignores art that reaches the cut, borders, and text, where `is_lettered` (n) is true.
        """
        ground = np.median(self.trim, axis=0)
        is_ground = np.abs(self.trim - ground).max(axis=1) <= _ALIKE
        if is_ground.mean() < _ALL_AROUND:
            return None
        is_near = (self.onsets < zone - _PIXEL) & ~is_lettered
        if self.borders:  # they continue on the curves
            is_near &= ~np.isin(self.ring.sides, [-1, *self.borders])
        nearest = [
            float(self.onsets[run].min())
            for run in _runs(is_near | ~is_ground)
            if is_ground[run].all() and len(run) * STEP >= _SPECK
        ]
        return min(nearest, default=None)

    def bare_bleed(self) -> float | None:
        """How far beyond the cut the art ends (mm), if along a line before the end of the bleed."""
        ring = self.ring
        if ring.depths[0] > -_PIXEL:
            return None
        near = ring.depths[ring.depths < _FURTHER_IN]
        ink = _WHITE - self.colours[:, : len(near)].min(axis=2)
        # any tint counts as ink, not only the darkest part of a texture
        is_inked = np.isfinite(_beginnings(ink, near))
        ends = near[(ink > _ALIKE).argmax(axis=1)]
        is_ended = is_inked & (ends > ring.depths[0] + _STEADY)
        ends = np.where(_goes_on(ink), np.inf, ends)
        lines = [_line(ends[is_ended & (ring.sides == side)]) for side in ring.side_numbers()]
        ended = sum(rows for rows, _ in lines)
        if ended / len(is_ended) <= _NOTICED:
            return None
        return min(beyond for rows, beyond in lines if rows)


def _beginnings(apart: Colours, depths: Numbers) -> Numbers:
    """The depth in each row at which the colour changes, half way to the new colour.

    inf where it does not change, or slowly. `apart` (n, m): the difference from the first colour.
    """
    rows = np.arange(len(apart))
    first = (apart > _ALIKE).argmax(axis=1)
    soon = first[:, None] + np.arange(round(_SOFT_EDGE / DEPTH) + 1)
    contrast = apart[rows[:, None], soon.clip(max=len(depths) - 1)].max(axis=1)
    after = (apart >= contrast[:, None] / 2).argmax(axis=1)
    before = (after - 1).clip(min=0)
    rise = (apart[rows, after] - apart[rows, before]).clip(min=1)
    share = ((apart[rows, after] - contrast / 2) / rise).clip(0, 1)
    return np.where(contrast >= _CONTRAST, depths[after] - share * DEPTH, np.inf)


def _goes_on(ink: Colours) -> Flags:
    """Which rows of ink (n, m), the outermost first, have art to the end of the bleed (n): a faint tint of it is
    there, or the strip without ink is no wider than one further in, as in a texture of lines or dots."""
    is_bare = ink <= _ALIKE
    end = (~is_bare).argmax(axis=1)
    is_bare &= np.arange(ink.shape[1]) > end[:, None]
    strip = np.zeros(len(ink), dtype=np.intp)
    widest = strip
    for column in is_bare.T:
        strip = np.where(column, strip + 1, 0)
        widest = np.maximum(widest, strip)
    goes_on: Flags = (ink[:, 0] > _TINT) | (end <= widest)
    return goes_on


def _line(ends: Numbers) -> tuple[int, float]:
    """How many rows of a side end on a straight line, and how far it is beyond the cut (mm).

    A round motif does not end on a line: much of it ends a little further in.
    """
    outside = ends[ends <= _STEADY / 2]
    if len(outside) == 0:
        return 0, 0.0
    line = float(np.median(outside))
    rows = int((np.abs(ends - line) <= _STRAIGHT).sum())
    return (rows, max(-line, 0.0)) if rows / len(ends) >= _MOSTLY else (0, 0.0)


def _runs(flags: Flags) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """The runs of set flags in a closed row, each as its indices."""
    if flags.all():
        return [np.arange(len(flags))]
    turned = int((~flags).argmax())  # begin where none is set
    steps = np.flatnonzero(np.roll(flags, -turned))
    parts = np.split(steps, np.flatnonzero(np.diff(steps) > 1) + 1)
    return [(part + turned) % len(flags) for part in parts if len(part)]


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
    is_true = np.abs(distances(spots, cut) - np.abs(depths)) < _TRUE
    sides = np.array([row[2] for row in rows])
    if not normals:
        return CutBand(depths, spots, is_true, np.zeros_like(sides), ((0, 0),))
    opposite = tuple(
        (i, j)
        for i, normal in enumerate(normals)
        for j, other in enumerate(normals)
        if i < j and normal.x * other.x + normal.y * other.y < _OPPOSITE
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
        yield Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)


def distances(points: Numbers, cut: Outline) -> Numbers:
    """The distances of (..., 2) points from the cut (mm), never negative."""
    nearest = np.full(points.shape[:-1], np.inf)
    for start, end in edges(cut):
        along = Point(end.x - start.x, end.y - start.y)
        square = along.x * along.x + along.y * along.y
        right, down = points[..., 0] - start.x, points[..., 1] - start.y
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


def nearest_letter(letters: Sequence[Rect], cut: Outline, *, is_hole: bool = False) -> float:
    """The distance of the nearest letter from the cut (mm), negative beyond it; inf without any.

    Letters wholly outside the cut do not count: they are cut away with the bleed.
    """
    if not letters:
        return float("inf")
    corners = np.array([box.corners() for box in letters])
    inside = is_within(corners, cut) != is_hole
    signed = np.where(inside, 1, -1) * distances(corners, cut)
    near = np.minimum(signed.min(axis=1), _to_corners(letters, cut))
    return float(near[inside.any(axis=1) | is_hole].min(initial=np.inf))


def _to_corners(letters: Sequence[Rect], cut: Outline) -> Numbers:
    """The distance from each box to the nearest corner of the cut, which in a notch is nearer than the edges."""
    low = np.array([(box.x0, box.y0) for box in letters])[:, None]
    high = np.array([(box.x1, box.y1) for box in letters])[:, None]
    corners = np.array(cut)[None]
    outside = np.maximum(np.maximum(low - corners, corners - high), 0.0)
    nearest: Numbers = np.linalg.norm(outside, axis=2).min(axis=1)
    return nearest


def is_lettered(spots: Numbers, letters: Sequence[Rect]) -> Flags:
    """Whether each of (n, 2) spots lies on a letter."""
    flags = np.zeros(len(spots), bool)
    for box in letters:
        x0, y0, x1, y1 = box.grown(AROUND)
        x, y = spots[:, 0], spots[:, 1]
        flags |= (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
    return flags
