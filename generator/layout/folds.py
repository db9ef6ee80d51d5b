"""Flat pieces with folds: a Net whose panels are the parts between its folds.

Such a piece stands if a fold has an angle when it is in use; otherwise it lies flat, and is folded to be put away.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from math import atan2, cos, degrees, dist, sin
from typing import NamedTuple

from msgspec.structs import replace

from generator.basics.geometry import Point, Size, steady, translation
from generator.basics.shapes import Outline, Ray, Shape, area, box_of, edges, hull, pierced, stretches
from generator.layout.nets import Fold, Net, Panel, fold_net

_HAIR = 1e-6  # mm
_OPEN = 0.1  # mm: edges that meet so closely are joined
_CLOSING = 110.0  # degrees
_UNSTABLE = 90.0  # degrees: such a piece is seen as it lies
_BARELY = 1e-3  # mm, or mm²: of no interest


class FoldLine(NamedTuple):
    """A line that ends outside the piece, and the degrees by which the parts on its sides are bent
    away from the viewer of the front; negative: towards."""

    start: Point
    end: Point
    angle: float

    @property
    def ray(self) -> Ray:
        """The ray from its start."""
        return Ray.through(self.start, self.end)

    def within(self, outline: Outline) -> list[tuple[float, float]]:
        """The stretches of the fold within an outline, in mm from its start."""
        length = dist(self.start, self.end)
        along = stretches(self.ray, outline)
        found = ((max(low, 0.0), min(high, length)) for low, high in along)
        return [(low, high) for low, high in found if high - low > _BARELY]


@cache
def standing_net(shape: Shape) -> Net | None:
    """The net of a piece that stands when it is in use, without the holes in its panels; None if it lies flat."""
    if not isinstance(shape, Net) or not any(fold.angle for fold in shape.folds):
        return None
    panels = (replace(panel, outline=pierced(panel.outline, shape.holes)) for panel in shape.panels)
    return replace(shape, panels=tuple(panels)) if shape.holes else shape


def has_panel(shape: Shape, *names: str) -> bool:
    """Whether a piece stands and has one of these panels: "tuck" is of a closed box, "top" of a lid."""
    net = standing_net(shape)
    return net is not None and any(panel.name in names for panel in net.panels)


def put_away(shape: Shape) -> tuple[Size, int]:
    """The size of a flat piece in its box, where it is folded, and its layers there."""
    if not isinstance(shape, Net):
        return shape.size, 1
    widths, heights = zip(*(panel.size for panel in shape.panels), strict=True)
    return Size(max(widths), max(heights)), len(shape.panels)


def half_closed(net: Net) -> Net:
    """A piece that lies flat in use, on its way into its box: bent where its first fold is."""
    first = FoldLine(net.folds[0].start, net.folds[0].end, _CLOSING)

    def is_first(fold: Fold) -> bool:
        return all(abs(first.ray.place(end)[1]) < _HAIR for end in (fold.start, fold.end))

    folds = [replace(fold, angle=_CLOSING if is_first(fold) else 0.0) for fold in net.folds]
    nets = (_net(net, net.panels, folds, panel) for panel in net.panels)
    return min(nets, key=lambda net: abs(net.lean))


def fold_flat(shape: Shape, cut: Outline, lines: Sequence[FoldLine]) -> Net:
    """A flat piece with folds; `cut` is its outline with its corners rounded. Holes interrupt the
    folds. The first panel is the one that leans least when the piece stands; of several, the one
    with most neighbours, or else the largest, or else the lowest."""
    parts = [cut]
    for line in lines:
        parts = [piece for part in parts for piece in _divide(part, line)]
    parts.sort(key=lambda part: [steady(side, 3) for side in box_of(part)[1::-1]])
    joints = list(_joints(parts, lines, shape.holes))

    def rank(number: int) -> tuple[float, ...]:
        bends = sum(number in (of, to) for of, to, *_ in joints)
        low, large = box_of(parts[number]).y1, area(parts[number])
        return -bends, -steady(large, 2), -steady(low, 3), number

    order = sorted(range(len(parts)), key=rank)
    folds = [Fold(start, end, angle, f"panel-{of + 1}", f"panel-{to + 1}") for of, to, start, end, angle in joints]
    panels = [_panel(number, parts[number]) for number in order]
    is_bent = any(line.angle for line in lines)
    nets = (_net(shape, panels, folds, first) for first in (panels if is_bent else panels[:1]))
    return min(nets, key=lambda net: abs(net.lean))


def _net(shape: Shape, panels: Sequence[Panel], folds: Sequence[Fold], first: Panel) -> Net:
    """The net that begins with a panel, leaning as it stands."""
    order = (first, *(panel for panel in panels if panel != first))
    outward, outline = _outward(folds, order), shape.outline
    net = Net(shape.kind, outline, shape.holes, panels=order, folds=outward, lean=0.0)
    return replace(net, lean=_lean(net)) if any(fold.angle for fold in folds) else net


def _panel(number: int, part: Outline) -> Panel:
    box = box_of(part)
    return Panel(f"panel-{number + 1}", part, translation(box.x0, box.y0), Size(box.width, box.height))


def _divide(part: Outline, line: FoldLine) -> Iterator[Outline]:
    """The parts on both sides of a line, cut where the line crosses the part."""
    chord = next((c for c in line.within(part) if not _is_on_edge(part, line, c)), None)
    if chord is None:
        yield part
        return
    start, end = (line.ray.at(along) for along in chord)
    ring = list(_with_corner(_with_corner(part, start), end))
    i, j = (min(range(len(ring)), key=lambda n: dist(ring[n], p)) for p in (start, end))
    i, j = sorted((i, j))
    for piece in (ring[i : j + 1], ring[j:] + ring[: i + 1]):
        yield from _divide(tuple(piece), line)


def _is_on_edge(part: Outline, line: FoldLine, chord: tuple[float, float]) -> bool:
    """Whether the part has an edge where the chord is."""
    middle = sum(chord) / 2
    return any(low < middle < high for low, high, _ in _edges_on(part, line))


def _edges_on(part: Outline, line: FoldLine) -> Iterator[tuple[float, float, bool]]:
    """The edges of a part on a line, and whether each runs in the direction of the line."""
    for p, q in edges(part):
        (here, beside), (there, aside) = line.ray.place(p), line.ray.place(q)
        if max(abs(beside), abs(aside)) < _HAIR:
            yield min(here, there), max(here, there), here < there


def _with_corner(ring: Iterable[Point], point: Point) -> Outline:
    """An outline with a point on one of its edges as a corner."""
    outline = tuple(ring)
    if min(dist(corner, point) for corner in outline) < _HAIR:
        return outline

    def off(number: int) -> float:
        p, q = outline[number], outline[(number + 1) % len(outline)]
        return dist(p, point) + dist(point, q) - dist(p, q)

    number = min(range(len(outline)), key=off)
    return (*outline[: number + 1], point, *outline[number + 1 :])


def _joints(
    parts: Sequence[Outline], lines: Sequence[FoldLine], holes: Sequence[Outline]
) -> Iterator[tuple[int, int, Point, Point, float]]:
    """Where two parts meet on a line, outside of holes: their numbers, the ends in the direction of
    the outline of the first, and the angle."""
    for line in lines:
        gaps = [gap for hole in holes for gap in line.within(hole)]
        runs = [(number, *run) for number, part in enumerate(parts) for run in _edges_on(part, line)]
        for (of, low, high, is_forward), (to, start, end, is_along) in product(runs, runs):
            if is_forward and not is_along:
                for here, there in _outside(max(low, start), min(high, end), gaps):
                    yield of, to, line.ray.at(here), line.ray.at(there), line.angle


def _outside(low: float, high: float, gaps: Iterable[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """The parts of a stretch that are in none of the gaps."""
    for start, end in sorted((*gaps, (high, high))):
        if min(start, high) - low > _BARELY:
            yield low, min(start, high)
        low = max(low, end)


def _outward(folds: Iterable[Fold], panels: Sequence[Panel]) -> tuple[Fold, ...]:
    """The folds, each from the panel that is nearer to the first."""
    left, order, names = list(folds), [], [panels[0].name]
    for name in names:
        for fold in [fold for fold in left if name in (fold.of, fold.to)]:
            left.remove(fold)
            if fold.to == name:
                ends = {"start": fold.end, "end": fold.start, "of": fold.to, "to": fold.of}
                fold = replace(fold, **ends)
            order.append(fold)
            if fold.to not in names:
                names.append(fold.to)
    return tuple(order)


def open_fold(net: Net) -> Fold | None:
    """A fold whose panels are apart when all others are bent: then the piece tears. None if there is none."""
    planes = fold_net(net)
    for fold in net.folds:
        for end in (fold.start, fold.end):
            here, there = planes[fold.of].at(end), planes[fold.to].at(end)
            if max(abs(a - b) for a, b in zip(here, there, strict=True)) > _OPEN:
                return fold
    return None


def _lean(net: Net) -> float:
    """The degrees by which the first panel leans back on a table: as few as the piece is stable with."""
    planes = fold_net(net)
    points, weights = [], []
    for panel in net.panels:
        plane = planes[panel.name]
        points += [plane.at(corner)[1:] for corner in panel.outline]
        weights.append((area(panel.outline), plane.at(box_of(panel.outline).centre)[1:]))
    whole = sum(weight for weight, _ in weights)
    down, away = (sum(weight * at[i] for weight, at in weights) / whole for i in (0, 1))
    profile = hull((steady(z, 6), steady(y, 6)) for y, z in points)
    leans = []
    for (z, y), (to_z, to_y) in edges(profile):  # the lower edges run towards the viewer
        lean = atan2(to_y - y, z - to_z)
        behind, middle, before = (
            at_z * cos(lean) - at_y * sin(lean) for at_z, at_y in ((z, y), (away, down), (to_z, to_y))
        )
        if before < middle < behind:
            leans.append(steady(degrees(lean), 6))
    return min(leans, key=abs, default=_UNSTABLE)
