"""The preview leads to a table with the pieces of its game."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.studio.showing import Shown, showing
from tests.support.processes import PATIENCE


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Shown]:
    assert browser.is_connected()  # before the game is read, since that limits our memory
    with showing(tmp_path / "quest") as shown_page:
        yield shown_page


def ask(shown: Shown, site: str = "same-origin") -> tuple[int, str, str]:
    """The status, the address and the text of the answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", shown.server.port)) as asking:
        asking.request("GET", "/table", headers={"Sec-Fetch-Site": site})
        answer = asking.getresponse()
        return answer.status, answer.headers.get("Location", ""), answer.read().decode()


def test_a_link_opens_a_table_in_a_window_of_its_own(browser: Browser, shown: Shown) -> None:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(shown.server.address)
    with page.context.expect_page(timeout=PATIENCE * 1000) as opened:
        page.get_by_role("link", name="Table").click()
    table = opened.value
    expect(table.locator(".stack")).to_have_attribute("aria-label", "Cards, face down, stack of 6")
    assert table.evaluate("window.opener") is None
    page.context.close()


def test_the_same_game_has_one_table(shown: Shown) -> None:
    status, address, _ = ask(shown)
    assert status == 303
    assert address.startswith("http://127.0.0.1:")
    assert "#" in address
    assert ask(shown) == (303, address, "")


def test_another_site_opens_none(shown: Shown) -> None:
    assert ask(shown, "cross-site")[0] == ask(shown, "same-site")[0] == 403


def test_a_game_with_a_fault_is_told(shown: Shown) -> None:
    shown.edit("game.toml", 'title = "Cards"', 'title = "Cards"\nnonsense = 1')
    status, _, text = ask(shown)
    assert status == 409
    assert "nonsense" in text
