"""One game.toml: its text, its keys, and its problems, each with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import cache
from pathlib import Path as Folder
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from generator.errors import PnpError, Problem, at_most, did_you_mean, fail, quote
from generator.files import MEGABYTE, decode, is_one_line, read_within
from generator.gamefile.faults import faults
from generator.gamefile.locate import Path, SpecPlace, longest_key, places_of
from generator.place import Place

SPEC = "game.toml"
MAX_BYTES = MEGABYTE // 2
MAX_LINE = 4000  # characters
MAX_PARTS = 20  # of a key: tomllib's time grows with their square
_MOST_FAULTS = 100  # reported per table

T = TypeVar("T")


class Source:
    """The text of a game.toml, its raw tables, and its problems so far.

    Raises PnpError if it cannot be read or is not TOML.
    """

    def __init__(self, folder: Folder) -> None:
        self.spec = Place.in_folder(folder, SPEC)
        if not is_one_line(folder.name):  # output files are named after it
            what = f"the name of the folder, {quote(folder.name)}, is not one line of plain text"
            raise fail(self.spec, what, "give it another name")
        text = decode(read_within(folder, SPEC, MAX_BYTES, self.spec), self.spec)
        self.raw, self._places = self._parse(text)
        self._own: dict[Problem, int] = {}  # with their lines; each is reported once
        self._others: dict[Problem, None] = {}

    def aside(self) -> Source:
        """The same spec, with problems of its own."""
        other = copy(self)
        other._own, other._others = {}, {}
        return other

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the game.toml by line, then those of the files it names."""
        return (*sorted(self._own, key=self._own.__getitem__), *self._others)

    def _parse(self, text: str) -> tuple[dict[str, Any], SpecPlace]:
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > MAX_LINE:
                what = f"the line has {len(line):,} characters"
                raise fail(self.spec.at_line(number), what, f"at most {MAX_LINE:,}")
        parts, number = longest_key(text)
        if parts > MAX_PARTS:
            what = f"a key has {parts:,} parts"
            raise fail(self.spec.at_line(number), what, f"at most {MAX_PARTS}")
        try:
            return tomllib.loads(text), places_of(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            what, line_number, hint = _syntax_fault(error, text)
            raise fail(self.spec.at_line(line_number), what, hint) from None

    def line(self, path: Path) -> int:
        return self._places.line_of(path)

    def place(self, path: Path) -> Place:
        return self.spec.at_line(self.line(path))

    def tables(self, key: str) -> Iterator[tuple[Mapping[str, Any], Path]]:
        """Raw tables in double brackets, each with its key path. Document reports other values."""
        tables = self.raw.get(key)
        for index, table in enumerate(tables if isinstance(tables, list) else ()):
            if isinstance(table, dict):
                yield table, (key, index)

    def report(self, path: Path, what: str, hint: str = "") -> None:
        self.add([Problem(self.place(path), what, hint)])

    def add(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            if problem.place.file == self.spec.file:
                self._own[problem] = problem.place.line
            else:
                self._others[problem] = None

    def collect(self, work: Callable[[], T]) -> T | None:
        """Returns the result of `work`, or None if it raises problems, which are reported."""
        try:
            return work()
        except PnpError as error:
            self.add(error.problems)
            return None

    def validate(self, kind: type[T], raw: object, path: Path, context: object) -> T | None:
        """Returns `raw` as a `kind`, or None after reporting every fault under `path`."""
        try:
            adapter = _adapter(kind)  # type: ignore[arg-type]
            value: T = adapter.validate_python(raw, context=context)
        except ValidationError as error:
            problems = (
                Problem(self.place((*path, *fault.path)), fault.what, fault.hint)
                for fault in faults(kind, error)
            )
            self.add(at_most(_MOST_FAULTS, problems))
            return None
        return value

    def validate_tagged(
        self,
        tag: str,
        kinds: Mapping[str, type[T]],
        raw: Mapping[str, Any],
        path: Path,
        context: object,
    ) -> T | None:
        """Returns `raw` as the kind that its key `tag` names; its other keys are options."""
        name = raw.get(tag)
        if not isinstance(name, str) or name not in kinds:
            what = f"unknown {tag} {quote(name)}" if tag in raw else f"the key {tag!r} is missing"
            if tag in raw and not isinstance(name, str):
                what = f"{tag} must be text in quotes, not {quote(name)}"
            self.report(
                (*path, tag), what, did_you_mean(name if isinstance(name, str) else "", kinds)
            )
            return None
        options = {key: value for key, value in raw.items() if key != tag}
        return self.validate(kinds[name], options, path, context)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Cached, because making an adapter takes longer than reading a game with it."""
    return TypeAdapter(kind)


def table_of(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A sub-table of raw TOML, empty if there is none. Document reports other values."""
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


_CURLY = tuple("“”„‘’‚«»")  # as word processors write quotes
# For the beginning of each message of tomllib: a plainer message and a hint.
_NOT_CLOSED = ("a quote is opened and not closed", "end a text with the quote that it starts with")
_BACKSLASH = ("there is a backslash in a text", "write paths with '/'")
_SYNTAX = {
    "Invalid value": ("this is not a value", "put text in quotes: title = 'Talavera'"),
    "Cannot overwrite a value": ("this key appears twice", "keep one of the two"),
    "Cannot declare": (
        "this table appears twice",
        "write each component as [[component]], in double brackets",
    ),
    "Expected '=' after a key": ("'=' is missing", "write key = value, [table] or # comment"),
    "Unterminated string": _NOT_CLOSED,
    'Expected \'"""\'': _NOT_CLOSED,
    "Expected \"'''\"": _NOT_CLOSED,
    "Illegal character '\\n'": _NOT_CLOSED,
    "Expected newline or end of document": (
        "there is something after the value",
        "put text in quotes, and each key on its own line",
    ),
    "Unclosed array": ("a list is not closed", "separate values with commas; end with ]"),
    "Expected ']]'": ("the name of a table is not closed", "write [[component]]"),
    "Expected ']'": ("the name of a table is not closed", "write [game] or [[component]]"),
    "Unescaped '\\'": _BACKSLASH,
    "Invalid hex value": _BACKSLASH,
    "Invalid statement": ("neither a key nor a table", "write key = value, [table] or # comment"),
    "Invalid initial character": ("a key is expected here", "a key is letters, digits, '-', '_'"),
}


def _syntax_fault(error: Exception, text: str) -> tuple[str, int, str]:
    """The message, its 1-based line, and a hint."""
    message = str(error)
    lines = text.rstrip("\n").split("\n")
    if isinstance(error, RecursionError) or "nested" in message:
        line = max(range(len(lines)), key=lambda i: lines[i].count("[") + lines[i].count("{"))
        return "not valid TOML: nested too deeply", line + 1, "use fewer lists within lists"
    match = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", message)
    plain, hint = next(
        (words for start, words in _SYNTAX.items() if message.startswith(start)),
        (message[: match.start()] if match else message, ""),
    )
    if match and match[1]:
        if lines[int(match[1]) - 1][int(match[2]) - 1 :].startswith(_CURLY):
            hint = "put text in straight quotes: 'Talavera'"
        return f"not valid TOML: {plain} (column {match[2]})", int(match[1]), hint
    if message.startswith("Invalid value"):
        plain, hint = "the file ends where a value is expected", "end a list with ]"
    return f"not valid TOML: {plain}", len(lines), hint
