"""Paths of a knife: lines and arcs, in millimetres of a page, y down.

They are the cuts and folds of each sheet of a kit as it was imposed.
"""

from __future__ import annotations

from cmath import rect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import atan, ceil, copysign, dist, floor, hypot, inf, pi, tan
from typing import NamedTuple

from msgspec import Struct

from generator.basics.errors import Place, PnpError, Problem, fail
from generator.basics.geometry import IDENTITY, Affine, Point, Rect, Size, steady, translation
from generator.basics.shapes import Outline, Shape, bezier, box_of, circle_of, edges
from generator.export.exporter import Kit, name_sheets
from generator.model import LEAFLETS, SIDES, BoardPanel, Component, MarkLine, Page, Placement, Sheet, divided

QUARTER = tan(pi / 8)  # the bulge of a quarter of a circle
HALF = 1.0  # the bulge of half a circle
_PLACES = 4
_PARTS = 16  # of a quarter of a circle
_HAIR = 2e-4  # mm: points that differ by less are one
_OFF_CURVE = 0.02  # mm, the most by which an arc leaves the lines that it stands for
_MOST_KERF = 0.1  # of the smallest piece: wider is a slip of the keyboard


class Corner(NamedTuple):
    """A corner of a path, and the way to the next one.

    `bulge` is the tangent of a quarter of the arc's angle, positive if the arc turns clockwise as
    seen; 0 for a line. DXF describes arcs in this way, with y up and the opposite sign.
    """

    point: Point
    bulge: float = 0.0


class CutPath(Struct, frozen=True):
    """Corners from start to end, or around if it is closed."""

    corners: tuple[Corner, ...]
    is_closed: bool = True

    def steps(self) -> Iterator[tuple[Point, Point, float]]:
        """Each line or arc: its start, its end, its bulge."""
        ring = (*self.corners, self.corners[0]) if self.is_closed else self.corners
        for here, there in pairwise(ring):
            yield here.point, there.point, here.bulge

    def placed(self, place: Affine) -> CutPath:
        """The path mapped by a place that may turn and scale, but does not mirror."""
        return CutPath(tuple(Corner(place.apply(point), bulge) for point, bulge in self.corners), self.is_closed)


def line(start: Point, end: Point) -> CutPath:
    return CutPath((Corner(start), Corner(end)), is_closed=False)


def contour_of(component: Component, by: float = 0.0, panel: BoardPanel | None = None) -> CutPath:
    """The outline of a cut piece in its box, or of a panel of it, `by` mm outside the trim. Arcs are arcs."""
    shape, radius = component.shape, component.corner_radius
    width, height = shape.size
    if panel:
        corners = zip(panel.box.corners(), shape.box(IDENTITY).corners(), strict=True)
        are_outer = [dist(corner, outer) < _HAIR for corner, outer in corners]
        rounding = radius + by if radius else 0.0
        return _round(panel.box.grown(by), [rounding * is_outer for is_outer in are_outer])
    if shape.kind == "circle":
        left, right = Point(-by, height / 2), Point(width + by, height / 2)
        return CutPath((Corner(left, HALF), Corner(right, HALF)))
    outline = shape.placed(IDENTITY, by=by)
    if shape.kind == "outline":
        return CutPath(_fit_arcs(outline))
    if shape.kind == "rectangle" and radius:
        return _round(box_of(outline), [radius + by] * 4)
    return CutPath(tuple(map(Corner, outline)))


def hole_of(outline: Outline, by: float = 0.0) -> CutPath:
    """The rim of a hole, `by` mm within it."""
    if round_hole := circle_of(outline):
        (x, y), radius = round_hole
        left, right = Point(x - radius + by, y), Point(x + radius - by, y)
        return CutPath((Corner(left, HALF), Corner(right, HALF)))
    return CutPath(_fit_arcs(Shape("polygon", outline).placed(IDENTITY, by=-by)))


@lru_cache(1 << 8)  # many pieces of a sheet have one outline
def _fit_arcs(outline: Outline) -> tuple[Corner, ...]:
    """The corners of an outline whose curves are many short lines, with arcs in place of them.

    Each arc is the longest that is at most _OFF_CURVE off its lines, from the sharpest corner on.
    """
    count = len(outline)
    first = max(range(count), key=lambda i: _sharpness(*(outline[(i + k) % count] for k in (-1, 0, 1))))
    ring = (*outline[first:], *outline[: first + 1])
    corners, at = [], 0
    while at < count:
        end, bulge = at + 1, 0.0
        while end < count and (wider := _bulge(ring[at : end + 2])):
            end, bulge = end + 1, wider
        corners.append(Corner(ring[at], bulge))
        at = end
    return tuple(corners)


def _sharpness(before: Point, here: Point, after: Point) -> float:
    """How far a corner is from the line between its neighbours, in steady mm."""
    length = hypot(after.x - before.x, after.y - before.y)
    aside = (here.x - before.x) * (after.y - before.y) - (here.y - before.y) * (after.x - before.x)
    return steady(abs(aside) / length, _PLACES) if length else 0.0


def _bulge(points: Sequence[Point]) -> float:
    """The bulge of the arc through the first, the middle and the last point; 0 if the lines between
    the points are not near it, or if it is more than half a circle."""
    start, end, middle = points[0], points[-1], points[len(points) // 2]
    x, y = end.x - start.x, end.y - start.y
    chord = hypot(x, y)
    if chord < _HAIR:
        return 0.0
    ux, uy = x / chord, y / chord

    def seen(point: Point) -> tuple[float, float]:
        """A point along the chord and beside it, from its middle."""
        dx, dy = point.x - start.x, point.y - start.y
        return dx * ux + dy * uy - chord / 2, dy * ux - dx * uy

    along, beside = seen(middle)
    if abs(beside) < _HAIR:
        return 0.0
    lift = (along**2 + beside**2 - (chord / 2) ** 2) / (2 * beside)  # of the arc's middle
    radius = hypot(chord / 2, lift)
    halves = (Point((p.x + q.x) / 2, (p.y + q.y) / 2) for p, q in pairwise(points))
    for along, aside in map(seen, (*points, *halves)):
        is_beyond = abs(along) > chord / 2 + _OFF_CURVE or aside * beside < -_OFF_CURVE * abs(beside)
        if is_beyond or abs(hypot(along, aside - lift) - radius) > _OFF_CURVE:
            return 0.0
    height = radius - abs(lift) if lift * beside < 0 else radius + abs(lift)
    bulge = height / (chord / 2)
    return copysign(bulge, -beside) if bulge <= HALF else 0.0


def _round(box: Rect, radii: Sequence[float]) -> CutPath:
    """A rectangle whose corners have these radii, clockwise from the top left; the path begins at
    the left end of its upper edge."""
    path: list[Corner] = []
    for number, ((x, y), (far_x, far_y)) in enumerate(edges(box.corners())):
        near, far = radii[number], radii[(number + 1) % 4]
        length = hypot(far_x - x, far_y - y)
        dx, dy = (far_x - x) / length, (far_y - y) / length
        path.append(Corner(Point(x + near * dx, y + near * dy)))
        if far:
            path.append(Corner(Point(far_x - far * dx, far_y - far * dy), QUARTER))
    return CutPath(tuple(path))


def share_lines(contours: Sequence[CutPath]) -> list[CutPath]:
    """The contours as the fewest cuts: where neighbours share a line, it is there once.

    A contour that shares no line stays whole. Of the others, lines that continue each other become one.
    """
    owners: dict[_Line, list[tuple[float, float, int]]] = {}
    for number, contour in enumerate(contours):
        for start, end, bulge in contour.steps():
            if not bulge:
                on = _line_through(start, end)
                low, high = sorted((on.at(start), on.at(end)))
                owners.setdefault(on, []).append((low, high, number))
    sharing = {number for runs in owners.values() for number in _overlapping(runs)}
    whole = [contour for number, contour in enumerate(contours) if number not in sharing]
    lines = [
        line(on.point(low), on.point(high))
        for on, runs in sorted(owners.items())
        for low, high in _join(run for run in runs if run[2] in sharing)
    ]
    arcs = [
        CutPath((Corner(start, bulge), Corner(end)), is_closed=False)
        for number in sorted(sharing)
        for start, end, bulge in contours[number].steps()
        if bulge
    ]
    return [*whole, *lines, *arcs]


def count_straight(paths: Iterable[CutPath]) -> int:
    """The straight cuts through paths of one sheet. Those on one line are a single cut."""
    steps = (step for path in paths for step in path.steps())
    return len({_line_through(start, end) for start, end, bulge in steps if not bulge})


class _Line(Struct, frozen=True, order=True):
    """An endless straight line: its direction, and its distance from the origin."""

    x: float
    y: float
    off: float

    def at(self, point: Point) -> float:
        """How far along the line a point is."""
        return steady(point.x * self.x + point.y * self.y, _PLACES)

    def point(self, at: float) -> Point:
        return Point(self.x * at - self.y * self.off, self.y * at + self.x * self.off)


def _line_through(start: Point, end: Point) -> _Line:
    length = hypot(end.x - start.x, end.y - start.y)
    x, y = (end.x - start.x) / length, (end.y - start.y) / length
    x, y = steady(x, 6), steady(y, 6)
    if (x, y) < (0.0, 0.0):
        x, y = -x + 0.0, -y + 0.0
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    return _Line(x, y, steady(middle.y * x - middle.x * y, 3))


def _overlapping(runs: Sequence[tuple[float, float, int]]) -> Iterator[int]:
    """The owners of runs that overlap another's."""
    ordered = sorted(runs)
    for index, (_, high, owner) in enumerate(ordered):
        for low, _, other in ordered[index + 1 :]:
            if low >= high - _HAIR:
                break
            if other != owner:
                yield owner
                yield other


def _join(runs: Iterable[tuple[float, float, int]]) -> Iterator[tuple[float, float]]:
    """Runs that overlap or touch, as one."""
    now: tuple[float, float] | None = None
    for low, high, _ in sorted(runs):
        if now and low <= now[1] + _HAIR:
            now = now[0], max(now[1], high)
        else:
            if now:
                yield now
            now = low, high
    if now:
        yield now


def curves_of(path: CutPath) -> Iterator[tuple[Point, ...]]:
    """The way along a path: for a line its end, for each part of an arc, at most a quarter of a
    circle, the three further points of a cubic curve."""
    for start, end, bulge in path.steps():
        if not bulge:
            yield (end,)
            continue
        here, there = complex(*start), complex(*end)
        angle = 4 * atan(bulge)
        middle = (there - here * rect(1, angle)) / (1 - rect(1, angle))
        count = ceil(abs(angle) / (pi / 2) - _HAIR)
        arm = 1j * tan(angle / count / 4) * 4 / 3
        for _ in range(count):
            there = middle + (here - middle) * rect(1, angle / count)
            bends = here + arm * (here - middle), there - arm * (there - middle), there
            yield tuple(Point(bend.real, bend.imag) for bend in bends)
            here = there


def points_of(path: CutPath) -> list[Point]:
    """Points along a path, on arcs as close as a picture needs."""
    points = [path.corners[0].point]
    for step in curves_of(path):
        points += bezier((points[-1], *step), _PARTS) if step[1:] else step
    return points


def radius_of(start: Point, end: Point, bulge: float) -> float:
    """The radius of an arc (mm)."""
    return hypot(end.x - start.x, end.y - start.y) * (1 + bulge**2) / (4 * abs(bulge))


class CutSheet(Struct, frozen=True):
    """The lines of one sheet, seen from its printed front, in mm from the top left of the paper.

    name: as that of its picture ("cards-1"). cuts: each line once, holes first. folds: lines to score. marks: what a
    machine finds on the sheet. layout: its name, which the slug has too, or "".
    """

    name: str
    paper: Size
    cuts: Sequence[CutPath]
    folds: Sequence[CutPath]
    marks: Sequence[Rect] = ()
    layout: str = ""

    @property
    def title(self) -> str:
        return f"{self.name}, layout {self.layout}" if self.layout else self.name


def cut_sheets(kit: Kit, kerf: float) -> Iterator[CutSheet]:
    """Every sheet of pieces. Cuts lie half of `kerf` (mm) outside the trim, so that what the blade
    or beam takes away is not the piece's.

    Raises PnpError if the kit has no pieces on paper, if pieces touch and there is a kerf, or if
    the kerf is more than a tenth of the smallest piece.
    """
    tracer = _Tracer(kit, kerf)
    sheets = [sheet for sheet in name_sheets(kit.sheets) if sheet[1].component not in LEAFLETS]
    if not sheets:
        what, hint = "there is nothing to cut: no sheet has pieces", "leave out --only"
        raise PnpError([Problem(Place("--to"), what, hint)])
    if kerf:
        tracer.check(sheet for _, sheet in sheets)
    for name, sheet in sheets:
        yield tracer.cut(name, sheet)


class _Tracer:
    """Knows which component a printed face belongs to."""

    def __init__(self, kit: Kit, kerf: float) -> None:
        self._kerf = kerf
        self._is_folded = kit.way == "fold"
        self._owners = _find_owners(kit)

    def check(self, sheets: Iterable[Sheet]) -> None:
        """Raises PnpError if the kerf is too wide for the smallest piece, or the smallest hole."""
        placed = [placed for sheet in sheets for placed in self._fronts(sheet.pages[0])]
        width, title = min((self._width(spot), self._component(spot).title) for spot in placed)
        most = floor(_MOST_KERF * width * 100) / 100
        if self._kerf > most:
            what = f"the smallest piece ({title}) is {width:.4g} mm wide"
            raise fail(Place(f"kerf {self._kerf:g} mm"), what, f"at most a tenth of that: {most:g}mm")
        holes = (self._width(spot, box_of(hole)) for spot in placed for hole in self._component(spot).shape.holes)
        if (least := min(holes, default=inf)) <= self._kerf:
            what = f"the smallest hole is {least:.4g} mm wide"
            raise fail(Place(f"kerf {self._kerf:g} mm"), what, "less than that")

    def _width(self, placed: Placement, part: Rect | None = None) -> float:
        """The lesser side of a placed piece, or of a part of it."""
        box = part or (placed.panel.box if placed.panel else self._component(placed).trim)
        return min(box.width, box.height) * placed.affine.enlargement

    def cut(self, name: str, sheet: Sheet) -> CutSheet:
        fronts = self._fronts(sheet.pages[0])
        trims = [self._contour(placed, 0.0) for placed in fronts]
        cuts = share_lines(trims)
        if self._kerf and cuts != trims:
            what = f"the pieces of {name} share their cuts, so a kerf would come off one of them"
            raise fail(Place("kerf"), what, "lay them apart: --gap 2mm; or leave out the kerf")
        if self._kerf:
            cuts = [self._contour(placed, self._kerf / 2) for placed in fronts]
        cuts = [hole for placed in fronts for hole in self._holes(placed)] + cuts
        folds = [fold for placed in fronts for fold in self._folds(placed)]
        backs = sheet.pages[0].placements[len(fronts) :]
        if backs:
            folds.append(_fold_of_paper(fronts[0], backs[0], sheet.paper))
        marks = [_stroke(mark) for mark in sheet.pages[0].marks if mark.kind == "cutter"]
        return CutSheet(name, sheet.paper, cuts, folds, marks, sheet.layout)

    def _fronts(self, page: Page) -> Sequence[Placement]:
        """The placements of fronts; on a folded sheet those of the backs come after them."""
        if not self._is_folded:
            return page.placements
        counted = 0
        for number, placed in enumerate(page.placements, 1):
            counted += 2 if self._component(placed).has_back else 1
            if counted == len(page.placements):
                return page.placements[:number]
        return page.placements

    def _component(self, placed: Placement) -> Component:
        return self._owners[placed.piece, placed.face]

    def _contour(self, placed: Placement, by: float) -> CutPath:
        component = self._component(placed)
        inset = translation(component.bleed, component.bleed)
        contour = contour_of(component, by / placed.affine.enlargement, placed.panel)
        return contour.placed(placed.affine @ inset)

    def _holes(self, placed: Placement) -> Iterator[CutPath]:
        component = self._component(placed)
        place = placed.affine @ translation(component.bleed, component.bleed)
        for hole in component.shape.holes:
            yield hole_of(hole, self._kerf / 2 / placed.affine.enlargement).placed(place)

    def _folds(self, placed: Placement) -> Iterator[CutPath]:
        component = self._component(placed)
        place = placed.affine @ translation(component.bleed, component.bleed)
        for start, end in component.shape.creases:
            yield line(place.apply(start), place.apply(end))


def _stroke(mark: MarkLine) -> Rect:
    """A mark that a machine finds: it is upright or level, with square ends."""
    (x0, y0, x1, y1), half = box_of((mark.start, mark.end)), mark.width / 2
    return Rect(x0 - half, y0, x1 + half, y1) if x0 == x1 else Rect(x0, y0 - half, x1, y1 + half)


def _find_owners(kit: Kit) -> Mapping[tuple[str, str], Component]:
    """The component of each piece with a face, as it is cut: a back that is printed as a front is seen from behind."""
    is_behind = kit.way == "single"
    owners: dict[tuple[str, str], Component] = {}
    for part in divided(kit.game.components):
        behind = part.from_behind() if is_behind else part
        for piece in part.pieces:
            for side in SIDES:
                if face := kit.faces.get((part.id, piece.id, side)):
                    owners[piece.id, face.id] = part if side == "front" else behind
    return owners


def _fold_of_paper(front: Placement, back: Placement, paper: Size) -> CutPath:
    """The line between a front and its back, across the paper."""
    here, there = box_of(front.clip).centre, box_of(back.clip).centre
    x, y = (here.x + there.x) / 2, (here.y + there.y) / 2
    if abs(here.x - there.x) > abs(here.y - there.y):
        return line(Point(x, 0.0), Point(x, paper.height))
    return line(Point(0.0, y), Point(paper.width, y))
