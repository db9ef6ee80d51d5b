"""One game.toml: its text, its keys, and the problems found in it, each with its line."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError

from generator.errors import PnpError, Problem, did_you_mean
from generator.spec.locate import Path, line_of

T = TypeVar("T")

# pydantic's error types in the designer's words; what is not here speaks for itself.
_MESSAGES = {
    "string_type": "must be text in quotes",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "list_type": "must be a list [ ... ]",
    "tuple_type": "must be a list [ ... ]",
    "dict_type": "must be a table { ... }",
    "model_type": "must be a table { ... }",
    "dataclass_type": "must be a table { ... }",
    "string_too_short": "must not be empty",
    "string_pattern_mismatch": "must be lower-case letters, digits, '-' and '_'",
}


class Source:
    """The text of a game.toml and the problems found in it so far."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.problems: list[Problem] = []

    def parse(self) -> dict[str, Any]:
        """The raw tables. Raises PnpError when the text is not TOML."""
        try:
            return tomllib.loads(self.text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            what, line = _syntax_fault(error, self.text)
            raise PnpError([Problem(f"{self.name}:{line}", what)]) from None

    def where(self, path: Path) -> str:
        return f"{self.name}:{line_of(self.text, path)}"

    def report(self, path: Path, what: str, hint: str = "") -> None:
        self.problems.append(Problem(self.where(path), what, hint))

    def collect(self, work: Callable[[], T]) -> T | None:
        """What `work` returns, or None when it raised problems, which are kept."""
        try:
            return work()
        except PnpError as error:
            self.problems += error.problems
            return None

    def validate(self, kind: type[T], raw: object, path: Path, context: object) -> T | None:
        """`raw` as a value of `kind`, or None with every fault reported under `path`."""
        try:
            return TypeAdapter(kind).validate_python(raw, context=context)
        except ValidationError as error:
            for fault in error.errors(include_url=False):
                self._report_fault(kind, path, fault["loc"], fault["type"], fault["msg"])
            return None

    def validate_tagged(
        self,
        tag: str,
        kinds: Mapping[str, type[T]],
        raw: Mapping[str, Any],
        path: Path,
        context: object,
    ) -> T | None:
        """`raw` as a value of the kind that its key `tag` names, its other keys being options."""
        name = raw.get(tag)
        if not isinstance(name, str) or name not in kinds:
            what = f"unknown {tag} {name!r}" if tag in raw else f"the key {tag!r} is missing"
            self.report((*path, tag), what, did_you_mean(str(name), kinds))
            return None
        options = {key: value for key, value in raw.items() if key != tag}
        return self.validate(kinds[name], options, path, context)

    def _report_fault(self, kind: object, path: Path, loc: Path, type_: str, message: str) -> None:
        key = ".".join(str(part) for part in loc if part != "[key]")
        at = (*path, *(part for part in loc if part != "[key]"))
        if type_ in ("extra_forbidden", "unexpected_keyword_argument"):
            hint = did_you_mean(str(loc[-1]), _known_keys(kind, loc[:-1]))
            self.report(at, f"unknown key {key!r}", hint)
        elif type_ == "missing":
            self.report(at, f"the key {key!r} is missing")
        elif type_ == "value_error":
            self.report(at, f"{key}: {message.removeprefix('Value error, ')}")
        else:
            self.report(at, f"{key}: {_MESSAGES.get(type_, message)}")


def _syntax_fault(error: Exception, text: str) -> tuple[str, int]:
    message = str(error)
    match = re.search(r" \(at line (\d+), column (\d+)\)", message)
    if match:
        return f"not valid TOML: {message[: match.start()]} (column {match[2]})", int(match[1])
    what = "nested too deeply" if isinstance(error, RecursionError) else message
    return f"not valid TOML: {what.removesuffix(' (at end of document)')}", len(text.splitlines())


def _known_keys(kind: object, loc: Iterable[str | int]) -> list[str]:
    """The keys that may stand at `loc` inside a model or a dataclass of options."""
    for part in loc:
        fields = _fields(kind)
        # a key leads to its field's type; an index or a free name leads into the container's
        kind = fields[part] if part in fields else _item_type(kind)
    return [str(name) for name in _fields(kind)]


def _fields(kind: object) -> dict[str | int, Any]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return {name: field.annotation for name, field in kind.model_fields.items()}
    if dataclasses.is_dataclass(kind):
        return {field.name: field.type for field in dataclasses.fields(kind)}
    return {}


def _item_type(kind: object) -> object:
    arguments = get_args(kind)
    return arguments[-1] if arguments else object
