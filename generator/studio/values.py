"""Values of a game.toml and attributes of a drawing, changed where they stand.

Every other byte of the file stays: comments, order, quotes, line ends. What is written is read
again, and an edit that would change anything else is refused.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from operator import getitem
from string import ascii_letters, digits
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

from msgspec import Struct

from generator.basics.errors import MisfitError, Place, fail, quote, raise_all
from generator.basics.keys import KeyPath
from generator.game.spec import SpecPlace, places_of, replaced, write_key, write_value
from generator.tables.rows import Faults, Row, object_rows

_KEY_LETTERS = ascii_letters + digits + "_-"
_PAIR = rb"""((?<!\s)\s++)([^\s=/>"']++)\s*+=\s*+("[^"<]*+"|'[^'<]*+')"""
_ATTRIBUTE = re.compile(_PAIR)
_TAG = re.compile(rb"""<([^\s/>"']++)(?:""" + _PAIR + rb""")*+\s*+/?>""")
_PREFIX = re.compile(rb"""\sxmlns:([\w-]++)\s*+=\s*+["']urn:pnp["']""")
_PNP = re.compile(rb"\sxmlns:pnp\s*+=")  # whatever it stands for
_NAME = re.compile(r"(?:pnp:)?[A-Za-z][A-Za-z-]{0,39}")
_ELSEWHERE = "open it in a drawing program"


def set_value(text: str, path: KeyPath, value: object) -> str:
    """The text of a game.toml with another value of a key; None removes the key.

    A key that is missing is written behind the last one of its table, and the table of a new item of an array behind
    the last item. Raises MisfitError if the text is no TOML, and if the key cannot be changed on its own.
    """
    return _change(text, path, lambda raw: replaced(raw, path, value), lambda body: _set_text(body, path, value))


def rename_keys(text: str, keys: Sequence[KeyPath], name: str, uses: Mapping[KeyPath, str]) -> str:
    """The text of a game.toml with another name of keys, and other values that use it. Raises
    MisfitError as `set_value` does."""

    def rename(raw: Any) -> Any:
        for path in keys:
            value = reduce(getitem, path, raw)
            raw = replaced(replaced(raw, path, None), (*path[:-1], name), value)
        for path, value in uses.items():
            raw = replaced(raw, path, value)
        return raw

    def rename_text(body: str) -> str:
        root = places_of(body)
        spans = []
        for path in (*keys, *uses):
            place = reduce(lambda place, part: place.parts[part], path, root)
            if path in uses:
                start, end = place.start, place.end
                spans.append((start, end, write_value(uses[path], body[start:end])))
            else:
                key = body[place.pair : place.start].rstrip().removesuffix("=").rstrip()
                quoted = key[-1] in "\"'" and key.rfind(key[-1], 0, -1)
                start = quoted or len(key.rstrip(_KEY_LETTERS))
                spans.append((place.pair + start, place.pair + len(key), write_key((name,))))
        for start, end, new in sorted(spans, reverse=True):
            body = body[:start] + new + body[end:]
        return body

    return _change(text, keys[0] if keys else (), rename, rename_text)


def read_tables(content: bytes, array: str, place: Place) -> list[Row]:
    """The tables of an array in a game.toml as rows: first the header, their keys. Raises PnpError
    if there is no such array, and for values that are no cells.

    array: its path as JSON.
    """
    faults: Faults = []
    try:
        text, path = content.decode("utf-8-sig"), tuple(json.loads(array))
        raw: Any = tomllib.loads(text)
        tables, root = reduce(getitem, path, raw), places_of(text)
        rows = list(object_rows([(root.line_of((*path, at)), it) for at, it in enumerate(tables)], place, faults))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise fail(place, "there are no such rows", "try again") from None
    raise_all(faults)
    return rows


def arrange_tables(text: str, path: KeyPath, tables: Sequence[int | Mapping[str, object]]) -> str:
    """The text of a game.toml with the tables of an array in another order: each by its index, or
    the pairs of a new one. Others are removed; the comments right above a table belong to it.
    Raises MisfitError as `set_value` does, and for tables that are not written as [[table]]."""

    def arrange(raw: Any) -> Any:
        own = reduce(getitem, path, raw)
        return replaced(raw, path, [own[table] if isinstance(table, int) else table for table in tables])

    def arrange_text(body: str) -> str:
        places = [*reduce(lambda place, part: place.parts[part], path, places_of(body)).parts.values()]
        starts, end = [_start_of(body, place) for place in places], _line_end(body, _end_of(places[-1]))
        blocks = [body[start:stop] for start, stop in pairwise([*starts, end])]
        gap = body[len(body[: starts[1]].rstrip()) : starts[1]] if starts[1:] else _line_break_of(body) * 2
        blocks[-1] += gap
        new = (blocks[table] if isinstance(table, int) else _write_table(path, table, body) + gap for table in tables)
        return body[: starts[0]] + "".join(new).rstrip("\r\n") + body[end:]

    return _change(text, path, arrange, arrange_text)


def _change(text: str, path: KeyPath, change: Callable[[Any], Any], change_text: Callable[[str], str]) -> str:
    """A text changed as its tables are. Raises MisfitError if they differ then, for the key at a path."""
    try:
        body = text.removeprefix("\ufeff")
        changed = change(tomllib.loads(body))
        new = change_text(body)
        if tomllib.loads(new) != changed:
            raise ValueError
    except tomllib.TOMLDecodeError as error:
        raise MisfitError(f"game.toml cannot be read: {error}", "mend it first") from None
    except (ValueError, KeyError, IndexError, TypeError):
        name = ".".join(map(str, path))
        hint = "change it in the text of game.toml"
        raise MisfitError(f"{quote(name)} cannot be changed on its own", hint) from None
    return text[: len(text) - len(body)] + new


def _set_text(text: str, path: KeyPath, value: object) -> str:
    places = [places_of(text)]
    for part in path:
        if part not in places[-1].parts:
            break
        places.append(places[-1].parts[part])
    place = places[-1]
    if len(places) <= len(path):
        return _add(text, places, path, value)
    if value is None:
        return _remove(text, place)
    if place.start < 0:
        raise ValueError(path)
    return text[: place.start] + write_value(value, text[place.start : place.end]) + text[place.end :]


def _add(text: str, places: Sequence[SpecPlace], path: KeyPath, value: object) -> str:
    """A pair behind the last one of the innermost table that there is, its key dotted if tables are
    missing; or a new item of an array of tables."""
    depth = max(i for i, place in enumerate(places) if place.last >= 0)
    table, rest = places[depth], path[depth:]
    line_end = _line_break_of(text)
    if any(isinstance(part, int) for part in rest):
        index = rest[-1]
        if not isinstance(value, dict) or not isinstance(index, int) or (depth and not index):
            raise ValueError(path)
        at = _line_end(text, _end_of(places[-1]) if index else len(text.rstrip()))
        return text[:at] + line_end * 2 + _write_table(path, value, text) + (text[at:] or line_end)
    pair = f"{write_key(rest)} = {write_value(value)}"
    at = table.last
    if table.start >= 0:  # an inline table
        around = (", ", "") if table.parts else (" ", " ")
        return text[:at] + around[0] + pair + around[1] + text[at:]
    at = _line_end(text, at)
    return text[:at] + (line_end + pair if at else pair + line_end) + text[at:]


def _write_table(path: KeyPath, table: Mapping[str, object], text: str) -> str:
    """An item of the array of tables at a path of a text."""
    lines = [f"[[{write_key(tuple(part for part in path if isinstance(part, str)))}]]"]
    lines += (f"{write_key((key,))} = {write_value(value)}" for key, value in table.items())
    return _line_break_of(text).join(lines)


def _line_break_of(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _start_of(text: str, place: SpecPlace) -> int:
    """Where the line of a table begins, with the comments right above it."""
    start = text.rfind("\n", 0, place.pair) + 1
    while start and text[(above := text.rfind("\n", 0, start - 1) + 1)] == "#":
        start = above
    return start


def _end_of(place: SpecPlace) -> int:
    """Where a table ends, with all that is within it."""
    return max(place.last, place.end, *map(_end_of, place.parts.values()))


def _line_end(text: str, at: int) -> int:
    """The end of the line at an index, before its line break."""
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - (text[end - 1 : end] == "\r")


def _remove(text: str, place: SpecPlace) -> str:
    """The text without a pair, and without its lines if nothing else is there."""
    start, end = text.rfind("\n", 0, place.pair) + 1, place.end
    behind = text[end : _line_end(text, end)].strip()
    if place.start < 0 or text[start : place.pair].strip() or (behind and behind[0] != "#"):
        raise ValueError
    return text[:start] + text[end:].partition("\n")[2]


class _Tag(Struct):
    """An element of a drawing: the bytes at which its start tag and its end tag begin."""

    start: int
    end: int = -1
    is_leaf: bool = True  # no element is within


def set_attributes(content: bytes, number: int, values: Mapping[str, str | None], words: str | None = None) -> bytes:
    """The bytes of a drawing with other attributes of an element, by its number in the order of the
    document, or with other words in it; None removes an attribute.

    A property that the element's `style` sets is changed there. Raises MisfitError for what is no XML, not in UTF-8 or
    declares entities; for an element that is not there; and for the words of an element that holds others.
    """
    tags = _find_tags(content)
    if not 0 <= number < len(tags):
        raise MisfitError("the drawing has changed: there is no such element", "try again")
    tag = tags[number]
    match = _TAG.match(content, tag.start)
    if match is None or not all(map(_NAME.fullmatch, values)):
        raise MisfitError("this element cannot be changed on the page", _ELSEWHERE)
    written, rest = match[0], content[match.end() :]
    for name, value in values.items():
        written = _set_attribute(written, name, value, content)
    if words is not None:
        if not tag.is_leaf:
            raise MisfitError("this element holds other elements", _ELSEWHERE)
        if written.endswith(b"/>"):
            written = written[:-2].rstrip() + b">"
            rest = _escape(words) + b"</" + match[1] + b">" + rest
        else:
            rest = _escape(words) + content[tag.end :]
    new = content[: tag.start] + written + rest
    if len(_find_tags(new)) != len(tags):
        raise MisfitError("this element cannot be changed on the page", _ELSEWHERE)
    return new


def _find_tags(content: bytes) -> list[_Tag]:
    """The elements of a drawing, in order. Raises MisfitError for what is no XML."""
    try:
        content.decode()
    except UnicodeDecodeError:
        raise MisfitError("the drawing is not in UTF-8", "save it as plain SVG") from None
    tags: list[_Tag] = []
    around: list[_Tag] = []
    parser = expat.ParserCreate()

    def begin(*_: object) -> None:
        if around:
            around[-1].is_leaf = False
        around.append(_Tag(parser.CurrentByteIndex))
        tags.append(around[-1])

    def end(_: str) -> None:
        around.pop().end = parser.CurrentByteIndex

    def declare(*_: object) -> None:
        raise MisfitError("the drawing declares entities", "save it again as plain SVG")

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.EntityDeclHandler = declare
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise MisfitError(f"the drawing is not valid XML: {error}") from None
    return tags


def _set_attribute(tag: bytes, name: str, value: str | None, content: bytes) -> bytes:
    """A start tag with another value of an attribute, or of a property of its style."""
    declaration = b""
    if name.startswith("pnp:") and not _PNP.search(content):
        if other := _PREFIX.search(content):
            name = f"{other[1].decode()}:{name[4:]}"
        else:
            declaration = b' xmlns:pnp="urn:pnp"'
    found = {match[2].decode("ascii", "replace"): match for match in _ATTRIBUTE.finditer(tag)}
    if style := found.get("style"):
        held = style[3][1:-1].decode("utf-8", "surrogateescape").split(";")
        own = [rule for rule in held if rule.partition(":")[0].strip() == name]
        if own:
            new = [rule for rule in held if rule not in own or value is not None]
            new = [f"{name}:{value}" if rule in own else rule for rule in new]
            inner = ";".join(new).encode("utf-8", "surrogateescape")
            return tag[: style.start(3) + 1] + inner + tag[style.end(3) - 1 :]
    match = found.get(name)
    if value is None:
        return tag[: match.start()] + tag[match.end() :] if match else tag
    if match:
        mark = match[3][:1]
        return tag[: match.start(3)] + mark + _escape(value, mark) + mark + tag[match.end(3) :]
    bare = tag.removesuffix(b">").removesuffix(b"/").rstrip()
    added = b" " + name.encode() + b'="' + _escape(value, b'"') + b'"'
    return bare + declaration + added + tag[len(bare) :]


def _escape(text: str, mark: bytes = b"") -> bytes:
    """A text as content of XML, or of an attribute in quotes, as most write it: in UTF-8."""
    quotes = {b'"': {'"': "&quot;"}, b"'": {"'": "&#39;"}}.get(mark, {})
    return escape(text, quotes | ({"\n": "&#10;"} if mark else {})).encode()
