"""Take the measures of a box in mm, make its net: a tuck box, glued at its side and its bottom.

"left", "right" and "back" are joined to "front"; the lid "top" is joined to the back, and its flap
"tuck" goes inside. Panels have no thickness.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin

from generator.basics.geometry import Point
from generator.layout.nets.net import Net, Sketch

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
