"""Nets of pieces to fold, from measures in mm: a pyramid, a tent, a house, a standee, a tuck box,
glued at its side and its bottom, a tray, its lid, and an envelope.
"""

from itertools import pairwise
from math import acos, asin, atan2, cos, degrees, hypot, pi, radians, sin, sqrt, tan

from generator.basics.geometry import Point
from generator.layout.nets import CLEAR, WIDEST_TAB, Net, Sketch

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
    side = _tab(height, min(WIDEST_TAB, depth * _SHARE))
    sketch.tab("wall-2", (end, heel), 90.0, "tab", side, "gable-1")
    slant, slope = hypot(roof, depth / 2), degrees(atan2(roof, depth / 2))
    _roof(sketch, Point(depth, 0.0), width, slant, slope)
    far = -2 * slant
    eaves = _tab(width, min(WIDEST_TAB, height * _SHARE))
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
    low, high = CLEAR, length - CLEAR
    return [
        Point(low, 0.0),
        Point(low + aside, width),
        Point(high - aside, width),
        Point(high, 0.0),
    ]


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
    sketch.face("front", (left, right, *(Point(x, height + y) for x, y in low)), feet, height)
    sketch.fold("front", left, right, 180.0 - 2 * lean, "back")
    far = Point(width, -height), Point(0.0, -height)
    rim = (Point(width - x, -height - y) for x, y in low)
    sketch.face("back", (left, *rim, right), far, height)
    if not has_slot:
        for name, to, (heel, toe) in (("front", "base-1", feet), ("back", "base-2", far)):
            down = foot if name == "front" else -foot
            outer = Point(heel.x, heel.y + down), Point(toe.x, toe.y + down)
            sketch.fold(name, toe, heel, lean - 90.0, to)
            sketch.face(to, (toe, outer[1], outer[0], heel), outer, foot)
    return sketch.net(lean=lean)


def tray(width: float, depth: float, height: float, *, is_lid: bool = False) -> Net:
    """A "bottom" of `width` by `depth` mm and the walls "front", "back", "left" and "right" around
    it, with four tabs; or a lid, with a "top"."""
    floor, sides = ("top", ("right", "left")) if is_lid else ("bottom", ("left", "right"))
    far, near = (Point(0.0, 0.0), Point(width, 0.0)), (Point(width, depth), Point(0.0, depth))
    sketch = Sketch()
    outlines = {}
    hinges = {"front": near, "back": far, sides[0]: (far[1], near[0]), sides[1]: (near[1], far[0])}
    for name, (start, end) in hinges.items():
        ux, uy = (end.x - start.x), (end.y - start.y)
        out = Point(uy / hypot(ux, uy) * height, -ux / hypot(ux, uy) * height)
        edge = Point(start.x + out.x, start.y + out.y), Point(end.x + out.x, end.y + out.y)
        outlines[name] = start, *edge, end
        feet = (edge[1], edge[0]) if is_lid else (start, end)
        sketch.face(name, outlines[name], feet, height)
        if name == "front":
            sketch.fold(name, end, start, 90.0, floor)
            feet = (near[1], near[0]) if is_lid else (far[1], far[0])
            sketch.face(floor, (near[1], *far, near[0]), feet, depth)
        else:
            sketch.fold(floor, start, end, 90.0, name)
    ends = (("front", 0, sides[0]), ("front", 2, sides[1]), ("back", 0, sides[1]))
    tab = _tab(height, min(WIDEST_TAB, depth * _SHARE))
    for number, (name, at, behind) in enumerate((*ends, ("back", 2, sides[0])), 1):
        edge = outlines[name][at], outlines[name][at + 1]
        sketch.tab(name, edge, 90.0, f"tab-{number}", tab, behind)
    return sketch.net()


def envelope(width: float, height: float, flap: float) -> Net:
    """A "front" and a "back", joined at the foot and glued at both sides, and a "flap"."""
    sketch, turn = Sketch(), 180.0 - degrees(atan2(PAPER / 2, height))
    top = Point(0.0, 0.0), Point(width, 0.0)
    feet = Point(0.0, height), Point(width, height)
    low = Point(0.0, 2 * height), Point(width, 2 * height)
    sketch.face("front", (*top, feet[1], feet[0]), feet, height)
    sketch.fold("front", feet[1], feet[0], turn, "back")
    sketch.face("back", (feet[1], low[1], low[0], feet[0]), (feet[1], feet[0]), height)
    tab = _tab(height, min(_SIDE_TAB, width * _SHARE / 2))
    for number, edge in enumerate(((feet[1], low[1]), (low[0], feet[0])), 1):
        sketch.tab("back", edge, turn, f"tab-{number}", tab, "front")
    aside = min(flap, width / 3)
    tip = Point(aside, -flap), Point(width - aside, -flap)
    sketch.fold("front", *top, _FLAP_OPEN, "flap")
    sketch.face("flap", (top[0], *tip, top[1]), (Point(width, -flap), Point(0.0, -flap)), flap)
    return sketch.net()


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
