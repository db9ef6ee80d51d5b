"""Take the boxes of letters and the outline of a piece, measure their distance from the cut."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from generator.basics.geometry import Rect
from generator.basics.outlines import Outline
from generator.checks.preflight.ring import Flags, Numbers, distances, is_within

AROUND = 0.4  # mm: the soft edge of a letter


def nearest_letter(letters: Sequence[Rect], cut: Outline) -> float:
    """The distance of the nearest letter from the cut (mm), negative beyond it; inf without any.

    Letters wholly outside the cut do not count: they are cut away with the bleed.
    """
    if not letters:
        return float("inf")
    corners = np.array([box.corners() for box in letters])
    inside = is_within(corners, cut)
    signed = np.where(inside, 1, -1) * distances(corners, cut)
    near = np.minimum(signed.min(axis=1), _to_corners(letters, cut))
    return float(near[inside.any(axis=1)].min(initial=np.inf))


def _to_corners(letters: Sequence[Rect], cut: Outline) -> Numbers:
    """From each box to the nearest corner of the cut, which in a notch is nearer than the edges."""
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
