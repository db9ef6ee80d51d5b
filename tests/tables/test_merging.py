"""Cells that are merged in a spreadsheet hold their value for every row that they cover."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.cell_range import CellRange

from generator.basics.errors import Place, PnpError, Problem
from generator.model import Column
from generator.tables.schema import TableSchema
from generator.tables.table import read_table
from tests.support import opendocument

Grid = Sequence[Sequence[object]]
CARDS: Grid = [
    ("id", "kind", "power"),
    ("a", "sea", 1),
    ("b", None, 2),
    ("c", None, 3),
    ("d", "land", 4),
    ("e", None, 5),
]


def xlsx(grid: Grid, merges: Mapping[str, tuple[int, int]]) -> bytes:
    """A grid with merged cells: by the cell at their top left, the rows and columns they cover."""
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    page.title = "Cards"
    for row in grid:
        page.append(row)
    for cell, (down, across) in merges.items():
        left, top = ord(cell[0]) - ord("A") + 1, int(cell[1:])
        last = {"max_col": left + across - 1, "max_row": top + down - 1}
        page.merged_cells.ranges.add(CellRange(min_col=left, min_row=top, **last))
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def ods(grid: Grid, merges: Mapping[str, tuple[int, int]]) -> bytes:
    rows = []
    for number, row in enumerate(grid, 1):
        cells = [opendocument.cell(value) for value in row]
        for name, (down, across) in merges.items():
            if int(name[1:]) == number:
                spans = {"rows": down, "columns": across}.items()
                told = " ".join(f'table:number-{what}-spanned="{count}"' for what, count in spans)
                index, start = ord(name[0]) - ord("A"), "<table:table-cell"
                cells[index] = cells[index].replace(start, f"{start} {told}", 1)
        rows.append(f"<table:table-row>{''.join(cells)}</table:table-row>")
    return opendocument.ods(opendocument.sheet("".join(rows)))


WRITERS = {"cards.xlsx": xlsx, "cards.ods": ods}
each_kind = pytest.mark.parametrize("name", WRITERS)


def read(folder: Path, name: str, grid: Grid, merges: Mapping[str, tuple[int, int]]) -> list[tuple[object, ...]]:
    (folder / name).write_bytes(WRITERS[name](grid, merges))
    schema = TableSchema([Column("kind"), Column("power")])
    pieces = read_table(folder, name, schema, Place("here"))
    return [(piece.id, piece.row["kind"], piece.row["power"]) for piece in pieces]


def faults(folder: Path, name: str, grid: Grid, merges: Mapping[str, tuple[int, int]]) -> list[Problem]:
    with pytest.raises(PnpError) as caught:
        read(folder, name, grid, merges)
    return list(caught.value.problems)


@each_kind
def test_down_a_column(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, name, CARDS, {"B2": (3, 1)}) == [
        ("a", "sea", "1"),
        ("b", "sea", "2"),
        ("c", "sea", "3"),
        ("d", "land", "4"),
        ("e", "", "5"),
    ]


@each_kind
def test_past_the_last_row(tmp_path: Path, name: str) -> None:
    """A cell over the rest of the column makes no more rows."""
    rows = read(tmp_path, name, CARDS, {"B5": (1_000_000, 1)})
    assert [kind for _, kind, _ in rows] == ["sea", "", "", "land", "land"]


@each_kind
def test_across_columns_only_the_first_has_it(tmp_path: Path, name: str) -> None:
    grid = [*CARDS[:3], ("c", "sky", None), ("d", None, None)]
    rows = read(tmp_path, name, grid, {"B4": (2, 2)})
    assert rows[2:] == [("c", "sky", ""), ("d", "sky", "")]


@each_kind
def test_a_heading_over_two_columns(tmp_path: Path, name: str) -> None:
    grid = [("id", "kind", None, "power"), ("a", "sea", "x", 1)]
    (problem,) = faults(tmp_path, name, grid, {"B1": (1, 2)})
    assert str(problem.place).endswith("Cards!C1")
    assert problem.what == "column 3 has no name"
    assert "unmerge them" in problem.hint


@each_kind
def test_the_last_heading_over_two_columns(tmp_path: Path, name: str) -> None:
    grid = [("id", "kind", "power", None), ("a", "sea", 1, 2)]
    (problem,) = faults(tmp_path, name, grid, {"C1": (1, 2)})
    assert "the row has 4 cells, the header has 3" in problem.what
    assert "unmerge them" in problem.hint


@each_kind
def test_a_heading_over_two_rows_is_no_value(tmp_path: Path, name: str) -> None:
    grid = [("id", "kind", "power"), ("x", None, "now"), ("a", "sea", 1)]
    assert read(tmp_path, name, grid, {"B1": (2, 1)})[0] == ("x", "", "now")
