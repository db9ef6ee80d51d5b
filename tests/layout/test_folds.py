"""Flat pieces with folds and holes: what their parts are, how they stand, and where marks lie."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Polygon

from generator.basics.errors import Place
from generator.basics.geometry import Point, Size, mirror_x, translation
from generator.basics.shapes import Shape, carried, circle, hexagon, pierced, polygon, rectangle, rims
from generator.layout import Blank, Item, Printing, PrintRun, impose
from generator.layout.folds import FoldLine, fold_flat, half_closed, open_fold, put_away, standing_net
from generator.layout.nets import Net, fold_net
from generator.model import Cuts, MarkLine
from tests.layout.nets.space import fold
from tests.support.printing import FONTS

LETTER = Size(215.9, 279.4)
SHEET = rectangle(Size(120.0, 80.0))
SHAPES = (
    SHEET,
    circle(70.0),
    hexagon(60.0, "edge"),
    polygon([Point(0, 0), Point(90, 0), Point(90, 60), Point(50, 60), Point(50, 30), Point(0, 30)]),
)
places = st.floats(0.12, 0.88)
bends = st.sampled_from([0.0, 0.0, 25.0, 90.0, -60.0, 178.0])
few = settings(max_examples=40)


def down(shape: Shape, at: float, angle: float = 0.0) -> FoldLine:
    return FoldLine(Point(at, -1.0), Point(at, shape.size.height + 1.0), angle)


def across(shape: Shape, at: float, angle: float = 0.0) -> FoldLine:
    return FoldLine(Point(-1.0, at), Point(shape.size.width + 1.0, at), angle)


def folded(shape: Shape, *lines: FoldLine) -> Net:
    return fold_flat(shape, shape.outline, lines)


def lines_of(shape: Shape, downs: Sequence[float], acrosses: Sequence[float]) -> list[FoldLine]:
    return [
        *(down(shape, at * shape.size.width) for at in downs),
        *(across(shape, at * shape.size.height) for at in acrosses),
    ]


@few
@given(st.sampled_from(SHAPES), st.lists(places, max_size=3), st.lists(places, max_size=3))
def test_parts_fill_the_piece_and_lie_flat(shape: Shape, downs: Sequence[float], acrosses: Sequence[float]) -> None:
    """Without angles, every plane is that of the first part."""
    lines = lines_of(shape, downs, acrosses)
    net = folded(shape, *lines)
    parts = [Polygon(panel.outline) for panel in net.panels]
    assert sum(part.area for part in parts) == pytest.approx(shape.area, abs=1e-3)
    whole = Polygon(shape.outline)
    for one, other in combinations(parts, 2):
        assert one.intersection(other).area < 1e-3
    inner = whole.buffer(-1e-4)  # a fold along an edge is no crease there
    for line in lines:  # each fold is a crease from edge to edge, once
        wanted = inner.intersection(LineString([line.start, line.end])).length
        on = [
            LineString(c) for c in net.creases if LineString([line.start, line.end]).buffer(1e-4).covers(LineString(c))
        ]
        assert shapely.union_all(on).length == pytest.approx(wanted, abs=0.01)
    first, *others = fold_net(net).values()
    for plane in others:
        assert np.array(plane) == pytest.approx(np.array(first), abs=1e-6)
    assert standing_net(net) is None


@few
@given(st.lists(st.tuples(places, bends), min_size=1, max_size=4, unique_by=lambda fold: fold[0]))
def test_parallel_folds_bend_as_other_geometry_bends_them(bent: Sequence[tuple[float, float]]) -> None:
    net = folded(SHEET, *(down(SHEET, 120.0 * at, angle) for at, angle in bent))
    assert open_fold(net) is None
    solid, planes = fold(net), fold_net(net)
    first = net.panels[0]
    shift = solid[first.name][0] - np.array(planes[first.name].at(first.outline[0])) * [1, -1, -1]
    for panel in net.panels:
        own = np.array([planes[panel.name].at(point) for point in panel.outline])
        assert np.abs(own * [1, -1, -1] + shift - solid[panel.name]).max() < 1e-6


@pytest.mark.parametrize(
    ("lines", "lean", "front"),
    [
        ([down(SHEET, 40, 45), down(SHEET, 80, 45)], 0.0, "panel-2"),  # a screen
        ([across(SHEET, 40, 120)], 30.0, "panel-2"),  # a tent
        ([across(SHEET, 40, -90)], 0.0, "panel-1"),  # a wall and a floor before it
        ([across(SHEET, 40, 0), down(SHEET, 60, 60)], 0.0, "panel-3"),
    ],
)
def test_a_piece_stands_as_it_is_bent(lines: list[FoldLine], lean: float, front: str) -> None:
    net = folded(SHEET, *lines)
    assert standing_net(net) == net
    assert net.lean == pytest.approx(lean, abs=1e-4)
    assert net.panels[0].name == front


def test_two_folds_that_cross_are_for_the_box() -> None:
    quad = folded(SHEET, down(SHEET, 60), across(SHEET, 40))
    assert put_away(quad) == (Size(60.0, 40.0), 4)
    assert open_fold(quad) is None
    assert open_fold(folded(SHEET, down(SHEET, 60, 90), across(SHEET, 40, 90))) is not None
    closing = half_closed(quad)
    assert open_fold(closing) is None
    assert len({round(fold_net(closing)[panel.name].inward[2], 3) for panel in quad.panels}) == 2


def test_a_hole_interrupts_a_fold_and_is_cut_out_of_the_part_that_stands() -> None:
    hole = tuple(carried(circle(20.0).outline, translation(50.0, 30.0)))
    shape = Shape("rectangle", SHEET.outline, (hole,))
    net = folded(shape, down(SHEET, 60.0, 90.0))
    assert sorted(sorted(p.y for p in crease) for crease in net.creases) == [[0, 30], [50, 80]]
    standing = standing_net(net)
    assert standing is not None
    parts = [Polygon(panel.outline) for panel in standing.panels]
    left = Polygon(SHEET.outline).difference(Polygon(hole))
    assert sum(part.area for part in parts) == pytest.approx(left.area, abs=1e-3)
    assert net.mirrored().holes == (carried(hole, mirror_x(120.0)),)


@settings(max_examples=15)
@given(st.lists(st.tuples(places, places, st.floats(2.0, 9.0)), min_size=1, max_size=5))
def test_a_pierced_outline_is_the_piece_without_its_holes(spots: Sequence[tuple[float, float, float]]) -> None:
    holes = tuple(carried(circle(width).outline, translation(x * 110.0, y * 70.0)) for x, y, width in spots)
    wanted = Polygon(SHEET.outline).difference(shapely.union_all([Polygon(h) for h in holes]))
    cut = pierced(SHEET.outline, holes)
    rim, *inner = rims(cut)
    assert Polygon(rim, inner).symmetric_difference(wanted).area < 0.01
    assert Polygon(cut).buffer(0).area == pytest.approx(wanted.area, abs=0.01)


def marks_of(shape: Shape, count: int, cuts: Cuts, bleed: float = 3.0) -> list[MarkLine]:
    items = tuple(Item(f"p{i}", "f", None) for i in range(count))
    run = PrintRun("boards", "Boards", Blank(shape, bleed, bleed), cuts, items, Place("here"))
    (sheet,) = impose("Folds", [run], Printing(LETTER, "single"), FONTS)
    placed = sheet.pages[0].placements[0].affine
    back = translation(-bleed, -bleed) @ placed.undo()
    return [MarkLine(back.apply(m.start), back.apply(m.end), m.width, m.halo, m.kind) for m in sheet.pages[0].marks]


def test_ticks_in_the_waste_show_a_fold_and_nothing_is_on_the_piece() -> None:
    net = folded(SHEET, down(SHEET, 40.0), down(SHEET, 80.0))
    folds = [m for m in marks_of(net, 1, "double") if m.kind == "fold"]
    ticks = {(round(m.start.x, 3), m.start.y < 0) for m in folds}
    assert ticks == {(40.0, True), (40.0, False), (80.0, True), (80.0, False)}
    trim = Polygon(SHEET.outline).buffer(0.9)
    assert not any(trim.intersects(LineString([m.start, m.end])) for m in folds)
    assert len(folds) == 3 * 4, "dashed, to tell it from a cut"


def test_a_fold_without_room_for_ticks_is_dashed_on_the_piece() -> None:
    """Hexagons that interlock leave none between them."""
    cell = hexagon(60.0, "edge")
    net = folded(cell, FoldLine(Point(10.0, -1.0), Point(60.0, 70.0), 0.0))
    long = net.area / 60.0 / 2  # mm of a dashed fold, at least

    def dashed(count: int) -> float:
        lines = (m for m in marks_of(net, count, "shared") if m.kind == "fold")
        dashes = (LineString([m.start, m.end]).length for m in lines)
        return float(sum(length for length in dashes if length > 1.0))

    assert dashed(1) == 0.0
    assert dashed(6) > long


def test_the_line_of_a_hole_is_in_the_hole() -> None:
    hole = tuple(carried(circle(12.0).outline, translation(20.0, 20.0)))
    shape = Shape("rectangle", SHEET.outline, (hole,))
    waste = Polygon(hole)
    cuts = [m for m in marks_of(shape, 1, "double") if m.kind == "cut" and m.width]
    lines = [LineString([m.start, m.end]) for m in cuts]
    within = [line for line in lines if waste.buffer(1.0).covers(line)]
    inked = shapely.union_all([line.buffer(0.06) for line in within])
    assert waste.buffer(0.001).covers(inked)
    assert waste.difference(Polygon(inked.exterior)).area < 0.5
