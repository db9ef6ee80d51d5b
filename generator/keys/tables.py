"""A class of keys -> the kinds of its values; a raw table -> an object of the class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, overload

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, replace

from generator.errors import did_you_mean, nearest, quote
from generator.keys.declaring import After, Before, Beside, Key, Keys, Reads, ReadsWith, Schema
from generator.keys.kinds import (
    AdaptedKind,
    AnyKind,
    ChoiceKind,
    Definitions,
    FlagKind,
    Kind,
    ListKind,
    MapKind,
    Node,
    NumberKind,
    OwnKind,
    RowKind,
    TextKind,
    UnionKind,
)
from generator.keys.reading import FAULTY, KeyFault, KeyPath, Reading

T = TypeVar("T")
_MOST_MEANT = 100  # unknown keys of a table that are compared with known ones
_PLAIN: Mapping[object, Kind] = {
    Any: AnyKind(),
    str: TextKind(),
    int: NumberKind(is_whole=True),
    float: NumberKind(),
    bool: FlagKind(),
}


class Field(Struct, frozen=True):
    """A key of a class, the kind of its value, and the checks of it beside other keys."""

    name: str
    kind: Kind
    is_required: bool
    default: Any  # NODEFAULT if it has none, or makes one
    beside: tuple[Beside, ...]


class TableKind(Kind, frozen=True):
    """A table whose keys are the fields of a class."""

    type: type[Keys]

    def read(self, raw: object, path: KeyPath, reading: Reading) -> Any:
        if not isinstance(raw, dict):
            return reading.refuse(path, f"must be a table, not {quote(raw)}", self.hint)
        known = fields_of(self.type)
        unknown = [name for name in raw if name not in known]
        misspelt = {nearest(name, known) for name in unknown[:_MOST_MEANT]}
        before, values = len(reading.faults), dict[str, Any]()
        for name, field in known.items():
            if raw.get(name) is not None:  # null of JSON is left out
                _read_field(field, raw[name], path, reading, values)
            elif field.is_required and name not in misspelt:  # else the key as written is reported
                reading.report((*path, name), _say_missing(field), field.kind.hint)
        for number, name in enumerate(unknown):
            hint = did_you_mean(name, known) if number < _MOST_MEANT else ""
            reading.report((*path, name), f"unknown key {quote(name)}", hint)
        return FAULTY if len(reading.faults) > before else self._make(values, path, reading)

    def _make(self, values: Mapping[str, Any], path: KeyPath, reading: Reading) -> Any:
        try:
            return self.type(**values)
        except ValueError as error:
            return reading.refuse_misfit(path, error, self.hint)

    def plain_schema(self, definitions: Definitions) -> Node:
        name = self.type.__name__
        if name not in definitions:
            definitions[name] = {}  # which is known while it is described
            definitions[name] = describe_table(self.type, definitions)
        return {"$ref": f"#/$defs/{name}"}

    def takes(self, raw: object) -> bool:
        return isinstance(raw, dict)


def _read_field(
    field: Field, raw: object, path: KeyPath, reading: Reading, values: dict[str, Any]
) -> None:
    path = (*path, field.name)
    value = field.kind.read(raw, path, reading)
    if value is FAULTY:
        return
    try:
        for beside in field.beside:
            beside.check(value, values)
    except ValueError as error:
        reading.refuse_misfit(path, error, field.kind.hint)
    values[field.name] = value


def _say_missing(field: Field) -> str:
    kind = field.kind.item if isinstance(field.kind, ListKind) else field.kind
    is_table = isinstance(kind, TableKind) or isinstance(field.kind, MapKind)
    return f"the {'table' if is_table else 'key'} {quote(field.name)} is missing"


@cache
def fields_of(type_: type[Keys]) -> Mapping[str, Field]:
    """The keys of a class by name, in their order."""
    return {
        one.name: Field(one.name, kind_of(one.type), one.required, one.default, _beside(one.type))
        for one in fields(type_)
    }


def _beside(hint: Any) -> tuple[Beside, ...]:
    marks = hint.__metadata__ if get_origin(hint) is Annotated else ()
    return tuple(mark for mark in marks if isinstance(mark, Beside))


def kind_of(hint: Any, above: str = "", around: str = "") -> Kind:
    """The kind of a type. above: what an outer annotation says of it; around: what the list that
    holds it says."""
    is_marked = get_origin(hint) is Annotated
    hint, marks = (hint.__origin__, hint.__metadata__) if is_marked else (hint, ())
    limits = reduce(Key.limited, (mark for mark in marks if isinstance(mark, Key)), Key())
    own = next((mark.keywords for mark in reversed(marks) if isinstance(mark, Schema)), None)
    said = above or limits.description or str((own or {}).get("description", "")) or around
    reader = next((mark for mark in reversed(marks) if isinstance(mark, Reads | ReadsWith)), None)
    kind = OwnKind(reader=reader) if reader else _plain_kind(hint, limits, said)
    before = tuple(mark.change for mark in reversed(marks) if isinstance(mark, Before))
    after = tuple(mark.change for mark in marks if isinstance(mark, After))
    if not (reader or before or after or own is not None):
        return kind
    return AdaptedKind(
        kind=kind, before=before, after=after, own_schema=own, limits=limits, hint=said
    )


def _plain_kind(hint: Any, limits: Key, said: str) -> Kind:
    """The kind of a type without annotations."""
    origin, kinds = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return replace(_PLAIN[hint], limits=limits, hint=said)
    if origin in (Union, UnionType):
        return _union(kinds, limits, said)
    if origin is Literal:
        return ChoiceKind(choices=kinds, limits=limits, hint=said)
    if origin is list or kinds[1:] == (...,):
        item = kind_of(kinds[0], around=said)
        return ListKind(item=item, is_list=origin is list, limits=limits, hint=said)
    if origin is tuple:
        items = tuple(kind_of(one, around=said) for one in kinds)
        return RowKind(items=items, limits=limits, hint=said)
    if origin in (dict, Mapping):
        key, value = map(kind_of, kinds)
        return MapKind(key=key, value=value, limits=limits, hint=said)
    assert issubclass(hint, Keys), f"no kind of value is {hint}"
    return TableKind(type=hint, limits=limits, hint=said or _about(hint))


def _union(hints: Sequence[Any], limits: Key, said: str) -> Kind:
    """A value that may be left out is one of its kind; TOML has no word for none."""
    kinds = [kind_of(one, above=said) for one in hints if one is not NoneType]
    if len(kinds) > 1:
        return UnionKind(kinds=tuple(kinds), limits=limits, hint=said)
    return replace(kinds[0], limits=kinds[0].limits.limited(limits))


def describe_table(type_: type[Keys], definitions: Definitions) -> Node:
    """The JSON Schema of a class; those that it refers to are added to `definitions`."""
    known = fields_of(type_).values()
    properties = {one.name: _describe_field(one, definitions) for one in known}
    node: Node = {"type": "object", "additionalProperties": False, "properties": properties}
    if about := _about(type_):
        node["description"] = about
    if required := [one.name for one in known if one.is_required]:
        node["required"] = required
    return node


def _about(type_: type[Keys]) -> str:
    """The docstring of a class as one line."""
    return " ".join((type_.__doc__ or "").split())


def _describe_field(field: Field, definitions: Definitions) -> Node:
    node = field.kind.schema(definitions)
    has_default = field.default is not NODEFAULT and field.default is not None
    return node | ({"default": field.default} if has_default else {})


@overload
def read(
    type_: type[T], raw: object, context: object = None, *, is_typed: bool = False
) -> tuple[T | None, list[KeyFault]]: ...
@overload
def read(
    type_: object, raw: object, context: object = None, *, is_typed: bool = False
) -> tuple[Any, list[KeyFault]]: ...
def read(
    type_: Any, raw: object, context: object = None, *, is_typed: bool = False
) -> tuple[Any, list[KeyFault]]:
    """An object of a class from a raw table, or None with every fault in it; or a value of another
    type.

    context: what readers of the type ReadsWith get. is_typed: every value is text, as on a command
    line.
    """
    reading = Reading(context, is_typed=is_typed)
    value = kind_of(type_).read(raw, (), reading)
    return (None if value is FAULTY else value), reading.faults


def json_schema(type_: type[Keys]) -> Node:
    """The JSON Schema of a class; those that it refers to are in "$defs"."""
    definitions: Definitions = {}
    node = describe_table(type_, definitions)
    return node | ({"$defs": definitions} if definitions else {})
