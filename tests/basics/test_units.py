"""Lengths as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.errors import MisfitError
from generator.basics.geometry import MAX_LENGTH_MM, PT_PER_MM, parse_length


@pytest.mark.parametrize(
    ("text", "millimetres"),
    [
        ("1mm", 1.0),
        ("2.5in", 63.5),
        ("3.5 in", 88.9),
        (" 1.2cm ", 12.0),
        ("72pt", 25.4),
        ("0mm", 0.0),
        ("007mm", 7.0),
        ("2000mm", 2000.0),
    ],
)
def test_length(text: str, millimetres: float) -> None:
    assert parse_length(text) == pytest.approx(millimetres, abs=1e-9)


@given(st.decimals(0, 70, places=4), st.sampled_from(["mm", "cm", "in", "pt"]), st.booleans())
def test_units_are_what_they_are(number: object, unit: str, has_space: bool) -> None:
    scale = {"mm": 1, "cm": 10, "in": 25.4, "pt": 1 / PT_PER_MM}[unit]
    text = f"{number}{' ' * has_space}{unit}"
    assert parse_length(text) == pytest.approx(float(str(number)) * scale, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ("3", "has no unit", "mm, cm, in or pt"),
        (" 2.5 ", "has no unit", "mm, cm, in or pt"),
        ("-3mm", "is negative", "mm, cm, in or pt"),
        ("- 3 mm", "is negative", ""),
        ("2001mm", "is longer than 2 m", ""),
        ("99999999in", "is longer than 2 m", ""),
        ("9" * 5000 + "mm", "is longer than 2 m", ""),
        ("3,5mm", "is not a length", "did you mean '3.5mm'?"),
        (".5in", "is not a length", "did you mean '0.5in'?"),
        ("3 MM", "is not a length", "did you mean '3 mm'?"),
        ("٣mm", "is not a length", "mm, cm, in or pt"),
        ("1e3mm", "is not a length", ""),
        ("+3mm", "is not a length", ""),
        ("3mm 4mm", "is not a length", ""),
        ("3px", "is not a length", ""),
        ("3.mm", "is not a length", ""),
        ("nan mm", "is not a length", ""),
        ("", "is not a length", ""),
        ("3mm\0", "is not a length", ""),
    ],
)
def test_what_is_no_length(text: str, what: str, hint: str) -> None:
    with pytest.raises(MisfitError) as error:
        parse_length(text)
    assert what in str(error.value)
    assert hint in error.value.hint
    assert len(str(error.value)) < 120


@given(st.text(max_size=20))
def test_anything_is_a_length_or_says_why_not(text: str) -> None:
    said, length = "", 0.0
    try:
        length = parse_length(text)
    except MisfitError as error:
        said = str(error)
    assert said.isprintable()
    assert 0 <= length <= MAX_LENGTH_MM
