"""Take the shape of a piece, make a mesh of it (OBJ): a slab of its outline, or a folded net.

A mesh is in inches, as the table is, y up; its texture is the picture of the front's box, with the
back's beside it if there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin

from msgspec import Struct, field

from generator.basics.geometry import HAIR, Point, decimal
from generator.basics.outlines import Outline, Shape, edges
from generator.basics.units import MM_PER_INCH
from generator.layout.nets import Net, Panel, fold_net

Spot = tuple[float, float, float]
THICKNESS = 2.0  # mm of a tile


class _Mesh(Struct):
    """Corners in space, their places on the texture, and faces of both."""

    spots: list[Spot] = field(default_factory=list)
    places: list[tuple[float, float]] = field(default_factory=list)
    faces: list[list[int]] = field(default_factory=list)

    def add(self, corners: Sequence[Spot], places: Sequence[tuple[float, float]]) -> None:
        """Add a flat face, its corners counterclockwise as seen."""
        first = len(self.spots) + 1
        self.spots += corners
        self.places += places
        self.faces.append(list(range(first, first + len(corners))))

    def content(self) -> bytes:
        lines = [
            f"v {' '.join(decimal(value / MM_PER_INCH, 6) for value in s)}" for s in self.spots
        ]
        lines += [f"vt {decimal(u, 6)} {decimal(v, 6)}" for u, v in self.places]
        lines += [f"f {' '.join(f'{number}/{number}' for number in face)}" for face in self.faces]
        return "\n".join([*lines, ""]).encode("ascii")


def slab(shape: Shape, *, has_back: bool) -> bytes:
    """A tile that lies with its front up. Its edge shows the colour at the edge of its front."""
    mesh, outline = _Mesh(), shape.outline
    size, share = shape.size, 0.5 if has_back else 1.0

    def spot(point: Point, up: float) -> Spot:
        return point.x - size.width / 2, up, point.y - size.height / 2

    def front(point: Point) -> tuple[float, float]:
        return point.x / size.width * share, 1 - point.y / size.height

    def back(point: Point) -> tuple[float, float]:
        return 1.0 - front(point)[0] if has_back else front(point)[0], front(point)[1]

    for corners in triangulate(outline):
        up = [corners[0], *reversed(corners[1:])]  # outlines are clockwise as seen
        mesh.add([spot(point, THICKNESS) for point in up], [front(point) for point in up])
        mesh.add([spot(point, 0.0) for point in corners], [back(point) for point in corners])
    for start, end in edges(outline):
        wall = [spot(end, THICKNESS), spot(end, 0.0), spot(start, 0.0), spot(start, THICKNESS)]
        mesh.add(wall, [front(end), front(end), front(start), front(start)])
    return mesh.content()


def folded(net: Net) -> bytes:
    """The folded piece, on its foot; both sides of each panel show the print."""
    mesh, planes, size = _Mesh(), fold_net(net), net.size
    shown = [panel for panel in net.panels if not panel.is_glued]
    c, s = cos(radians(net.lean)), sin(radians(net.lean))

    def stand(point: Point, panel: Panel) -> Spot:
        """X to the right, y up, z to the viewer."""
        x, y, z = planes[panel.name].at(point)
        return x, s * -z - c * y, s * y - c * z

    spots = [stand(point, panel) for panel in shown for point in panel.outline]
    lows, highs = (list(map(pick, zip(*spots, strict=True))) for pick in (min, max))
    middle = Point((lows[0] + highs[0]) / 2, (lows[2] + highs[2]) / 2)

    def place(point: Point) -> tuple[float, float]:
        return point.x / size.width, 1 - point.y / size.height

    for panel in shown:
        for corners in triangulate(panel.outline):
            standing = (stand(point, panel) for point in corners)
            around = [(x - middle.x, y - lows[1], z - middle.y) for x, y, z in standing]
            places = [place(point) for point in corners]
            mesh.add(around[::-1], places[::-1])
            mesh.add(around, places)
    return mesh.content()


def triangulate(outline: Outline) -> list[tuple[Point, Point, Point]]:
    """Triangles that fill an outline, each clockwise as seen or a mere line, by cutting off
    ears."""
    around = zip((outline[-1], *outline), outline, (*outline[1:], outline[0]), strict=False)
    left = [here for before, here, after in around if abs(_turn(before, here, after)) > HAIR]
    triangles = []
    while len(left) > 3:
        index = next((i for i in range(len(left)) if _is_ear(left, i)), 0)
        triangles.append((left[index - 1], left[index], left[(index + 1) % len(left)]))
        del left[index]
    return [*triangles, (left[0], left[1], left[2])]


def _is_ear(left: Sequence[Point], index: int) -> bool:
    a, b, c = left[index - 1], left[index], left[(index + 1) % len(left)]
    if _turn(a, b, c) <= 0:
        return False
    others = (point for point in left if point not in (a, b, c))
    return not any(min(_turn(a, b, p), _turn(b, c, p), _turn(c, a, p)) >= 0 for p in others)


def _turn(a: Point, b: Point, c: Point) -> float:
    """Positive if the way from a over b to c turns clockwise as seen."""
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
