"""Cells of spreadsheets are changed alone: another reader finds the new text and the old rest."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import openpyxl
import pytest
from openpyxl.styles import Font
from openpyxl.worksheet.table import Table

from generator.basics.errors import MisfitError, Place
from generator.studio.cells import SheetTable
from tests.support.opendocument import cell, ods, row, sheet

HEADER = ["id", "title", "count", "note"]


def book() -> Any:
    """Two cards; D2 is empty, C2 a number, B3 bold, and the second sheet adds up the counts."""
    made = openpyxl.Workbook()
    cards = made.active
    cards.title = "Cards"
    for cells in (HEADER, ["key", "Rusty Key", 2], ["ford", "The Ford", 1, "wet"]):
        cards.append(cells)
    cards["B3"].font = Font(bold=True)
    sums = made.create_sheet("Sums")
    sums["A1"], sums["A2"] = "id", "=SUM(Cards!C2:C3)"
    return made


def saved(made: Any) -> bytes:
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def xlsx(content: bytes, name: str = "Cards") -> SheetTable:
    return SheetTable(content, Place("game/cards.xlsx"), name)


def parts(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize(
    ("at", "words", "found"),
    [
        ((1, 1), "Golden <Key> & \"more\"", "Golden <Key> & \"more\""),
        ((1, 1), "two\nlines  wide", "two\nlines  wide"),
        ((1, 1), "7", "7"),  # in a column of texts it stays a text
        ((1, 2), "5", 5),
        ((1, 2), "007", "007"),
        ((1, 2), "1/2", "1/2"),
        ((1, 3), "=1+1", "=1+1"),
        ((1, 3), "dry", "dry"),  # a cell that the file does not have
        ((2, 3), "", None),
        ((0, 1), "name", "name"),
        ((0, 4), "power", "power"),  # a new column
    ],
)  # fmt: skip
def test_a_cell_of_xlsx_is_what_another_reader_finds(at: tuple[int, int], words: str, found: object) -> None:
    before = saved(book())
    table = xlsx(before)
    table.set_cells({at: words})
    cards = openpyxl.load_workbook(io.BytesIO(table.content))["Cards"]
    old = openpyxl.load_workbook(io.BytesIO(before))["Cards"]
    for line, column in ((line, column) for line in (1, 2, 3) for column in (1, 2, 3, 4, 5)):
        changed = cards.cell(line, column)
        own = (line - 1, column - 1) == at
        assert changed.value == (found if own else old.cell(line, column).value)
        assert changed.data_type != "f"
        assert changed.font.b == old.cell(line, column).font.b
    changed_parts = {name for name, part in parts(before).items() if parts(table.content)[name] != part}
    assert changed_parts <= {"xl/worksheets/sheet1.xml", "xl/workbook.xml"}
    assert table.rows[at[0]].cells[at[1]] == words


def test_a_reader_that_trusts_the_written_extent_finds_a_new_column() -> None:
    content = saved(book())
    assert b'<dimension ref="A1:D3"' in parts(content)["xl/worksheets/sheet1.xml"]
    table = xlsx(content)
    table.set_cells({(0, 4): "power"})
    read = openpyxl.load_workbook(io.BytesIO(table.content), read_only=True)["Cards"]
    assert next(read.iter_rows(values_only=True)) == (*HEADER, "power")


def test_formulas_are_computed_again_when_the_book_is_opened() -> None:
    made = book()
    made.calculation.fullCalcOnLoad = False
    table = xlsx(saved(made))
    table.set_cells({(1, 2): "9"})
    assert openpyxl.load_workbook(io.BytesIO(table.content)).calculation.fullCalcOnLoad


@pytest.mark.parametrize(("at", "why"), [((1, 2), "holds a formula"), ((2, 1), "merged"), ((3, 1), "merged")])
def test_cells_of_xlsx_that_are_more_than_a_value_are_refused(at: tuple[int, int], why: str) -> None:
    made = book()
    cards = made["Cards"]
    cards.append(["inn", None, 4])
    cards.merge_cells("B3:B4")
    content = saved(made)
    with zipfile.ZipFile(io.BytesIO(content)) as old:
        computed = {name: old.read(name) for name in old.namelist()}
    sheet_xml = computed["xl/worksheets/sheet1.xml"]
    assert b"<v>2</v>" in sheet_xml
    computed["xl/worksheets/sheet1.xml"] = sheet_xml.replace(b"<v>2</v>", b"<f>1+1</f><v>2</v>", 1)
    table = xlsx(packed(computed))
    with pytest.raises(MisfitError, match=why):
        table.set_cells({at: "x"})


def test_the_headings_of_a_table_of_excel_are_not_changed() -> None:
    """It has them a second time, and a book whose two differ is one that Excel repairs."""
    made = book()
    made["Cards"].add_table(Table(displayName="all", ref="A1:D3"))
    table = xlsx(saved(made))
    table.set_cells({(1, 1): "Golden Key"})
    with pytest.raises(MisfitError, match="headings"):
        table.set_cells({(0, 1): "name"})


def packed(of: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, part in of.items():
            archive.writestr(name, part)
    return file.getvalue()


def test_a_signed_file_is_refused() -> None:
    table = xlsx(packed(parts(saved(book())) | {"_xmlsignatures/sig1.xml": b"<a/>"}))
    with pytest.raises(MisfitError, match="signed"):
        table.set_cells({(1, 1): "x"})


TWICE = (
    '<table:table-row table:number-rows-repeated="2">'
    f"{cell('key')}{cell('Rusty Key')}{cell(2)}{cell('')}</table:table-row>"
)


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ((1, 1), "Golden <Key>\nof  two\tlines"),
        ((2, 2), "5"),
        ((1, 2), "007"),
        ((2, 3), "in a repeated blank"),
        ((3, 3), ""),
        ((0, 1), "name"),
    ],
)
def test_a_cell_of_ods_is_changed_alone(at: tuple[int, int], words: str) -> None:
    content = ods(sheet(row(HEADER) + TWICE + row(["ford", "The Ford", 1, "wet"])))
    table = SheetTable(content, Place("game/cards.ods"), "")
    before = [(row.place, list(row.cells)) for row in table.rows]
    table.set_cells({at: words})
    before[at[0]][1][at[1]] = words
    again = SheetTable(table.content, Place("game/cards.ods"), "Cards")
    assert [(row.place, row.cells) for row in again.rows] == before
    assert next(iter(parts(table.content))) == "mimetype"


@pytest.mark.parametrize("header", [row(HEADER), f"<table:table-row>{''.join(map(cell, HEADER))}</table:table-row>"])
def test_a_column_of_ods_is_added(header: str) -> None:
    table = SheetTable(ods(sheet(header + row(["ford", "The Ford", 1, "wet"]))), Place("game/cards.ods"), "")
    table.set_cells({(0, 4): "power", (1, 4): ""})
    assert [row.cells for row in table.rows] == [[*HEADER, "power"], ["ford", "The Ford", "1", "wet", ""]]


def test_cells_of_ods_that_are_more_than_a_value_are_refused() -> None:
    wide = cell("wide").replace(" office", ' table:number-columns-spanned="2" office', 1)
    computed = cell(2).replace(" office", ' table:formula="of:=1+1" office', 1)
    cells = f"{cell('key')}{wide}<table:covered-table-cell/>{computed}"
    line = f"<table:table-row>{cells}</table:table-row>"
    table = SheetTable(ods(sheet(row(HEADER) + line)), Place("game/cards.ods"), "")
    for column, why in ((1, "merged"), (2, "merged"), (3, "formula")):
        with pytest.raises(MisfitError, match=why):
            table.set_cells({(1, column): "x"})
