"""The turn in words: what is asked and counted, how moves are said, what is offered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from generator.play.engine import CHANCE, OVER
from generator.play.table.server import TableServer
from tests.export.site.test_browser import find_faults
from tests.play.table.test_referee import Player, table_of
from tests.support.browsing import Visits
from tests.support.engines import engine_of
from tests.support.processes import PATIENCE
from tests.support.serving import serving

expect.set_options(timeout=PATIENCE * 1000)
WIDE, PHONE = (1440, 900), (390, 844)
# Of so many choices of random games: how many moves there were, and how many sentences.
_SAID = {
    "talavera": (448, 448),
    "toripoka": (1078, 1078),
    "taluva": (11837, 922),
    "advaya": (72157, 28476),
    "atreya": (5709, 3388),
}
_CHOICES = 100


@pytest.mark.parametrize("game", _SAID)
def test_moves_are_said_in_words_of_their_own(game: str) -> None:
    """Where they are not, the page adds the notation; what holds of each is in look_at."""
    said = [(len(names), len(words)) for names, words in islice(_choices(game), _CHOICES)]
    assert tuple(map(sum, zip(*said, strict=True))) == _SAID[game]


def _choices(game: str) -> Iterator[tuple[set[str], set[str]]]:
    """The names and the sentences of the moves at each choice of random games."""
    engine, rng = engine_of(game), Random(1)
    while True:
        state = engine.start()
        while (turn := engine.turn(state)) != OVER:
            moves = engine.legal(state)
            if turn == CHANCE:
                state = engine.apply(state, engine.draw(state, rng))
                continue
            names = {engine.write(state, move) for move in moves}
            yield names, {engine.say(state, move) for move in moves}
            state = engine.apply(state, rng.choice(moves))


@pytest.mark.parametrize("game", ["talavera", "toripoka"])
def test_the_own_side_lies_nearest(game: str) -> None:
    """Each seat has its order, or its hand, in the lower half of the table, the other's above."""
    table = table_of(game, "people")
    for seat in (0, 1):
        player, state = Player(table, seat), table._state
        if game == "talavera":
            engine: Any = table._engine
            faces = [table._pieces["cards", engine.ids[card]].front for card in state.orders]
            (own,) = [it["y"] for it in player.sees()["stacks"] if it["face"] == faces[seat]]
            (other,) = [it["y"] for it in player.sees()["stacks"] if it["face"] == faces[1 - seat]]
        else:
            up = [it["y"] for it in player.sees()["stacks"] if it["isUp"]]
            down = [it["y"] for it in player.sees()["stacks"] if not it["isUp"]]
            own, other = min(up), min(down)
        assert other < player.sees()["size"][1] / 2 < own


@pytest.mark.parametrize("game", ["talavera", "taluva"])
def test_what_lies_and_what_may_lie_fills_the_felt(game: str) -> None:
    player = Player(table_of(game, "random"))
    for _ in range(7):
        player.act(do="play", move=player.moves()[-1]["name"])
    seen = player.sees()
    sets = player.table.supply.sets
    shown = [*seen["stacks"], *_places(seen["played"])]
    upright = [it for it in shown if it["turn"] % 180 == 0]
    for at, breadth in ((0, seen["size"][0]), (1, seen["size"][1])):
        halves = [(it["xy"[at]], sets[it["set"]].size[at] / 2) for it in upright]
        assert min(middle - half for middle, half in halves) >= 10 - 0.01
        assert max(middle + half for middle, half in halves) <= breadth - 10 + 0.01
        assert max(it["xy"[at]] for it in shown) > breadth - 10 - 60


def _places(played: dict[str, Any]) -> list[dict[str, Any]]:
    """Where the moves of a seat put pieces."""
    return [{"set": played["looks"][look]["set"], "x": x, "y": y, "turn": turn} for look, x, y, turn in played["spots"]]


@pytest.fixture
def opened(browser: Browser) -> Iterator[tuple[Page, ExitStack]]:
    """The page of Talavera against a bot; what ends with the stack serves it."""
    assert browser.is_connected()
    with ExitStack() as stack:
        table = stack.enter_context(table_of("talavera"))
        server = stack.enter_context(serving(TableServer(table)))
        visits = Visits(browser, server.address)
        page = visits.open(server.invitation, WIDE)
        expect(page.locator("#prompt")).to_have_text("Your turn: turn two cards over.")
        yield page, stack
        visits.close()


def test_a_turn_is_told_in_words_and_counters(opened: tuple[Page, ExitStack]) -> None:
    page, _ = opened
    counters = page.locator("#counters")
    expect(counters).to_contain_text("cards in the stack 12")
    expect(counters.locator(".tallies").nth(1)).to_contain_text(re.compile(r"^You\s*yellow 0 of \d"))
    expect(counters.locator(".tallies").nth(2)).to_contain_text(re.compile(r"^Seat 2\s*yellow 0 of \d"))
    page.locator("#acts summary").click()
    expect(page.locator(".move").first).to_have_text("Turn over the first and the second card")
    page.locator(".move").first.click()
    expect(page.locator("#prompt")).to_have_text("Your turn: take a card.")
    log = page.locator("#log")
    expect(log).to_contain_text("Seat 1: turn over the first and the second card")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    log.click()
    lines = page.locator("#done-lines li")
    expect(lines).to_have_text(["A guest takes Seat 1", "Seat 1: turn over the first and the second card"])
    assert find_faults(page) == []
    page.keyboard.press("Escape")
    expect(lines.first).to_be_hidden()
    tray, acts = (page.locator(part).bounding_box() for part in ("#tray", "#acts"))
    assert tray
    assert acts
    assert acts["height"] < 2 * 44
    assert tray["height"] < PHONE[1] / 4
    assert counters.evaluate("all => all.scrollWidth === all.clientWidth && all.scrollHeight === all.clientHeight")
    assert find_faults(page) == []


def test_moves_that_are_said_alike_have_their_notation(opened: tuple[Page, ExitStack]) -> None:
    page, _ = opened
    words = page.evaluate(
        """async () => {
          const { sayMove } = await import("/turn.js"), { state } = await import("/table.js");
          const names = ["go 1,2", "go 3,4", "stop"];
          state().played.moves = names.map((name) => ({ name, words: name.slice(0, 2) }));
          return state().played.moves.map(sayMove);
        }"""
    )
    assert words == ["go (go 1,2)", "go (go 3,4)", "st"]


def test_what_the_rules_refuse_is_not_offered(opened: tuple[Page, ExitStack]) -> None:
    page, _ = opened
    order = page.locator(".stack").last
    order.focus()
    for key in ("f", "r", "s", "d", "5"):
        page.keyboard.press(key)
    page.mouse.dblclick(*_middle(page, ".stack >> nth=-1"))
    expect(page.locator("#acts [data-deed]")).to_have_count(0)
    expect(page.locator("#acts summary")).to_be_visible()
    assert page.locator("#wrong").is_hidden() or "No legal move" in page.locator("#wrong").inner_text()
    page.keyboard.press("?")
    help_ = page.locator("#help")
    expect(help_).to_contain_text("undo")
    for word in ("shuffle", "deal", "roll", "redo", "count on"):
        expect(help_.get_by_text(word).locator("visible=true")).to_have_count(0)
    expect(page.locator("#notation-text")).to_contain_text("stack: 12 cards")


def _middle(page: Page, which: str) -> tuple[float, float]:
    box = page.locator(which).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_table_that_has_ended_says_how_to_go_on(opened: tuple[Page, ExitStack]) -> None:
    page, stack = opened
    stack.close()
    expect(page.locator("#closed")).to_contain_text("To go on, start it again in the terminal")
    assert page.evaluate("document.querySelector('#closed').matches(':modal')")
