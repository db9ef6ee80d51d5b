"""Take a folder, make in it six hundred and seventy cards of words, from JSON.

The shape of the large party games: a JSON table of questions, with gaps of underscores, and of
answers; two drawings, one back for each; the texts from three words to thirty.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

WHO = ("My aunt", "The mayor", "A goose", "Our teacher", "The ferryman")
DOES = ("never leaves home without", "was elected because of", "dreams of", "lost a bet and owes")
WHAT = ("a wet umbrella", "two hundred spoons", "the last biscuit", "a very small trumpet", "fog")
QUESTIONS, CARDS = 170, 670

_SPEC = """
[game]
title = "What Fits"
designer = "A. Designer"
about = "Answers to questions that nobody asked."
[[component]]
id = "cards"
title = "Cards"
table = "cards.json"
size = "poker"
corner_radius = "3mm"
[component.front]
template = "{{ kind }}.svg"
[component.back]
template = "{{ kind }}-back.svg"
"""
_CARD = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp" viewBox="-3 -3 69.5 94.9"
     width="69.5mm" height="94.9mm"
     font-family="Helvetica Neue, Helvetica, Arial, sans-serif" fill="{ink}">
  <rect x="-3" y="-3" width="69.5" height="94.9" fill="{ground}"/>
  <rect id="box" x="6" y="6" width="51.5" height="66" fill="none"/>
  <text pnp:box="box" pnp:least="8pt" font-size="5.6" font-weight="bold">{words}</text>
  <text x="6" y="83" font-size="3">{foot}</text>
</svg>
"""
_WHITE = {"ink": "#111111", "ground": "#ffffff"}
_BLACK = {"ink": "#ffffff", "ground": "#111111"}


def make_questions(folder: Path) -> Path:
    """The folder of the game, `folder`/what-fits."""
    game = folder / "what-fits"
    game.mkdir()
    (game / "game.toml").write_text(_SPEC, "utf-8")
    foot = "{{ number }} of {{ total }}"
    for kind, colours, pick in (
        ("answer", _WHITE, ""),
        ("question", _BLACK, "{{ ', pick %d' % pick if pick > 1 else '' }}"),
    ):
        front = _CARD.format(words="{{ text }}", foot=foot + pick, **colours)
        (game / f"{kind}.svg").write_text(front, "utf-8")
        back = _CARD.format(words="What Fits", foot=kind, **colours)
        (game / f"{kind}-back.svg").write_text(back, "utf-8")
    (game / "cards.json").write_text(json.dumps(_rows(), indent=1), "utf-8")
    return game


def _rows() -> list[dict[str, object]]:
    sentences = list(product(WHO, DOES, WHAT))
    rows: list[dict[str, object]] = []
    for number in range(CARDS):
        who, does, what = sentences[number % len(sentences)]
        if number < QUESTIONS:
            text, pick = f"{who} {does} ____ and ____, {number} times a year. Why?", 2
            rows.append({"kind": "question", "text": text, "pick": pick, "pack": 0})
        else:
            text = f"{what.capitalize()} number {number}." + " Nobody knows why." * (number % 6)
            rows.append({"kind": "answer", "text": text, "pick": None, "pack": 0})
    return rows
