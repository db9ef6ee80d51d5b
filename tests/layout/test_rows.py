"""Rows below each other: that a step is given up early never loses a piece."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.layout.nest import EndlessRow, FittedRows, RowStep, RowSteps

ROW = EndlessRow((False, False), (10.0, 10.0))
PARTS = st.lists(st.integers(1, 30).map(float), min_size=1, max_size=4)


def rows_of(ones: int, others: int, parts: list[list[float]]) -> FittedRows:
    steps = RowSteps(*(RowStep(iter(some)) for some in parts))
    return FittedRows(ROW, ROW, ones, others, 0.0, lambda *_: steps)


def count_rows(ones: int, others: int, parts: list[list[float]], height: float) -> int:
    """Row by row, the last of which begins at most `height` mm down."""
    down, back, both = map(max, parts)
    y, number, pieces = 0.0, 0, 0
    while y <= height:
        pieces += others if number % 2 else ones
        number += 1
        y = (number // 2) * max(both, down + back) + number % 2 * down
    return pieces


@given(
    st.integers(1, 6),
    st.integers(0, 6),
    st.lists(PARTS, min_size=3, max_size=3),
    st.integers(0, 200).map(float),
    st.integers(0, 60),
)
def test_rows_hold_more_exactly_if_they_do(
    ones: int, others: int, parts: list[list[float]], height: float, most: int
) -> None:
    rows = rows_of(ones, others, parts)
    pieces = count_rows(ones, others, parts, height)
    assert rows.holds_more(most, height) == (pieces > most)
    if pieces > most:
        assert rows.count(height) == pieces


def test_no_more_of_a_step_is_computed_than_shows_that_it_is_too_long() -> None:
    parts = iter([4.0, 12.0, 3.0])
    step = RowStep(parts)
    assert not RowStep(iter([4.0, 9.0])).exceeds(10.0)
    assert step.exceeds(10.0)
    assert list(parts) == [3.0]
