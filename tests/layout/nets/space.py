"""Fold a net in space by its folds alone, with rotations of its own; measure what comes of it.

The net lies on a table, printed side up (y up, z to the reader). The folds are made one by one, the
outermost first, so that each is made on a line that still lies on the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

from generator.layout.nets import Net, Panel

Points = NDArray[np.float64]
Solid = Mapping[str, Points]  # the corners of every panel (n, 3)


def fold(net: Net) -> Solid:
    solid = {p.name: np.array([(x, -y, 0.0) for x, y in p.outline]) for p in net.panels}
    for a_fold in sorted(net.folds, key=lambda a_fold: len(beyond(net, a_fold.to))):
        line = np.array([(p.x, -p.y, 0.0) for p in (a_fold.start, a_fold.end)])
        hanging = beyond(net, a_fold.to)
        lifted = Rotation(line, 1.0)(solid[a_fold.to])[:, 2].mean()
        turn = Rotation(line, -a_fold.angle if lifted > 0 else a_fold.angle)
        for name in hanging:
            solid[name] = turn(solid[name])
    return solid


def beyond(net: Net, name: str) -> list[str]:
    """A panel and all that hangs on it."""
    return [name] + [n for f in net.folds if f.of == name for n in beyond(net, f.to)]


class Rotation:
    """About a line in space, by degrees (Rodrigues' formula)."""

    def __init__(self, line: Points, angle: float) -> None:
        self._start = line[0]
        x, y, z = (line[1] - line[0]) / np.linalg.norm(line[1] - line[0])
        k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        a = np.radians(angle)
        self._matrix = np.eye(3) + np.sin(a) * k + (1 - np.cos(a)) * k @ k

    def __call__(self, points: Points) -> Points:
        turned: Points = (points - self._start) @ self._matrix.T + self._start
        return turned


class Plane:
    """That of a panel in space: the panel itself on it, and where other points lie."""

    def __init__(self, corners: Points) -> None:
        self._origin = corners[0]
        _, _, axes = np.linalg.svd(corners - corners.mean(axis=0))
        self._axes = axes
        self.panel = Polygon(self.on(corners))

    def on(self, points: Points) -> list[tuple[float, float]]:
        return [(float(a), float(b)) for a, b in ((points - self._origin) @ self._axes.T)[:, :2]]

    def off(self, points: Points) -> Points:
        """How far points are from the plane."""
        away: Points = np.abs((points - self._origin) @ self._axes[2])
        return away

    def distance(self, points: Points) -> Points:
        """How far points are from the panel."""
        beside = shapely.distance(self.panel, shapely.points(self.on(points)))
        away: Points = np.hypot(beside, self.off(points))
        return away


def outer(net: Net) -> list[Panel]:
    return [panel for panel in net.panels if not panel.behind]


def normal(corners: Points) -> Points:
    """Out of the printed side: corners run clockwise as it is read (Newell's method)."""
    following = np.roll(corners, -1, axis=0)
    sum_: Points = np.cross(corners, following).sum(axis=0)
    return -sum_ / np.linalg.norm(sum_)


def along(corners: Points, share: Sequence[float] = (0.02, 0.25, 0.5, 0.75, 0.98)) -> Points:
    """Points on the edges of a panel."""
    following = np.roll(corners, -1, axis=0)
    points: Points = np.concatenate([corners + s * (following - corners) for s in share])
    return points
