"""Take pydantic's errors, write sentences that a designer understands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from generator.errors import MisfitError, did_you_mean, nearest, quote
from generator.gamefile.locate import Path

_NAME_RULE = "must be lower-case letters, digits, '-' and '_', beginning with a letter or digit"

# Sentences for pydantic's types of errors; "{input}" is the value. For other types, the sentence
# is "is not valid", and the hint says what is expected.
_SENTENCES = {
    "string_type": "must be text in quotes, not {input}",
    "int_type": "must be a whole number, not {input}",
    "int_parsing": "must be a whole number, not {input}",  # an option of the command line
    "bool_type": "must be true or false, not {input}",
    "list_type": "must be a list [ … ], not {input}",
    "tuple_type": "must be a list [ … ], not {input}",
    "dict_type": "must be a table, not {input}",
    "model_type": "must be a table, not {input}",
    "dataclass_type": "must be a table, not {input}",
    "string_too_short": "must not be empty",
    "string_too_long": "is longer than {max_length} characters",
    "string_pattern_mismatch": _NAME_RULE + ", not {input}",
    "too_short": "must hold {min_length} or more values, not {actual_length}",
    "too_long": "must hold {max_length} values or fewer, not {actual_length}",
    "greater_than_equal": "must be at least {ge}, not {input}",
    "less_than_equal": "must be at most {le:,}, not {input}",
    "literal_error": "must be {expected}, not {input}",
}


_MOST_MEANT = 100  # unknown keys that are compared with missing ones
_BARE = re.compile(r"[A-Za-z0-9_-]{1,60}")
_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
_MISSING = ("missing", "missing_argument", "missing_keyword_only_argument")


class SpecFault(NamedTuple):
    """A fault at a key path within the validated value."""

    path: Path
    what: str
    hint: str


def faults(kind: type[Any], error: ValidationError) -> Iterator[SpecFault]:
    """Every fault of a value that should have been a `kind`."""
    schema = TypeAdapter(kind).json_schema()
    errors = error.errors(include_url=False)
    unknown = (details for details in errors if details["type"] in _UNKNOWN)
    misspelt = {_meant(schema, details) for details in islice(unknown, _MOST_MEANT)}
    short_lists: set[Path] = set()
    for details in errors:
        path = _plain(details["loc"])
        is_missing = details["type"] in _MISSING
        if is_missing and path in misspelt:
            continue  # the key as written is reported
        is_short = is_missing and isinstance(path[-1], int)
        if is_short and path[:-1] not in short_lists:
            short_lists.add(path[:-1])
            node = _node(schema, path[:-1])
            count = len(node.get("prefixItems", ()))
            length = len(details["input"])
            what = f"{_label(path[:-1])} must hold {count} values, not {length}"
            yield SpecFault(path[:-1], what, str(node.get("description", "")))
        elif not is_short:
            yield SpecFault(path, *_sentence(schema, path, details))


def _meant(schema: Mapping[str, Any], details: Mapping[str, Any]) -> Path:
    """The key that an unknown key probably misspells."""
    path = _plain(details["loc"])
    properties = _node(schema, path[:-1]).get("properties", {})
    return (*path[:-1], nearest(str(path[-1]), properties))


def _sentence(schema: Mapping[str, Any], path: Path, details: Mapping[str, Any]) -> tuple[str, str]:
    type_ = details["type"]
    node = _node(schema, path)
    hint = node.get("description", "")
    if path and isinstance(path[-1], int):
        hint = hint or _node(schema, path[:-1]).get("description", "")
    if type_ in _UNKNOWN:
        properties = _node(schema, path[:-1]).get("properties", {})
        return f"unknown key {quote(path[-1])}", did_you_mean(str(path[-1]), properties)
    if type_ in _MISSING:
        is_table = node.get("type") == "object" or "$ref" in node.get("items", {})
        return f"the {'table' if is_table else 'key'} {quote(path[-1])} is missing", hint
    label = _label(path)
    if type_ == "value_error":
        fault = details["ctx"]["error"]
        own_hint = fault.hint if isinstance(fault, MisfitError) else ""
        return f"{label}: {fault}" if label else str(fault), own_hint or hint
    if details["loc"][-1] == "[key]":
        return f"the name {quote(path[-1])} {_NAME_RULE}", ""
    sentence = _SENTENCES.get(type_, "is not valid: {input}")
    context = details.get("ctx", {}) | {"input": quote(details["input"])}
    if type_ == "too_long":  # pydantic does not count beyond the most
        context["actual_length"] = len(details["input"])
    return f"{label} {sentence.format_map(context)}", hint


def _plain(path: Sequence[str | int]) -> Path:
    return tuple(part for part in path if part != "[key]")


def _label(path: Path) -> str:
    """The keys of a path, without the tables around it: the message's line shows those."""
    if path[:1] == ("component",) and len(path) == 2:
        return "this component"
    while len(path) > 1 and path[0] in ("game", "component", "box", "palette", "art"):
        path = path[2 if isinstance(path[1], int) and len(path) > 2 else 1 :]
    names = [_write_key(part) for part in path if isinstance(part, str)]
    items = [f"item {part + 1}" for part in path if isinstance(part, int)]
    return ", ".join([".".join(names), *items] if names else items)


def _write_key(key: str) -> str:
    """A key as in TOML: bare if possible, else quoted."""
    return key if _BARE.fullmatch(key) else quote(key)


def _node(schema: Mapping[str, Any], path: Iterable[str | int]) -> dict[str, Any]:
    """The part of a JSON Schema that describes a path; {} if there is none."""
    node = dict(schema)
    for part in path:
        items = node.get("prefixItems", ())
        if isinstance(part, int):
            node = items[part] if part < len(items) else node.get("items", {})
        else:
            named = node.get("patternProperties", {}).values()
            others = next(iter(named), node.get("additionalProperties", {}))
            node = node.get("properties", {}).get(part, others)
        node = _resolve(schema, node)
    return node


def _resolve(schema: Mapping[str, Any], node: object) -> dict[str, Any]:
    if not isinstance(node, dict):
        return {}
    for kind in node.get("anyOf", ()):  # an optional key
        if kind.get("type") != "null":
            return _resolve(schema, {**kind, **node, "anyOf": ()})
    if "$ref" in node:
        target = schema["$defs"][node["$ref"].rpartition("/")[2]]
        return {**target, **node}
    return node
