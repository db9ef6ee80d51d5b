"""Take a cell that names a row of another table, give the cells of that row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.model import Column, Piece, TranslatedCell, Value


class Lookup(Struct, frozen=True):
    """The rows of `table` that the cells of the column `name` refer to; None if `table` has faults.

    A piece has the `columns` of its row as "name.column"."""

    name: str
    table: str  # as a message names it
    columns: Sequence[Column]
    rows: Mapping[str, Piece] | None

    def values(self, key: str) -> dict[str, Value]:
        """The cells of the row of a key, or empty cells for "". Raises MisfitError if there is no
        such row, or if an empty cell should be a number."""
        row = self._row(key)
        if row is not None:
            return {self._qualify(column): row.row[column.name] for column in self.columns}
        number = next((c for c in self.columns if c.low is not None and self.rows), None)
        if number:
            what = f"the cell is empty, so there is no number {self._qualify(number)}"
            raise MisfitError(what, f"name a row of {self.table}")
        return {self._qualify(column): "" for column in self.columns}

    def texts(self, key: str) -> tuple[TranslatedCell, ...]:
        row = self.rows.get(key.casefold()) if self.rows else None  # in a draft, there may be none
        return row.texts if row else ()

    def _qualify(self, column: Column) -> str:
        return f"{self.name}.{column.name}"

    def _row(self, key: str) -> Piece | None:
        if not key or self.rows is None:
            return None
        if key.casefold() not in self.rows:
            hint = did_you_mean(key, [row.id for row in self.rows.values()])
            raise MisfitError(f"{self.table} has no row {quote(key)}", hint)
        return self.rows[key.casefold()]
