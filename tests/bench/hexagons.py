"""The floor of the hexagons: the same pages of the same primitives, by ReportLab alone.

Run as a script: `python hexagons.py OUTPUT`. Knows no spec, no checks, no SVG: 28 tiles a sheet,
each front the triangles of each colour as one path, and a number; all backs one form.
"""

from __future__ import annotations

import sys
from math import sqrt
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.floor import FONTS, end_page
from tests.support.hexagons import ACROSS, COLOURS, DISC, GROUND, INK, RADIUS, SUN, Triangle, colours, corner, triangles

TO_SIDE = 2 * ACROSS / sqrt(3)  # mm from corner to corner: tiles of a row meet there
FIRST = (30.0, 189.0)  # mm
PLACES = [
    ((FIRST[0] + (column + row % 2 / 2) * TO_SIDE) * mm, (FIRST[1] - row * ACROSS) * mm)
    for row in range(5)
    for column in range(6 - row % 2)
]


def fill(canvas: Canvas, colour: str, polygons: list[Triangle]) -> None:
    canvas.setFillColor(colour)
    path = canvas.beginPath()
    for (x, y), *others in polygons:
        path.moveTo(x * mm, y * mm)
        for x, y in others:
            path.lineTo(x * mm, y * mm)
        path.close()
    canvas.drawPath(path, stroke=0, fill=1)


def back(canvas: Canvas) -> None:
    radius = RADIUS * mm
    canvas.beginForm("back", -radius, -radius, radius, radius)
    fill(canvas, GROUND, [tuple(map(corner, range(6)))])
    canvas.setFillColor(SUN)
    canvas.circle(0, 0, DISC / 2 * mm, stroke=0, fill=1)
    canvas.endForm()


def front(canvas: Canvas, number: int, names: list[str], shapes: list[Triangle]) -> None:
    of: dict[str, list[Triangle]] = {}
    for name, shape in zip(names, shapes, strict=True):
        of.setdefault(name, []).append(shape)
    for name, polygons in of.items():
        fill(canvas, COLOURS[name], polygons)
    canvas.setFillColor(INK)
    canvas.setFont("text", 11)
    canvas.drawCentredString(0, -4, str(number))


def main(output: str) -> None:
    text = str(FONTS / "alegreya-sans/AlegreyaSans-Regular.ttf")
    pdfmetrics.registerFont(TTFont("text", text))
    canvas = Canvas(output, initialFontName="text", pagesize=(279.4 * mm, 215.9 * mm))
    back(canvas)
    tiles, shapes = list(enumerate(colours(), 1)), triangles()
    for first in range(0, len(tiles), len(PLACES)):
        seated = list(zip(tiles[first:], PLACES, strict=False))
        for is_front in (True, False):
            for (number, names), (x, y) in seated:
                canvas.saveState()
                canvas.translate(x, y)
                front(canvas, number, names, shapes) if is_front else canvas.doForm("back")
                canvas.restoreState()
            end_page(canvas, first // len(PLACES) + 1, "text")
    canvas.save()


if __name__ == "__main__":
    main(sys.argv[1])
