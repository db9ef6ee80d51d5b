"""Take the kinds of faces and rules, make the JSON Schema that editors complete game.toml by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from generator.spec.document import Document
from generator.spec.reader import Kinds


def schema(kinds: Kinds) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a game.toml."""
    document = Document.model_json_schema()
    component = document["$defs"]["ComponentTable"]["properties"]
    front = _one_of("renderer", kinds.renderers)
    component["front"] = front | {"description": "the renderer of the front and its options"}
    component["back"] = front | {"description": "likewise the back; without it, fronts only"}
    component["rule"] = {"type": "array", "items": _one_of("kind", kinds.rules)}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "game.toml"}
    return document | head


def _one_of(tag: str, kinds: Mapping[str, type[Any]]) -> dict[str, Any]:
    return {"oneOf": [_tagged(tag, name, kind) for name, kind in sorted(kinds.items())]}


def _tagged(tag: str, name: str, kind: type[Any]) -> dict[str, Any]:
    options = TypeAdapter(kind).json_schema()
    return options | {
        "title": name,
        "properties": {tag: {"const": name}} | options.get("properties", {}),
        "required": [tag, *options.get("required", [])],
    }
