"""The pictures of folding show what a hand does: the print comes to the outside."""

from __future__ import annotations

import pytest

from generator.booklet.folding_picture import HalfFolded
from generator.geometry import Point, Rect
from generator.outlines import box_of

SHEET = Rect(2.0, 6.0, 22.0, 18.0)


@pytest.mark.parametrize("is_from_right", [False, True])
def test_a_half_in_the_air_hangs_at_the_fold_and_leans_over_the_other(is_from_right: bool) -> None:
    picture = HalfFolded(SHEET, is_from_right)
    fold, flap, rest = SHEET.centre.x, box_of(picture.flap), picture.resting
    assert (rest.x1 if is_from_right else rest.x0) == fold
    for y in (SHEET.y0, SHEET.y1):
        assert picture.lifting.apply(Point(fold, y)) == pytest.approx((fold, y))
    assert rest.x0 <= flap.x0 < flap.x1 <= rest.x1
    assert flap.width < 0.8 * rest.width
    assert flap.y0 < SHEET.y0, "its far edge is higher"


@pytest.mark.parametrize("is_from_right", [False, True])
def test_it_shows_its_outside_as_it_will_lie_and_not_mirrored(is_from_right: bool) -> None:
    picture = HalfFolded(SHEET, is_from_right)
    a, b, c, d, *_ = picture.lifting
    assert a * d - b * c > 0
    middle = picture.resting.centre
    assert abs(picture.lifting.apply(middle).x - SHEET.centre.x) < abs(middle.x - SHEET.centre.x)
