"""The editor of a face: pictures dropped and dragged, the columns of a layout, and who can use it."""

from __future__ import annotations

import base64
import csv
import io
import shutil
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.export.site.test_browser import find_faults
from tests.studio.showing import QUEST, Shown, showing
from tests.support.browsing import Visits, waited

_LAYOUT = """
[[component]]
id = "lay"
title = "Lay"
table = "lay.csv"
[component.front]
layout = "poker-classic"
[[component]]
id = "tiles"
title = "Tiles"
size = ["50mm", "50mm"]
bleed = "3mm"
[[component.row]]
id = "one"
dragon = 1
[component.front]
renderer = "talavera.tiles"
slots = { dragon = [["1cm", "8mm"]] }
tile = "10mm"
ground = "paper"
ink = "dusk"
number_font = "Abril Fatface"
number_size = "9pt"
ornament = "dragon"
ornament_size = "16mm"
"""
_IMAGE = 'height="30" href'
_MM_ACROSS = 69.5  # of the bleed box
_DROP = """([picture, x, y]) => {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], "small.png", { type: "image/png" }));
  const how = { dataTransfer, clientX: x, clientY: y, bubbles: true, cancelable: true };
  document.querySelector("svg.handles").dispatchEvent(new DragEvent("drop", how));
}"""


@pytest.fixture(scope="module")
def quest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """Quest with a focus and a zoom in its table, and a card of a layout."""
    folder = tmp_path_factory.mktemp("face-page")
    game = folder / "quest"
    shutil.copytree(QUEST, game)
    drawing, table = game / "front.svg", game / "cards.csv"
    drawing.write_text(
        drawing.read_text("utf-8").replace(_IMAGE, f'pnp:focus="focus" pnp:zoom="zoom" {_IMAGE}'), "utf-8"
    )
    heading, *rows = csv.reader(io.StringIO(table.read_text("utf-8")))
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([[*heading, "focus", "zoom"], *([*row, "", "2"] for row in rows)])
    (game / "lay.csv").write_text("name,unread\nFox,Forest\n", "utf-8")
    with (game / "game.toml").open("a", encoding="utf-8") as file:
        file.write(_LAYOUT)
    with showing(game, journals=folder / "journals") as shown:
        yield shown


@pytest.fixture(scope="module")
def page(browser: Browser, quest: Shown) -> Iterator[Page]:
    visits = Visits(browser, quest.server.address)
    yield visits.open(quest.server.invitation, (1440, 900))
    visits.close()
    assert visits.wrong == []


def cell(quest: Shown, column: str) -> str:
    """A cell of the key's row."""
    with (quest.folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        return next(row[column] for row in csv.DictReader(file) if row["id"] == "key")


def open_key(page: Page) -> tuple[float, float, float]:
    """Opens the key's face: the middle of its picture, and the pixels of a mm."""
    if page.locator("#large[open]").count() == 0:
        page.locator('[data-key="cards/key/front"]').click()
    handles = page.locator("svg.handles")
    expect(handles).to_be_visible()
    expect(page.locator(".part-list button").first).to_be_visible()
    box = handles.bounding_box()
    assert box
    scale = box["width"] / _MM_ACROSS
    return box["x"] + 34.75 * scale, box["y"] + 32 * scale, scale


def test_a_picture_that_is_dragged_moves_in_its_frame(page: Page, quest: Shown) -> None:
    x, y, scale = open_key(page)
    page.locator(".part-list").get_by_role("button", name="picture: {{ art }}", exact=True).click()
    page.get_by_role("checkbox", name="drag").check()
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 4):
        page.mouse.move(x + 2 * step * scale, y - step * scale)
    expect(page.locator(".drag-mm")).to_have_text("focus 40 55 %")  # of a picture twice as large
    page.mouse.up()
    waited(page, lambda: cell(quest, "focus") == "40 55")
    zoom = page.get_by_role("spinbutton", name="zoom")
    zoom.fill("1.5")
    zoom.press("Enter")
    waited(page, lambda: cell(quest, "zoom") == "1.5")


def test_a_part_stays_on_the_card_and_has_a_width(page: Page, quest: Shown) -> None:
    x, y, scale = open_key(page)
    page.locator(".part-list").get_by_role("button", name="picture: {{ art }}", exact=True).click()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 200 * scale, y, steps=3)
    expect(page.locator(".drag-mm")).to_contain_text("64.5, ")  # 2 mm of a card of 63.5 mm with 3 mm of bleed
    page.keyboard.press("Escape")
    before, width = (quest.folder / "front.svg").read_bytes(), page.get_by_role("spinbutton", name="width")
    width.fill("-5")
    width.press("Enter")
    assert width.evaluate("input => input.validity.rangeUnderflow")
    width.press("Escape")
    expect(width).to_have_value("30")
    assert (quest.folder / "front.svg").read_bytes() == before
    page.locator("svg.handles").focus()


def test_a_picture_that_is_dropped_is_one_of_the_row(page: Page, quest: Shown) -> None:
    x, y, _ = open_key(page)
    small = io.BytesIO()
    Image.new("RGB", (60, 60), "teal").save(small, "PNG")
    page.evaluate(_DROP, [base64.b64encode(small.getvalue()).decode(), x, y])
    waited(page, lambda: cell(quest, "art") == "art/small.png")
    assert (quest.folder / "art/small.png").read_bytes() == small.getvalue()
    expect(page.locator(".part-notes")).to_contain_text("small.png has 51 dpi at this size")  # 60 px on 30 mm
    page.keyboard.press("Escape")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_all_can_use_the_editor_of_a_face(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_key(page)
    page.locator(".part-list").get_by_role("button", name="text: {{ title }}", exact=True).click()
    assert find_faults(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    for part in ("svg.handles", ".face-edit", '#large [data-name="row"]'):
        expect(page.locator(part)).to_be_hidden()
    expect(page.locator("#large .card img")).to_be_visible()
    assert page.evaluate("document.querySelector('#large').scrollWidth") <= 390
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_place_of_a_layout_shows_a_column_that_nothing_read(page: Page, quest: Shown) -> None:
    page.get_by_role("button", name="Close").click()
    page.route("**/parts?*", lambda _: None)  # as while the game is drawn, which may be at fault then
    with page.expect_event("requestfailed", lambda request: "/parts?" in request.url):
        page.locator('[data-key="lay/1/front"]').click()
        page.get_by_role("button", name="Close").click()
    page.unroute("**/parts?*")
    expect(page.locator("#complaint")).to_be_empty()
    page.locator('[data-key="lay/1/front"]').click()
    place = page.locator(".part-form").get_by_label("flavour")
    expect(place).to_have_value("(its usual heading)")
    place.select_option("unread")
    expect(page.locator("#large .about")).to_contain_text("Forest")
    front = tomllib.loads((quest.folder / "game.toml").read_text("utf-8"))["component"][1]["front"]
    assert front == {"layout": "poker-classic", "columns": {"flavour": "unread"}}


def test_the_keys_of_a_renderer_are_dragged_and_walked_to(page: Page, quest: Shown) -> None:
    def front() -> dict[str, Any]:
        read: dict[str, Any] = tomllib.loads((quest.folder / "game.toml").read_text("utf-8"))["component"][2]["front"]
        return read

    page.get_by_role("button", name="Close").click()
    page.locator('[data-key="tiles/one/front"]').click()
    handles, head = page.locator("svg.handles"), page.locator(".part-head h3")
    expect(handles).to_be_visible()
    box = handles.bounding_box()
    assert box
    scale = box["width"] / 56
    x, y = box["x"] + (3 + 13) * scale, box["y"] + (3 + 11) * scale  # in the tile, off the middle
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 5 * scale, y + 5.2 * scale, steps=4)
    page.mouse.up()
    expect(head).to_have_text("key: slots dragon 1")
    waited(page, lambda: front()["slots"] == {"dragon": [["1.5cm", "13mm"]]})
    handles.press("ArrowLeft")
    handles.press("ArrowLeft")
    waited(page, lambda: front()["slots"] == {"dragon": [["1.4cm", "13mm"]]})
    handles.press("Tab")
    expect(head).to_have_text("key: tile")
    x, y = box["x"] + (3 + 30) * scale, box["y"] + (3 + 30) * scale  # its lower right corner
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 2 * scale, y + 2 * scale, steps=4)
    page.mouse.up()
    waited(page, lambda: front()["tile"] == "12mm")
    assert find_faults(page) == []
