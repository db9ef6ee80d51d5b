"""A folder becomes a game, or all its problems; never anything else."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator import checks, pipeline
from generator import game as gamefile
from generator.basics.errors import PnpError, Problem
from generator.basics.geometry import Size
from generator.games.talavera.renderers import Tiles
from generator.model import Game, LoadedGame
from generator.pipeline import KINDS
from generator.text import HOUSE_FONTS
from tests.bad_specs.games import HERE
from tests.support import editing

BIG = '\n[variant.big]\nabout = "More."\ntable.cards = "big.csv"\n'
VALUES = ("", "1", "-1", "true", '""', '"x"', "[]", "{}", "[{}]", "nan", "1979-05-27", '["dot"]')
KEYS = ("rule", "size", "front", "back", "id", "art", "game", "component", "of", "level", '"A b"')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(HERE / "_tiny", tmp_path / "tiny"))


def edit(folder: Path, old: str, new: str, file: str = "game.toml") -> None:
    editing.edit(folder / file, old, new)


def load(folder: Path, variant: str = "") -> LoadedGame:
    return gamefile.read(folder, variant, KINDS)


def read(folder: Path, variant: str = "") -> Game:
    return load(folder, variant).game


def problems(folder: Path, variant: str = "") -> list[Problem]:
    with pytest.raises(PnpError) as error:
        read(folder, variant)
    return list(error.value.problems)


def test_game_is_what_its_files_say(folder: Path) -> None:
    game = read(folder)
    assert (game.name, game.title, game.designer) == ("tiny", "Tiny", "A. Designer")
    (cards,) = game.components
    assert (cards.id, cards.title, str(cards.place)) == ("cards", "Cards", "tiny/game.toml:12")
    assert (cards.size, cards.corner_radius, cards.bleed) == (Size(40.0, 60.0), 0.0, 3.0)
    assert [piece.row for piece in cards.pieces] == [
        {"id": "1", "dot": 1},
        {"id": "2", "dot": 0},
        {"id": "3", "dot": 1},
    ]
    assert not cards.has_back


def test_what_draws_and_checks_stands_beside_the_game(folder: Path) -> None:
    loaded = load(folder)
    (design,) = loaded.designs
    assert (design.component,) == loaded.game.components
    assert design.component.columns == {"front": ("id", "dot")}
    assert design.back is None
    assert [str(placed.place) for placed in design.checks] == ["tiny/game.toml:29"]
    assert isinstance(design.front, Tiles)
    assert (design.front.tile, design.front.ink, design.front.grout) == (10.0, "#1f3f8c", 0.0)
    assert design.front.number_font.family == "Alegreya Sans"
    assert design.front.ornament.uri.startswith("data:image/svg+xml;base64,")


@pytest.mark.parametrize("name", pipeline.names())
def test_a_game_is_plain_data(name: str) -> None:
    game = pipeline.read(name).game
    assert pickle.loads(pickle.dumps(game)) == game


def test_byte_order_mark_and_other_line_ends_change_nothing(folder: Path) -> None:
    before = read(folder)
    for file in ("game.toml", "cards.csv", "dot.svg"):
        text = (folder / file).read_text("utf-8").replace("\n", "\r\n")
        (folder / file).write_bytes(text.encode("utf-8-sig"))
    after = read(folder)
    assert after.components[0].pieces == before.components[0].pieces
    assert after.components[0].place == before.components[0].place


def test_variant_has_its_own_tables_and_sentence(folder: Path) -> None:
    (folder / "big.csv").write_text("id,dot,count\n1,1,7\n", "utf-8")
    edit(folder, "equals = 3\n", "equals = 3\n" + BIG)
    title = read(folder).title
    game = read(folder, "big")
    assert (game.name, game.title, game.about) == ("tiny-big", title, "More.")
    edit(folder, 'about = "More."', 'about = "More."\ntitle = "Big"')
    assert (read(folder, "big").title, read(folder).title) == ("Big", title)
    assert len(game.components[0].copies()) == 7
    assert len(read(folder).components[0].copies()) == 3


def test_variant_that_extends_keeps_the_rows(folder: Path) -> None:
    (folder / "big.csv").write_text("id,dot,count\n4,1,7\n1,,0\n", "utf-8")
    edit(folder, "equals = 3\n", "equals = 3\n" + BIG + "extends = true\n")
    assert [piece.id for piece in read(folder, "big").components[0].pieces] == ["2", "3", "4"]
    (folder / "big.csv").write_text("id,dot,count\n5,1,0\n", "utf-8")
    (found,) = problems(folder, "big")
    assert (str(found.place), found.what) == ("tiny/big.csv:2", "there is no row '5' to leave out")
    assert len(read(folder).components[0].pieces) == 3


def test_language_takes_its_cells_where_they_are_filled(folder: Path) -> None:
    (folder / "cards.csv").write_text("id,dot,dot.de,dot.pt-BR\n1,1,0,\n2,0,,\n3,1,1,1\n", "utf-8")

    def dots(language: str) -> list[int]:
        game = gamefile.read(folder, "", KINDS, language).game
        return [piece.number("dot") for piece in game.components[0].pieces]

    assert (dots(""), dots("de"), dots("pt-BR")) == ([1, 0, 1], [0, 0, 1], [1, 0, 1])
    assert gamefile.read(folder, "", KINDS, "de").game.name == "tiny-de"
    notes = [problem for problem in checks.check(load(folder)) if problem.rule == "translation"]
    assert [(note.level, note.what) for note in notes] == [
        ("note", "de: 1 of 3 cells are not translated"),
        ("note", "pt-BR: 2 of 3 cells are not translated"),
    ]
    assert "tiny/cards.csv:3 column dot" in notes[0].hint
    with pytest.raises(PnpError, match="the game has nothing in the language 'fr'"):
        gamefile.read(folder, "", KINDS, "fr")
    edit(folder, "1,1,0", "1,1,x", "cards.csv")
    with pytest.raises(PnpError, match=r"cards\.csv:2 column dot\.de: 'x' is not a whole number"):
        gamefile.read(folder, "", KINDS, "de")


def test_fault_of_a_variants_table_is_reported_at_the_variant(folder: Path) -> None:
    edit(folder, "equals = 3\n", "equals = 3\n" + BIG)
    assert read(folder).name == "tiny"
    (found,) = problems(folder, "big")
    assert str(found.place) == "tiny/game.toml:35"
    assert found.what == "the file 'big.csv' does not exist"


def test_art_of_one_file_under_two_names_is_reported_once(folder: Path) -> None:
    edit(folder, 'dot = "dot.svg"', 'dot = "dot.svg"\nspot = "dot.svg"')
    assert read(folder).components[0].id == "cards"
    (folder / "dot.svg").write_text("<svg", "utf-8")
    assert [str(problem.place) for problem in problems(folder)] == ["tiny/dot.svg:1"]


def test_users_of_faulty_art_and_colours_are_not_at_fault(folder: Path) -> None:
    edit(folder, "#1f3f8c", "bleu")
    (folder / "dot.svg").unlink()
    assert [str(problem.place) for problem in problems(folder)] == ["tiny/game.toml:7", "tiny/game.toml:10"]


def test_fault_in_the_spec_hides_none_in_the_table(folder: Path) -> None:
    edit(folder, 'ground = "#ffffff"', "ground = 7")
    edit(folder, "2,0", "1,0,0\n1,1", "cards.csv")
    assert [(str(problem.place), problem.what) for problem in problems(folder)] == [
        ("tiny/game.toml:22", "ground: 7 is not a colour"),
        ("tiny/cards.csv:3", "the row has 3 cells, the header has 2"),
        ("tiny/cards.csv:4 column id", "the id '1' is taken by line 2"),
    ]


def test_problems_of_the_spec_are_in_its_order(folder: Path) -> None:
    edit(folder, '"Tiny"', "1")
    edit(folder, "#1f3f8c", "bleu")
    edit(folder, '"40mm"', "40")
    edit(folder, 'renderer = "talavera.tiles"', 'renderer = "tiles"')
    edit(folder, "equals = 3", "equals = -3")
    (folder / "dot.svg").unlink()  # looked for when the rest was read
    assert [problem.place.line for problem in problems(folder)] == [2, 7, 10, 16, 19, 31]


def test_fonts_of_the_game(folder: Path) -> None:
    source = next(HOUSE_FONTS.rglob("AbrilFatface-Regular.ttf"))
    (folder / "fonts").mkdir()
    shutil.copy(source, folder / "fonts/own.ttf")
    assert read(folder).font_folders == (HOUSE_FONTS, folder / "fonts")


def test_faulty_font_hides_no_other_fault(folder: Path) -> None:
    (folder / "fonts").mkdir()
    (folder / "fonts/own.ttf").write_bytes(b"no font")
    edit(folder, "#1f3f8c", "bleu")
    assert [str(problem.place) for problem in problems(folder)] == ["tiny/game.toml:7", "tiny/fonts/own.ttf"]


def mutations() -> st.SearchStrategy[list[tuple[str, int, str]]]:
    """What to do, to which line, with what."""
    deeds = ("delete", "double", "value", "key", "sign", "bracket")
    words = st.sampled_from((*VALUES, *KEYS, "\0", "é", '"', "'", "[", "]", "=", "\n", ",", "9"))
    return st.lists(st.tuples(st.sampled_from(deeds), st.integers(0, 40), words), min_size=1, max_size=4)


def mutated(text: str, deeds: list[tuple[str, int, str]]) -> str:
    lines = text.split("\n")
    for deed, number, word in deeds:
        at = number % len(lines)
        key, equals, _ = lines[at].partition("=")
        if deed == "delete":
            lines[at] = ""
        elif deed == "double":
            lines.insert(at, lines[at])
        elif deed == "value" and equals:
            lines[at] = f"{key}= {word}"
        elif deed == "key":
            lines.insert(at, f"{word or 'x'} = 1")
        elif deed == "bracket":
            lines[at] = lines[at].replace("[[", "[")
        else:
            middle = len(lines[at]) // 2
            lines[at] = lines[at][:middle] + word + lines[at][middle:]
    return "\n".join(lines)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["game.toml", "game.toml", "cards.csv", "dot.svg"]), mutations())
def test_whatever_is_changed_is_a_game_or_reported(folder: Path, file: str, deeds: list[tuple[str, int, str]]) -> None:
    sound = (HERE / "_tiny" / file).read_text("utf-8")
    (folder / file).write_text(mutated(sound, deeds), "utf-8")
    found: list[Problem] = []
    try:
        found = checks.check(load(folder))
    except PnpError as error:
        found = list(error.problems)
        assert found, "refused without a word"
    finally:
        (folder / file).write_text(sound, "utf-8")
    for problem in found:
        assert str(problem.place).startswith("tiny/")
        assert problem.what
        assert "<class" not in str(problem)
        assert "Input should" not in str(problem)
        assert all(line.isprintable() for line in str(problem).split("\n"))
