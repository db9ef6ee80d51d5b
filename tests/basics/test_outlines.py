"""Outlines against what geometry books say, and against shapely."""

from __future__ import annotations

from itertools import product
from math import pi, sqrt

import pytest
from shapely.geometry import Polygon, box

from generator.basics.geometry import Point, Rect, Size, mirror_x, translation
from generator.basics.shapes import Shape, area, carried, circle, grown, hexagon, holds, polygon, rectangle, trihex

ARROW = polygon([Point(0, 0), Point(30, 20), Point(0, 40), Point(10, 20)])
SHAPES = [
    rectangle(Size(63.5, 88.9)),
    hexagon(40.0, "corner"),
    hexagon(40.0, "edge"),
    trihex(40.0),
    circle(25.0),
    ARROW,
]


def test_areas_are_those_of_the_books() -> None:
    cell = sqrt(3) / 2 * 40.0**2
    assert hexagon(40.0, "corner").area == pytest.approx(cell)
    assert trihex(40.0).area == pytest.approx(3 * cell)
    assert circle(25.0).area == pytest.approx(pi * 12.5**2, rel=1e-3)
    assert rectangle(Size(63.5, 88.9)).area == pytest.approx(63.5 * 88.9)


def test_boxes_are_those_of_the_books() -> None:
    radius = 40 / sqrt(3)
    assert hexagon(40.0, "corner").size == pytest.approx((40.0, 2 * radius))
    assert hexagon(40.0, "edge").size == pytest.approx((2 * radius, 40.0))
    assert trihex(40.0).size == pytest.approx((80.0, 3.5 * radius))
    assert circle(25.0).size == pytest.approx((25.0, 25.0))


def test_circle_is_round_to_a_hundredth() -> None:
    outline = circle(50.0).outline
    for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
        assert abs(complex(x0 - 25, y0 - 25)) == pytest.approx(25.0)
        assert abs(complex((x0 + x1) / 2 - 25, (y0 + y1) / 2 - 25)) > 24.99


@pytest.mark.parametrize("shape", SHAPES)
def test_outlines_run_clockwise_from_the_corner_of_their_box(shape: Shape) -> None:
    assert area(shape.outline) > 0
    xs, ys = zip(*shape.outline, strict=True)
    assert (min(xs), min(ys)) == pytest.approx((0.0, 0.0), abs=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("by", [0.5, 3.0])
def test_grown_as_shapely_grows(shape: Shape, by: float) -> None:
    wanted = Polygon(shape.outline).buffer(by, join_style="mitre", mitre_limit=50)
    assert Polygon(grown(shape.outline, by)).symmetric_difference(wanted).area < 1e-6


def test_corner_that_stands_twice_grows_as_one() -> None:
    """Where two corners are so close that they are one to a float."""
    square = Rect(0.0, 0.0, 4.0, 4.0).corners()
    assert set(grown((square[0], *square), 1.0)) == set(grown(square, 1.0))


def test_each_edge_can_grow_by_its_own() -> None:
    box = rectangle(Size(10.0, 20.0)).outline
    assert grown(box, [1.0, 0.0, 2.0, 3.0]) == ((-3, -1), (10, -1), (10, 22), (-3, 22))


@pytest.mark.parametrize("shape", SHAPES)
def test_mirrored_twice_is_the_same(shape: Shape) -> None:
    once = shape.mirrored()
    assert area(once.outline) > 0
    wanted = Polygon([(shape.size.width - x, y) for x, y in shape.outline])
    assert Polygon(once.outline).symmetric_difference(wanted).area < 1e-6
    again = Polygon(once.mirrored().outline)
    assert again.symmetric_difference(Polygon(shape.outline)).area < 1e-6


def test_a_polygon_may_be_named_either_way_around() -> None:
    again = polygon(reversed(ARROW.outline))
    assert Polygon(again.outline).equals(Polygon(ARROW.outline))
    assert area(again.outline) == pytest.approx(ARROW.area)


def test_placed_where_a_map_says() -> None:
    moved = trihex(40.0).placed(translation(5.0, 7.0), by=1.0)
    still = grown(trihex(40.0).outline, 1.0)
    for corner, (x, y) in zip(moved, still, strict=True):
        assert corner == pytest.approx((x + 5.0, y + 7.0))
    assert carried(still, mirror_x(9.0))[0] == pytest.approx((9.0 - still[-1].x, still[-1].y))


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape.kind in ("rectangle", "hexagon")])
def test_a_box_is_held_where_shapely_covers_it(shape: Shape) -> None:
    width, height = shape.size
    whole = Polygon(shape.outline)
    told = set()
    for x, y in product(range(-4, round(width)), range(-4, round(height))):
        sides = (x + 0.25, y + 0.25, x + 7.25, y + 5.25)
        is_held = holds(shape.outline, Rect(*sides))
        assert is_held == whole.covers(box(*sides)), sides
        told.add(is_held)
    assert told == {True, False}
