"""Play each game by its rules to the end in a browser: by pointer, by keyboard alone, on a phone by finger.

`python -m tests.tools.whole_games FOLDER` puts a picture of every tenth turn into a folder. `--game atreya --by keys`
plays only that. The other seats are bots that move at random.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from generator.play.engine import OVER
from generator.play.table.referee import RefereedTable
from tests.support import oracles
from tests.support.pointing import GAMES, PHONE, WAYS, Hand, Sitting, Way, made
from tests.tools.table_picture import ARE_DRAWN

EVERY = 10  # turns
_MOST = 5000  # presses
_HOW: dict[Way, dict[str, Any]] = {"finger": {"size": PHONE, "has_touch": True, "is_mobile": True}}


def play(browser: Browser, game: str, by: Way, folder: Path) -> int:
    """Plays one game. How many turns the seat had."""
    table = made(game, rules={})
    with Sitting(browser, table, is_painted=True, **_HOW.get(by, {})) as page:
        for turn in _turns(table, page, by):
            page.wait_for_function(ARE_DRAWN)
            page.screenshot(path=folder / f"{game}-{by}-{turn:03}.png")
        assert table._engine.turn(table._state) == OVER
        page.screenshot(path=folder / f"{game}-{by}-end.png")
    return len(table._choices)


def _turns(table: RefereedTable, page: Page, by: Way) -> Iterator[int]:
    """The number of every tenth turn, as it begins."""
    due = 0
    yield due
    for _ in Hand(page, by).press_on(_MOST):
        while len(table._choices) >= due + EVERY:
            due += EVERY
            yield due


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.whole_games", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--by", choices=WAYS, action="append")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=oracles.find("browser"), args=["--no-sandbox"])
        for game in asked.game or GAMES:
            for by in asked.by or WAYS:
                begun = time.monotonic()
                turns = play(browser, game, by, asked.folder)
                print(f"{game} by {by}: {turns} turns, {time.monotonic() - begun:.0f} s", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
