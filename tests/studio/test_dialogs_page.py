"""The dialogs of the studio in a real browser: print, export, a new game, a printer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.studio.showing import Shown, showing
from tests.support.browsing import Visits


@pytest.fixture(scope="module")
def quest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    folder = tmp_path_factory.mktemp("dialogs")
    with showing(folder / "quest", journals=folder / "journals") as shown:
        yield shown


@pytest.fixture(scope="module")
def studio(browser: Browser, quest: Shown) -> Iterator[Page]:
    visits = Visits(browser, quest.server.address)
    page = visits.open(quest.server.invitation, (1440, 900))
    expect(page.locator(".cell")).to_have_count(7)
    yield page
    visits.close()
    assert visits.wrong == []


def test_the_pdf_is_printed_by_keyboard(studio: Page, tmp_path: Path) -> None:
    studio.get_by_role("button", name="Print…").focus()
    studio.keyboard.press("Enter")
    dialog = studio.get_by_role("dialog", name="Print")
    said = dialog.get_by_role("status")
    expect(said).to_contain_text("cards: 6 pieces on 1 sheet")
    dialog.get_by_label("Copies").focus()
    studio.keyboard.type("0")
    expect(said).to_contain_text("cards: 60 pieces on 7 sheets")
    studio.keyboard.type("00")
    expect(said.locator(".error")).to_contain_text("a piece can be printed 1 to 100 times")
    for _ in range(3):
        studio.keyboard.press("Backspace")
    dialog.get_by_role("button", name="Make the PDF").focus()
    studio.keyboard.press("Enter")
    with studio.expect_download() as download:
        dialog.get_by_role("link", name="Save quest.pdf").click()
    download.value.save_as(tmp_path / "quest.pdf")
    assert (tmp_path / "quest.pdf").read_bytes().startswith(b"%PDF")
    studio.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_page_without_the_key_makes_nothing(browser: Browser, quest: Shown) -> None:
    visits = Visits(browser, quest.server.address)
    page = visits.open(quest.server.address, (1440, 900))
    expect(page.locator(".cell")).to_have_count(7)
    expect(page.get_by_role("button", name="Print…")).to_have_count(0)
    visits.close()
