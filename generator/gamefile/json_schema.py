"""Take the kinds of faces and checks, make the JSON Schema with which editors check game.toml."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import getdoc
from typing import Any

from pydantic import TypeAdapter

from generator.gamefile.box import RENDERER, BoxTable
from generator.gamefile.component_table import EdgeTable, TemplateTable
from generator.gamefile.components import Kinds
from generator.gamefile.cover import CoverTable
from generator.gamefile.document import BookletTable, Document
from generator.gamefile.play import PlayTable
from generator.gamefile.scene import SceneTable
from generator.gamefile.shapes import SHAPES, size_names
from generator.odds.questions import QUESTIONS
from generator.units import LENGTH_PATTERN, SIZE_PATTERN


def schema(kinds: Kinds) -> dict[str, Any]:
    """The JSON Schema of a game.toml, with the same meaning in draft 7 and later.

    A reference has no siblings, because editors ignore them; no default is null, because some
    editors fail at it.
    """
    document = _as_written(Document.model_json_schema())
    component = document["$defs"]["ComponentTable"]["properties"]
    faces = _one_of("renderer", kinds.renderers)
    faces["oneOf"].insert(0, _as_written(TemplateTable.model_json_schema()) | {"title": "template"})
    for face in faces["oneOf"]:
        face["properties"]["edge"] = EdgeTable.model_json_schema()["properties"]["edge"]
    document["$defs"]["Face"] = faces
    for side in ("front", "back"):
        component[side] = _describe(component[side], anyOf=[{"$ref": "#/$defs/Face"}])
    names = {"enum": size_names()}
    measured = {"type": "string", "pattern": SIZE_PATTERN}
    lengths = {key: value for key, value in component["size"].items() if key != "description"}
    component["size"] = _describe(component["size"], anyOf=[names, measured, lengths])
    component["shape"] = _describe(component["shape"], **_one_of("kind", SHAPES))
    component["rule"] |= {"items": _one_of("kind", kinds.checks)}
    boxes = _as_written(BoxTable.model_json_schema())
    boxes["properties"] |= _as_written(TypeAdapter(kinds.renderers[RENDERER]).json_schema())[
        "properties"
    ]
    document["$defs"]["BoxTable"] = boxes
    document["properties"]["odds"] |= {"items": _one_of("kind", QUESTIONS)}
    document["properties"]["box"] |= {"items": {"$ref": "#/$defs/BoxTable"}}
    document["$defs"]["BookletTable"] = _as_written(BookletTable.model_json_schema())
    document["$defs"]["CoverTable"] = _as_written(CoverTable.model_json_schema())
    scene = _as_written(SceneTable.model_json_schema())
    document["$defs"] |= scene.pop("$defs") | {"SceneTable": scene}
    play = _as_written(PlayTable.model_json_schema())
    document["$defs"] |= play.pop("$defs") | {"PlayTable": play}
    low = document["$defs"]["InkTable"]["properties"]
    low["low"] = _describe(low["low"], anyOf=[{"$ref": "#/$defs/LowInkTable"}])
    for name in ("font", "booklet", "cover", "scene", "play", "ink"):
        key = document["properties"][name]
        table = {"$ref": f"#/$defs/{name.title()}Table"}
        document["properties"][name] = _describe(key, anyOf=[table])
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "game.toml"}
    return head | dict(document)


def _describe(key: Mapping[str, Any], **kinds: Any) -> dict[str, Any]:
    """A key with other types and the same description."""
    return {"description": key["description"], **kinds}


def _one_of(tag: str, kinds: Mapping[str, type[Any]]) -> dict[str, Any]:
    return {"oneOf": [_tag(tag, name, kind) for name, kind in sorted(kinds.items())]}


def _tag(tag: str, name: str, kind: type[Any]) -> dict[str, Any]:
    options = _as_written(TypeAdapter(kind).json_schema())
    assert "$defs" not in options, "a kind's options are plain values"
    about = " ".join((getdoc(kind) or "").split())
    return dict(options) | {
        "title": name,
        "description": about,
        "properties": {tag: {"const": name, "description": about}} | options.get("properties", {}),
        "required": [tag, *options.get("required", [])],
    }


def _as_written(node: Any) -> Any:
    """Writes defaults as a designer does, lengths with their unit, and fixed lengths of lists.
    Leaves out null, which TOML lacks, invalid names, and titles that only repeat keys."""
    if isinstance(node, list):
        return [_as_written(item) for item in node]
    if not isinstance(node, dict):
        return node
    is_named = isinstance(node.get("title"), str)
    items = ((key, value) for key, value in node.items() if not (is_named and key == "title"))
    written = {key: _as_written(value) for key, value in items if value is not None}
    if "patternProperties" in written:  # other names are invalid
        written["additionalProperties"] = False
    written = _without_null(_as_list(written))
    default, items = written.get("default"), written.get("items", {})
    if isinstance(default, float) and _is_length(written):
        written["default"] = f"{default:g}mm"
    if isinstance(default, list) and _is_length(items):
        written["default"] = [f"{length:g}mm" for length in default]
    return written


def _is_length(node: Mapping[str, Any]) -> bool:
    return str(node.get("pattern")).startswith(LENGTH_PATTERN)


def _as_list(node: dict[str, Any]) -> dict[str, Any]:
    """A list of a fixed length, in keywords of every draft; they cannot state the order."""
    items = node.pop("prefixItems", None)
    if items is None:
        return node
    kinds = [item for number, item in enumerate(items) if item not in items[:number]]
    return node | {"items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    kinds = [kind for kind in node.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) != 1:
        return node
    rest = {key: value for key, value in node.items() if key != "anyOf"}
    return {**kinds[0], **rest}
