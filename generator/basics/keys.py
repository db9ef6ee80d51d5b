"""Classes whose fields are the keys of a table: they read raw values, or report every fault.

A key's type says what its value may be, with these annotations:

    size: Annotated[float, describe("the size of the text", ge=6, le=20)] = 10.0

A file keys.toml beside the module of a class may describe its keys instead: the words of each, in a
table with the name of the class. `read` makes an object of a table. `json_schema` describes the
table for editors. msgspec does both, but for the faults.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from math import isfinite
from pathlib import Path
from threading import RLock
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, Union, get_args, get_origin

from msgspec import Meta, Struct, convert
from msgspec.json import schema_components
from msgspec.structs import FieldInfo, fields

from generator.basics.errors import MisfitError, did_you_mean, list_names, nearest, quote

T = TypeVar("T")
KeyPath = tuple[str | int, ...]  # from a table to a value within it
Limits = Mapping[str, Any]  # by their names in msgspec.Meta, with the rule of a pattern
_MOST_MEANT = 100  # unknown keys of a table that are compared with known ones
_BARE = re.compile(r"[A-Za-z0-9_-]{1,60}")
_UNNAMED = ("game", "component", "box", "palette", "art", "printer")  # in the place of a message
_LIMITS = ("description", "ge", "le", "min_length", "max_length", "pattern")
_PLAIN: Mapping[Any, tuple[str, tuple[type, ...]]] = {
    str: ("text in quotes", (str,)),
    int: ("a whole number", (int,)),
    float: ("a number", (float, int)),
    bool: ("true or false", (bool,)),
}
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
# msgspec crashes where threads read a class for the first time at once: one finds the types of its
# fields, in Python, while another already uses those that are missing (0.22).
_LOCK = RLock()
Node = dict[str, Any]  # of a JSON Schema
_END = r"(?!\n)"  # re's $ matches before a last line break too, that of JSON Schema does not


class KeyFault(Struct, frozen=True):
    """A fault at a path within the table that was read."""

    path: KeyPath
    what: str
    hint: str


def read(
    type_: type[T], raw: object, context: object = None, *, is_typed: bool = False, beside: Collection[str] = ()
) -> tuple[T | None, list[KeyFault]]:
    """An object of a class from a raw table, or None with every fault in it.

    context: what readers of the type ReadsWith get. is_typed: every value is text, as on a command
    line. beside: the keys of the table that another class reads, for hints.
    """
    reading = _Reading(context, is_typed, beside)
    faults = reading.faults(type_, raw) if is_typed or not _is_finite(raw) else []
    if faults:
        return None, faults
    try:
        return reading.convert(type_, raw), []
    except ValueError as error:
        return None, reading.faults(type_, raw) or [KeyFault((), str(error), "")]


def described(type_: Any) -> str:
    """The description of a type, from its annotations or its docstring."""
    kind, limits = _unwrap(type_)
    is_table = isinstance(kind, type) and issubclass(kind, Keys)
    about = " ".join((kind.__doc__ or "").split()) if is_table else ""
    return limits.get("description") or about


class _Where(Struct, frozen=True):
    """The path of a value, the hint for its faults, and whether it is the last key of the path."""

    path: KeyPath = ()
    hint: str = ""
    is_name: bool = False

    def within(self, key: str | int, hint: str = "", *, is_name: bool = False) -> _Where:
        return _Where((*self.path, key), hint, is_name)

    def refuse(self, sentence: str) -> list[KeyFault]:
        """The fault that the value `sentence`: "must be a list"; none for ""."""
        if not sentence:
            return []
        if self.is_name:
            return [KeyFault(self.path, f"the name {quote(self.path[-1])} {sentence}", "")]
        return [KeyFault(self.path, f"{_label(self.path)} {sentence}", self.hint)]

    def misfit(self, error: BaseException) -> list[KeyFault]:
        """The fault for an exception that a function raised."""
        own = error.hint if isinstance(error, MisfitError) else ""
        label = _label(self.path)
        return [KeyFault(self.path, f"{label}: {error}" if label else str(error), own or self.hint)]


def _label(path: KeyPath) -> str:
    """The keys of a path, without the tables around it: the message's line shows those."""
    if path[:1] == ("component",) and len(path) == 2:
        return "this component"
    while len(path) > 1 and path[0] in _UNNAMED:
        path = path[2 if isinstance(path[1], int) and len(path) > 2 else 1 :]
    keys = (part for part in path if isinstance(part, str))
    names = [key if _BARE.fullmatch(key) else quote(key) for key in keys]  # as in TOML
    items = [f"item {part + 1}" for part in path if isinstance(part, int)]
    return ", ".join([".".join(names), *items] if names else items)


_TOP = _Where()


class _Reading(Struct, frozen=True):
    context: object
    is_typed: bool
    beside: Collection[str]

    def convert(self, type_: Any, raw: Any) -> Any:
        """Raises ValueError at the first fault."""
        if self.is_typed and isinstance(raw, dict):
            types = {field.name: field.type for field in fields(type_)}
            raw = {name: _parse(types.get(name), text) for name, text in raw.items()}
        with _LOCK:
            return convert(raw, type_, dec_hook=self._read_custom)

    def _read_custom(self, custom: Any, raw: object) -> Any:
        marks, begun = custom.marks, custom.begin(raw)
        if Reads in marks:
            value = marks[Reads].read(begun)
        elif ReadsWith in marks:
            value = marks[ReadsWith].read(begun, self.context)
        else:
            value = self._read_names(custom.kind, self.convert(custom.kind, begun))
        return marks[After].change(value) if After in marks else value

    def _read_names(self, type_: Any, value: Any) -> Any:
        """A table with its keys of a custom type, which msgspec leaves raw; or the same value."""
        kind = _unwrap(type_)[0]
        if get_origin(kind) not in (dict, Mapping) or not isinstance(get_args(kind)[0], CustomType):
            return value
        return {self.convert(get_args(kind)[0], name): inner for name, inner in value.items()}

    def faults(self, type_: Any, raw: Any, where: _Where = _TOP, above: str = "") -> list[KeyFault]:
        """Every fault of a value. above: what an outer annotation says of it."""
        kind, limits = _unwrap(type_)
        where = _Where(where.path, above or limits.get("description") or where.hint or described(kind), where.is_name)
        origin = get_origin(kind)
        if isinstance(kind, CustomType):
            return self._of_custom(kind, raw, where)
        if origin in (Union, UnionType):
            return self._of_union(get_args(kind), raw, where)
        if origin in (list, tuple):
            return self._of_list(kind, limits, raw, where)
        if origin in (dict, Mapping):
            return self._of_dict(kind, limits, raw, where)
        if isinstance(kind, type) and issubclass(kind, Keys):
            return self._of_table(kind, raw, where)
        return where.refuse(self._say_wrong(kind, limits, raw, where))

    def _of_custom(self, custom: CustomType, raw: object, where: _Where) -> list[KeyFault]:
        try:
            found = self.faults(custom.kind, custom.begin(raw), where, above=where.hint)
            if not found:
                self._read_custom(custom, raw)
        except ValueError as error:
            return where.misfit(error)
        return found

    def _of_union(self, types: Sequence[Any], raw: object, where: _Where) -> list[KeyFault]:
        """The faults of a raw value, by the first type of a union that it is meant for, or by the last one."""
        if raw is None and NoneType in types:
            return []
        types = [type_ for type_ in types if type_ is not NoneType]
        plain = [_PLAIN.get(_unwrap(type_)[0], ("", ()))[1] for type_ in types]
        meant = (type_ for type_, taken in zip(types, plain, strict=True) if type(raw) in taken)
        return self.faults(next(meant, types[-1]), raw, where, above=where.hint)

    def _of_list(self, kind: Any, limits: Limits, raw: Any, where: _Where) -> list[KeyFault]:
        types = get_args(kind)
        is_row = get_origin(kind) is tuple and types[-1] is not ...
        limits = {"max_length": len(types)} if is_row else limits
        if wrong := _say_shape_wrong((list, tuple), limits, raw):
            return where.refuse(wrong)
        found: list[KeyFault] = []
        for number, item in enumerate(raw):
            type_ = types[number if is_row else 0]
            found += self.faults(type_, item, where.within(number, where.hint))
        if is_row and len(raw) < len(types):
            found += where.refuse(f"must hold {len(types)} values, not {len(raw)}")
        return found

    def _of_dict(self, kind: Any, limits: Limits, raw: Any, where: _Where) -> list[KeyFault]:
        if wrong := _say_shape_wrong((dict,), limits, raw):
            return where.refuse(wrong)
        key_type, type_ = get_args(kind)
        found: list[KeyFault] = []
        for name, value in raw.items():
            found += self.faults(key_type, name, where.within(name, is_name=True))
            found += self.faults(type_, value, where.within(name))
        return found

    def _of_table(self, type_: type[Keys], raw: Any, where: _Where) -> list[KeyFault]:
        if wrong := _say_shape_wrong((dict,), {}, raw):
            return where.refuse(wrong)
        known = {field.name: field for field in fields(type_)}
        unknown = [name for name in raw if name not in known]
        misspelt = {nearest(name, known) for name in unknown[:_MOST_MEANT]}
        words = known if where.path else {*known, *self.beside}
        found: list[KeyFault] = []
        for name, field in known.items():
            at, said = where.within(name), _read_words(type_).get(name, "")
            if name in raw:
                found += self.faults(field.type, raw[name], at, above=said)
            elif field.required and name not in misspelt:  # else the key as written is reported
                hint = said or described(field.type)
                found.append(KeyFault(at.path, _say_missing(field), hint))
        for number, name in enumerate(unknown):
            hint = did_you_mean(name, words) if number < _MOST_MEANT else ""
            found.append(KeyFault((*where.path, name), f"unknown key {quote(name)}", hint))
        return found or self._of_whole(type_, raw, where)

    def _of_whole(self, type_: type[Keys], raw: Any, where: _Where) -> list[KeyFault]:
        """The fault of a table whose keys have none."""
        try:
            self.convert(type_, raw)
        except ValueError as error:
            cause = error.__cause__ or error
            if not isinstance(cause, ValueError):
                raise cause from None  # a fault of the program
            at = where.within(cause.key) if isinstance(cause, KeyMisfitError) else where
            return at.misfit(cause)
        return []

    def _say_wrong(self, kind: Any, limits: Limits, raw: object, where: _Where) -> str:
        """The sentence about a value that is neither list nor table; "" for a sound one."""
        choices = get_args(kind)  # of a Literal; True == 1
        if choices and not any(type(raw) is type(choice) and raw == choice for choice in choices):
            return f"must be {list_names(map(repr, choices), 'or')}, not {quote(raw)}"
        if kind not in _PLAIN:
            return ""
        value: Any = _parse(kind, raw) if self.is_typed else raw
        name, types = _PLAIN[kind]
        if type(value) not in types or not _is_finite(value):
            return f"must be {name}, not {quote(raw)}"
        if value < limits.get("ge", value):
            return f"must be at least {limits['ge']}, not {quote(raw)}"
        if value > limits.get("le", value):
            return f"must be at most {limits['le']:,}, not {quote(raw)}"
        if not isinstance(value, str):
            return ""
        if len(value) < limits.get("min_length", 0):
            return "must not be empty"
        if len(value) > limits.get("max_length", len(value)):
            return f"is longer than {limits['max_length']} characters"
        if re.search(limits.get("pattern", ""), value):
            return ""
        return limits["rule"] if where.is_name else f"{limits['rule']}, not {quote(value)}"


@cache
def _read_words(type_: type[Keys]) -> Mapping[str, str]:
    """The descriptions that keys.toml has of the keys of a class."""
    file = Path(sys.modules[type_.__module__].__file__ or "").with_name("keys.toml")
    words: Mapping[str, Mapping[str, str]] = {}
    if file.is_file():
        words = tomllib.loads(file.read_text("utf-8"))
    return words.get(type_.__name__, {})


def _unwrap(type_: Any) -> tuple[Any, dict[str, Any]]:
    """A type without its annotations; and its limits, description and rule by these."""
    if isinstance(type_, CustomType):
        return type_, {"description": type_.description}
    if get_origin(type_) is not Annotated:
        return type_, {}
    kind, said = _unwrap(type_.__origin__)
    for meta in (mark for mark in type_.__metadata__ if isinstance(mark, Meta)):
        given = {name: getattr(meta, name) for name in _LIMITS} | (meta.extra or {})
        said |= {name: limit for name, limit in given.items() if limit is not None}
    return kind, said


def _say_missing(field: FieldInfo) -> str:
    kind = _unwrap(field.type)[0]
    if get_origin(kind) in (list, tuple):  # [[rows]]
        kind = _unwrap(get_args(kind)[0])[0]
    is_table = get_origin(kind) in (dict, Mapping) or isinstance(kind, type(Keys))
    return f"the {'table' if is_table else 'key'} {quote(field.name)} is missing"


def _say_shape_wrong(shapes: Any, limits: Limits, raw: Any) -> str:
    """The sentence about a value that is no list or no table, or has too few or too many values."""
    if not isinstance(raw, shapes):
        name = "a table" if dict in shapes else "a list [ … ]"
        return f"must be {name}, not {quote(raw)}"
    count = len(raw)
    if count < limits.get("min_length", 0):
        return f"must hold {limits['min_length']} or more values, not {count}"
    if count > limits.get("max_length", count):
        return f"must hold {limits['max_length']} values or fewer, not {count}"
    return ""


def _parse(type_: Any, text: Any) -> object:
    """A text as a number or a flag, if it is one and such is expected; else the text itself."""
    kind = _unwrap(type_)[0]
    if get_origin(kind) in (Union, UnionType):  # of one that may be left out
        kind = _unwrap(get_args(kind)[0])[0]
    try:
        return _FLAGS[text.lower()] if kind is bool else kind(text) if kind in _PLAIN else text
    except (KeyError, ValueError):
        return text


def _is_finite(raw: object) -> bool:
    """Whether no number is infinite or NaN, which msgspec takes for a float."""
    values = [raw]  # not by recursion: a key of 3,000 dots makes as many tables
    while values:
        value = values.pop()
        if isinstance(value, float) and not isfinite(value):
            return False
        if isinstance(value, dict | list | tuple):
            values += value.values() if isinstance(value, dict) else value
    return True


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
        """Makes msgspec accept any value that a hook returns."""
        return True


if TYPE_CHECKING:
    from typing import Annotated as Custom
else:

    class Custom:
        """Like Annotated, of values that functions read or change: Custom[float, Reads(parse)].

        The type itself is for mypy; msgspec sees another class, for which it asks a hook. It asks
        none for the keys of a table: one with keys of a custom type is custom too, Custom[dict[…]].
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
    for table in _find_tables(kind):
        for name, said in _read_words(table).items():
            parts[table.__name__]["properties"][name]["description"] = said
    definitions |= {name: _for_editors(part) for name, part in parts.items()}
    described: Node = _for_editors(node)
    return described


def _find_tables(type_: Any) -> Iterator[type[Keys]]:
    """The classes of keys within a type that msgspec reads."""
    kind = _unwrap(type_)[0]
    inner = get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Keys):
        yield kind
        inner = tuple(field.type for field in fields(kind))
    for part in inner:
        yield from _find_tables(part)


def _for_editors(node: Any) -> Any:
    """A schema in keywords of every draft, which cannot state the order of a list's values. It has no null, at
    which some editors fail, and nothing beside a reference, which they ignore."""
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
