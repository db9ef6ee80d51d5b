"""Games by the rules, played by pointing in real browsers: by pointer, by finger, by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from generator.basics.phrases import read_phrases
from generator.play.engine import LANGUAGES, OVER
from generator.play.table.referee import RefereedTable
from tests.export.site.test_browser import find_faults
from tests.play.table.test_page import middle
from tests.support.browsing import waited
from tests.support.pointing import GAMES, PHONE, Hand, Sitting, made, place_in, twist

_PANS = "part => part.scrollWidth > part.clientWidth"
_LABELS = "all => all.map(one => one.getAttribute('aria-label'))"


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


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_by_pointing(browser: Browser, game: str) -> None:
    table = made(game)
    with Sitting(browser, table) as page:
        assert Hand(page).play_on() > 8
        assert "won. Seat 1: " in page.locator("#prompt").inner_text()
    assert table._engine.turn(table._state) == OVER


@pytest.mark.parametrize("game", ["talavera", "taluva"])
def test_a_game_is_played_to_its_end_by_a_finger(browser: Browser, game: str) -> None:
    how: dict[str, Any] = {"size": PHONE, "has_touch": True, "is_mobile": True}
    with Sitting(browser, made(game), **how) as page:
        assert Hand(page, "finger").play_on() > 8
        assert "won. Seat 1: " in page.locator("#prompt").inner_text()
        assert page.locator(".counters").evaluate(_PANS) is False
        for language in (path.stem for path in LANGUAGES.glob("*.toml")):
            said = read_phrases(language, LANGUAGES).say
            words = {name: said(f"page.{name}") for name in ("undo", "fit", "rules")}
            page.evaluate(
                """({ undo, fit, rules }) => {
              for (const [id, words] of [["undo", undo], ["fit", fit], ["rules-button", rules]])
                document.getElementById(id).textContent = words;
            }""",
                words,
            )
            assert (language, page.locator(".tools").evaluate(_PANS)) == (language, False)


def test_a_game_is_played_to_its_end_by_keys_alone(browser: Browser) -> None:
    with Sitting(browser, made("talavera")) as page:
        assert Hand(page, "keys").play_on() > 8
        assert "won. Seat 1: " in page.locator("#prompt").inner_text()


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
        expect(why).to_have_text("It must touch the island.")
        page.mouse.move(34, 120)
        expect(why).to_have_text("It must touch the island.")
        page.mouse.move(30, 500)
        expect(why).to_have_text("Not legal here: the outlined places are.")
        expect(page.locator(".tally .icon img").first).to_have_attribute("src", re.compile("/face/"))
        assert len(table._choices) == 7
        page.mouse.click(x, y)
        waited(page, lambda: len(table._choices) == 8)
        expect(why).to_be_hidden()


def is_told(table: RefereedTable, move: str) -> bool:
    """Whether the log has a move, which it gets after the move is made."""
    return any(getattr(it, "words", "").lower().endswith(f": {move.lower()}") for it in table._moves)


def test_places_are_outlined_once(browser: Browser) -> None:
    """However a tile is turned there."""
    table = made("taluva", 7)
    with Sitting(browser, table) as page:
        drawn = page.locator(".shore polygon").count()
        assert drawn == page.locator(".place").count()
        assert drawn < len(table._known) / 2
        fills = page.locator(".shore polygon").first.evaluate("one => getComputedStyle(one).fill")
        assert fills == "none"


def test_kinds_that_lie_nowhere_are_chosen_by_their_pictures(browser: Browser) -> None:
    with Sitting(browser, made("taluva", 22, seed=0)) as page:
        kinds = page.locator("#acts > .piece")
        assert kinds.all_inner_texts() == ["Huts", "Temples"]
        assert kinds.locator("img").count() == 2
        assert "Place for Huts red hut" in page.locator(".place").evaluate_all(_LABELS)
        assert find_faults(page) == []


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
        page.keyboard.press("Escape")
        expect(listed.last).to_be_hidden()
        summary = page.locator(".moves summary")
        expect(summary).to_be_focused()
        summary.press("Enter")
        shown = page.locator(".laying.is-shown")
        for move, count in ((listed.last, 1), (page.get_by_label("Filter"), 0), (listed.last, 1)):
            move.focus()
            expect(shown).to_have_count(count)
        listed.last.press("Enter")
        waited(page, lambda: is_told(table, words))
        expect(page.locator(".thing.is-legal, .place, #acts button").and_(page.locator(":focus"))).to_have_count(1)


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
        flipped = words[f"flip {' '.join(sorted((names[0], names[2]), key=int))}"]
        waited(page, lambda: is_told(table, flipped))


def test_a_finger_sets_a_tile_two_turn_it_and_a_second_tap_lays_it(browser: Browser) -> None:
    table = made("taluva", 7)
    with Sitting(browser, table, size=PHONE, has_touch=True, is_mobile=True) as page:
        assert page.evaluate("innerWidth") == PHONE[0], "nothing is wider than the phone"
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
