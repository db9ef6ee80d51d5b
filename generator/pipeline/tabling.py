"""Take the name of a game, put its pieces on a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.model import RULEBOOK, Face, FaceKey, Game
from generator.pipeline.game import bound_of, draw, read_sound_game
from generator.pipeline.printing import OUTPUT, impose_kit
from generator.pipeline.request import parse_request
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
        supply = make_supply(loaded.game, drawn, _rules(game, language, loaded.game, drawn))
    return TableSession(supply, seats, file or OUTPUT / f"{loaded.game.name}.table.json")


def _rules(name: str, language: str, game: Game, drawn: dict[FaceKey, Face]) -> Sequence[Face]:
    """The pages of the rulebook in reading order; none if the game has none."""
    if game.booklet is None:
        return []
    request = parse_request(name, {"language": language, "only": [RULEBOOK]})
    pages = impose_kit(game, request, drawn, silent).pages
    return [face for key, face in pages.items() if key[0] == RULEBOOK]
