"""Take a valid TOML text, make the line that each of its tables, keys and values stands on."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left

Path = tuple[str | int, ...]

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


def lines_of(text: str) -> dict[Path, int]:
    """The 1-based line of each table, key and list item of a valid TOML text."""
    return _Scanner(text).lines


def line_of(lines: dict[Path, int], path: Path) -> int:
    """The line of the key, or of the nearest table around it; 1 when nothing is near."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


class _Scanner:
    """Walks over the text once; what it means is tomllib's business."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._text = text
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._at = 0
        self._arrays: dict[Path, int] = {}  # of tables: the index of the one being filled
        table: Path = ()
        self._skip_space()
        while self._at < len(text):
            if text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip_space()

    def _header(self) -> Path:
        """Over `[a.b]` or `[[a.b]]`: its path, with the index of each array of tables on it."""
        start = self._at
        is_array = self._text.startswith("[[", start)
        self._at += 2 if is_array else 1
        path: Path = ()
        keys = self._key()
        for depth, key in enumerate(keys, 1):
            path += (key,)
            self._note(path, start)
            if is_array and depth == len(keys):
                self._arrays[path] = self._arrays.get(path, -1) + 1
            if path in self._arrays:
                path += (self._arrays[path],)
                self._note(path, start)
        self._at += 2 if is_array else 1
        return path

    def _pair(self, table: Path) -> None:
        start, path = self._at, table
        for key in self._key():
            path += (key,)
            self._note(path, start)
        self._at += 1  # the equals sign
        self._skip_space()
        self._value(path)

    def _key(self) -> list[str]:
        keys: list[str] = []
        while not keys or self._text[self._at] == ".":
            self._at += bool(keys)
            match = _KEY_PART.match(self._text, self._at)
            assert match is not None, "the text was parsed before"
            keys.append(_unquoted(match[1]))
            self._at = match.end()
        return keys

    def _value(self, path: Path) -> None:
        opening = self._text[self._at]
        if opening in "[{":
            self._items(path, "]" if opening == "[" else "}")
            return
        match = _STRING.match(self._text, self._at) or _SCALAR.match(self._text, self._at)
        assert match is not None, "the text was parsed before"
        self._at = match.end()

    def _items(self, path: Path, closing: str) -> None:
        """Over a list or an inline table."""
        self._at += 1
        self._skip_space()
        index = 0
        while self._text[self._at] != closing:
            if closing == "]":
                self._note((*path, index), self._at)
                self._value((*path, index))
            else:
                self._pair(path)
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

    def _note(self, path: Path, at: int) -> None:
        self.lines.setdefault(path, bisect_left(self._breaks, at) + 1)


def _unquoted(key: str) -> str:
    return next(iter(tomllib.loads(f"{key} = 0"))) if key[0] in "\"'" else key
