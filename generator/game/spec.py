"""The text of a game.toml: its raw tables, and the line of each table, key and value.

While it is read, a Source holds its keys as validated values, and its problems, each with its line.
"""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import copy
from functools import cached_property, lru_cache
from pathlib import Path as Folder
from typing import Any, TypeVar

from msgspec import Struct, field

from generator.basics import keys
from generator.basics.errors import MisfitError, Place, PnpError, Problem, at_most, did_you_mean, fail, quote
from generator.basics.files import MEGABYTE, decode, is_one_line, read_within
from generator.basics.keys import KeyPath

SPEC = "game.toml"
LOCK = "source.lock"  # what `pnp fetch` brought
MAX_BYTES = MEGABYTE // 2
MAX_LINE = 4000  # characters
MAX_PARTS = 20  # of a key: tomllib's time grows with their square
_MOST_DEEP = 8  # lists and tables within each other, to be written
_MOST_FAULTS = 100  # reported per table

T = TypeVar("T")
Raw = Mapping[str, Any]  # a table of TOML, not yet validated
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRINGS = (r'"""(?:\\.|[^\\])*?"""(?!")', r"'''.*?'''(?!')", r'"(?:\\.|[^"\\])*"', r"'[^']*'")
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


class Spec:
    """The game.toml in a folder. Raises PnpError if it cannot be read or is not TOML."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
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
        self.raw = replaced(self.raw, path, value)
        self._moved[path] = source

    def place(self, path: KeyPath) -> Place:
        return self.spec.at_line(self.line(path))

    def tables(self, key: str) -> Iterator[tuple[Raw, KeyPath]]:
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
def _read_text(text: str) -> Raw:
    """The tables of a spec; none of them is ever changed. Raises _SpecTextError."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE:
            raise _SpecTextError(number, f"the line has {len(line):,} characters", f"at most {MAX_LINE:,}")
    parts, number = longest_key(text)
    if parts > MAX_PARTS:
        raise _SpecTextError(number, f"a key has {parts:,} parts", f"at most {MAX_PARTS}")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _read_syntax_error(error, text) from None


def replaced(raw: Any, path: KeyPath, value: object) -> Any:
    """A table or list with another value at a path; what lies on the way is made."""
    first, *rest = path
    if isinstance(first, int):
        items = list(raw or ())
        old = items[first] if first < len(items) else {}
        items[first : first + 1] = [replaced(old, tuple(rest), value) if rest else value]
        return items
    table = dict(raw or {})
    if rest:
        table[first] = replaced(table.get(first), tuple(rest), value)
    elif value is None:
        del table[first]
    else:
        table[first] = value
    return table


def write_key(path: KeyPath) -> str:
    """A dotted key of TOML."""
    names = map(str, path)
    return ".".join(name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False) for name in names)


def write_value(value: object, before: str = "", depth: int = 0) -> str:
    """A value as TOML, in the quotes of the literal that stood there `before` if it can be. Raises
    ValueError for any other value."""
    if depth > _MOST_DEEP:
        raise ValueError(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float) and value == value and abs(value) < 1e15:
        return repr(value)
    if isinstance(value, str):
        is_literal = before.startswith("'") and not before.startswith("'''")
        if is_literal and not {"'", "\n"} & {*value}:
            return f"'{value}'"
        quoted = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        if before.startswith('"""') and not value.startswith("\n"):
            return '"""' + quoted[1:-1].replace("\\n", "\n") + '"""'
        return quoted
    if isinstance(value, list):
        return f"[{', '.join(write_value(item, depth=depth + 1) for item in value)}]"
    if isinstance(value, Mapping):
        pairs = (f"{write_key((key,))} = {write_value(item, depth=depth + 1)}" for key, item in value.items())
        return f"{{ {', '.join(pairs)} }}" if value else "{}"
    raise ValueError(value)


def walk(value: object, path: KeyPath = ()) -> Iterator[tuple[KeyPath, object]]:
    """A value and all that is within it, each with its path."""
    yield path, value
    items = value.items() if isinstance(value, dict) else ()
    for key, inner in enumerate(value) if isinstance(value, list) else items:
        yield from walk(inner, (*path, key))


def table_of(raw: Raw, key: str) -> Raw:
    """A sub-table of raw TOML, empty if there is none. Document reports other values."""
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


_CURLY = tuple("“”„‘’‚«»")  # as word processors write quotes


def _read_syntax_error(error: Exception, text: str) -> _SpecTextError:
    message = str(error)
    lines = text.rstrip("\n").split("\n")
    if isinstance(error, RecursionError) or "nested" in message:
        line = max(range(len(lines)), key=lambda i: lines[i].count("[") + lines[i].count("{"))
        return _SpecTextError(line + 1, "not valid TOML: nested too deeply", "use fewer lists within lists")
    match = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", message)
    plainer = tomllib.loads(Folder(__file__).with_name("toml_faults.toml").read_text("utf-8"))
    plain, hint = next(
        (words for start, words in plainer.items() if message.startswith(start)),
        [message[: match.start()] if match else message, ""],
    )
    if match and match[1]:
        if lines[int(match[1]) - 1][int(match[2]) - 1 :].startswith(_CURLY):
            hint = "put text in straight quotes: 'Talavera'"
        return _SpecTextError(int(match[1]), f"not valid TOML: {plain} (column {match[2]})", hint)
    if message.startswith("Invalid value"):
        plain, hint = "the file ends where a value is expected", "end a list with ]"
    return _SpecTextError(len(lines), f"not valid TOML: {plain}", hint)


class Source(Spec):
    """A spec and its problems so far. Raises PnpError as Spec does."""

    def __init__(self, folder: Folder) -> None:
        super().__init__(folder)
        self._own: dict[Problem, int] = {}  # with their lines; each is reported once
        self._others: dict[Problem, None] = {}

    def aside(self) -> Source:
        """A copy of the spec, with problems of its own."""
        other = copy(self)
        other._own, other._others = {}, {}
        return other

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the game.toml by line, then those of the files it names."""
        return (*sorted(self._own, key=self._own.__getitem__), *self._others)

    def report(self, path: KeyPath, what: str, hint: str = "") -> None:
        self.add([Problem(self.place(path), what, hint)])

    def add(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            if problem.place.file == self.spec.file:
                self._own[problem] = problem.place.line
            else:
                self._others[problem] = None

    def collect(self, work: Callable[..., T], *values: object, at: Place | KeyPath = ()) -> T | None:
        """Returns the result of work on some values, or None after reporting the problems that it raises. That of a
        MisfitError is at `at`, a path of the spec or any place."""
        try:
            return work(*values)
        except PnpError as error:
            self.add(error.problems)
        except MisfitError as error:
            self.add([Problem(at if isinstance(at, Place) else self.place(at), str(error), error.hint)])
        return None

    def validate(
        self, kind: type[T], raw: object, path: KeyPath, context: object, beside: Collection[str] = ()
    ) -> T | None:
        """Returns `raw` as a `kind`, or None after reporting every fault under `path`. `beside` are
        keys of the same table that another kind reads."""
        value, faults = keys.read(kind, raw, context, beside=beside)
        problems = (Problem(self.place((*path, *fault.path)), fault.what, fault.hint) for fault in faults)
        self.add(at_most(_MOST_FAULTS, problems))
        return value

    def validate_tagged(
        self,
        tag: str,
        kinds: Mapping[str, type[T]],
        raw: Raw,
        path: KeyPath,
        context: object,
        beside: Collection[str] = (),
    ) -> T | None:
        """Returns `raw` as the kind that its key `tag` names; its other keys are options, but for
        those that are read `beside` them."""
        name = raw.get(tag)
        if not isinstance(name, str) or name not in kinds:
            what = f"unknown {tag} {quote(name)}" if tag in raw else f"the key {tag!r} is missing"
            if tag in raw and not isinstance(name, str):
                what = f"{tag} must be text in quotes, not {quote(name)}"
            self.report((*path, tag), what, did_you_mean(name if isinstance(name, str) else "", kinds))
            return None
        options = {key: value for key, value in raw.items() if key != tag}
        return self.validate(kinds[name], options, path, context, beside)


class SpecPlace(Struct):
    """A table, key or list item: its 1-based line and its parts.

    pair, start, end: where its key or header, its value, and what is behind the value begin in the
    text; -1 without a key or a value of its own. last: where a table's last pair ends, or its
    header; -1 for a table that only dotted keys and headers name.
    """

    line: int
    parts: dict[str | int, SpecPlace] = field(default_factory=dict)
    tables: int = 0  # of an array of tables, so far
    pair: int = -1
    start: int = -1
    end: int = -1
    last: int = -1

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
        self.root = SpecPlace(1, last=0)
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
        place.pair, place.last = start, self._at
        return place

    def _pair(self, table: SpecPlace) -> None:
        start, place = self._at, table
        for key in self._key():
            place = self._note(place, key, start)
        self._at += 1  # the equals sign
        self._skip_space()
        self._value(place)
        place.pair, table.last = start, self._at

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
        place.start = self._at
        opening = self._text[self._at]
        if opening in "[{":
            self._items(place, "]" if opening == "[" else "}")
        else:
            match = _STRING.match(self._text, self._at) or _SCALAR.match(self._text, self._at)
            assert match is not None, "the text was parsed before"
            self._at = match.start() + len(match[0].rstrip())
        place.end = self._at

    def _items(self, place: SpecPlace, closing: str) -> None:
        """Reads a list or an inline table."""
        self._at += 1
        place.last = self._at if closing == "}" else -1
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
