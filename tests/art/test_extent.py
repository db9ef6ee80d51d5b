"""The box of an element holds all that another engine draws of it."""

from __future__ import annotations

import io

import resvg_py
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from PIL import Image

from generator.art.measure import Extents
from generator.basics.geometry import Rect

LOW, SIDE = -100, 300  # of the picture, in user units
NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "Z": 0}


def ink(path: str) -> Rect | None:
    """The box of a filled path, in whole user units, by resvg."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{LOW} {LOW} {SIDE} {SIDE}" '
        f'width="{SIDE}" height="{SIDE}"><path d="{path}"/></svg>'
    )
    png = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
    image = Image.open(io.BytesIO(bytes(png)))
    box = image.getchannel("A").point(lambda value: 255 if value > 127 else 0).getbbox()
    return Rect(*(float(side + LOW) for side in box)) if box else None


def extent(path: str) -> Rect:
    box = Extents().of(etree.fromstring(f'<path xmlns="http://www.w3.org/2000/svg" d="{path}"/>'))
    assert box is not None
    return box


@st.composite
def commands(draw: st.DrawFn) -> str:
    letter = draw(st.sampled_from("MLHVCSQTAZmlhvcsqtaz"))
    low, high = (-20, 20) if letter.islower() else (10, 60)
    if letter in "Aa":
        radii = f"{draw(st.integers(1, 30))} {draw(st.integers(1, 30))}"
        flags = f"{draw(st.integers(0, 90))} {draw(st.integers(0, 1))} {draw(st.integers(0, 1))}"
        end = f"{draw(st.integers(low, high))} {draw(st.integers(low, high))}"
        return f"{letter}{radii} {flags} {end}"
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
