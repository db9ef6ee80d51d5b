"""Take a CSV and the columns that are read, make Pieces."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from generator.errors import (
    MisfitError,
    PnpError,
    Problem,
    at_most,
    did_you_mean,
    fail,
    nearest,
    shown,
)
from generator.files import MEGABYTE, decode, read_within
from generator.model import Column, Piece, Value

MAX_BYTES = 4 * MEGABYTE
MAX_PIECES = 20_000
MAX_COLUMNS = 500
_MAX_PROBLEMS = 20
_COUNT = Column("count", 0, MAX_PIECES)
# A piece's id is part of file names: no folder, no sign that a file system minds.
_ID = re.compile(r"\w[\w .+-]{0,38}[\w+-]|\w")
_ID_HINT = "letters, digits, spaces, '.', '-', '_' and '+', at most 40"


def read_table(
    folder: Path, file: str, columns: Sequence[Column], is_all: bool, where: str
) -> tuple[Piece, ...]:
    """The pieces of a table, one a row. Raises PnpError with every fault of the file.

    Besides `columns` a table may have `id`, `count`, and remarks: columns whose name starts
    with "#". `is_all` says that nobody reads another column, so that one is a fault. `where` is
    the line of the spec that asks for the table.
    """
    place = f"{folder.name}/{file}"
    if not file.lower().endswith(".csv"):
        raise fail(where, f"{shown(file)} is not a CSV file", "save the table as .csv")
    text = decode(read_within(folder, file, MAX_BYTES, where), place)
    table = _Table(place, _known(columns))
    rows = table.rows(text)
    header = next(rows, None)
    if header is None:
        raise fail(f"{place}:1", "the table is empty", "the first line names the columns")
    table.read_header(*header, needed={column.name for column in columns}, is_all=is_all)
    table.read_rows(rows)
    if table.problems:
        raise PnpError(at_most(_MAX_PROBLEMS, table.problems))
    return tuple(table.pieces)


def _known(columns: Iterable[Column]) -> dict[str, Column]:
    known = {"id": Column("id"), "count": _COUNT} | {column.name: column for column in columns}
    count = known["count"]  # whoever else reads it, it says how many copies there are
    highs = [high for high in (count.high, _COUNT.high) if high is not None]
    known["count"] = replace(count, low=count.low or 0, high=min(highs))
    return known


class _Table:
    """A CSV on its way to pieces: what was read of it so far, and what is wrong with it."""

    def __init__(self, place: str, known: Mapping[str, Column]) -> None:
        self.place = place
        self.known = known
        self.header: list[str] = []
        self.pieces: list[Piece] = []
        self.problems: list[Problem] = []
        self._ids: dict[str, int] = {}
        self._total = 0
        self._comma = ","

    def rows(self, text: str) -> Iterator[tuple[int, list[str]]]:
        """The rows that hold anything, each with the line it starts on.

        Where the text ceases to be CSV the rows end, and that is a problem too.
        """
        self._comma = _delimiter(text)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=self._comma, strict=True)
        start = 1
        try:
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    yield start, [cell.strip() for cell in cells]
                start = reader.line_num + 1
        except csv.Error as error:
            self._report(start, *_syntax_fault(str(error)))

    def read_header(self, line: int, cells: list[str], needed: set[str], is_all: bool) -> None:
        self.header = cells
        if len(cells) > MAX_COLUMNS:
            self._report(line, f"the table has {len(cells):,} columns", f"at most {MAX_COLUMNS}")
            return
        meant = set()
        for name, times in Counter(cells).items():
            if name.startswith("#"):
                continue
            if not name:
                hint = "name it, or delete it: a spreadsheet may have left an empty column"
                self._report(line, f"column {cells.index(name) + 1} has no name", hint)
            elif times > 1:
                self._report(line, f"the column {shown(name)} stands there twice")
            elif name not in self.known and is_all:
                near = nearest(name, needed - set(cells))
                meant.add(near)
                hint = did_you_mean(name, set(self.known) - set(cells))
                remark = "a remark's name begins with '#'"
                asked = self.known[near].asked if near else ""
                hint += f" {asked} reads that" if asked else ""
                hint = f"{hint} ({remark})" if hint else remark
                self._report(line, f"nothing reads the column {shown(name)}", hint)
        for name in sorted(needed - set(cells) - meant):
            asked = self.known[name].asked
            reader = f", which {asked} reads" if asked else ""
            self._report(line, f"the column {shown(name)} is missing{reader}", _meant(name, cells))

    def read_rows(self, rows: Iterable[tuple[int, list[str]]]) -> None:
        """Read until the end, or until there are too many faults or pieces."""
        for line, cells in rows:
            row = self._row(line, cells)
            if row is not None:
                self._add(line, row)
            if self._total > MAX_PIECES:
                what = f"with this row the table has more than {MAX_PIECES:,} pieces"
                self._report(line, what, "count is the number of copies of a row")
            if self._total > MAX_PIECES or len(self.problems) > _MAX_PROBLEMS:
                return

    def _row(self, line: int, cells: Sequence[str]) -> dict[str, Value] | None:
        """The cells that are read, by column; None when one is at fault."""
        if len(cells) != len(self.header):
            cell = "cell" if len(cells) == 1 else "cells"
            what = f"the row has {len(cells)} {cell}, the header has {len(self.header)}"
            is_long = len(cells) > len(self.header)
            hint = f"a text with {self._comma!r} in it stands in quotes"
            hint = hint if is_long else f"an empty cell has its {self._comma!r} too"
            self._report(line, what, hint)
            return None
        row: dict[str, Value] = {}
        faults = len(self.problems)
        for name, cell in zip(self.header, cells, strict=True):
            if name in self.known:
                try:
                    row[name] = _value(cell, self.known[name])
                except MisfitError as error:
                    self._report(line, str(error), error.hint, name)
        return row if len(self.problems) == faults else None

    def _add(self, line: int, row: dict[str, Value]) -> None:
        id_ = str(row.get("id", len(self.pieces) + 1))
        folded = id_.casefold()
        if folded in self._ids:
            what = f"the id {shown(id_)} is taken by line {self._ids[folded]}"
            self._report(line, what, "every row has an id of its own", "id")
        self._ids.setdefault(folded, line)
        copies = row.get("count", 1)
        assert isinstance(copies, int), "count is read as a number"
        self._total += copies
        self.pieces.append(Piece(id_, row, copies, f"{self.place}:{line}"))

    def _report(self, line: int, what: str, hint: str = "", column: str = "") -> None:
        where = f"{self.place}:{line}"
        where += f" column {column}" if column else ""
        self.problems.append(Problem(where, what, hint))


def _delimiter(text: str) -> str:
    """What parts the cells of the header: spreadsheets of some countries write ';'."""
    header = text.lstrip().split("\n", 1)[0]
    return max(",;\t", key=header.count)


def _meant(name: str, cells: Iterable[str]) -> str:
    near = nearest(name, cells)
    return f"there is {shown(near)}" if near else "add it: the first line names the columns"


def _syntax_fault(message: str) -> tuple[str, str]:
    quotes = 'a cell with quotes is written "so ""to say"""'
    if message.startswith("field larger"):
        return "a cell holds more than 100,000 characters", "perhaps a quote here is not closed"
    if message.startswith("unexpected end of data"):
        return "not valid CSV: a quote is opened here and not closed", quotes
    if "expected after" in message:
        return "not valid CSV: something stands after a closing quote", quotes
    return f"not valid CSV: {message}", ""


def _value(cell: str, column: Column) -> Value:
    """The cell as a number or text. Raises MisfitError."""
    if column.low is None or column.high is None:
        if column.name == "id" and not _ID.fullmatch(cell):
            raise MisfitError(f"{shown(cell)} is no id" if cell else "the cell is empty", _ID_HINT)
        return cell
    if not cell.isascii() or not cell.removeprefix("-").isdigit() or len(cell) > 18:
        hint = f"{column.low} to {column.high:,}, digits only"
        raise MisfitError(
            f"{shown(cell)} is not a whole number" if cell else "the cell is empty", hint
        )
    if not column.low <= int(cell) <= column.high:
        raise MisfitError(f"{cell} is not between {column.low:,} and {column.high:,}")
    return int(cell)
