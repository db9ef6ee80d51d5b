"""Take a folder, make in it twenty-two cards of photographs that were taken with the camera turned.

The shape of a tarot: JPEG files straight from a camera, the way it was held in their EXIF data.
Upright, every photograph has a red stripe along its top and a blue one down its left side.
"""

from __future__ import annotations

import csv
from pathlib import Path

from PIL import Image, ImageDraw

from tests.support.cameras import ORIENTATIONS, store_turned

CARDS = 22
WIDTH, HEIGHT = 200, 330  # pixels
STRIPE = 40
RED, BLUE, GROUND = (200, 30, 30), (30, 30, 200), (225, 215, 190)

_SPEC = """
[game]
title = "Arcana"
designer = "A. Designer"
about = "Twenty-two photographs."
[[component]]
id = "cards"
title = "Cards"
table = "cards.csv"
size = "tarot"
[component.front]
template = "front.svg"
[component.back]
template = "back.svg"
edge = "mirror"
[[box]]
"""
_FRONT = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
     width="75.85mm" height="126.65mm" viewBox="0 0 75.85 126.65">
  <image width="75.85" height="126.65" preserveAspectRatio="xMidYMid slice"
     xlink:href="photos/{{ file }}"/>
  <rect x="15" y="100" width="45.85" height="10" rx="2" fill="#fff"/>
  <text x="37.9" y="107" text-anchor="middle" font-family="Georgia, serif"
     font-size="6">{{ name }}</text>
</svg>
"""
_BACK = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 69.85 120.65">
  <rect width="69.85" height="120.65" fill="#2c2440"/>
  <circle cx="34.925" cy="60.325" r="20" fill="none" stroke="#e8d9a8" stroke-width="2"/>
</svg>
"""


def make_photographs(folder: Path) -> Path:
    """The folder of the game, `folder`/arcana."""
    game = folder / "arcana"
    (game / "photos").mkdir(parents=True)
    (game / "game.toml").write_text(_SPEC, "utf-8")
    (game / "front.svg").write_text(_FRONT, "utf-8")
    (game / "back.svg").write_text(_BACK, "utf-8")
    with (game / "cards.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["file", "name"])
        for number in range(CARDS):
            table.writerow([f"IMG_{number:04}.JPG", f"Arcanum {number}"])
            _photograph(game / f"photos/IMG_{number:04}.JPG", number, ORIENTATIONS[number % len(ORIENTATIONS)])
    return game


def _photograph(path: Path, number: int, orientation: int) -> None:
    """A JPEG that differs from card to card, and is upright once its EXIF data are heeded."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, STRIPE, HEIGHT), BLUE)
    draw.rectangle((0, 0, WIDTH, STRIPE), RED)
    draw.ellipse((80, 120, 110 + number * 2, 150 + number * 2), (40, 120, 90))
    stored, exif = store_turned(picture, orientation)
    stored.save(path, quality=90, exif=exif)
