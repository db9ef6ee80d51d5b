"""The columns of a table: which are read, what their cells may hold, what stands in for them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.bounds import find_most_pieces
from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.model import Column, Value
from generator.tables.headings import OWN, find_name
from generator.tables.lookups import Lookup
from generator.tables.rows import NO, YES, ListCell, cell_of

ENABLED = dict.fromkeys(("", "1", *YES), True) | dict.fromkeys(("0", *NO), False)
# A piece's id is part of file names: no folder, no character that a file system forbids.
_ID = re.compile(r"\w[\w .+-]{0,58}[\w+-]|\w")
_MAX_ID = 60
_ID_HINT = f"letters, digits, spaces, '.', '-', '_' and '+', at most {_MAX_ID}"
_WHOLE = re.compile(r"\.0+$")  # some spreadsheets write it after a whole number


class TableSchema(Struct, frozen=True):
    """How to read a table: its `columns`, beside `id`, `count` and `enabled`.

    is_all: nothing reads other columns, so that any other may be a misspelling.
    default: the cells to use for empty and missing ones, by column.
    is_extension: the rows go into another table. Each needs an id; a row with a count of 0 needs
        nothing else.
    language: a cell of "name.de", unless it is empty, replaces that of "name" in "de".
    key: the column of the pieces' ids.
    lookups: the columns whose cells name rows of other tables.
    """

    columns: Sequence[Column]
    is_all: bool = True
    default: Mapping[str, str] = field(default_factory=dict)
    is_extension: bool = False
    language: str = ""
    key: str = "id"
    lookups: Mapping[str, Lookup] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()  # columns that may be missing
    is_draft: bool = False

    @property
    def columns_by_name(self) -> dict[str, Column]:
        """Every column that is read. `count` has the range of a count in any case."""
        most = find_most_pieces()
        columns = {name: Column(name) for name in OWN} | {"count": Column("count", 0, most)}
        columns |= {column.name: column for column in self.columns}
        count = columns["count"]
        high = most if count.high is None else min(count.high, most)
        columns["count"] = replace(count, low=count.low or 0, high=high)
        return columns

    def default_of(self, name: str, value: object) -> str:
        """A value of [component.default] as a cell. Raises MisfitError if there is no such column,
        or if it cannot hold the value."""
        columns = self.columns_by_name
        name = find_name(name, columns) or name
        if name not in columns and self.is_all:
            hint = did_you_mean(name, columns)
            raise MisfitError(f"nothing reads the column {quote(name)}", hint)
        cell = cell_of(value)
        if cell and name in columns:
            read_cell(cell, columns[name])
        return cell

    def stand_ins(self) -> dict[str, Value]:
        """In a draft, the value for each missing cell, those of the lookups included."""
        looked_up = {
            f"{name}.{column.name}": _stand_in(column)
            for name, lookup in self.lookups.items()
            for column in lookup.columns
        }
        columns = self.columns_by_name
        names = {one.name for one in self.columns} - self.optional
        return looked_up | {name: _stand_in(columns[name]) for name in names}

    def stand_in(self, name: str) -> dict[str, str]:
        """A valid default in place of a faulty one."""
        column = self.columns_by_name.get(name)
        return {name: str(_stand_in(column))} if column else {}


def _stand_in(column: Column) -> Value:
    """A value that a column can hold."""
    if column.low is None or column.high is None:
        return ""
    return min(column.high, max(1, column.low))


def read_cell(cell: str, column: Column) -> Value:
    """The cell as a number or text. Raises MisfitError if it does not fit the column."""
    if isinstance(cell, ListCell) and not column.reader:
        what = "a cell holds text or a number, not a list"
        raise MisfitError(what, "only a template reads lists: put the values in separate columns")
    if column.low is None or column.high is None:
        if column.name == "id" and not _ID.fullmatch(cell):
            what = f"{quote(cell)} is not a valid id" if cell else "the cell is empty"
            if len(cell) > _MAX_ID:
                what = f"the id has {len(cell):,} characters"
            raise MisfitError(what, _ID_HINT)
        if column.name == "enabled" and cell.lower() not in ENABLED:
            raise MisfitError(
                f"{quote(cell)} is neither yes nor no", "write yes or no; an empty cell means yes"
            )
        return cell
    whole = _WHOLE.sub("", cell)
    if not whole.isascii() or not whole.removeprefix("-").isdigit() or len(whole) > 18:
        what = f"{quote(cell)} is not a whole number" if cell else "the cell is empty"
        raise MisfitError(what, f"{column.low} to {column.high:,}, digits only")
    if not column.low <= int(whole) <= column.high:
        raise MisfitError(f"{cell} is not between {column.low:,} and {column.high:,}")
    return int(whole)
