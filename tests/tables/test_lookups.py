"""Rows of one table that point at rows of another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from generator import checks, game, pipeline
from generator.basics.errors import PnpError, Problem
from generator.model import LoadedGame
from tests.game.tiny import GAME, drawn, problems, sole, text, words, write
from tests.tables.test_table_kinds import Rows, write_csv, write_json, write_xlsx

POINTING = '[component.lookup.faction]\ntable = "{}"\n'
FACTIONS: Rows = [
    ["id", "name", "name.de", "colour", "cost", "# remark"],
    ["fire", "The Fire", "Das Feuer", "red", "3", ""],
    ["ice", "The Ice", "", "#0000ff", "4", ""],
]
CARDS = "id,x,t,faction\na,1,one,fire\nb,2,two,ICE\nc,3,three,\n"
BODY = '<rect width="9" height="9" pnp:fill="faction.colour" pnp:if="faction"/>' + text(
    "{{ faction }}: {{ faction.name }}, {{ faction.cost * 2 if faction else '' }}"
)
KINDS: dict[str, Callable[[Path, Rows], None]] = {
    "factions.csv": write_csv,
    "factions.tsv": write_csv,
    "factions.json": write_json,
    "factions.xlsx#Cards": lambda path, rows: write_xlsx(path.with_suffix(".xlsx"), rows),
}


def pointing(folder: Path, more: str = POINTING.format("factions.csv"), body: str = BODY) -> Path:
    (folder / "game.toml").write_text(GAME + more, "utf-8")
    write(folder, body)
    (folder / "cards.csv").write_text(CARDS, "utf-8")
    write_csv(folder / "factions.csv", FACTIONS)
    return folder


def told(folder: Path) -> tuple[str, str, str]:
    (problem,) = problems(folder)
    return str(problem.place), problem.what, problem.hint


def load(folder: Path, language: str = "") -> LoadedGame:
    return game.read(folder, "", pipeline.KINDS, language)


@pytest.mark.parametrize("file", KINDS)
def test_a_cell_gives_what_stands_in_its_row(folder: Path, file: str) -> None:
    pointing(folder, POINTING.format(file))
    KINDS[file](folder / file, FACTIONS)
    found = drawn(folder)
    assert [words(face) for face in found.values()] == ["fire: The Fire, 6", "ICE: The Ice, 8", ": , "]
    assert sole(found["a"], "rect").get("fill") == "#c03020"


def test_rows_of_the_spec_are_pointed_at(folder: Path) -> None:
    row = '[[component.lookup.faction.row]]\nid = "{}"\nname = "{}"\ncolour = "red"\ncost = 1\n'
    pointing(folder, row.format("fire", "Fire") + row.format("ice", "Ice"))
    assert words(drawn(folder)["b"]) == "ICE: Ice, 2"


def test_another_column_is_the_key_in_every_language(folder: Path) -> None:
    pointing(folder, POINTING.format("factions.csv") + 'key = "name"\n')
    (folder / "cards.csv").write_text("id,x,t,faction\na,1,one,the fire\n", "utf-8")
    assert words(drawn(folder)["a"]) == "the fire: The Fire, 6"
    assert load(folder, "de").game.components[0].pieces[0].row["faction.name"] == "Das Feuer"


def test_the_row_is_translated_and_what_of_it_is_not_is_reported_once(folder: Path) -> None:
    pointing(folder)
    (folder / "cards.csv").write_text(CARDS + "d,1,four,ice\n", "utf-8")
    names = [piece.row["faction.name"] for piece in load(folder, "de").game.components[0].pieces]
    assert names == ["Das Feuer", "The Ice", "", "The Ice"]
    (note,) = (problem for problem in checks.check(load(folder)) if problem.rule == "translation")
    assert note.what == "de: 1 of 2 cells are not translated"
    assert note.hint.endswith("tiny/factions.csv:3 column name")


def test_a_table_may_point_at_itself(folder: Path) -> None:
    body = text("{{ t }} beats {{ prey.t }}")
    pointing(folder, '[component.lookup.prey]\ntable = "cards.csv"\n', body)
    (folder / "cards.csv").write_text("id,x,t,prey\na,1,cat,b\nb,2,dog,a\n", "utf-8")
    assert words(drawn(folder)["a"]) == "cat beats dog"


def test_two_languages_stand_on_one_card(folder: Path) -> None:
    write(folder, text("{{ t }} / {{ t.de }}"))
    (folder / "cards.csv").write_text("id,x,t,t.de\na,1,fire,Feuer\n", "utf-8")
    assert words(drawn(folder)["a"]) == "fire / Feuer"


RULE = '[[component.rule]]\nkind = "sum"\nof = ["faction.cost", "x"]\nequals = 5\n'


def test_a_rule_reads_numbers_of_the_row(folder: Path) -> None:
    pointing(folder, POINTING.format("factions.csv") + RULE)
    (folder / "cards.csv").write_text("id,x,t,faction\na,1,one,fire\nb,1,two,ice\n", "utf-8")
    (found,) = (p for p in checks.check(load(folder)) if p.rule == "sum")
    assert found.what == "faction.cost 3 x 1: together 4, not 5"
    assert str(found.place) == "tiny/cards.csv:2"


def test_an_empty_row_has_no_number(folder: Path) -> None:
    pointing(folder, POINTING.format("factions.csv") + RULE)
    where, what, _ = told(folder)
    assert where == "tiny/cards.csv:4 column faction"
    assert what == "the cell is empty, so there is no number faction.cost"


def test_an_unknown_row_is_reported_at_its_cell(folder: Path) -> None:
    pointing(folder)
    (folder / "cards.csv").write_text(CARDS.replace("ICE", "icy"), "utf-8")
    assert told(folder) == ("tiny/cards.csv:3 column faction", "factions.csv has no row 'icy'", "did you mean 'ice'?")


def test_keys_alike_are_reported(folder: Path) -> None:
    pointing(folder)
    write_csv(folder / "factions.csv", [*FACTIONS, ["Fire", "Again", "", "red", "1", ""]])
    where, what, _ = told(folder)
    assert where == "tiny/factions.csv:4 column id"
    assert what == "the id 'Fire' is taken by line 2"


def test_a_column_that_is_missing_there_is_reported_with_its_reader(folder: Path) -> None:
    pointing(folder, body=text("{{ faction.color }}"))
    assert told(folder) == (
        "tiny/front.svg:2",
        "the column 'color' is missing from tiny/factions.csv:1",
        "there is 'colour'",
    )


def test_what_names_no_lookup_is_reported(folder: Path) -> None:
    pointing(folder, "")
    hints = {problem.what: problem.hint for problem in problems(folder)}
    what = "the column 'faction.name' is missing from tiny/cards.csv:1"
    assert hints[what] == "name the table that has it in [component.lookup.faction]"


@pytest.mark.parametrize(
    ("more", "what"),
    [
        (POINTING.format("nothing.csv"), "the file 'nothing.csv' does not exist"),
        ("[component.lookup.faction]\n", "the key 'table' is missing"),
        (POINTING.format("factions.csv") + 'key = "nome"\n', "the column 'nome' is missing"),
        (POINTING.format("factions.csv") + "[[component.lookup.faction.row]]\nid = 1\n", "both"),
        (POINTING.format("../factions.csv"), "leaves the game's folder"),
        ("[component]\nlookup = 3\n", "not valid TOML"),
        ("[component.lookup]\nfaction = 3\n", "faction"),
        ('[component.lookup.fiction]\ntable = "factions.csv"\n', "the column 'fiction' is missing"),
    ],
)
def test_a_lookup_at_fault_is_reported(folder: Path, more: str, what: str) -> None:
    found: list[Problem] = problems(pointing(folder, more))
    assert any(what in problem.what for problem in found), found
    assert all("pnp itself" not in problem.what for problem in found)


def test_a_row_is_no_object(folder: Path) -> None:
    """Its parts are columns, by name, and nothing else."""
    for part in (".__class__", ".name.upper", "['__class__']", "['name']", ".name()"):
        pointing(folder, body=text(f"{{{{ faction{part} }}}}"))
        with pytest.raises(PnpError, match="there is no part"):
            drawn(folder)
    pointing(folder, body=f'<g pnp:for="one in faction">{text("{{ one.name }}")}</g>')
    assert "'one.name' is a part of a loop variable, which has none" in told(folder)[1]
