"""What holds in every rulebook: its list of the kit, its tables, and the discs of its figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from generator import booklet, pipeline
from generator.basics.errors import Place
from generator.basics.geometry import Size
from generator.booklet.reading import MarkdownTable, Words, read
from generator.checks import preflight
from generator.model import Face, FaceKey, LoadedGame
from generator.pipeline.game import draw
from generator.pipeline.sheets import silent
from tests.games.figures import Figure, figure, rules_of

GAMES = ("advaya", "atreya", "talavera", "taluva", "toripoka")
# Figures whose discs are no names: what the numbers are is tested where the game's rules are.
VALUES = (
    "The same arena. The number on each tile",
    "An eruption, before and after",
    "Three turns of red.",
    "The settlement expands into the jungle",
    "Left: a tile of freedom 7",
)
HALVES = (Size(139.7, 215.9), Size(148.5, 210.0))


@pytest.mark.parametrize("game", GAMES)
def test_kit_list_is_the_kit(game: str) -> None:
    parts = [
        preflight.CountedPart(component.id, component.title, len(component.copies()))
        for component in pipeline.read(game).game.components
    ]
    assert [*preflight.contents_agree(rules_of(game), Place("rules.md"), parts)] == []


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_two_sheets_on_either_paper(game: str) -> None:
    """A ninth page would need a sheet for itself."""
    for half in HALVES:
        assert len(pages_of(game, half)) == 8, half


@pytest.mark.parametrize("game", GAMES)
def test_the_text_names_no_page(game: str) -> None:
    """A shop's booklet has other pages: it is set anew in another size."""
    named = re.compile(r"\b(pages?|Seiten?|páginas?|pagine?) \d", re.IGNORECASE)
    folder = Path(__file__).parents[2] / "templates" / game
    assert not [file.name for file in folder.glob("rules*.md") if named.search(file.read_text("utf-8"))]
    assert named.search("the arena of pages 4 and 5")


@cache
def pages_of(game: str, half: Size) -> Sequence[Face]:
    loaded, drawn = game_drawn(game)
    assert loaded.game.booklet is not None
    return booklet.pages(loaded.game, loaded.game.booklet, drawn, half, 6.35)


@cache
def game_drawn(game: str) -> tuple[LoadedGame, dict[FaceKey, Face]]:
    loaded = pipeline.read(game)
    return loaded, draw(loaded, silent)


@pytest.mark.parametrize("game", GAMES)
def test_no_cell_is_empty(game: str) -> None:
    """But a table may do without a head."""
    blocks = read(rules_of(game), Place("rules.md")).blocks
    for table in (block for block in blocks if isinstance(block, MarkdownTable)):
        head = [] if not any(map(_is_filled, table.head)) else [table.head]
        assert all(map(_is_filled, chain(*head, *table.rows))), f"line {table.line}"


def _is_filled(words: Words) -> bool:
    return any(span.text or span.icon for line in words for span in line)


@pytest.mark.parametrize("game", GAMES)
def test_numbered_discs_are_reported(game: str) -> None:
    """They count from 1; the caption, where it speaks of any, speaks of all."""
    for shown in numbered(game):
        labels = [label for label, _ in shown.marks if label.isdecimal()]
        assert labels == [str(number + 1) for number in range(len(labels))], shown.caption
        spoken_of = _numbers(shown.caption)
        assert {*labels} <= spoken_of, shown.caption


def numbered(game: str) -> Iterator[Figure]:
    rules = rules_of(game)
    for caption in re.findall(r"^::: table +(.+)$", rules, re.M):
        if not caption.startswith(VALUES):
            yield figure(rules, caption)


def _numbers(caption: str) -> set[str]:
    """Those that it tells, "3 to 6" with all between."""
    ranges = re.findall(r"(\d+) to (\d+)", caption)
    between = {str(n) for first, last in ranges for n in range(int(first), int(last) + 1)}
    return between | {*re.findall(r"\d+", caption)}
