"""A sheet of an ODS file is read as its spreadsheet shows it, and is safe to read."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import openpyxl
import pytest

from generator.basics.errors import Place, PnpError
from generator.model import Column, Piece
from generator.tables.schema import TableSchema
from generator.tables.table import read_table
from tests.conftest import bounded
from tests.support.opendocument import cell, ods, row, sheet

HEADER = row(["id", "name"])


def read(folder: Path, content: bytes, name: str = "cards.ods") -> tuple[Piece, ...]:
    (folder / "cards.ods").write_bytes(content)
    return read_table(folder, name, TableSchema([Column("name")]), Place("game/game.toml", 7))


def names(folder: Path, rows: str) -> list[object]:
    return [piece.row["name"] for piece in read(folder, ods(sheet(HEADER + rows)))]


@pytest.mark.parametrize(
    ("value", "read_as"),
    [
        (3, "3"),
        (-0.25, "-0.25"),
        (1e3, "1000"),
        (True, "yes"),
        (False, "no"),
        (date(2024, 2, 1), "2024-02-01"),
        ("one\ntwo & <three>", "one\ntwo & <three>"),
        (None, ""),
    ],
)
def test_values(value: object, read_as: str, tmp_path: Path) -> None:
    assert names(tmp_path, row(["a", value])) == [read_as]


CELLS = {
    "blanks": (
        "<text:p>a<text:s text:c='3'/>b<text:tab/>c<text:line-break/>d</text:p>",
        "a   b\tc\nd",
    ),
    "parts": ("<text:p>a <text:span>b<text:a>c</text:a></text:span> d</text:p>", "a bc d"),
    "remark": (
        "<office:annotation><text:p>nobody reads it</text:p></office:annotation><text:p>a</text:p>",
        "a",
    ),
    "blanks without end": ("<text:p>a<text:s text:c='999999999'/>b</text:p>", f"a{' ' * 1000}b"),
}


@pytest.mark.parametrize("case", CELLS)
def test_words(case: str, tmp_path: Path) -> None:
    inner, wanted = CELLS[case]
    told = f'<table:table-cell office:value-type="string">{inner}</table:table-cell>'
    made = f"<table:table-row>{cell('a')}{told}</table:table-row>"
    assert names(tmp_path, made) == [wanted]


def test_repeated_cells_and_rows(tmp_path: Path) -> None:
    twice = row(["#", "x"]).replace(
        "<table:table-row", '<table:table-row table:number-rows-repeated="2"'
    )
    wide = HEADER.replace(
        "<table:table-cell", '<table:table-cell table:number-columns-repeated="1"', 1
    )
    blank = '<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>'
    (tmp_path / "cards.ods").write_bytes(ods(sheet(wide + blank + twice.replace("#", "b"))))
    with pytest.raises(PnpError) as error:
        read_table(tmp_path, "cards.ods", TableSchema([Column("name")]), Place("game/game.toml", 7))
    (problem,) = error.value.problems
    assert str(problem.place).endswith("cards.ods:Cards!A6")
    assert "is taken by row 5" in problem.what


def test_rows_within_groups_and_merged_cells(tmp_path: Path) -> None:
    rows = (
        f"<table:table-header-rows>{HEADER}</table:table-header-rows>"
        f"<table:table-row-group>{row(['a', 'x'])}</table:table-row-group>"
        f"<table:table-row>{cell('b')}<table:covered-table-cell/></table:table-row>"
    )
    pieces = read(tmp_path, ods(sheet(rows)))
    assert [(piece.id, piece.row["name"]) for piece in pieces] == [("a", "x"), ("b", "")]


def test_sheet_by_name(tmp_path: Path) -> None:
    book = sheet(row(["notes"]), "Notes") + sheet(HEADER + row(["a", "x"]), "Cards")
    assert len(read(tmp_path, ods(book), "cards.ods#Cards")) == 1
    with pytest.raises(PnpError, match=r"there is no sheet 'Card'\n.*did you mean 'Cards'"):
        read(tmp_path, ods(book), "cards.ods#Card")


BROKEN = {
    "no zip": (b"id,name", "this is not an ODS file"),
    "entities": (ods("", "<!DOCTYPE a [<!ENTITY b 'c'>]>"), "declares entities"),
    "no sheet": (ods(""), "no sheet with cells"),
    "no value": (
        ods(sheet(HEADER + row(["a", 3]).replace('office:value="3"', 'office:value="x"'))),
        "missing or damaged",
    ),
    "an error": (
        ods(
            sheet(
                HEADER
                + row(["a", "#REF!"]).replace(
                    'office:value-type="string"><text:p>#',
                    'office:value-type="string" calcext:value-type="error"><text:p>#',
                )
            )
        ),
        "the cell holds the error '#REF!'",
    ),
    "a formula without a value": (
        ods(
            sheet(
                HEADER
                + row(["a", ""]).replace("-repeated=", "-repeated='1' table:formula='of:=1' x=", 1)
            )
        ),
        "the formula was never computed",
    ),
    "a row a million times": (
        ods(
            sheet(
                HEADER
                + row(["a", "b"]).replace("-row>", '-row table:number-rows-repeated="999999">', 1)
            )
        ),
        "more than 50,000 rows",
    ),
    "a row -1 times": (
        ods(
            sheet(
                HEADER
                + row(["a", "b"]).replace("-row>", '-row table:number-rows-repeated="-1">', 1)
            )
        ),
        "missing or damaged",
    ),
    "nested deeply": (ods("<a>" * 100_000 + "</a>" * 100_000), "missing or damaged"),
    "too large": (ods(" " * 20_000_000), "unpacks to 19.1 MB"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken(case: str, tmp_path: Path) -> None:
    content, said = BROKEN[case]
    with bounded(), pytest.raises(PnpError, match=said):
        read(tmp_path, content)


@pytest.mark.parametrize(("name", "really"), [("cards.ods", "XLSX"), ("cards.xlsx", "ODS")])
def test_spreadsheets_of_the_other_kind(name: str, really: str, tmp_path: Path) -> None:
    if really == "ODS":
        (tmp_path / name).write_bytes(ods(sheet(HEADER)))
    else:
        openpyxl.Workbook().save(tmp_path / name)
    with pytest.raises(PnpError, match=f"this is an {really} file") as caught:
        read_table(tmp_path, name, TableSchema([Column("name")]), Place("game/game.toml", 7))
    assert caught.value.problems[0].hint == f"name it .{really.lower()}"
