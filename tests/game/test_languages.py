"""What a game says in another language beside the cells of its tables."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest

from generator import game as gamefile
from generator import pipeline
from generator.basics.errors import PnpError
from generator.model import Game, LoadedGame
from tests.conftest import Pnp
from tests.game.tiny import GAME, text, write

GERMAN = """
[booklet]
cover = false
[[box]]
[language.de]
title = "Winzig"
about = "Eine Karte."
players = "2 Personen"
booklet = "rules.de.md"
component.cards = "Karten"
component.box = "Schachtel"
[language.nl]
"""


@pytest.fixture
def game(folder: Path) -> Path:
    write(folder, text("{{ t }}"))
    (folder / "rules.md").write_text("# Tiny\n\nLook at it.\n", "utf-8")
    (folder / "rules.de.md").write_text("# Winzig\n\nSchau sie an.\n", "utf-8")
    return told(folder, GERMAN)


def told(folder: Path, more: str) -> Path:
    (folder / "game.toml").write_text(GAME + more, "utf-8")
    return folder


def load(folder: Path, language: str) -> LoadedGame:
    return gamefile.read(folder, "", pipeline.KINDS, language)


def read(folder: Path, language: str) -> Game:
    return load(folder, language).game


def test_a_language_has_titles_and_rules_of_its_own(game: Path) -> None:
    german = read(game, "de")
    assert (german.title, german.about) == ("Winzig", "Eine Karte.")
    assert german.terms == ["2 Personen"]
    assert [component.title for component in german.components] == ["Karten", "Schachtel"]
    assert german.booklet is not None
    assert "Schau sie an." in german.booklet.text
    assert str(german.booklet.place) == "tiny/rules.de.md"
    box = load(game, "de").designs[1]
    assert box.component.title == "Schachtel"
    assert "Winzig" in str(box.front)


@pytest.mark.parametrize("language", ["", "nl"])
def test_what_is_not_named_is_as_it_is(game: Path, language: str) -> None:
    plain = read(game, language)
    assert (plain.title, plain.about, plain.terms) == ("Tiny", "One card.", [])
    assert [component.title for component in plain.components] == ["Cards", "Box"]
    assert plain.booklet is not None
    assert "Look at it." in plain.booklet.text


def test_its_languages_need_no_column(game: Path) -> None:
    assert read(game, "").languages == ["de", "nl"]
    with pytest.raises(PnpError, match="the game has nothing in the language 'fr'"):
        read(game, "fr")


def test_the_sheets_are_called_so(game: Path, pnp: Pnp, tmp_path: Path) -> None:
    result = pnp("build", game, "--lang", "de", "-o", tmp_path / "de.pdf")
    assert result.exit_code == 0, result.output
    with pikepdf.open(tmp_path / "de.pdf") as pdf:
        names = [str(item.title) for item in pdf.open_outline().root]
        assert [str(one) for one in (pdf.docinfo.Title, pdf.Root.Lang)] == ["Winzig", "de"]
    assert names == ["Rules: sheet 1 of 1", "Karten, Schachtel: sheet 1 of 1"]


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("component.cards =", "component.card =", "component.card =", "unknown component 'card'"),
        ("[language.de]", "[language.deutsch]", "[language.deutsch]", "'deutsch'"),
        ('"Winzig"', '"小"', 'title = "小"', "has no glyph for '小'"),
        ('"Karten"', '"小"', 'cards = "小"', "has no glyph for '小'"),
        ('"Karten"', '"\\U0010ffff"', 'cards = "\\U', r"has no glyph for '\U0010ffff'"),
        ('"Winzig"', '""', 'title = ""', "title"),
        ("rules.de.md", "regeln.md", "regeln.md", "does not exist"),
        ("rules.de.md", "../rules.md", "../rules.md", "leaves the game's folder"),
        ("[booklet]\ncover = false\n", "", 'booklet = "', "the game has no booklet"),
    ],
)
def test_what_is_wrong_is_reported(
    game: Path, pnp: Pnp, old: str, new: str, line: str, what: str
) -> None:
    assert old in GERMAN
    spec_lines = (told(game, GERMAN.replace(old, new)) / "game.toml").read_text("utf-8").split("\n")
    (number,) = [number for number, spec_line in enumerate(spec_lines, 1) if line in spec_line]
    result = pnp("check", game)
    assert result.exit_code == 1
    (message,) = [line for line in result.output.splitlines() if what in line]
    assert f"tiny/game.toml:{number}:" in message
