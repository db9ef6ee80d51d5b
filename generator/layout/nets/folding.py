"""Take a net, make the folded piece: every panel in space, and a view of the standing piece."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, hypot, radians, sin
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.geometry import HAIR, Affine, Point, steady, translation
from generator.basics.outlines import Outline, box_of
from generator.layout.nets.net import Fold, Net, Panel

Vector = tuple[float, float, float]
_YAW, _PITCH = 32.0, 28.0  # degrees: the piece shows its right side, seen from above
_LIGHT = (0.5, 0.55, 0.75)  # the direction of light: from above, the left and the viewer


class PanelPlane(NamedTuple):
    """The plane of a panel in space: the net's origin, and a step of 1 mm right and down on it.

    In mm, x to the right, y down, z away from the viewer.
    """

    origin: Vector
    right: Vector
    down: Vector

    def at(self, point: Point) -> Vector:
        """The place in space of a point of the flat net, in mm."""
        return _sum((1.0, self.origin), (point.x, self.right), (point.y, self.down))

    @property
    def inward(self) -> Vector:
        """A step of 1 mm through the paper, from the printed side."""
        (a, b, c), (d, e, f) = self.right, self.down
        return b * f - c * e, c * d - a * f, a * e - b * d


def fold_net(net: Net) -> Mapping[str, PanelPlane]:
    """The plane of every panel, by its name; the first panel is upright, its box at the origin."""
    root = net.panels[0]
    back = root.place.undo()
    frames = {
        root.name: PanelPlane((back.e, back.f, 0.0), (back.a, back.b, 0.0), (back.c, back.d, 0.0))
    }
    for fold in _outward(net):
        frames[fold.to] = _turn_about(frames[fold.of], fold)
    return frames


def _outward(net: Net) -> list[Fold]:
    """The folds from the first panel outward."""
    order, names = [], [net.panels[0].name]
    for name in names:
        folds = [fold for fold in net.folds if fold.of == name]
        names += [fold.to for fold in folds]
        order += folds
    return order


def _turn_about(frame: PanelPlane, fold: Fold) -> PanelPlane:
    """Turn a plane about a fold, so that the part beyond the fold goes away from the viewer."""
    (x, y), angle = fold.start, radians(fold.angle)
    length = hypot(fold.end.x - x, fold.end.y - y)
    ux, uy = (fold.end.x - x) / length, (fold.end.y - y) / length
    along = _sum((ux, frame.right), (uy, frame.down))
    out = _sum((uy, frame.right), (-ux, frame.down))
    beyond = _sum((cos(angle), out), (sin(angle), frame.inward))
    right = _sum((ux, along), (uy, beyond))
    down = _sum((uy, along), (-ux, beyond))
    origin = _sum((1.0, frame.at(fold.start)), (-x, right), (-y, down))
    return PanelPlane(origin, right, down)


def _sum(*parts: tuple[float, Vector]) -> Vector:
    x, y, z = (sum(times * vector[axis] for times, vector in parts) for axis in range(3))
    return x, y, z


class SeenPanel(Struct, frozen=True):
    """A panel in the view of a standing piece: `motion` maps the net to the picture (mm).

    `is_inside`: the view shows the side that is not printed. `shade` is from 0 (light) to 1, by the
    panel's direction.
    """

    panel: Panel
    outline: Outline
    motion: Affine
    is_inside: bool
    shade: float


def standing(net: Net) -> list[SeenPanel]:
    """The panels of the finished piece on a table, the farthest first; the picture is at (0, 0).

    The view is from above, in parallel projection, with the front turned a bit to the left.
    """
    frames = {name: _view(frame, net.lean) for name, frame in fold_net(net).items()}
    views = [_project(panel, frames[panel.name]) for panel in net.panels if not panel.is_glued]
    depths = {one.panel.name: _depth(one.panel, frames[one.panel.name]) for one in views}

    def order(one: SeenPanel) -> tuple[bool, float, bool]:
        """Insides first; a flap just before the panel in front of it."""
        before = one.panel.behind or one.panel.name
        return not one.is_inside, -depths[before], not one.panel.behind

    box = box_of(point for one in views for point in one.outline)
    shift = translation(-box.x0, -box.y0)
    return [
        replace(one, outline=tuple(map(shift.apply, one.outline)), motion=shift @ one.motion)
        for one in sorted(views, key=order)
    ]


def _view(frame: PanelPlane, lean: float) -> PanelPlane:
    """A plane relative to the viewer, who looks along z."""
    turns = ((1, 2, -lean), (2, 0, _YAW), (1, 2, _PITCH))
    origin, right, down = frame
    for one, other, angle in turns:
        origin, right, down = (
            _rotate(vector, one, other, radians(angle)) for vector in (origin, right, down)
        )
    return PanelPlane(origin, right, down)


def _rotate(vector: Vector, one: int, other: int, angle: float) -> Vector:
    turned = list(vector)
    turned[one] = cos(angle) * vector[one] - sin(angle) * vector[other]
    turned[other] = sin(angle) * vector[one] + cos(angle) * vector[other]
    return turned[0], turned[1], turned[2]


def _project(panel: Panel, frame: PanelPlane) -> SeenPanel:
    (e, f, _), (a, b, _), (c, d, _) = frame
    motion = Affine(a, b, c, d, e, f)
    inward = frame.inward
    outline = tuple(map(motion.apply, panel.outline))
    light = sum(part * step for part, step in zip(_LIGHT, inward, strict=True))
    return SeenPanel(panel, outline, motion, inward[2] < HAIR, min(max(1.0 - light, 0.0), 1.0))


def _depth(panel: Panel, frame: PanelPlane) -> float:
    corners = [frame.at(point)[2] for point in panel.outline]
    return steady(sum(corners) / len(corners))
