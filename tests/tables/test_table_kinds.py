"""A table is the same game's whatever program it was written in, and faults name its places."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from shutil import copytree
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

from generator.basics.errors import Place, PnpError
from generator.model import Column, Piece
from generator.tables.rows import letters
from generator.tables.schema import Notes, TableSchema
from generator.tables.table import extend, read_rows, read_table
from generator.text.markup import WordLook, parse
from tests.bad_specs.games import HERE
from tests.bad_specs.made import in_sheet, xlsx
from tests.conftest import Pnp, bounded
from tests.support import opendocument

COLUMNS = [Column("dots", 0, 9), Column("name")]
HEADER = ["id", "dots", "name", "# remark"]
Rows = list[list[Any]]
SOUND: Rows = [["a", 1, 'One, "two"\nthree', ""], ["b", 2, "é", "x"], ["c", 3, "", ""]]


def write_csv(path: Path, rows: Rows) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter="\t" if path.suffix == ".tsv" else ",").writerows(rows)
    path.write_text(text.getvalue(), "utf-8")


def write_json(path: Path, rows: Rows) -> None:
    objects = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    path.write_text(json.dumps(objects, indent=1), "utf-8")


def write_xlsx(path: Path, rows: Rows, sheet: str = "Cards") -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.title = sheet
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            book.active.cell(number, column, value)
    book.save(path)


def write_ods(path: Path, rows: Rows) -> None:
    made = "".join(map(opendocument.row, rows))
    path.write_bytes(opendocument.ods(opendocument.sheet(made)))


KINDS: dict[str, Callable[[Path, Rows], None]] = {
    "cards.csv": write_csv,
    "cards.tsv": write_csv,
    "cards.json": write_json,
    "cards.xlsx": write_xlsx,
    "cards.ods": write_ods,
}


def read(folder: Path, file: str, schema: TableSchema | None = None) -> tuple[Piece, ...]:
    return read_table(folder, file, schema or TableSchema(COLUMNS), Place("game/game.toml", 7))


def faults(folder: Path, file: str, schema: TableSchema | None = None) -> list[str]:
    with pytest.raises(PnpError) as error:
        read(folder, file, schema)
    return [f"{str(p.place).removeprefix(folder.name + '/')}: {p.what}" for p in error.value.problems]


@pytest.mark.parametrize("file", KINDS)
def test_every_kind_gives_the_same_pieces(file: str, tmp_path: Path) -> None:
    KINDS[file](tmp_path / file, [HEADER, *SOUND])
    pieces = read(tmp_path, file)
    assert [[p.id, p.number("dots"), p.row["name"]] for p in pieces] == [r[:3] for r in SOUND]


def test_rows_of_the_spec_are_a_table() -> None:
    rows = [dict(zip(HEADER, row, strict=True)) for row in SOUND]
    pieces = read_rows(rows, Place("game/game.toml"), lambda index, _: 10 * index + 1, TableSchema(COLUMNS))
    assert [[p.id, p.number("dots"), p.row["name"]] for p in pieces] == [r[:3] for r in SOUND]
    assert [str(piece.place) for piece in pieces] == [f"game/game.toml:{n}" for n in (1, 11, 21)]


PLACES = {
    "cards.csv": "cards.csv:3 column dots",
    "cards.tsv": "cards.tsv:3 column dots",
    "cards.json": "cards.json:8 column dots",
    "cards.xlsx": "cards.xlsx:Cards!B3",
    "cards.ods": "cards.ods:Cards!B3",
}


@pytest.mark.parametrize("file", KINDS)
def test_fault_is_reported_where_it_is_seen(file: str, tmp_path: Path) -> None:
    KINDS[file](tmp_path / file, [HEADER, ["a", 1, "x", ""], ["b", 1.5, "x", ""]])
    assert faults(tmp_path, file) == [f"{PLACES[file]}: '1.5' is not a whole number"]


@given(st.integers(0, 16_383))
def test_letters_of_a_column(index: int) -> None:
    assert letters(index) == openpyxl.utils.get_column_letter(index + 1)


def test_sheet_is_named_behind_the_file(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for number, name in enumerate(["Other", "My cards"], 1):
        for row in (["id", "dots", "name"], [name[0], number, "x"]):
            (book[name] if name in book.sheetnames else book.create_sheet(name)).append(row)
    del book["Sheet"]
    book.save(tmp_path / "cards.xlsx")
    assert [piece.id for piece in read(tmp_path, "cards.xlsx")] == ["O"]
    assert [piece.id for piece in read(tmp_path, "cards.xlsx#My cards")] == ["M"]
    assert faults(tmp_path, "cards.xlsx#My card") == ["cards.xlsx: there is no sheet 'My card'"]


def test_cells_of_a_sheet_are_text_as_it_is_seen(tmp_path: Path) -> None:
    values = [3.0, True, date(2024, 5, 17), "  x ", 0.1, None]  # without formats
    rows: Rows = [["dots", "name"], *([1, value] for value in values)]
    write_xlsx(tmp_path / "cards.xlsx", [*rows, [None, None], [2, "after"]])
    pieces = read(tmp_path, "cards.xlsx")
    texts = ["3", "TRUE", "2024-05-17", "x", "0.1", "", "after"]
    assert [piece.row["name"] for piece in pieces] == texts
    assert str(pieces[-1].place).endswith("cards.xlsx:Cards!A9")


# as SheetJS formats them, whose rules are Excel's
SHOWN: list[tuple[Any, str, str]] = [
    (0.5, "0%", "50%"),
    (0.1234, "0.0%", "12.3%"),
    (7, "000", "007"),
    (2, "+0;-0;0", "+2"),
    (-2, "+0;-0;0", "-2"),
    (5, '"$"#,##0.00', "$5.00"),
    (-1234.5, '"$"#,##0.00', "-$1,234.50"),
    (-1234.5, '#,##0.00 "€";[Red](#,##0.00 "€")', "(1,234.50 €)"),
    (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
    (0, '0;-0;"–"', "–"),
    (3, '"Level "0', "Level 3"),
    (-0.004, "0.00", "0.00"),
    (12345678, '0.0,,"M"', "12.3M"),
    (5551234, "000-0000", "555-1234"),
    (0.75, "# ?/?", "3/4"),
    (2.5, "# ?/?", "2 1/2"),
    (150, '[>100]"many";0', "many"),
    ("sword", '0;0;0;"a "@', "a sword"),
    ("007", "@", "007"),
    (datetime(2026, 3, 2), "d-mmm", "2-Mar"),
    (datetime(2026, 3, 2), "[$-409]dddd, mmmm d, yyyy;@", "Monday, March 2, 2026"),
    (datetime(2026, 3, 2, 15, 4, 5), "dd/mm/yy hh:mm:ss", "02/03/26 15:04:05"),
    (time(0, 30), "h:mm", "0:30"),
    (time(12, 0), "h:mm AM/PM", "12:00 PM"),
    (timedelta(hours=30, minutes=5), "[h]:mm", "30:05"),
    # the file does not tell what these show
    (datetime(2026, 3, 2), "mm-dd-yy", "2026-03-02"),
    (datetime(2026, 3, 2), "[$-407]d. mmmm yyyy", "2026-03-02"),
    (12345, "0.00E+00", "12345"),  # not read
]


def test_cells_of_a_sheet_print_in_their_formats(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["dots", "name"])
    for value, code, _ in SHOWN:
        book.active.append([1, value])
        book.active.cell(book.active.max_row, 2).number_format = code
    book.save(tmp_path / "cards.xlsm")
    notes = Notes()
    schema = TableSchema(COLUMNS)
    pieces = read_table(tmp_path, "cards.xlsm#Sheet", schema, Place("game/game.toml", 7), notes)
    assert [piece.row["name"] for piece in pieces] == [shown for _, _, shown in SHOWN]
    assert [note.what for note in notes.problems] == [
        "cells with the format 'mm-dd-yy', '[$-407]d. mmmm yyyy', '0.00E+00' print as their "
        "plain values, dates as 2026-03-31"
    ]


@pytest.mark.parametrize("is_filtered", [False, True])
def test_hidden_rows_are_printed_and_noted(is_filtered: bool, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for number in range(1, 10):
        sheet.append(["dots", "name"] if number == 1 else [1, f"row {number}"])
        sheet.row_dimensions[number].hidden = number > 2
    if is_filtered:
        sheet.auto_filter.ref = "A1:B9"
        sheet.auto_filter.add_filter_column(1, ["row 2"])
    book.save(tmp_path / "cards.xlsx")
    notes = Notes()
    schema = TableSchema(COLUMNS)
    pieces = read_table(tmp_path, "cards.xlsx", schema, Place("game/game.toml", 7), notes)
    assert len(pieces) == 8
    (note,) = notes.problems
    assert str(note.place).endswith("cards.xlsx:Sheet!A3")
    assert note.what == "hidden rows are printed like the others: 3, 4, 5, 6, 7 and 2 more"


@pytest.mark.parametrize(
    ("others", "found"),
    [
        (["1/1", "0/4"], "B2, B4"),
        (["3-4", "+2", "½"], ""),
        (["7", "2.5", "1 - 2"], "B2, B4"),
        (["2019", "2020"], ""),
        (["unknown"], ""),
        ([], ""),
    ],
)
def test_dates_among_numbers_are_noted(others: list[str], found: str, tmp_path: Path) -> None:
    cells = [date(2026, 2, 1), "", datetime(2026, 4, 3), *others]
    rows: Rows = [["dots", "name"], *([1, cell] for cell in cells)]
    write_xlsx(tmp_path / "cards.xlsx", rows)
    notes = Notes()
    schema = TableSchema(COLUMNS)
    read_table(tmp_path, "cards.xlsx", schema, Place("game/game.toml", 7), notes)
    assert [note.found for note in notes.problems if note.rule == "cell.date"] == [found] * bool(found)


def test_what_is_struck_out_is_noted(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for cells in (["dots", "name"], [1, "a"], [2, "b"], [3, "c"]):
        sheet.append(cells)
    for cell in ("A1", "A3", "B3", "B4"):
        sheet[cell].font = Font(strike=True)
    book.save(tmp_path / "cards.xlsx")
    notes = Notes()
    read_table(tmp_path, "cards.xlsx", TableSchema(COLUMNS), Place("game/game.toml", 7), notes)
    assert [(note.rule, note.found, note.place.letters) for note in notes.problems] == [
        ("row.struck", "3", "A"),
        ("cell.struck", "B4", "B"),
    ]


def test_words_of_a_cell_keep_their_looks(tmp_path: Path) -> None:
    runs = (
        "<r><t>Gain </t></r><r><rPr><b/></rPr><t>two coins</t></r><r><t>.</t></r>",
        "<r><rPr><b/></rPr><t>Bold</t></r><r><rPr><b/><i/></rPr><t>er</t></r><r><t> on</t></r>",
        "<r><rPr><b/></rPr><t>Act </t></r><r><rPr><i/><strike/></rPr><t>now</t></r>",
        "<r><rPr><b/></rPr><t>a title</t></r>",
    )
    write_xlsx(tmp_path / "plain.xlsx", [["dots", "name"], *([1, at] for at in range(4))])
    with zipfile.ZipFile(tmp_path / "plain.xlsx") as plain:
        parts = {name: plain.read(name).decode() for name in plain.namelist()}
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    part = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace("</Types>", part)
    strings = "".join(f"<si>{run}</si>" for run in runs).replace("<t>", '<t xml:space="preserve">')
    names = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    parts["xl/sharedStrings.xml"] = f"<sst {names}>{strings}</sst>"
    cells = parts["xl/worksheets/sheet1.xml"]
    for at in range(4):
        cells = cells.replace(f'<c r="B{at + 2}" t="n">', f'<c r="B{at + 2}" t="s">')
    parts["xl/worksheets/sheet1.xml"] = cells
    with zipfile.ZipFile(tmp_path / "cards.xlsx", "w") as rich:
        for name, content in parts.items():
            rich.writestr(name, content)
    notes = Notes()
    schema = TableSchema(COLUMNS)
    pieces = read_table(tmp_path, "cards.xlsx", schema, Place("game/game.toml", 7), notes)
    texts = [str(piece.row["name"]) for piece in pieces]
    assert [(note.rule, note.found) for note in notes.problems] == [("cell.struck", "B4")]
    assert texts == ["Gain **two coins**.", "**Bold*er*** on", "**Act** *now*", "a title"]
    looks = [[(span.text, span.look) for span in parse(text)[0].lines[0]] for text in texts]
    bold, italic = WordLook(bold=True), WordLook(italic=True)
    assert looks == [
        [("Gain ", WordLook()), ("two coins", bold), (".", WordLook())],
        [("Bold", bold), ("er", WordLook(True, True)), (" on", WordLook())],
        [("Act", bold), (" ", WordLook()), ("now", italic)],
        [("a title", WordLook())],
    ]


def test_words_within_a_cell_of_their_own_keep_their_looks(tmp_path: Path) -> None:
    """As openpyxl writes them, not in the table of all texts."""
    book, bold = openpyxl.Workbook(), InlineFont(b=True, strike=True)
    sheet = book.active
    assert sheet is not None
    sheet.append(["dots", "name"])
    sheet.append([1, CellRichText("Gain ", TextBlock(bold, "two"), " coins")])
    book.save(tmp_path / "cards.xlsx")
    notes = Notes()
    schema = TableSchema(COLUMNS)
    (piece,) = read_table(tmp_path, "cards.xlsx", schema, Place("game/game.toml", 7), notes)
    assert piece.row["name"] == "Gain **two** coins"
    assert [(note.rule, note.found) for note in notes.problems] == [("cell.struck", "B2")]


def test_empty_columns_beside_a_sheet_are_no_fault(tmp_path: Path) -> None:
    rows: Rows = [["dots", "name", "", ""], [1, "x", "", " "]]
    write_xlsx(tmp_path / "cards.xlsx", rows)
    assert len(read(tmp_path, "cards.xlsx")) == 1
    write_xlsx(tmp_path / "cards.xlsx", [*rows, [1, "y", "", "z"]])
    found = faults(tmp_path, "cards.xlsx")
    assert found == ["cards.xlsx:Cards!C3: the row has 4 cells, the header has 2"]


def test_formula_that_was_not_computed_is_reported(tmp_path: Path) -> None:
    rows: Rows = [["dots", "name"], ["=1+1", "x"], [1, "#REF!"]]
    write_xlsx(tmp_path / "cards.xlsx", rows)
    assert faults(tmp_path, "cards.xlsx") == [
        "cards.xlsx:Cards!A2: the formula was never computed",
        "cards.xlsx:Cards!B3: the cell holds the error '#REF!'",
    ]


JSON_FAULTS = {
    "": "1: a list of objects is expected",
    '{"a": 1}': "1: a list of objects is expected",
    '{"a": [1]}': "1: a list of objects is expected",
    '{"a": [{"dots": 1}], "b": [{"dots": 1}]}': "1: the file has several lists: 'a' and 'b'",
    '{"a": {"dots": 1, "name": "x"}': "1: not valid JSON: ',' or '}' is expected",
    '{"a": {"dots": 1}} 7': "1: not valid JSON: there is text after the object",
    "{\n7: {}}": "2: not valid JSON: a key in quotes and ':' are expected",
    '{\n"v": 2,\n"cards": [\n{"dots": "x", "name": "x"}]}': "4 column dots: 'x' is not",
    '{\n"a": {"dots": "x",\n"name": "x"}}': "2 column dots: 'x' is not a whole number",
    "[]": "1: the table is empty",
    '[\n{"dots": 1, "name": "x"}': "2: not valid JSON: ',' or ']' is expected",
    '[\n{"dots": 1 "name": "x"}]': "2: not valid JSON: expecting ',' delimiter",
    '[\n{"dots": 1, "name": "x"},\n7]': "3: a row is an object, not '7'",
    '[\n{"dots": 1,\n"name": [1]}]': "2 column name: a cell holds text or a number, not a list",
    '[\n{"dots": 1,\n"name": {}}]': "2 column name: a cell holds text or a number, not a table",
    '[{"dots": 1, "name": [[1]]}]': "1 column name: a list holds texts and numbers only",
    '[{"dots": 1, "name": [null]}]': "1 column name: a list holds texts and numbers only",
    '[{"dots": 1, "name": [{"a": 1}]}]': "1 column name: a list holds texts and numbers only",
    '[{"dots": 1, "name": ["\\u0007"]}]': "1 column name: this character is not text",
    f'[{{"dots": 1, "name": [{"1," * 200}1]}}]': "1 column name: the list has 201 items",
    f'[{{"dots": 1, "name": {"[" * 9000}{"]" * 9000}}}]': "1: not valid JSON: nested too deeply",
    f'[{{"dots": 1, "name": ["{"a" * 60_000}", "{"a" * 60_000}"]}}]': (
        "1 column name: a cell holds more than 100,000 characters"
    ),
    '[{"dots": 1, "name": "\\ud800"}]': "1 column name: this character is not text",
    '[\n{"dots": 1, "dots": 2}]': "2: not valid JSON: the key 'dots' appears twice in an object",
    '[{"dots": 1}]': "1: the column 'name' is missing",
    "[" * 100_000: "1: not valid JSON: nested too deeply",
    '[{"dots": 1, "name": "x"}] 7': "1: not valid JSON: there is text after the list",
    '[{"dots": 1, "name": "x", "\\u0000": 1}]': "1: column 3 has no name",
}


@pytest.mark.parametrize("text", JSON_FAULTS)
def test_fault_of_json(text: str, tmp_path: Path) -> None:
    (tmp_path / "cards.json").write_text(text, "utf-8")
    found = faults(tmp_path, "cards.json")
    assert found[0].startswith(f"cards.json:{JSON_FAULTS[text]}"), found


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"dots": 1, "name": "x"}, "b": {"name": "y", "dots": 2}}',
        '{"1": {"ID": "a", "dots": 1, "name": "x"}, "2": {"ID": "b", "dots": 2, "name": "y"}}',
        '{"made": "today", "tags": ["z"], "cards": [{"id": "a", "dots": 1, "name": "x"},'
        ' {"id": "b", "dots": 2, "name": "y"}]}',
    ],
)
def test_json_of_other_programs(text: str, tmp_path: Path) -> None:
    """Objects by their ids, and the list of an object."""
    (tmp_path / "cards.json").write_text(text, "utf-8")
    pieces = read(tmp_path, "cards.json")
    assert [(piece.id, piece.row["name"]) for piece in pieces] == [("a", "x"), ("b", "y")]


def test_defaults_stand_in_for_empty_and_missing_cells(tmp_path: Path) -> None:
    write_csv(tmp_path / "cards.csv", [["id", "dots"], ["a", ""], ["b", 2]])
    schema = TableSchema(COLUMNS, True, {"dots": "7", "name": "x", "count": "3"})
    pieces = read(tmp_path, "cards.csv", schema)
    assert [piece.number("dots") for piece in pieces] == [7, 2]
    assert [(piece.row["name"], piece.copies) for piece in pieces] == [("x", 3)] * 2
    assert faults(tmp_path, "cards.csv") == [
        "cards.csv:1: the column 'name' is missing",
        "cards.csv:2 column dots: the cell is empty",
    ]


def test_rows_that_are_not_enabled_are_left_out_unread(tmp_path: Path) -> None:
    rows: Rows = [["dots", "name", "enabled"]]
    rows += [[1, "a", ""], ["soon", "b", "no"], [3, "c", "Yes"], [4, "d", "FALSE"], [5, "e", "yes"]]
    write_csv(tmp_path / "cards.csv", rows)
    pieces = read(tmp_path, "cards.csv")
    assert [(piece.id, piece.row["name"]) for piece in pieces] == [("1", "a"), ("3", "c"), ("5", "e")]
    spreadsheets: Rows = [[6, "f", "FALSCH"], [7, "g", "VRAI"], [8, "h", "FAUX"], [9, "i", "WAHR"]]
    spreadsheets += [[1, "j", "FALSO"], [1, "k", "VERDADERO"], [1, "l", 0], [1, "m", 1]]
    write_csv(tmp_path / "cards.csv", [*rows, *spreadsheets])
    assert [piece.row["name"] for piece in read(tmp_path, "cards.csv")] == [*"acegikm"]
    write_csv(tmp_path / "cards.csv", [*rows, [6, "f", "maybe"]])
    found = faults(tmp_path, "cards.csv")
    assert found == ["cards.csv:7 column enabled: 'maybe' is neither yes nor no"]


def test_extension_adds_replaces_and_takes_out(tmp_path: Path) -> None:
    head = ["id", "dots", "name", "count"]
    write_csv(tmp_path / "cards.csv", [head, *([id_, 1, "base", 2] for id_ in "abcd")])
    rows: Rows = [head, ["e", 5, "new", 1], ["B", 2, "other", 3], ["c", "", "", 0]]
    write_csv(tmp_path / "more.csv", rows)
    more = read(tmp_path, "more.csv", TableSchema(COLUMNS, is_extension=True))
    pieces = extend(read(tmp_path, "cards.csv"), more)
    told = [(piece.id, piece.row["name"], piece.copies) for piece in pieces]
    assert told == [("a", "base", 2), ("B", "other", 3), ("d", "base", 2), ("e", "new", 1)]
    assert faults(tmp_path, "more.csv") == ["more.csv:4 column dots: the cell is empty"]


def test_extension_needs_ids(tmp_path: Path) -> None:
    write_csv(tmp_path / "more.csv", [["dots", "name"], [1, "x"]])
    found = faults(tmp_path, "more.csv", TableSchema(COLUMNS, is_extension=True))
    assert found == ["more.csv:1: the column 'id' is missing"]


def test_stray_cell_at_the_end_of_a_sheet_costs_nothing(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (["dots", "name"], [1, "x"]):
        book.active.append(row)
    book.active.cell(1_048_576, 16_384, " ")
    book.save(tmp_path / "cards.xlsx")
    assert len(read(tmp_path, "cards.xlsx")) == 1


def test_a_row_far_below_is_read_where_it_stands(tmp_path: Path, pnp: Pnp) -> None:
    """A million rows that are not in the file lie above it."""
    far = [(b'r="A4"', b'r="A1048576"'), (b'r="B4"', b'r="B1048576"')]
    for value, code in (("1", 0), ("7", 1)):
        folder = copytree(HERE / "_tiny", tmp_path / value)
        cell = (b"<v>1</v></c></row></sheetData>", f"<v>{value}</v></c></row></sheetData>".encode())
        xlsx(in_sheet((b'<row r="4"', b'<row r="1048576"'), *far, cell))(folder)
        with bounded():
            result = pnp("check", folder)
        assert result.exit_code == code, result.output
    assert "cards.xlsx:Cards!B1048576: " in result.output


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
@pytest.mark.parametrize("name", ["cards.txt", "cards.tsv", "cards.csv"])
def test_unicode_text_of_excel(name: str, encoding: str, tmp_path: Path) -> None:
    text = 'id\tdots\tname\r\na\t1\t"Sé\tñor"\r\n\r\nb\t2\t日本\r\n'
    mark = "" if encoding == "utf-16" else "\ufeff"
    (tmp_path / name).write_bytes((mark + text).encode(encoding))
    pieces = read(tmp_path, name)
    assert [piece.row["name"] for piece in pieces] == ["Sé\tñor", "日本"]


def test_unread_columns_stop_no_build(pnp: Pnp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copytree(HERE / "_tiny", tmp_path / "game")
    (tmp_path / "game/cards.csv").write_text("Id,Dot,Artist,Qty\n1,1,me,2\n2,0,you,1\n3,1,me,1\n")
    monkeypatch.chdir(tmp_path)
    checked = pnp("check", "./game")
    assert checked.exit_code == 0
    assert "warning: game/cards.csv:1: nothing reads the column 'Qty': each row" in checked.output
    assert "note: game/cards.csv:1: nothing reads the column 'Artist'" in checked.output
    assert "0 errors, 1 warning, 1 note" in checked.output
    assert pnp("build", "./game").exit_code == 0
    assert 'finding = "column.count"' in pnp("check", "./game", "--accept").output
