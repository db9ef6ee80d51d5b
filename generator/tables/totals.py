"""Take the rows of a table one after another, find those that add up the rows above them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal

_TOTALS = "|".join(
    ("totals", "total", "sum", "summe", "gesamt", "somme", "suma", "totale", "totaal")
)
_LABEL = re.compile(rf"(?:{_TOTALS})\b.*")
# "Total", "Total:", "Total cards: 54"; but "Total Eclipse" may be the name of a card.
_PLAIN_LABEL = re.compile(rf"(?:{_TOTALS})(?:\b[^:=]*[:=])?[\s\d.,]*")
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:[.,][0-9]{1,6})?")


class Totals:
    """The sums of the columns so far, by index; `is_total` compares a row with them."""

    def __init__(self) -> None:
        self._rows = 0
        self._sums: dict[int, Decimal] = {}
        self._counts: dict[int, int] = {}  # the numbers in each sum
        self._full: set[int] = set()  # columns without an empty cell
        self._texts: set[int] = set()  # columns with a cell that is no number

    def add(self, cells: Sequence[str]) -> None:
        if not self._rows:
            self._full.update(range(len(cells)))
        self._rows += 1
        if self._lacks(cells, self._full):
            self._full.intersection_update([at for at, cell in enumerate(cells) if cell])
        for at, cell in enumerate(cells):
            if not cell or at in self._texts:
                continue
            number = _number(cell)
            if number is None:
                self._texts.add(at)
            else:
                self._sums[at] = self._sums.get(at, Decimal(0)) + number
                self._counts[at] = self._counts.get(at, 0) + 1

    def is_named_total(self, cells: Sequence[str], printed: int) -> bool:
        """Whether a row has a label, such as "Total", and else only numbers. If a card may have
        this name too, the numbers must be sums. `printed` is the number of pieces so far."""
        if not self._lacks(cells, self._full):
            return False
        texts = [cell for cell in cells if cell and _number(cell) is None]
        if len(texts) != 1:
            return False
        label = texts[0].casefold()
        if _PLAIN_LABEL.fullmatch(label):
            return True
        numbers = {at: cell for at, cell in enumerate(cells) if cell and cell != texts[0]}
        return bool(_LABEL.fullmatch(label)) and self._adds_up(numbers, {printed, self._rows})

    def is_bare_total(self, cells: Sequence[str], printed: int, counting: Collection[int]) -> bool:
        """Whether a row has no label, and all its numbers are sums of at least two rows.

        A column of `counting`, the copies of the rows, may be the first. Before any other there is
        a column of words, empty here: a row of a table of numbers may be a sum by chance.
        """
        if not self._lacks(cells, self._full):
            return False
        numbers = {at: cell for at, cell in enumerate(cells) if cell}
        counted = {at: cell for at, cell in numbers.items() if at in counting}
        labels = self._full
        if not counted:
            labels = {at for at in self._full & self._texts if at < min(numbers, default=0)}
        return (
            self._lacks(cells, labels)
            and all(self._counts.get(at, 0) > 1 for at in numbers)
            and self._adds_up(numbers, {printed} if numbers == counted else ())
        )

    def _lacks(self, cells: Sequence[str], columns: Iterable[int]) -> bool:
        """Whether a row has no cell in one of the columns that all rows above it fill."""
        width = len(cells)
        return any(at >= width or not cells[at] for at in columns)

    def _adds_up(self, cells: Mapping[int, str], others: Collection[int]) -> bool:
        """Whether all cells are the sums of their columns, or one of `others`; not all are 0."""
        numbers = {at: _number(cell) for at, cell in cells.items()}
        return any(numbers.values()) and all(
            number in others or (at not in self._texts and number == self._sums.get(at))
            for at, number in numbers.items()
        )


def is_label(cell: str) -> bool:
    """Whether a cell is the word for a total, and no more."""
    return bool(_PLAIN_LABEL.fullmatch(cell.casefold()))


def _number(cell: str) -> Decimal | None:
    return Decimal(cell.replace(",", ".")) if _NUMBER.fullmatch(cell) else None
