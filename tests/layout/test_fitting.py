"""Outlines fitted together, judged by shapely."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPoint, Polygon, box

from generator.basics.geometry import Point, Size
from generator.basics.shapes import Outline, carried, polygon, rectangle
from generator.layout.mix import fit_outlines
from generator.layout.solids import pyramid, tuckbox
from tests.support.printing import request_of

NEAR = 0.01  # mm: outlines are counted in 0.001 mm
ROOM = Size(200.0, 250.0)
CORNERS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=3, max_size=9, unique=True)


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    hull = MultiPoint(draw(CORNERS)).convex_hull.buffer(5, quad_segs=2).convex_hull
    return polygon(Point(x, y) for x, y in hull.exterior.coords[:-1]).outline


@given(st.lists(outlines(), min_size=1, max_size=8))
def test_pieces_lie_within_the_room_and_apart(pieces: list[Outline]) -> None:
    found = fit_outlines(pieces, ROOM, 3)
    if found is None:
        return
    assert sorted(piece.number for sheet in found for piece in sheet) == list(range(len(pieces)))
    room = box(0, 0, *ROOM).buffer(NEAR)
    for sheet in found:
        laid = [Polygon(carried(pieces[piece.number], piece.place)) for piece in sheet]
        assert all(room.covers(piece) for piece in laid)
        for one, other in combinations(laid, 2):
            assert one.buffer(-NEAR).intersection(other.buffer(-NEAR)).area == 0


def test_a_small_piece_never_lies_within_a_large_one() -> None:
    pieces = [rectangle(Size(190.0, 240.0)).outline, rectangle(Size(20.0, 30.0)).outline]
    found = fit_outlines(pieces, ROOM, 2)
    assert found
    assert [len(sheet) for sheet in found] == [1, 1]


def test_fans_lie_closer_than_their_boxes() -> None:
    fan = pyramid(40.0, 55.0)
    boxes = int(ROOM.width // fan.size.width) * int(ROOM.height // fan.size.height)
    found = fit_outlines([fan.outline] * (boxes + 2), ROOM, 1)
    assert found


def test_the_last_bits_of_a_length_move_nothing() -> None:
    """Pieces of one area, and lengths half-way between two units, whose last bits another machine
    computes otherwise."""
    sizes = [Size(33.3335, 41.0005), Size(41.0005, 33.3335), Size(20.0015, 20.0015)]
    found = [
        fit_outlines([rectangle(Size(*(length + bit for length in size))).outline for size in sizes], ROOM, 1)
        for bit in (-1e-12, 1e-12)
    ]
    longer = [
        rectangle(Size(width + bit, height)).outline
        for (width, height), bit in zip(sizes, (0.0, 1e-12, 0.0), strict=True)
    ]
    assert found[0] == found[1] == fit_outlines(longer, ROOM, 1)


def test_what_is_too_large_or_too_much_is_not_laid() -> None:
    large = tuckbox(200.0, 200.0, 40.0).outline
    assert fit_outlines([large], ROOM, 1) is None
    card = rectangle(Size(60.0, 80.0)).outline
    assert fit_outlines([card] * 20, ROOM, 1) is None


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_toripoka_takes_seven_sheets(paper: str) -> None:
    from generator import pipeline

    assert pipeline.plan(request_of("toripoka", paper), pipeline.silent).sheets == 7
