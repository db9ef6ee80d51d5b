"""Take the kinds of faces and rules, make the JSON Schema that editors complete game.toml by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from generator.spec.box import RENDERER, BoxTable
from generator.spec.document import Document, EdgeTable, TemplateTable
from generator.spec.reader import Kinds
from generator.spec.shapes import SHAPES, size_names
from generator.units import LENGTH_PATTERN


def schema(kinds: Kinds) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a game.toml."""
    document = _as_written(Document.model_json_schema())
    component = document["$defs"]["ComponentTable"]["properties"]
    faces = _one_of("renderer", kinds.renderers)
    template = _as_written(TemplateTable.model_json_schema())
    faces["oneOf"].append(template | {"title": "template"})
    for face in faces["oneOf"]:
        face["properties"]["edge"] = EdgeTable.model_json_schema()["properties"]["edge"]
    for side in ("front", "back"):
        component[side] = faces | {"description": component[side]["description"]}
    lengths = {key: value for key, value in component["size"].items() if key != "description"}
    names = {"enum": size_names()}
    component["size"] = {"anyOf": [names, lengths], "description": component["size"]["description"]}
    component["shape"] = _one_of("kind", SHAPES) | {
        "description": component["shape"]["description"]
    }
    component["rule"] |= {"items": _one_of("kind", kinds.rules)}
    boxes = _as_written(BoxTable.model_json_schema())
    boxes["properties"] |= _as_written(TypeAdapter(kinds.renderers[RENDERER]).json_schema())[
        "properties"
    ]
    document["properties"]["box"] |= {"items": boxes}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "game.toml"}
    return dict(document) | head


def _one_of(tag: str, kinds: Mapping[str, type[Any]]) -> dict[str, Any]:
    return {"oneOf": [_tagged(tag, name, kind) for name, kind in sorted(kinds.items())]}


def _tagged(tag: str, name: str, kind: type[Any]) -> dict[str, Any]:
    options = _as_written(TypeAdapter(kind).json_schema())
    assert "$defs" not in options, "a kind's options are plain values"
    return dict(options) | {
        "title": name,
        "properties": {tag: {"const": name}} | options.get("properties", {}),
        "required": [tag, *options.get("required", [])],
    }


def _as_written(node: Any) -> Any:
    """Defaults as a designer writes them, lengths with their unit; no name that is none; and no
    titles that only repeat the names of keys."""
    if isinstance(node, list):
        return [_as_written(item) for item in node]
    if not isinstance(node, dict):
        return node
    is_named = isinstance(node.get("title"), str)
    items = ((key, value) for key, value in node.items() if not (is_named and key == "title"))
    written = {key: _as_written(value) for key, value in items}
    if isinstance(written.get("default"), float) and str(written.get("pattern")).startswith(
        LENGTH_PATTERN
    ):
        written["default"] = f"{written['default']:g}mm"
    if "patternProperties" in written:  # free names are checked too
        written["additionalProperties"] = False
    return written
