"""A seat at a table by the rules in a real browser, and a hand that plays at random there."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from math import cos, radians, sin
from pathlib import Path
from random import Random
from typing import Any, Literal, get_args

import pytest
from playwright.sync_api import Browser, Page, Route

from generator.pipeline.tabling import refereed_table
from generator.play.table.referee import RefereedTable
from generator.play.table.server import TableServer
from tests.support.processes import PATIENCE
from tests.support.serving import serving

WIDE, PHONE = (1280, 900), (390, 844)
GAMES = {  # which end soon
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


@cache
def _read(game: str, *rules: tuple[str, str]) -> RefereedTable:
    return refereed_table(game, ["random"], dict(rules))


def made(game: str, choices: int = 0, rules: Mapping[str, str] | None = None, seed: int = 7) -> RefereedTable:
    """A table in the middle of a game, against bots that move at random; by default with rules that end it soon."""
    like, rng = _read(game, *(GAMES[game] if rules is None else rules).items()), Random(seed)
    table = RefereedTable(like.supply, like._engine, like._bots, Random(5))
    for _ in range(choices):
        table._make(rng.choice(table._known))
    return table


class Sitting:
    """A page at a table. Its pictures are painted only if that is asked for."""

    def __init__(self, browser: Browser, table: RefereedTable, *, is_painted: bool = False, **how: Any) -> None:
        self._stack = ExitStack()
        self.table = table
        self._stack.enter_context(table)
        server = self._stack.enter_context(serving(TableServer(table)))
        width, height = how.pop("size", WIDE)
        context = browser.new_context(
            viewport={"width": width, "height": height}, bypass_csp=True, reduced_motion="reduce", **how
        )
        self._stack.callback(context.close)
        context.set_default_timeout((12 if is_painted else 1) * PATIENCE * 1000)
        self.page = context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        if not is_painted:
            self.page.route("**/face/**", _blank)
        self.page.goto(server.invitation)
        self.page.locator(".moves, .move").first.wait_for()
        self.page.evaluate(f"() => {{ window.pointing = {_SCRIPT} }}")

    def __enter__(self) -> Page:
        return self.page

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        assert self.wrong == []


def _blank(route: Route) -> None:
    route.fulfill(body=_PIXEL, content_type="image/png")


Way = Literal["pointer", "finger", "keys"]
WAYS: tuple[Way, ...] = get_args(Way)
_MOST_TURNS = 14  # of a piece, until it may lie at a place
_MOST_ARROWS, _MOST_TABS = 40, 600  # until the focus is where it should be


class Hand:
    """Plays at random what a page offers: with a mouse, with a finger, or by keyboard alone."""

    def __init__(self, page: Page, by: Way = "pointer") -> None:
        self.page, self.by, self.rng = page, by, Random(9)

    def play_on(self, most: int = 2000) -> int:
        """Plays to the end of the game, or so many presses. How many there were."""
        return sum(1 for _ in self.press_on(most))

    def press_on(self, most: int) -> Iterator[None]:
        """As `play_on`, press by press."""
        for _ in range(most):
            shown = self.page.evaluate("pointing.offers()")
            if shown["over"]:
                return
            offers = shown["offers"]
            if shown["held"] is not None:
                offers = [offer for offer in offers if offer[0] == "place"] or offers
            assert offers
            kind, _, _, name = self.rng.choice(offers)
            self.press(kind, name)
            yield

    def press(self, kind: str, name: str) -> None:
        before = self.page.evaluate("pointing.stand()")
        at = self.page.evaluate("([kind, name]) => pointing.bring(kind, name)", [kind, name])
        if not at:
            return
        x, y = at
        if self.by == "keys":
            self.walk_to(kind, name)
            for _ in range(self.rng.randrange(4) if kind == "place" else 0):
                self.page.keyboard.press("r")
            self.page.keyboard.press("Enter")
            self.wait(before)
        elif self.by == "finger":
            self.tap(kind, x, y, before)
        else:
            self.click(kind, x, y, before)

    def click(self, kind: str, x: float, y: float, before: str) -> None:
        self.page.mouse.move(x, y)
        for turn in range(_MOST_TURNS):
            if kind != "place" or self.page.evaluate("pointing.isAimed()"):
                break
            self.page.keyboard.press("f" if turn == _MOST_TURNS // 2 else "r")
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

    def walk_to(self, kind: str, name: str) -> None:
        """Moves the focus by arrows; where these do not lead, by Tab."""
        for press in range(_MOST_ARROWS + _MOST_TABS):
            way = self.page.evaluate("([kind, name]) => pointing.way(kind, name)", [kind, name])
            if way == "":
                return
            self.page.keyboard.press(way if press < _MOST_ARROWS else "Tab")
        pytest.fail(f"no key leads to the {kind} {name}")

    def wait(self, before: str) -> None:
        """Until the page has changed."""
        for _ in range(int(PATIENCE / 0.03)):
            if self.page.evaluate("pointing.stand()") not in ("", before):
                return
            self.page.wait_for_timeout(30)
        pytest.fail(f"nothing happens: {before}")


def place_in(page: Page, at: int = 0) -> tuple[float, float]:
    """Where a place is in the window."""
    offers = page.evaluate("pointing.offers()")["offers"]
    _, x, y, _ = [offer for offer in offers if offer[0] == "place"][at]
    return x, y


def twist(page: Page, x: float, y: float) -> None:
    """Two fingers that turn about a point."""
    cdp = page.context.new_cdp_session(page)
    for angle in range(0, 41, 8):
        along, down = 40 * cos(radians(angle)), 40 * sin(radians(angle))
        points = [{"x": x + along, "y": y + down}, {"x": x - along, "y": y - down}]
        kind = "touchMove" if angle else "touchStart"
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
