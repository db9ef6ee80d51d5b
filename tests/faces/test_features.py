"""What a renderer says that it shows is in what it draws: words, colours and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from types import NoneType

import pytest

from generator import pipeline
from generator.basics.shapes import box_of
from generator.faces import FromTemplate
from generator.model import Component, Design, Feature, Piece, Renderer, Side

read = cache(pipeline.read)
SIDES: tuple[Side, Side] = ("front", "back")
# Texts that decide what is drawn and stand on no face, and art that some pieces only have.
ENCODED = {"lines", "sides", "centre", "construction", "pips"}
POSSIBLE = ("suit ", "picture ", "art ")


def drawn_sides(game: str) -> Iterator[tuple[str, Renderer, Component]]:
    """The sides of a game that code draws, each with its name and the component as it is seen."""
    for design, side in product(read(game).designs, SIDES):
        if not isinstance(design.renderer(side), NoneType | FromTemplate):
            yield f"{design.component.id}, {side}", *renderer_of(design, side)


def renderer_of(design: Design, side: Side) -> tuple[Renderer, Component]:
    if side == "front":
        return design.front, design.component
    assert design.back is not None
    return design.back, design.component.from_behind()


def drawn(renderer: Renderer, piece: Piece, component: Component) -> str:
    return "".join(placed.layer.svg for placed in renderer.draw(piece, component))


def missing(features: list[Feature], svg: str) -> Iterator[Feature]:
    """The features that a drawing has not."""
    words = set(re.findall(r"<text[^>]*>([^<]*)<", svg))
    for feature in features:
        if feature.art is not None:
            is_there = feature.art.uri in svg
        elif feature.part in ENCODED or feature.part == "cards":
            continue
        elif feature.value.startswith("#"):
            is_there = feature.value in svg
        else:
            is_there = not feature.value or feature.value in words
        if not is_there:
            yield feature


@pytest.mark.parametrize("game", pipeline.names())
def test_features_are_drawn(game: str) -> None:
    for side, renderer, seen in drawn_sides(game):
        for piece in seen.pieces[:60]:
            features = list(renderer.features(piece, seen))
            svg = drawn(renderer, piece, seen)
            absent = [f for f in missing(features, svg) if not f.part.startswith(POSSIBLE)]
            assert absent == [], (side, piece.id)


@pytest.mark.parametrize("game", pipeline.names())
def test_faces_differ_as_their_features_do(game: str) -> None:
    """Nothing that a row decides is drawn and not told, or told and not drawn."""
    for side, renderer, seen in drawn_sides(game):
        told: dict[object, str] = {}
        for piece in seen.pieces:
            features = tuple(renderer.features(piece, seen))
            svg = "".join(f"{s.layer.id} {s.at} " for s in renderer.draw(piece, seen))
            assert told.setdefault(features, svg) == svg, (side, piece.id)
        assert len(set(told.values())) == len(told), side


def test_sides_are_drawn_by_code() -> None:
    assert sum(1 for game in pipeline.names() for _ in drawn_sides(game)) > 30


def test_fields_lie_where_their_features_say() -> None:
    renderer, seen = renderer_of(read("taluva").designs[0], "front")
    for piece in seen.pieces:
        layers = renderer.draw(piece, seen)
        laid = {s.layer.name for s in layers if s.layer.name.startswith("art ")}
        told = renderer.features(piece, seen)
        assert {f"art {feature.value} {feature.part}" for feature in told} == laid


def test_tiles_lie_where_their_features_say() -> None:
    renderer, seen = renderer_of(read("talavera").designs[0], "back")
    for piece in seen.pieces:
        told = {(f.value, f.at) for f in renderer.features(piece, seen) if f.part == "tile"}
        trim = box_of(seen.outline)
        layers = [s for s in renderer.draw(piece, seen) if s.layer.name.startswith("art ")]
        laid = {
            (
                placed.layer.name.removeprefix("art "),
                round(placed.at.x - trim.x0 + placed.layer.size.width / 2, 6),
                round(placed.at.y - trim.y0 + placed.layer.size.height / 2, 6),
            )
            for placed in layers
        }
        assert {(name, round(at.x, 6), round(at.y, 6)) for name, at in told if at} == laid
        assert len(laid) == 4
