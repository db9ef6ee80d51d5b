"""The pages in a real browser: nothing runs, nothing is fetched from elsewhere, all can read it."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.export.site.conftest import BuiltGames
from tests.export.site.test_reports import write_playtest
from tests.support.processes import PATIENCE

PAGES = ("index.html", "hostile/index.html", "bare/index.html")
_LOAD_ALL = """async () => {
  const images = [...document.images];
  for (const image of images) image.loading = "eager";
  await Promise.all(images.map(image => image.decode().catch(() => null)));
  await document.fonts.ready;
  return images.filter(image => !image.naturalWidth).map(image => image.src);
}"""


def show(browser: Browser, path: Path, **how: Any) -> tuple[Page, list[str]]:
    """A page, and the addresses that it asked for and the complaints of the browser."""
    page = browser.new_page(**how)
    page.set_default_timeout(PATIENCE * 1000)
    heard: list[str] = []
    page.on("request", lambda request: heard.append(request.url))
    page.on("console", lambda message: heard.append(message.text))
    page.on("dialog", lambda dialog: heard.append(f"dialog {dialog.message}"))
    page.goto(path.as_uri())
    return page, heard


def find_faults(shown: Page) -> list[tuple[str, list[str]]]:
    """What axe-core finds, in a page opened with bypass_csp, that keeps people from reading it."""
    found = find_spec("axe_core_python")
    if found is None or found.origin is None:
        pytest.skip("axe-core is not installed (pip install axe-core-python)")
    shown.evaluate(Path(found.origin).with_name("axe.min.js").read_text("utf-8"))
    result = shown.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert len(result["passes"]) > 10
    return [(violation["id"], [node["html"] for node in violation["nodes"]]) for violation in result["violations"]]


@pytest.mark.parametrize("page", PAGES)
def test_it_shows_all_pictures_and_asks_nobody(browser: Browser, built: BuiltGames, page: str) -> None:
    shown, heard = show(browser, built.site / page)
    assert shown.evaluate(_LOAD_ALL) == []
    fonts = shown.evaluate("[...document.fonts].map(font => `${font.family} ${font.status}`)")
    assert "title loaded" in {font.replace('"', "") for font in fonts}
    home = built.site.as_uri()
    assert len(heard) > 1
    assert [message for message in heard if not message.startswith((home, "data:font/ttf;"))] == []
    shown.close()


@pytest.mark.parametrize("page", PAGES)
def test_it_fits_a_phone(browser: Browser, built: BuiltGames, page: str) -> None:
    shown, _ = show(browser, built.site / page, viewport={"width": 390, "height": 700})
    shown.evaluate(_LOAD_ALL)
    for width in (390, 320):
        shown.set_viewport_size({"width": width, "height": 700})
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
    shown.close()


@pytest.mark.parametrize(("page", "scheme"), [*product(PAGES[1:2], ["light", "dark"]), (PAGES[0], "dark")])
def test_everybody_can_read_it(browser: Browser, built: BuiltGames, page: str, scheme: Any) -> None:
    shown, _ = show(browser, built.site / page, color_scheme=scheme, bypass_csp=True)
    assert find_faults(shown) == []
    shown.close()


def test_a_phone_shows_a_playtest_and_everybody_can_read_it(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(write_playtest())
    shown, _ = show(browser, path, viewport={"width": 390, "height": 700}, bypass_csp=True)
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme=scheme)
        assert find_faults(shown) == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390
    shown.close()


def test_print_leaves_out_what_only_a_screen_needs(browser: Browser, built: BuiltGames) -> None:
    shown, _ = show(browser, built.site / "hostile/index.html", color_scheme="dark")
    shown.emulate_media(media="print")
    assert not shown.locator("body > nav").is_visible()
    assert shown.locator("#rules").is_visible()
    ground = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    shown.close()
