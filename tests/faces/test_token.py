"""Tokens: those of Advaya, one with a mark, and what becomes of a token that is changed."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import ImageChops

from generator import faces
from generator.basics.errors import Place, PnpError
from generator.basics.geometry import Size
from generator.basics.shapes import circle, grown, rectangle
from generator.faces.net import Token
from generator.model import Art, Design, Piece, Side
from tests.faces import shaped
from tests.faces.test_oracle import CLOSE, difference
from tests.support.designs import change
from tests.support.printing import SVG

SIDES: tuple[Side, Side] = ("front", "back")
PLAYERS = ("red", "brown", "white", "yellow")


def art(name: str, path: str) -> Art:
    svg = f'<svg {SVG} width="20mm" height="20mm" viewBox="0 0 20 20"><path d="{path}"/></svg>'
    return Art(name, f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}")


@cache
def tokens() -> Design:
    return shaped.design("advaya", "tokens")


@cache
def marked() -> Design:
    """A token for each of four players, told apart by ground and mark."""
    front = Token(
        ground_by="player",
        grounds={"red": "#d9523a", "brown": "#7d4e2c", "white": "#ffffff", "yellow": "#f2be3c"},
        art_by="kind",
        arts={"hut": art("hut", "M10 2 L18 10 H2 Z")},
        art_margin=1.5,
        mark_by="player",
        marks={name: art(name, f"M{n} 0 H20 V20 H{n} Z") for n, name in enumerate(PLAYERS)},
        mark_at=(9.0, 9.0),
        mark_size=4.0,
    )
    pieces = [Piece(f"{p}-hut", {"kind": "hut", "player": p}, 1, Place("here")) for p in PLAYERS]
    design = replace(tokens(), front=front)
    return change(design, shape=circle(18.0), bleed=2.0, pieces=tuple(pieces))


def changed(**options: Any) -> Design:
    front = marked().front
    assert isinstance(front, Token)
    return replace(marked(), front=replace(front, **options))


def with_row(**cells: str) -> Design:
    row = {"kind": "hut", "player": "red"} | cells
    return change(marked(), pieces=(Piece("x", row, 1, Place("here")),))


def told(design: Design) -> list[tuple[str, str]]:
    with pytest.raises(PnpError) as caught:
        faces.draw(design, "front")
    return [(problem.what, problem.hint) for problem in caught.value.problems]


def test_both_sides_are_alike() -> None:
    fronts, backs = (shaped.drawn(tokens(), side) for side in SIDES)
    for id_, front in fronts.items():
        apart = ImageChops.difference(shaped.stacked(front), shaped.stacked(backs[id_]))
        assert apart.getbbox() is None, id_


def test_the_mark_lies_on_top() -> None:
    front = marked().front
    assert isinstance(front, Token)
    for player, mark in front.marks.items():
        last = shaped.drawn(marked())[f"{player}-hut"].layers[-1]
        assert last.layer.name == f"art {mark.name}"
        assert mark.uri in last.layer.svg


@pytest.mark.parametrize("shape", [circle(18.0), rectangle(Size(30.0, 20.0))])
def test_ground_fills_the_bleed_and_art_stays_on_the_piece(shape: Any) -> None:
    design = change(changed(art_margin=1.0), shape=shape)
    component, face = design.component, shaped.drawn(design)["red-hut"]
    picture = shaped.stacked(face)
    reach = shaped.mask(picture.size, grown(component.outline, component.bleed - 0.2))
    assert ImageChops.subtract(reach, picture.getchannel("A")).getextrema() == (0, 0)
    bare = shaped.stacked(replace(face, layers=face.layers[:1]))
    box = ImageChops.difference(picture.convert("RGB"), bare.convert("RGB")).getbbox()
    assert box is not None
    trim = face.trim.grown(-1.0)
    assert [value / shaped.PIXELS_PER_MM for value in box[:2]] >= [trim.x0 - 0.1, trim.y0 - 0.1]
    assert box[2] / shaped.PIXELS_PER_MM <= trim.x1 + 0.1
    assert box[3] / shaped.PIXELS_PER_MM <= trim.y1 + 0.1


@pytest.mark.parametrize("design", [tokens(), marked()], ids=["advaya", "marked"])
def test_printed_as_another_engine_draws_it(design: Design) -> None:
    some = list(shaped.drawn(design).values())
    pictures = shaped.printed(some)
    for face, picture in zip(some, pictures, strict=True):
        assert difference(picture, shaped.trimmed(face, picture)) < CLOSE, face.name
    other = shaped.trimmed(some[1], pictures[0])
    assert difference(pictures[0], other) > 3 * CLOSE, "the measure can fail"


@pytest.mark.parametrize(
    ("design", "what", "hint"),
    [
        (with_row(player="rad"), "there is no ground for the player 'rad'", "did you mean 'red'?"),
        (with_row(kind="hat"), "there is no art for the kind 'hat'", "did you mean 'hut'?"),
        (changed(marks={}), "there is no mark for the player 'red'", "add 'red' to marks"),
        (changed(mark_at=(1.0, 9.0)), "the mark leaves the token", "another `mark_at`"),
        (changed(art_margin=12.0), "the margin leaves nothing", "a smaller `art_margin`"),
    ],
)
def test_a_token_that_cannot_be_drawn(design: Design, what: str, hint: str) -> None:
    said, advice = told(design)[0]
    assert what in said
    assert hint in advice


def test_a_token_without_a_mark_reads_no_column_for_it() -> None:
    design = changed(mark_by="", ground_by="kind", grounds={"hut": "#808080"})
    assert [column.name for column in design.front.columns()] == ["kind"]
    assert len(shaped.drawn(design)["red-hut"].layers) == 2
