"""Which rows become pieces, how often, and in which order: `where`, `every`, `sort`, `--only`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from generator import checks, pipeline
from generator import game as gamefile
from generator.basics.errors import PnpError
from generator.pipeline.sheets import check_ids, choose_components
from tests.game.tiny import HEAD, drawn, text, tiny, words

ROWS = """id,kind,name,cost,faction,faction.de
a,ship,Ärger,2,red,rot
b,place,Hill,,red,rot
c,ship,Zebra,10,blue,blau
d,ship,apple,2,red,
e,ship,Bee,,blue,blau
"""
PLACES = """
[[component]]
id = "places"
title = "Places"
table = "cards.csv"
where = "kind == 'place'"
size = ["40mm", "60mm"]
[component.front]
template = "place.svg"
edge = "red"
"""
EVERY = '[component.every]\nsuit = ["heart", "moon"]\nrank = "1-3"\n'


def make(folder: Path, keys: str, shown: str = "{{ name }}", rows: str = ROWS) -> Path:
    """A game of cards with more keys; without rows, it has no table."""
    tiny(folder)
    (folder / "cards.csv").write_text(rows, "utf-8")
    (folder / "front.svg").write_text(f"{HEAD}{text(shown)}</svg>", "utf-8")
    spec = folder / "game.toml"
    old = 'table = "cards.csv"\n' * (not rows)
    told = spec.read_text("utf-8").replace(old, "")
    before, front, after = told.partition("[component.front]")
    spec.write_text(before + keys + "\n" + front + after, "utf-8")
    return folder


def ids(folder: Path, language: str = "", only: Sequence[str] = ()) -> list[str]:
    game = gamefile.read(folder, "", pipeline.KINDS, language, only=only).game
    check_ids(game, only)
    return [
        piece.id for component in choose_components(game, tuple(only)) for piece in component.pieces if piece.copies
    ]


@pytest.mark.parametrize(
    ("where", "wanted"),
    [
        ("kind == 'ship'", "acde"),
        ("kind == 'ship' and cost and cost < 5", "ad"),
        ("faction in ('red', 'green')", "abd"),
        ("not cost", "be"),
    ],
)
def test_only_rows_that_fit_become_pieces(where: str, wanted: str, tmp_path: Path) -> None:
    folder = make(tmp_path / "game", f'where = "{where}"')
    (folder / "front.svg").write_text(f"{HEAD}{text('{{ faction }}')}</svg>", "utf-8")
    assert ids(folder) == [*wanted]
    assert ids(folder, "de") == [*wanted], "translated cells choose no other pieces"


def test_the_cells_of_other_rows_may_be_anything(tmp_path: Path) -> None:
    """A place has no cost, which a rule reads as a number."""
    rule = '[[component.rule]]\nkind = "one_of"\nof = ["cost"]\nnumbers = [2, 10]\n'
    folder = make(tmp_path / "game", f"where = \"kind == 'ship' and cost != ''\"\n{rule}")
    assert ids(folder) == ["a", "c", "d"]
    found = checks.check(gamefile.read(folder, "", pipeline.KINDS))
    assert {problem.rule for problem in found} == {"column.unread"}


def test_a_condition_reads_a_row_of_another_table(tmp_path: Path) -> None:
    lookup = '[component.lookup.faction]\ntable = "factions.csv"\n'
    folder = make(tmp_path / "game", f"where = \"faction.side == 'dark'\"\n{lookup}")
    (folder / "factions.csv").write_text("id,side\nred,dark\nblue,light\nrot,x\nblau,x\n", "utf-8")
    assert ids(folder) == ["a", "b", "d"]
    assert ids(folder, "de") == ["a", "b", "d"]


def test_one_table_feeds_two_components(tmp_path: Path) -> None:
    """A column is unread if neither component reads it, and that is said once."""
    rows = ROWS.replace("cost", "number")  # which could be a count, did nothing read it
    folder = make(tmp_path / "game", "where = \"kind == 'ship'\"", "{{ name }}", rows)
    (folder / "place.svg").write_text(f"{HEAD}{text('{{ name }} {{ number }}')}</svg>", "utf-8")
    with (folder / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write(PLACES)
    loaded = gamefile.read(folder, "", pipeline.KINDS)
    assert [[piece.id for piece in part.pieces] for part in loaded.game.components] == [["a", "c", "d", "e"], ["b"]]
    told = [(problem.rule, problem.found) for problem in checks.check(loaded)]
    assert told == [("column.unread", "faction, faction.de")]


def test_an_expansion_is_chosen_from_too(tmp_path: Path) -> None:
    folder = make(tmp_path / "game", "where = \"kind == 'ship'\"")
    with (folder / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write('[variant.big]\nabout = "x"\nextends = true\ntable.cards = "more.csv"\n')
    rows = "id,kind,name,count\nc,,,0\nb,place,,0\nf,ship,Far,1\ng,place,Glen,1\n"
    (folder / "more.csv").write_text(rows, "utf-8")
    game = gamefile.read(folder, "big", pipeline.KINDS).game
    assert [piece.id for piece in game.components[0].pieces] == ["a", "d", "e", "f"]


@pytest.mark.parametrize(
    ("order", "wanted"),
    [("name", "a d e b c"), ("cost", "a d c b e"), ("-cost, name", "c d a e b"), ("kind, -name", "b c e a d")],
)
def test_pieces_are_sorted(order: str, wanted: str, tmp_path: Path) -> None:
    """Numbers as numbers, words without regard to accents, empty cells last."""
    folder = make(tmp_path / "game", f'sort = "{order}"', "{{ number }}{{ name }}")
    if order == "name":
        rows = ROWS.replace("Ärger", "Äpfel")  # among the apples
        (folder / "cards.csv").write_text(rows, "utf-8")
    faces = drawn(folder)
    assert list(faces) == wanted.split()
    assert [words(face)[0] for face in faces.values()] == [*"12345"]


def test_lists_make_rows_without_a_table(tmp_path: Path) -> None:
    keys = f"where = \"not (suit == 'moon' and rank == 2)\"\n{EVERY}"
    folder = make(tmp_path / "game", keys, "{{ suit }} {{ rank + 1 }}", "")
    shown = {id_: words(face) for id_, face in drawn(folder).items()}
    assert shown == {
        "heart-1": "heart 2",
        "heart-2": "heart 3",
        "heart-3": "heart 4",
        "moon-1": "moon 2",
        "moon-3": "moon 4",
    }


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ("id,count\nking,2\npawn,1\n", ["king-red", "king-blue", "pawn-red", "pawn-blue"]),
        ("name,count\nKing,1\n", ["1-red", "1-blue"]),
    ],
)
def test_each_row_is_made_once_for_each(rows: str, wanted: list[str], tmp_path: Path) -> None:
    every = '[component.every]\nColour = ["red", "blue"]\n'
    folder = make(tmp_path / "game", every, "{{ colour }} {{ count }}", rows)
    assert ids(folder) == wanted
    assert [words(face).split()[0] for face in drawn(folder).values()] == [id_.rpartition("-")[2] for id_ in wanted]


def test_a_list_that_no_face_shows_is_noted(tmp_path: Path) -> None:
    """A misspelt name of a column is an error."""
    folder = make(tmp_path / "game", EVERY, "{{ rank }}", "")
    assert ids(folder) == ["heart-1", "heart-2", "heart-3", "moon-1", "moon-2", "moon-3"]
    (note,) = [found for found in pipeline.check(str(folder)) if found.rule == "column.unread"]
    assert (note.level, note.hint) == ("note", "show it on the face: {{ suit }}")
    with pytest.raises(PnpError, match="nothing reads the column 'rnak'"):
        ids(make(tmp_path / "slip", EVERY.replace("rank", "rnak"), "{{ rank }}", ""))


def test_a_list_of_ids_names_the_pieces(tmp_path: Path) -> None:
    every = '[component.every]\nid = ["north", "south"]\n'
    assert ids(make(tmp_path / "game", every, "{{ id }}", "")) == ["north", "south"]


def test_combinations_have_a_limit_though_none_is_wanted(tmp_path: Path) -> None:
    """Few rows and long lists are as much work as a table of all combinations."""
    rows = "id\n" + "".join(f"a{number}\n" for number in range(50))
    keys = 'where = "x > 9999"\n[component.every]\nx = "1-9999"\n'
    with pytest.raises(PnpError, match="more than 100,000 pieces"):
        gamefile.read(make(tmp_path / "game", keys, "{{ x }}", rows), "", pipeline.KINDS)
    keys = keys.replace("\nx =", '\ny = "1-9999"\nz = "1-9999"\nx =')
    with pytest.raises(PnpError, match="more than 100,000 pieces"):
        gamefile.read(make(tmp_path / "more", keys, "{{ x }}", rows), "", pipeline.KINDS)


@pytest.mark.parametrize(
    ("only", "wanted"),
    [
        (["cards where kind == 'ship'"], "acde"),
        (["cards where kind == 'place'", "cards/c"], "bc"),
        (["cards where faction == 'red'"], "abd"),
        (["cards where cost and cost > 5", "cards where cost == ''"], "bce"),
    ],
)
def test_a_request_has_conditions(only: list[str], wanted: str, tmp_path: Path) -> None:
    folder = make(tmp_path / "game", "", "{{ faction }}")
    assert ids(folder, only=only) == [*wanted]
    assert ids(folder, "de", only) == [*wanted]


@pytest.mark.parametrize(
    ("only", "told", "hint"),
    [
        ("cards where fraction == 'red'", "the column 'fraction' is missing", "there is 'faction'"),
        ("cards where owner == 'red'", "the column 'owner' is missing", "known: "),
        ("cards where faction == 'rde'", "no row of the table 'cards.csv' fits", "'red', 'blue'"),
        ("cards where faction = 'red'", "goes on after its end", "equal is written =="),
        ("cards where number > 1", "the column 'number' is missing", "before they are numbered"),
        ("cards where", "the expression is empty", ""),
        ("card where cost > 1", "has no part 'card'", "did you mean 'cards'?"),
        ("cards where cost > 'x'", "cannot be computed", "cost is 2"),
    ],
)
def test_a_condition_at_fault_is_told(only: str, told: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(PnpError) as caught:
        ids(make(tmp_path / "game", ""), only=[only])
    problem = caught.value.problems[0]
    assert told in problem.what
    assert hint in problem.hint
    assert problem.place.file in ("--only", "game/cards.csv")
