"""A game of one card drawn from a template, for tests to break."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from generator import faces, game, pipeline
from generator.basics.errors import PnpError, Problem
from generator.model import Face

SVG = "{http://www.w3.org/2000/svg}"
GAME = """
[game]
title = "Tiny"
designer = "A. Designer"
about = "One card."
[palette]
red = "#c03020"
[art]
dot = "dot.svg"
[[component]]
id = "cards"
title = "Cards"
table = "cards.csv"
size = ["40mm", "60mm"]
corner_radius = "3mm"
bleed = "3mm"
[component.front]
template = "front.svg"
edge = "red"
"""
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:pnp="any:thing" viewBox="0 0 40 60" font-family="Alegreya Sans" font-size="4">\n'
)
ALL_READ = '<g pnp:if="x and t"/>'
DOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4" cx="4" cy="4"/></svg>'
BOX = '<rect id="box" x="2" y="2" width="{}" height="{}" fill="none"/>'


def tiny(folder: Path) -> Path:
    folder.mkdir()
    (folder / "game.toml").write_text(GAME, "utf-8")
    (folder / "dot.svg").write_text(DOT, "utf-8")
    return folder


def write(folder: Path, body: str, cell: str = "7", head: str = HEAD) -> Path:
    (folder / "front.svg").write_text(f"{head}{body}\n{ALL_READ}</svg>", "utf-8")
    cell = cell.replace('"', '""')
    (folder / "cards.csv").write_text(f'id,x,t\na,"{cell}",some words\n', "utf-8")
    return folder


def drawn(folder: Path, component: int = 0, language: str = "") -> dict[str, Face]:
    loaded = game.read(folder, "", pipeline.KINDS, language)
    made = faces.draw(loaded.designs[component], "front")
    return {piece.id: face for piece, face in made}


def svg(face: Face) -> etree._Element:
    return etree.fromstring(face.layers[-1].layer.svg)


def words(face: Face) -> str:
    return " ".join("".join(text.itertext()) for text in svg(face).iter(f"{SVG}text"))


def problems(folder: Path) -> list[Problem]:
    with pytest.raises(PnpError) as caught:
        drawn(folder)
    return list(caught.value.problems)


def sole(face: Face, name: str) -> etree._Element:
    (found,) = svg(face).iter(f"{SVG}{name}")
    return found


def text(words: str, attributes: str = "") -> str:
    return f'<text x="2" y="9" {attributes}>{words}</text>'
