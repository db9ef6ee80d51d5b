"""A track: fields in turn out into the bleed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from generator import faces, pipeline
from generator.basics.errors import PnpError
from generator.basics.geometry import Point
from generator.faces.track import Track
from generator.model import Design
from tests.faces.test_areas import PX, RGB, picture, pixel


def design(number: int) -> Design:
    return pipeline.read("advaya").designs[number]


def changed(number: int, **options: Any) -> Design:
    track = design(number)
    assert isinstance(track.front, Track)
    return replace(track, front=replace(track.front, **options))


def told(track: Design) -> str:
    with pytest.raises(PnpError) as caught:
        faces.draw(track, "front")
    return caught.value.problems[0].what


def test_each_kind_of_token_has_a_face_the_same_on_both_sides() -> None:
    tokens = design(1)
    fronts, backs = faces.draw(tokens, "front"), faces.draw(tokens, "back")
    assert len({face.id for _, face in fronts}) == len(tokens.component.pieces) == 4
    assert [face.id for _, face in fronts] == [face.id for _, face in backs]


def test_fields_take_turns_out_to_the_end_of_the_bleed() -> None:
    track = design(2)
    assert isinstance(track.front, Track)
    ((_, face),) = faces.draw(track, "front")
    image, trim = picture(face, without="text"), face.trim
    count, y = len(track.front.fields), (trim.y0 + trim.y1) / 2
    for field in range(count):
        x = trim.x0 + (field + 0.5) * trim.width / count
        assert pixel(image, Point(x, y)) == RGB["WB"[field % 2]]
    assert pixel(image, Point(face.size.width - 1 / PX, 2 / PX)) == RGB["B"]
    assert pixel(image, Point(face.size.width - 1 / PX, face.size.height - 2 / PX)) == RGB["B"]
    end = picture(face).crop((0, round(y * PX) - 20, round(trim.x0 * PX), round(y * PX) + 20))
    assert end.getcolors() == [(end.width * end.height, RGB["W"])]


def test_what_cannot_be_drawn_is_reported() -> None:
    assert "'Progress' is too long" in told(changed(2, size=12.0))
