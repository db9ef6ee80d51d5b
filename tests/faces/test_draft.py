"""The marks of a draft: they lie within the cut, whatever the shape, and can be read."""

from __future__ import annotations

import re

import pytest
from lxml import etree
from shapely.geometry import Point as At
from shapely.geometry import Polygon

from generator.basics.geometry import MM_PER_PT, ORIGIN, Point, Size
from generator.basics.shapes import Shape, circle, hexagon, polygon, rectangle
from generator.faces.draft import legible, mark
from generator.layout.solids import tuckbox
from generator.model import Face, Layer, PlacedLayer
from generator.text import HOUSE_FONTS, FontBook

FONTS = FontBook([HOUSE_FONTS])
SVG = "{http://www.w3.org/2000/svg}"
WORDS = "the text is 5.4 mm higher than its box at 7.0 pt, its least size"
SHAPES: dict[str, Shape] = {
    "card": rectangle(Size(63.5, 88.9)),
    "strip": rectangle(Size(90.0, 12.0)),
    "circle": circle(22.0),
    "hexagon": hexagon(50.0, "corner"),
    "triangle": polygon([Point(0, 0), Point(30, 0), Point(15, 26)]),
    "box": tuckbox(65.0, 90.0, 20.0),
}


def marked(shape: Shape, words: str = WORDS) -> Face:
    size = shape.size
    svg = f'<svg xmlns="{SVG[1:-1]}" width="{size.width}" height="{size.height}"/>'
    layers = [PlacedLayer(Layer.of("ground", svg, size), ORIGIN)]
    return mark(Face.of(layers, "cards a front", size, shape.outline), "12", words, FONTS)


def drawing(face: Face) -> etree._Element:
    return etree.fromstring(face.layers[-1].layer.svg)


@pytest.mark.parametrize("name", SHAPES)
def test_marks_lie_within_the_cut(name: str) -> None:
    face = marked(SHAPES[name])
    cut = Polygon(face.cut).buffer(1e-6)
    root = drawing(face)
    for path in root.iter(f"{SVG}path"):
        numbers = [float(element) for element in re.findall(r"-?\d+\.?\d*", path.get("d", ""))]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        assert len(points) >= 3
        assert all(cut.contains(At(point)) for point in points)
    for text in root.iter(f"{SVG}text"):
        assert cut.contains(At(float(text.get("x", "0")), float(text.get("y", "0"))))


@pytest.mark.parametrize("name", SHAPES)
def test_the_number_can_be_read(name: str) -> None:
    texts = list(drawing(marked(SHAPES[name])).iter(f"{SVG}text"))
    assert "".join(texts[0].itertext()).startswith("12")
    assert all(float(text.get("font-size", "0")) >= 4.5 * MM_PER_PT - 0.01 for text in texts)


def test_long_words_are_shortened() -> None:
    words = "".join("".join(element.itertext()) for element in drawing(marked(SHAPES["circle"])).iter())
    assert "…" in words
    assert "".join(drawing(marked(SHAPES["card"])).itertext()).count("…") == 0


@pytest.mark.parametrize("words", ["語 e\u0301 x\u0e31", "\u0e31", "\U0001f600 \u200d", "\x07 \u202e", "ا" * 9])
def test_any_words_can_be_set(words: str) -> None:
    face = marked(SHAPES["card"], words)
    assert len(drawing(face)) >= 2
    assert "語" not in legible(words, FONTS)
