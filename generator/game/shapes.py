"""Outlines of pieces, from their [component.shape], and their folds and holes."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from math import dist, hypot
from pathlib import Path as Folder
from typing import Annotated, Literal, Protocol, runtime_checkable

from msgspec import Meta
from msgspec.structs import replace

from generator.basics import shapes
from generator.basics.errors import MisfitError, Place, did_you_mean, quote
from generator.basics.geometry import IDENTITY, Point, Rect, Size, parse_length, split_size, translation
from generator.basics.keys import Before, Custom, KeyPath, Keys, describe
from generator.layout.folds import FoldLine, fold_flat, open_fold
from generator.layout.solids import die, envelope, house, pyramid, standee, tent, tray, tuckbox
from generator.tables.fields import CutLength, FileName, FoldLength, Length

MOST_CORNERS = 200
_SHARPEST = 20.0  # degrees; a sharper corner tears off when it is cut
_SHORTEST_EDGE = 0.5  # mm
LEAST_HOLE, LEAST_WEB = 1.5, 2.0  # mm: no knife cuts a smaller hole, and a narrower web tears
LEAST_SLOT = (0.6, 5.0)  # mm: two cuts along a ruler, as far apart as two sheets of card are thick
LEAST_PANEL = 5.0  # mm: a narrower part cannot be folded
MOST_FOLDS, MOST_HOLES = 20, 60
_MOST_BENT = 178.0  # degrees: paper that is folded over stays a bit open
_SPECK = 0.01  # mm²
_AT_EDGE = 0.1  # mm that a fold may end before the edge


class ShapeTable(Protocol):
    """A [component.shape]: its fields are the keys."""

    def shape(self) -> shapes.Shape:
        """Raises MisfitError for an outline that cannot be cut."""
        ...


class Hexagon(Keys, frozen=True, kw_only=True):
    """A regular hexagon."""

    across: CutLength
    top: Literal["corner", "edge"] = "corner"

    def shape(self) -> shapes.Shape:
        return shapes.hexagon(self.across, self.top)


class Trihex(Keys, frozen=True, kw_only=True):
    """Three hexagons around a point, one above two."""

    across: CutLength

    def shape(self) -> shapes.Shape:
        return shapes.trihex(self.across)


class Circle(Keys, frozen=True, kw_only=True):
    """A disc."""

    diameter: CutLength

    def shape(self) -> shapes.Shape:
        return shapes.circle(self.diameter)


class Polygon(Keys, frozen=True, kw_only=True):
    """Any outline of straight edges, corner after corner, from the top left of its box."""

    corners: Annotated[list[tuple[Length, Length]], Meta(min_length=3, max_length=MOST_CORNERS)]

    def shape(self) -> shapes.Shape:
        corners = [Point(*corner) for corner in self.corners]
        _check_edges(tuple(corners), "polygon")
        shape = shapes.polygon(corners)
        if min(shape.size) < 5.0:
            raise MisfitError("the polygon is too small to cut", "at least 5mm each way")
        _check_corners(shape.outline)
        return shape


@runtime_checkable
class DrawnTable(Protocol):
    """A [component.shape] that names a file of the game."""

    def draw(self, folder: Folder, place: Place) -> shapes.Shape:
        """The outline that a file in a folder has; `place` asks for it. Raises PnpError."""
        ...


class DrawnOutline(Keys, frozen=True, kw_only=True):
    """Any outline that is drawn: a path, circle, ellipse, rectangle or polygon of an SVG."""

    file: FileName

    def draw(self, folder: Folder, place: Place) -> shapes.Shape:
        from generator.art.outlines import read_outline  # rarely needed

        return read_outline(folder, self.file, place)


class PictureOutline(Keys, frozen=True, kw_only=True):
    """The outline around the opaque part of a picture with an alpha channel."""

    picture: FileName
    page: PieceSize
    margin: Length = 2.0

    def draw(self, folder: Folder, place: Place) -> shapes.Shape:
        from generator.art.outlines import read_picture_outline  # rarely needed

        return read_picture_outline(folder, self.picture, Size(*self.page), self.margin, place)


def _number(value: object) -> object:
    """A number, also as the cell of a table."""
    return int(value) if isinstance(value, str) and value.isdecimal() else value


class Pyramid(Keys, frozen=True, kw_only=True):
    """A net: a square pyramid, open at its bottom; panels "side-1" to "side-4", and a tab."""

    base: FoldLength
    height: FoldLength

    def shape(self) -> shapes.Shape:
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

    def shape(self) -> shapes.Shape:
        return tent(self.width, self.depth, self.height)


class House(Keys, frozen=True, kw_only=True):
    """A net: walls and a saddle roof, open at its bottom; "gable-1", "wall-1" and so on around,
    "roof-1" and "roof-2", and two tabs. A tower is a high one."""

    width: FoldLength  # of the walls
    depth: FoldLength  # of the gables
    height: FoldLength  # of the walls
    roof: CutLength  # from the top of the walls to the ridge

    def shape(self) -> shapes.Shape:
        return house(self.width, self.depth, self.height, self.roof)


class DieShape(Keys, frozen=True, kw_only=True):
    """A net: a die; "face-1" and so on, and tabs. A die of ten has an edge that is longer."""

    sides: Custom[Literal[4, 6, 8, 10, 12, 20], Before(_number)] = 6
    edge: FoldLength

    def shape(self) -> shapes.Shape:
        return die(self.sides, self.edge)


class Standee(Keys, frozen=True, kw_only=True):
    """A net: a figure that stands, "front" and "back" head to head, with a base."""

    width: FoldLength
    height: FoldLength
    base: Literal["flap", "slot"] = "flap"
    foot: FoldLength = 10.0  # of a flap, or of what is in the slot

    def shape(self) -> shapes.Shape:
        return standee(self.width, self.height, self.foot, has_slot=self.base == "slot")


class Tray(Keys, frozen=True, kw_only=True):
    """A net: a box open at its top; "bottom", "front", "back", "left", "right", and four tabs."""

    width: FoldLength
    depth: FoldLength  # from the front to the back
    height: FoldLength

    def shape(self) -> shapes.Shape:
        return tray(self.width, self.depth, self.height)


class Lid(Tray, frozen=True, kw_only=True):
    """A net: the lid of a box, a tray upside down; "top" and the panels of its walls."""

    def shape(self) -> shapes.Shape:
        return tray(self.width, self.depth, self.height, is_lid=True)


class Envelope(Keys, frozen=True, kw_only=True):
    """A net: an envelope that opens at its top; "front", "back" and "flap", and two tabs."""

    width: FoldLength
    height: FoldLength
    flap: FoldLength = 15.0

    def shape(self) -> shapes.Shape:
        return envelope(self.width, self.height, self.flap)


class Divider(Keys, frozen=True, kw_only=True):
    """A flat card with a tab at its top, to keep cards apart."""

    width: CutLength
    height: CutLength  # without the tab
    tab: CutLength
    out: CutLength = 10.0
    left: Length = 0.0

    def shape(self) -> shapes.Shape:
        if self.left + self.tab > self.width:
            raise MisfitError("the tab is wider than the divider", "a smaller `left` or `tab`")
        x0, x1, y0, y1 = self.left, self.left + self.tab, self.out, self.out + self.height
        tab = Point(x0, y0), Point(x0, 0.0), Point(x1, 0.0), Point(x1, y0)
        corners = [Point(0.0, y0), *tab, Point(self.width, y0)]
        corners += [Point(self.width, y1), Point(0.0, y1)]
        return shapes.polygon([p for p, q in shapes.edges(tuple(corners)) if dist(p, q) > _SHORTEST_EDGE])


class TuckBox(Keys, frozen=True, kw_only=True):
    """A net: a box with a lid to tuck in; "front", "back", "left", "right", "top", "bottom"."""

    width: FoldLength
    height: FoldLength
    depth: CutLength

    def shape(self) -> shapes.Shape:
        return tuckbox(self.width, self.height, self.depth)


SHAPES: Mapping[str, type[ShapeTable] | type[DrawnTable]] = {
    "hexagon": Hexagon,
    "trihex": Trihex,
    "circle": Circle,
    "polygon": Polygon,
    "outline": DrawnOutline,
    "alpha": PictureOutline,
    "pyramid": Pyramid,
    "tent": Tent,
    "house": House,
    "tuckbox": TuckBox,
    "die": DieShape,
    "standee": Standee,
    "tray": Tray,
    "lid": Lid,
    "envelope": Envelope,
    "divider": Divider,
}
SHARING = ("hexagon", "trihex", "tent")  # neighbours can share a cut, as rectangles do
IN_SQUARES = ("hexagon", "trihex", "circle", "polygon", "outline", "alpha")
MAY_SHARE = (*SHARING, "polygon", "outline")  # as some of them can


def _check_edges(outline: shapes.Outline, name: str) -> None:
    """Raises MisfitError if an edge is too short to cut or crosses another."""
    sides = list(shapes.edges(outline))
    for number, ((x0, y0), (x1, y1)) in enumerate(sides, 1):
        if hypot(x1 - x0, y1 - y0) < _SHORTEST_EDGE:
            last = number % len(sides) + 1
            what = f"corners {number} and {last} of the {name} are the same point"
            raise MisfitError(what, f"edges of at least {_SHORTEST_EDGE:g}mm")
    for (i, one), (j, other) in combinations(enumerate(sides), 2):
        is_next = j - i in (1, len(sides) - 1)
        if not is_next and _cross(*one, *other):
            what = f"edges {i + 1} and {j + 1} of the {name} cross"
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


def _check_corners(outline: shapes.Outline) -> None:
    for corner, angle, _ in shapes.angles(outline):
        if angle < _SHARPEST:
            what = f"the polygon's corner at {corner.x:g}, {corner.y:g} mm is too sharp to cut"
            raise MisfitError(what, f"at least {_SHARPEST:g} degrees; this is {angle:.0f}")


Spot = Annotated[tuple[Length, Length], describe("from the left and from the top of the cut piece's box")]


_Corners = Annotated[list[Spot], Meta(min_length=3, max_length=MOST_CORNERS)]


class FoldTable(Keys, frozen=True, kw_only=True):
    """A line to score and to fold, in `folds` of a [[component]]."""

    x: Length | None = None
    y: Length | None = None
    between: tuple[Spot, Spot] | None = None
    angle: Annotated[float, Meta(ge=-180, le=180)] = 0.0

    def __post_init__(self) -> None:
        if sum(way is not None for way in (self.x, self.y, self.between)) != 1:
            raise MisfitError("a fold is where x, y or between says", "give it one of these")

    def line(self, shape: shapes.Shape) -> FoldLine:
        """The line, to beyond the edges of the piece."""
        width, height = shape.size
        angle = max(-_MOST_BENT, min(self.angle, _MOST_BENT))
        if self.x is not None:
            return FoldLine(Point(self.x, -1.0), Point(self.x, height + 1.0), angle)
        if self.y is not None:
            return FoldLine(Point(-1.0, self.y), Point(width + 1.0, self.y), angle)
        start, end = (Point(*spot) for spot in self.between or ())
        length = max(hypot(end.x - start.x, end.y - start.y), _AT_EDGE)
        dx, dy = ((far - near) / length * _AT_EDGE for near, far in zip(start, end, strict=True))
        return FoldLine(Point(start.x - dx, start.y - dy), Point(end.x + dx, end.y + dy), angle)


class HoleTable(Keys, frozen=True, kw_only=True):
    """A round hole, in `holes` of a [[component]]."""

    at: Spot
    diameter: Length

    def outline(self) -> shapes.Outline:
        x, y = (middle - self.diameter / 2 for middle in self.at)
        return shapes.carried(shapes.circle(self.diameter).outline, translation(x, y))


class CutoutTable(Keys, frozen=True, kw_only=True):
    """A window, in `cutouts` of a [[component]]: a rectangle, or any outline of straight edges."""

    at: Spot | None = None
    size: tuple[Length, Length] | None = None
    corner_radius: Length = 0.0
    corners: _Corners | None = None

    def __post_init__(self) -> None:
        is_rectangle = self.at is not None and self.size is not None
        if is_rectangle is (self.corners is not None):
            raise MisfitError("a cutout has at and size, or corners", "give it either")
        if self.corners and (self.at or self.size or self.corner_radius):
            raise MisfitError("at, size and corner_radius are for rectangles", "leave them out")
        most = min(self.size) / 2 if self.size else 0.0
        if self.corner_radius > most:
            what = f"a radius of {self.corner_radius:g} mm is more than half the cutout"
            raise MisfitError(what, f"at most {most:g}mm")

    def outline(self) -> shapes.Outline:
        """Raises MisfitError for one whose edges cross."""
        if self.corners is None:
            (x, y), (width, height) = self.at or (0.0, 0.0), self.size or (0.0, 0.0)
            return shapes.rounded(Rect(x, y, x + width, y + height).corners(), self.corner_radius)
        corners = tuple(Point(*corner) for corner in self.corners)
        _check_edges(corners, "cutout")
        return corners if shapes.area(corners) > 0 else tuple(reversed(corners))


def work_on(
    shape: shapes.Shape,
    radius: float,
    folds: Sequence[FoldTable],
    cuts: Sequence[tuple[KeyPath, HoleTable | CutoutTable | shapes.Outline]],
    report: Callable[[KeyPath, MisfitError], None],
) -> shapes.Shape | None:
    """A piece with its holes and folds; None if some of them have faults, which are reported with
    their paths. `radius` is that of its corners."""
    if not folds and not cuts:
        return shape
    if shape.kind == "net":
        key = "folds" if folds else cuts[0][0][0]
        hint = "choose a shape that lies flat; or leave it out"
        report((key,), MisfitError("a net has folds of its own, and no holes", hint))
        return None
    cut, holes, is_sound = shapes.rounded(shape.outline, radius), list[shapes.Outline](), True
    lines = [fold.line(shape) for fold in folds]
    checks = [(path, partial(_add_hole, given, cut, holes)) for path, given in cuts]
    checks += [(("folds", i), partial(_check_line, line, cut)) for i, line in enumerate(lines)]
    for path, check in checks:
        try:
            check()
        except MisfitError as error:
            report(path, error)
            is_sound = False
    if not is_sound:
        return None
    pierced = replace(shape, holes=tuple(holes))
    try:
        return _fold(pierced, cut, lines) if lines else pierced
    except MisfitError as error:
        report(("folds",), error)
        return None


def _add_hole(
    given: HoleTable | CutoutTable | shapes.Outline, cut: shapes.Outline, holes: list[shapes.Outline]
) -> None:
    """Add a hole to those before it. Raises MisfitError if it cannot be cut, or a web tears."""
    hole = given if isinstance(given, tuple) else given.outline()
    box = shapes.box_of(hole)
    name = "cutout" if isinstance(given, CutoutTable) else "hole"
    at = box.centre if name == "hole" else box
    what = f"the {name} at {at[0]:g}, {at[1]:g} mm"
    least, most = sorted((box.width, box.height))
    is_slot = least >= LEAST_SLOT[0] and most >= LEAST_SLOT[1]
    if least < LEAST_HOLE and not is_slot:
        hint = "at least {:g}mm each way; a slot: {:g}mm, and {:g}mm long"
        raise MisfitError(f"{what} is too small to cut", hint.format(LEAST_HOLE, *LEAST_SLOT))
    wide = shapes.Shape("polygon", hole).placed(IDENTITY, by=LEAST_WEB)
    hint = f"leave {LEAST_WEB:g} mm of paper between them"
    if not _is_within(hole, cut):
        size = shapes.box_of(cut)
        raise MisfitError(f"{what} leaves the piece", f"the piece is {size.x1:g} × {size.y1:g} mm")
    if not _is_within(wide, cut):
        raise MisfitError(f"{what} is too near to the edge", hint)
    if any(shapes.common(wide, other) for other in holes):
        raise MisfitError(f"{what} is too near to another", hint)
    holes.append(hole)


def _is_within(outline: shapes.Outline, cut: shapes.Outline) -> bool:
    return sum(map(shapes.area, shapes.common(outline, cut))) > shapes.area(outline) - _SPECK


def _check_line(line: FoldLine, cut: shapes.Outline) -> None:
    """Raises MisfitError unless a fold crosses a piece from edge to edge."""
    size = shapes.box_of(cut)
    if not line.within(cut):
        raise MisfitError("the fold does not cross the piece", f"the piece is {size.x1:g} × {size.y1:g} mm")
    if shapes.holds_point(cut, line.start) or shapes.holds_point(cut, line.end):
        raise MisfitError("the fold ends within the piece", "let it run from a point of the outline to another")


def _fold(shape: shapes.Shape, cut: shapes.Outline, lines: Sequence[FoldLine]) -> shapes.Shape:
    """Raises MisfitError if parts are too narrow, or if folds that cross are all bent."""
    net = fold_flat(shape, cut, lines)
    narrowest = min(shapes.area(panel.outline) / max(panel.size) for panel in net.panels)
    if narrowest < LEAST_PANEL:
        what = f"the folds leave a part that is {narrowest:.1f} mm wide"
        raise MisfitError(what, f"at least {LEAST_PANEL:g} mm from fold to fold and to the edge")
    if open_fold(net):
        hint = "give one of them no angle, or cut the paper where they cross: cutouts"
        raise MisfitError("folds that cross cannot all be bent", hint)
    return net


@cache
def named_sizes() -> dict[str, list[str]]:
    """The usual sizes by their names: width and height, as texts."""
    text = Folder(__file__).with_name("sizes.toml").read_text("utf-8")
    sizes: dict[str, list[str]] = tomllib.loads(text)["size"]
    return sizes


def usual_size(name: str) -> Size:
    """The usual size of a name, in mm."""
    return Size(*map(parse_length, named_sizes()[name]))


def _resolve_name(value: object) -> object:
    if not isinstance(value, str):
        return value
    sizes = named_sizes()
    size = sizes.get(value) or split_size(value)
    if size is None:
        hint = f"two lengths: '63.5x88.9mm', or a name; {did_you_mean(value, sizes)}"
        raise MisfitError(f"there is no size {quote(value)}", hint)
    return size


PieceSize = Custom[tuple[CutLength, CutLength], Before(_resolve_name)]
SIZE = describe("width and height of the cut piece: '63x88mm', ['63mm', '88mm'] or a name: 'poker'")
