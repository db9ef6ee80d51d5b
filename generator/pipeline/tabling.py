"""Take the name of a game, put its pieces on a table."""

from __future__ import annotations

from pathlib import Path

from generator.pipeline.game import bound_of, draw, read_sound_game
from generator.pipeline.printing import OUTPUT
from generator.pipeline.sheets import silent
from generator.tabletop.session import TableSession
from generator.tabletop.supply import make_supply


def table_session(
    game: str, seats: int, language: str = "", file: Path | None = None
) -> TableSession:
    """A table with all pieces of a game. It is saved to `file`, by default
    output/GAME.table.json. Raises PnpError with every fault of the game."""
    with bound_of(game).hold():
        loaded, _ = read_sound_game(game, silent, language)
        drawn = draw(loaded, silent)
        supply = make_supply(loaded.game, drawn)
    return TableSession(supply, seats, file or OUTPUT / f"{loaded.game.name}.table.json")
