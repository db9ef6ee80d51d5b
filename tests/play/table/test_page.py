"""The real page of a table in real browsers: by pointer, by finger, by keyboard."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from generator.basics.geometry import Point, turning
from generator.pipeline.tabling import table_session
from generator.play.table.server import TableServer
from generator.play.table.session import TableSession
from tests.play.table.tables import session_of
from tests.support.browsing import Visits, waited
from tests.support.processes import PATIENCE
from tests.support.serving import serving
from tests.support.wording import cut_off, mark, unmarked

QUEST = Path(__file__).parents[2] / "templates/quest"
TALUVA = Path(__file__).parents[3] / "templates/taluva"
WIDE, PHONE = (1280, 800), (390, 844)
CARD = 63.5, 88.9  # mm
Open = Callable[..., Page]
_SCALE = "felt.style.getPropertyValue('--mm')"

expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="module", params=[QUEST], ids=lambda path: path.name)
def server(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TableServer]:
    assert browser.is_connected()  # before the game is read, since that limits our memory
    file = tmp_path_factory.mktemp("table") / "saved.json"
    with table_session(str(request.param), 3, file=file) as session, serving(TableServer(session)) as server:
        yield server


@pytest.fixture
def session(server: TableServer) -> TableSession:
    """The table, set up again, with nobody at it."""
    server.session._visitors.clear()
    session_of(server)._random = Random(11)
    session_of(server)._command("restart")
    return session_of(server)


@pytest.fixture
def opened(browser: Browser, server: TableServer, session: TableSession) -> Iterator[Open]:
    """`opened(PHONE)` is the page; what it asks of others, or says is wrong, fails the test."""
    assert session.state.stacks
    visits = Visits(browser, server.address)

    def open_(size: tuple[int, int] = WIDE, **how: Any) -> Page:
        page = visits.open(server.invitation, size, **how)
        expect(page.locator('.seat[aria-pressed="true"]')).to_have_count(1)
        return page

    yield open_
    visits.close()
    assert [message for message in visits.wrong if "409 (Conflict)" not in message] == []  # refusals are shown


def stacks(page: Page) -> Locator:
    return page.locator(".stack")


def middle(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=6)
    page.mouse.up()


def deed(page: Page, name: str) -> Locator:
    """A button of the bar."""
    return page.locator(f'#acts [data-deed="{name}"]')


def scale(page: Page) -> float:
    """Pixels for each millimetre."""
    return float(page.locator("#felt").evaluate("one => parseFloat(one.style.getPropertyValue('--mm'))"))


def lies_at(page: Page, locator: Locator, x: float, y: float) -> None:
    """Waits until a thing, which moves there, has its middle at a place of the window."""
    expect(locator).to_be_visible()
    page.wait_for_function(
        """([one, x, y]) => {
          const box = one.getBoundingClientRect();
          return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 1;
        }""",
        arg=[locator.element_handle(), x, y],
    )


def test_the_top_is_dragged_off_and_on_again(opened: Open) -> None:
    page = opened()
    is_true_to_scale(page)
    deck = stacks(page).first
    home = middle(deck)
    drag(page, home, (640, 420))
    expect(stacks(page)).to_have_count(2)
    expect(deck.locator(".count")).to_have_text("5")
    lies_at(page, stacks(page).nth(1), 640, 420)
    drag(page, (640, 420), (home[0] + 6, home[1] - 4))
    expect(stacks(page)).to_have_count(1)
    expect(deck.locator(".count")).to_have_text("6")
    start = middle(page.locator(".count"))  # the whole stack is dragged by its number
    drag(page, start, (start[0] + 300, start[1] + 150))
    lies_at(page, stacks(page), home[0] + 300, home[1] + 150)
    expect(stacks(page)).to_have_count(1)


def is_true_to_scale(page: Page) -> None:
    expect(stacks(page)).to_have_count(1)
    expect(stacks(page)).to_have_attribute("aria-label", "Cards, face down, stack of 6")
    box = stacks(page).bounding_box()
    assert box
    assert (box["width"], box["height"]) == pytest.approx([number * scale(page) for number in CARD], abs=0.6)
    assert page.locator(".stack img").evaluate("async one => (await one.decode(), one.naturalWidth)")


def test_a_double_click_turns_over_and_a_button_undoes(opened: Open, session: TableSession) -> None:
    page = opened()
    page.mouse.dblclick(*middle(stacks(page)))
    top = session.supply.pieces[session.state.stacks[0].pieces[-1].piece]
    with (QUEST / "cards.csv").open(encoding="utf-8", newline="") as file:
        title = next(row["title"] for row in csv.DictReader(file) if row["id"] == top.id)
    expect(stacks(page)).to_have_attribute("aria-label", f"{title}, face up, stack of 6")
    page.get_by_role("button", name="Undo").click()
    expect(stacks(page)).to_have_attribute("aria-label", "Cards, face down, stack of 6")
    page.get_by_role("button", name="Redo").click()
    expect(stacks(page)).to_have_attribute("aria-label", f"{title}, face up, stack of 6")


def test_cards_are_dragged_into_the_hand_and_out_of_it(opened: Open, session: TableSession) -> None:
    page = opened()
    drag(page, middle(stacks(page)), middle(page.locator("#hand")))
    expect(page.locator(".card")).to_have_count(1)
    expect(page.locator(".seat").first).to_have_text("Seat 1 · 1")
    drag(page, middle(page.locator(".card")), (640, 420))
    expect(stacks(page)).to_have_count(2)
    lies_at(page, stacks(page).nth(1), 640, 420)
    card = session.supply.pieces[session.state.stacks[-1].pieces[-1].piece]
    expect(stacks(page).nth(1)).to_have_attribute("aria-label", f"{card.name}, face up")


def test_a_table_needs_the_keyboard_only(opened: Open, session: TableSession) -> None:
    page = opened()
    page.keyboard.press("ArrowDown")
    expect(stacks(page)).to_be_focused()
    page.keyboard.press("f")
    expect(stacks(page)).to_have_attribute("aria-label", re.compile("face up, stack of 6$"))
    page.keyboard.press(" ")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    expect(stacks(page)).to_have_count(2)
    expect(stacks(page).nth(1)).to_be_focused()
    deck, card = session.state.stacks
    assert (card.x, card.y) == pytest.approx((deck.x + 200, deck.y))
    page.keyboard.press("ArrowLeft")
    expect(stacks(page).first).to_be_focused()
    page.keyboard.press("3")
    page.keyboard.press("d")
    expect(page.locator(".card")).to_have_count(3)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".card").first).to_be_focused()
    page.keyboard.press("P")
    expect(page.locator(".card")).to_have_count(2)
    expect(stacks(page)).to_have_count(3)
    page.keyboard.press("Enter")
    expect(page.locator('[data-deed="Play"]')).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.locator(".card")).to_have_count(3)


def test_what_is_carried_is_put_back(opened: Open, session: TableSession) -> None:
    page = opened()
    before = session.state
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ ")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ghost")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".ghost")).to_have_count(0)
    assert session.state is before


def test_all_that_can_be_done_has_a_button(opened: Open, session: TableSession) -> None:
    page = opened()
    stacks(page).locator(".side").click()
    before = session.state.stacks[0].pieces
    deed(page, "Shuffle").click()
    expect(page.locator("#said")).to_have_text("Seat 1 shuffles Cards")
    assert session.state.stacks[0].pieces != before
    deed(page, "Flip all").click()
    deed(page, "Turn").click()
    expect(page.locator("#said")).to_have_text("Seat 1 turns Cards")
    box = stacks(page).bounding_box()
    assert box
    assert box["width"] == pytest.approx(CARD[1] * scale(page), abs=0.6)
    page.get_by_label("Pieces", exact=True).fill("2")
    deed(page, "Deal").click()
    expect(page.locator(".card")).to_have_count(2)
    deed(page, "Spread").click()
    expect(stacks(page)).to_have_count(4)
    deed(page, "Gather").click()
    expect(stacks(page)).to_have_count(1)
    deed(page, "Draw").click()
    expect(page.locator(".card")).to_have_count(4)


def test_a_second_browser_sees_the_table_and_not_the_hand(opened: Open, session: TableSession) -> None:
    one, other = opened(), opened()
    expect(other.locator('.seat[aria-pressed="true"]')).to_have_text("Seat 2")
    heard: list[str] = []
    other.on("request", lambda request: heard.append(request.url))
    stacks(one).first.locator(".side").click()
    one.keyboard.press("2")
    one.keyboard.press("d")
    expect(one.locator(".card")).to_have_count(2)
    expect(other.locator(".seat").first).to_have_text("Seat 1 · 2")
    expect(stacks(other).first).to_have_attribute("aria-label", "Cards, face down, stack of 4")
    hidden = {session.supply.pieces[number].front for number in session.state.hands[0]}
    sources = one.locator(".card img").evaluate_all("all => all.map(one => one.src)")
    assert {source.split("/")[4] for source in sources} == hidden
    shown = other.content() + " ".join(heard)
    assert not [face for face in hidden if face in shown]
    stacks(other).first.focus()
    other.keyboard.press("d")
    expect(other.locator(".card")).to_have_count(1)
    expect(one.locator(".seat").nth(1)).to_have_text("Seat 2 · 1")


def test_a_page_that_is_loaded_again_has_its_seat(opened: Open) -> None:
    page, other = opened(), opened()
    stacks(page).focus()
    page.keyboard.press("d")
    expect(page.locator(".card")).to_have_count(1)
    page.reload()
    expect(page.locator(".card")).to_have_count(1)
    expect(other.locator(".seat").first).to_be_disabled()


def test_seats_are_changed(opened: Open) -> None:
    page = opened()
    page.locator(".seat").nth(2).click()
    expect(page.locator(".seat").nth(2)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".seat").nth(2)).to_be_focused()
    page.locator(".seat").nth(2).click()
    expect(page.locator("#hand")).to_have_text("Take a seat to have a hand.")
    stacks(page).focus()
    page.keyboard.press("d")
    expect(page.get_by_role("alert")).to_have_text("You have no hand: take a seat")


def test_pieces_snap_to_a_grid(opened: Open, session: TableSession) -> None:
    page = opened()
    page.select_option("#snap", "grid")
    drag(page, middle(stacks(page)), (640, 420))
    expect(stacks(page)).to_have_count(2)
    card = session.state.stacks[-1]
    for at, size in ((card.x, CARD[0]), (card.y, CARD[1])):
        assert at / size % 1 == pytest.approx(0.5, abs=1e-3)


def test_dice_and_counters(opened: Open, session: TableSession) -> None:
    page = opened()
    page.locator("#more-button").click()
    page.get_by_label("A die of").fill("20")
    page.get_by_role("button", name="Add a die").click()
    expect(page.get_by_label("Die of 20: 20")).to_be_visible()
    page.locator("#more-button").click()
    page.get_by_label("A counter for").fill("<b>Ann</b>")
    page.get_by_role("button", name="Add a counter").click()
    counter = page.locator(".counter")
    expect(counter).to_have_text("0<b>Ann</b>")
    counter.click()
    page.keyboard.press("5")
    page.keyboard.press("+")
    expect(counter).to_have_text("5<b>Ann</b>")
    deed(page, "Down").click()
    expect(counter).to_have_text("0<b>Ann</b>")
    drag(page, middle(counter), (400, 420))
    lies_at(page, counter, 400, 420)
    page.locator(".die").click()
    page.keyboard.press("f")
    expect(page.locator("#said")).to_have_text("Seat 1 rolls a die")
    page.keyboard.press("Delete")
    expect(page.locator(".die")).to_have_count(0)
    assert session.state.tallies


def test_the_table_is_saved_and_loaded(opened: Open, session: TableSession) -> None:
    page = opened()
    drag(page, middle(stacks(page)), (640, 420))
    expect(stacks(page)).to_have_count(2)
    for name, left in (("Save the table", 2), ("Set up again", 1), ("Load the saved table", 2)):
        page.locator("#more-button").click()
        page.get_by_role("button", name=name).click()
        expect(stacks(page)).to_have_count(left)
    expect(page.locator("#said")).to_have_text("Seat 1 loads the table from saved.json")
    assert session._file.is_file()


def test_it_is_made_larger_about_the_pointer(opened: Open) -> None:
    page = opened()
    at = middle(stacks(page))
    before = scale(page)
    page.mouse.move(*at)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    page.wait_for_function("before => parseFloat(felt.style.getPropertyValue('--mm')) > before", arg=before)
    page.keyboard.press("0")
    assert scale(page) == pytest.approx(before)


def test_fingers_drag_and_tap(opened: Open) -> None:
    page = opened(PHONE, has_touch=True, is_mobile=True)
    start = middle(stacks(page))
    touch(page, start, (start[0] + 150, start[1] + 160))
    expect(stacks(page)).to_have_count(2)
    stacks(page).nth(1).locator(".side").tap()
    deed(page, "Flip").tap()
    expect(stacks(page).nth(1)).to_have_attribute("aria-label", re.compile("face up$"))
    touch(page, middle(stacks(page).first), middle(page.locator("#hand")))
    expect(page.locator(".card")).to_have_count(1)


def touch(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A finger that goes from one place to another."""
    cdp = page.context.new_cdp_session(page)

    def send(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", start)
    for step in range(1, 7):
        along = step / 6
        at = tuple(a + (b - a) * along for a, b in zip(start, end, strict=True))
        send("touchMove", (at[0], at[1]))
    send("touchEnd")


def test_the_window_is_never_scrolled(opened: Open) -> None:
    page = opened()
    stacks(page).focus()
    widths = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    for width, height in (WIDE, PHONE, (844, 390), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(widths) == [width, height]
        felt = page.locator("#room").bounding_box()
        assert felt
        assert felt["height"] > height / 4


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "dark"), (PHONE, "light")])
def test_all_can_use_it(opened: Open, size: tuple[int, int], scheme: str) -> None:
    """axe-core finds nothing: on the table, and in its dialogs."""
    axe = find_spec("axe_core_python")
    if axe is None or axe.origin is None:
        pytest.skip("axe-core is not installed (pip install axe-core-python)")
    page = opened(size, color_scheme=scheme, reduced_motion="reduce")
    stacks(page).focus()
    page.keyboard.press("2")
    page.keyboard.press("d")
    expect(page.locator(".card")).to_have_count(2)
    page.evaluate(Path(axe.origin).with_name("axe.min.js").read_text("utf-8"))
    for dialog in ("", "#more", "#help"):
        if dialog:
            page.locator(f"{dialog}-button").click()
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        found = result["violations"]
        faults = [(element["id"], node["html"]) for element in found for node in element["nodes"]]
        assert faults == []
        if dialog:
            page.keyboard.press("Escape")


@pytest.mark.parametrize(("key", "why"), [("#nonsense", "has a wrong key"), ("", "lacks the key at its end")])
def test_an_address_without_its_key_says_what_to_do(browser: Browser, server: TableServer, key: str, why: str) -> None:
    page = browser.new_page()
    page.goto(f"{server.address}{key}")
    told = f"The address {why}: copy the whole line that pnp printed into the address bar."
    expect(page.locator("#closed-text")).to_have_text(told)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.get_by_role("alertdialog")).to_be_visible()
    assert page.evaluate("document.querySelector('#closed').matches(':modal')")
    page.close()


@pytest.mark.parametrize("server", [TALUVA], indirect=True, ids=["taluva"])
def test_the_rules_can_be_read(opened: Open, session: TableSession) -> None:
    page = opened()
    page.get_by_role("button", name="Rules").click()
    pages = page.locator("#pages img")
    expect(pages).to_have_count(len(session.supply.rules))
    expect(pages.first).to_be_visible()
    assert pages.first.evaluate("async one => (await one.decode(), one.naturalWidth)") > 500


@pytest.mark.parametrize("server", [TALUVA], indirect=True, ids=["taluva"])
def test_tiles_and_huts_snap_to_the_same_hexagons(opened: Open, session: TableSession) -> None:
    page = opened()
    page.select_option("#snap", "hexagons")
    tiles = page.get_by_label("Tiles, face down")
    for turn, (x, y) in enumerate([(300, 400), (520, 380), (760, 430)]):
        drag(page, middle(tiles.first), (x, y))
        expect(tiles).to_have_count(turn + 2)
        for _ in range(turn):
            page.keyboard.press("r")
        waited(page, partial(is_turned, session, 60 * turn))
    drag(page, middle(tiles.nth(1)), middle(tiles.nth(2)))
    expect(page.locator("#said")).to_have_text("Seat 1 moves Tiles")
    expect(tiles).to_have_count(4)  # it is turned otherwise, and makes no stack
    page.keyboard.press("u")
    expect(page.locator("#said")).to_have_text("Seat 1 undoes the last action")
    hut = page.get_by_label("Huts", exact=False).first
    drag(page, middle(hut), (900, 420))
    expect(page.locator("#said")).to_have_text("Seat 1 takes 1 off Huts")
    assert len(session.state.stacks[-4:]) == 4
    for stack in session.state.stacks[-4:]:
        anchor = session.supply.set_of(stack.pieces[0].piece).anchor
        turned = turning(stack.turn, Point(0, 0)).apply(anchor)
        column, row = hexagon_at(session, stack.x + turned.x, stack.y + turned.y)
        assert (column, row) == pytest.approx((round(column), round(row)), abs=2e-3)


def is_turned(session: TableSession, turn: int) -> bool:
    """Whether the stack on top of all is."""
    return session.state.stacks[-1].turn == turn


def hexagon_at(session: TableSession, x: float, y: float) -> tuple[float, float]:
    """The column and the row of a point among pointed hexagons: whole numbers in their middles."""
    across = session.supply.across
    row = y / (across * 3**0.5 / 2)
    return (x - round(row) % 2 * across / 2) / across, row


def test_every_word_is_of_the_catalogue_and_has_room_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    with table_session(str(QUEST), 3, file=tmp_path / "saved.json") as session:
        session.phrases = mark(session.phrases)
        object.__setattr__(session.supply, "phrases", session.phrases)
        known = [
            session.supply.title,
            *(it.title for it in session.supply.sets),
            *(it.name for it in session.supply.pieces),
        ]
        with serving(TableServer(session)) as server:
            visits = Visits(browser, server.address)
            page = visits.open(server.invitation, PHONE)
            expect(page.locator("#log")).to_contain_text("⟦")
            stacks(page).focus()
            assert unmarked(page, known) == set()
            page.locator('[title*="(d)"]').click()
            expect(page.locator(".card")).to_have_count(1)
            page.locator(".card").focus()
            assert (unmarked(page, known), cut_off(page)) == (set(), [])
            for name in ("more", "help"):
                page.locator(f"#{name}-button").click()
                assert (unmarked(page, known), cut_off(page)) == (set(), [])
                page.keyboard.press("Escape")
            visits.close()
            assert visits.wrong == []
