"""Outlines of pieces, from their [component.shape]."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from itertools import combinations
from math import acos, degrees, hypot
from pathlib import Path
from typing import Annotated, Literal, Protocol

from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.basics.geometry import Outline, Point, Shape, circle, edges, hexagon, polygon, trihex
from generator.basics.keys import Before, Custom, Keys, describe
from generator.basics.units import split_size
from generator.layout.nets import house, pyramid, tent, tuckbox
from generator.tables.fields import CutLength, FoldLength, Length

MOST_CORNERS = 200
_SHARPEST = 20.0  # degrees; a sharper corner tears off when it is cut
_SHORTEST_EDGE = 0.5  # mm


class ShapeTable(Protocol):
    """A [component.shape]: its fields are the keys."""

    def shape(self) -> Shape:
        """Raises MisfitError for an outline that cannot be cut."""
        ...


class Hexagon(Keys, frozen=True, kw_only=True):
    """A regular hexagon."""

    across: Annotated[CutLength, describe("the width from side to side, at least 5mm")]
    top: Annotated[Literal["corner", "edge"], describe("the part at the top")] = "corner"

    def shape(self) -> Shape:
        return hexagon(self.across, self.top)


class Trihex(Keys, frozen=True, kw_only=True):
    """Three hexagons around a point, one above two."""

    across: Annotated[
        CutLength, describe("the width of one hexagon from side to side, at least 5mm")
    ]

    def shape(self) -> Shape:
        return trihex(self.across)


class Circle(Keys, frozen=True, kw_only=True):
    """A disc."""

    diameter: Annotated[CutLength, describe("the diameter of the cut piece, at least 5mm")]

    def shape(self) -> Shape:
        return circle(self.diameter)


class Polygon(Keys, frozen=True, kw_only=True):
    """Any outline of straight edges, corner after corner, from the top left of its box."""

    corners: Annotated[
        list[tuple[Length, Length]],
        describe("corner after corner: [['0mm', '0mm'], …]", min_length=3, max_length=MOST_CORNERS),
    ]

    def shape(self) -> Shape:
        corners = [Point(*corner) for corner in self.corners]
        _check_edges(tuple(corners))
        shape = polygon(corners)
        if min(shape.size) < 5.0:
            raise MisfitError("the polygon is too small to cut", "at least 5mm each way")
        _check_corners(shape.outline)
        return shape


class Pyramid(Keys, frozen=True, kw_only=True):
    """A net: a square pyramid, open at its bottom; panels "side-1" to "side-4", and a tab."""

    base: FoldLength
    height: FoldLength

    def shape(self) -> Shape:
        for is_fault, what, least in (
            (self.height < self.base / 2, "too flat", "at least half of"),
            (self.height > self.base * 4, "too steep", "at most four times"),
        ):
            if is_fault:
                raise MisfitError(f"the pyramid is {what} to fold", f"a height of {least} its base")
        return pyramid(self.base, self.height)


class Tent(Keys, frozen=True, kw_only=True):
    """A net: two roofs, "roof-1" and "roof-2", that lean on each other; one fold, no glue."""

    width: FoldLength  # of the ridge
    depth: FoldLength  # from foot to foot
    height: FoldLength

    def shape(self) -> Shape:
        return tent(self.width, self.depth, self.height)


class House(Keys, frozen=True, kw_only=True):
    """A net: walls and a saddle roof, open at its bottom; "gable-1", "wall-1" and so on around,
    "roof-1" and "roof-2", and two tabs. A tower is a high one."""

    width: FoldLength  # of the walls
    depth: FoldLength  # of the gables
    height: FoldLength  # of the walls
    roof: CutLength  # from the top of the walls to the ridge

    def shape(self) -> Shape:
        return house(self.width, self.depth, self.height, self.roof)


class TuckBox(Keys, frozen=True, kw_only=True):
    """A net: a box with a lid to tuck in; "front", "back", "left", "right", "top", "bottom"."""

    width: FoldLength
    height: FoldLength
    depth: CutLength

    def shape(self) -> Shape:
        return tuckbox(self.width, self.height, self.depth)


SHAPES: Mapping[str, type[ShapeTable]] = {
    "hexagon": Hexagon,
    "trihex": Trihex,
    "circle": Circle,
    "polygon": Polygon,
    "pyramid": Pyramid,
    "tent": Tent,
    "house": House,
    "tuckbox": TuckBox,
}
SHARING = ("hexagon", "trihex", "tent")  # neighbours can share a cut, as rectangles do


def _check_edges(outline: Outline) -> None:
    """Raises MisfitError if an edge is too short to cut or crosses another."""
    sides = list(edges(outline))
    for number, ((x0, y0), (x1, y1)) in enumerate(sides, 1):
        if hypot(x1 - x0, y1 - y0) < _SHORTEST_EDGE:
            what = (
                f"corners {number} and {number % len(sides) + 1} of the polygon are the same point"
            )
            raise MisfitError(what, f"edges of at least {_SHORTEST_EDGE:g}mm")
    for (i, one), (j, other) in combinations(enumerate(sides), 2):
        is_next = j - i in (1, len(sides) - 1)
        if not is_next and _cross(*one, *other):
            what = f"edges {i + 1} and {j + 1} of the polygon cross"
            raise MisfitError(what, "name the corners in the order of the cut")


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two line segments meet, if only in a point."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)

    if max(min(a.x, b.x), min(c.x, d.x)) > min(max(a.x, b.x), max(c.x, d.x)):
        return False
    if max(min(a.y, b.y), min(c.y, d.y)) > min(max(a.y, b.y), max(c.y, d.y)):
        return False
    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


def _check_corners(outline: Outline) -> None:
    for corner, angle in _angles(outline):
        if angle < _SHARPEST:
            what = f"the polygon's corner at {corner.x:g}, {corner.y:g} mm is too sharp to cut"
            raise MisfitError(what, f"at least {_SHARPEST:g} degrees; this is {angle:.0f}")


def _angles(outline: Outline) -> Iterator[tuple[Point, float]]:
    """The angle between the two edges at each corner, in degrees up to 180."""
    for i, (x, y) in enumerate(outline):
        (px, py), (qx, qy) = outline[i - 1], outline[(i + 1) % len(outline)]
        ax, ay, bx, by = px - x, py - y, qx - x, qy - y
        cosine = (ax * bx + ay * by) / (hypot(ax, ay) * hypot(bx, by))
        yield outline[i], degrees(acos(max(-1.0, min(1.0, cosine)))) if cosine < 1 else 0.0


def size_names() -> list[str]:
    return list(_sizes())


def _sizes() -> dict[str, list[str]]:
    text = Path(__file__).with_name("sizes.toml").read_text("utf-8")
    sizes: dict[str, list[str]] = tomllib.loads(text)["size"]
    return sizes


def _resolve_name(value: object) -> object:
    if not isinstance(value, str):
        return value
    sizes = _sizes()
    size = sizes.get(value) or split_size(value)
    if size is None:
        hint = f"two lengths: '63.5x88.9mm', or a name; {did_you_mean(value, sizes)}"
        raise MisfitError(f"there is no size {quote(value)}", hint)
    return size


PieceSize = Custom[tuple[CutLength, CutLength], Before(_resolve_name)]
