"""What a `transform` maps, and what it makes of lengths."""

from __future__ import annotations

import pytest
from lxml import etree

from generator.art.measure import enlarge, transform_of
from generator.basics.geometry import IDENTITY

MANY = "9" * 400  # digits: more than a number can have here


@pytest.mark.parametrize("kind", ["rotate", "skewX", "scale", "translate"])
def test_a_number_without_end_moves_nothing(kind: str) -> None:
    assert transform_of(f"{kind}({MANY})") == IDENTITY


@pytest.mark.parametrize(
    ("transform", "factor"),
    [
        ("scale(2)", 2.0),
        ("scale (2)", 2.0),
        ("rotate(30 5 6) translate(9) scale(-2, .5)", 1.0),
        ("matrix(3 0 0 3 1 1),skewX(60)", 3.0),
    ],
)
def test_letters_grow_as_their_area_does(transform: str, factor: float) -> None:
    assert enlarge(etree.Element("g", {"transform": transform})) == pytest.approx(factor)
