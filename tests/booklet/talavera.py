"""Talavera with rules of a test's own: typeset, or printed."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pypdfium2

from generator import booklet, pipeline
from generator.basics.errors import Place
from generator.basics.geometry import Size
from generator.model import Booklet, Face, FaceKey, Game, Poster
from generator.pdf import Press
from generator.pipeline.game import draw
from generator.pipeline.sheets import silent
from generator.text import HOUSE_FAMILY

TEMPLATES = Path(__file__).parents[2] / "templates"
HALF_LETTER = Size(139.7, 215.9)
USUAL = 6.35


@cache
def talavera() -> tuple[Game, dict[FaceKey, Face]]:
    loaded = pipeline.read("talavera")
    return loaded.game, draw(loaded, silent)


def rules(text: str, *, title_font: str = "Abril Fatface") -> Booklet:
    colours = {"sun": "#c08000"}
    return Booklet(
        Place("talavera/rules.md"),
        text,
        title_font,
        HOUSE_FAMILY,
        (),
        3.5,
        "#19337c",
        {},
        colours,
        False,
        Poster(Place("talavera/game.toml")),
    )


def set_pages(text: str, size: Size = HALF_LETTER, bare: float = USUAL) -> list[Face]:
    game, drawn = talavera()
    return booklet.pages(game, rules(text), drawn, size, bare)


def folder_with(rules_text: str, folder: Path) -> Path:
    """Talavera's folder with these rules, and no cover."""
    shutil.copytree(TEMPLATES / "talavera", folder)
    spec = folder / "game.toml"
    text = spec.read_text("utf-8")
    spec.write_text(text.replace("[booklet]", "[booklet]\ncover = false"), "utf-8")
    (folder / "rules.md").write_text(rules_text, "utf-8")
    return folder


def printed(request: pipeline.Request, output: Path) -> list[bytes]:
    """The files that a request makes."""
    with Press() as press:
        built = pipeline.print_game(request, output, press, silent)
    return [path.read_bytes() for path in built.paths]


def words_of(pdf: bytes, page: int = 0) -> str:
    """What stands on a page, without blanks: the words of a narrow face are set close."""
    with pypdfium2.PdfDocument(pdf) as document:
        return "".join(document[page].get_textpage().get_text_range().split())
