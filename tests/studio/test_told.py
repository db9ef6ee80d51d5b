"""What the page is told is what its scripts are checked against: told.d.ts, read here by itself."""

from __future__ import annotations

import json

import pytest

from generator import pipeline
from generator.pipeline.game import draw
from generator.pipeline.imposing import impose_kit
from generator.studio.view import View, describe_findings, describe_view
from tests.bad_specs.games import HERE
from tests.support.declared import declared_types, misfits
from tests.support.once import findings

TYPES = declared_types("generator.studio")


def view_of(name: str) -> View:
    loaded = pipeline.read(name)
    drawn = draw(loaded, pipeline.silent)
    request = pipeline.parse_request(name, {})
    pages, sheets = impose_kit(loaded.game, request, drawn, pipeline.silent)
    return View(loaded.game, drawn | pages, sheets, ())


@pytest.mark.parametrize("name", ["talavera", "atreya", str(HERE / "_tiny")])
def test_a_view_is_what_is_declared(name: str) -> None:
    told = json.loads(json.dumps(describe_view(view_of(name))))
    assert told["components"]
    assert told["sheets"]
    assert list(misfits(TYPES, told, "State")) == []


def test_findings_are_what_is_declared() -> None:
    found = findings("talavera")
    assert found
    told = {"findings": describe_findings(found, view_of("talavera")), "isChecked": True}
    told["isSound"] = True
    assert list(misfits(TYPES, told, "Findings")) == []


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"id": "x", "extra": 1}, "is not declared"),
        ({"id": "x"}, "is missing"),
        ({"copies": "1"}, "copies is no number"),
        ({"faces": {"front": 1}}, "faces.front is no string"),
    ],
)
def test_a_difference_is_seen(wrong: dict[str, object], where: str) -> None:
    piece = {"id": "x", "copies": 1, "where": "", "row": {}, "faces": {}}
    told = piece | wrong if where != "is missing" else wrong
    assert any(where in misfit for misfit in misfits(TYPES, told, "Piece"))
