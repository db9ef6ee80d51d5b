"""Take a game, choose the colour of its pages."""

from __future__ import annotations

from generator.export import site
from generator.model import Game
from generator.web.contrast import Accent


def accent_of(game: Game) -> Accent:
    """The accent of the rules, else the first colour of the palette that is not a grey."""
    accent = [game.booklet.accent] if game.booklet else []
    return site.choose_accent([*accent, *game.palette.values()])
