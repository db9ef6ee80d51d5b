"""Games by the rules, played by pointing in real browsers: by pointer, by finger, by keyboard."""

from __future__ import annotations

import base64
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from generator.pipeline.tabling import refereed_table
from generator.play.engine import OVER
from generator.play.table.referee import RefereedTable
from generator.play.table.server import TableServer
from tests.support.processes import PATIENCE
from tests.support.serving import serving

WIDE, PHONE = (1280, 900), (390, 844)
_GAMES = {  # which end soon
    "talavera": {},
    "toripoka": {},
    "taluva": {},
    "advaya": {"goal": "first-closed"},
    "atreya": {"mode": "Max", "pool": "45"},
}
_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
# What the tests ask of the page.
_SCRIPT = Path(__file__).with_name("pointing.js").read_text("utf-8")


def made(game: str, choices: int = 0, **rules: str) -> RefereedTable:
    """A table in the middle of a game, against bots that move at random."""
    table = refereed_table(game, ["random"], {**_GAMES[game], **rules})
    table._random, rng = Random(5), Random(7)
    table._begin()
    table._go_on()
    for _ in range(choices):
        table._make(rng.choice(table._known))
    return table


class Sitting:
    """A page at a table. Its pictures are not painted."""

    def __init__(self, browser: Browser, table: RefereedTable, **how: Any) -> None:
        self._stack = ExitStack()
        self.table = table
        self._stack.enter_context(table)
        server = self._stack.enter_context(serving(TableServer(table)))
        width, height = how.pop("size", WIDE)
        context = browser.new_context(
            viewport={"width": width, "height": height},
            bypass_csp=True,
            reduced_motion="reduce",
            **how,
        )
        self._stack.callback(context.close)
        context.set_default_timeout(PATIENCE * 1000)
        self.page = context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.route("**/face/**", _blank)
        self.page.goto(server.invitation)
        expect(self.page.locator(".moves, .move").first).to_be_visible()
        self.page.evaluate(f"() => {{ window.pointing = {_SCRIPT} }}")

    def __enter__(self) -> Page:
        return self.page

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        assert self.wrong == []


def _blank(route: Route) -> None:
    route.fulfill(body=_PIXEL, content_type="image/png")


@pytest.mark.parametrize(
    ("game", "choices"),
    [
        ("talavera", 0),  # a pair is turned over
        ("talavera", 3),  # two cards are placed
        ("toripoka", 9),
        ("taluva", 7),  # a tile is laid
        ("taluva", 12),  # something is built
        ("advaya", 1),
        ("atreya", 6),  # a place is chosen, or a tile lifted
        ("atreya", 7),
    ],
)
def test_every_legal_move_can_be_reached(browser: Browser, game: str, choices: int) -> None:
    table = made(game, choices)
    names = {move.name for move in table._known}
    assert len(names) > 1
    with Sitting(browser, table) as page:
        for by in ("pointer", "keys"):
            assert set(page.evaluate("by => pointing.reach(by)", by)) == names


class Hand:
    """Plays at random what a page offers: with a mouse, or with a finger."""

    def __init__(self, page: Page, *, is_finger: bool = False) -> None:
        self.page, self.is_finger, self.rng = page, is_finger, Random(9)

    def play_on(self, most: int = 2000) -> int:
        """Plays to the end of the game, or so many presses. How many there were."""
        for presses in range(most):
            shown = self.page.evaluate("pointing.offers()")
            if shown["over"]:
                return presses
            offers = shown["offers"]
            if shown["held"] is not None:
                offers = [offer for offer in offers if offer[0] == "place"]
            assert offers
            self.press(*self.rng.choice(offers)[:3])
        return most

    def press(self, kind: str, x: float, y: float) -> None:
        before = self.page.evaluate("pointing.stand()")
        if self.is_finger:
            self.tap(kind, x, y, before)
            return
        self.page.mouse.move(x, y)
        for turn in range(14):
            if kind != "place" or self.page.evaluate("pointing.isAimed()"):
                break
            self.page.keyboard.press("f" if turn == 7 else "r")
        if kind == "place":
            assert self.page.evaluate("pointing.isAimed()")
            before = self.page.evaluate("pointing.stand()")
        self.page.mouse.down()
        self.page.mouse.up()
        self.wait(before)

    def tap(self, kind: str, x: float, y: float, before: str) -> None:
        """Twice, the second time to confirm."""
        self.page.touchscreen.tap(x, y)
        self.wait(before)
        before = self.page.evaluate("pointing.stand()")
        lay = self.page.locator("#acts > .lay")
        if lay.count() and self.rng.random() < 0.5:
            lay.tap()
        elif kind == "place":
            self.page.touchscreen.tap(x, y)
        elif lay.count():
            lay.tap()
        else:
            return
        self.wait(before)

    def wait(self, before: str) -> None:
        """Until the page has changed."""
        for _ in range(int(PATIENCE / 0.03)):
            if self.page.evaluate("pointing.stand()") not in ("", before):
                return
            self.page.wait_for_timeout(30)
        pytest.fail(f"nothing happens: {before}")


@pytest.mark.parametrize("game", _GAMES)
def test_a_game_is_played_to_its_end_by_pointing(browser: Browser, game: str) -> None:
    table = made(game)
    with Sitting(browser, table) as page:
        assert Hand(page).play_on() > 8
        assert "won. Seat 1: " in page.locator("#prompt").inner_text()
    assert table._engine.turn(table._state) == OVER


@pytest.mark.parametrize("game", ["talavera", "taluva"])
def test_a_game_is_played_to_its_end_by_a_finger(browser: Browser, game: str) -> None:
    how = {"size": PHONE, "has_touch": True, "is_mobile": True}
    with Sitting(browser, made(game), **how) as page:
        assert Hand(page, is_finger=True).play_on() > 8
        assert "won. Seat 1: " in page.locator("#prompt").inner_text()
