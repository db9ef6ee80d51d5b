"""The floor of the deck of paragraphs: the same pages of the same primitives, by ReportLab alone.

Run as a script: `python bench_deck.py CARDS OUTPUT`. Knows no spec, no checks, no SVG: 9 cards a
sheet, each front a frame, a title, a picture and a paragraph wrapped word by word around icons,
all backs one; pictures, icons and the back are forms; fonts are embedded.
"""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.floor import CARD, FONTS, ORIGIN, end_page
from tests.support.deck import ART, COLOURS, ICONS, table

INKS = ("#8c2d2d", "#2d5c8c", "#2d8c50", "#8c6f2d", "#6b2d8c", "#3d4a52")
SIZE, LEADING, WIDTH = 10.5, 13.1, 48.5 * mm


def picture(canvas: Canvas, name: str, side: float, ink: str) -> None:
    """About as many shapes as an icon draws."""
    canvas.beginForm(name, 0, 0, side, side)
    canvas.setFillColor(ink)
    canvas.circle(side / 2, side / 2, side / 2, stroke=1, fill=0)
    for number in range(5):
        canvas.rect(side * (0.3 + number * 0.05), side * number / 8, side / 4, side / 9, fill=1)
    canvas.endForm()


def back(canvas: Canvas) -> None:
    canvas.beginForm("back", 0, 0, *CARD)
    canvas.setFillColor(INKS[5])
    canvas.rect(0, 0, *CARD, stroke=0, fill=1)
    canvas.setStrokeColor("#f7f0de")
    for line in range(6):
        canvas.lines([(20 + x * 16, 50 + line * 30, 36 + x * 16, 70 + line * 30) for x in range(8)])
    canvas.endForm()


def stamp(canvas: Canvas, form: str, x: float, y: float) -> None:
    canvas.saveState()
    canvas.translate(x, y)
    canvas.doForm(form)
    canvas.restoreState()


def paragraph(canvas: Canvas, words: list[str], x: float, y: float) -> None:
    blank = pdfmetrics.stringWidth(" ", "text", SIZE)
    at = 0.0
    line: list[str] = []
    for word in [*words, "\n"]:
        font = "bold" if word.startswith("**") else "text"
        word = word.strip("*")
        wide = SIZE if word in ICONS else pdfmetrics.stringWidth(word, font, SIZE)
        if at + wide > WIDTH or word == "\n":
            canvas.drawString(x, y, " ".join(line))
            at, y, line = 0.0, y - LEADING, []
        if word in ICONS:
            stamp(canvas, word.strip(":"), x + at, y)
        line.append("   " if word in ICONS else word)
        at += wide + blank


def front(canvas: Canvas, row: dict[str, str], x: float, y: float) -> None:
    ink = INKS[COLOURS.index(row["colour"])]
    canvas.setFillColor(ink)
    canvas.rect(x, y, *CARD, stroke=0, fill=1)
    canvas.setFillColor("#f7f0de")
    canvas.roundRect(x + 11, y + 11, CARD[0] - 22, CARD[1] - 22, 6, stroke=0, fill=1)
    canvas.setStrokeColor(ink)
    canvas.roundRect(x + 14, y + 14, CARD[0] - 28, CARD[1] - 28, 4, stroke=1, fill=0)
    canvas.setFillColor("#222222")
    canvas.setFont("title", 13)
    canvas.drawCentredString(x + CARD[0] / 2, y + 78 * mm, row["title"])
    stamp(canvas, row["art"], x + 18.75 * mm, y + 48 * mm)
    canvas.setFont("text", SIZE)
    paragraph(canvas, row["rules"].split(), x + 7.5 * mm, y + 41 * mm)


def main(cards: int, output: str) -> None:
    for name, file in (
        ("title", "abril-fatface/AbrilFatface-Regular.ttf"),
        ("text", "alegreya-sans/AlegreyaSans-Regular.ttf"),
        ("bold", "alegreya-sans/AlegreyaSans-Bold.ttf"),
    ):
        pdfmetrics.registerFont(TTFont(name, str(FONTS / file)))
    canvas = Canvas(output, initialFontName="text", pagesize=(215.9 * mm, 279.4 * mm))
    for number, (art, icon) in enumerate(zip(ART, ICONS, strict=True)):
        picture(canvas, art, 26 * mm, INKS[number])
        picture(canvas, icon.strip(":"), SIZE, INKS[number])
    back(canvas)
    rows = list(csv.DictReader(io.StringIO(table(cards))))
    for first in range(0, cards, 9):
        places = list(enumerate(rows[first : first + 9]))
        for is_front in (True, False):
            for place, row in places:
                x, y = ORIGIN[0] + place % 3 * CARD[0], ORIGIN[1] + place // 3 * CARD[1]
                front(canvas, row, x, y) if is_front else stamp(canvas, "back", x, y)
            end_page(canvas, first // 9 + 1, "text")
    canvas.save()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
