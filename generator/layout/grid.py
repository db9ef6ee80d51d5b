"""Take a piece and a paper, make the grids of shared straight cuts that fit, fullest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.geometry import Point, Rect, Size

MARGIN = 6.35  # mm that home printers leave blank at each edge, as a rule
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns of equal cells, edge to edge, in the middle of the paper."""

    paper: Size
    cell: Size
    columns: int
    rows: int

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def block(self) -> Rect:
        width, height = self.columns * self.cell.width, self.rows * self.cell.height
        x, y = (self.paper.width - width) / 2, (self.paper.height - height) / 2
        return Rect(x, y, x + width, y + height)

    def corner(self, index: int) -> Point:
        """The top left corner of a cell, counted as one reads."""
        row, column = divmod(index, self.columns)
        block = self.block
        return Point(block.x0 + column * self.cell.width, block.y0 + row * self.cell.height)

    def cuts_down(self) -> list[float]:
        """The x of every cut that runs down the page."""
        return [self.block.x0 + i * self.cell.width for i in range(self.columns + 1)]

    def cuts_across(self) -> list[float]:
        """The y of every cut that runs across the page."""
        return [self.block.y0 + i * self.cell.height for i in range(self.rows + 1)]

    def neighbours(self, index: int, filled: int) -> tuple[bool, bool, bool, bool]:
        """Whether a piece lies left, above, right and below a cell, of which `filled` are."""
        row, column = divmod(index, self.columns)
        return (
            column > 0,
            row > 0,
            column + 1 < self.columns and index + 1 < filled,
            index + self.columns < filled,
        )


def grids(piece: Size, paper: Size) -> Iterator[Grid]:
    """Grids within the printable area, upright paper or turned, the fullest first.

    Smaller ones follow the fullest because the slug needs room too.
    """
    found = [
        Grid(sheet, piece, columns, rows)
        for sheet in dict.fromkeys((paper, paper.turned()))
        for columns in _largest(sheet.width, piece.width)
        for rows in _largest(sheet.height, piece.height)
    ]
    yield from sorted(found, key=lambda grid: -grid.count)


def _largest(paper: float, piece: float) -> range:
    """The most pieces that fit along a side, and up to three fewer."""
    most = int((paper - 2 * MARGIN + _TOLERANCE) / piece)
    return range(most, max(most - 4, 0), -1)
