"""What a game says in another language beside the cells of its tables."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest

from generator import game as gamefile
from generator import pipeline
from generator.basics.errors import PnpError
from generator.basics.phrases import read_phrases
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


def test_the_kit_speaks_the_language_that_is_printed(game: Path) -> None:
    told(game, GERMAN.replace("[language.nl]", '[language.de.phrases.cover]\nparts = "Drin"'))
    original, german = read(game, ""), read(game, "de")
    assert [text.phrases.say("cover.parts") for text in (original, german)] == ["In this kit", "Drin"]
    assert german.phrases.say("sheet.kinds", count=2) == "2 Arten von Teilen"
    assert [component.glue for component in german.components] == ["kleben", "kleben"]
    spec = game / "game.toml"
    spec.write_text(spec.read_text("utf-8").replace("[game]", '[game]\nlanguage = "es"'), "utf-8")
    assert read(game, "").components[1].title == "Caja"
    assert read(game, "es") == read(game, ""), "its own language needs no translation"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("pl", "note: tiny: pl: {all} of {all} phrases of the kit are English"),
        ("ja", "warning: tiny: ja: {some} of {all} phrases of the kit are English, since no"),
        ("de", ""),
    ],
)
def test_phrases_that_are_lacking_are_counted(game: Path, pnp: Pnp, language: str, told: str) -> None:
    spec = game / "game.toml"
    own = f'[game]\nlanguage = "{language}"'
    spec.write_text(spec.read_text("utf-8").replace("[game]", own), "utf-8")
    foreign, patterns = read(game, "").phrases.foreign, read_phrases().patterns
    lines = pnp("check", game).output.splitlines()
    lines = [line for line in lines if f"{language}:" in line and " phrases of" in line]
    told = told.format(all=len(patterns), some=len(foreign))
    assert [line[: len(told)] for line in lines] == ([told] if told else [])
    assert read(game, "").phrases.say("cover.parts") in ("In this kit", "Spielmaterial")


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
        assert [str(entry) for entry in (pdf.docinfo.Title, pdf.Root.Lang)] == ["Winzig", "de"]
    assert names == ["Regeln: Bogen 1 von 1", "Karten, Schachtel: Bogen 1 von 1"]


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
        ("[language.nl]", '[language.nl.phrases.net]\nglu = "x"', "glu =", "unknown phrase 'net.glu'"),
        ("[language.nl]", '[phrases.sheet]\nprinter = "{mm}"', "printer =", "has no field {mm}"),
        ("[language.nl]", '[phrases.net]\nglue = "a {"', "glue =", "a brace is not closed"),
    ],
)
def test_what_is_wrong_is_reported(game: Path, pnp: Pnp, old: str, new: str, line: str, what: str) -> None:
    assert old in GERMAN
    spec_lines = (told(game, GERMAN.replace(old, new)) / "game.toml").read_text("utf-8").split("\n")
    (number,) = [number for number, spec_line in enumerate(spec_lines, 1) if line in spec_line]
    result = pnp("check", game)
    assert result.exit_code == 1
    (message,) = [line for line in result.output.splitlines() if what in line]
    assert f"tiny/game.toml:{number}:" in message
