"""Take the tables of a [[component]], make its Pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.errors import MisfitError, quote
from generator.basics.files import is_one_line
from generator.basics.keys import KeyPath
from generator.game.source import Source
from generator.game.spec import table_of
from generator.model import Column, Merged, Piece
from generator.tables.expansion import count_merged, extend
from generator.tables.headings import NUMBERS, Notes, find_name
from generator.tables.lookups import Lookup
from generator.tables.numbering import number
from generator.tables.schema import TableSchema
from generator.tables.table import read_header, read_rows, read_table


class Tables(Struct, frozen=True):
    """The tables of a game, or of its variant, in a language."""

    source: Source
    folder: Path
    variant: str
    language: str
    is_draft: bool = False
    notes: Notes = field(default_factory=Notes)

    def read(
        self,
        raw: Mapping[str, Any],
        path: KeyPath,
        read: Sequence[Column],
        is_all: bool,
    ) -> tuple[tuple[Piece, ...], Merged | None]:
        """Reads the columns `read` of a component's table, and counts the changes by an expansion.
        `is_all`: nothing else reads columns of it."""
        columns, of_lookups = _divide(_merge(read), table_of(raw, "lookup"))
        lookups = {
            name: self._lookup(name, table, (*path, "lookup", name), of_lookups[name])
            for name, table in table_of(raw, "lookup").items()
        }
        numbers = {column.name for column in columns if column.reader} & set(NUMBERS)
        schema = TableSchema(
            columns,
            is_all,
            language=self.language,
            lookups=lookups,
            optional=frozenset(numbers),
            is_draft=self.is_draft,
        )
        schema = replace(schema, default=self._defaults(raw, path, schema))
        variant = table_of(table_of(self.source.raw, "variant"), self.variant)
        id_, file, at = raw.get("id"), raw.get("table"), (*path, "table")
        other = table_of(variant, "table").get(id_) if isinstance(id_, str) else None
        there = ("variant", self.variant, "table", str(id_))
        is_more = variant.get("extends") is True
        if other is not None and not is_more:
            file, at = other, there
        base = self._own_pieces(raw, path, file, at, schema)
        kept = base
        if is_more and isinstance(other, str):
            kept = self._extend(base, other, there, replace(schema, is_extension=True))
        if kept is not None and not any(piece.copies for piece in kept):
            hint = "give it a row for each piece" if not kept else "a count of 0 prints nothing"
            what = f"the table {quote(file)} has" if isinstance(file, str) else "the rows have"
            self.source.report(at, f"{what} nothing to print", hint)
        merged = count_merged(base, kept) if base and kept and kept is not base else None
        numbered = self.source.collect(partial(number, kept or (), numbers))
        return numbered or (), merged

    def peek(
        self, raw: Mapping[str, Any], path: KeyPath, read: Sequence[Column]
    ) -> tuple[Piece, ...]:
        """The pieces with only some columns; none if there is a fault, which `read` will report."""
        aside = replace(self, source=self.source.aside(), notes=Notes())
        pieces, _ = aside.read(raw, path, read, is_all=False)
        return () if aside.source.problems else pieces

    def headings(self, raw: Mapping[str, Any], path: KeyPath) -> tuple[str, ...]:
        """The headings of a component's table, and those of its lookups as "name.heading"; none of
        a table with a fault, which `read` will report."""
        found = list(self._headings(raw, path))
        for name, table in table_of(raw, "lookup").items():
            if isinstance(table, dict):
                there = self._headings(table, (*path, "lookup", name))
                found += (f"{name}.{heading}" for heading in there)
        return tuple(filter(None, found))

    def _headings(self, raw: Mapping[str, Any], path: KeyPath) -> Sequence[str]:
        file, rows = raw.get("table"), raw.get("row")
        if isinstance(file, str) and is_one_line(file):
            aside = self.source.aside()
            place = aside.place((*path, "table"))
            return aside.collect(partial(read_header, self.folder, file, place)) or ()
        rows = rows if isinstance(rows, list) else []
        return list(dict.fromkeys(key for row in rows if isinstance(row, dict) for key in row))

    def _extend(
        self, base: tuple[Piece, ...] | None, file: str, at: KeyPath, schema: TableSchema
    ) -> tuple[Piece, ...] | None:
        place = self.source.place(at)
        more = self.source.collect(
            partial(read_table, self.folder, file, schema, place, self.notes)
        )
        if base is None or more is None:
            return base
        return self.source.collect(partial(extend, base, more)) or base

    def _lookup(self, name: str, raw: object, path: KeyPath, columns: Sequence[Column]) -> Lookup:
        """The table with the rows that the cells of a column name."""
        raw = raw if isinstance(raw, dict) else {}
        key = raw.get("key", "id")
        key = key if isinstance(key, str) else "id"
        own = [column for column in columns if column.name != key]
        schema = TableSchema([Column(key), *own], is_all=False, language=self.language, key=key)
        pieces = self._own_pieces(raw, path, raw.get("table"), (*path, "table"), schema)
        rows = {piece.id.casefold(): piece for piece in pieces} if pieces else None
        label = str(raw.get("table") or f"[[component.lookup.{name}.row]]")
        return Lookup(name, label, columns, rows)

    def _own_pieces(
        self, raw: Mapping[str, Any], path: KeyPath, file: object, at: KeyPath, schema: TableSchema
    ) -> tuple[Piece, ...] | None:
        """The pieces from a file or from rows in the spec; None if a fault is reported."""
        if isinstance(file, str):
            if not is_one_line(file):
                return None  # reported as a value
            place = self.source.place(at)
            return self.source.collect(
                partial(read_table, self.folder, file, schema, place, self.notes)
            )
        if raw.get("row") and isinstance(raw["row"], list):
            return self.source.collect(self._rows(raw, (*path, "row"), schema))
        if "table" not in raw and raw.get("row", []) == []:
            hint = "the file with a row for each piece: 'cards.csv', or [[component.row]] tables"
            self.source.report(at, "the key 'table' is missing", hint)
        return None

    def _rows(
        self, raw: Mapping[str, Any], path: KeyPath, schema: TableSchema
    ) -> Callable[[], tuple[Piece, ...]]:
        rows = [
            row if isinstance(row, dict) else {} for row in raw["row"]
        ]  # Document reports others

        def line_of(index: int, key: str) -> int:
            return self.source.line((*path, index, key) if key else (*path, index))

        return partial(read_rows, rows, self.source.spec, line_of, schema, self.notes)

    def _defaults(
        self, raw: Mapping[str, Any], path: KeyPath, schema: TableSchema
    ) -> dict[str, str]:
        defaults: dict[str, str] = {}
        for name, value in table_of(raw, "default").items():
            try:
                column = find_name(name, schema.columns_by_name) or name
                defaults[column] = schema.default_of(name, value)
            except MisfitError as error:
                defaults |= schema.stand_in(name)  # so that its rows have no fault
                self.source.report((*path, "default", name), f"{name}: {error}", error.hint)
        return defaults


def _merge(read: Sequence[Column]) -> list[Column]:
    """The columns that several readers need, each with the range that all of them accept."""
    columns: dict[str, Column] = {}
    for column in read:
        other = columns.get(column.name, column)
        lows = [c.low for c in (column, other) if c.low is not None]
        highs = [c.high for c in (column, other) if c.high is not None]
        place = other.reader or column.reader
        low, high = max(lows, default=None), min(highs, default=None)
        columns[column.name] = Column(column.name, low, high, place)
    return list(columns.values())


def _divide(
    columns: Sequence[Column], lookups: Mapping[str, object]
) -> tuple[list[Column], dict[str, list[Column]]]:
    """The columns of a component's own table, and those of each lookup."""
    own = {name: Column(name) for name in lookups}
    elsewhere: dict[str, list[Column]] = {name: [] for name in lookups}
    for column in columns:
        name, _, part = column.name.partition(".")
        if part and name in lookups:
            elsewhere[name].append(replace(column, name=part))
        else:
            own[column.name] = column
    return list(own.values()), elsewhere
