"""Take the JSON Schema of game.toml, make tables that it allows, or nearly does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from generator import pipeline
from tests.fuzz import havoc

_DEEPEST = 12
_LENGTHS = ("1mm", "2mm", "3mm", "5mm", "8mm", "10mm", "20mm", "40mm", "60mm", "0.5in", "9pt")
_NAMES = ("cards", "dot", "ink", "id", "count", "name", "a", "b-c")
_PLACES: Mapping[str, tuple[str, ...]] = {  # what the description of a text speaks of
    "[art]": ("dot", "dot", "dot", "none"),
    "[palette]": ("ink", "#c03020", "#ffffff", "none"),
    "a colour": ("#c03020", "#FFFFFF", "#123"),
    "a family": ("Alegreya Sans", "Abril Fatface", "Arial"),
    "a length": _LENGTHS,
    "column": ("dot", "id", "count", "none", "dot.id"),
}


@cache
def schema() -> Mapping[str, Any]:
    return pipeline.schema()


def component(rng: Random) -> dict[str, Any]:
    """A [[component]] of random shape, faces and rules."""
    return _table(rng, _defined("ComponentTable"))


def table(rng: Random, key: str = "") -> tuple[str, Any]:
    """A table or list of the topmost level, of any key or of this one."""
    key = key or rng.choice(sorted(schema()["properties"]))
    return key, _value(rng, schema()["properties"][key], 0)


def face(rng: Random) -> Any:
    """The options of a renderer, or a template."""
    return _value(rng, _defined("Face"), 0)


def _defined(name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = schema()["$defs"][name]
    return found


def _table(rng: Random, told: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    properties = told.get("properties", {})
    needed = set(told.get("required", ()))
    kept = [key for key in properties if key in needed or rng.random() < 0.3]
    made = {key: _value(rng, properties[key], depth + 1) for key in kept}
    more = told.get("additionalProperties")
    for pattern in (more, *told.get("patternProperties", {}).values()):
        if isinstance(pattern, Mapping):
            names = rng.sample(_NAMES, rng.randint(0, 3))
            made |= {name: _value(rng, pattern, depth + 1) for name in names}
    return made


def _value(rng: Random, told: Mapping[str, Any], depth: int) -> Any:
    if rng.random() < 0.01:
        return havoc.odd_text(rng) if rng.random() < 0.5 else havoc.odd_number(rng)
    if "$ref" in told:
        return _value(rng, _defined(told["$ref"].rpartition("/")[2]), depth + 1)
    for choice in ("oneOf", "anyOf"):
        if choice in told:
            return _value(rng, rng.choice(told[choice]), depth + 1)
    if "const" in told:
        return told["const"]
    if "enum" in told:
        return rng.choice(told["enum"])
    kind = told.get("type", "string")
    return _typed(rng, kind if isinstance(kind, str) else rng.choice(kind), told, depth)


def _typed(rng: Random, kind: str, told: Mapping[str, Any], depth: int) -> Any:
    if kind == "object":
        return _table(rng, told, depth) if depth < _DEEPEST else {}
    if kind == "array":
        least, most = told.get("minItems", 0), told.get("maxItems", 4)
        items = told.get("items", {"type": "string"})
        few = rng.randint(least, max(least, min(most, least + 3)))
        return [_value(rng, items, depth + 1) for _ in range(few)]
    if kind in ("integer", "number"):
        low, high = told.get("minimum", 0), told.get("maximum", 100)
        number = rng.choice((low, high, rng.uniform(low, high), rng.uniform(low, min(high, 5))))
        return round(number) if kind == "integer" else number
    return rng.random() < 0.5 if kind == "boolean" else _text(rng, told)


def _text(rng: Random, told: Mapping[str, Any]) -> str:
    described = str(told.get("description", ""))
    known = next((words for part, words in _PLACES.items() if part in described), None)
    if known is None and "mm" in str(told.get("pattern")):
        known = _LENGTHS
    return rng.choice(known or ("cards.csv", "dot.svg", "some words", *_NAMES))
