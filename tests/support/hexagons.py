"""Make a game of 49 hexagons of 24 triangles, each unlike the others."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from pathlib import Path
from random import Random

TILES = 49
ACROSS, BLEED, DISC = 38.0, 3.0, 12.0  # mm
COLOURS = {"sand": "#e8c46a", "sea": "#5a9bd4", "wood": "#7aa35a", "rock": "#b0a8a0"}
GROUND, SUN, INK = "#2d5c8c", "#e8c46a", "#222222"
RADIUS = (ACROSS + 2 * BLEED) / sqrt(3)  # of the bleed

Triangle = tuple[tuple[float, float], ...]  # its corners, in mm right of the middle and above it


def corner(number: float, radius: float = RADIUS) -> tuple[float, float]:
    return radius * cos(number * pi / 3), radius * sin(number * pi / 3)


def triangles() -> list[Triangle]:
    """Four in each sixth."""
    found: list[Triangle] = []
    for sixth in range(6):
        (a, b), (c, d) = corner(sixth), corner(sixth + 1)
        one, other, outer = (a / 2, b / 2), (c / 2, d / 2), ((a + c) / 2, (b + d) / 2)
        found += [((0.0, 0.0), one, other), (one, (a, b), outer), (outer, (c, d), other)]
        found.append((one, outer, other))
    return found


def colours() -> list[list[str]]:
    """The names of the colours of each tile's triangles."""
    chance = Random(1)
    return [chance.choices(list(COLOURS), k=24) for _ in range(TILES)]


def write_game(folder: Path) -> None:
    """The game as a folder: two templates, and a table with a column for each triangle."""
    folder.mkdir()
    columns = [f"t{number}" for number in range(24)]
    rows = [[str(number), *names] for number, names in enumerate(colours(), 1)]
    table = "".join(f"{','.join(row)}\n" for row in [["id", *columns], *rows])
    (folder / "tiles.csv").write_text(table, "utf-8")
    (folder / "game.toml").write_text(_spec(), "utf-8")
    drawn = [_path(triangle, f"{{{{ {name} }}}}") for triangle, name in zip(triangles(), columns, strict=True)]
    words = 'font-family="Alegreya Sans" font-size="4" text-anchor="middle"'
    front = [*drawn, f'<text y="1.4" {words} fill="{INK}">{{{{ id }}}}</text>']
    whole = tuple(corner(number) for number in range(6))
    back = [_path(whole, GROUND), f'<circle r="{DISC / 2}" fill="{SUN}"/>']
    for name, parts in (("front", front), ("back", back)):
        (folder / f"{name}.svg").write_text(_svg(parts), "utf-8")


def _path(points: Triangle, fill: str) -> str:
    corners = "L".join(f"{x:.3f} {-y:.3f}" for x, y in points)
    return f'<path d="M{corners}Z" fill="{fill}"/>'


def _svg(parts: list[str]) -> str:
    width, height = 2 * ACROSS / sqrt(3) + 2 * BLEED, ACROSS + 2 * BLEED
    box = f"{-width / 2:.4f} {-height / 2} {width:.4f} {height}"
    return "\n".join((f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">', *parts, "</svg>\n"))


def _spec() -> str:
    palette = "\n".join(f'{name} = "{colour}"' for name, colour in COLOURS.items())
    return f"""[game]
title = "Hexagons"
designer = "The tests"
about = "Hexagons of 24 triangles."

[palette]
{palette}

[[component]]
id = "tiles"
title = "Tiles"
table = "tiles.csv"
bleed = "{BLEED}mm"

[component.shape]
kind = "hexagon"
across = "{ACROSS}mm"
top = "edge"

[component.front]
template = "front.svg"

[component.back]
template = "back.svg"
"""
