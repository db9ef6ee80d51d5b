"""Take measures in mm, make the nets of standing pieces: a pyramid, a tent, a house.

All are open at the bottom. Measures are of the finished piece; panels have no thickness.
"""

from __future__ import annotations

from math import acos, asin, atan2, cos, degrees, hypot, pi, radians, sin, sqrt, tan

from generator.basics.geometry import Point
from generator.layout.nets.net import Net, Sketch

_WIDEST_TAB = 8.0  # mm, enough for a fingertip to press
_TAPER = 45.0  # degrees at the ends of a tab
_CLEAR = 0.5  # mm from a tab to the ends of its fold, so that the tab stays hidden
_SHARE = 0.6  # of the panel in front of a tab
_AROUND = ("gable-1", "wall-1", "gable-2", "wall-2")


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
