"""A colour is read as a browser reads it, and the palette of the game comes first."""

from __future__ import annotations

from io import BytesIO

import pytest
import resvg_py
from PIL import Image, ImageColor

from generator.basics.colours import find_colour, read_colour
from generator.basics.errors import MisfitError

PALETTE = {"red": "#a63a24", "sea": "#102030"}


def test_names_are_those_of_css() -> None:
    """As resvg paints them; it lacks the latest name, which CSS Color 4 has."""
    assert read_colour("rebeccapurple") == "#663399"
    names = sorted({*ImageColor.colormap} - {"rebeccapurple"})
    rects = "".join(f'<rect x="{x}" width="1" height="1" fill="{n}"/>' for x, n in enumerate(names))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{len(names)}" height="1">{rects}</svg>'
    with Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))) as picture:
        painted = [picture.convert("RGB").getpixel((x, 0)) for x in range(len(names))]
    assert [ImageColor.getrgb(read_colour(name)) for name in names] == painted
    assert len(names) == 147


@pytest.mark.parametrize(
    ("text", "colour"),
    [  # the values that Chromium computes
        ("#FFF", "#ffffff"),
        ("#1F3f8c", "#1f3f8c"),
        ("SteelBlue", "#4682b4"),
        ("rgb(1,2,3)", "#010203"),
        ("rgb(1 2 3 / 100%)", "#010203"),
        ("rgba(10%, 20%, 30%, 1)", "#1a334d"),
        ("rgb(300, -5, 3)", "#ff0003"),
        ("hsl(120, 50%, 50%)", "#40bf40"),
        ("hsl(120deg 50% 50%)", "#40bf40"),
        ("hwb(0 0% 0%)", "#ff0000"),
    ],
)
def test_colours_as_people_write_them(text: str, colour: str) -> None:
    assert read_colour(text) == colour
    assert find_colour(text, PALETTE) == colour


@pytest.mark.parametrize("name", ["red", "Red", "RED"])
def test_the_palette_comes_first(name: str) -> None:
    assert find_colour(name, PALETTE) == "#a63a24"


@pytest.mark.parametrize(
    ("value", "message", "hint"),
    [
        ("sae", "unknown colour 'sae'", "'sea'"),
        ("steelbleu", "unknown colour 'steelbleu'", "'steelblue'"),
        ("zzz", "unknown colour 'zzz'", "known: red, sea"),
        ("url(#a)", "unknown colour", "known: red, sea"),
        ("#1f3f8", "'#1f3f8' is not a colour", "'#1f3f8c'"),
        ("#1f3f8c80", "is translucent", "fill-opacity"),
        ("rgb(1 2 3 / 50%)", "is translucent", "fill-opacity"),
        ("rgb(1 2 3 / none)", "is translucent", "fill-opacity"),
        ("transparent", "is translucent", "fill-opacity"),
        ("currentColor", "unknown colour", ""),
        ("rgb(" + "1" * 10_000, "unknown colour", ""),
        ("", "unknown colour ''", ""),
        (5, "5 is not a colour", "'steelblue'"),
    ],
)
def test_others_are_named(value: object, message: str, hint: str) -> None:
    with pytest.raises(MisfitError) as caught:
        find_colour(value, PALETTE)
    assert message in str(caught.value)
    assert hint in caught.value.hint
