"""A few rectangles cover an outline; other pieces lie in the corners that they leave."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import MultiPoint, Polygon, box
from shapely.ops import unary_union

from generator.basics.geometry import Point, Rect
from generator.basics.shapes import Outline, circle
from generator.layout import solids
from generator.layout.mix import area_of, cover
from generator.layout.nets import Net
from tests.layout.measuring import is_inside, meet
from tests.layout.test_choices import run, sheets_of

BOXES = [solids.tuckbox(66, 92, 8), solids.tuckbox(66, 92, 20), solids.tuckbox(40, 60, 3)]
points = st.tuples(st.integers(0, 90), st.integers(0, 90))


def is_covered(outline: Outline, slabs: tuple[Rect, ...]) -> bool:
    whole = unary_union([box(*slab) for slab in slabs]).buffer(1e-6)
    return bool(whole.covers(Polygon(outline)))


@pytest.mark.parametrize("net", BOXES, ids=["flat", "deep", "small"])
def test_a_box_is_covered_by_less_than_its_box(net: Net) -> None:
    slabs = cover(net.outline)
    assert 1 < len(slabs) <= 6
    assert is_covered(net.outline, slabs)
    width, height = net.size
    assert Polygon(net.outline).area < area_of(slabs) < 0.9 * width * height


@given(st.lists(points, min_size=3, max_size=12, unique=True))
def test_any_outline_is_covered(corners: list[tuple[int, int]]) -> None:
    hull = MultiPoint(corners).convex_hull
    if hull.geom_type == "Polygon":
        outline = tuple(Point(x, y) for x, y in hull.exterior.coords[:-1])
        slabs = cover(outline)
        assert is_covered(outline, slabs)
        assert not meet([box(*slab) for slab in slabs])


def test_pieces_lie_in_the_corners_of_a_box() -> None:
    """All within the bleeds of none."""
    net = solids.tuckbox(66, 92, 20)
    boxed = run(1, net, cuts="double", name="boxes", has_backs=False, bleed=1.5)
    coins = run(20, circle(25.0), cuts="double", name="coins", has_backs=False)
    apart, found = sheets_of(boxed, coins), sheets_of(boxed, coins, mix=True)
    assert (len(apart), len(found)) == (2, 1)
    clips = [Polygon(placement.clip) for placement in found[0].pages[0].placements]
    assert not meet(clips)
    frame = next(clip for clip in clips if clip.area > 10_000)
    within = [clip for clip in clips if clip is not frame and is_inside(clip, frame.envelope)]
    assert len(within) == 2
