"""What a class of keys is made of, its base and the types of its fields, and its JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.json import schema_components

from generator.basics.errors import MisfitError

Node = dict[str, Any]  # of a JSON Schema
_END = r"(?!\n)"  # re's $ matches before a last line break too, that of JSON Schema does not


class Keys(Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
    """A table whose keys are the fields of its class. Unknown keys are faults.

    `__post_init__` raises MisfitError if keys contradict each other.
    """


class KeyMisfitError(MisfitError):
    """The value of a key that contradicts those of other keys, for `__post_init__`."""

    def __init__(self, key: str, what: str, hint: str = "") -> None:
        super().__init__(what, hint)
        self.key = key


def describe(description: str, **limits: Any) -> Meta:
    """What messages and the schema say of a key, and the limits of its value, as of msgspec.Meta:
    `ge`, `le` of a number; `min_length`, `max_length` of a text, list or table."""
    return Meta(description=description, **limits)


def matching(pattern: str, rule: str, **limits: Any) -> Meta:
    """The limits of a text that a regular expression matches from ^ to $. rule: the sentence about
    a text that it does not match: "must be one letter"."""
    return Meta(pattern=pattern + _END, extra={"rule": rule}, **limits)


class Before(Struct, frozen=True):
    """Changes a raw value before it is read. Raises MisfitError for a value that it refuses."""

    change: Callable[[Any], object]


def strip(value: object) -> object:
    """A raw text without the space around it."""
    return value.strip() if isinstance(value, str) else value


class After(Struct, frozen=True):
    """Changes a value that was read. Raises MisfitError for a value that it refuses."""

    change: Callable[[Any], Any]


class Reads(Struct, frozen=True):
    """Reads a raw value of any kind. Raises MisfitError for a value that it refuses."""

    read: Callable[[object], Any]


class ReadsWith(Struct, frozen=True):
    """Like Reads, beside what the caller of `read` gives: the palette, the fonts of a game."""

    read: Callable[[object, Any], Any]


class Schema(Struct, frozen=True):
    """The JSON Schema of a value, in place of the one that its type has."""

    keywords: Mapping[str, Any]


class CustomType(type):
    """The class of a class that stands for values which functions read or change.

    kind: the type of a value between these functions. marks: they, by their types.
    """

    kind: Any
    marks: Mapping[type, Any]
    description: str

    def begin(cls, raw: object) -> Any:
        """A raw value as its kind is read."""
        return cls.marks[Before].change(raw) if Before in cls.marks else raw

    def __instancecheck__(cls, _value: object) -> bool:
        """Msgspec takes of what a hook returns only instances of the type."""
        return True


class Custom:
    """Like Annotated, of values that functions read or change: Custom[float, Reads(parse)].

    The type itself is for mypy; msgspec sees another class, for which it asks a hook. It asks none
    for the keys of a table: one with keys of a custom type is custom too, Custom[dict[…]].
    """

    def __class_getitem__(cls, params: tuple[Any, ...]) -> CustomType:
        kind, *marks = params
        metas = [mark for mark in marks if isinstance(mark, Meta)]
        by_type = {type(mark): mark for mark in marks}
        if by_type.keys() & {Reads, ReadsWith}:
            kind = Any
        own = by_type[Schema].keywords if Schema in by_type else {}
        said = [meta.description for meta in metas if meta.description]
        parts = {
            "kind": Annotated[(kind, *metas)] if metas else kind,
            "marks": by_type,
            "description": said[-1] if said else own.get("description", ""),
        }
        return CustomType("Custom", (), parts)


def json_schema(type_: type[Keys]) -> Node:
    """The JSON Schema of a class; those that it refers to are in "$defs"."""
    definitions: dict[str, Node] = {}
    name = _describe(type_, definitions)["$ref"].rpartition("/")[2]
    node = definitions.pop(name)
    return node | ({"$defs": definitions} if definitions else {})


def _describe(kind: Any, definitions: dict[str, Node]) -> Node:
    """The schema of a type; the classes that it refers to are added to `definitions`."""

    def describe_custom(custom: Any) -> Node:
        own = custom.marks.get(Schema)
        node = dict(own.keywords) if own else _describe(custom.kind, definitions)
        return node | {"description": custom.description}

    (node,), parts = schema_components([kind], schema_hook=describe_custom)
    definitions |= {name: _for_editors(part) for name, part in parts.items()}
    described: Node = _for_editors(node)
    return described


def _for_editors(node: Any) -> Any:
    """The same in keywords of every draft, which cannot state the order of a list's values. There
    is no null, at which some editors fail, and nothing beside a reference, which they ignore."""
    if isinstance(node, list):
        return [_for_editors(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {key: _for_editors(value) for key, value in node.items() if value is not None}
    if isinstance(node.get("title"), str):  # else the key of a table; msgspec's is for programs
        del node["title"]
    if isinstance(node.get("description"), str):  # of several lines, if it is a docstring
        lines = node.pop("description").splitlines()
        node |= {"description": " ".join(filter(None, map(str.strip, lines)))} if lines else {}
    if isinstance(node.get("pattern"), str):
        node["pattern"] = node["pattern"].removesuffix(_END)
    if items := node.pop("prefixItems", None):
        kinds = [item for number, item in enumerate(items) if item not in items[:number]]
        node["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    kinds = [kind for kind in node.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) == 1:
        del node["anyOf"]
        node = kinds[0] | node
    elif kinds:
        node["anyOf"] = kinds
    if "$ref" in node and len(node) > 1:
        node = {"anyOf": [{"$ref": node.pop("$ref")}], **node}
    return node
