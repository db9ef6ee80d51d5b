"""Rows below each other: how many pieces they hold, and that none is given up that holds more."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.layout.nest import EndlessRow, FittedRows, RowPair

ROW = EndlessRow((False, False), (10.0, 10.0))
STEP = st.integers(1, 30).map(float)


def count_rows(ones: int, others: int, down: float, back: float, height: float) -> int:
    """Row by row, the last of which begins at most `height` mm down."""
    y, number, pieces = 0.0, 0, 0
    while y <= height:
        pieces += others if number % 2 else ones
        number += 1
        y = (number // 2) * (down + back) + number % 2 * down
    return pieces


@given(st.integers(1, 6), st.integers(0, 6), STEP, STEP, st.integers(0, 200).map(float), STEP)
def test_rows_hold_as_many_as_are_counted(
    ones: int, others: int, down: float, back: float, height: float, less: float
) -> None:
    least = max(down + back - less, 1.0)
    pair = RowPair(ROW, ROW, down, back)
    rows = FittedRows(ROW, ROW, ones, others, least, lambda *_: pair)
    pieces = count_rows(ones, others, down, back, height)
    assert rows.count(height) == pieces
    assert rows.may_hold_more(pieces - 1, height)
