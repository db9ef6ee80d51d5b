"""The floor of Advaya: its 49 tiles on their sheet, both faces, by ReportLab alone.

Run as a script: `python advaya.py OUTPUT`. Knows no spec, no checks, no SVG: each face has 24 cells
and six strips of bleed, those of a colour as one path, the lines between them, a name in the middle
of the largest area, and its outline.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from itertools import pairwise
from math import sqrt
from pathlib import Path

from msgspec import Struct
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.floor import FONTS, end_page
from tests.support.hexagons import corner

TABLE = Path(__file__).parents[2] / "templates/advaya/tiles.csv"
PAPER = (792, 612)
ACROSS, BLEED, COLUMNS, FIRST = 26.73 * mm, 3 * mm, 8, (67.9, 533.3)
RADIUS = ACROSS / sqrt(3)
LINE, BETWEEN = 0.08 * RADIUS, 0.022 * RADIUS
INKS = {"B": "#ffffff", "W": "#000000"}
COLOURS = {"B": "#000000", "W": "#ffffff"}
SIXTHS = range(6)

Place = tuple[float, float]
Cell = tuple[int, int]  # the sixth, and the number in it


CORNERS = [corner(k, RADIUS) for k in (*SIXTHS, 0)]
MIDWAY = [corner(k, RADIUS / 2) for k in (*SIXTHS, 0)]
BEYOND = [corner(k, RADIUS + BLEED * 2 / sqrt(3)) for k in (*SIXTHS, 0)]
MIDDLES = [corner(k + 0.5, RADIUS / sqrt(3)) for k in SIXTHS]
SIDES = list(pairwise(CORNERS))
STRIPS = [[CORNERS[k], CORNERS[k + 1], BEYOND[k + 1], BEYOND[k]] for k in SIXTHS]
CELLS: dict[Cell, list[Place]] = {}
WALLS: dict[str, tuple[Cell, Cell]] = {}
for k in SIXTHS:
    p, q, h, j, m = CORNERS[k], CORNERS[k + 1], MIDWAY[k], MIDWAY[k + 1], MIDDLES[k]
    CELLS |= {(k, 0): [p, q, m], (k, 1): [p, m, h], (k, 2): [q, j, m], (k, 3): [(0, 0), h, m, j]}
    before, after = (k - 1) % 6, (k + 1) % 6
    WALLS |= {
        f"corner {k}, middle {k}": ((k, 0), (k, 1)),
        f"corner {after}, middle {k}": ((k, 0), (k, 2)),
        f"half {k}, middle {k}": ((k, 1), (k, 3)),
        f"half {after}, middle {k}": ((k, 2), (k, 3)),
        f"corner {k}, half {k}": ((k, 1), (before, 2)),
        f"half {k}, centre": ((k, 3), (before, 3)),
    }


class Tile(Struct, frozen=True):
    """A face: the colours of its cells, its lines, its name, the middle and the colour of that."""

    colours: dict[Cell, str]
    lines: list[tuple[float, float, float, float]]
    name: str
    middle: Place
    ink: str


def walls(segment: str) -> Iterator[str]:
    """The walls of cells that a line follows."""
    a, b = sorted(map(int, segment.split("-")))
    if b - a in (2, 4) and b != 6:
        k = a + 1 if b - a == 2 else (b + 1) % 6
        before, after = (k - 1) % 6, (k + 1) % 6
        yield from (f"corner {before}, middle {before}", f"half {k}, middle {before}")
        yield from (f"half {k}, middle {k}", f"corner {after}, middle {k}")
        return
    for k in (a, b):
        if k != 6:
            yield from (f"corner {k}, half {k}", f"half {k}, centre")


def read_tile(segments: str, sides: str, name: str) -> Tile:
    cut = {wall for segment in segments.split() for wall in walls(segment)}
    beside: dict[Cell, list[Cell]] = {cell: [] for cell in CELLS}
    for wall, (one, other) in WALLS.items():
        if wall not in cut:
            beside[one].append(other)
            beside[other].append(one)
    colours: dict[Cell, str] = {}
    largest: list[Cell] = []
    for k in SIXTHS:
        area = [(k, 0)] if (k, 0) not in colours else []
        for cell in area:
            if cell not in colours:
                colours[cell] = sides[k]
                area += beside[cell]
        largest = max(largest, list(dict.fromkeys(area)), key=len)
    ends = [(*CORNERS, (0.0, 0.0))[int(n) + (n == "6")] for n in segments.replace("-", " ").split()]
    lines = [(*a, *b) for a, b in zip(ends[::2], ends[1::2], strict=True)]
    spots = [place for cell in largest for place in CELLS[cell]]
    middle = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
    return Tile(colours, lines, name, middle, INKS[colours[largest[0]]])


def fill(canvas: Canvas, polygons: list[tuple[str, list[Place]]], at: Place) -> None:
    """Polygons with the letters of their colours."""
    for letter, colour in COLOURS.items():
        path = canvas.beginPath()
        for of, (first, *others) in polygons:
            if of == letter:
                path.moveTo(at[0] + first[0], at[1] + first[1])
                for x, y in others:
                    path.lineTo(at[0] + x, at[1] + y)
                path.close()
        canvas.setFillColor(colour)
        canvas.drawPath(path, stroke=0, fill=1)


def face(canvas: Canvas, tile: Tile, at: Place, strokes: list[tuple[str, float]]) -> None:
    fill(canvas, [(letter, CELLS[cell]) for cell, letter in tile.colours.items()], at)
    x, y = at
    for colour, width in strokes:
        canvas.setStrokeColor(colour)
        canvas.setLineWidth(width)
        canvas.lines([(x + a, y + b, x + c, y + d) for a, b, c, d in tile.lines])
    canvas.setFillColor(tile.ink)
    canvas.drawCentredString(x + tile.middle[0], y + tile.middle[1] - 3, tile.name)
    canvas.setStrokeColor("#000000")
    canvas.setLineWidth(0.34)
    canvas.lines([(x + a, y + b, x + c, y + d) for (a, b), (c, d) in SIDES])


def main(output: str) -> None:
    pdfmetrics.registerFont(TTFont("name", str(FONTS / "ibm-plex-sans/IBMPlexSans-SemiBold.ttf")))
    slug = str(FONTS / "alegreya-sans/AlegreyaSans-Regular.ttf")
    pdfmetrics.registerFont(TTFont("slug", slug))
    canvas = Canvas(output, initialFontName="slug", pagesize=PAPER)
    rows = list(csv.DictReader(TABLE.read_text("utf-8").splitlines()))
    for side, strokes in (("", [("#2a7fe0", LINE)]), ("back_", [("#e4472b", LINE), ("#ffffff", BETWEEN)])):
        tiles = [read_tile(r[f"{side}segments"], r[f"{side}sides"], r["name"]) for r in rows]
        places: list[Place] = []
        for number in range(len(tiles)):
            row, column = divmod(number, COLUMNS)
            y = FIRST[1] - row * ACROSS
            x = FIRST[0] + (2 * column + row % 2) * RADIUS
            places.append((x, PAPER[1] - y if side else y))
        for tile, at in zip(tiles, places, strict=True):
            fill(canvas, [(tile.colours[k, 0], STRIPS[k]) for k in SIXTHS], at)
        canvas.setFont("name", 9)
        for tile, at in zip(tiles, places, strict=True):
            face(canvas, tile, at, strokes)
        end_page(canvas, 1, "slug")
    canvas.save()


if __name__ == "__main__":
    main(sys.argv[1])
