"""An evening in the studio leaves sensible lines in plain files."""

from __future__ import annotations

import difflib
from pathlib import Path

from playwright.sync_api import Browser

from tests.support.browsing import Visits
from tests.tools.evening import GAME, empty_studio, spend_evening


def changes(before: dict[str, str], folder: Path) -> list[str]:
    """The lines that changed in the files of a folder."""
    lines: list[str] = []
    for name, text in read(folder).items():
        old = before.get(name, "").splitlines()
        for line in difflib.ndiff(old, text.splitlines()):
            if line[0] in "+-":
                lines.append(f"{name} {line[0]}{' '.join(line[1:].split())}")
    return lines


def read(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in sorted(folder.iterdir())}


def test_an_evening_by_keyboard_is_a_few_lines(browser: Browser, tmp_path: Path) -> None:
    """The pictures of the guide are of one by mouse."""
    folder = tmp_path / "games"
    with empty_studio(folder) as address:
        visits = Visits(browser, address.partition("#")[0])
        page = visits.open(address, (1440, 900))
        before: dict[str, str] = {}
        for done in spend_evening(page, folder, by_mouse=False):
            if done == "copied":
                before = read(folder / GAME)
        visits.close()
    assert visits.wrong == []
    box = 'width="52.5" height="8.2" fill="none"/>'
    bar = '<rect x="-3" y="-3" width="69.5" height="6.2"'
    assert changes(before, folder / GAME) == [
        "cards.csv -Bear,1,6,Beat all smaller animals.",
        "cards.csv +Bear,4,6,Beat all smaller animals.",
        f"item-card.svg -{bar}/>",
        f'item-card.svg +{bar} fill="#7a3b00"/>',
        f'item-card.svg -<rect id="title-box" x="5.5" y="5.4" {box}',
        f'item-card.svg +<rect id="title-box" x="5.5" y="10.4" {box}',
    ]
