"""Take a valid TOML text, find the line of each table, key and value."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left

from msgspec import Struct, field

from generator.basics.keys import KeyPath

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRINGS = (
    r'"""(?:\\.|[^\\])*?"""(?!")',
    r"'''.*?'''(?!')",
    r'"(?:\\.|[^"\\])*"',
    r"'[^']*'",
)
_STRING = re.compile("|".join(_STRINGS), re.DOTALL)
_KEY_PART = re.compile(rf"[ \t]*({_STRINGS[2]}|{_STRINGS[3]}|[A-Za-z0-9_-]+)[ \t]*")
_SCALAR = re.compile(r"[^,\]}#\r\n]+")


# Texts and comments, closed or not, because their dots do not count; a dot; the end of a key.
_DOT = re.compile(
    r'''"""(?:[^"\\]++|\\.?|"(?!""))*+(?:""")?|"(?:[^"\\\n]++|\\.?)*+"?'''
    r"""|'''(?:[^']++|'(?!''))*+(?:''')?|'[^'\n]*+'?"""
    r"|#[^\n]*+|(?P<dot>\.)|(?P<end>[=,{}\[\]\n])",
    re.DOTALL,
)


class SpecPlace(Struct):
    """A table, key or list item: its 1-based line and its parts."""

    line: int
    parts: dict[str | int, SpecPlace] = field(default_factory=dict)
    tables: int = 0  # of an array of tables, so far

    def line_of(self, path: KeyPath) -> int:
        """The line of a key path, or of the nearest table around it."""
        place = self
        for part in path:
            if part not in place.parts:
                break
            place = place.parts[part]
        return place.line


def places_of(text: str) -> SpecPlace:
    """The lines of all tables, keys and list items of a valid TOML text."""
    return _Scanner(text).root


def longest_key(text: str) -> tuple[int, int]:
    """The number of parts of the longest key of a TOML text, valid or not, and its 1-based line."""
    longest, parts, at = 1, 1, 0
    for match in _DOT.finditer(text):
        parts = parts + 1 if match["dot"] else 1 if match["end"] else parts
        if parts > longest:
            longest, at = parts, match.start()
    return longest, text.count("\n", 0, at) + 1


class _Scanner:
    """Walks over the text once; it finds lines only, tomllib reads the values."""

    def __init__(self, text: str) -> None:
        self.root = SpecPlace(1)
        self._text = text
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._at = 0
        table = self.root
        self._skip_space()
        while self._at < len(text):
            if text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip_space()

    def _header(self) -> SpecPlace:
        """Reads `[a.b]` or `[[a.b]]`; within arrays of tables, it means their last table."""
        start = self._at
        is_array = self._text.startswith("[[", start)
        self._at += 2 if is_array else 1
        place = self.root
        keys = self._key()
        for depth, key in enumerate(keys, 1):
            place = self._note(place, key, start)
            if is_array and depth == len(keys):
                place.tables += 1
            if place.tables:
                place = self._note(place, place.tables - 1, start)
        self._at += 2 if is_array else 1
        return place

    def _pair(self, table: SpecPlace) -> None:
        start, place = self._at, table
        for key in self._key():
            place = self._note(place, key, start)
        self._at += 1  # the equals sign
        self._skip_space()
        self._value(place)

    def _key(self) -> list[str]:
        keys: list[str] = []
        while not keys or self._text[self._at] == ".":
            self._at += bool(keys)
            match = _KEY_PART.match(self._text, self._at)
            assert match is not None, "the text was parsed before"
            keys.append(_unquote(match[1]))
            self._at = match.end()
        return keys

    def _value(self, place: SpecPlace) -> None:
        opening = self._text[self._at]
        if opening in "[{":
            self._items(place, "]" if opening == "[" else "}")
            return
        match = _STRING.match(self._text, self._at) or _SCALAR.match(self._text, self._at)
        assert match is not None, "the text was parsed before"
        self._at = match.end()

    def _items(self, place: SpecPlace, closing: str) -> None:
        """Reads a list or an inline table."""
        self._at += 1
        self._skip_space()
        index = 0
        while self._text[self._at] != closing:
            if closing == "]":
                self._value(self._note(place, index, self._at))
            else:
                self._pair(place)
            self._skip_space()
            if self._text[self._at] == ",":
                self._at += 1
                self._skip_space()
            index += 1
        self._at += 1

    def _skip_space(self) -> None:
        match = _SPACE.match(self._text, self._at)
        assert match is not None, "it may be empty"
        self._at = match.end()

    def _note(self, place: SpecPlace, part: str | int, at: int) -> SpecPlace:
        """A part of a place, at the line of its first occurrence."""
        if part not in place.parts:
            place.parts[part] = SpecPlace(bisect_left(self._breaks, at) + 1)
        return place.parts[part]


def _unquote(key: str) -> str:
    return next(iter(tomllib.loads(f"{key} = 0"))) if key[0] in "\"'" else key
