"""The floor of the benchmark: the same pages of the same primitives, drawn straight by ReportLab.

Run as a script: `python bench_floor.py CARDS OUTPUT`. Knows no spec, no checks, no SVG: 9 cards a
sheet, each front four tiles of one of four motifs and a number, each back four walls and four
numbers; motifs and backs are forms, as in the real thing; fonts are embedded.
"""

from __future__ import annotations

import sys
from math import cos, pi, sin
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FONTS = Path(__file__).parents[2] / "fonts"
SHAPES = 60  # about as many as a Talavera motif draws
CARD = (63.5 * mm, 88.9 * mm)
ORIGIN = (12.7 * mm, 6.35 * mm)
TILE = 12.7 * mm


def motif(canvas: Canvas, number: int) -> None:
    canvas.beginForm(f"motif{number}", 0, 0, TILE, TILE)
    canvas.setFillColorRGB(0.98, 0.97, 0.94)
    canvas.rect(0, 0, TILE, TILE, stroke=0, fill=1)
    canvas.setFillColorRGB(0.1 + number * 0.2, 0.4, 0.7 - number * 0.1)
    for shape in range(SHAPES):
        path = canvas.beginPath()
        angle = shape * 2 * pi / SHAPES
        x, y = TILE / 2 * (1 + 0.8 * cos(angle)), TILE / 2 * (1 + 0.8 * sin(angle))
        path.moveTo(x, y)
        path.curveTo(x + 2, y, x + 2, y + 2, x, y + 2)
        path.curveTo(x - 2, y + 2, x - 2, y, x, y)
        canvas.drawPath(path, stroke=0, fill=1)
    canvas.endForm()


def tile(canvas: Canvas, number: int, x: float, y: float) -> None:
    canvas.saveState()
    canvas.translate(x, y)
    canvas.doForm(f"motif{number}")
    canvas.restoreState()


def tiles_face(canvas: Canvas, card: int, x: float, y: float) -> None:
    for slot in range(4):
        tile(canvas, (card + slot) % 4, x + 6 + slot * TILE, y + 6)
    canvas.setFont("numeral", 9)
    canvas.drawCentredString(x + CARD[0] / 2, y + CARD[1] / 2, str(card))


def order_face(canvas: Canvas, card: int, x: float, y: float) -> None:
    canvas.saveState()
    canvas.translate(x, y)
    canvas.doForm("walls")
    canvas.restoreState()
    canvas.setFont("numeral", 50)
    for quarter in range(4):
        across, down = quarter % 2 * CARD[0] / 2, quarter // 2 * CARD[1] / 2
        canvas.drawString(x + 30 + across, y + 40 + down, str(1 + (card + quarter) % 4))


def walls(canvas: Canvas) -> None:
    canvas.beginForm("walls", 0, 0, *CARD)
    for row in range(7):
        for column in range(5):
            tile(canvas, (row // 4) * 2 + column // 3, column * TILE, row * TILE)
    canvas.endForm()


def end_page(canvas: Canvas, sheet: int, font: str) -> None:
    """Marks and a slug beside the cards."""
    for mark in range(16):
        canvas.line(ORIGIN[0], mark * 5, ORIGIN[0], mark * 5 + 3)
    canvas.setFont(font, 7)
    canvas.drawString(20, 6, f"cards sheet {sheet}, flip on the long edge, 100 %")
    canvas.showPage()


def main(cards: int, output: str) -> None:
    pdfmetrics.registerFont(TTFont("numeral", str(FONTS / "abril-fatface/AbrilFatface-Regular.ttf")))
    pdfmetrics.registerFont(TTFont("slug", str(FONTS / "alegreya-sans/AlegreyaSans-Regular.ttf")))
    canvas = Canvas(output, initialFontName="slug", pagesize=(215.9 * mm, 279.4 * mm))
    for number in range(4):
        motif(canvas, number)
    walls(canvas)
    for first in range(0, cards, 9):
        for face in (tiles_face, order_face):
            for place, card in enumerate(range(first, min(first + 9, cards))):
                face(canvas, card, ORIGIN[0] + place % 3 * CARD[0], ORIGIN[1] + place // 3 * CARD[1])
            end_page(canvas, first // 9 + 1, "slug")
    canvas.save()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
