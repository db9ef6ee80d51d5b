"""`--ink low`: at most 40 % of the ink of our kits, and pieces that still read and differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import PIL.Image
import pytest
from PIL.Image import Image

import generator
from generator.basics.errors import PnpError
from generator.pipeline import looking
from generator.pipeline.game import draw, read
from generator.pipeline.sheets import silent
from tests.game.tiny import tiny, write

MOST = 0.40
QUEST = Path(__file__).parents[1] / "templates/quest"


@pytest.mark.parametrize(("game", "only"), [("advaya", []), ("talavera", ["cards", "box"])])
def test_a_kit_takes_at_most_two_fifths_of_its_ink(game: str, only: list[str]) -> None:
    """With its rules and cover, and one of cards and a box."""
    plan = generator.plan_game(game, ink="low", only=only)

    assert plan.ink is not None
    usual, low = plan.ink
    assert 0.0 < low <= MOST * usual
    parts = [part.title() for part in only] or ["Cover", "Rules", "Tiles", "Tokens, Progress track, Box"]
    assert [*plan.inks] == parts
    for mean, of_parts in zip(plan.ink, zip(*plan.inks.values(), strict=True), strict=True):
        assert min(of_parts) < mean < max(of_parts)


@pytest.mark.parametrize("sides", ['width="100%" height="100%"', 'width="40" height="60"'])
def test_a_photograph_pales_however_its_size_is_written(sides: str, tmp_path: Path) -> None:
    game = write(tiny(tmp_path / "game"), f'<image href="a.png" {sides} preserveAspectRatio="none"/>')
    PIL.Image.new("RGB", (90, 90), "black").save(game / "a.png")
    ink = generator.plan_game(game, ink="low").ink
    assert ink is not None
    assert ink[1] < MOST * ink[0]


def test_equal_sheets_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    only = ["cards/key"]
    once = generator.plan_game(QUEST, ink="low", only=only, copies=9).ink
    measure = looking._measure_page
    pages: list[object] = []

    def count(page: Iterator[Image]) -> float:
        pages.append(page)
        return measure(page)

    monkeypatch.setattr(looking, "_measure_page", count)
    often = generator.plan_game(QUEST, ink="low", only=only, copies=90)
    assert (often.sheets, len(pages)) == (10, 2 * 2)  # both sides, with usual and with little ink
    assert once is not None
    assert often.ink == pytest.approx(once, abs=1e-4)  # the slugs count the sheets


@pytest.mark.parametrize("game", ["talavera", "toripoka"])
def test_the_check_finds_nothing(game: str) -> None:
    """Words keep their contrast, pieces differ in grey too, art reaches the end of the bleed."""
    problems = generator.check_game(game, ink="low", language="")

    assert [problem for problem in problems if problem.level != "note"] == []


def test_the_same_input_makes_the_same_bytes(tmp_path: Path) -> None:
    first, second = (
        generator.print_game("advaya", tmp_path / name, only=["tokens"], ink="low").paths[0].read_bytes()
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


def _make_lines(folder: Path, drawn: str) -> Path:
    """A card that is black above and white below, with something drawn on it."""
    folder.mkdir()
    (folder / "front.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="69.5mm" height="94.9mm"'
        ' viewBox="0 0 69.5 94.9" fill="none">'
        '<rect width="69.5" height="94.9" fill="#ffffff"/>'
        f'<path d="M0 0 H69.5 V50 H0 Z" fill="#000000"/>{drawn}</svg>'
    )
    (folder / "game.toml").write_text(
        "[game]\ntitle = 'Lines'\ndesigner = 'A'\nabout = 'Lines.'\n"
        "[[component]]\nid = 'cards'\ntitle = 'Cards'\nsize = 'poker'\n"
        "[component.front]\ntemplate = 'front.svg'\n[[component.row]]\nid = '1'\n"
    )
    return folder


_ON_BLACK, _ON_WHITE = 'd="M10 30 H59" stroke-width="2"', 'd="M10 70 H59" stroke-width="2"'


@pytest.mark.parametrize(
    ("lines", "new"),
    [
        # it stands out from the tint of black
        ([(_ON_BLACK, "#2a7fe0"), (_ON_WHITE, "#2a7fe0")], ["#2a7fe0", "#2a7fe0"]),
        # it does not, and equal lines change alike
        ([(_ON_BLACK, "#f6c431"), (_ON_WHITE, "#f6c431")], ["#000000", "#000000"]),
        # on white alone nothing changes
        ([(_ON_WHITE, "#f6c431")], ["#f6c431"]),
        # within a wider line, a white one stays; on black it would not be seen
        ([(_ON_BLACK, "#e4472b"), (_ON_BLACK, "#ffffff")], ["#e4472b", "#ffffff"]),
        ([(_ON_BLACK, "#ffffff")], ["#000000"]),
    ],
)
def test_lines_keep_their_colour_where_they_are_seen(
    lines: list[tuple[str, str]], new: list[str], tmp_path: Path
) -> None:
    drawn = "".join(f'<path {place} stroke="{colour}"/>' for place, colour in lines)
    low = _svgs(_make_lines(tmp_path / "lines", drawn), is_low_ink=True)
    assert re.findall(r'<path d="M10 [^>]*stroke="(#[^"]*)"', low) == new


@pytest.mark.parametrize(("colours", "found"), [(("#f6c431", "#8fd0f4"), 1), (("#f6c431", "#2a7fe0"), 0)])
def test_lines_that_no_longer_differ_are_found(colours: tuple[str, str], found: int, tmp_path: Path) -> None:
    places = _ON_BLACK, _ON_BLACK.replace("30", "20")
    drawn = "".join(f'<path {place} stroke="{colour}"/>' for place, colour in zip(places, colours, strict=True))
    folder = _make_lines(tmp_path / "lines", drawn)
    usual, low = (generator.check_game(f"{folder}/", ink=ink) for ink in ("usual", "low"))
    assert [problem for problem in usual if problem.rule == "colour.low"] == []
    found_low = [problem.what for problem in low if problem.rule == "colour.low"]
    assert len(found_low) == found
    assert all(colour in what for what in found_low for colour in colours)


def test_a_title_keeps_its_ink(tmp_path: Path) -> None:
    words = '<text x="9" y="80" font-family="Alegreya Sans" font-size="14" fill="#1d357b">A</text>'
    assert 'fill="#1d357b"' in _svgs(_make_lines(tmp_path / "lines", words), is_low_ink=True)


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
