"""The floor of the hexagons: 49 tiles and their backs, by ReportLab alone.

Run as a script: `python hexagons.py OUTPUT`. Knows no spec, no checks, no SVG: 14 hexagons a sheet,
each front a form of one of seven kinds with three bands and a letter, all backs one form.
"""

from __future__ import annotations

import sys
from math import cos, pi, sin
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.floor import FONTS, end_page

TILES, KINDS, ROWS, COLUMNS = 49, 7, 5, 3
SIDE = 25 * mm
WIDE = SIDE * 3**0.5
INKS = ("#1f3f8c", "#c04a2a", "#2d8c50")


def hexagon(canvas: Canvas, kind: int) -> None:
    name = f"kind{kind}"
    canvas.beginForm(name, -WIDE / 2, -SIDE, WIDE / 2, SIDE)
    path = canvas.beginPath()
    for corner in range(6):
        angle = pi / 6 + corner * pi / 3
        to = path.lineTo if corner else path.moveTo
        to(SIDE * cos(angle), SIDE * sin(angle))
    path.close()
    canvas.setFillColor("#f3ead6")
    canvas.drawPath(path, stroke=0, fill=1)
    for band, ink in enumerate(INKS):
        canvas.setStrokeColor(ink)
        canvas.setLineWidth(6)
        turn = (band + kind) * pi / 3
        canvas.line(0, 0, SIDE * 0.8 * cos(turn), SIDE * 0.8 * sin(turn))
    canvas.endForm()


def main(output: str) -> None:
    slug = str(FONTS / "alegreya-sans/AlegreyaSans-Regular.ttf")
    pdfmetrics.registerFont(TTFont("slug", slug))
    canvas = Canvas(output, initialFontName="slug", pagesize=(215.9 * mm, 279.4 * mm))
    for kind in range(KINDS + 1):
        hexagon(canvas, kind)
    for first in range(0, TILES, ROWS * COLUMNS):
        tiles = range(first, min(first + ROWS * COLUMNS, TILES))
        for is_front in (True, False):
            for place, tile in enumerate(tiles):
                row, column = divmod(place, COLUMNS)
                canvas.saveState()
                canvas.translate(
                    30 * mm + (column + row % 2 / 2) * WIDE, 40 * mm + row * SIDE * 1.5
                )
                canvas.doForm(f"kind{tile % KINDS if is_front else KINDS}")
                canvas.setFont("slug", 8)
                canvas.drawString(-2, -2, str(tile))
                canvas.restoreState()
            end_page(canvas, first // 15 + 1, "slug")
    canvas.save()


if __name__ == "__main__":
    main(sys.argv[1])
