"""`--ink low`: at most 40 % of the ink of our kits, and pieces that still read and differ."""

from __future__ import annotations

from pathlib import Path

import pytest

import generator
from generator.basics.errors import PnpError
from generator.pipeline.game import draw, read
from generator.pipeline.sheets import silent

GAMES = ("advaya", "atreya", "talavera", "taluva", "toripoka")
MOST = 0.40


@pytest.mark.parametrize("game", GAMES)
def test_a_kit_takes_at_most_two_fifths_of_its_ink(game: str) -> None:
    plan = generator.plan_game(game, ink="low")

    assert plan.ink is not None
    usual, low = plan.ink
    assert 0.0 < low <= MOST * usual


@pytest.mark.parametrize("game", GAMES)
def test_the_check_finds_nothing(game: str) -> None:
    """Words keep their contrast, pieces differ in grey too, art reaches the end of the bleed."""
    problems = generator.check_game(game, ink="low", language="")

    assert [one for one in problems if one.level != "note"] == []


def test_the_same_input_makes_the_same_bytes(tmp_path: Path) -> None:
    first, second = (
        generator.print_game("advaya", tmp_path / name, ink="low").paths[0].read_bytes()
        for name in ("one.pdf", "two.pdf")
    )

    assert first == second


def test_a_part_printed_alone_has_the_faces_of_the_whole_kit() -> None:
    loaded = read("toripoka", is_low_ink=True)
    component = loaded.game.components[0]

    alone = draw(loaded, silent, [component])
    whole = draw(loaded, silent)

    own = {key: face.id for key, face in whole.items() if key[0] == component.id}
    assert {key: alone[key].id for key in own} == own


def _make_game(folder: Path, more: str) -> Path:
    folder.mkdir()
    (folder / "star.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="10mm" viewBox="0 0 10 10">'
        '<circle cx="5" cy="5" r="4" fill="#ffffff"/></svg>'
    )
    (folder / "front.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="60mm" height="80mm" viewBox="0 0 60 80">'
        '<rect x="-3" y="-3" width="66" height="86" fill="{{ night }}"/>'
        '<text x="30" y="40" font-family="Alegreya Sans" font-size="5" fill="#ffffff">light</text>'
        "</svg>"
    )
    (folder / "game.toml").write_text(
        "[game]\ntitle = 'Night'\ndesigner = 'A'\nabout = 'Dark cards.'\n"
        "[palette]\nnight = '#101830'\n[art]\nstar = 'star.svg'\n"
        "[[component]]\nid = 'cards'\ntitle = 'Cards'\nsize = ['60mm', '80mm']\nbleed = '3mm'\n"
        "[component.front]\nrenderer = 'token.art'\nground_by = 'colour'\n"
        "grounds = { night = 'night' }\nart_by = 'colour'\narts = { night = 'star' }\n"
        "art_margin = '25mm'\n[[component.row]]\nid = '1'\ncolour = 'night'\n" + more
    )
    return folder


def _svgs(folder: Path, *, is_low_ink: bool) -> str:
    faces = draw(read(f"{folder}/", is_low_ink=is_low_ink), silent)
    return "".join(placed.layer.svg for face in faces.values() for placed in face.layers)


def test_a_dark_ground_becomes_a_tint_of_it(tmp_path: Path) -> None:
    folder = _make_game(tmp_path / "night", "")

    assert 'fill="#101830"' in _svgs(folder, is_low_ink=False)
    assert 'fill="#101830"' not in _svgs(folder, is_low_ink=True)


def test_a_colour_that_the_game_sets_prints_as_it_is(tmp_path: Path) -> None:
    folder = _make_game(tmp_path / "night", "[ink.low.palette]\nnight = '#708090'\n")

    assert 'fill="#101830"' in _svgs(folder, is_low_ink=False)
    assert 'fill="#708090"' in _svgs(folder, is_low_ink=True)


@pytest.mark.parametrize(
    ("wish", "what"),
    [
        ("[ink.low.palette]\nnigt = '#708090'\n", "unknown colour 'nigt'"),
        ("[ink.low.art]\nmoon = 'star.svg'\n", "unknown art 'moon'"),
        ("[ink.low.component.card.front]\nart_margin = '9mm'\n", "unknown component 'card'"),
        ("[ink.low.component.cards.back]\nart_margin = '9mm'\n", "unknown side 'back'"),
        ("[ink.high]\n", "unknown key 'high'"),
    ],
)
def test_a_wish_for_what_the_game_lacks_is_a_fault(tmp_path: Path, wish: str, what: str) -> None:
    folder = _make_game(tmp_path / "night", wish)

    with pytest.raises(PnpError) as caught:
        read(f"{folder}/")

    assert what in str([problem.what for problem in caught.value.problems])


def test_a_fault_of_a_wish_is_at_its_own_line(tmp_path: Path) -> None:
    folder = _make_game(tmp_path / "night", "[ink.low.component.cards.front]\nart_margin = 'far'\n")
    lines = (folder / "game.toml").read_text().splitlines()

    with pytest.raises(PnpError) as caught:
        read(f"{folder}/", is_low_ink=True)

    assert caught.value.problems[0].place.line == lines.index("art_margin = 'far'") + 1
