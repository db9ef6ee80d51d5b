"""Cells and walls: areas, rims, and lines that meet without a gap and without a spike."""

from __future__ import annotations

from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.geometry import Point, Rect, Size
from generator.basics.shapes import area
from generator.faces.areas import roomiest
from generator.faces.mosaic import Wall, areas, chains, outlines, shared_walls, walls, walls_of

MIDDLE = Point(0.0, 0.0)
TIPS = [Point(round(cos(k * pi / 6), 6), round(sin(k * pi / 6), 6)) for k in range(12)]


def spokes(*twelfths: int) -> set[Wall]:
    return {wall for k in twelfths for wall in walls(MIDDLE, TIPS[k])}


def lines(*twelfths: int) -> set[tuple[Point, ...]]:
    """Each line from the one of its ends that comes first."""
    return {min(chain, chain[::-1]) for chain in chains(spokes(*twelfths))}


def through(a: int, b: int) -> tuple[Point, ...]:
    line = (TIPS[a], MIDDLE, TIPS[b]) if (a - b) % 12 != 6 else (TIPS[a], TIPS[b])
    return min(line, line[::-1])


def single(k: int) -> tuple[Point, ...]:
    return min((MIDDLE, TIPS[k]), (TIPS[k], MIDDLE))


@pytest.mark.parametrize(
    ("twelfths", "expected"),
    [
        ((3,), {single(3)}),
        ((0, 6), {through(0, 6)}),
        ((0, 2), {through(0, 2)}),
        ((0, 2, 10), {through(2, 10), single(0)}),  # the outer two; the third lies within
        ((0, 4, 8), {single(0), single(4), single(8)}),  # covered all around
        ((0, 6, 2, 4), {through(0, 6), single(2), single(4)}),  # no mitre: it would stick out
        ((0, 2, 6, 8), {through(0, 6), through(2, 8)}),
    ],
)
def test_lines_that_meet(twelfths: tuple[int, ...], expected: set[tuple[Point, ...]]) -> None:
    assert lines(*twelfths) == expected


def test_a_line_around_is_closed() -> None:
    (chain,) = chains(set(walls_of(tuple(TIPS[::2]))))
    assert chain[0] == chain[-1]
    assert set(chain) == set(TIPS[::2])
    assert len(chain) == 7


@given(st.sets(st.integers(0, 11), min_size=1))
def test_every_wall_is_drawn_once(twelfths: set[int]) -> None:
    ends = [p for line in chains(spokes(*twelfths)) for p in (line[0], line[-1]) if p != MIDDLE]
    assert sorted(ends) == sorted(TIPS[k] for k in twelfths)


def square(x: float, y: float) -> tuple[Point, ...]:
    return Rect(x, y, x + 1, y + 1).corners()


CELLS = [square(0, 0), square(1, 0), square(0, 1), square(1, 1), square(5, 5)]


def test_cells_that_no_wall_parts_are_one_area() -> None:
    shared = shared_walls(CELLS)
    assert areas(5, shared, set()) == [[0, 1, 2, 3], [4]]
    upright = {frozenset((Point(1, 0), Point(1, 1)))}
    assert areas(5, shared, upright) == [[0, 1, 2, 3], [4]], "around the end of the wall"
    upright |= {frozenset((Point(1, 1), Point(1, 2)))}
    assert areas(5, shared, upright) == [[0, 2], [1, 3], [4]]


def test_rims() -> None:
    (rim,) = outlines(CELLS[:4])
    assert sorted(rim) == sorted(Rect(0, 0, 2, 2).corners())
    one, other = outlines([CELLS[0], CELLS[4]])
    assert area(one) == area(other) == 1.0
    ring = [square(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    assert sorted(area(loop) for loop in outlines(ring)) == [-1.0, 9.0]


WITHIN = Rect(0.0, 0.0, 30.0, 20.0).corners()


def test_a_box_goes_where_it_has_most_room() -> None:
    low, high = Rect(0.0, 0.0, 30.0, 6.0).corners(), Rect(0.0, 6.0, 30.0, 20.0).corners()
    number, middle, times = roomiest(((low,), (high,)), WITHIN, Size(6.0, 3.0))
    assert number == 1
    assert middle.y == pytest.approx(13.0, abs=0.1)
    assert times == pytest.approx(14 / 3, abs=0.05)


def test_a_wide_box_and_a_tall_one_go_elsewhere() -> None:
    flat, upright = Rect(0.0, 0.0, 20.0, 4.0).corners(), Rect(24.0, 0.0, 28.0, 20.0).corners()
    both = ((flat,), (upright,))
    assert roomiest(both, WITHIN, Size(8.0, 1.0))[0] == 0
    assert roomiest(both, WITHIN, Size(1.0, 8.0))[0] == 1


def test_a_hole_is_no_room() -> None:
    whole, hole = Rect(0.0, 0.0, 20.0, 20.0).corners(), Rect(4.0, 4.0, 16.0, 16.0).corners()
    _, middle, times = roomiest(((whole, hole),), WITHIN, Size(2.0, 2.0))
    assert times == pytest.approx(2.0, abs=0.05)
    assert not Rect(5.0, 5.0, 15.0, 15.0).holds(middle)


corner = st.tuples(st.floats(0.0, 30.0), st.floats(0.0, 20.0)).map(lambda p: Point(*p))
triangles = st.tuples(corner, corner, corner).filter(lambda t: abs(area(t)) > 20.0)


@given(triangles)
def test_nowhere_is_more_room(triangle: tuple[Point, ...]) -> None:
    """A triangle is convex: a box lies in it when its corners do. The oracle tries a grid."""
    box = Size(4.0, 2.0)
    _, middle, times = roomiest(((triangle,),), WITHIN, box)
    assert fits(triangle, middle, box, times - 1e-6)
    for x in range(1, 30):
        for y in range(1, 20):
            assert not fits(triangle, Point(x, y), box, times + 0.05)


def fits(triangle: tuple[Point, ...], middle: Point, box: Size, times: float) -> bool:
    across, down = box.width / 2 * times, box.height / 2 * times
    corners = Rect(middle.x - across, middle.y - down, middle.x + across, middle.y + down).corners()
    way = 1 if area(triangle) > 0 else -1
    return all(area((triangle[i - 1], triangle[i], c)) * way >= 0 for i in range(3) for c in corners)
