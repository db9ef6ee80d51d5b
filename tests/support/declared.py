"""What a page is told is what its scripts are checked against: told.d.ts, read here by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TYPE = re.compile(r"export type (\w+) = ([^;]+);|export interface (\w+) (\{.*?\n\})", re.DOTALL)
_FIELD = re.compile(r"\s*(\w+)(\??): (\{[^}]*\}|[^;{]+);")
_INDEX = re.compile(r"\{ \[(?:\w+: string|side in Side)\]\??: ([^;}]+);? \}")
Types = Mapping[str, str]


def declared_types(room: str) -> Types:
    """The declarations of a room's page, by name."""
    declared = files(room).joinpath("page/told.d.ts").read_text("utf-8")
    return {
        name or interface: " ".join((alias or body).split())
        for name, alias, interface, body in _TYPE.findall(_COMMENT.sub("", declared))
    }


def misfits(types: Types, value: object, declared: str, at: str = "") -> Iterator[str]:
    """Where a value is not of a type of the declarations."""
    if declared in types:
        yield from misfits(types, value, types[declared], at)
    elif " | " in declared and not declared.startswith("{"):
        if all(list(misfits(types, value, kind, at)) for kind in declared.split(" | ")):
            yield f"{at} is no {declared}"
    elif declared.endswith("[]"):
        assert isinstance(value, list), at
        for number, item in enumerate(value):
            yield from misfits(types, item, declared[:-2], f"{at}[{number}]")
    elif declared.startswith("["):
        numbers = value if isinstance(value, list) else []
        is_all = all(isinstance(number, int | float) for number in numbers)
        if not is_all or len(numbers) != declared.count("number"):
            yield f"{at} is no {declared}"
    elif declared.startswith("{"):
        yield from _object_misfits(types, value, declared, at)
    elif not _is_plain(value, declared):
        yield f"{at} is no {declared}"


def _object_misfits(types: Types, value: object, declared: str, at: str) -> Iterator[str]:
    assert isinstance(value, dict), at
    if index := _INDEX.fullmatch(declared):
        for key, item in value.items():
            yield from misfits(types, item, index[1].strip(), f"{at}.{key}")
        return
    body = declared[1:-1].strip()
    fields = {name: (kind, not optional) for name, optional, kind in _FIELD.findall(f"{body};")}
    assert fields, declared
    yield from (f"{at}.{name} is not declared" for name in value.keys() - fields.keys())
    for name, (kind, is_due) in fields.items():
        if name in value:
            yield from misfits(types, value[name], kind, f"{at}.{name}")
        elif is_due:
            yield f"{at}.{name} is missing"


def _is_plain(value: object, declared: str) -> bool:
    kinds: dict[str, Any] = {"string": str, "boolean": bool, "null": type(None)}
    if declared == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if declared in kinds:
        return isinstance(value, kinds[declared])
    return isinstance(value, str) and f'"{value}"' == declared
