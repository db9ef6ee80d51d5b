"""What the page is told is what its scripts are checked against: told.d.ts, read here by itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from generator import pipeline
from generator.preview.view import View, describe_findings, describe_view
from tests.bad_specs.games import HERE
from tests.support.once import findings

DECLARED = files("generator.preview").joinpath("page/told.d.ts").read_text("utf-8")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TYPE = re.compile(r"export type (\w+) = ([^;]+);|export interface (\w+) (\{.*?\n\})", re.DOTALL)
_FIELD = re.compile(r"\s*(\w+)(\??): (\{[^}]*\}|[^;{]+);")
_INDEX = re.compile(r"\{ \[(?:\w+: string|side in Side)\]\??: ([^;}]+);? \}")
TYPES = {
    name or interface: " ".join((alias or body).split())
    for name, alias, interface, body in _TYPE.findall(_COMMENT.sub("", DECLARED))
}


def misfits(value: object, declared: str, at: str = "") -> Iterator[str]:
    """Where a value is not of a type of the declarations."""
    if declared in TYPES:
        yield from misfits(value, TYPES[declared], at)
    elif " | " in declared and not declared.startswith("{"):
        if all(list(misfits(value, one, at)) for one in declared.split(" | ")):
            yield f"{at} is no {declared}"
    elif declared.endswith("[]"):
        assert isinstance(value, list), at
        for number, one in enumerate(value):
            yield from misfits(one, declared[:-2], f"{at}[{number}]")
    elif declared.startswith("["):
        numbers = value if isinstance(value, list) else []
        is_all = all(isinstance(one, int | float) for one in numbers)
        if not is_all or len(numbers) != declared.count("number"):
            yield f"{at} is no {declared}"
    elif declared.startswith("{"):
        yield from _object_misfits(value, declared, at)
    elif not _is_plain(value, declared):
        yield f"{at} is no {declared}"


def _object_misfits(value: object, declared: str, at: str) -> Iterator[str]:
    assert isinstance(value, dict), at
    if index := _INDEX.fullmatch(declared):
        for key, one in value.items():
            yield from misfits(one, index[1].strip(), f"{at}.{key}")
        return
    body = declared[1:-1].strip()
    fields = {name: (kind, not optional) for name, optional, kind in _FIELD.findall(f"{body};")}
    assert fields, declared
    yield from (f"{at}.{name} is not declared" for name in value.keys() - fields.keys())
    for name, (kind, is_due) in fields.items():
        if name in value:
            yield from misfits(value[name], kind, f"{at}.{name}")
        elif is_due:
            yield f"{at}.{name} is missing"


def _is_plain(value: object, declared: str) -> bool:
    kinds: dict[str, Any] = {"string": str, "boolean": bool, "null": type(None)}
    if declared == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if declared in kinds:
        return isinstance(value, kinds[declared])
    return isinstance(value, str) and f'"{value}"' == declared


def view_of(name: str) -> View:
    loaded = pipeline.read(name)
    drawn = pipeline.game.draw(loaded, pipeline.silent)
    request = pipeline.parse_request(name, {})
    pages, sheets = pipeline.printing.impose_kit(loaded.game, request, drawn, pipeline.silent)
    return View(loaded.game, drawn | pages, sheets, ())


@pytest.mark.parametrize("name", ["talavera", "atreya", str(HERE / "_tiny")])
def test_a_view_is_what_is_declared(name: str) -> None:
    told = json.loads(json.dumps(describe_view(view_of(name))))
    assert told["components"]
    assert told["sheets"]
    assert list(misfits(told, "State")) == []


def test_findings_are_what_is_declared() -> None:
    found = findings("talavera")
    assert found
    told = {"findings": describe_findings(found, view_of("talavera")), "isChecked": True}
    told["isSound"] = True
    assert list(misfits(told, "Findings")) == []


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
    assert any(where in misfit for misfit in misfits(told, "Piece"))
