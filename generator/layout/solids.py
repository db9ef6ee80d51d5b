"""Nets of solids, from measures in mm: a pyramid, a tent, a house, a standee, a tuck box, glued at
its side and its bottom, a tray, its lid, an envelope, and dice.

Dice are regular solids, and a ten-sided one of kites, with tabs on their free edges. Opposite faces
add up to the number of faces and one; 1, 2 and 3 of a cube are counterclockwise. The fold angles
are 180 degrees less the dihedral angles (H. S. M. Coxeter, Regular Polytopes, table I).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, combinations, product
from math import acos, asin, atan2, cos, degrees, dist, hypot, pi, radians, sin, sqrt, tan

from msgspec import Struct

from generator.basics.geometry import IDENTITY, Affine, Point, scaling
from generator.basics.shapes import Outline, Ray, area, box_of, carried, common, edges
from generator.layout.nets import CLEAR, WIDEST_TAB, Net, Sketch, beside, fold_net

_TAPER = 45.0  # degrees at the ends of a tab
_SHARE = 0.6  # of the panel in front of a tab
_AROUND = ("gable-1", "wall-1", "gable-2", "wall-2")
PAPER = 0.3  # mm, the thickness of the card
_NARROWER = 0.12  # of the width, on either side, where a standee goes into a slot
_FLAP_OPEN = 120.0  # degrees: the flap of an envelope is seen open
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
_DIE_SHARE = 0.36  # of an edge: the width of a tab
_DIE_TAPERS = (45.0, 30.0, 20.0)  # degrees at the ends of a tab, the first that has room
_TOUCH = 1e-3  # mm², or mm between edges that meet
_ROUND = radians(36.0)  # half of a kite, around the axis of a ten-sided die
_RIM = (1 - cos(_ROUND)) / (1 + cos(_ROUND))  # how far its corners are off its middle plane
_Side = tuple[int, int]  # a panel of a sketch, and an edge of its outline


def pyramid(base: float, height: float) -> Net:
    """A square pyramid: panels "side-1" to "side-4" around the apex, and a tab behind the first."""
    edge, slope = sqrt(height**2 + base**2 / 2), atan2(height, base / 2)
    angle = 2 * asin(base / 2 / edge)  # of a side at the apex
    first = pi / 2 - 2 * angle  # the fan points down
    feet = [Point(edge * cos(first + i * angle), edge * sin(first + i * angle)) for i in range(5)]
    apex = Point(0.0, 0.0)
    sketch, turn = Sketch(), degrees(acos(cos(slope) ** 2))
    for number in range(1, 5):
        right, left = feet[number - 1], feet[number]
        of = f"side-{number - 1}" if number > 1 else ""
        sketch.face(f"side-{number}", (right, left, apex), (left, right), of, turn)
    corners = _pyramid_tab(base, edge, angle)
    sketch.tab("tab", (feet[4], apex), corners, "side-4", turn, "side-1")
    return sketch.net(lean=90.0 - degrees(slope))


def _pyramid_tab(base: float, edge: float, angle: float) -> list[Point]:
    """The corners of a tab that is nowhere wider than the side in front of it."""
    at_foot, at_tip = (min(a, radians(_TAPER)) for a in (pi / 2 - angle / 2, angle))
    low, high = 2 * CLEAR, edge - 4 * CLEAR
    ends = 1 / tan(at_foot) + 1 / tan(at_tip)  # length lost to the slanted ends, per width
    width = min(WIDEST_TAB, base / 4, 0.8 * (high - low) / ends)
    outer = Point(low + width / tan(at_foot), width), Point(high - width / tan(at_tip), width)
    return [Point(low, 0.0), *outer, Point(high, 0.0)]


def tent(width: float, depth: float, height: float) -> Net:
    """Two roofs with a ridge of `width` mm, `depth` mm apart at the foot; one fold and no glue."""
    slant, slope = hypot(height, depth / 2), degrees(atan2(height, depth / 2))
    left, right = Point(0.0, 0.0), Point(width, 0.0)
    sketch = Sketch()
    feet = Point(0.0, slant), Point(width, slant)
    sketch.face("roof-1", (left, right, feet[1], feet[0]), feet)
    sketch.flap("roof-2", (left, right), slant, "roof-1", 2 * slope, hangs=True)
    return sketch.net(lean=90.0 - slope)


def house(width: float, depth: float, height: float, roof: float) -> Net:
    """Walls `height` mm high with a saddle roof `roof` mm high.

    Around it go "gable-1", `depth` mm wide, "wall-1", `width` mm long like the ridge, "gable-2" and
    "wall-2". "roof-1" is above "wall-1". There is a tab behind "gable-1" and one behind "wall-2".
    """
    sketch, x = Sketch(), 0.0
    for name, of in zip(_AROUND, ("", *_AROUND), strict=False):
        is_gable = name.startswith("gable")
        start, foot = Point(x, 0.0), Point(x, height)
        x += depth if is_gable else width
        top = [Point(x - depth / 2, -roof)] if is_gable else []
        end, heel = Point(x, 0.0), Point(x, height)
        sketch.face(name, (start, *top, end, heel, foot), (foot, heel), of, 90.0)
    side = _tab(height, min(WIDEST_TAB, depth * _SHARE))
    sketch.tab("tab", (end, heel), side, "wall-2", 90.0, "gable-1")
    slant, slope = hypot(roof, depth / 2), degrees(atan2(roof, depth / 2))
    low, ridge, high = ((Point(depth, -i * slant), Point(depth + width, -i * slant)) for i in range(3))
    sketch.flap("roof-1", low, slant, "wall-1", 90.0 - slope)
    sketch.flap("roof-2", ridge, slant, "roof-1", 2 * slope, hangs=True)
    eaves = _tab(width, min(WIDEST_TAB, height * _SHARE))
    sketch.tab("eaves", high, eaves, "roof-2", 90.0 - slope, "wall-2")
    return sketch.net()


def _tab(length: float, width: float) -> list[Point]:
    """The outer corners of a tab along a whole fold, a bit tapered."""
    aside = min(width * tan(radians(_TAPER)), length / 4)
    return _trapezoid(length, CLEAR, CLEAR + aside, width)


def _trapezoid(length: float, low: float, high: float, out: float) -> list[Point]:
    """The corners of a tab along a fold: `low` mm from its ends there, `high` mm at its edge."""
    return [Point(low, 0.0), Point(high, out), Point(length - high, out), Point(length - low, 0.0)]


def standee(width: float, height: float, foot: float, *, has_slot: bool = False) -> Net:
    """A "front" and a "back", head to head, as far apart at the foot as the paper is thick.

    Below them there are flaps to glue down, "base-1" and "base-2", `foot` mm deep; or, with a slot,
    both end in a narrower strip of that height, which goes into a slotted base.
    """
    sketch, lean = Sketch(), degrees(atan2(PAPER, height))
    left, right = Point(0.0, 0.0), Point(width, 0.0)
    aside = width * _NARROWER
    end = [Point(width, 0.0), Point(width - aside, 0.0), Point(width - aside, foot)]
    end += [Point(width - x, y) for x, y in reversed(end)]
    low = end if has_slot else [Point(width, 0.0), Point(0.0, 0.0)]
    feet = Point(0.0, height), Point(width, height)
    sketch.face("front", (left, right, *(Point(x, height + y) for x, y in low)), feet)
    far = Point(width, -height), Point(0.0, -height)
    rim = (Point(width - x, -height - y) for x, y in low)
    sketch.face("back", (left, *rim, right), far, "front", 180.0 - 2 * lean)
    if not has_slot:
        for name, of, (heel, toe) in (("base-1", "front", feet), ("base-2", "back", far)):
            sketch.flap(name, (toe, heel), foot, of, lean - 90.0, hangs=True)
    return sketch.net(lean=lean)


def tray(width: float, depth: float, height: float, *, is_lid: bool = False) -> Net:
    """A "bottom" of `width` by `depth` mm and the walls "front", "back", "left" and "right" around
    it, with four tabs; or a lid, with a "top"."""
    floor, sides = ("top", ("right", "left")) if is_lid else ("bottom", ("left", "right"))
    far, near = (Point(0.0, 0.0), Point(width, 0.0)), (Point(width, depth), Point(0.0, depth))
    sketch = Sketch()
    walls = {"front": sketch.flap("front", near, height, hangs=is_lid)}
    sketch.flap(floor, (near[1], near[0]), depth, "front", 90.0, hangs=not is_lid)
    hinges = {"back": far, sides[0]: (far[1], near[0]), sides[1]: (near[1], far[0])}
    for name, hinge in hinges.items():
        walls[name] = sketch.flap(name, hinge, height, floor, 90.0, hangs=is_lid)
    ends = (("front", 0, sides[0]), ("front", 2, sides[1]), ("back", 0, sides[1]))
    tab = _tab(height, min(WIDEST_TAB, depth * _SHARE))
    for number, (name, at, behind) in enumerate((*ends, ("back", 2, sides[0])), 1):
        edge = walls[name][at], walls[name][at + 1]
        sketch.tab(f"tab-{number}", edge, tab, name, 90.0, behind)
    return sketch.net()


def envelope(width: float, height: float, flap: float) -> Net:
    """A "front" and a "back", joined at the foot and glued at both sides, and a "flap"."""
    sketch, turn = Sketch(), 180.0 - degrees(atan2(PAPER / 2, height))
    top = Point(0.0, 0.0), Point(width, 0.0)
    feet = Point(0.0, height), Point(width, height)
    low = Point(0.0, 2 * height), Point(width, 2 * height)
    sketch.face("front", (*top, feet[1], feet[0]), feet)
    sketch.flap("back", (feet[1], feet[0]), height, "front", turn)
    tab = _tab(height, min(_SIDE_TAB, width * _SHARE / 2))
    for number, edge in enumerate(((feet[1], low[1]), (low[0], feet[0])), 1):
        sketch.tab(f"tab-{number}", edge, tab, "back", turn, "front")
    outline = beside(top, _trapezoid(width, 0.0, min(flap, width / 3), flap))
    tip = Point(width, -flap), Point(0.0, -flap)
    sketch.face("flap", outline, tip, "front", _FLAP_OPEN)
    return sketch.net()


def tuckbox(width: float, height: float, depth: float) -> Net:
    """A box that opens at its top, which is `width` by `depth` mm."""
    xs = (-depth, 0.0, width, width + depth, 2 * width + depth)
    sketch = Sketch()
    _wall(sketch, "front", 0.0, width, height, notch=_notch(width, height))
    _wall(sketch, "right", width, xs[3], height, "front")
    _wall(sketch, "back", xs[3], xs[4], height, "right")
    _wall(sketch, "left", -depth, 0.0, height, "front")
    sketch.panels.insert(1, sketch.panels.pop())  # the panels are known in this order
    _side_tab(sketch, Point(-depth, height), width, height)
    _lid(sketch, Point(xs[3], 0.0), width, depth, height)
    for name, x in (("left", -depth), ("right", width)):
        _dust(sketch, name, x, depth, width, height)
    _bottom(sketch, xs[3], width, depth, height)
    return sketch.net()


def shop_tuckbox(width: float, height: float, depth: float) -> Net:
    """A tuck box as shops lay it flat: its right side, back, left side and front. Their own flaps are smaller."""
    sketch, of, (x1, x2, x3, x4) = Sketch(), "", accumulate((depth, width, depth, width))
    for name, start, end in (("right", 0.0, x1), ("back", x1, x2), ("left", x2, x3), ("front", x3, x4)):
        _wall(sketch, name, start, end, height, of)
        of = name
    _lid(sketch, Point(x1, 0.0), width, depth, height)
    _, right, left, _ = sketch.flap("bottom", (Point(x2, height), Point(x1, height)), depth, "back", 90.0, hangs=True)
    _fold_in(sketch, "seat", (right, left), "bottom", "front")
    for side, x in (("right", 0.0), ("left", x2)):
        _fold_in(sketch, f"dust-{side}", (Point(x, 0.0), Point(x + depth, 0.0)), side, "top")
        _fold_in(sketch, f"base-{side}", (Point(x + depth, height), Point(x, height)), side, "bottom")
    return sketch.net()


def _fold_in(sketch: Sketch, name: str, edge: tuple[Point, Point], of: str, behind: str) -> None:
    points = _trapezoid(dist(*edge), 0.0, 0.0, _DUST)
    sketch.face(name, beside(edge, points), edge, of, 90.0, behind)


def _wall(
    sketch: Sketch, name: str, x0: float, x1: float, height: float, of: str = "", notch: Sequence[Point] = ()
) -> None:
    """Add a wall, its outline from the end of its fold; a left side on a front has its fold on the right."""
    (a, b, c, d) = Point(x0, 0.0), Point(x1, 0.0), Point(x1, height), Point(x0, height)
    outline = (c, d, a, b) if (name, of) == ("left", "front") else (a, *notch, b, c, d)
    sketch.face(name, outline, (d, c), of, 90.0)


def _notch(width: float, height: float) -> list[Point]:
    """Half a circle in the upper edge of a wall, left out if it would be too small for a thumb."""
    radius = min(_NOTCH, width / 5, height / 4)
    if radius < _LEAST_NOTCH:
        return []
    angles = (pi - i * pi / (2 * _ARC) for i in range(2 * _ARC + 1))
    return [Point(width / 2 + radius * cos(a), radius * sin(a)) for a in angles]


def _side_tab(sketch: Sketch, foot: Point, width: float, height: float) -> None:
    """Add the tab on the free edge of the left wall, behind the back."""
    out, taper = min(_SIDE_TAB, width / 2), min(_SIDE_TAPER, height / 8)
    points = [Point(taper / 3, 0.0), Point(taper, out)]
    points += [Point(height - along, out) for along, out in reversed(points)]
    top = Point(foot.x, 0.0)
    sketch.tab("tab", (foot, top), points, "left", 90.0, "back")


def _lid(sketch: Sketch, corner: Point, width: float, depth: float, height: float) -> None:
    """Add the lid and its flap. The foot of the lid is its front edge, where the flap begins."""
    (x, y), end = corner, Point(corner.x + width, corner.y)
    far = Point(x, y - depth)
    sketch.flap("top", (corner, end), depth, "back", 90.0, hangs=True)
    out = min(_TUCK, height / 2)
    radius = min(out - 1.0, width / 4)
    x0, x1 = x + _TUCK_CLEAR, x + width - _TUCK_CLEAR
    left = Point(x0 + radius, far.y - out + radius)
    right = Point(x1 - radius, left.y)
    quarter = [i * pi / (2 * _ARC) for i in range(_ARC + 1)]
    arcs = [Point(left.x - radius * cos(a), left.y - radius * sin(a)) for a in quarter]
    arcs += [Point(right.x + radius * sin(a), right.y - radius * cos(a)) for a in quarter]
    start, stop = Point(x0, far.y), Point(x1, far.y)
    sketch.face("tuck", (start, *arcs, stop), (stop, start), "top", 90.0, behind="front")


def _dust(sketch: Sketch, side: str, x: float, depth: float, width: float, height: float) -> None:
    """Add the flaps of a side: one under the lid, and a tab for the bottom."""
    out, aside = min(_DUST, width / 2 - 0.5, max(depth, 8.0)), depth / 6
    lid = Point(x, 0.0), Point(x + depth, 0.0)
    outline = beside(lid, _trapezoid(depth, 0.0, aside, out))
    sketch.face(f"dust-{side}", outline, lid, side, 90.0, behind="top")
    edge = Point(x + depth, height), Point(x, height)
    sketch.tab(f"base-{side}", edge, _trapezoid(depth, 0.0, aside, out), side, 90.0, "bottom")


def _bottom(sketch: Sketch, x: float, width: float, depth: float, height: float) -> None:
    """Add the bottom, joined to the back, and a tab on the front to glue it to."""
    hinge = Point(x + width, height), Point(x, height)
    sketch.flap("bottom", hinge, depth, "back", 90.0, hangs=True)
    out = min(_SEAT, depth - 0.5)
    points = _trapezoid(width, 0.7, min(out, width / 4), out)
    edge = Point(width, height), Point(0.0, height)
    sketch.tab("seat", edge, points, "front", 90.0, "bottom")


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
    motions, firsts = {sides: IDENTITY}, {sides: 0}
    _add_face(sketch, sides, corners, IDENTITY, 0)
    for number, of, side in solid.tree:
        start, end = (motions[of].apply(corners[at % len(corners)]) for at in (side, side + 1))
        own = solid.meets[side]
        firsts[number] = (own + 1) % len(corners)
        first, last = corners[firsts[number]], corners[own]
        motions[number] = Ray.through(start, end).frame @ Ray.through(first, last).frame.undo()
        hinge = f"{FACE}{of}", solid.turns[side]
        _add_face(sketch, number, corners, motions[number], firsts[number], *hinge)
    for one, other in list(_meeting(sketch)):
        number = int(sketch.panels[one[0]].name.removeprefix(FACE))
        _add_tab(sketch, one, other, solid.turns[(firsts[number] + one[1]) % len(corners)])
    lean = 90.0 if sides > 4 else solid.turns[0] - 90.0
    return sketch.net(lean=lean)


def is_die(net: Net) -> bool:
    """Whether it is a net that `die` makes."""
    return net.panels[0].name.startswith(FACE)


def _add_face(
    sketch: Sketch, number: int, corners: Outline, motion: Affine, first: int, of: str = "", angle: float = 0.0
) -> None:
    """Add a face, its outline from one of its corners; its box is that of the upright face."""
    box = box_of(corners)
    _, _, right, left = carried(box.corners(), motion)
    outline = carried((*corners[first:], *corners[:first]), motion)
    sketch.face(f"{FACE}{number}", outline, (left, right), of, angle)


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
    for taper, (side, mate) in product(_DIE_TAPERS, ((one, other), (other, one))):
        of, behind = sketch.panels[side[0]], sketch.panels[mate[0]]
        start, end = list(edges(of.outline))[side[1]]
        points = _die_tab(dist(start, end), taper)
        outer = beside((start, end), points)
        others = (panel.outline for panel in sketch.panels if panel is not of)
        if sum(area(part) for other in others for part in common(outer, other)) < _TOUCH:
            name = f"tab-{sum(panel.is_glued for panel in sketch.panels) + 1}"
            sketch.tab(name, (start, end), points, of.name, turn, behind.name)
            return
    raise AssertionError("a net of dice has room for its tabs")


def _die_tab(length: float, taper: float) -> list[Point]:
    """The corners of a tab, nowhere wider than the face in front of it."""
    out = min(WIDEST_TAB, _DIE_SHARE * length, (length / 2 - CLEAR) * tan(radians(taper)) * 0.8)
    return _trapezoid(length, CLEAR, CLEAR + out / tan(radians(taper)), out)
