"""A beam is drawn as the table says, looked at by rules, and printed without a finding."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from pnp_lighthouse.renderers import Beam

from generator import check_game
from generator.plugins import Design, PnpError, draw, read

BEAMS = str(Path(__file__).parents[1] / "beams")


@pytest.fixture
def lights() -> Design:
    return read(BEAMS).design("lights")


def test_the_game_is_sound() -> None:
    assert check_game(BEAMS) == []


def test_each_face_says_its_bearing_and_shares_the_night(lights: Design) -> None:
    drawn = draw(lights, "front")
    nights = {face.layers[0].layer.id for _, face in drawn}
    assert len(nights) == 1
    for piece, face in drawn:
        assert f">{piece.row['bearing']}</text>" in face.layers[1].layer.svg


def test_a_rule_may_look_at_it(lights: Design) -> None:
    skerry = lights.component.pieces[0]
    features = lights.front.features(skerry, lights.component)
    seen = {feature.part: feature.value for feature in features}
    assert seen == {"ground": "#16324f", "bearing": "45"}


def test_a_lamp_that_is_too_large_is_reported(lights: Design) -> None:
    assert isinstance(lights.front, Beam)
    large = replace(lights, front=replace(lights.front, lamp=80.0))
    with pytest.raises(PnpError, match="the lamp is larger than the piece"):
        draw(large, "front")
