"""The box of an element holds all that another engine draws of it; its area is as large."""

from __future__ import annotations

import io

import pytest
import resvg_py
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from PIL import Image

from generator.art.areas import area_of, rings_of
from generator.art.measure import Extents
from generator.basics.geometry import Rect

LOW, SIDE = -100, 300  # of the picture, in user units
NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "Z": 0}


def drawn(path: str) -> Image.Image:
    """How much of each square unit a filled path covers, of 255, by resvg."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{LOW} {LOW} {SIDE} {SIDE}" '
        f'width="{SIDE}" height="{SIDE}"><path d="{path}"/></svg>'
    )
    png = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(png))).getchannel("A")


def ink(path: str) -> Rect | None:
    """The box of a filled path, in whole user units."""
    box = drawn(path).point(lambda value: 255 if value > 127 else 0).getbbox()
    return Rect(*(float(side + LOW) for side in box)) if box else None


def element(path: str) -> etree._Element:
    return etree.fromstring(f'<path xmlns="http://www.w3.org/2000/svg" d="{path}"/>')


def extent(path: str) -> Rect:
    box = Extents().of(element(path))
    assert box is not None
    return box


@st.composite
def commands(draw: st.DrawFn) -> str:
    letter = draw(st.sampled_from("MLHVCSQTAZmlhvcsqtaz"))
    low, high = (-20, 20) if letter.islower() else (10, 60)
    if letter in "Aa":
        radii = f"{draw(st.integers(1, 30))} {draw(st.integers(1, 30))}"
        flags = [str(draw(st.integers(0, 1))) for _ in range(2)]
        end = f"{draw(st.integers(low, high))} {draw(st.integers(low, high))}"
        numbers = draw(st.sampled_from((" ", ""))).join([*flags, end])
        return f"{letter}{radii} {draw(st.integers(0, 90))} {numbers}"
    count = NUMBERS[letter.upper()]
    return letter + " ".join(str(draw(st.integers(low, high))) for _ in range(count))


@settings(max_examples=100, deadline=None)
@given(st.lists(commands(), min_size=1, max_size=7))
def test_the_box_of_a_path_holds_its_ink(steps: list[str]) -> None:
    path = "M30 30" + "".join(steps)
    drawn = ink(path)
    if drawn is not None:
        assert extent(path).grown(1.0).encloses(drawn)


def test_numbers_after_the_end_of_a_path_are_ignored() -> None:
    assert extent("M1 1 L5 7 z 3 4 5") == Rect(1.0, 1.0, 5.0, 7.0)


ARCS = [
    "M5 90a50 50 0 0 1 100 0z",
    "M5 90a60 60 0 1 1 100 0z",
    "M5 90a60 60 0 0 0 100 0z",
    "M5 90a60 60 0 1 0 100 0z",
    "M5 90A90 40 45 0 1 105 90z",
    "M5 90a30 30 0 01100 0 30 30 0 01-100 0",  # too small: they grow
    "M10 50a40 40 0 1 0 80 0a40 40 0 1 0-80 0zM30 50a20 20 0 1 1 40 0a20 20 0 1 1-40 0z",
    "M0 0h90v40H0zm10 10v20h20v-20z",
    "M10 10v60c0 30 90 30 90 0v-60z",
    "M60 60q30 80 60 0t40-20v-80z",
]


@pytest.mark.parametrize("path", ARCS)
def test_the_area_of_a_path_is_what_it_covers(path: str) -> None:
    covered = sum(drawn(path).tobytes()) / 255
    assert area_of(rings_of(element(path))) == pytest.approx(covered, rel=0.02)
