"""Tokens: the buildings of Taluva, and what becomes of a token that is changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops

from generator import faces
from generator.errors import PnpError
from generator.faces.token import Token
from generator.geometry import Size
from generator.model import Component, Piece, Side
from generator.outlines import circle, grown, rectangle
from tests.faces import shaped
from tests.faces.test_oracle import CLOSE, difference

KINDS = ("huts", "temples", "towers")
PLAYERS = ("red", "brown", "white", "yellow")
SIDES: tuple[Side, Side] = ("front", "back")
LEAST_STEP = 12.0  # of L*, between the grounds of players


@cache
def buildings(kind: str) -> Component:
    return shaped.component("taluva", kind)


def changed(**options: Any) -> Component:
    huts = buildings("huts")
    assert isinstance(huts.front, Token)
    return replace(huts, front=replace(huts.front, **options))


def with_row(**cells: str) -> Component:
    row = {"kind": "hut", "player": "red"} | cells
    return replace(buildings("huts"), pieces=(Piece("x", row, 1, "here"),))


def grey(kind: str, player: str) -> Image.Image:
    """A token on which all players have the same ground."""
    component = buildings(kind)
    assert isinstance(component.front, Token)
    alike = replace(component.front, grounds=dict.fromkeys(PLAYERS, "#808080"))
    piece = Piece("x", {"kind": kind[:-1], "player": player}, 1, "here")
    return shaped.stacked(shaped.drawn(replace(component, front=alike, pieces=(piece,)))["x"])


def told(component: Component) -> list[tuple[str, str]]:
    with pytest.raises(PnpError) as caught:
        faces.draw(component, "front")
    return [(problem.what, problem.hint) for problem in caught.value.problems]


@pytest.mark.parametrize("kind", KINDS)
def test_each_player_has_a_mark_of_his_own(kind: str) -> None:
    """Told without any colour, by at least an eighth of the mark's square."""
    component = buildings(kind)
    assert isinstance(component.front, Token)
    least = component.front.mark_size**2 * shaped.PIXELS_PER_MM**2 / 8
    for one, other in combinations(PLAYERS, 2):
        apart = ImageChops.difference(grey(kind, one), grey(kind, other)).convert("L")
        pixels = apart.point(lambda value: 255 * (value > 128)).histogram()[255]
        assert pixels > least, (one, other)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_but_mark_and_ground_tells_players_apart(kind: str) -> None:
    component = buildings(kind)
    assert isinstance(component.front, Token)
    some = shaped.drawn(component)
    names = Counter(stamp.layer.name for face in some.values() for stamp in face.stamps)
    assert names[f"art {kind[:-1]}"] == len(PLAYERS)
    for player, art in component.front.marks.items():
        last = some[f"{player}-{kind[:-1]}"].stamps[-1]
        assert last.layer.name == f"art {art.name}"
        assert art.uri in last.layer.svg


@pytest.mark.parametrize("side", SIDES)
def test_grounds_differ_in_tone(side: Side) -> None:
    huts = buildings("huts")
    renderer = huts.front if side == "front" else huts.back
    assert isinstance(renderer, Token)
    inks = renderer.grounds.values()
    tones = sorted(shaped.lightness(Image.new("RGB", (1, 1), ink)) for ink in inks)
    assert min(high - low for low, high in pairwise(tones)) >= LEAST_STEP, tones


@pytest.mark.parametrize("kind", KINDS)
def test_both_sides_are_alike(kind: str) -> None:
    fronts, backs = (shaped.drawn(buildings(kind), side) for side in SIDES)
    for id_, front in fronts.items():
        apart = ImageChops.difference(shaped.stacked(front), shaped.stacked(backs[id_]))
        assert apart.getbbox() is None, id_


@pytest.mark.parametrize("shape", [circle(18.0), rectangle(Size(30.0, 20.0))])
def test_ground_fills_the_bleed_and_art_stays_on_the_piece(shape: Any) -> None:
    component = replace(changed(art_margin=1.0), shape=shape)
    face = shaped.drawn(component)["red-hut"]
    picture = shaped.stacked(face)
    reach = shaped.mask(picture.size, grown(component.outline, component.bleed - 0.2))
    assert ImageChops.subtract(reach, picture.getchannel("A")).getextrema() == (0, 0)
    bare = shaped.stacked(replace(face, stamps=face.stamps[:1]))
    box = ImageChops.difference(picture.convert("RGB"), bare.convert("RGB")).getbbox()
    assert box is not None
    trim = face.trim.grown(-1.0)
    assert [value / shaped.PIXELS_PER_MM for value in box[:2]] >= [trim.x0 - 0.1, trim.y0 - 0.1]
    assert box[2] / shaped.PIXELS_PER_MM <= trim.x1 + 0.1
    assert box[3] / shaped.PIXELS_PER_MM <= trim.y1 + 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_printed_as_another_engine_draws_it(kind: str) -> None:
    some = list(shaped.drawn(buildings(kind)).values())
    pictures = shaped.printed(some)
    for face, picture in zip(some, pictures, strict=True):
        assert difference(picture, shaped.trimmed(face, picture)) < CLOSE, face.name
    other = shaped.trimmed(some[1], pictures[0])
    assert difference(pictures[0], other) > 3 * CLOSE, "the measure can fail"


@pytest.mark.parametrize(
    ("component", "what", "hint"),
    [
        (with_row(player="rad"), "there is no ground for the player 'rad'", "did you mean 'red'?"),
        (with_row(kind="hat"), "there is no art for the kind 'hat'", "did you mean 'hut'?"),
        (changed(marks={}), "there is no mark for the player 'red'", "name it in marks"),
        (changed(mark_at=(1.0, 9.0)), "the mark leaves the token", "another `mark_at`"),
        (changed(art_margin=12.0), "the margin leaves nothing", "a smaller `art_margin`"),
    ],
)
def test_a_token_that_cannot_be_drawn(component: Component, what: str, hint: str) -> None:
    said, advice = told(component)[0]
    assert what in said
    assert hint in advice


def test_a_token_without_a_mark_reads_no_column_for_it() -> None:
    component = changed(mark_by="", ground_by="kind", grounds={"hut": "#808080"})
    assert [column.name for column in component.front.columns()] == ["kind"]
    assert len(shaped.drawn(component)["red-hut"].stamps) == 2
