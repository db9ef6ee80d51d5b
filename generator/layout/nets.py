"""Nets: panels joined by folds, flat to cut out, or folded in space with a view of the piece.

Nets are made from measures in mm: a pyramid, a tent, a house, and a tuck box, glued at its side and
its bottom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import acos, asin, atan2, cos, degrees, hypot, pi, radians, sin, sqrt, tan
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.geometry import (
    HAIR,
    Affine,
    Crease,
    Outline,
    Point,
    Shape,
    Size,
    box_of,
    carried,
    edges,
    mirror_x,
    scaling,
    steady,
    translation,
)

_HAIR = 1e-9
Vector = tuple[float, float, float]
_YAW, _PITCH = 32.0, 28.0  # degrees: the piece shows its right side, seen from above
_LIGHT = (0.5, 0.55, 0.75)  # the direction of light: from above, the left and the viewer
_WIDEST_TAB = 8.0  # mm, enough for a fingertip to press
_TAPER = 45.0  # degrees at the ends of a tab
_CLEAR = 0.5  # mm from a tab to the ends of its fold, so that the tab stays hidden
_SHARE = 0.6  # of the panel in front of a tab
_AROUND = ("gable-1", "wall-1", "gable-2", "wall-2")
LEAST_DEPTH = 5.0  # mm: a narrower box cannot be folded
_SIDE_TAB = 12.0
_SIDE_TAPER = 3.0  # mm at either end, so that the tab stays hidden and goes in easily
_TUCK = 16.0
_TUCK_CLEAR = 0.7  # mm at either side, so that the flap does not jam
_DUST = 20.0
_SEAT = 14.0  # the tab of the front that holds the bottom
_NOTCH = 9.0  # the radius of the notch for a thumb
_LEAST_NOTCH = 3.0
_ARC = 9  # corners of a quarter of a circle


class Panel(Struct, frozen=True):
    """A part of a net that stays flat.

    `place` maps the panel's box to the net. The box starts at (0, 0) and is upright as on the
    finished piece. A panel that is folded `behind` another is hidden; `is_glued`: it is a tab for
    glue.
    """

    name: str
    outline: Outline
    place: Affine
    size: Size
    behind: str = ""
    is_glued: bool = False

    @property
    def kind(self) -> str:
        """Its name without its number: "side" for "side-3"."""
        stem, _, number = self.name.rpartition("-")
        return stem if number.isdigit() else self.name

    @property
    def own_outline(self) -> Outline:
        """The outline in the panel's box."""
        return carried(self.outline, self.place.undo())


class Fold(Struct, frozen=True):
    """A line on which panel `to` is folded away from the viewer, by `angle` degrees from panel
    `of`: the printed side is outside.

    `start` and `end` are in the direction of the outline of `of`.
    """

    start: Point
    end: Point
    angle: float
    of: str
    to: str


class Net(Shape, frozen=True, kw_only=True):
    """Panels in one piece; folds join all of them to the first, directly or through others.

    `lean`: the degrees by which the first panel leans back when the finished piece stands.
    One of the kind "net" is cut out alone and printed on one side; a flat piece with folds keeps
    its own kind.
    """

    panels: tuple[Panel, ...]
    folds: tuple[Fold, ...]
    lean: float

    @property
    def creases(self) -> tuple[Crease, ...]:
        """The lines to fold on, each by its two ends."""
        return tuple((fold.start, fold.end) for fold in self.folds)

    def panel(self, name: str) -> Panel:
        """The panel of that name. Raises StopIteration if there is none."""
        return next(panel for panel in self.panels if panel.name == name)

    def mirrored(self) -> Net:
        """The net as seen from behind."""
        return _move(self, mirror_x(self.size.width))

    def scaled(self, by: float) -> Net:
        """The net, `by` times as large."""
        net = _move(self, scaling(by))
        panels = (
            replace(
                panel,
                place=panel.place @ scaling(1 / by),
                size=Size(panel.size.width * by, panel.size.height * by),
            )
            for panel in net.panels
        )
        return replace(net, panels=tuple(panels))


class Sketch(Struct):
    """A net while it is drawn, at any place."""

    panels: list[Panel] = field(default_factory=list)
    folds: list[Fold] = field(default_factory=list)

    def face(
        self,
        name: str,
        outline: Sequence[Point],
        feet: tuple[Point, Point],
        height: float,
        behind: str = "",
    ) -> None:
        """Add a panel. `feet` are its lower left and lower right corner on the finished piece.

        The outline is clockwise, from the start of the fold that holds the panel to its end.
        """
        place, width = _standing_on(*feet, height)
        self.panels.append(Panel(name, tuple(outline), place, Size(width, height), behind))

    def tab(
        self,
        of: str,
        edge: tuple[Point, Point],
        angle: float,
        name: str,
        points: Sequence[Point],
        behind: str,
    ) -> None:
        """Add a tab for glue on an edge of a panel.

        Each corner is given as the mm along the edge and the mm out from it; the first and the last
        are on the edge.
        """
        height = max(out for _, out in points)
        place, width = _standing_on(*edge, height)
        outline = tuple(place.apply(Point(along, height - out)) for along, out in points)
        self.panels.append(Panel(name, outline, place, Size(width, height), behind, is_glued=True))
        self.fold(of, outline[0], outline[-1], angle, name)

    def fold(self, of: str, start: Point, end: Point, angle: float, to: str) -> None:
        """Add a fold between two panels, by its ends and its angle in degrees."""
        self.folds.append(Fold(start, end, angle, of, to))

    def net(self, lean: float = 0.0) -> Net:
        """The finished net, its box at (0, 0)."""
        rim = tuple(_rim(self.panels[0].name, self))
        box = box_of(rim)
        corners = tuple(_without_straight(rim))
        panels, folds = tuple(self.panels), tuple(self.folds)
        net = Net("net", corners, panels=panels, folds=folds, lean=lean)
        return _move(net, translation(-box.x0, -box.y0))


def _standing_on(left: Point, right: Point, height: float) -> tuple[Affine, float]:
    """The map that puts the lower corners of a box at two points, and the width of the box."""
    dx, dy = right.x - left.x, right.y - left.y
    width = hypot(dx, dy)
    ux, uy = dx / width, dy / width
    turn = Affine(ux, uy, -uy, ux, left.x + uy * height, left.y - ux * height)
    return turn, width


def _rim(name: str, sketch: Sketch) -> Iterator[Point]:
    """The outline of a panel and of all panels that it holds."""
    outline = next(panel.outline for panel in sketch.panels if panel.name == name)
    folds = [fold for fold in sketch.folds if fold.of == name]
    is_root = name == sketch.panels[0].name
    for p, q in edges(outline) if is_root else list(edges(outline))[:-1]:
        yield p
        for fold in sorted(folds, key=lambda fold: hypot(fold.start.x - p.x, fold.start.y - p.y)):
            if _is_on(fold, p, q):
                yield from _rim(fold.to, sketch)
    if not is_root:
        yield outline[-1]


def _is_on(fold: Fold, p: Point, q: Point) -> bool:
    """Whether a fold is on an edge."""
    length = hypot(q.x - p.x, q.y - p.y)
    return all(
        abs((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)) < 1e-6 * length
        and -1e-6 < ((r.x - p.x) * (q.x - p.x) + (r.y - p.y) * (q.y - p.y)) / length < length + 1e-6
        for r in (fold.start, fold.end)
    )


def _without_straight(rim: Outline) -> Iterator[Point]:
    """The corners of an outline, without repeated points and points within an edge."""
    points = [p for i, p in enumerate(rim) if hypot(p.x - rim[i - 1].x, p.y - rim[i - 1].y) > 1e-6]
    for i, (x, y) in enumerate(points):
        (px, py), (qx, qy) = points[i - 1], points[(i + 1) % len(points)]
        ax, ay, bx, by = x - px, y - py, qx - x, qy - y
        is_straight = abs(ax * by - ay * bx) < 1e-6 * hypot(ax, ay) * hypot(bx, by)
        if not is_straight or ax * bx + ay * by < 0:
            yield points[i]


def _move(net: Net, by: Affine) -> Net:
    """Move or mirror a net. A mirror swaps the ends of folds, so that outlines stay clockwise."""
    is_mirror = by.a * by.d < by.b * by.c
    return replace(
        net,
        outline=carried(net.outline, by),
        holes=tuple(carried(hole, by) for hole in net.holes),
        panels=tuple(
            replace(panel, outline=carried(panel.outline, by), place=by @ panel.place)
            for panel in net.panels
        ),
        folds=tuple(
            replace(
                fold,
                start=by.apply(fold.end if is_mirror else fold.start),
                end=by.apply(fold.start if is_mirror else fold.end),
            )
            for fold in net.folds
        ),
    )


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
    """The folds from the first panel outward, one to each of the others."""
    order: list[Fold] = []
    names = [net.panels[0].name]
    for name in names:
        new = {fold.to: fold for fold in net.folds if fold.of == name and fold.to not in names}
        folds = list(new.values())
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
    depths = {view.panel.name: _depth(view.panel, frames[view.panel.name]) for view in views}

    def order(seen_panel: SeenPanel) -> tuple[bool, float, bool]:
        """Insides of a closed net first; a flap just before the panel in front of it."""
        before = seen_panel.panel.behind or seen_panel.panel.name
        is_after = net.kind != "net" or not seen_panel.is_inside
        return is_after, -depths[before], not seen_panel.panel.behind

    box = box_of(point for view in views for point in view.outline)
    shift = translation(-box.x0, -box.y0)
    return [
        replace(view, outline=tuple(map(shift.apply, view.outline)), motion=shift @ view.motion)
        for view in sorted(views, key=order)
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


def pyramid(base: float, height: float) -> Net:
    """A square pyramid: panels "side-1" to "side-4" around the apex, and a tab behind the first."""
    edge, slope = sqrt(height**2 + base**2 / 2), atan2(height, base / 2)
    apex, slant = Point(0.0, 0.0), hypot(height, base / 2)
    angle = 2 * asin(base / 2 / edge)  # of a side at the apex
    first = pi / 2 - 2 * angle  # the fan points down
    feet = [Point(edge * cos(first + i * angle), edge * sin(first + i * angle)) for i in range(5)]
    sketch, turn = Sketch(), degrees(acos(cos(slope) ** 2))
    for number in range(1, 5):
        right, left = feet[number - 1], feet[number]
        sketch.face(f"side-{number}", (right, left, apex), (left, right), slant)
        if number < 4:
            sketch.fold(f"side-{number}", left, apex, turn, f"side-{number + 1}")
    corners = _pyramid_tab(base, edge, angle)
    sketch.tab("side-4", (feet[4], apex), turn, "tab", corners, "side-1")
    return sketch.net(lean=90.0 - degrees(slope))


def _pyramid_tab(base: float, edge: float, angle: float) -> list[Point]:
    """The corners of a tab that is nowhere wider than the side in front of it."""
    at_foot, at_tip = (min(a, radians(_TAPER)) for a in (pi / 2 - angle / 2, angle))
    low, high = 2 * _CLEAR, edge - 4 * _CLEAR
    ends = 1 / tan(at_foot) + 1 / tan(at_tip)  # length lost to the slanted ends, per width
    width = min(_WIDEST_TAB, base / 4, 0.8 * (high - low) / ends)
    outer = Point(low + width / tan(at_foot), width), Point(high - width / tan(at_tip), width)
    return [Point(low, 0.0), *outer, Point(high, 0.0)]


def tent(width: float, depth: float, height: float) -> Net:
    """Two roofs with a ridge of `width` mm, `depth` mm apart at the foot; one fold and no glue."""
    slant, slope = hypot(height, depth / 2), degrees(atan2(height, depth / 2))
    left, right = Point(0.0, 0.0), Point(width, 0.0)
    sketch = Sketch()
    feet = Point(0.0, slant), Point(width, slant)
    sketch.face("roof-1", (left, right, feet[1], feet[0]), feet, slant)
    sketch.fold("roof-1", left, right, 2 * slope, "roof-2")
    far = Point(width, -slant), Point(0.0, -slant)
    sketch.face("roof-2", (left, far[1], far[0], right), far, slant)
    return sketch.net(lean=90.0 - slope)


def house(width: float, depth: float, height: float, roof: float) -> Net:
    """Walls `height` mm high with a saddle roof `roof` mm high.

    Around it go "gable-1", `depth` mm wide, "wall-1", `width` mm long like the ridge, "gable-2" and
    "wall-2". "roof-1" is above "wall-1". There is a tab behind "gable-1" and one behind "wall-2".
    """
    sketch, x = Sketch(), 0.0
    for name, to in zip(_AROUND, (*_AROUND[1:], ""), strict=True):
        is_gable = name.startswith("gable")
        start, foot = Point(x, 0.0), Point(x, height)
        x += depth if is_gable else width
        top = [Point(x - depth / 2, -roof)] if is_gable else []
        end, heel = Point(x, 0.0), Point(x, height)
        outline = (start, *top, end, heel, foot)
        sketch.face(name, outline, (foot, heel), height + (roof if is_gable else 0.0))
        if to:
            sketch.fold(name, end, heel, 90.0, to)
    side = _tab(height, min(_WIDEST_TAB, depth * _SHARE))
    sketch.tab("wall-2", (end, heel), 90.0, "tab", side, "gable-1")
    slant, slope = hypot(roof, depth / 2), degrees(atan2(roof, depth / 2))
    _roof(sketch, Point(depth, 0.0), width, slant, slope)
    far = -2 * slant
    eaves = _tab(width, min(_WIDEST_TAB, height * _SHARE))
    edge = Point(depth, far), Point(depth + width, far)
    sketch.tab("roof-2", edge, 90.0 - slope, "eaves", eaves, "wall-2")
    return sketch.net()


def _roof(sketch: Sketch, corner: Point, width: float, slant: float, slope: float) -> None:
    """Both sides of a roof, one above the other, upward from the top left corner of "wall-1"."""
    low, ridge, high = (Point(corner.x, corner.y - i * slant) for i in range(3))
    low_end, ridge_end, high_end = (Point(p.x + width, p.y) for p in (low, ridge, high))
    sketch.fold("wall-1", low, low_end, 90.0 - slope, "roof-1")
    sketch.face("roof-1", (low, ridge, ridge_end, low_end), (low, low_end), slant)
    sketch.fold("roof-1", ridge, ridge_end, 2 * slope, "roof-2")
    sketch.face("roof-2", (ridge, high, high_end, ridge_end), (high_end, high), slant)


def _tab(length: float, width: float) -> list[Point]:
    """The outer corners of a tab along a whole fold, a bit tapered."""
    aside = min(width * tan(radians(_TAPER)), length / 4)
    low, high = _CLEAR, length - _CLEAR
    return [
        Point(low, 0.0),
        Point(low + aside, width),
        Point(high - aside, width),
        Point(high, 0.0),
    ]


def tuckbox(width: float, height: float, depth: float) -> Net:
    """A box that opens at its top, which is `width` by `depth` mm."""
    xs = (-depth, 0.0, width, width + depth, 2 * width + depth)
    sketch = Sketch()
    for name, (x0, x1) in zip(("left", "front", "right", "back"), pairwise(xs), strict=True):
        _wall(sketch, name, x0, x1, height)
    for name, to in (("front", "right"), ("right", "back")):
        x = xs[2] if name == "front" else xs[3]
        sketch.fold(name, Point(x, 0.0), Point(x, height), 90.0, to)
    sketch.fold("front", Point(0.0, height), Point(0.0, 0.0), 90.0, "left")
    sketch.panels.sort(key=lambda panel: panel.name != "front")
    _side_tab(sketch, Point(-depth, height), width, height)
    _lid(sketch, Point(xs[3], 0.0), width, depth, height)
    for name, x in (("left", -depth), ("right", width)):
        _dust(sketch, name, x, depth, width, height)
    _bottom(sketch, xs[3], width, depth, height)
    return sketch.net()


def _wall(sketch: Sketch, name: str, x0: float, x1: float, height: float) -> None:
    """Add a wall, its outline from the end of its fold; the fold of "left" is its right edge."""
    (a, b, c, d) = Point(x0, 0.0), Point(x1, 0.0), Point(x1, height), Point(x0, height)
    notch = _notch(x0, x1, height) if name == "front" else ()
    outline = (c, d, a, b) if name == "left" else (a, *notch, b, c, d)
    sketch.face(name, outline, (d, c), height)


def _notch(x0: float, x1: float, height: float) -> list[Point]:
    """Half a circle in the upper edge, left out if it would be too small for a thumb."""
    radius = min(_NOTCH, (x1 - x0) / 5, height / 4)
    if radius < _LEAST_NOTCH:
        return []
    middle = (x0 + x1) / 2
    angles = (pi - i * pi / (2 * _ARC) for i in range(2 * _ARC + 1))
    return [Point(middle + radius * cos(a), radius * sin(a)) for a in angles]


def _side_tab(sketch: Sketch, foot: Point, width: float, height: float) -> None:
    """Add the tab on the free edge of the left wall, behind the back."""
    out, taper = min(_SIDE_TAB, width / 2), min(_SIDE_TAPER, height / 8)
    points = [Point(taper / 3, 0.0), Point(taper, out)]
    points += [Point(height - along, out) for along, out in reversed(points)]
    top = Point(foot.x, 0.0)
    sketch.tab("left", (foot, top), 90.0, "tab", points, "back")


def _lid(sketch: Sketch, corner: Point, width: float, depth: float, height: float) -> None:
    """Add the lid and its flap. The foot of the lid is its front edge, where the flap begins."""
    (x, y), end = corner, Point(corner.x + width, corner.y)
    far, near = Point(x, y - depth), Point(x + width, y - depth)
    sketch.fold("back", corner, end, 90.0, "top")
    sketch.face("top", (corner, far, near, end), (near, far), depth)
    out = min(_TUCK, height / 2)
    radius = min(out - 1.0, width / 4)
    x0, x1 = x + _TUCK_CLEAR, x + width - _TUCK_CLEAR
    left = Point(x0 + radius, far.y - out + radius)
    right = Point(x1 - radius, left.y)
    quarter = [i * pi / (2 * _ARC) for i in range(_ARC + 1)]
    arcs = [Point(left.x - radius * cos(a), left.y - radius * sin(a)) for a in quarter]
    arcs += [Point(right.x + radius * sin(a), right.y - radius * cos(a)) for a in quarter]
    start, stop = Point(x0, far.y), Point(x1, far.y)
    sketch.fold("top", start, stop, 90.0, "tuck")
    sketch.face("tuck", (start, *arcs, stop), (stop, start), out, behind="front")


def _dust(sketch: Sketch, side: str, x: float, depth: float, width: float, height: float) -> None:
    """Add the flaps of a side: one under the lid, and a tab for the bottom."""
    out, aside = min(_DUST, width / 2 - 0.5, max(depth, 8.0)), depth / 6
    left, right = Point(x, 0.0), Point(x + depth, 0.0)
    outline = (left, Point(x + aside, -out), Point(x + depth - aside, -out), right)
    sketch.fold(side, left, right, 90.0, f"dust-{side}")
    sketch.face(f"dust-{side}", outline, (left, right), out, behind="top")
    points = [Point(0.0, 0.0), Point(aside, out), Point(depth - aside, out), Point(depth, 0.0)]
    edge = Point(x + depth, height), Point(x, height)
    sketch.tab(side, edge, 90.0, f"base-{side}", points, "bottom")


def _bottom(sketch: Sketch, x: float, width: float, depth: float, height: float) -> None:
    """Add the bottom, joined to the back, and a tab on the front to glue it to."""
    left, right = Point(x, height), Point(x + width, height)
    far, near = Point(x, height + depth), Point(x + width, height + depth)
    sketch.fold("back", right, left, 90.0, "bottom")
    sketch.face("bottom", (right, near, far, left), (far, near), depth)
    out = min(_SEAT, depth - 0.5)
    aside = min(out, width / 4)
    points = [
        Point(0.7, 0.0),
        Point(aside, out),
        Point(width - aside, out),
        Point(width - 0.7, 0.0),
    ]
    edge = Point(width, height), Point(0.0, height)
    sketch.tab("front", edge, 90.0, "seat", points, "bottom")
