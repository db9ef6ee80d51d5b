"""Rows below each other: how many pieces they hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.basics.geometry import Size
from generator.layout.packing import EndlessRow, RowPair

PIECE = Size(10.0, 10.0)
STEP = st.integers(1, 30).map(float)


def count_rows(ones: int, others: int, down: float, back: float, height: float) -> int:
    """Row by row, the last of which begins at most `height` mm down."""
    y, number, pieces = 0.0, 0, 0
    while y <= height:
        pieces += others if number % 2 else ones
        number += 1
        y = (number // 2) * (down + back) + number % 2 * down
    return pieces


@given(st.integers(1, 6), st.integers(0, 6), STEP, STEP, st.integers(0, 200).map(float))
def test_rows_hold_as_many_as_are_counted(ones: int, aside: int, down: float, back: float, height: float) -> None:
    one, other = (EndlessRow((False, False), (10.0, 10.0), 10.0 * by) for by in (0, aside))
    room = Size(10.0 * ones, height + PIECE.height)
    pieces = count_rows(ones, max(ones - aside, 0), down, back, height)
    assert RowPair(one, other, down, back).count(room, PIECE) == pieces
