"""Cells and rows of CSV files change alone; the standard library's csv reads the result."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.errors import MisfitError
from generator.studio.cells import CsvTable

TEXT = 'id;title;text\r\n1;"A; b";x\r\n\r\n2;B\r\n3;"two\r\nlines";"q""q"'
words = st.text(st.sampled_from('ab",\n ü7'), max_size=4)
tables = st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=5)


def read(text: str, comma: str = ",") -> list[list[str]]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=comma)
    return [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]


def write(rows: list[list[str]], line_end: str) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=line_end).writerows([["id", "a", "b", "c"], *rows])
    return text.getvalue()


def test_cells_keep_what_is_around_them() -> None:
    table = CsvTable(TEXT)
    table.set_cells({(2, 2): "new; one", (1, 0): "9", (3, 1): "", (1, 1): "A"})
    assert table.text == 'id;title;text\r\n9;"A";x\r\n\r\n2;B;"new; one"\r\n3;"";"q""q"'


def test_rows_are_moved_added_and_removed() -> None:
    table = CsvTable(TEXT)
    table.arrange([3, 1, 2])
    assert [row.cells[0] for row in table.rows] == ["id", "3", "1", "2"]
    assert table.text.startswith('id;title;text\r\n3;"two\r\nlines";"q""q"\r\n1;')
    table.arrange([1, 2, 3, ["4", "a\nb", ""]])
    assert table.text.endswith('\r\n2;B\r\n4;"a\nb";')
    table.arrange([2, 4])
    assert table.text == 'id;title;text\r\n1;"A; b";x\r\n\r\n4;"a\nb";'


def test_the_line_that_names_the_delimiter_is_no_row() -> None:
    table = CsvTable("sep=;\nid;a,b,c\n1;2\n")
    table.set_cells({(0, 0): "name"})
    table.arrange([1])
    assert table.text == "sep=;\nname;a,b,c\n1;2\n"


@given(tables, st.integers(0, 4), st.integers(0, 5), words, st.sampled_from(["\n", "\r\n"]))
def test_the_standard_library_reads_the_new_cell(
    rows: list[list[str]], row: int, column: int, new: str, line_end: str
) -> None:
    text = write(rows, line_end)
    table, expected = CsvTable(text), read(text)
    row = min(row, len(expected) - 1)
    if row == 0 and not new.strip():
        return  # a header keeps its names
    table.set_cells({(row, column): new})
    expected[row] += [""] * (column + 1 - len(expected[row]))
    expected[row][column] = new.strip()
    assert read(table.text) == [line for line in expected if any(line)]


@given(tables, st.permutations([1, 2, 3, 4, 5, ["x", 'a "b"']]), st.integers(0, 6), st.booleans())
def test_the_standard_library_reads_the_new_order(
    rows: list[list[str]], order: list[int | list[str]], most: int, has_end: bool
) -> None:
    text = write(rows, "\n")
    text = text if has_end else text.removesuffix("\n")
    before, table = read(text), CsvTable(text)
    order = [row for row in order[:most] if not isinstance(row, int) or row < len(before)]
    table.arrange(order)
    assert read(table.text) == [before[0], *(before[row] if isinstance(row, int) else row for row in order)]
    assert table.text.endswith("\n") == text.endswith("\n")


def test_what_is_no_csv_or_no_text_is_refused() -> None:
    with pytest.raises(MisfitError, match="line 2"):
        CsvTable('id,a\n1,"b')
    with pytest.raises(MisfitError, match="U\\+0007"):
        CsvTable("id,a\n1,b\n").set_cells({(1, 1): "\a"})
