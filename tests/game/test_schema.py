"""The JSON Schema says of a game.toml what the reader says of it."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from msgspec.structs import fields

from generator import pipeline
from generator.basics.errors import Place
from generator.basics.geometry import LENGTH_PATTERN
from generator.basics.keys import Keys, read
from generator.game.json_schema import decide_by_kind, schema_of
from generator.model import Art
from generator.pipeline import EXPORTERS
from generator.pipeline.game import CHECKS, RENDERERS
from generator.pipeline.starting import STARTERS
from generator.tables.fields import Resources
from generator.text import FontBook
from tests.bad_specs.games import HERE
from tests.conftest import Golden

ROOT = Path(__file__).parents[2]
SPECS = [*ROOT.glob("templates/*/game.toml"), *HERE.glob("_*/game.toml")]
SPECS += Path(__file__).parents[1].glob("templates/*/game.toml")
SPECS += STARTERS.glob("*/game.toml")
DRAFTS = [Draft7Validator, Draft202012Validator]  # editors know one or the other
Raw = dict[str, Any]


@pytest.fixture(scope="module", params=DRAFTS, ids=["draft 7", "draft 2020-12"])
def validator(request: pytest.FixtureRequest) -> Any:
    return request.param(json.loads(pipeline.schema_text()))


@pytest.fixture
def tiny() -> Raw:
    return tomllib.loads((HERE / "_tiny/game.toml").read_text("utf-8"))


def classes_of_keys(kind: type[Keys] = Keys) -> Iterator[type[Keys]]:
    """All of the house, once its catalogues are loaded."""
    for derived in kind.__subclasses__():
        yield from (derived, *classes_of_keys(derived))


def test_every_default_is_a_value_that_its_key_allows() -> None:
    """A designer copies it from the reference."""
    assert all(kinds[name] for kinds in (RENDERERS, CHECKS, EXPORTERS) for name in kinds)
    nothing = Resources({}, {}, {}, FontBook([]), (), "", refuse_art)
    refused = []
    for kind in classes_of_keys():
        types = {field.encode_name: field.type for field in fields(kind)}
        for key, node in schema_of(kind).get("properties", {}).items():
            if "default" in node and kind.__module__.startswith("generator."):
                _, faults = read(types[key], node["default"], nothing)
                refused += [f"{kind.__name__}.{key}: {fault.what}" for fault in faults]
    assert refused == []


def refuse_art(_name: str, _place: Place) -> Art:
    raise NotImplementedError


@pytest.mark.parametrize("draft", DRAFTS)
def test_schema_is_a_schema(draft: Any) -> None:
    schema = json.loads(pipeline.schema_text())
    draft.check_schema(schema | {"$schema": draft.META_SCHEMA["$id"]})


def test_the_games_tell_editors_their_schema(golden: Golden) -> None:
    for path in (ROOT / "templates").glob("*/game.toml"):
        assert path.read_text("utf-8").startswith("#:schema ../game.schema.json\n"), path
    golden(ROOT / "templates/game.schema.json", pipeline.schema_text())


def deck_of(size: int) -> Raw:
    properties = {"kind": {"const": "deck"}, "size": {"const": size}}
    return {"oneOf": [{"title": "deck", "required": ["kind"], "properties": properties}]}


def test_kinds_of_one_name_stay_apart() -> None:
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "$defs": {}}
    sizes = {"a": 1, "b": 2, "c": 1}
    schema = decide_by_kind(head | {"properties": {key: deck_of(size) for key, size in sizes.items()}}, "deck.json")
    assert list(schema["$defs"]) == ["kind-deck", "kind-deck-2"]
    for key, size in sizes.items():
        found = [Draft7Validator(schema).is_valid({key: {"kind": "deck", "size": each}}) for each in (1, 2)]
        assert found == [size == 1, size == 2]


def test_its_entry_in_the_store_of_schemas_is_ready() -> None:
    entry = json.loads((ROOT / "docs/contributing/schemastore.json").read_text("utf-8"))
    assert entry["url"] == json.loads(pipeline.schema_text())["$id"]
    assert entry["fileMatch"] == ["game.toml"]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda raw: raw["component"][0]["rule"][0].update(equals="many"), ["rule", 0, "equals"]),
        (lambda raw: raw["component"][0]["rule"][0].update(kind="cuont"), ["rule", 0, "kind"]),
        (lambda raw: from_template(raw, layer="1"), ["front", "layer"]),
        (lambda raw: raw["component"][0].update(shape={"kind": "circle", "diameter": []}), ["shape", "diameter"]),
    ],
)
def test_a_fault_is_reported_at_its_key(
    change: Callable[[Raw], None], place: list[str | int], validator: Any, tiny: Raw
) -> None:
    change(tiny)
    error = next(iter(validator.iter_errors(tiny)))
    found = [*error.absolute_path]
    if error.validator == "additionalProperties":  # the message names it
        found += [key for key in error.instance if f"'{key}' was unexpected" in error.message]
    assert found == ["component", 0, *place]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.parent.name)
def test_sound_specs_are_accepted(path: Path, validator: Any) -> None:
    raw = tomllib.loads(path.read_text("utf-8"))
    assert [error.message for error in validator.iter_errors(raw)] == []


def front(raw: Raw) -> Raw:
    found: Raw = raw["component"][0]["front"]
    return found


def from_template(raw: Raw, **options: str) -> None:
    raw["component"][0]["front"] = {"template": "front.svg"} | options


def test_a_template_is_accepted(validator: Any, tiny: Raw) -> None:
    from_template(tiny, edge="mirror")
    assert validator.is_valid(tiny)


FAULTS: dict[str, Callable[[Raw], object]] = {
    "unknown table": lambda raw: raw.update(pallete={}),
    "unknown key": lambda raw: raw["game"].update(author="A"),
    "unknown option": lambda raw: front(raw).update(tyle="9mm"),
    "unknown renderer": lambda raw: front(raw).update(renderer="talavera.tile"),
    "missing option": lambda raw: front(raw).pop("tile"),
    "no unit": lambda raw: front(raw).update(tile="9"),
    "a number": lambda raw: front(raw).update(tile=9),
    "bad colour": lambda raw: raw["palette"].update(ink="#1f3f8"),
    "bad name": lambda raw: raw["art"].update({"Red Star": "dot.svg"}),
    "one length": lambda raw: raw["component"][0].update(size=["9mm"]),
    "unknown kind": lambda raw: raw["component"][0]["rule"][0].update(kind="counts"),
    "negative": lambda raw: raw["component"][0]["rule"][0].update(equals=-1),
    "template and renderer": lambda raw: from_template(raw, renderer="playing.back"),
    "option of a template": lambda raw: from_template(raw, tile="9mm"),
    "long title": lambda raw: raw["game"].update(title="x" * 61),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_refused(name: str, validator: Any, tiny: Raw) -> None:
    before = copy.deepcopy(tiny)
    FAULTS[name](tiny)
    assert tiny != before
    assert validator.is_valid(before)
    assert not validator.is_valid(tiny)


def options(node: object) -> Iterator[tuple[str, Raw]]:
    """Every named option anywhere in the schema."""
    if isinstance(node, dict):
        yield from node.get("properties", {}).items()
        node = list(node.values())
    for value in node if isinstance(node, list) else ():
        yield from options(value)


def test_defaults_of_lengths_carry_their_unit() -> None:
    lengths = [
        (name, option["default"])
        for name, option in options(pipeline.schema())
        if "default" in option and LENGTH_PATTERN in option.get("pattern", "")
    ]
    assert ("bleed", "3mm") in lengths
    assert ("grout", "0mm") in lengths
    assert all(isinstance(default, str) for _, default in lengths)
    assert all(re.fullmatch(LENGTH_PATTERN, default) for _, default in lengths)


def test_every_key_is_described() -> None:
    bare = {
        name
        for name, option in options(pipeline.schema())
        if not described(option) or re.match(r"\w+\(", described(option))  # what Python makes up
    }
    assert bare == set()


def described(option: Raw) -> str:
    if "$ref" in option:
        option = pipeline.schema()["$defs"][option["$ref"].rpartition("/")[2]]
    return str(option.get("description", ""))


def parts(node: object) -> Iterator[Raw]:
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    for value in node if isinstance(node, list) else ():
        yield from parts(value)


def test_nothing_that_editors_stumble_over() -> None:
    """taplo, which is in Even Better TOML, passes over all beside a reference, and is at an end
    when a default is null."""
    schema = list(parts(pipeline.schema()))
    assert [part for part in schema if "$ref" in part and len(part) > 1] == []
    assert [part for part in schema if None in part.values()] == []
    assert [part for part in schema if part.get("type") == "null"] == []
    assert [part for part in schema if isinstance(part.get("items"), list)] == []
    assert [part for part in schema if "prefixItems" in part] == []
