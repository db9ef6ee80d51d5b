"""Pieces of a component, read from the rows of its tables.

Rows that add up the rows above them are recognized. Once they are read, pieces get an order, the
numbers that templates read and no table has, and the pieces of an expansion.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product
from pathlib import Path

from msgspec.structs import replace

from generator.basics.bounds import find_memory, find_most_pieces
from generator.basics.errors import (
    MisfitError,
    Place,
    PnpError,
    Problem,
    at_most,
    count_of,
    did_you_mean,
    fail,
    nearest,
    quote,
    raise_all,
)
from generator.basics.files import read_within
from generator.model import Column, Merged, Piece, TranslatedCell, Value
from generator.tables import schema as schemas
from generator.tables.rows import (
    MAX_COLUMNS,
    Faults,
    Row,
    Totals,
    csv_rows,
    decode_text,
    is_label,
    json_rows,
    object_rows,
    rank,
)
from generator.tables.schema import ENABLED, REMARK, UNMERGE, Condition, Headings, Notes, TableSchema

_SHARE = 12  # of the memory for a game: its rows take about as much as the file, several times
SUFFIXES = (".csv", ".tsv", ".txt", ".json", ".xlsx", ".xlsm", ".ods", ".fods")
_MAX_ABOVE = 10  # lines that may stand above a header
_SHEET = re.compile(r"\.(xlsx|xlsm|ods|fods)#", re.IGNORECASE)
_RAGGED = {
    "sheet": "name the column in the first row, or empty the cell",
    "line": "delete the cell, or put a text with {comma!r} in quotes",
}
_MAX_PROBLEMS = 10_000  # of one table; `errors.messages` gathers them
_TO_HAVE_MORE = "count is the number of copies of a row; a larger PNP_MEMORY allows more"
Order = Sequence[tuple[Column, bool]]  # columns to sort by, each with whether downward


def read_table(
    folder: Path, table: str, schema: TableSchema, spec_place: Place, notes: Notes | None = None
) -> tuple[Piece, ...]:
    """The pieces of a table, one for each row. Raises PnpError with every fault of the file.

    `table` is a file with one of SUFFIXES, or "cards.xlsx#Sheet". `spec_place` is the line of the spec that names it.
    """
    notes = notes or Notes()
    place, rows = _open(folder, table, spec_place, notes)
    return _pieces(rows, place, schema, notes)


def read_header(folder: Path, table: str, spec_place: Place) -> Sequence[str]:
    """The headings of a table; arguments as of read_table. Raises PnpError if it cannot be read."""
    _, rows = _open(folder, table, spec_place, Notes())
    header = next(rows([]), None)
    return header.cells[:MAX_COLUMNS] if header else ()


def read_lines(folder: Path, table: str, spec_place: Place) -> list[Row]:
    """All rows, from the first that is not empty; arguments as of read_table. Raises PnpError if it cannot be read."""
    faults: Faults = []
    _, rows = _open(folder, table, spec_place, Notes())
    lines = list(rows(faults))
    if faults:
        raise PnpError(faults)
    return lines


def _open(folder: Path, table: str, spec_place: Place, notes: Notes) -> tuple[Place, Callable[[Faults], Iterator[Row]]]:
    """The place of a table's file, and the function that reads its rows."""
    file, sheet = table, ""
    if _SHEET.search(table):
        file, _, sheet = table.partition("#")
    suffix = Path(file).suffix.lower()
    if suffix not in SUFFIXES:
        hint = f"save the table as {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        if "://" in table:
            hint = "pnp opens no web address: download the table, and name its file here"
        raise fail(spec_place, f"{quote(file)} is not a table that pnp can read", hint)
    content = read_within(folder, file, find_memory() // _SHARE, spec_place)
    place = Place.in_folder(folder, file)

    def rows(faults: Faults) -> Iterator[Row]:
        if suffix in (".xlsx", ".xlsm", ".ods", ".fods"):
            from generator.tables.spreadsheets import sheet_rows

            return sheet_rows(content, place, suffix[1:].upper(), sheet, faults, notes.warnings)
        text = decode_text(content, place)
        if suffix == ".json":
            return json_rows(text, place, faults)
        return csv_rows(text, place, "\t" if suffix == ".tsv" else "", faults)

    return place, rows


def read_rows(
    rows: Sequence[Mapping[str, object]],
    file: Place,
    line_of: Callable[[int, str], int],
    schema: TableSchema,
    notes: Notes | None = None,
) -> tuple[Piece, ...]:
    """The pieces of [[component.row]] tables. `line_of` gives the line of a key in the row of an
    index, and of the row itself for "". Raises PnpError with every fault of the rows."""
    lines = [(line_of(index, ""), row) for index, row in enumerate(rows)]
    open_rows = partial(object_rows, lines, file, line_of=line_of)
    return _pieces(open_rows, file, schema, notes or Notes())


def _pieces(
    open_rows: Callable[[Faults], Iterator[Row]], file: Place, schema: TableSchema, notes: Notes
) -> tuple[Piece, ...]:
    table = _TableReader(schema, notes)
    rows = open_rows(table.problems)
    header = next(rows, None)
    if header is None and not table.problems:
        raise fail(file.at_line(1), "the table is empty", "the first line names the columns")
    if header is not None:
        if len(header.cells) > MAX_COLUMNS:
            raise fail(header.place, f"the table has {len(header.cells):,} columns", f"at most {MAX_COLUMNS}")
        is_known = table.knows_any_of(header)
        if not is_known and not table.is_above_pieces(rows):
            what = "this line names none of the columns that are read"
            raise fail(header.place, what, "the first line names the columns: delete any heading above them")
        table.read_header(header)
        if not is_known:
            raise PnpError(table.problems)
        table.read_rows(rows)
        table.report_unread(header)
    problems = list(at_most(_MAX_PROBLEMS, table.problems))
    if problems and not (schema.is_draft and table.pieces):
        raise PnpError(problems)
    table.notes.warnings.extend(problems)
    return tuple(table.pieces)


class _TableReader:
    def __init__(self, schema: TableSchema, notes: Notes) -> None:
        self.schema = schema
        self.notes = notes
        self.columns = schema.columns_by_name
        self.pieces: list[Piece] = []
        self.problems: list[Problem] = []
        self._headings = Headings([], {}, {})
        self._names: Sequence[str] = ()  # of the columns that are read
        self._tongues: Mapping[str, int] = {}  # the indices of their translations
        self._covered: frozenset[int] = frozenset()
        self._totals = Totals()
        self._ends_in_total = False  # so far
        self._ids: dict[str, str] = {}
        self._number = 0
        self._every = {schemas.find_name(name, self.columns) or name: v for name, v in schema.every.items()}
        self._given: Mapping[str, str] = {}  # the combination of these that is read
        self._tried = 0  # combinations
        self._total = 0
        self._most = find_most_pieces()

    def knows_any_of(self, header: Row) -> bool:
        """Whether `header` may be a header, misspelt or not."""
        is_read = any(column.name != "id" for column in self.schema.columns)
        names = [cell for cell in header.cells if cell and not cell.startswith(REMARK)]
        columns = [schemas.find_name(name, self.columns) or nearest(name, self.columns) for name in names]
        return header.kind == "object" or not is_read or any(columns)

    def is_above_pieces(self, below: Iterable[Row]) -> bool:
        """Whether a line that names no column is the header all the same: each column is read by a
        drawing or by the name of one, and no line shortly below it names one."""
        columns = [column.name for column in self.schema.columns]
        cells = [cell for row in islice(below, _MAX_ABOVE) for cell in row.cells if cell]
        are_placed = all(column.reader for column in self.schema.columns)
        return are_placed and not any(schemas.find_name(cell, columns) for cell in cells)

    def read_header(self, header: Row) -> None:
        needed = {column.name for column in self.schema.columns} - set(self.schema.default)
        needed -= self.schema.optional | self._every.keys()
        needed |= {"id"} if self.schema.is_extension else set()
        self._covered = header.covered
        self._headings = schemas.read_headings(header, self.columns, needed, self.schema.is_all)
        self.problems += self._headings.problems
        for name in self._every:
            if twice := schemas.find_name(name, header.cells):
                what = f"the table has a column {quote(twice)}, and so has [component.every]"
                self._report(header.place, what, "leave one of them out")
        names = dict.fromkeys((*self._headings.at, *self.schema.default, *self._every))
        self._names = [name for name in names if name != "enabled" and name in self.columns]
        self._tongues = {
            name: at
            for name, tongues in self._headings.translated.items()
            if (at := tongues.get(self.schema.language)) is not None
        }

    def report_unread(self, header: Row) -> None:
        """Report unread columns, after their cells are read."""
        for index, suspect in self._headings.suspects.items():
            problem = schemas.say_suspect(header, index, suspect)
            is_error = problem.level == "error"
            (self.problems if is_error else self.notes.warnings).append(problem)
        self.notes.add(header.place, self._headings, is_all=self.schema.is_all)

    def read_rows(self, rows: Iterable[Row]) -> None:
        """Read to the end, or until there are too many faults or pieces."""
        last: tuple[Row, slice, int] | None = None
        for row in rows:
            self._number += 1
            self._clear_suspects(row)
            before, pieces = len(self.problems), len(self.pieces)
            self._read_row(row)
            last = row, slice(before, len(self.problems)), pieces
            if self._is_full:
                self._report(row.place, f"with this row the table has more than {self._most:,} pieces", _TO_HAVE_MORE)
            if self._is_full or len(self.problems) > _MAX_PROBLEMS:
                return
        if last and self._ends_in_total:
            row, problems, pieces = last
            del self.problems[problems], self.pieces[pieces:]
            self._report_total(row)

    @property
    def _is_full(self) -> bool:
        """Whether there are too many pieces, or combinations that may be left out."""
        return max(self._total, self._tried) > self._most

    def _read_row(self, row: Row) -> None:
        before = len(self.problems)
        self._ends_in_total = self._is_bare_total(row)
        pieces = list(self._combine(row))
        is_sound = len(self.problems) == before
        is_left_out = not pieces and is_sound
        values = pieces[0][1] if pieces else None
        if not is_left_out and self._is_total(row, values, is_sound=is_sound):
            del self.problems[before:]
            self._report_total(row)
            return
        for self._given, values in pieces:
            self._add(row, values)
        self._totals.add(row.cells)

    def _combine(self, row: Row) -> Iterator[tuple[Mapping[str, str], dict[str, Value]]]:
        """The values of a row, for each combination of those that every row is read with; up to the first fault."""
        faults = len(self.problems)
        for values in product(*self._every.values()):
            self._given = dict(zip(self._every, values, strict=True))
            self._tried += bool(self._every)
            read = self._values(row)
            if read is not None:
                yield self._given, read
            if len(self.problems) > faults or self._is_full:
                return

    def _report_total(self, row: Row) -> None:
        what = "this row seems to add up the rows above it"
        self._report(row.place, what, "delete it, or write no in a column 'enabled'")

    def _clear_suspects(self, row: Row) -> None:
        """Clear the suspects whose cell in a row does not fit `count` or `enabled`."""
        suspects = self._headings.suspects
        for index, suspect in list(suspects.items()):
            try:
                cell = row.cells[index] if index < len(row.cells) else ""
                if cell:
                    schemas.read_cell(cell, self.columns[suspect.column])
            except MisfitError:
                self._headings.unread[suspects.pop(index).name] = ""

    def _is_total(self, row: Row, values: Mapping[str, Value] | None, *, is_sound: bool) -> bool:
        """Whether a row is a spreadsheet's sum: a cell says so and the others are numbers, or the
        first one says so, and it has a fault or has as many pieces as all rows before it."""
        if self._totals.is_named_total(row.cells, self._total):
            return True
        if not is_label(next(filter(None, row.cells), "")):
            return False
        is_sum = values is not None and self._total > 1 and values.get("count") == self._total
        return is_sum or not is_sound

    def _is_bare_total(self, row: Row) -> bool:
        """Whether a row, if it is the last one, is a sum without a label."""
        suspects = self._headings.suspects.items()
        counting = {at for at, suspect in suspects if suspect.column == "count"}
        counting |= {self._headings.at.get("count", -1)}
        return row.kind != "object" and self._totals.is_bare_total(row.cells, self._total, counting)

    def _values(self, row: Row) -> dict[str, Value] | None:
        """The cells by column; None if one has a fault or the row is left out."""
        if len(row.cells) != len(self._headings.cells):
            self._report_ragged(row)
            return None
        if not self._is_enabled(row) or not self._is_wanted(row):
            return None
        values: dict[str, Value] = {}
        faults = len(self.problems)
        names = self._names
        if self.schema.is_extension and self._cell(row, "count") == "0":
            names = ["id", "count"]
        for name in names:
            try:
                values[name] = schemas.read_cell(self._cell(row, name), self.columns[name])
                if name in self.schema.lookups:
                    values |= self.schema.lookups[name].values(str(values[name]))
            except MisfitError as error:
                values.pop(name, None)
                at = self._index(row, name)
                place = row.place if at is None else row.cell(at, self._headings.cells[at])
                self._report(place, str(error), error.hint)
        if self.schema.is_draft:
            return self.schema.stand_ins() | values
        return values if len(self.problems) == faults else None

    def _is_enabled(self, row: Row) -> bool:
        try:
            cell = schemas.read_cell(self._cell(row, "enabled"), self.columns["enabled"])
            return ENABLED[str(cell).lower()]
        except MisfitError as error:
            self._report(row.cell(self._headings.at.get("enabled", 0), "enabled"), str(error), error.hint)
            return False

    def _is_wanted(self, row: Row) -> bool:
        """Whether a row fulfils the condition; so does one of an expansion that only removes a
        piece, unless it says more."""
        where = self.schema.conditions.get("")
        is_removal = self.schema.is_extension and self._cell(row, "count") == "0"
        if where is None or (is_removal and not any(self._original(row, where).values())):
            return True
        return self._meets(row, where)

    def _meets(self, row: Row, condition: Condition) -> bool:
        """Whether a condition holds for a row; if that cannot be said, its fault is reported."""
        if self._headings.problems:
            return True  # its column may be missing
        try:
            cells = self._original(row, condition)
            condition.seen[", ".join(cells.values())] = None
            return condition.holds(cells)
        except MisfitError as error:
            self._report(row.place, str(error), error.hint)
            return False

    def _original(self, row: Row, condition: Condition) -> dict[str, str]:
        """The cells that a condition reads, which chooses the same rows in every language."""
        cells = {}
        for name in condition.names:
            of, _, part = name.partition(".")
            lookup = self.schema.lookups.get(of) if part else None
            at = self._headings.at.get(of if lookup else name)
            cell = self._filled(row, of if lookup else name, at)
            cells[name] = str(lookup.values(cell)[name]) if lookup else cell
        return cells

    def _cell(self, row: Row, name: str) -> str:
        return self._filled(row, name, self._index(row, name))

    def _filled(self, row: Row, name: str, at: int | None) -> str:
        """The cell of a column, at its index in the row if that has one."""
        if name in self._given:
            return self._given[name]
        return (row.cells[at] if at is not None else "") or self.schema.default.get(name, "")

    def _index(self, row: Row, name: str) -> int | None:
        """The index of the cell to read, the translation if there is one; None without a column."""
        at = self._tongues.get(name)
        return at if at is not None and row.cells[at] else self._headings.at.get(name)

    def _texts(self, row: Row) -> tuple[TranslatedCell, ...]:
        return tuple(
            TranslatedCell(
                row.cell(self._headings.at[name], name), {tongue: bool(row.cells[at]) for tongue, at in tongues.items()}
            )
            for name, tongues in self._headings.translated.items()
            if name in self._headings.at and row.cells[self._headings.at[name]]
        )

    def _id(self, row: Row, values: Mapping[str, Value]) -> str:
        key = self.schema.key
        if self._every and "id" not in self._every:
            own = [str(values.get("id", self._number))] if row.cells else []
            return schemas.join_id([*own, *self._given.values()])
        if key == "id":
            return str(values.get("id", self._number))
        at = self._headings.at.get(key)  # never its translation
        return "" if at is None else row.cells[at]

    def _add(self, row: Row, values: dict[str, Value]) -> None:
        key, id_ = self.schema.key, self._id(row, values)
        folded = id_.casefold()
        fault = "" if id_ else "the cell is empty"
        if id_ and folded in self._ids:
            fault = f"the {key} {quote(id_)} is taken by {self._ids[folded]}"
        if fault:
            place = row.cell(self._headings.at[key], key) if key in self._headings.at else row.place
            self._report(place, fault, f"give every row its own {key}")
            id_ = f"{id_}+{self._number}"  # in a draft
            folded = id_.casefold()
            if folded in self._ids:
                return
        self._ids.setdefault(folded, row.label)
        copies = values.get("count", 1)
        assert isinstance(copies, int), "count is read as a number"
        self._total += copies
        cells = ((look, str(values.get(name, ""))) for name, look in self.schema.lookups.items())
        pointed = tuple(text for lookup, cell in cells for text in lookup.texts(cell))
        texts = self._texts(row) + pointed
        fills = schemas.is_fill(self._cell(row, "count"))
        conditions = self.schema.conditions.items()
        meets = frozenset(name for name, each in conditions if not name or self._meets(row, each))
        piece = Piece(id_, values, copies, row.place, texts, fills=fills, meets=meets)
        self.pieces.append(piece)

    def _report_ragged(self, row: Row) -> None:
        cells, columns = len(row.cells), len(self._headings.cells)
        what = f"the row has {count_of(cells, 'cell')}, the header has {columns}"
        hint = f"write the {row.comma!r} of empty cells too"
        if cells > columns:
            hint = _RAGGED[row.kind].format(comma=row.comma)
            hint = UNMERGE if columns in self._covered else hint
        self._report(row.cell(columns, "") if row.kind == "sheet" else row.place, what, hint)

    def _report(self, place: Place, what: str, hint: str = "") -> None:
        self.problems.append(Problem(place, what, hint))


def sort(pieces: Sequence[Piece], order: Order) -> tuple[Piece, ...]:
    """The pieces in the order of columns, by `rank`; those with an empty cell come last."""
    for column, is_downward in reversed(order):
        filled = [piece for piece in pieces if piece.row.get(column.name, "") != ""]
        empty = [piece for piece in pieces if piece.row.get(column.name, "") == ""]
        filled.sort(key=lambda piece: rank(str(piece.row[column.name])), reverse=is_downward)
        pieces = [*filled, *empty]
    return tuple(pieces)


def number(pieces: Sequence[Piece], read: Collection[str]) -> tuple[Piece, ...]:
    """The pieces with the numbers of headings.NUMBERS that are read.

    `number` counts all copies of all rows in their order, from 1 to `total`; `copy` counts those of
    a row. Copies with different numbers become pieces of their own: "whale", "whale (2)". Where a
    table has a column of that name, this holds. Raises PnpError with each row that lacks it.
    """
    printed = [piece for piece in pieces if piece.is_drawn]
    missing = {name for name in read if not any(name in piece.row for piece in printed)}
    problems = [
        Problem(piece.place, f"the row has no {quote(name)}, but rows of another table do")
        for name in sorted(set(read) - missing)
        for piece in printed
        if name not in piece.row
    ]
    raise_all(at_most(_MAX_PROBLEMS, problems))
    return tuple(_number_pieces(pieces, missing)) if missing else tuple(pieces)


def _number_pieces(pieces: Sequence[Piece], names: Collection[str]) -> Iterator[Piece]:
    total = sum(piece.copies for piece in pieces)
    is_divided = not {"number", "copy"}.isdisjoint(names)
    before = 0
    for piece in pieces:
        for copy in range(1, max(1, piece.copies) + 1) if is_divided else (1,):
            values: dict[str, Value] = {"number": before + copy, "total": total, "copy": copy}
            if piece.fills:
                values |= {"number": "", "copy": ""}
            row = {**piece.row, **{name: values[name] for name in names}}
            copies = min(1, piece.copies) if is_divided else piece.copies
            numbered = replace(piece, row=row, copies=copies)
            yield replace(numbered, id=f"{piece.id} ({copy})", texts=(), copy_of=piece.id) if copy > 1 else numbered
        before += piece.copies


def extend(base: Sequence[Piece], more: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces of `base` with those of `more`. A piece of `more` replaces the one with its id, or
    removes it if its count is 0; the others come last.

    Raises PnpError if there is nothing to remove, or if there are too many pieces."""
    names = {piece.id.casefold(): piece.id for piece in base}
    pieces = {piece.id.casefold(): piece for piece in base}
    problems = []
    for piece in more:
        if not piece.is_drawn and piece.id.casefold() not in names:
            what = f"there is no row {quote(piece.id)} to leave out"
            problems.append(Problem(piece.place, what, did_you_mean(piece.id, names.values())))
        pieces[piece.id.casefold()] = piece
    removed = {piece.id.casefold() for piece in more if not piece.is_drawn}
    kept = tuple(piece for id_, piece in pieces.items() if id_ not in removed)
    most = find_most_pieces()
    if sum(piece.copies for piece in kept) > most:
        what = f"with these rows the table has more than {most:,} pieces"
        problems.append(Problem(more[-1].place, what, _TO_HAVE_MORE))
    raise_all(at_most(_MAX_PROBLEMS, problems))
    return kept


def count_merged(base: Sequence[Piece], kept: Sequence[Piece]) -> Merged:
    """How many copies were added and removed, and how many rows replaced."""
    rows = {piece.id.casefold(): piece for piece in base}
    before = Counter({id_: piece.copies for id_, piece in rows.items()})
    after = Counter({piece.id.casefold(): piece.copies for piece in kept})
    return Merged(
        base=before.total(),
        added=(after - before).total(),
        removed=(before - after).total(),
        replaced=sum(rows.get(piece.id.casefold(), piece) is not piece for piece in kept),
    )
