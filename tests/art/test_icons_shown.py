"""Icons that pictures show by their names."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path

import pytest
from lxml import etree

from generator.art.picture import ArtReader
from generator.basics.errors import Place, PnpError
from generator.text import FontBook
from tests.game.tiny import DOT, SVG

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 60">'
IMAGE = '<image href="icon:{}" width="9" height="9" {}/>'
ASKED = Place("game.toml", 1)


def art(folder: Path, body: str) -> etree._Element:
    (folder / "a.svg").write_text(f"{HEAD}{body}</svg>", "utf-8")
    return decoded(ArtReader(folder, FontBook(())).read("a.svg", ASKED).uri)


def decoded(uri: str) -> etree._Element:
    return etree.fromstring(b64decode(uri.partition(",")[2]))


def shown(folder: Path, body: str) -> list[etree._Element]:
    return [decoded(image.get("href", "")) for image in art(folder, body).iter(f"{SVG}image")]


def faults(folder: Path, body: str) -> list[str]:
    with pytest.raises(PnpError) as caught:
        art(folder, body)
    return [f"{problem.place}: {problem.what}" for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("body", "colour"),
    [
        (IMAGE.format("heart", ""), "#000000"),
        (IMAGE.format("heart", 'fill="#a63a24"'), "#a63a24"),
        (f'<g fill="teal">{IMAGE.format("heart", "")}</g>', "teal"),
        ("<style>.a{fill:navy}</style>" + IMAGE.format("heart", 'class="a"'), "navy"),
    ],
)
def test_a_picture_shows_a_built_in_icon(tmp_path: Path, body: str, colour: str) -> None:
    (icon,) = shown(tmp_path, body)
    assert icon.get("color") == colour
    assert str(icon[0].get("d")).startswith("M10.6 20.9")


def test_an_icon_of_the_game_comes_first(tmp_path: Path) -> None:
    (tmp_path / "icons").mkdir()
    (tmp_path / "icons/heart.svg").write_text(DOT, "utf-8")
    (icon,) = shown(tmp_path, IMAGE.format("heart", ""))
    assert icon[0].tag == f"{SVG}circle"


@pytest.mark.parametrize("name", ["haert", "", "../a", "../../etc/hostname", "a" * 9_000, "&#10;"])
def test_an_icon_that_is_not_there_is_reported(tmp_path: Path, name: str) -> None:
    (told,) = faults(tmp_path, IMAGE.format(name, ""))
    assert "a.svg:1: there is no icon" in told


def test_icons_within_icons_end(tmp_path: Path) -> None:
    """An icon shows no others, so that none shows itself."""
    (tmp_path / "icons").mkdir()
    (tmp_path / "icons/b.svg").write_text(f"{HEAD}{IMAGE.format('b', '')}</svg>", "utf-8")
    assert art(tmp_path, IMAGE.format("b", "")).find(f"{SVG}image").get("href") == ""
    assert ArtReader(tmp_path, FontBook(())).read("icons/b.svg", ASKED).uri


def test_many_large_icons_are_refused(tmp_path: Path) -> None:
    (tmp_path / "icons").mkdir()
    large = f'{HEAD}<path d="M0 0{"h1" * 250_000}"/></svg>'
    (tmp_path / "icons/b.svg").write_text(large, "utf-8")
    (told,) = faults(tmp_path, IMAGE.format("b", "") * 9)
    assert "the icons take more than 4 MB" in told


def test_other_elements_show_no_icons(tmp_path: Path) -> None:
    assert "<use> points outside the file" in faults(tmp_path, '<use href="icon:heart"/>')[0]
