"""Take a folder, make in it two hundred counters of half an inch, from a workbook.

The shape of a wargame's counter sheet: the counters are on the second sheet of the workbook, with
columns that only the designer reads; one side; the signs of the arms are drawn, not letters of a
font.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

from openpyxl import Workbook

SIDES, ARMS, CORPS = ("north", "south"), ("foot", "horse", "guns", "staff"), range(1, 26)
COUNTERS = len(SIDES) * len(ARMS) * len(CORPS)

_SPEC = """
[game]
title = "Two Rivers"
designer = "A. Designer"
about = "Two armies on two hundred counters."
[palette]
north = "#86a9c0"
south = "#f3e3bf"
[[component]]
id = "counters"
title = "Counters"
table = "army.xlsx#Counters"
size = ["0.5in", "0.5in"]
bleed = "0mm"
[component.front]
template = "counter.svg"
"""
_SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp" width="0.5in" height="0.5in"
     viewBox="0 0 50 50" font-family="IBM Plex Sans" font-weight="600" text-anchor="middle">
  <rect width="50" height="50" fill="{{ side }}"/>
  <g fill="none" stroke="#222" stroke-width="1.5">
    <rect x="12" y="12" width="26" height="17" fill="#fff"/>
    <path pnp:if="arm == 'foot'" d="M12 12 38 29 M38 12 12 29"/>
    <path pnp:if="arm == 'horse'" d="M38 12 12 29"/>
    <circle pnp:if="arm == 'guns'" cx="25" cy="20.5" r="3" fill="#222"/>
    <path pnp:if="arm == 'staff'" d="M18 29V15h9l-2 3 2 3h-9"/>
  </g>
  <text x="25" y="10" font-size="8.8">{{ corps }}</text>
  <text x="25" y="43" font-size="12">{{ attack }}-{{ defence }}-{{ move }}</text>
</svg>
"""


def make_counters(folder: Path) -> Path:
    """The folder of the game, `folder`/two-rivers."""
    game = folder / "two-rivers"
    game.mkdir()
    (game / "game.toml").write_text(_SPEC, "utf-8")
    (game / "counter.svg").write_text(_SVG, "utf-8")
    book = Workbook()
    book.active.title = "Read me"
    book.active["A1"] = "The counters are on the next sheet."
    sheet = book.create_sheet("Counters")
    sheet.append(["Side", "Arm", "Corps", "Attack", "Defence", "Move", "Hex", "Turn", "Source"])
    for side, arm, corps in product(SIDES, ARMS, CORPS):
        strength = ARMS.index(arm) + corps % 7 + 1
        sheet.append([side, arm, corps, strength, 9 - corps % 5, 3 + corps % 4, None, 1, "muster"])
    book.save(game / "army.xlsx")
    return game
