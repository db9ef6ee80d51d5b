"""The kinds of values: each reads a raw value, and has a JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from msgspec import Struct

from generator.errors import quote
from generator.keys.declaring import Key, Reads, ReadsWith
from generator.keys.reading import FAULTY, KeyPath, Reading, list_choices

Node = dict[str, Any]  # of a JSON Schema
Definitions = dict[str, Node]
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Kind(Struct, frozen=True, kw_only=True):
    """What a value may be. limits: its limits, and what its schema says; hint: what messages about
    it say."""

    limits: Key = Key()
    hint: str = ""

    def read(self, raw: object, path: KeyPath, reading: Reading) -> Any:
        """The value, or FAULTY after reporting every fault of it."""
        raise NotImplementedError

    def schema(self, definitions: Definitions) -> Node:
        """Its JSON Schema; the classes of keys that it refers to are added to `definitions`."""
        node, about = self.plain_schema(definitions), self.limits.description
        if about and "$ref" in node:  # editors ignore what is beside a reference
            node = {"anyOf": [node]}
        described = {"description": about} if about else {}
        return node | described | dict(self.limits.keywords)

    def plain_schema(self, definitions: Definitions) -> Node:
        """Without its description."""
        raise NotImplementedError

    def takes(self, _raw: object) -> bool:
        """Whether it is the kind of a union that a raw value is meant for."""
        return True


class AnyKind(Kind, frozen=True):
    """Any value."""

    def read(self, raw: object, _path: KeyPath, _reading: Reading) -> Any:
        return raw

    def plain_schema(self, _definitions: Definitions) -> Node:
        return {}


class TextKind(Kind, frozen=True):
    """Text."""

    def read(self, raw: object, path: KeyPath, reading: Reading) -> Any:
        if not isinstance(raw, str):
            return reading.refuse(path, f"must be text in quotes, not {quote(raw)}", self.hint)
        shortest, longest = self.limits.shortest, self.limits.longest
        if shortest is not None and len(raw) < shortest:
            return reading.refuse(path, "must not be empty", self.hint)
        if longest is not None and len(raw) > longest:
            return reading.refuse(path, f"is longer than {longest} characters", self.hint)
        if self.limits.pattern and not re.fullmatch(self.limits.pattern, raw):
            instead = "" if reading.is_of_names else f", not {quote(raw)}"
            return reading.refuse(path, self.limits.rule + instead, self.hint)
        return raw

    def plain_schema(self, _definitions: Definitions) -> Node:
        names = {"minLength": "shortest", "maxLength": "longest", "pattern": "pattern"}
        return {"type": "string", **_limits(self.limits, names)}

    def takes(self, raw: object) -> bool:
        return isinstance(raw, str)


class NumberKind(Kind, frozen=True):
    """A number, or with `is_whole` a whole one."""

    is_whole: bool = False

    def read(self, raw: object, path: KeyPath, reading: Reading) -> Any:
        value = _parse_number(raw, self.is_whole) if reading.is_typed else raw
        if not self._is_number(value):
            name = "a whole number" if self.is_whole else "a number"
            return reading.refuse(path, f"must be {name}, not {quote(raw)}", self.hint)
        least, most = self.limits.least, self.limits.most
        if least is not None and value < least:  # type: ignore[operator]
            return reading.refuse(path, f"must be at least {least}, not {quote(raw)}", self.hint)
        if most is not None and value > most:  # type: ignore[operator]
            return reading.refuse(path, f"must be at most {most:,}, not {quote(raw)}", self.hint)
        return value if self.is_whole else float(value)  # type: ignore[arg-type]

    def _is_number(self, value: object) -> bool:
        if isinstance(value, float):
            return not self.is_whole and isfinite(value)
        return isinstance(value, int) and not isinstance(value, bool)

    def plain_schema(self, _definitions: Definitions) -> Node:
        names = {"minimum": "least", "maximum": "most"}
        type_ = "integer" if self.is_whole else "number"
        return {"type": type_, **_limits(self.limits, names)}

    def takes(self, raw: object) -> bool:
        return self._is_number(raw)


class FlagKind(Kind, frozen=True):
    """true or false."""

    def read(self, raw: object, path: KeyPath, reading: Reading) -> Any:
        value = _FLAGS.get(raw.lower(), raw) if reading.is_typed and isinstance(raw, str) else raw
        if isinstance(value, bool):
            return value
        return reading.refuse(path, f"must be true or false, not {quote(raw)}", self.hint)

    def plain_schema(self, _definitions: Definitions) -> Node:
        return {"type": "boolean"}

    def takes(self, raw: object) -> bool:
        return isinstance(raw, bool)


class ChoiceKind(Kind, frozen=True):
    """One of a few texts or whole numbers."""

    choices: tuple[str | int, ...]

    def read(self, raw: object, path: KeyPath, reading: Reading) -> Any:
        if any(type(raw) is type(one) and raw == one for one in self.choices):  # True == 1
            return raw
        expected = list_choices(self.choices)
        return reading.refuse(path, f"must be {expected}, not {quote(raw)}", self.hint)

    def plain_schema(self, _definitions: Definitions) -> Node:
        type_ = "string" if isinstance(self.choices[0], str) else "integer"
        return {"enum": [*self.choices], "type": type_}


class ListKind(Kind, frozen=True):
    """A list of values of one kind; a tuple, or with `is_list` a list."""

    item: Kind
    is_list: bool = False

    def read(self, raw: object, path: KeyPath, reading: Reading) -> Any:
        if not isinstance(raw, list | tuple):
            return reading.refuse(path, f"must be a list [ … ], not {quote(raw)}", self.hint)
        if (wrong := _count_wrong(self.limits, len(raw))) is not None:
            return reading.refuse(path, wrong, self.hint)
        items = [self.item.read(one, (*path, number), reading) for number, one in enumerate(raw)]
        if FAULTY in items:
            return FAULTY
        return items if self.is_list else tuple(items)

    def plain_schema(self, definitions: Definitions) -> Node:
        names = {"minItems": "shortest", "maxItems": "longest"}
        return {
            "type": "array",
            "items": self.item.schema(definitions),
            **_limits(self.limits, names),
        }


class RowKind(Kind, frozen=True):
    """A list of a fixed length, each item of a kind of its own."""

    items: tuple[Kind, ...]

    def read(self, raw: object, path: KeyPath, reading: Reading) -> Any:
        if not isinstance(raw, list | tuple):
            return reading.refuse(path, f"must be a list [ … ], not {quote(raw)}", self.hint)
        count = len(self.items)
        if len(raw) > count:
            wrong = f"must hold {count} values or fewer, not {len(raw)}"
            return reading.refuse(path, wrong, self.hint)
        kinds = enumerate(zip(self.items, raw, strict=False))
        values = [kind.read(one, (*path, number), reading) for number, (kind, one) in kinds]
        if len(raw) < count:
            return reading.refuse(path, f"must hold {count} values, not {len(raw)}", self.hint)
        return FAULTY if FAULTY in values else tuple(values)

    def plain_schema(self, definitions: Definitions) -> Node:
        """In keywords of every draft; they cannot state the order."""
        items = [item.schema(definitions) for item in self.items]
        kinds = [item for number, item in enumerate(items) if item not in items[:number]]
        return {
            "type": "array",
            "items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds},
            "minItems": len(items),
            "maxItems": len(items),
        }


class MapKind(Kind, frozen=True):
    """A table with any keys of one kind, and values of one kind."""

    key: Kind
    value: Kind

    def read(self, raw: object, path: KeyPath, reading: Reading) -> Any:
        if not isinstance(raw, dict):
            return reading.refuse(path, f"must be a table, not {quote(raw)}", self.hint)
        if (wrong := _count_wrong(self.limits, len(raw))) is not None:
            return reading.refuse(path, wrong, self.hint)
        values: dict[Any, Any] = {}
        is_whole, names = True, reading.of_names()
        for name, one in raw.items():
            key = self.key.read(name, (*path, name), names)
            value = self.value.read(one, (*path, name), reading)
            is_whole = is_whole and key is not FAULTY and value is not FAULTY
            values[key] = value
        return values if is_whole else FAULTY

    def plain_schema(self, definitions: Definitions) -> Node:
        names = {"minProperties": "shortest", "maxProperties": "longest"}
        node, key = self.value.schema(definitions), self.key.schema(definitions)
        kinds: Node = {"additionalProperties": node or True}
        if "pattern" in key:  # other names are invalid
            kinds = {"patternProperties": {key["pattern"]: node}, "additionalProperties": False}
        rest = {name: key[name] for name in ("minLength", "maxLength") if name in key}
        kinds |= {"propertyNames": rest} if rest else {}
        return {"type": "object", **kinds, **_limits(self.limits, names)}


class UnionKind(Kind, frozen=True):
    """The first kind that takes a raw value; the last one reports what none takes."""

    kinds: tuple[Kind, ...]

    def read(self, raw: object, path: KeyPath, reading: Reading) -> Any:
        kind = next((kind for kind in self.kinds if kind.takes(raw)), self.kinds[-1])
        return kind.read(raw, path, reading)

    def plain_schema(self, definitions: Definitions) -> Node:
        return {"anyOf": [kind.schema(definitions) for kind in self.kinds]}


class OwnKind(Kind, frozen=True):
    """A value that a function reads."""

    reader: Reads | ReadsWith

    def read(self, raw: object, _path: KeyPath, reading: Reading) -> Any:
        if isinstance(self.reader, ReadsWith):
            return self.reader.read(raw, reading.context)
        return self.reader.read(raw)

    def plain_schema(self, _definitions: Definitions) -> Node:
        return {}


class AdaptedKind(Kind, frozen=True):
    """A kind whose values are changed or refused by functions, or that has another schema."""

    kind: Kind
    before: tuple[Callable[[Any], object], ...]
    after: tuple[Callable[[Any], Any], ...]
    own_schema: Mapping[str, Any] | None

    def read(self, raw: object, path: KeyPath, reading: Reading) -> Any:
        try:
            for change in self.before:
                raw = change(raw)
            value = self.kind.read(raw, path, reading)
            if value is not FAULTY:
                for change in self.after:
                    value = change(value)
        except ValueError as error:
            return reading.refuse_misfit(path, error, self.hint)
        return value

    def plain_schema(self, definitions: Definitions) -> Node:
        own = self.own_schema
        return self.kind.schema(definitions) if own is None else dict(own)

    def takes(self, raw: object) -> bool:
        return self.kind.takes(raw)


def _parse_number(raw: object, is_whole: bool) -> object:
    """A number that was typed; the value itself if it is none."""
    try:
        return (int if is_whole else float)(raw) if isinstance(raw, str) else raw
    except ValueError:
        return raw


def _limits(limits: Key, names: Mapping[str, str]) -> Node:
    """The limits under their names in a JSON Schema."""
    said = ((name, getattr(limits, limit)) for name, limit in names.items())
    return {name: value for name, value in said if value not in (None, "")}


def _count_wrong(limits: Key, count: int) -> str | None:
    """The sentence about a list or table with too few or too many values."""
    if limits.shortest is not None and count < limits.shortest:
        return f"must hold {limits.shortest} or more values, not {count}"
    if limits.longest is not None and count > limits.longest:
        return f"must hold {limits.longest} values or fewer, not {count}"
    return None
