"""Take a TOML text and a key path, make the line the designer should look at."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

Path = tuple[str | int, ...]


def line_of(text: str, path: Path) -> int:
    """The 1-based line of the key, or of the nearest table around it; 1 when nothing is near."""
    lines = dict(_statements(text))
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def _statements(text: str) -> Iterator[tuple[Path, int]]:
    """Each header and key of a valid TOML text with its line.

    A statement is the shortest run of lines that parses by itself, so multi-line strings and
    arrays need no scanner of their own.
    """
    table: Path = ()
    tables_seen: dict[Path, int] = {}
    pending = ""
    first = 1
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        first = first if pending else number
        pending += line
        try:
            statement = tomllib.loads(pending)
        except tomllib.TOMLDecodeError:
            continue
        is_header = pending.lstrip().startswith("[")
        pending = ""
        if is_header:
            table = _header(statement, tables_seen)
            yield table, first
        elif statement:
            for key in _keys(statement):
                yield table + key, first


def _header(statement: dict[str, object], tables_seen: dict[Path, int]) -> Path:
    """The path of a `[a.b]` or `[[a.b]]`, with the index of each array of tables on it."""
    path: Path = ()
    node: object = statement
    while isinstance(node, dict) and node:
        key, node = next(iter(node.items()))
        path += (key,)
        if isinstance(node, list):
            tables_seen[path] = tables_seen.get(path, -1) + 1
            node = node[0]
        if path in tables_seen:
            path += (tables_seen[path],)
    return path


def _keys(node: object, path: Path = ()) -> Iterator[Path]:
    """Every key path inside one key/value statement, inline tables and arrays included."""
    if path:
        yield path
    items = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    for key, value in items:
        yield from _keys(value, (*path, key))
