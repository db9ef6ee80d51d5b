"""Take a net, make the piece that stands on the table, or lies on its back: each panel's plane."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import cos, radians, sin

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.outlines import Outline
from generator.export.scene.space import Plane, Vectors, hull
from generator.layout.nets import Net, Panel, fold_net
from generator.layout.nets.folding import PanelPlane

_BEHIND = 0.4  # mm: how far a flap is behind the panel in front of it
_ON_TABLE = 0.5  # mm: what is lower belongs to the foot


class FoldedPanel(Struct, frozen=True):
    """A panel of a standing piece, around whose middle x and y count, z from the table."""

    panel: Panel
    plane: Plane  # of the flat net


class Folded(Struct, frozen=True):
    """A folded piece: its panels without tabs, and its outline on the table."""

    panels: tuple[FoldedPanel, ...]
    foot: Outline


@cache
def fold(net: Net, *, lies: bool) -> Folded:
    """The finished piece, on its foot with the first panel to the front, or on its back."""
    turn = _lying() if lies else _standing(net.lean)
    planes = {name: _turned(plane, turn) for name, plane in fold_net(net).items()}
    shown = [panel for panel in net.panels if not panel.is_glued]
    points = np.vstack([planes[panel.name].at(panel.outline) for panel in shown])
    low, high = points.min(axis=0), points.max(axis=0)
    feet = points[points[:, 2] < low[2] + _ON_TABLE]
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    panels = tuple(FoldedPanel(panel, _settled(planes, panel, shift)) for panel in shown)
    flat = {(round(x, 6), round(y, 6)) for x, y in (feet - shift)[:, :2].tolist()}
    return Folded(panels, hull(flat))


def _settled(planes: Mapping[str, Plane], panel: Panel, shift: Vectors) -> Plane:
    plane = planes[panel.name]
    inset = planes[panel.behind].normal * _BEHIND if panel.behind else np.zeros(3)
    return replace(plane, origin=plane.origin - shift - inset)


def _turned(plane: PanelPlane, turn: Vectors) -> Plane:
    origin, right, down = (turn @ np.array(vector) for vector in plane)
    return Plane(origin, right, down, turn @ -np.array(plane.inward))


def _standing(lean: float) -> Vectors:
    """Maps x right, y down, z away to x right, y towards the viewer, z up, leaned back."""
    c, s = cos(radians(-lean)), sin(radians(-lean))
    leaned = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    upright = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]])
    turn: Vectors = upright @ leaned
    return turn


def _lying() -> Vectors:
    return np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]])
