"""A sheet of an ODS file is read as its spreadsheet shows it, and is safe to read."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from generator.basics.errors import Place, PnpError
from generator.model import Column, Piece
from generator.tables.schema import Notes, TableSchema
from generator.tables.table import read_table
from tests.conftest import bounded
from tests.support.opendocument import cell, content, ods, row, sheet

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
        (True, "TRUE"),
        (False, "FALSE"),
        (date(2024, 2, 1), "1.2.03"),
        ("one\ntwo & <three>", "one\ntwo & <three>"),
        (None, ""),
    ],
)
def test_values(value: object, read_as: str, tmp_path: Path) -> None:
    assert names(tmp_path, row(["a", value])) == [read_as]


CELLS = {
    "blanks": ("<text:p>a<text:s text:c='3'/>b<text:tab/>c<text:line-break/>d</text:p>", "a   b\tc\nd"),
    "parts": ("<text:p>a <text:span>b<text:a>c</text:a></text:span> d</text:p>", "a bc d"),
    "remark": ("<office:annotation><text:p>nobody reads it</text:p></office:annotation><text:p>a</text:p>", "a"),
    "bold and italic": (
        "<text:p>a <text:span text:style-name='B'>bold  word</text:span> and "
        "<text:span text:style-name='I'>s</text:span>o</text:p>",
        "a **bold  word** and *s*o",
    ),
    "bold as a whole": (
        "<text:p><text:span text:style-name='B'>a</text:span></text:p>"
        "<text:p><text:span text:style-name='B'>b</text:span></text:p>",
        "a\nb",
    ),
    "blanks without end": ("<text:p>a<text:s text:c='999999999'/>b</text:p>", f"a{' ' * 1000}b"),
}


@pytest.mark.parametrize("case", CELLS)
def test_words(case: str, tmp_path: Path) -> None:
    inner, wanted = CELLS[case]
    told = f'<table:table-cell office:value-type="string">{inner}</table:table-cell>'
    made = f"<table:table-row>{cell('a')}{told}</table:table-row>"
    assert names(tmp_path, made) == [wanted]


def test_cells_print_as_they_are_shown(tmp_path: Path) -> None:
    """Whatever their values are, by what LibreOffice writes of them."""
    shown = {"percentage": "50\u00a0%", "currency": "5,00 €", "float": "007", "time": "12:00"}
    cells = [
        f'<table:table-row>{cell(kind)}<table:table-cell office:value-type="{kind}" '
        f'office:value="0.5" office:time-value="PT12H00M00S"><text:p>{words}</text:p>'
        "</table:table-cell></table:table-row>"
        for kind, words in shown.items()
    ]
    assert names(tmp_path, "".join(cells)) == list(shown.values())


@pytest.mark.parametrize("visibility", ["collapse", "filter"])
def test_hidden_rows_are_read_and_noted(visibility: str, tmp_path: Path) -> None:
    hidden = row(["b", "y"]).replace("<table:table-row", f'<table:table-row table:visibility="{visibility}"')
    (tmp_path / "cards.ods").write_bytes(ods(sheet(HEADER + row(["a", "x"]) + hidden)))
    notes = Notes()
    schema = TableSchema([Column("name")])
    pieces = read_table(tmp_path, "cards.ods", schema, Place("game/game.toml", 7), notes)
    assert [piece.id for piece in pieces] == ["a", "b"]
    assert [(str(note.place)[-12:], note.what) for note in notes.problems] == [
        ("ods:Cards!A3", "hidden rows are printed like the others: 3")
    ]


def test_struck_out_words_and_accidental_dates_are_noted(tmp_path: Path) -> None:
    struck = row(["b", "y"]).replace("<table:table-cell", '<table:table-cell table:style-name="S"')
    part = row(["c", "z"]).replace("z<", '<text:span text:style-name="S">z</text:span>zz<')
    rows = HEADER + row(["a", date(2026, 2, 1)]) + struck + part + row(["d", "3/4"])
    dated = rows.replace(">y<", ">2<").replace(">z<", ">1<").replace("</text:span>zz", "</text:span>/4")
    (tmp_path / "cards.fods").write_text(content(sheet(dated)), "utf-8")
    notes = Notes()
    schema = TableSchema([Column("name")])
    read_table(tmp_path, "cards.fods", schema, Place("game/game.toml", 7), notes)
    assert [(note.rule, note.found) for note in notes.problems] == [
        ("row.struck", "3"),
        ("cell.struck", "B4"),
        ("cell.date", "B2"),
    ]


def test_flat_file(tmp_path: Path) -> None:
    (tmp_path / "cards.fods").write_text(content(sheet(HEADER + row(["a", "x"]))))
    assert [piece.id for piece in read(tmp_path, b"", "cards.fods#Cards")] == ["a"]
    (tmp_path / "cards.fods").write_text(content("", "<!DOCTYPE a [<!ENTITY b 'c'>]>"))
    with pytest.raises(PnpError, match="declares entities"):
        read(tmp_path, b"", "cards.fods")
    (tmp_path / "cards.fods").write_text("id,name")
    with pytest.raises(PnpError, match="part of the FODS file is missing or damaged"):
        read(tmp_path, b"", "cards.fods")


def test_repeated_cells_and_rows(tmp_path: Path) -> None:
    twice = row(["#", "x"]).replace("<table:table-row", '<table:table-row table:number-rows-repeated="2"')
    wide = HEADER.replace("<table:table-cell", '<table:table-cell table:number-columns-repeated="1"', 1)
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
    "no value": (ods(sheet(HEADER + row(["a", 3]).replace('"3"><text:p>3</text:p>', '"x">'))), "missing or damaged"),
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
        ods(sheet(HEADER + row(["a", ""]).replace("-repeated=", "-repeated='1' table:formula='of:=1' x=", 1))),
        "the formula was never computed",
    ),
    "a row a million times": (
        ods(sheet(HEADER + row(["a", "b"]).replace("-row>", '-row table:number-rows-repeated="999999">', 1))),
        "more than 50,000 rows",
    ),
    "a long text in many cells": (
        ods(
            sheet(
                HEADER
                + '<table:table-row table:number-rows-repeated="1000">'
                + '<table:table-cell table:number-columns-repeated="16000">'
                + f"<text:p>{'a' * 10_000}</text:p></table:table-cell></table:table-row>"
            )
        ),
        "the rows down to here hold more than 16 MB",
    ),
    "a row -1 times": (
        ods(sheet(HEADER + row(["a", "b"]).replace("-row>", '-row table:number-rows-repeated="-1">', 1))),
        "missing or damaged",
    ),
    "nested deeply": (ods("<a>" * 100_000 + "</a>" * 100_000), "missing or damaged"),
    "too large": (ods(" " * 20_000_000), "unpacks to 19.1 MB"),
}


def forged(size: int, packing: int) -> bytes:
    """A file of 24 MB, whose table of contents says another size of it."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", packing) as archive, archive.open("content.xml", "w") as part:
        for _ in range(24):
            part.write(bytes(1 << 20))
    content = bytearray(written.getvalue())
    for mark, at in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        struct.pack_into("<I", content, content.rindex(mark) + at, size)
    return bytes(content)


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
@pytest.mark.parametrize("size", [0, 1000])
def test_a_size_that_lies_takes_no_memory(size: int, packing: int, tmp_path: Path) -> None:
    content = forged(size, packing)
    tracemalloc.start()
    with pytest.raises(PnpError, match="this is not an ODS file"):
        read(tmp_path, content)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


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
