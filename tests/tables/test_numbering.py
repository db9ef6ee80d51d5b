"""The place of a piece among all copies, which templates read as columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import checks, faces, pipeline
from generator import game as gamefile
from generator.pipeline.sheets import choose_components
from tests.conftest import Pnp
from tests.game.tiny import HEAD, drawn, text, tiny, words

ROWS = "id,count,t\na,2,A\nb,1,B\nc,0,C\nd,3,D\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tiny(tmp_path / "game")
    (folder / "cards.csv").write_text(ROWS, "utf-8")
    return folder


def write(folder: Path, words: str) -> Path:
    (folder / "front.svg").write_text(f"{HEAD}{text(words)}</svg>", "utf-8")
    return folder


def shown(folder: Path) -> list[str]:
    return [words(face) for face in drawn(folder).values()]


def test_number_counts_copies_as_they_are_printed(folder: Path) -> None:
    write(folder, "{{ number }} of {{ total }}")
    assert shown(folder) == [f"{number} of 6" for number in range(1, 7)]


def test_copy_counts_those_of_a_row(folder: Path) -> None:
    write(folder, "{{ t }}{{ copy }}/{{ count }}")
    assert shown(folder) == ["A1/2", "A2/2", "B1/1", "D1/3", "D2/3", "D3/3"]


def test_total_alone_divides_no_row(folder: Path) -> None:
    write(folder, "{{ t }} {{ total }}")
    loaded = gamefile.read(folder, "", pipeline.KINDS)
    assert [piece.copies for piece in loaded.game.components[0].pieces] == [2, 1, 0, 3]
    assert shown(folder) == ["A 6", "B 6", "D 6"]


def test_a_template_that_reads_none_divides_no_row(folder: Path) -> None:
    write(folder, "{{ t }}")
    assert list(drawn(folder)) == ["a", "b", "d"]


def test_a_back_that_reads_none_is_shared(folder: Path) -> None:
    write(folder, "{{ number }}")
    (folder / "back.svg").write_text(f"{HEAD}{text('{{ t }}')}</svg>", "utf-8")
    with (folder / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write('[component.back]\ntemplate = "back.svg"\nedge = "red"\n')
    (design,) = gamefile.read(folder, "", pipeline.KINDS).designs
    assert len({face.id for _, face in faces.draw(design, "front")}) == 6
    assert len({face.id for _, face in faces.draw(design, "back")}) == 3


@pytest.mark.parametrize("heading", ["number", "Number"])
def test_a_column_of_that_name_holds(folder: Path, heading: str) -> None:
    (folder / "cards.csv").write_text(ROWS.replace(",t", f",{heading}"), "utf-8")
    write(folder, "{{ number }} of {{ total }}")
    assert shown(folder) == ["A of 6", "B of 6", "D of 6"]


def test_copies_have_names(folder: Path) -> None:
    write(folder, "{{ id }}{{ copy }}")
    assert list(drawn(folder)) == ["a", "a (2)", "b", "d", "d (2)", "d (3)"]
    assert shown(folder)[1] == "a2"


def test_rules_see_one_piece_a_row(folder: Path) -> None:
    write(folder, "{{ number }}{{ t }}")
    (folder / "cards.csv").write_text(ROWS.replace("D", "4"), "utf-8")
    with (folder / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write('[[component.rule]]\nkind = "count"\nequals = 6\n')
    loaded = gamefile.read(folder, "", pipeline.KINDS)
    assert checks.check(loaded) == []
    joined = loaded.game.components[0].with_joined_copies()
    assert [(piece.id, piece.copies) for piece in joined.pieces] == [("a", 2), ("b", 1), ("c", 0), ("d", 3)]


def test_what_is_printed_changes_no_number(folder: Path) -> None:
    """--only and --copies say which pieces are printed, and how often."""
    write(folder, "{{ number }}")
    game = gamefile.read(folder, "", pipeline.KINDS).game
    (only,) = choose_components(game, ("cards/d",), 2)
    printed = [piece.row["number"] for piece in only.copies()]
    assert printed == [4, 4, 5, 5, 6, 6]
    (component,) = choose_components(game, ("cards/d (2)",), 1)
    assert [piece.row["number"] for piece in component.copies()] == [5]


def test_an_expansion_is_counted_with_its_game(folder: Path) -> None:
    write(folder, "{{ t }}{{ number }}/{{ total }}")
    (folder / "more.csv").write_text("id,count,t\ne,1,E\nb,0,\n", "utf-8")
    with (folder / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write('[variant.more]\nabout = "More."\nextends = true\ntable.cards = "more.csv"\n')
    loaded = gamefile.read(folder, "more", pipeline.KINDS)
    made = [words(face) for _, face in faces.draw(loaded.designs[0], "front")]
    assert made == ["A1/6", "A2/6", "D3/6", "D4/6", "D5/6", "E6/6"]
    assert str(loaded.game.components[0].merged) == "base 6 + 1 - 1 = 6 pieces"


def test_an_expansion_without_the_column_is_at_fault(folder: Path, pnp: Pnp) -> None:
    write(folder, "{{ number }}")
    (folder / "cards.csv").write_text("id,number\na,7\n", "utf-8")
    (folder / "more.csv").write_text("id\nb\n", "utf-8")
    with (folder / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write('[variant.more]\nabout = "More."\nextends = true\ntable.cards = "more.csv"\n')
    result = pnp("check", f"{folder}-more")
    assert "more.csv:2: the row has no 'number', but rows of another table do" in result.output
