"""Take panels that are joined by folds, make a Net: a shape to cut out and fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.geometry import Affine, Point, Size, mirror_x, scaling, translation
from generator.basics.outlines import Crease, Outline, Shape, box_of, carried, edges

_HAIR = 1e-9


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


class Net(Shape, frozen=True):
    """Panels in one piece; folds join all of them to the first, directly or through others.

    `lean`: the degrees by which the first panel leans back when the finished piece stands.
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
        net = Net("net", corners, tuple(self.panels), tuple(self.folds), lean)
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
