"""A CSV as spreadsheets and editors write it becomes pieces, or says what is wrong where."""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.basics.bounds import find_most_pieces
from generator.basics.errors import Place, PnpError, Problem
from generator.model import Column, Piece
from generator.tables.schema import Notes, TableSchema
from generator.tables.table import read_table

COLUMNS = [Column("dots", 0, 9), Column("name")]
SOUND = "id,dots,name\na,1,First\nb,2,Second\n"


def read(folder: Path, content: str | bytes, *, is_all: bool = True) -> tuple[Piece, ...]:
    data = content.encode() if isinstance(content, str) else content
    (folder / "cards.csv").write_bytes(data)
    return read_table(folder, "cards.csv", TableSchema(COLUMNS, is_all), Place("game/game.toml", 7))


def faults(folder: Path, content: str | bytes, *, is_all: bool = True) -> list[str]:
    with pytest.raises(PnpError) as error:
        read(folder, content, is_all=is_all)
    return [f"{str(p.place).rpartition('cards.csv:')[2]}: {p.what}" for p in error.value.problems]


@pytest.mark.parametrize(
    "content",
    [
        SOUND,
        SOUND.encode("utf-8-sig"),
        SOUND.replace("\n", "\r\n"),
        SOUND.replace("\n", "\r"),
        SOUND.removesuffix("\n"),
        SOUND.replace(",", ";"),
        SOUND.replace(",", "\t"),
        SOUND.replace(",", " , "),
        "\n\n" + SOUND.replace("\n", "\n\n,,\n"),
        'id,"dots",name\n"a",1,"First"\nb,"2",Second\n',
        "id,dots,name,,\na,1,First,,\nb,2,Second\n",
        "id,dots,name\na,1.0,First,,\nb,2.00,Second,\n,,,,\n",
        "sep=;\r\n" + SOUND.replace(",", ";"),
        "name,id,dots,# remark,#\nFirst,a,1,x,\nSecond,b,02,,y\n",
    ],
)
def test_many_ways_to_write_one_table(content: str | bytes, tmp_path: Path) -> None:
    pieces = read(tmp_path, content)
    assert [piece.id for piece in pieces] == ["a", "b"]
    assert [piece.number("dots") for piece in pieces] == [1, 2]
    assert [piece.row["name"] for piece in pieces] == ["First", "Second"]
    assert [piece.copies for piece in pieces] == [1, 1]


def test_without_ids_rows_are_numbered(tmp_path: Path) -> None:
    pieces = read(tmp_path, "dots,name\n1,x\n2,y\n")
    assert [piece.id for piece in pieces] == ["1", "2"]


def test_count_is_the_number_of_copies_and_can_be_read(tmp_path: Path) -> None:
    pieces = read(tmp_path, "id,dots,name,count\na,1,x,3\nb,1,x,0\n")
    assert [piece.copies for piece in pieces] == [3, 0]
    assert [piece.number("count") for piece in pieces] == [3, 0]


def test_cells_may_hold_commas_quotes_and_breaks(tmp_path: Path) -> None:
    pieces = read(tmp_path, 'id,dots,name\na,1,"One, ""two""\nthree"\nb,2,x\n')
    assert pieces[0].row["name"] == 'One, "two"\nthree'
    assert [piece.place.line for piece in pieces] == [2, 4]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 9),
            st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"])),
            st.sampled_from(["", "\n", "\n,,\n", " \n"]),
        ),
        min_size=1,
        max_size=20,
    ),
    st.sampled_from(["\n", "\r\n"]),
)
def test_every_row_knows_its_line(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, str, str]], ending: str
) -> None:
    text, expected = "dots,#,name\n", []
    for dots, name, blank in rows:
        text += blank
        expected.append((text.count("\n") + 1, dots, name.strip()))
        quoted = name.replace('"', '""')
        text += _row(dots, quoted)
    pieces = read(tmp_path_factory.mktemp("t"), text.replace("\n", ending))
    assert [(p.place.line, p.number("dots"), p.row["name"]) for p in pieces] == expected


def _row(dots: int, name: str) -> str:
    """A row whose remark has a line for each dot."""
    remark = "x\n" * dots
    return f'{dots},"{remark}","{name}"\n'


BROKEN = {
    "semicolon and comma": (SOUND.replace("id,dots", "id;dots"), "1: nothing reads the column"),
    "line break in the header": ('id,"do\nts",name\n', "1: nothing reads the column 'do\\nts'"),
    "header behind blank lines": ("\n\nid,dots\na,1\n", "3: the column 'name' is missing"),
    "read as one": (SOUND.replace("name", "name,Name"), "1: the columns 'name' and 'Name' are read"),
    "count, a letter changed": (
        SOUND.replace("name\n", "name,coumt\n").replace("First", "x,2").replace("nd", "nd,1"),
        "1: nothing reads the column 'coumt'",
    ),
    "a sum below": (SOUND + "Total,,\n,,\nc,x,y\n", "4: this row seems to add up"),
    "a sum below that is a sound row": (
        "id,dots,name,count\na,1,x,2\nb,1,x,3\nSum:,1,y,5\n",
        "4: this row seems to add up",
    ),
    "NUL": (SOUND.replace("First", "Fi\0rst"), "2: this character is not text"),
    "control character": (SOUND.replace("First", "Fi\x1brst"), "2: this character is not text"),
    "quote within": (SOUND.replace("a,1", '"a"b,1'), "2: not valid CSV"),
    "quote to the end": (SOUND.replace("Second", '"Second'), "3: not valid CSV"),
    "a long cell": (SOUND.replace("First", "x" * 200_000), "2: a cell holds more than"),
    "a thousand columns": ("id," + "x," * 1000 + "y\n", "1: the table has 1,002 columns"),
    "a folder in an id": (SOUND.replace("b,", "../b,"), "3 column id: '../b' is not a valid id"),
    "an id of dots": (SOUND.replace("b,", "..,"), "3 column id: '..' is not a valid id"),
    "a long id": (SOUND.replace("b,", "b" * 61 + ","), "3 column id"),
    "ids that a file system takes for one": (SOUND.replace("b,", "A,"), "3 column id: the id 'A' is taken by line 2"),
    "too many": (
        SOUND.replace("name\n", "name,count\n").replace("First", f"x,{find_most_pieces()}").replace("nd", "nd,1"),
        "3: with this row",
    ),
    **{
        f"number {cell!r}": (SOUND.replace(",2,", f",{cell},"), f"3 column dots: {said}")
        for cell, said in {
            "": "the cell is empty",
            "1e3": "'1e3' is not a whole number",
            "+1": "'+1' is not a whole number",
            "1.5": "'1.5' is not a whole number",
            "1.": "'1.' is not a whole number",
            "1.0.0": "'1.0.0' is not a whole number",
            "0x1": "'0x1' is not a whole number",
            "٣": "'٣' is not a whole number",
            "²": "'²' is not a whole number",
            "-": "'-' is not a whole number",
            "--1": "'--1' is not a whole number",
            "1 0": "'1 0' is not a whole number",
            "1_0": "'1_0' is not a whole number",
            "9" * 5000: "'999",
            "10": "10 is not between 0 and 9",
            "-1": "-1 is not between 0 and 9",
        }.items()
    },
}


@pytest.mark.parametrize("name", BROKEN)
def test_fault_is_named_with_its_line(name: str, tmp_path: Path) -> None:
    content, said = BROKEN[name]
    found = faults(tmp_path, content)
    assert found[0].startswith(said), found


def test_all_faults_are_found_in_one_reading(tmp_path: Path) -> None:
    content = 'id,dots,nmae,x\na,1,y\na,z,y,\na,1,y,\nb,1,y,\nb,10,"y\n'
    assert faults(tmp_path, content) == [
        "1: nothing reads the column 'nmae'",
        "2: the row has 3 cells, the header has 4",
        "3 column dots: 'z' is not a whole number",
        "6: not valid CSV: a quote is opened here and not closed",
    ]


def test_column_that_somebody_may_read_is_no_fault(tmp_path: Path) -> None:
    """When a renderer or rule cannot be read, nobody knows its columns."""
    content = "id,dots,name,other\na,1,x,y\n"
    for is_all in (False, True):
        notes = Notes()
        (tmp_path / "cards.csv").write_text(content)
        read_table(tmp_path, "cards.csv", TableSchema(COLUMNS, is_all), Place("game.toml", 7), notes)
        assert len(notes.problems) == is_all
    (note,) = notes.problems
    assert (note.level, note.rule, note.what) == ("note", "column.unread", "nothing reads the column 'other'")


def notes_of(folder: Path, content: str, *tables: TableSchema) -> list[Problem]:
    (folder / "cards.csv").write_text(content)
    notes = Notes()
    for schema in tables or (TableSchema(COLUMNS),):
        read_table(folder, "cards.csv", schema, Place("game.toml", 7), notes)
    return list(notes.problems)


def test_unread_columns_are_one_note(tmp_path: Path) -> None:
    content = "id,Dots,name,artist,#own,cost\na,1,x,me,,3\n"
    (note,) = notes_of(tmp_path, content)
    assert note.what == "nothing reads the columns 'artist' and 'cost'"
    assert str(note.place).endswith("cards.csv:1")
    assert note.hint == "to ignore a column, start its heading with #"


def test_column_that_may_be_one_with_a_default(tmp_path: Path) -> None:
    schema = TableSchema(COLUMNS, default={"name": "nobody"})
    (note,) = notes_of(tmp_path, "id,dots,nmae\na,1,x\n", schema)
    assert note.hint.startswith("did you mean 'name' by 'nmae'? to ignore")


@pytest.mark.parametrize("is_lookup", [False, True])
def test_what_one_of_two_readers_of_a_table_reads_is_read(is_lookup: bool, tmp_path: Path) -> None:
    content = "id,dots,name,cost,artist\na,1,x,3,me\n"
    more = TableSchema([*COLUMNS, Column("cost", 0, 9)], is_all=not is_lookup)
    (note,) = notes_of(tmp_path, content, TableSchema(COLUMNS), more)
    assert note.what == "nothing reads the column 'artist'"


@pytest.mark.parametrize("name", ["Copies", "qty", "Quantity", "AMOUNT", "number"])
def test_other_word_for_count_is_a_warning(name: str, tmp_path: Path) -> None:
    (warning,) = notes_of(tmp_path, f"id,dots,name,{name}\na,1,x,3\nb,1,x,\n")
    assert (warning.level, warning.rule) == ("warning", "column.count")
    assert "each row is printed once" in warning.what
    (note,) = notes_of(tmp_path, f"id,dots,name,{name}\na,1,x,3\nb,1,x,many\n")
    assert note.rule == "column.unread"
    (note,) = notes_of(tmp_path, f"id,dots,name,count,{name}\na,1,x,3,3\n")
    assert note.rule == "column.unread"


def test_column_like_count_that_holds_words_is_a_note(tmp_path: Path) -> None:
    (note,) = notes_of(tmp_path, "id,dots,name,county\na,1,x,Kent\n")
    assert note.rule == "column.unread"


def test_capitals_and_blanks_of_headings(tmp_path: Path) -> None:
    schema = TableSchema([Column("card_name"), Column("Flavour Text")])
    (tmp_path / "cards.csv").write_text("ID,Card  Name,flavour_text,COUNT,card name.de\na,Ann,x,2,Anna\n")
    (piece,) = read_table(tmp_path, "cards.csv", replace(schema, language="de"), Place("game.toml", 7))
    assert (piece.id, piece.copies) == ("a", 2)
    assert (piece.row["card_name"], piece.row["Flavour Text"]) == ("Anna", "x")


@pytest.mark.parametrize("asked", ["NFC", "NFD"])
@pytest.mark.parametrize("written", ["NFC", "NFD"])
def test_accents_of_headings_may_be_stored_in_another_way(
    asked: Literal["NFC", "NFD"], written: Literal["NFC", "NFD"], tmp_path: Path
) -> None:
    name = normalize(asked, "größe")
    (tmp_path / "cards.csv").write_text(normalize(written, "id,Größe\na,x\n"), "utf-8")
    schema = TableSchema([Column(name)])
    (piece,) = read_table(tmp_path, "cards.csv", schema, Place("game.toml", 7))
    assert piece.row[name] == "x"


def test_a_long_id(tmp_path: Path) -> None:
    assert read(tmp_path, f"id,dots,name\n{'b' * 60},1,x\n")[0].id == "b" * 60


def test_card_that_is_called_total(tmp_path: Path) -> None:
    assert len(read(tmp_path, "id,dots,name,count\na,1,x,2\nTotal,1,x,1\n")) == 2


def test_sum_that_is_left_out(tmp_path: Path) -> None:
    content = "id,dots,name,count,enabled\na,1,x,2,\nTotal,,,2,no\n"
    assert len(read(tmp_path, content)) == 1


@pytest.mark.parametrize(
    ("above", "told"),
    [
        ("My cards,,\n,,\nid,dots,name\n", "1: this line names none of the columns"),
        ("shop,price,\n", "2: the column 'dots' is missing"),
    ],
)
def test_header_without_any_column_of_a_drawing(above: str, told: str, tmp_path: Path) -> None:
    schema = TableSchema([replace(column, reader=Place("a/front.svg", 2)) for column in COLUMNS])
    (tmp_path / "cards.csv").write_text(f"{above}a,1,First\n")
    with pytest.raises(PnpError) as error:
        read_table(tmp_path, "cards.csv", schema, Place("a/game.toml", 7))
    problem = error.value.problems[0]
    assert f"{problem.place.line}: {problem.what}".startswith(told)


def test_table_is_of_a_known_kind(tmp_path: Path) -> None:
    with pytest.raises(PnpError, match=r"'cards\.xls' is not a table that pnp can read"):
        read_table(tmp_path, "cards.xls", TableSchema(COLUMNS), Place("game/game.toml", 7))
