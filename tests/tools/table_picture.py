"""Make the picture of docs/table.md, an island of Taluva at its table: `make pictures`."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from generator.basics.geometry import Point, turning
from generator.pipeline.tabling import table_session
from generator.play.table.server import TableServer
from generator.play.table.session import TableSession
from generator.play.table.state import set_up
from tests.support import oracles
from tests.support.serving import serving

PICTURE = Path(__file__).parents[2] / "docs/images/table-taluva.webp"
MIDDLE = Point(450.0, 225.0)
ARE_DRAWN = "[...document.images].every(one => one.naturalWidth || one.closest('dialog'))"
RADIUS = 40 / 3**0.5  # mm, of a hexagon
# The upper hexagon of each tile and its turn: tiles whose q - r are alike modulo 3 fill the plane.
TILES = [(0, 0, 0), (1, 1, 120), (2, -1, 240), (-1, -1, 0), (-2, 1, 240), (-1, 2, 120)]
TILES += [(1, -2, 0), (3, 0, 0), (0, 1, 0)]  # the last lies on three others
HUTS = [(1, -1), (3, 1), (-2, 3), (-1, 0)]  # one of each colour


def at(q: int, r: int) -> Point:
    """The middle of a hexagon."""
    return Point(MIDDLE.x + 40 * (q + r / 2), MIDDLE.y + 1.5 * RADIUS * r)


def play(session: TableSession) -> None:
    """An island of two levels, huts, a counter and a die."""
    token = session.enter(session.key)

    def act(**message: Any) -> int:
        session.act(token, json.dumps(message).encode())
        return session.state.stacks[-1].id

    session._history = session._history.go_on(set_up(session.supply, 3, Random(4)))
    tiles, *others = (stack.id for stack in session.state.stacks)
    for q, r, turn in TILES:
        top = at(q, r)
        off = turning(turn, Point(0, 0)).apply(Point(0.0, -RADIUS / 4))
        lifted = act(do="lift", id=tiles, x=top.x + off.x, y=top.y + RADIUS + off.y)
        act(do="flip", id=lifted)
        act(do="turn", id=lifted, by=turn)
    for stack, (q, r) in zip(others, HUTS, strict=False):
        act(do="lift", id=stack, x=at(q, r).x, y=at(q, r).y)
    act(do="add-counter", label="Temples", x=150, y=200)
    act(do="add-die", sides=6, x=780, y=200)


def make_picture() -> None:
    path = oracles.find("browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 820})
        with table_session("taluva", 3) as session, serving(TableServer(session)) as server:
            play(session)
            page.goto(server.invitation)
            tiles = page.locator(".stack").first
            expect(page.locator('.seat[aria-pressed="true"]')).to_have_count(1)
            tiles.focus()
            page.keyboard.press("2")
            page.keyboard.press("d")
            expect(page.locator(".card")).to_have_count(2)
            page.wait_for_function(ARE_DRAWN)
            png = page.screenshot()
        browser.close()
    Image.open(io.BytesIO(png)).convert("RGB").save(PICTURE, quality=84, method=6)


if __name__ == "__main__":
    make_picture()
