"""Take a CSV and the columns that are read, make Pieces."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from generator.errors import PnpError, Problem, did_you_mean, fail
from generator.files import MEGABYTE, decode, read_within
from generator.model import Column, Piece, Value

MAX_BYTES = 16 * MEGABYTE
MAX_PIECES = 20_000
_OWN_COLUMNS = (Column("id"), Column("count", 0, MAX_PIECES))


def read_table(folder: Path, file: str, columns: Sequence[Column], where: str) -> tuple[Piece, ...]:
    """The pieces of a table, one a row. Raises PnpError with every fault of the file.

    Besides `columns` a table may have `id`, `count`, and remarks: columns whose name starts
    with "#". `where` is the line of the spec that asks for the table.
    """
    place = f"{folder.name}/{file}"
    text = decode(read_within(folder, file, MAX_BYTES, where), place)
    known = {column.name: column for column in (*_OWN_COLUMNS, *columns)}
    lines = _lines(text, place)
    _, header = next(lines, (1, []))
    problems = list(_header_problems(header, known, {c.name for c in columns}, f"{place}:1"))
    if problems:
        raise PnpError(problems)
    pieces: list[Piece] = []
    for number, cells in lines:
        row = _row(header, cells, known, f"{place}:{number}", problems)
        if row is not None:
            pieces.append(_piece(row, len(pieces) + 1, f"{place}:{number}"))
    problems += _piece_problems(pieces, place)
    if problems:
        raise PnpError(problems)
    return tuple(pieces)


def _lines(text: str, place: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold anything, each with the line it starts on."""
    first_line = text.split("\n", 1)[0]
    delimiter = ";" if ";" in first_line and "," not in first_line else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    start = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield start, [cell.strip() for cell in cells]
            start = reader.line_num + 1
    except csv.Error as error:
        raise fail(f"{place}:{start}", f"not valid CSV: {error}") from None


def _header_problems(
    header: Sequence[str], known: Mapping[str, Column], needed: set[str], where: str
) -> Iterator[Problem]:
    if not header:
        yield Problem(where, "the table is empty", "the first line names the columns")
        return
    for name in dict.fromkeys(header):
        if header.count(name) > 1:
            yield Problem(where, f"the column {name!r} stands there twice")
        if name not in known and not name.startswith("#"):
            hint = did_you_mean(name, known) + " A remark's name starts with '#'."
            yield Problem(where, f"nothing reads the column {name!r}", hint)
    for name in sorted(needed - set(header)):
        yield Problem(where, f"the column {name!r} is missing", did_you_mean(name, header))


def _row(
    header: Sequence[str],
    cells: Sequence[str],
    known: Mapping[str, Column],
    where: str,
    problems: list[Problem],
) -> dict[str, Value] | None:
    if len(cells) != len(header):
        what = f"the row has {len(cells)} cells, the header has {len(header)}"
        problems.append(Problem(where, what, "a text with a comma stands in quotes"))
        return None
    row: dict[str, Value] = {}
    faults = len(problems)
    for name, cell in zip(header, cells, strict=True):
        if name in known:
            try:
                row[name] = _value(cell, known[name])
            except ValueError as error:
                problems.append(Problem(f"{where} column {name}", str(error)))
    return row if len(problems) == faults else None


def _value(cell: str, column: Column) -> Value:
    if column.low is None or column.high is None:
        return cell
    if not cell.isascii() or not cell.removeprefix("-").isdigit() or len(cell) > 18:
        raise ValueError(f"{cell!r} is not a whole number" if cell else "the cell is empty")
    if not column.low <= int(cell) <= column.high:
        raise ValueError(f"{cell} is not between {column.low:,} and {column.high:,}")
    return int(cell)


def _piece(row: dict[str, Value], number: int, where: str) -> Piece:
    copies = row.pop("count", 1)
    assert isinstance(copies, int)
    return Piece(str(row.get("id", number)), row, copies, where)


def _piece_problems(pieces: Sequence[Piece], place: str) -> Iterator[Problem]:
    seen: dict[str, Piece] = {}
    for piece in pieces:
        if not piece.id:
            yield Problem(f"{piece.where} column id", "the cell is empty")
        elif piece.id in seen:
            first = seen[piece.id].where.rpartition(":")[2]
            yield Problem(
                f"{piece.where} column id", f"the id {piece.id!r} is taken by line {first}"
            )
        seen.setdefault(piece.id, piece)
    total = sum(piece.copies for piece in pieces)
    if total > MAX_PIECES:
        yield Problem(place, f"{total:,} pieces are too many", f"at most {MAX_PIECES:,} a table")
