"""A beginner's first evening in the studio, step by step: by mouse, or by keyboard alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.support.browsing import waited
from tests.support.processes import started

TABLE = "name,count,power,text\nFox,2,3,Draw a card.\nBear,1,6,Beat all smaller animals.\n"
GAME = "animals"


@contextmanager
def empty_studio(folder: Path) -> Iterator[str]:
    """The address of `pnp studio` in a folder without a game, with settings of its own."""
    folder.mkdir()
    settings = {name: str(folder.with_name("home")) for name in ("HOME", "XDG_STATE_HOME")}
    command = [sys.executable, "-m", "generator", "studio", "--no-open"]
    told = {"cwd": folder, "env": {**os.environ, **settings}, "stdout": subprocess.PIPE}
    with started(command, **told) as running:
        assert running.stdout is not None
        yield running.stdout.readline().split()[0]


def spend_evening(page: Page, folder: Path, *, by_mouse: bool) -> Iterator[str]:
    """What was done, after each step, with its picture on the page."""
    game = folder / GAME

    def press(button: Locator) -> None:
        if by_mouse:
            button.click()
        else:
            button.focus()
            page.keyboard.press("Enter")

    def type_into(field: Locator, text: str) -> None:
        field.focus()
        page.keyboard.press("Control+A")
        page.keyboard.type(text)

    expect(page.get_by_role("heading", name="No game in")).to_be_visible()
    yield "begin"
    press(page.locator(".shelf .go"))
    dialog = page.get_by_role("dialog", name="New game")
    type_into(dialog.get_by_label("Name"), GAME)
    dialog.get_by_label("A starter").focus()
    page.keyboard.press("ArrowRight")
    dialog.get_by_label("A table").set_input_files(
        {"name": "animals.csv", "mimeType": "text/csv", "buffer": TABLE.encode()}
    )
    press(dialog.get_by_role("button", name="Make the game"))
    expect(dialog.get_by_role("button", name="Open it")).to_be_visible()
    yield "new"
    press(dialog.get_by_role("button", name="Open it"))
    press(page.locator(".cell").first)
    press(page.get_by_role("button", name="Copy the drawing into the game"))
    parts = page.locator("svg.handles")
    expect(parts).to_be_visible()
    yield "copied"
    drawing = game / "item-card.svg"
    if by_mouse:
        drag_title(page, parts)
    else:
        parts.focus()
        for _ in range(99):
            page.keyboard.press("Tab")
            if page.locator(".part-head h3").inner_text() == "text: {{ title }}":
                break
        for step in range(10):
            page.keyboard.press("ArrowDown")
            down = f'id="title-box" x="5.5" y="{5.9 + step * 0.5:g}"'
            waited(page, partial(holds, drawing, down))
    y = 10.5 if by_mouse else 10.4  # on the grid of half a millimetre; by ten steps
    waited(page, partial(holds, drawing, f'id="title-box" x="5.5" y="{y}"'))
    yield "moved"
    press(page.locator(".part-list").get_by_role("button", name="shape: rect", exact=True).nth(1))
    page.get_by_label("fill: any colour").fill("#7a3b00")
    waited(page, partial(holds, drawing, '"#7a3b00"'))
    yield "coloured"
    press(page.get_by_role("button", name="Close"))
    press(page.get_by_role("tab", name="Table"))
    count = page.locator("tr[data-row='1'] [data-column='1']")
    expect(count).to_be_visible()
    count.click() if by_mouse else walk_to(page, "count of Bear: 1")
    page.keyboard.type("many")
    page.keyboard.press("Enter")
    expect(count).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#broken")).to_contain_text("many")
    yield "faulty"
    count.click() if by_mouse else page.keyboard.press("ArrowUp")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(page.locator("#findings")).to_contain_text("No findings")
    yield "mended"
    press(page.get_by_role("button", name="Print…"))
    dialog = page.get_by_role("dialog", name="Print")
    expect(dialog.get_by_role("status")).to_contain_text("on 1 sheet")
    press(dialog.get_by_role("button", name="Make the PDF"))
    expect(dialog.get_by_role("link", name="Save animals.pdf")).to_be_visible()
    yield "printed"


def walk_to(page: Page, cell: str) -> None:
    """Tab to the grid, whose second row and column are the cell's."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("Boolean(document.activeElement.closest('[role=grid], .grid'))"):
            break
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    label = str(page.evaluate("document.activeElement.ariaLabel"))
    assert label.startswith(cell), label


def holds(file: Path, text: str) -> bool:
    return text in file.read_text("utf-8")


def drag_title(page: Page, parts: Locator) -> None:
    """Press on the title, and drag it in the same gesture: the picture must not move meanwhile."""
    box = parts.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.13
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(x + 1, y + step * box["height"] * 5 / 94.9 / 5)
    assert parts.bounding_box() == box
    page.mouse.up()
