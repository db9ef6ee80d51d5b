"""The JSON Schema with which editors check game.toml, for the kinds of faces and checks."""

from collections.abc import Mapping
from typing import Any

from generator.basics.geometry import LENGTH_PATTERN, SIZE_PATTERN
from generator.basics.keys import json_schema
from generator.game.boxes import RENDERER, BoxTable
from generator.game.component_keys import LayoutTable, SideTable, TemplateTable
from generator.game.components import Kinds
from generator.game.document import BookletTable, CoverTable, Document
from generator.game.house_layouts import layouts
from generator.game.shapes import SHAPES, named_sizes

_BY_ROW = {"type": "string", "pattern": r"\{\{"}  # "{{ wide }}x30mm"


def schema(kinds: Kinds) -> dict[str, Any]:
    """The JSON Schema of a game.toml, with the same meaning in draft 7 and later.

    A reference has no siblings, because editors ignore them; no default is null, because some editors fail at it.
    """
    document = schema_of(Document)
    component = document["$defs"]["ComponentTable"]["properties"]
    faces = _one_of("renderer", kinds.renderers)
    layout = schema_of(LayoutTable) | {"title": "layout"}
    layout["properties"]["layout"] |= {"enum": [*layouts()]}
    faces["oneOf"][:0] = [schema_of(TemplateTable) | {"title": "template"}, layout]
    for face in faces["oneOf"]:
        face["properties"] |= schema_of(SideTable)["properties"]
    document["$defs"]["Face"] = faces
    for side in ("front", "back"):
        component[side] = _describe(component[side], anyOf=[{"$ref": "#/$defs/Face"}])
    component["size"] = _size(component["size"])
    shapes = _filled_by_rows(_one_of("kind", SHAPES))
    for shape in shapes["oneOf"]:
        if "page" in shape["properties"]:
            shape["properties"]["page"] = _size(shape["properties"]["page"])
    component["shape"] = _describe(component["shape"], **shapes)
    paper = document["$defs"]["PaperTable"]["properties"]
    for key in ("piece", "pitch"):
        paper[key] = _describe(paper[key], anyOf=component["size"]["anyOf"][:-1])
    component["rule"] |= {"items": _one_of("kind", kinds.checks)}
    boxes = schema_of(BoxTable)
    boxes["properties"] |= schema_of(kinds.renderers[RENDERER])["properties"]
    document["$defs"]["BoxTable"] = boxes
    document["properties"]["box"] |= {"items": {"$ref": "#/$defs/BoxTable"}}
    others = {table.name: table.kinds for table in kinds.tables.values()}
    for name, type_ in {"booklet": BookletTable, "cover": CoverTable, **others}.items():
        key = document["properties"][name]
        if isinstance(type_, Mapping):
            key |= {"items": _one_of("kind", type_)}
            continue
        node = schema_of(type_)
        document["$defs"] |= node.pop("$defs", {}) | {type_.__name__: node}
        table = {"$ref": f"#/$defs/{type_.__name__}"}
        document["properties"][name] = _describe(key, anyOf=[table])
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "game.toml"}
    return head | dict(document)


def decide_by_kind(schema: Mapping[str, Any], address: str) -> dict[str, Any]:
    """The schema as a document at an address, with which editors report a fault at its key.

    For `oneOf` they say of the whole table that it fits none of its kinds. Here the kind decides
    which of them it must fit; `anyOf` always holds, and is where editors find keys to complete.
    """
    kinds: dict[str, Any] = {}

    def decide(node: Any) -> Any:
        if isinstance(node, list):
            return [decide(item) for item in node]
        if not isinstance(node, dict):
            return node
        made = {key: decide(value) for key, value in node.items() if key != "oneOf"}
        if len(made.get("anyOf", "")) == 1:
            made["allOf"] = made.pop("anyOf")
        if "oneOf" not in node:
            return made
        cases, names = [], dict[str, list[str]]()
        for kind in map(decide, node["oneOf"]):
            tag = next((key for key, each in kind["properties"].items() if "const" in each), None)
            key = tag or kind["required"][0]
            name = f"{key}-{kind['title']}"
            while kinds.setdefault(name, kind) != kind:  # as of a check and a question about the odds
                name += "-2"
            way = {"required": [key], "properties": {tag: {"const": kind["title"]}} if tag else {}}
            cases.append({"if": way, "then": {"$ref": f"#/$defs/{name}"}})
            names.setdefault(key, []).extend([kind["title"]] if tag else [])
        known = {key: {"enum": words} for key, words in names.items() if words}
        needed = {"anyOf": [{"required": [key]} for key in names]}
        made["anyOf"] = [{}, *(case["then"] for case in cases)]
        return made | {"allOf": [{"properties": known}, needed, *cases]}

    document: dict[str, Any] = decide(schema)
    document["$defs"] |= kinds
    return {"$schema": document.pop("$schema"), "$id": address, **document}


def _size(key: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a size: a name, a text, or two lengths."""
    names = {"enum": [*named_sizes()]}
    measured = {"type": "string", "pattern": SIZE_PATTERN}
    lengths = {word: value for word, value in key.items() if word != "description"}
    return _describe(key, anyOf=[names, measured, lengths, _BY_ROW])


def _filled_by_rows(node: Any) -> Any:
    """A schema whose lengths may also be texts that rows fill."""
    if isinstance(node, list):
        return [_filled_by_rows(item) for item in node]
    if not isinstance(node, dict):
        return node
    if _is_length(node):
        return {**node, "pattern": f"{node['pattern']}|{_BY_ROW['pattern']}"}
    return {key: _filled_by_rows(value) for key, value in node.items()}


def _describe(key: Mapping[str, Any], **kinds: Any) -> dict[str, Any]:
    """A key with other types and the same description."""
    return {"description": key["description"], **kinds}


def _one_of(tag: str, kinds: Mapping[str, type[Any]]) -> dict[str, Any]:
    return {"oneOf": [_tag(tag, name, kind) for name, kind in sorted(kinds.items())]}


def _tag(tag: str, name: str, kind: type[Any]) -> dict[str, Any]:
    options = schema_of(kind)
    assert "$defs" not in options, "a kind's options are plain values"
    about = options.pop("description", "")
    return dict(options) | {
        "title": name,
        "description": about,
        "properties": {tag: {"const": name, "description": about}} | options.get("properties", {}),
        "required": [tag, *options.get("required", [])],
    }


def schema_of(type_: type[Any]) -> dict[str, Any]:
    """The JSON Schema of a table, with its defaults as a designer writes them."""
    written: dict[str, Any] = _as_written(json_schema(type_))
    return written


def _as_written(node: Any) -> Any:
    """Writes default lengths as a designer does, with their unit."""
    if isinstance(node, list | tuple):
        return [_as_written(item) for item in node]
    if not isinstance(node, dict):
        return node
    written = {key: _as_written(value) for key, value in node.items()}
    default, items = written.get("default"), written.get("items", {})
    if isinstance(default, float) and _is_length(written):
        written["default"] = f"{default:g}mm"
    if isinstance(default, list) and _is_length(items):
        written["default"] = [f"{length:g}mm" for length in default]
    return written


def _is_length(node: Mapping[str, Any]) -> bool:
    return str(node.get("pattern")).startswith(LENGTH_PATTERN)
