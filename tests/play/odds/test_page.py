"""The page of the odds: one file with plots and hands, that runs and fetches nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import html
from playwright.sync_api import Browser

from tests.conftest import Pnp
from tests.export.site.test_browser import find_faults, show
from tests.game.tiny import tiny, write

HOSTILE = "</style><script>alert(1)</script>&"
QUESTIONS = f"""
[[odds]]
kind = "draw"
title = '{HOSTILE[:50]}'
draw = 2
want = ["1+ of x == 7", "1+ of x == 8"]
[[odds]]
kind = "hand"
draw = 2
sum = "x"
[[odds]]
kind = "hand"
draw = 3
by = "kind"
[[odds]]
kind = "curve"
cost = "x"
worth = "x * x"
name = "kind"
[[odds]]
kind = "compare"
better = {{ x = "more" }}
name = "kind"
[[odds]]
kind = "goldfish"
cost = "x"
hand = 1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write(tiny(tmp_path_factory.mktemp("odds") / "deck"), "<text x='2' y='9'>{{ x }}</text>")
    rows = "".join(f'{n},{n % 4 + 5},t,"{HOSTILE} {n}"\n' for n in range(8))
    (folder / "cards.csv").write_text(f"id,x,t,kind\n{rows}", "utf-8")
    spec = (folder / "game.toml").read_text("utf-8").replace('"Tiny"', f"'{HOSTILE}'")
    (folder / "game.toml").write_text(spec + QUESTIONS, "utf-8")
    return folder


@pytest.fixture
def page(pnp: Pnp, folder: Path) -> Path:
    path = folder.parent / "page.html"
    if not path.exists():
        result = pnp("odds", folder, "--format", "page", "-o", path)
        assert result.exit_code == 0, result.stderr
        assert (result.output.strip(), result.stderr) == (str(path), "")
    return path


def test_it_has_a_section_for_each_answer_with_its_chart(page: Path) -> None:
    document = html.fromstring(page.read_bytes())
    assert len(document.xpath("//section")) == 6
    assert len(document.xpath("//section[@id='answer-1']//svg")) == 2
    assert document.xpath("string(//section[1]/h2)") == HOSTILE[:50]
    assert '@font-face{font-family:"title"' in document.xpath("string(//style)")
    assert not document.xpath("//script | //link | //iframe | //*[@style]")
    for image in document.xpath("//img"):
        assert image.get("src").startswith("data:image/webp;base64,")
        assert {"alt", "width", "height"} <= set(image.attrib)


def test_hands_of_a_size_are_shown_once(page: Path) -> None:
    document = html.fromstring(page.read_bytes())
    shown = [len(element.xpath(".//img")) for element in document.xpath("//section")]
    assert shown == [6, 0, 9, 0, 0, 3]


def test_the_same_game_gives_the_same_bytes(pnp: Pnp, folder: Path, page: Path) -> None:
    again = folder.parent / "again"
    again.mkdir(exist_ok=True)
    assert pnp("odds", folder, "--format", "page", "-o", again).exit_code == 0
    assert (again / "deck-odds.html").read_bytes() == page.read_bytes()


def test_a_card_that_cannot_be_drawn_leaves_out_the_hands(pnp: Pnp, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    front = folder / "front.svg"
    sound = front.read_text("utf-8")
    try:
        front.write_text(sound.replace("{{ x }}", "{{ x / 0 }}"), "utf-8")
        result = pnp("odds", folder, "--format", "page", "-o", path)
    finally:
        front.write_text(sound, "utf-8")
    assert result.exit_code == 0
    assert "the page shows no hands" in result.stderr
    assert "divides by zero" in result.stderr
    assert b"<img" not in path.read_bytes()


def test_a_phone_shows_it_and_everybody_can_read_it(browser: Browser, page: Path) -> None:
    shown, heard = show(browser, page, viewport={"width": 390, "height": 800}, bypass_csp=True)
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390
    assert [message for message in heard if not re.match(r"file:|data:image/webp", message)] == []
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme=scheme)
        assert find_faults(shown) == []
    shown.close()
