"""The faces of a tiny game, as SVG a person can read: what a change of a renderer changes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from lxml import etree

from generator import faces, pipeline
from generator.model import Design, Face, Side
from tests.conftest import Golden

HERE = Path(__file__).parent
SIDES: tuple[Side, Side] = ("front", "back")
_DATA = re.compile(r"data:[a-z/+]+;base64,[A-Za-z0-9+/=]+")


@cache
def tiny() -> Design:
    (design,) = pipeline.read(str(HERE / "tiny")).designs
    return design


def faces_of(side: Side) -> dict[str, Face]:
    return {piece.id: face for piece, face in faces.draw(tiny(), side)}


def written(face: Face) -> str:
    """Size and layers of a face; each layer once, an element a line, without the art."""
    lines = [f"size {face.size.width:g} x {face.size.height:g}, trim {tuple(face.trim)}"]
    layers = list({placed.layer.id: placed.layer for placed in face.layers}.values())
    numbers = {layer.id: number for number, layer in enumerate(layers, 1)}
    for layer in layers:
        lines += [f"layer {numbers[layer.id]}: {layer.name}", indented(layer.svg)]
    lines += [f"layer {numbers[placed.layer.id]} at {placed.at.x:g} {placed.at.y:g}" for placed in face.layers]
    return "\n".join(lines) + "\n"


def indented(svg: str) -> str:
    root = etree.fromstring(_DATA.sub("ART", svg))
    etree.indent(root)
    return str(etree.tostring(root, encoding="unicode"))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("piece", ["one", "two"])
def test_face(piece: str, side: Side, golden: Golden) -> None:
    golden(HERE / f"golden/{piece}-{side}.txt", written(faces_of(side)[piece]))


def test_pieces_alike_share_layers_and_pieces_unlike_have_faces_of_their_own() -> None:
    fronts = faces_of("front")
    assert fronts["one"].id != fronts["two"].id
    one, two = ({placed.layer.id for placed in fronts[piece].layers} for piece in ("one", "two"))
    assert len(one & two) == 6, "ground, four tiles and plaques are drawn once"
    assert len(one - two) == 1, "the numbers are its own"


def test_layers_are_documents_of_their_size_in_millimetres() -> None:
    for side in SIDES:
        for face in faces_of(side).values():
            assert face.size == (44.0, 60.0)
            for placed in face.layers:
                root = etree.fromstring(placed.layer.svg)
                width, height = placed.layer.size
                assert root.get("width") == f"{width:g}mm"
                assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
