"""Printed colours are called by the names that the games call them by."""

from __future__ import annotations

import pytest

from generator import pipeline
from generator.checks import NAMES, nearest
from generator.games.taluva.checks import MARKS

PRIMARY = ("red", "green", "blue")


@pytest.mark.parametrize(
    ("colour", "among", "name"),
    [
        ("#000000", NAMES, "black"),
        ("#ffffff", NAMES, "white"),
        ("#ff0000", NAMES, "red"),
        ("#00ff00", NAMES, "green"),
        ("#0000ff", NAMES, "blue"),
        ("#ffff00", NAMES, "yellow"),
        ("#8b4513", NAMES, "brown"),  # saddlebrown
        ("#000080", PRIMARY, "blue"),  # navy
        ("#ffc0cb", PRIMARY, "red"),  # pink
        ("#556b2f", PRIMARY, "green"),  # darkolivegreen
        ("#ffd700", MARKS, "yellow"),  # gold
        ("#fffff0", MARKS, "white"),  # ivory
        ("#a52a2a", ("red", "yellow"), "red"),
        ("#333333", ("black", "blue"), "black"),
    ],
)
def test_nearest(colour: str, among: tuple[str, ...], name: str) -> None:
    """CSS names them so, or shades of them."""
    assert nearest(colour, among) == name


@pytest.mark.parametrize(("game", "names"), [("taluva", MARKS), ("toripoka", NAMES)])
def test_palettes(game: str, names: tuple[str, ...]) -> None:
    """What a palette calls by a colour's name is that colour, among those of the game."""
    palette = pipeline.read(game).game.palette
    called = [name for name in palette if name in names]
    assert len(called) >= 3
    assert [nearest(palette[name], called) for name in called] == called
