"""The row of choices on the real page: by hand, by keyboard, and on every page at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.studio.showing import Shown, showing, varied
from tests.support.processes import PATIENCE


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Shown]:
    """The browser starts before the game is read, since that limits the memory of this process."""
    assert browser.is_connected()
    with showing(varied(tmp_path)) as shown_page:
        yield shown_page


@pytest.fixture
def opened(browser: Browser, shown: Shown) -> Iterator[Callable[[], Page]]:
    context = browser.new_context(viewport={"width": 420, "height": 900})
    context.set_default_timeout(PATIENCE * 1000)

    def open_() -> Page:
        page = context.new_page()
        page.goto(f"{shown.server.address}?tab=sheets")
        expect(page.locator(".sheet figcaption")).to_contain_text("215.9 × 279.4 mm")
        page.get_by_label("Search and choices").click()
        return page

    yield open_
    context.close()


def test_every_page_follows_a_choice(opened: Callable[[], Page]) -> None:
    page, other = opened(), opened()
    page.get_by_label("Paper").select_option("A4")
    for tab in (page, other):
        expect(tab.locator(".sheet figcaption")).to_contain_text("210 × 297 mm")
        expect(tab.get_by_label("Paper")).to_have_value("a4")
    other.get_by_label("Variant").select_option("few")
    for tab in (page, other):
        expect(tab.locator(".sheet image")).to_have_count(6)
        expect(tab.get_by_label("Variant")).to_have_value("few")
    page.reload()
    page.get_by_label("Search and choices").click()
    expect(page.get_by_label("Variant")).to_have_value("few")


def test_choices_of_the_game_are_made_by_keyboard(opened: Callable[[], Page]) -> None:
    page = opened()
    expect(page.get_by_label("Language")).to_be_visible()
    expect(page.get_by_label("Printer")).to_be_hidden()  # the game has none
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Paper").focus()
    page.keyboard.type("A4")
    expect(page.locator(".sheet figcaption")).to_contain_text("210 × 297 mm")
    expect(page.get_by_label("Paper")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Language")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")  # no printer was measured
    expect(page.get_by_label("Draft")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("h1")).to_contain_text("DRAFT")
    expect(page.get_by_label("Draft")).to_be_checked()


def test_a_refusal_is_reported_and_the_page_stays_as_it_was(opened: Callable[[], Page]) -> None:
    page = opened()
    page.evaluate("document.querySelector('#paper').add(new Option('A9', 'a9'))")
    page.get_by_label("Paper").select_option("A9")
    expect(page.get_by_role("alert")).to_contain_text("'a9': the game does not offer it")
    expect(page.get_by_label("Paper")).to_have_value("letter")
    expect(page.locator("#live")).to_have_attribute("title", re.compile("up to date"))
