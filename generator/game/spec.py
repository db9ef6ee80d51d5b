"""The text of a game.toml: its raw tables, and the line of each key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path as Folder
from typing import Any

from generator.basics.errors import fail, quote
from generator.basics.files import MEGABYTE, decode, is_one_line, read_within
from generator.basics.keys import KeyPath
from generator.basics.place import Place
from generator.game.locate import SpecPlace, longest_key, places_of

SPEC = "game.toml"
MAX_BYTES = MEGABYTE // 2
MAX_LINE = 4000  # characters
MAX_PARTS = 20  # of a key: tomllib's time grows with their square


class Spec:
    """The game.toml in a folder. Raises PnpError if it cannot be read or is not TOML."""

    def __init__(self, folder: Folder) -> None:
        self.spec = Place.in_folder(folder, SPEC)
        if not is_one_line(folder.name):  # output files are named after it
            what = f"the name of the folder, {quote(folder.name)}, is not one line of plain text"
            raise fail(self.spec, what, "give it another name")
        text = decode(read_within(folder, SPEC, MAX_BYTES, self.spec), self.spec)
        self._text = text
        try:
            self.raw = _read_text(text)
        except _SpecTextError as fault:
            raise fail(self.spec.at_line(fault.line), str(fault), fault.hint) from None
        self._moved: dict[KeyPath, KeyPath] = {}

    @cached_property
    def _places(self) -> SpecPlace:
        return places_of(self._text)

    def line(self, path: KeyPath) -> int:
        ends = (end for end in range(len(path), 0, -1) if path[:end] in self._moved)
        end = next(ends, 0)
        return self._places.line_of((*self._moved.get(path[:end], ()), *path[end:]))

    def put(self, path: KeyPath, source: KeyPath, value: object) -> None:
        """Set a value of a table; its line is that of another key, `source`."""
        self.raw = _replaced(self.raw, path, value)
        self._moved[path] = source

    def place(self, path: KeyPath) -> Place:
        return self.spec.at_line(self.line(path))

    def tables(self, key: str) -> Iterator[tuple[Mapping[str, Any], KeyPath]]:
        """Raw tables in double brackets, each with its key path. Document reports other values."""
        tables = self.raw.get(key)
        for index, table in enumerate(tables if isinstance(tables, list) else ()):
            if isinstance(table, dict):
                yield table, (key, index)


class _SpecTextError(Exception):
    """A fault of the text of a spec, at a 1-based line."""

    def __init__(self, line: int, what: str, hint: str) -> None:
        super().__init__(what)
        self.line = line
        self.hint = hint


@lru_cache(maxsize=32)  # a list of games reads each spec three times, a preview again and again
def _read_text(text: str) -> Mapping[str, Any]:
    """The tables of a spec; none of them is ever changed. Raises _SpecTextError."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE:
            raise _SpecTextError(
                number, f"the line has {len(line):,} characters", f"at most {MAX_LINE:,}"
            )
    parts, number = longest_key(text)
    if parts > MAX_PARTS:
        raise _SpecTextError(number, f"a key has {parts:,} parts", f"at most {MAX_PARTS}")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _read_syntax_error(error, text) from None


def _replaced(raw: Any, path: KeyPath, value: object) -> Any:
    """A table or list in which the value at a path is another."""
    first, *rest = path
    copy = raw.copy()
    copy[first] = _replaced(raw[first], tuple(rest), value) if rest else value
    return copy


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


def _read_syntax_error(error: Exception, text: str) -> _SpecTextError:
    message = str(error)
    lines = text.rstrip("\n").split("\n")
    if isinstance(error, RecursionError) or "nested" in message:
        line = max(range(len(lines)), key=lambda i: lines[i].count("[") + lines[i].count("{"))
        what = "not valid TOML: nested too deeply"
        return _SpecTextError(line + 1, what, "use fewer lists within lists")
    match = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", message)
    plain, hint = next(
        (words for start, words in _SYNTAX.items() if message.startswith(start)),
        (message[: match.start()] if match else message, ""),
    )
    if match and match[1]:
        if lines[int(match[1]) - 1][int(match[2]) - 1 :].startswith(_CURLY):
            hint = "put text in straight quotes: 'Talavera'"
        return _SpecTextError(int(match[1]), f"not valid TOML: {plain} (column {match[2]})", hint)
    if message.startswith("Invalid value"):
        plain, hint = "the file ends where a value is expected", "end a list with ]"
    return _SpecTextError(len(lines), f"not valid TOML: {plain}", hint)
