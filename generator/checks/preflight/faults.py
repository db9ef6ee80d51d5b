"""Take a ring of colours along a cut, measure art there that a misprint spoils.

The difference between two colours is that of the channel in which they differ most, 0 to 255.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from msgspec import Struct

from generator.checks.preflight.ring import DEPTH, STEP, Colours, CutBand, Flags, Numbers

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
    """Which rows of ink (n, m), the outermost first, have art to the end of the bleed (n): a faint
    tint of it is there, or the strip without ink is no wider than one further in, as in a texture
    of lines or dots."""
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
