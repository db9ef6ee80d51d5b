"""Nets: panels joined by folds, flat to cut out, or folded in space with a view of the piece.

`layout/solids.py` makes nets of measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import cos, dist, hypot, radians, sin
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.geometry import HAIR, Affine, Point, Size, mirror_x, scaling, steady, translation
from generator.basics.shapes import Crease, Outline, Ray, Shape, box_of, carried, edges

_HAIR = 1e-9
Vector = tuple[float, float, float]
_YAW, _PITCH = 32.0, 28.0  # degrees: the piece shows its right side, seen from above
WIDEST_TAB = 8.0  # mm, enough for a fingertip to press
CLEAR = 0.5  # mm from a tab to the ends of its fold, so that the tab stays hidden
_LIGHT = (0.5, 0.55, 0.75)  # the direction of light: from above, the left and the viewer


class Panel(Struct, frozen=True):
    """A part of a net that stays flat.

    `place` maps the panel's box to the net. The box starts at (0, 0) and is upright as on the finished piece. A panel
    that is folded `behind` another is hidden; `is_glued`: it is a tab for glue.
    """

    name: str
    outline: Outline
    place: Affine
    size: Size
    behind: str = ""
    is_glued: bool = False

    @property
    def kind(self) -> str:
        """The name without its number: "side" for "side-3"."""
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
    """Panels in one piece; folds join all of them to the first, directly or through others, from the first outward.

    `lean`: the degrees by which the first panel leans back when the finished piece stands. One of the kind "net" is cut
    out alone and printed on one side; a flat piece with folds keeps its own kind.
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
                panel, place=panel.place @ scaling(1 / by), size=Size(panel.size.width * by, panel.size.height * by)
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
        of: str = "",
        angle: float = 0.0,
        behind: str = "",
        *,
        is_glued: bool = False,
    ) -> None:
        """Add a panel, with a fold of `angle` degrees from panel `of`, if this is not the first.

        `feet` are its lower left and lower right corner on the finished piece. The outline is
        clockwise, from the start of the fold to its end.
        """
        base = Ray.through(*feet).frame
        width, height = dist(*feet), -min(base.undo().apply(point).y for point in outline)
        place = base @ translation(0.0, -height)
        panel = Panel(name, tuple(outline), place, Size(width, height), behind, is_glued)
        self.panels.append(panel)
        if of:
            self.folds.append(Fold(outline[0], outline[-1], angle, of, name))

    def flap(
        self, name: str, edge: tuple[Point, Point], out: float, of: str = "", angle: float = 0.0, *, hangs: bool = False
    ) -> Outline:
        """Add a rectangle that reaches `out` mm out from an edge, and return its outline. Its feet
        are on the edge, or opposite if it `hangs`."""
        length = dist(*edge)
        outline = beside(edge, [(0.0, 0.0), (0.0, out), (length, out), (length, 0.0)])
        self.face(name, outline, (outline[2], outline[1]) if hangs else edge, of, angle)
        return outline

    def tab(
        self,
        name: str,
        edge: tuple[Point, Point],
        points: Sequence[tuple[float, float]],
        of: str,
        angle: float,
        behind: str,
    ) -> None:
        """Add a tab for glue on an edge of a panel. Its corners are as `beside` takes them; the
        first and the last are on the edge."""
        self.face(name, beside(edge, points), edge, of, angle, behind, is_glued=True)

    def net(self, lean: float = 0.0) -> Net:
        """The finished net, its box at (0, 0)."""
        rim = tuple(_rim(self.panels[0].name, self))
        box = box_of(rim)
        corners = tuple(_without_straight(rim))
        panels, folds = tuple(self.panels), tuple(self.folds)
        net = Net("net", corners, panels=panels, folds=folds, lean=lean)
        return _move(net, translation(-box.x0, -box.y0))


def beside(edge: tuple[Point, Point], points: Iterable[tuple[float, float]]) -> Outline:
    """Points beside an edge, each given as the mm along it and the mm out from it."""
    place = Ray.through(*edge).frame
    return tuple(place.apply(Point(at, -out)) for at, out in points)


def _rim(name: str, sketch: Sketch) -> Iterator[Point]:
    """The outline of a panel and of all panels that it holds."""
    outline = next(panel.outline for panel in sketch.panels if panel.name == name)
    folds = [fold for fold in sketch.folds if fold.of == name]
    is_root = name == sketch.panels[0].name
    for p, q in edges(outline) if is_root else list(edges(outline))[:-1]:
        yield p
        for fold in sorted(folds, key=lambda fold: dist(fold.start, p)):
            if _is_on(fold, p, q):
                yield from _rim(fold.to, sketch)
    if not is_root:
        yield outline[-1]


def _is_on(fold: Fold, p: Point, q: Point) -> bool:
    """Whether a fold is on an edge."""
    ray, length = Ray.through(p, q), dist(p, q)
    return all(abs(off) < 1e-6 and -1e-6 < at < length + 1e-6 for at, off in map(ray.place, (fold.start, fold.end)))


def _without_straight(rim: Outline) -> Iterator[Point]:
    """The corners of an outline, without repeated points and points within an edge."""
    points = [p for i, p in enumerate(rim) if dist(p, rim[i - 1]) > 1e-6]
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
            replace(panel, outline=carried(panel.outline, by), place=by @ panel.place) for panel in net.panels
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

    def depth(self, spot: Vector) -> float:
        """How far behind the plane a place in space is, in mm."""
        return sum((there - here) * step for there, here, step in zip(spot, self.origin, self.inward, strict=True))


def fold_net(net: Net) -> Mapping[str, PanelPlane]:
    """The plane of every panel, by its name; the first panel is upright, its box at the origin."""
    root = net.panels[0]
    back = root.place.undo()
    frames = {root.name: PanelPlane((back.e, back.f, 0.0), (back.a, back.b, 0.0), (back.c, back.d, 0.0))}
    for fold in {(fold.of, fold.to): fold for fold in net.folds}.values():
        if fold.to not in frames:
            frames[fold.to] = _turn_about(frames[fold.of], fold)
    return frames


def _turn_about(frame: PanelPlane, fold: Fold) -> PanelPlane:
    """Turn a plane about a fold, so that the part beyond the fold goes away from the viewer."""
    angle, (x, y, ux, uy) = radians(fold.angle), Ray.through(fold.start, fold.end)
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

    `is_inside`: the view shows the side that is not printed. `shade` is from 0 (light) to 1, by the panel's direction.
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
        origin, right, down = (_rotate(vector, one, other, radians(angle)) for vector in (origin, right, down))
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
