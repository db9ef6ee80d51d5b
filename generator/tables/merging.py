"""Take the merged cells of a sheet, give each row the values of the cells that cover its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

MOST_ACROSS = 501  # columns to read: one more than a table may have
Cell = tuple[Any, Any]  # the value of a cell and its formula, None for none


class Merge(Struct, frozen=True, order=True):
    """Cells that are one, the last ones included: rows from 1, columns from 0."""

    top: int
    left: int
    bottom: int
    right: int


class MergedCells:
    """The merged cells of a sheet, whose rows are read downward.

    A value counts for each row that its cell covers, and only for the first column: a row says the
    same as its neighbour, while two columns are two things. The work for a row does not depend on
    the size of a merged cell.
    """

    def __init__(self, merges: Iterable[Merge]) -> None:
        self._merges = sorted(merge for merge in merges if merge.left < MOST_ACROSS)
        self._begun = 0
        self._open: dict[int, tuple[int, Cell]] = {}  # by column: the last row, and the value

    def fill(self, number: int, cells: list[Cell]) -> None:
        """Put the values of merged cells that began in a row above into a row."""
        for left, (bottom, cell) in list(self._open.items()):
            if bottom < number:
                del self._open[left]
                continue
            cells.extend([(None, None)] * (left + 1 - len(cells)))
            cells[left] = cell
        for merge in self._begin(number):
            value = cells[merge.left] if merge.left < len(cells) else (None, None)
            if merge.bottom > number and value[0] is not None:
                self._open[merge.left] = merge.bottom, value

    def cover(self, number: int) -> frozenset[int]:
        """The columns of the header that a heading to their left covers. Headings name columns,
        and are not repeated downward."""
        covered: set[int] = set()
        end = 0
        for merge in self._begin(number):
            last = min(merge.right, MOST_ACROSS)
            covered.update(range(max(merge.left + 1, end), last + 1))
            end = max(end, last + 1)
        return frozenset(covered)

    def _begin(self, number: int) -> list[Merge]:
        """The merged cells whose first row it is."""
        begun: list[Merge] = []
        while self._begun < len(self._merges) and self._merges[self._begun].top <= number:
            begun.append(self._merges[self._begun])
            self._begun += 1
        return [merge for merge in begun if merge.top == number]
