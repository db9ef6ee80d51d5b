"""Fonts, icons and words that the tests of the text room share."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from generator.basics.geometry import Rect
from generator.model import Art
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook
from generator.text.flow import Compositor, Flow
from generator.text.placing import WordRun
from generator.text.shape import Style

FOLDERS = (HOUSE_FONTS, Path(__file__).parents[1] / "fonts")
BOOK = FontBook(FOLDERS)
SIZE = 3.2
RULES = (
    "Gain 2:coin: **at once**, then you may move [one worker]{red} to a free market; pay 1 :coin: "
    "for each :ship: you pass.\n\n- Draw a card.\n- Or discard **two** and take the well-known "
    "[#1d4f8a]{#1d4f8a} token.\n\nEnd of the round."
)
# script: family, and words with what is hard in it
WORDS = {
    "Latin": (HOUSE_FAMILY, "AVATAR Wolf offer façade naïve (free) «Tür»"),
    "Greek": (HOUSE_FAMILY, "Πάρε δύο νομίσματα και μετακίνησε έναν εργάτη."),
    "Cyrillic": (HOUSE_FAMILY, "Возьмите две монеты, передвиньте рабочего й"),
    "Hebrew": ("Noto Sans Hebrew", "קבל שני מטבעות (זהב), שָׁלוֹם עולם!"),
    "Arabic": ("Noto Naskh Arabic", "السلام عملتين (ذهب)، مُحَمَّد عاملاً ١٢ السوق؟"),
    "Devanagari": ("Noto Sans Devanagari", "दो सिक्के लो, फिर श्रमिक क्षेत्र में रखो। ज्ञान प्राप्त"),
    "Thai": ("Noto Sans Thai", "ภาษาไทย คำนำ ที่สวย น้ำตาล"),
    "Japanese": ("Noto Sans JP", "金貨を二枚得る。「市場」に置いたら、カードを引く！"),
}


def art(name: str, width: float, height: float) -> Art:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f'<ellipse cx="{width / 2}" cy="{height / 2}" rx="{width / 2}" ry="{height / 2}"/></svg>'
    )
    return Art(name, f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}")


ICONS = {"coin": art("coin", 10, 10), "ship": art("ship", 20, 10)}


def compositor() -> Compositor:
    return Compositor(BOOK, ICONS, {"red": "#b02a1c"})


def style(family: str = HOUSE_FAMILY, **rest: Any) -> Style:
    return Style(**{"family": family, "size": SIZE, **rest})


def flow(text: str, width: float, height: float = 200.0, **rest: Any) -> Flow:
    return compositor().set(text, Rect(0.0, 0.0, width, height), style(**rest))


def runs(flow: Flow) -> list[WordRun]:
    return [run for line in flow.lines for run in line.runs]
