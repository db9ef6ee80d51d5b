"""Take a piece and a paper, make the grids of shared straight cuts that fit, fullest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from generator.geometry import Affine, Point, Rect, Size, mirror_x, mirror_y

Edge = Literal["left", "top", "right", "bottom"]
EDGES: tuple[Edge, ...] = ("left", "top", "right", "bottom")

_TOLERANCE = 1e-6
_FOLD_TO_BLEED = 5.0  # mm that a hand needs to fold and glue true
_FOLD_REACH = 1.0  # mm that marks keep from the fold

Axis = Literal["down", "across"]


class Space(NamedTuple):
    """The mm beside a block up to the paper's edge or the fold; the last `margin` stay bare."""

    width: float
    margin: float
    is_fold: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns of equal cells, edge to edge.

    In the middle of the paper; with a `fold`, the fronts left of it (above it) and as much room
    behind them for the backs. `bleed` is what the cells need around them.
    """

    paper: Size
    cell: Size
    columns: int
    rows: int
    margin: float
    bleed: float
    fold: Axis | None = None

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def block(self) -> Rect:
        """The trims of all cells."""
        width, height = self.columns * self.cell.width, self.rows * self.cell.height
        x, y = (self.paper.width - width) / 2, (self.paper.height - height) / 2
        if self.fold == "down":
            x = self.paper.width / 2 - self._to_fold() - width
        elif self.fold == "across":
            y = self.paper.height / 2 - self._to_fold() - height
        return Rect(x, y, x + width, y + height)

    def _to_fold(self) -> float:
        return self.bleed + _FOLD_TO_BLEED

    def spaces(self) -> dict[Edge, Space]:
        """The room beside each edge of the block."""
        block, paper, margin = self.block, self.paper, self.margin
        fold = Space(self._to_fold(), _FOLD_REACH, is_fold=True)
        right = Space(paper.width - block.x1, margin)
        bottom = Space(paper.height - block.y1, margin)
        return {
            "left": Space(block.x0, margin),
            "top": Space(block.y0, margin),
            "right": fold if self.fold == "down" else right,
            "bottom": fold if self.fold == "across" else bottom,
        }

    def fold_turn(self) -> Affine:
        """Map a point of a front to the point of the same page that the fold lays behind it."""
        across = self.fold == "down"
        return mirror_x(self.paper.width) if across else mirror_y(self.paper.height)

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


def grids(
    piece: Size, paper: Size, *, margin: float, bleed: float, is_folded: bool
) -> Iterator[Grid]:
    """Grids within the printable area, upright paper or turned, the fullest first.

    Smaller ones follow the fullest because the slug needs room too.
    """
    folds: tuple[Axis | None, ...] = ("down", "across") if is_folded else (None,)
    found = [
        Grid(sheet, piece, columns, rows, margin, bleed, fold)
        for sheet in dict.fromkeys((paper, paper.turned()))
        for fold in folds
        for columns in _largest(_room(sheet.width, margin, bleed, fold == "down"), piece.width)
        for rows in _largest(_room(sheet.height, margin, bleed, fold == "across"), piece.height)
    ]
    yield from sorted(found, key=lambda grid: -grid.count)


def _room(paper: float, margin: float, bleed: float, is_halved: bool) -> float:
    """The mm for pieces along a side of the paper."""
    if is_halved:
        return paper / 2 - margin - bleed - _FOLD_TO_BLEED
    return paper - 2 * margin


def _largest(room: float, piece: float) -> range:
    """The most pieces that fit along a side, and up to three fewer."""
    most = max(int((room + _TOLERANCE) / piece), 0)
    return range(most, max(most - 4, 0), -1)
