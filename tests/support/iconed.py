"""Take a folder, make in it a game of one card that shows every icon of the house by its name."""

from __future__ import annotations

import json
from pathlib import Path

from generator.text.shape import house_icons

ROWS = 12  # icons below one another
PITCH = 27.5  # mm from column to column
SIZE = 4.2  # mm: the letters
MARGIN = 6.0  # mm
HEIGHT = 98.0  # mm


def iconed(folder: Path) -> Path:
    """The folder of the game, `folder`/icons-of-the-house."""
    game = folder / "icons-of-the-house"
    game.mkdir()
    names = list(house_icons())
    columns = [names[i : i + ROWS] for i in range(0, len(names), ROWS)]
    width = 2 * MARGIN + PITCH * len(columns)
    boxes = (_column(i, f"{{{{ column{i} }}}}") for i in range(len(columns)))
    svg = f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp"
        viewBox="0 0 {width} {HEIGHT}" font-family="Alegreya Sans" font-size="{SIZE}">
        <rect width="100%" height="100%" fill="#fff"/>{"".join(boxes)}</svg>"""
    (game / "card.svg").write_text(svg, "utf-8")
    row = {f"column{i}": "\n\n".join(map(_told, column)) for i, column in enumerate(columns)}
    (game / "cards.json").write_text(json.dumps([{"id": "all", **row}]), "utf-8")
    (game / "game.toml").write_text(
        f"""[game]
title = "Icons of the house"
designer = "The house"
about = "Every icon by its name."
[palette]
sea = "#00606c"
[[component]]
id = "cards"
title = "Cards"
table = "cards.json"
size = ["{width}mm", "{HEIGHT}mm"]
bleed = "0mm"
[component.front]
template = "card.svg"
""",
        "utf-8",
    )
    return game


def _column(number: int, text: str) -> str:
    x, height = MARGIN + PITCH * number, HEIGHT - 2 * MARGIN
    return (
        f'<rect id="box{number}" x="{x}" y="{MARGIN}" width="{PITCH}" height="{height}" '
        f'fill="none"/><text pnp:box="box{number}">{text}</text>'
    )


def _told(name: str) -> str:
    return f"[:{name}:]{{sea}} {name}"
