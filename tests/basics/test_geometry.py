"""Rectangles and affine maps keep the laws that imposition leans on."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.basics.geometry import Affine, Point, Rect, Size, mirror_x, mirror_y, translation

numbers = st.floats(-500, 500, allow_nan=False).map(lambda value: round(value, 3))
points = st.builds(Point, numbers, numbers)
affines = st.builds(Affine, *[numbers.map(lambda v: v / 100)] * 4, numbers, numbers)
common = settings(deadline=None, derandomize=True, database=None, max_examples=100)


@st.composite
def rects(draw: st.DrawFn) -> Rect:
    x0, x1 = sorted((draw(numbers), draw(numbers)))
    y0, y1 = sorted((draw(numbers), draw(numbers)))
    return Rect(x0, y0, x1, y1)


def near(a: Point, b: Point) -> bool:
    return isclose(a.x, b.x, abs_tol=1e-6) and isclose(a.y, b.y, abs_tol=1e-6)


@common
@given(affines, affines, points)
def test_product_does_the_right_hand_map_first(then: Affine, first: Affine, point: Point) -> None:
    assert near((then @ first).apply(point), then.apply(first.apply(point)))


@common
@given(affines, affines, affines, points)
def test_product_is_associative(a: Affine, b: Affine, c: Affine, point: Point) -> None:
    assert near(((a @ b) @ c).apply(point), (a @ (b @ c)).apply(point))


@common
@given(affines)
def test_unit_changes_nothing(affine: Affine) -> None:
    assert affine @ Affine() == affine
    assert Affine() @ affine == affine


@common
@given(points, numbers)
def test_mirrors_undo_themselves_and_swap_the_edges(point: Point, length: float) -> None:
    for mirror in (mirror_x(length), mirror_y(length)):
        assert near((mirror @ mirror).apply(point), point)
    assert mirror_x(length).apply(Point(0.0, point.y)) == (length, point.y)
    assert mirror_y(length).apply(Point(point.x, 0.0)) == (point.x, length)


@common
@given(affines, rects(), st.floats(0, 1), st.floats(0, 1))
def test_box_of_a_mapped_rectangle_holds_it(affine: Affine, box: Rect, u: float, v: float) -> None:
    inside = Point(box.x0 + u * box.width, box.y0 + v * box.height)
    mapped, around = affine.apply(inside), affine.apply_rect(box).grown(1e-6)
    assert around.x0 <= mapped.x <= around.x1
    assert around.y0 <= mapped.y <= around.y1


@common
@given(rects(), rects())
def test_common_part_is_in_both(a: Rect, b: Rect) -> None:
    common_part = a.within(b)
    assert common_part == b.within(a)
    if common_part.width >= 0 and common_part.height >= 0:
        assert common_part.within(a) == common_part.within(b) == common_part


def test_translation_and_growth_in_numbers() -> None:
    assert translation(3.0, -2.0).apply(Point(1.0, 1.0)) == (4.0, -1.0)
    assert Rect(0, 0, 10, 20).grown(2) == Rect(-2, -2, 12, 22)
    assert Rect(1, 2, 11, 22).corners() == ((1, 2), (11, 2), (11, 22), (1, 22))
    assert Size(210.0, 297.0).turned() == Size(297.0, 210.0)


@pytest.mark.parametrize(
    ("affine", "corner"),
    [
        (Affine(0, 1, -1, 0), (-2.0, 1.0)),  # a quarter turn clockwise, y down
        (Affine(-1, 0, 0, -1), (-1.0, -2.0)),  # a half turn
        (Affine(2, 0, 0, 3, 1, 1), (3.0, 7.0)),
    ],
)
def test_matrix_is_in_the_order_of_svg_and_pdf(affine: Affine, corner: tuple[float, float]) -> None:
    assert affine.apply(Point(1.0, 2.0)) == corner
