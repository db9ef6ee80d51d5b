"""A deck of poker cards for tests: its spec, and a table of so many cards, each unlike the others."""

from __future__ import annotations

import csv
import io
from random import Random

SPEC = """[game]
title = "Deck"
designer = "A"
about = "A deck."
[[component]]
id = "cards"
title = "Cards"
table = "cards.csv"
size = "poker"
[component.front]
template = "front.svg"
"""
ART = ("lantern", "boat", "tree", "key", "crown", "tower")
COLOURS = ("brick", "harbour", "moss", "amber", "plum", "slate")
ICONS = (":coin:", ":heart:", ":leaf:", ":moon:", ":sword:", ":wave:")
WORDS = 45
_FIRST = ("Iron", "Old", "Northern", "Silent", "Broken", "Amber", "Low", "Far")
_SECOND = ("Lantern", "Harbour", "Spire", "Bridge", "Garden", "Market", "Road", "Well")
_SAID = """
a and any before bends between bring card cards circle close copper discard draw drift each falcon
for harbour hold in keep lantern light merchant mountain move of old on one paid pawn play quiet
river road salt seek shelter stone storm take the then three to tower toward trade turn two until up
where while winter with young your
""".split()  # noqa: SIM905


def table(cards: int) -> str:
    """CSV: a title, art, a colour and a paragraph of WORDS words with three icons in it."""
    chance = Random(1)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["id", "title", "art", "colour", "rules"])
    for number in range(1, cards + 1):
        said = chance.choices(_SAID, k=WORDS)
        for place in chance.sample(range(1, WORDS), 3):
            said[place] = f"{chance.randint(1, 4)} {chance.choice(ICONS)}"
        title = f"{chance.choice(_FIRST)} {chance.choice(_SECOND)} {number}"
        rules = f"**{said[0].title()}** {' '.join(said[1:])}."
        rows.writerow([number, title, ART[number % 6], COLOURS[number % 6], rules])
    return text.getvalue()
