"""Where the parts of the real page lie, on wide windows and on phones."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser, Page, Route, expect

import generator
from generator.pdf.raster import rasterise_each
from generator.pipeline.request import PrintOptions
from tests.studio.showing import ROOT, Shown, await_event, showing, with_rules
from tests.support.processes import PATIENCE

TALAVERA = ROOT / "templates/talavera"
WIDE, PHONE, LYING = (1280, 800), (390, 844), (844, 390)
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def shown(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    assert browser.is_connected()  # before the game is read, since that limits our memory
    with showing(tmp_path_factory.mktemp("page") / "talavera", TALAVERA) as shown_page:
        # msgspec crashes if two threads read a spec for the first time at once
        await_event(shown_page.session.listen(), "state")
        yield shown_page


@pytest.fixture
def opened(browser: Browser, shown: Shown) -> Iterator[Open]:
    contexts = []

    def open_(query: str = "", size: tuple[int, int] = WIDE, on: Shown = shown) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{on.server.address}{query}")
        expect(page.locator("#title")).not_to_have_text("pnp preview")
        return page

    yield open_
    for context in contexts:
        context.close()


def box(page: Page, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.locator(selector).first.evaluate(
        "one => { const {left, right, top, bottom} = one.getBoundingClientRect(); return {left, right, top, bottom} }"
    )
    return found


def test_back_lies_beside_its_front(opened: Open) -> None:
    page = opened("?tab=sheets")
    sheet = page.locator(".sheet.has-back").first
    expect(sheet.locator(".side")).to_have_text(["Front", "Back"])
    front, back = (sheet.locator("svg").nth(at).bounding_box() for at in (0, 1))
    assert front
    assert back
    assert (back["y"], back["width"], back["height"]) == pytest.approx(
        (front["y"], front["width"], front["height"]), abs=0.5
    )
    assert 0 < back["x"] - front["x"] - front["width"] < 40
    main = box(page, "main")
    assert back["x"] + back["width"] > main["right"] - 40  # the pair fills the width


def test_faces_and_sheets_stand_side_by_side(opened: Open) -> None:
    page = opened()
    page.keyboard.press("4")
    faces, sheet = box(page, "#faces .cell"), box(page, "#sheets .sheet svg")
    assert faces["right"] < sheet["left"]
    assert faces["top"] < 800 > sheet["top"]
    page.keyboard.press("End")
    page.wait_for_timeout(300)
    assert box(page, "#sheets")["top"] < 200  # it stays beside the faces further down
    page.reload()
    expect(page.get_by_role("button", name="Both")).to_have_attribute("aria-current", "page")
    expect(page.locator("#sheets .sheet").first).to_be_visible()


def test_phone_shows_the_back_below_its_front(opened: Open) -> None:
    page = opened("?tab=sheets", PHONE)
    sheet = page.locator(".sheet.has-back").first
    front, back = (sheet.locator("svg").nth(at).bounding_box() for at in (0, 1))
    assert front
    assert back
    assert back["x"] == pytest.approx(front["x"], abs=0.5)
    assert back["y"] > front["y"] + front["height"]
    assert front["width"] > 330


def test_sheets_of_one_page_fill_the_rows(opened: Open, tmp_path: Path) -> None:
    with showing(tmp_path / "quest", options={"sides": "fold"}) as quest:
        page = opened("?tab=sheets", on=quest)
        expect(page.locator(".sheet").first).to_be_visible()
        assert page.locator(".sheet.has-back").count() == 0
        expect(page.get_by_role("button", name="Light table")).to_have_count(0)
        columns = page.locator(".row").evaluate("row => getComputedStyle(row).gridTemplateColumns")
        assert len(columns.split()) == 2


def test_cover_and_rules_are_shown_as_they_print(opened: Open, tmp_path: Path) -> None:
    options: PrintOptions = {"paper": "letter", "only": ["cover", "rules"]}
    path = tmp_path / "leaflets.pdf"
    game = with_rules(tmp_path)
    generator.print_game(game, path, **options)
    with showing(game, options=options) as leaflets:
        page = opened("?tab=sheets", (1600, 1200), on=leaflets)
        expect(page.locator(".sheet")).to_have_count(2)
        pages = page.locator(".sheet svg").all()
        seen = [as_seen(mark) for mark in pages]
    cover, blank, *rules = rasterise_each(path.read_bytes(), 96)
    assert blank.convert("L").getextrema() == (255, 255)
    for shown, printed in zip(seen, [cover, *rules], strict=True):
        alike = [picture.convert("L").resize((60, 60)) for picture in (shown, printed)]
        assert ImageStat.Stat(alike[1]).stddev[0] > 8
        assert ImageStat.Stat(ImageChops.difference(*alike)).mean[0] < 3.0


def as_seen(svg: Any) -> Image.Image:
    svg.scroll_into_view_if_needed()
    expect(svg.locator("image").first).to_be_attached()
    svg.evaluate("svg => Promise.all([...svg.querySelectorAll('image')].map(image => image.decode()))")
    return Image.open(io.BytesIO(svg.screenshot()))


def test_pictures_out_of_sight_are_asked_for_last(opened: Open) -> None:
    page = opened(size=(1280, 500))
    held: list[Route] = []
    page.route(re.compile("/face/.*/whole-"), lambda route: held.append(route))
    page.get_by_role("button", name="Sheets").click()
    expect(page.locator(".sheet image").first).to_be_attached()
    page.wait_for_timeout(300)
    visible = """svgs => svgs.filter(svg => svg.childElementCount).map(svg =>
      svg.getBoundingClientRect().top < innerHeight)"""
    drawn = page.locator(".sheet svg").evaluate_all(visible)
    assert drawn
    assert all(drawn)
    for route in held:
        route.continue_()
    page.unroute(re.compile("/face/.*/whole-"))
    page.wait_for_function(
        "() => [...document.querySelectorAll('.sheet svg')].some(svg => svg.childElementCount"
        " && svg.getBoundingClientRect().top > innerHeight)"
    )


def test_findings_stay_in_sight(opened: Open) -> None:
    page = opened()
    page.locator("#findings summary").click()
    expect(page.locator("#findings .finding").first).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    findings, header = box(page, "#findings"), box(page, "header")
    assert findings["top"] == pytest.approx(header["bottom"], abs=1)
    assert findings["bottom"] == pytest.approx(WIDE[1], abs=1)
    assert page.locator("#findings").evaluate("one => getComputedStyle(one).overflowY") == "auto"


def test_finding_leads_to_its_face(opened: Open) -> None:
    page = opened(size=(1280, 500))
    cell = page.locator('[data-key="cards/18/front"]')
    expect(cell).not_to_be_in_viewport()
    page.locator("#findings summary").click()
    page.get_by_role("button", name="18 front").first.click()
    expect(page.locator("#large-title")).to_contain_text("18 Cards, front")
    page.keyboard.press("Escape")
    expect(cell).to_be_in_viewport()


@pytest.mark.parametrize("size", [PHONE, LYING])
def test_phone_has_a_bar_that_opens_the_findings(opened: Open, size: tuple[int, int]) -> None:
    page = opened(size=size)
    bar = page.get_by_role("button", name="No findings")
    expect(bar).to_be_in_viewport()
    expect(page.locator("#findings")).to_be_hidden()
    page.keyboard.press("3")
    expect(page.locator("#findings")).to_be_focused()
    expect(bar).to_have_attribute("aria-expanded", "true")
    assert box(page, "aside")["top"] >= box(page, "header")["bottom"]
    page.keyboard.press("Escape")
    expect(page.locator("#findings")).to_be_hidden()
    bar.click()
    page.locator("#findings summary").click()
    expect(page.locator("#findings .finding").first).to_be_visible()
    page.locator("#menu-button").click()
    expect(page.locator("#findings .faces button").first).to_be_visible()
    fingers_can_press(page)


def fingers_can_press(page: Page) -> None:
    small = page.locator("button:visible, select:visible, input[type=search]:visible, label:visible")
    sizes = small.evaluate_all(
        """parts => parts.map(part => [part.id || part.textContent,
          part.getBoundingClientRect().width, part.getBoundingClientRect().height])"""
    )
    assert [size for size in sizes if min(size[1:]) < 40] == []


def test_phone_has_a_header_of_one_line(opened: Open) -> None:
    page = opened(size=PHONE)
    page.evaluate("document.querySelector('#title').textContent = 'A game of long words '.repeat(9)")
    for width, height in (LYING, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        assert box(page, "header")["bottom"] <= 60
        parts = [box(page, part) for part in ("h1", "nav", "#menu-button")]
        for left, right in pairwise(parts):
            assert left["right"] <= right["left"]
        expect(page.locator("#search")).to_be_hidden()
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()
    page.keyboard.type("zzzz")
    expect(page.locator("#faces")).to_contain_text("No face matches")
    page.keyboard.press("Escape")
    expect(page.locator("#search")).to_be_hidden()


def test_faces_fill_the_width(opened: Open) -> None:
    page = opened()
    for width, height in ((1100, 800), WIDE, (1600, 1000), LYING, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
        room, *rights = page.locator(".grid").first.evaluate(
            "grid => [grid, ...grid.querySelectorAll('.cell')].map(part => part.getBoundingClientRect().right)"
        )
        assert room - 4 < max(rights) <= room, width


def test_hint_finds_faces_of_this_game(opened: Open, tmp_path: Path) -> None:
    with showing(tmp_path / "quest") as quest:
        page = opened(on=quest)
        hint = str(page.locator("#search").get_attribute("placeholder"))
        word, value, number = hint.removeprefix("Search: ").split()
        assert (word, value, number) == ("dragon", "colour:ember", "cost>4")
        for term in (word, value, number, hint.removeprefix("Search: ")):
            page.fill("#search", term)
            left = page.locator('.cell[data-key$="/front"]')
            expect(page.locator("#faces small").first).to_contain_text("of 6")
            assert 0 < left.count() < 6
