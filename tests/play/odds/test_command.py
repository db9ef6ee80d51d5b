"""`pnp odds`: questions of game.toml and of the command line, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Pnp
from tests.game.tiny import tiny, write
from tests.support.editing import edit

CARDS = """\
id,x,t,kind,cost,Card Name
a,1,t,land,0,Hill
b,1,t,land,0,Dale
c,1,t,spell,2,Fire
d,1,t,spell,3,Ice
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = write(tiny(tmp_path / "deck"), "")
    (folder / "cards.csv").write_text(CARDS, "utf-8")
    return folder


def declare(game: Path, text: str) -> None:
    spec = (game / "game.toml").read_text("utf-8")
    (game / "game.toml").write_text(f"{spec}\n{text}\n", "utf-8")


def test_without_a_question_each_column_with_few_values_is_counted(pnp: Pnp, game: Path) -> None:
    more = CARDS.replace("kind,", "kind,count,back_kind,art,")
    more = more.replace("land,", "land,1,x,u,").replace("spell,", "spell,2,y,v,")
    (game / "cards.csv").write_text(more.replace("2,y", "1,y", 1), "utf-8")
    result = pnp("odds", game)
    assert result.exit_code == 0, result.stderr
    assert "kind (" in result.output
    assert "2 of 5" in result.output
    assert "card_name (" not in result.output  # all different
    assert "count (" not in result.output
    assert "back_kind (" not in result.output
    assert "art (" not in result.output


def test_cards_are_counted_before_pieces_to_fold(pnp: Pnp, game: Path) -> None:
    """Also where there are more of these, whose columns may be measures; and a game with nothing
    to count says so."""
    dice = "[component.shape]\nkind = 'die'\nsides = 6\nedge = '20mm'\n"
    dice += "[component.front]\nrenderer = 'net.panels'\nnumbers = true"
    rows = "".join(f"[[component.row]]\nid = 'r{n}'\ntall = {n % 3}\n" for n in range(6))
    declare(game, f"[[component]]\nid = 'dice'\ntitle = 'Dice'\nbleed = '1mm'\n{rows}{dice}")
    output = pnp("odds", game).output
    assert "kind (Cards" in output
    assert "tall (" not in output
    assert "7 on average" in pnp("odds", game, "--of", "dice", "--draw", "2", "--sum", "face").output
    (game / "cards.csv").write_text(CARDS.splitlines()[0] + "\na,1,t,land,0,Hill\n", "utf-8")
    result = pnp("odds", game)
    assert result.exit_code == 1
    assert "no column of 'Cards' has few values to count" in result.stderr


def test_a_question_of_the_command_line(pnp: Pnp, game: Path) -> None:
    result = pnp("odds", game, "--draw", "2", "--want", "1+ of kind == 'land'", "--by", "kind")
    assert result.exit_code == 0, result.stderr
    assert "83.3 %: at least 1 of kind == 'land', among 2 of 4 cards." in result.output
    assert "33.3 %" in result.output


@pytest.mark.parametrize("name", ["Card Name", "card_name", "CARD_NAME"])
def test_a_column_is_named_as_in_its_table(name: str, pnp: Pnp, game: Path) -> None:
    result = pnp("odds", game, "--draw", "4", "--want", f"1 of {name} == 'Hill'")
    assert result.exit_code == 0, result.stderr
    assert "100.0 %" in result.output
    assert pnp("odds", game, "--by", name).exit_code == 0


def test_copies_for_a_chance(pnp: Pnp, game: Path) -> None:
    """Two others stay: 1 - C(2, 2) / C(2 + n, 2) is 90 % for three copies, and 83.3 % for two."""
    asked = ["--draw", "2", "--want", "1+ of kind == 'land'", "--copies-for", "90 %"]
    result = pnp("odds", game, *asked)
    assert result.exit_code == 0, result.stderr
    assert "  3 copies: 90.0 % (2: 83.3 %).\n" in result.output


def test_a_language_is_read(pnp: Pnp, game: Path) -> None:
    table = CARDS.replace("kind,", "kind,kind.de,").replace("land,", "land,Land,")
    (game / "cards.csv").write_text(table.replace("spell,", "spell,Zauber,"), "utf-8")
    result = pnp("odds", game, "--by", "kind", "--lang", "de")
    assert result.exit_code == 0, result.stderr
    assert "Zauber  50.0 %" in result.output
    assert "spell  50.0 %" in pnp("odds", game, "--by", "kind").output
    unknown = pnp("odds", game, "--by", "kind", "--lang", "fr")
    assert unknown.exit_code == 1
    assert "the game has nothing in the language 'fr'" in unknown.stderr


def test_a_question_without_a_kind_is_told(pnp: Pnp, game: Path) -> None:
    result = pnp("odds", game, "--ask", "")
    assert result.exit_code == 1
    assert "--ask: the key 'kind' is missing" in result.stderr


def test_a_long_cell_is_cut_in_a_line(pnp: Pnp, game: Path) -> None:
    (game / "cards.csv").write_text(CARDS.replace("land", "wide " * 300), "utf-8")
    lines = pnp("odds", game, "--by", "kind").output.splitlines()
    assert max(map(len, lines)) < 200
    assert any("…" in line for line in lines)


def test_a_question_of_the_game_reads_columns_that_nothing_prints(pnp: Pnp, game: Path) -> None:
    declare(game, "[[odds]]\nkind = 'hand'\ndraw = 2\nsum = 'cost'\ntitle = 'Two cards'")
    record = json.loads(pnp("odds", game, "--format", "json").output)
    (answer,) = record["answers"]
    assert (answer["title"], answer["exact"], answer["samples"]) == ("Two cards", True, 0)
    assert {row["label"]: (row["ways"], row["of"]) for row in answer["rows"]} == {
        "0": (1, 6),
        "2": (2, 6),
        "3": (2, 6),
        "5": (1, 6),
    }
    assert pnp("check", game).exit_code == 0  # and no column is misspelt


def test_a_table_of_the_command_line_has_the_keys_of_the_game(pnp: Pnp, game: Path) -> None:
    result = pnp("odds", game, "--ask", "kind = 'compare', better = { cost = 'less' }")
    assert "Better is less cost." in result.output
    assert "the same as b" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--want", "1 of kind == 'land'"], "name the number of cards in a hand: --draw 5"),
        (["--draw", "2"], "say what to count in a hand: --want, --sum or --by"),
        (["--copies-for", "80%"], "name the number of cards in a hand: --draw 5"),
        (["--draw", "2", "--sum", "cost", "--copies-for", "80%"], "name the cards: --want"),
        (["--draw", "2", "--want", "1+ of x", "--copies-for", "80"], "'80' is not a chance"),
        (["--ask", "kind = 'draw', draw = 1, want = ['1+ of x'], plus = {dice = 1}"], "'dice'"),
        (["--draw", "2", "--sum", "cots"], "did you mean 'cost'?"),
        (["--draw", "2", "--sum", "kind"], "'land' for 'a', not a number"),
        (["--draw", "9", "--sum", "cost"], "9 cards are drawn from 4 cards"),
        (["--draw", "9999", "--sum", "cost"], "100"),
        (["--draw", "2", "--want", "land"], "does not say how many of what"),
        (["--by", "kind", "--of", "dice"], "unknown component 'dice'"),
        (["--by", "''.__class__"], "there is no part '__class__'"),
        (["--ask", "kind = 'deck'"], "by"),
        (["--ask", "kind = 'desk', by = 'cost'"], "did you mean 'deck'?"),
        *((["--ask", text], "no list of keys and values") for text in ("}", "x = " + "[" * 9999)),
        (["--ask", f"kind = 'deck', by = {'9' * 9999}"], "no list of keys and values"),
        (["--ask", "kind = 'deck', by = 'cost', size = 3"], "size"),
    ],
)
def test_a_fault_of_a_question_is_one_message(pnp: Pnp, game: Path, arguments: list[str], message: str) -> None:
    result = pnp("odds", game, *arguments)
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert "Traceback" not in result.stderr


EVENTS = """
[[component]]
id = "events"
title = "Events"
table = "events.csv"
size = ["40mm", "60mm"]
bleed = "3mm"
front = { template = "front.svg", edge = "red" }
[[odds]]
kind = "draw"
draw = 1
plus = { events = 1 }
want = ["1 of kind == 'land'", "1 of danger > 1"]
"""


def test_a_question_of_several_tables_reads_columns_of_each(pnp: Pnp, game: Path) -> None:
    (game / "events.csv").write_text("id,x,t,danger\nstorm,1,t,2\n", "utf-8")
    declare(game, EVENTS)
    result = pnp("check", game)
    assert result.exit_code == 0, result.output + result.stderr
    assert "danger" not in result.output + result.stderr
    edit(game / "game.toml", "danger", "dagner")
    for command in ("check", "odds"):
        result = pnp(command, game)
        assert result.exit_code == 1
        assert "the column 'dagner' is missing" in result.output + result.stderr


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("kind = 'deck'\nby = 'cots'", "the column 'cots' is missing"),
        ("kind = 'deck'\nby = 'cost'\nof = 'dice'", "unknown component 'dice'"),
        ("kind = 'draw'\ndraw = 1\nwant = ['one of x']", "does not say how many of what"),
        ("kind = 'draw'\ndraw = 1\nwant = []", "nothing is wanted"),
        ("kind = 'draw'\ndraw = -1\nwant = ['1 of x']", "draw"),
        ("kind = 'hand'\ndraw = 1", "write one of sum, by and classes"),
        ("kind = 'compare'\nbetter = { cost = 'cheap' }", "'more' or 'less'"),
        ("kind = 'draw'\ndraw = 1\nwant = ['1 of x']\nplus = { dice = 1 }", "component 'dice'"),
        ("kind = 'copies'\ndraw = 1\nwant = ['1 of x']\nchance = '0%'", "'0%' is not a chance"),
        ("kind = 'deal'\ndraw = 1\nwant = ['1 of cots']\nseats = 2", "'cots' is missing"),
        ("kind = 'market'\nrow = 0\nwant = ['1 of x']", "row must be at least 1"),
        ("kind = 'odd'", "unknown kind 'odd'"),
        ("by = 'cost'", "the key 'kind' is missing"),
    ],
)
def test_a_fault_of_a_table_has_its_line(pnp: Pnp, game: Path, table: str, message: str) -> None:
    declare(game, f"[[odds]]\n{table}")
    for command in ("check", "odds"):
        result = pnp(command, game)
        assert result.exit_code == 1
        said = result.output + result.stderr
        assert message in said
        assert "game.toml:" in said
