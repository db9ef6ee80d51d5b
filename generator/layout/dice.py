"""Nets of dice: regular solids, and a ten-sided one of kites, with tabs on their free edges.

Opposite faces add up to the number of faces and one; 1, 2 and 3 of a cube are counterclockwise. The
fold angles are 180 degrees less the dihedral angles (H. S. M. Coxeter, Regular Polytopes, table I).
"""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from math import acos, atan2, cos, degrees, dist, hypot, pi, radians, sin, sqrt, tan

from msgspec import Struct

from generator.basics.geometry import ORIGIN, Affine, Point, scaling, translation, turning
from generator.basics.shapes import Outline, area, box_of, carried, common, edges
from generator.layout.nets import CLEAR, WIDEST_TAB, Net, Sketch, fold_net

_SHARE = 0.36  # of an edge: the width of a tab
_TAPERS = (45.0, 30.0, 20.0)  # degrees at the ends of a tab, the first that has room
_TOUCH = 1e-3  # mm², or mm between edges that meet
_ROUND = radians(36.0)  # half of a kite, around the axis of a ten-sided die
_RIM = (1 - cos(_ROUND)) / (1 + cos(_ROUND))  # how far its corners are off its middle plane
_Side = tuple[int, int]  # a panel of a sketch, and an edge of its outline


class _Solid(Struct, frozen=True):
    """The faces of a die, all alike: their corners clockwise from the top, for an edge of 1 mm.

    For each edge from the top, `meets`: that of the neighbour which meets it, `turns`: the degrees
    of the fold. `tree`: each face with the one that holds it in the net, and the edge of that one.
    """

    corners: Outline
    meets: tuple[int, ...]
    turns: tuple[float, ...]
    tree: tuple[tuple[int, int, int], ...]


def _regular(sides: int, cosine: float, *tree: tuple[int, int, int]) -> _Solid:
    """A solid of regular polygons whose planes meet at an angle of that cosine."""
    radius = 1 / (2 * sin(pi / sides))
    first = -pi / 2 - (pi / 4 if sides == 4 else 0.0)
    angles = (first + 2 * pi * i / sides for i in range(sides))
    corners = tuple(Point(radius * cos(a), radius * sin(a)) for a in angles)
    meets = (2, 3, 0, 1) if sides == 4 else tuple(range(sides))
    return _Solid(corners, meets, (degrees(acos(-cosine)),) * sides, tree)


def _kites(*tree: tuple[int, int, int]) -> _Solid:
    """The ten-sided die, as high as it is wide; its long edges are 1 mm."""
    length = hypot(1, 1 + _RIM)
    half, along = sin(_ROUND), length * cos(_ROUND)
    corners = Point(0, 0), Point(half, along), Point(0, length), Point(-half, along)
    steep = (1 + _RIM) ** 2
    same = degrees(acos((steep * cos(2 * _ROUND) + 1) / (steep + 1)))
    other = degrees(acos((steep * cos(_ROUND) - 1) / (steep + 1)))
    unit = carried(corners, scaling(1 / hypot(half, along)))
    return _Solid(unit, (3, 1, 2, 0), (same, other, other, same), tree)


# fmt: off
_SOLIDS: Mapping[int, _Solid] = {
    4: _regular(3, 1 / 3, (1, 4, 0), (2, 4, 1), (3, 4, 2)),
    6: _regular(4, 0.0, (2, 6, 0), (3, 6, 1), (5, 6, 2), (4, 6, 3), (1, 5, 2)),
    8: _regular(3, -1 / 3,
                (2, 8, 0), (6, 2, 2), (3, 8, 2), (7, 3, 0), (1, 7, 2), (5, 8, 1), (4, 2, 1)),
    10: _kites((2, 10, 0), (8, 2, 0), (6, 10, 3), (4, 6, 3),
               (7, 10, 1), (3, 7, 0), (9, 3, 0), (5, 7, 3), (1, 5, 3)),
    12: _regular(5, -1 / sqrt(5),
                 (2, 12, 0), (10, 12, 1), (4, 12, 2), (8, 12, 3), (6, 12, 4), (5, 2, 3),
                 (1, 5, 0), (9, 1, 1), (3, 1, 2), (11, 1, 3), (7, 1, 4)),
    20: _regular(3, -sqrt(5) / 3,
                 (2, 20, 1), (12, 2, 0), (10, 12, 2), (17, 10, 0), (3, 17, 2), (19, 3, 0),
                 (18, 2, 2), (4, 18, 0), (11, 4, 2), (9, 11, 0),
                 (15, 12, 1), (8, 10, 1), (7, 17, 1), (16, 3, 1), (1, 19, 1),
                 (5, 18, 1), (14, 4, 1), (13, 11, 1), (6, 9, 1)),
}
# fmt: on
SIDES = tuple(_SOLIDS)
FACE = "face-"  # the name of a panel, before its number


def die(sides: int, edge: float) -> Net:
    """A die with panels "face-1" and so on; it lies with the highest on top, and one of four faces
    with the highest to the front. `edge`: the longest of a face."""
    solid, sketch = _SOLIDS[sides], Sketch()
    corners = carried(solid.corners, scaling(edge))
    motions, firsts = {sides: translation(0.0, 0.0)}, {sides: 0}
    _add_face(sketch, sides, corners, motions[sides], 0)
    for number, of, side in solid.tree:
        start, end = (motions[of].apply(corners[at % len(corners)]) for at in (side, side + 1))
        own = solid.meets[side]
        firsts[number] = (own + 1) % len(corners)
        motions[number] = _onto(corners[firsts[number]], corners[own], start, end)
        _add_face(sketch, number, corners, motions[number], firsts[number])
        sketch.fold(f"{FACE}{of}", start, end, solid.turns[side], f"{FACE}{number}")
    for one, other in list(_meeting(sketch)):
        number = int(sketch.panels[one[0]].name.removeprefix(FACE))
        _add_tab(sketch, one, other, solid.turns[(firsts[number] + one[1]) % len(corners)])
    lean = 90.0 if sides > 4 else solid.turns[0] - 90.0
    return sketch.net(lean=lean)


def is_die(net: Net) -> bool:
    """Whether it is a net that `die` makes."""
    return net.panels[0].name.startswith(FACE)


def _add_face(sketch: Sketch, number: int, corners: Outline, motion: Affine, first: int) -> None:
    """Add a face, its outline from one of its corners; its box is that of the upright face."""
    box = box_of(corners)
    feet = (motion.apply(Point(x, box.y1)) for x in (box.x0, box.x1))
    outline = carried((*corners[first:], *corners[:first]), motion)
    sketch.face(f"{FACE}{number}", outline, (next(feet), next(feet)), box.height)


def _onto(p: Point, q: Point, start: Point, end: Point) -> Affine:
    """The motion that takes p to `start` and q to `end`."""
    turn = atan2(end.y - start.y, end.x - start.x) - atan2(q.y - p.y, q.x - p.x)
    return translation(*start) @ turning(degrees(turn), ORIGIN) @ translation(-p.x, -p.y)


def _meeting(sketch: Sketch) -> Iterator[tuple[_Side, _Side]]:
    """The edges of the net that meet when it is folded."""
    net = sketch.net()
    planes = fold_net(net)
    creases = {frozenset((fold.of, fold.to)) for fold in net.folds}
    middles = {
        (at, side): planes[panel.name].at(Point((p.x + q.x) / 2, (p.y + q.y) / 2))
        for at, panel in enumerate(net.panels)
        for side, (p, q) in enumerate(edges(panel.outline))
    }
    for one, other in combinations(middles, 2):
        names = frozenset(net.panels[at].name for at, _ in (one, other))
        if dist(middles[one], middles[other]) < _TOUCH and names not in creases:
            yield one, other


def _add_tab(sketch: Sketch, one: _Side, other: _Side, turn: float) -> None:
    """Add a tab on one of two edges that meet, where it lies beside all else on the paper."""
    for taper, (side, mate) in product(_TAPERS, ((one, other), (other, one))):
        of, behind = sketch.panels[side[0]], sketch.panels[mate[0]]
        start, end = list(edges(of.outline))[side[1]]
        points = _tab(dist(start, end), taper)
        along = _onto(ORIGIN, Point(1.0, 0.0), start, end)
        outer = tuple(along.apply(Point(x, -out)) for x, out in points)
        others = (panel.outline for panel in sketch.panels if panel is not of)
        if sum(area(part) for other in others for part in common(outer, other)) < _TOUCH:
            name = f"tab-{sum(panel.is_glued for panel in sketch.panels) + 1}"
            sketch.tab(of.name, (start, end), turn, name, points, behind.name)
            return
    raise AssertionError("a net of dice has room for its tabs")


def _tab(length: float, taper: float) -> list[Point]:
    """The corners of a tab, nowhere wider than the face in front of it."""
    out = min(WIDEST_TAB, _SHARE * length, (length / 2 - CLEAR) * tan(radians(taper)) * 0.8)
    aside = CLEAR + out / tan(radians(taper))
    return [
        Point(CLEAR, 0.0),
        Point(aside, out),
        Point(length - aside, out),
        Point(length - CLEAR, 0.0),
    ]
