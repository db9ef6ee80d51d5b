"""The deck of paragraphs as a designer would write it for typst alone: a table read, a card drawn.

Run as a script: `python by_hand.py CARDS OUTPUT`. Nine cards a page, without
icons, backs, marks or checks.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import typst

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.floor import FONTS
from tests.support.deck import table

SOURCE = """
#set page("us-letter", margin: (x: 12.7mm, y: 6.35mm))
#set text(font: "Alegreya Sans", size: 10.5pt)
#let inks = (brick: "#8c2d2d", harbour: "#2d5c8c", moss: "#2d8c50", amber: "#8c6f2d",
  plum: "#6b2d8c", slate: "#3d4a52")
#let marked(text) = text.split(" ").map(word => if word.starts-with("**") [*#word.trim("*")*] else [
  #word]).join(" ")
#let card(row) = block(width: 63.5mm, height: 88.9mm, fill: rgb(inks.at(row.colour)), inset: 4mm,
  block(width: 100%, height: 100%, fill: rgb("#f7f0de"), radius: 2mm, inset: 3.5mm)[
    #align(center, text(font: "Abril Fatface", size: 13pt, row.title))
    #v(1fr)
    #align(center, circle(radius: 11mm, stroke: 1pt))
    #v(1fr)
    #marked(row.rules)
  ])
#grid(columns: 3, ..csv("cards.csv", row-type: dictionary).map(card))
"""


def main(cards: int, output: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "cards.csv").write_text(table(cards), "utf-8")
        (Path(folder) / "deck.typ").write_text(SOURCE, "utf-8")
        fonts = [str(path) for path in FONTS.iterdir()]
        typst.compile(str(Path(folder) / "deck.typ"), output=output, font_paths=fonts)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
