"""Games by the rules, played by pointing in real browsers: by pointer, by finger, by keyboard."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache, partial
from math import cos, radians, sin
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from generator.pipeline.tabling import refereed_table
from generator.play.engine import OVER
from generator.play.table.referee import RefereedTable
from generator.play.table.server import TableServer
from tests.export.site.test_browser import find_faults
from tests.play.table.test_page import middle
from tests.support.browsing import waited
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
_LABELS = "all => all.map(one => one.getAttribute('aria-label'))"
# What the tests ask of the page.
_SCRIPT = Path(__file__).with_name("pointing.js").read_text("utf-8")


@cache
def read(game: str) -> RefereedTable:
    return refereed_table(game, ["random"], _GAMES[game])


def made(game: str, choices: int = 0) -> RefereedTable:
    """A table in the middle of a game, against bots that move at random."""
    like, rng = read(game), Random(7)
    table = RefereedTable(like.supply, like._engine, like._bots, Random(5))
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
            viewport={"width": width, "height": height}, bypass_csp=True, reduced_motion="reduce", **how
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


def test_a_game_is_played_to_its_end_by_keys_alone(browser: Browser) -> None:
    with Sitting(browser, made("talavera")) as page:
        hand, keys = Hand(page), page.keyboard
        while not page.evaluate("pointing.offers()")["over"]:
            for _ in range(hand.rng.randint(1, 3)):
                keys.press(hand.rng.choice(["ArrowRight", "ArrowDown", "ArrowLeft"]))
            before = page.evaluate("pointing.stand()")
            keys.press("Enter")
            hand.wait(before)
        assert "won. Seat 1: " in page.locator("#prompt").inner_text()


def place_in(page: Page, at: int = 0) -> tuple[float, float]:
    """Where a place is in the window."""
    offers = page.evaluate("pointing.offers()")["offers"]
    _, x, y = [offer for offer in offers if offer[0] == "place"][at]
    return x, y


def test_a_tile_snaps_turns_and_is_laid(browser: Browser) -> None:
    table = made("taluva", 7)
    with Sitting(browser, table) as page:
        assert find_faults(page) == []
        tile, why = page.locator(".laying"), page.locator("#why")
        x, y = place_in(page)
        page.mouse.move(x + 5, y - 4)
        expect(tile).to_have_class("laying is-hanging is-good")
        turns = {tile.evaluate("one => one.style.rotate")}
        turn = page.get_by_role("button", name="Turn", exact=True)
        ways: list[Callable[[], None]] = [
            partial(page.keyboard.press, "r"),
            partial(page.mouse.wheel, 0, 100),
            partial(turn.press, "Enter"),
        ]
        for way in ways:
            before = tile.evaluate("one => one.style.rotate")
            way()
            expect(tile).not_to_have_attribute("style", re.compile(rf"rotate: {before}"))
            turns.add(tile.evaluate("one => one.style.rotate"))
        assert len(turns) > 1
        page.mouse.click(30, 120)  # far from the island
        expect(tile).to_have_class("laying is-hanging is-bad")
        expect(why).to_have_text("Not legal here: the outlined places are.")
        assert len(table._choices) == 7
        page.mouse.click(x, y)
        waited(page, lambda: len(table._choices) == 8)
        expect(why).to_be_hidden()


def test_places_are_outlined_once(browser: Browser) -> None:
    """However a tile is turned there."""
    table = made("taluva", 7)
    with Sitting(browser, table) as page:
        drawn = page.locator(".shore polygon").count()
        assert drawn == page.locator(".place").count()
        assert drawn < len(table._known) / 2
        fills = page.locator(".shore polygon").first.evaluate("one => getComputedStyle(one).fill")
        assert fills == "none"


def test_all_moves_are_listed_and_found_by_their_names(browser: Browser) -> None:
    table = made("taluva", 7)
    names = [move.name for move in table._known]
    with Sitting(browser, table) as page:
        listed = page.locator(".moves .move")
        page.get_by_text(f"All {len(names)} moves").click()
        assert len(set(listed.all_inner_texts())) == len(names)
        page.get_by_label("Filter").fill("erupt north")
        said = {f"{move.name} {move.words}".lower(): move.words for move in table._known}
        wanted = [told for told in said if "erupt" in told and "north" in told]
        expect(listed).to_have_count(len(wanted))
        words = said[wanted[-1]]
        expect(listed.last).to_contain_text(words)
        listed.last.click()
        waited(page, lambda: len(table._choices) == 8)
        assert any(getattr(it, "words", "") == words for it in table._moves)


def test_a_card_is_dragged_to_its_corner_and_taken_back(browser: Browser) -> None:
    table = made("talavera", 3)
    with Sitting(browser, table) as page:
        card = page.locator(".thing.is-legal").first
        box = card.bounding_box()
        assert box
        page.mouse.move(box["x"] + 20, box["y"] + 30)
        page.mouse.down()
        page.mouse.move(box["x"] + 40, box["y"] + 60, steps=4)
        expect(page.locator(".laying.is-bad")).to_be_visible()
        page.mouse.move(*place_in(page), steps=6)
        page.mouse.up()
        expect(page.locator(".laying.is-laid")).to_have_count(1)
        assert len(table._choices) == 3
        for left in (1, 0):
            page.keyboard.press("Escape")
            expect(page.locator(".laying.is-laid")).to_have_count(0)
            expect(page.get_by_role("button", name="Take back")).to_have_count(left)
        expect(card).to_be_visible()


def test_a_pair_of_cards_is_turned_over_by_two_clicks(browser: Browser) -> None:
    table = made("talavera")
    words = {move.name: move.words for move in table._known}
    with Sitting(browser, table) as page:
        cards = page.locator(".thing.is-legal")
        expect(cards).to_have_count(4)
        names = [name.split()[1].strip(",") for name in cards.evaluate_all(_LABELS)]
        cards.nth(2).locator(".side").click()
        expect(page.locator(".thing.is-taken")).to_have_count(1)
        cards.nth(0).locator(".side").click()
        waited(page, lambda: len(table._choices) == 1)
        flipped = f"flip {' '.join(sorted((names[0], names[2]), key=int))}"
        assert any(getattr(it, "words", "") == words[flipped] for it in table._moves)


def test_a_finger_sets_a_tile_two_turn_it_and_a_second_tap_lays_it(browser: Browser) -> None:
    table = made("taluva", 7)
    with Sitting(browser, table, size=PHONE, has_touch=True, is_mobile=True) as page:
        tile = page.locator(".laying.is-good")
        places = range(page.locator(".place").count())
        for place in places:  # one that takes it in several ways
            page.touchscreen.tap(*place_in(page, place))
            expect(tile).to_have_count(1)
            if page.evaluate("pointing.waysHere()") > 1:
                break
        assert len(table._choices) == 7
        before = tile.evaluate("one => one.style.rotate")
        x, y = middle(tile)
        twist(page, x, y)
        expect(tile).not_to_have_attribute("style", re.compile(rf"rotate: {before}"))
        page.get_by_role("button", name="Lay it").tap()
        waited(page, lambda: len(table._choices) == 8)


def twist(page: Page, x: float, y: float) -> None:
    """Two fingers that turn about a point."""
    cdp = page.context.new_cdp_session(page)
    for angle in range(0, 41, 8):
        along, down = 40 * cos(radians(angle)), 40 * sin(radians(angle))
        points = [{"x": x + along, "y": y + down}, {"x": x - along, "y": y - down}]
        kind = "touchMove" if angle else "touchStart"
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
