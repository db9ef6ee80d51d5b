"""Pieces lie on the table as large as the spec has them."""

from __future__ import annotations

import shutil
from itertools import combinations
from math import dist
from pathlib import Path
from random import Random

import pytest

from generator.pipeline.game import read
from generator.pipeline.playtesting import make_game_engine
from generator.play.engine import CHANCE

_GAMES = Path(__file__).parents[2] / "templates"


@pytest.mark.parametrize(
    ("game", "usual", "larger", "before", "after"),
    [
        ("advaya", "26.73mm", "40mm", 26.73, 40.0),  # from side to side
        ("atreya", "26.73mm", "40mm", 26.73, 40.0),
        ("taluva", "40mm", "60mm", 81.85, 122.78),  # from tile to tile of three hexagons
        ("talavera", "63.5mm", "70mm", 69.5, 76.0),  # a market with gaps of 6 mm
    ],
)
def test_a_changed_size_moves_the_pieces(
    game: str, usual: str, larger: str, before: float, after: float, tmp_path: Path
) -> None:
    folder = tmp_path / game
    shutil.copytree(_GAMES / game, folder)
    assert _find_least(game) == pytest.approx(before, abs=0.02)
    spec = folder / "game.toml"
    text = spec.read_text("utf-8")
    assert f'"{usual}"' in text
    spec.write_text(text.replace(f'"{usual}"', f'"{larger}"'), "utf-8")
    assert _find_least(str(folder)) == pytest.approx(after, abs=0.02)


def _find_least(game: str) -> float:
    """The least distance between the middles of two pieces after a few moves, in mm."""
    engine, rng = make_game_engine(read(game).game, {}), Random(2)
    state = engine.start()
    for _ in range(6):
        is_chance = engine.turn(state) == CHANCE
        move = engine.draw(state, rng) if is_chance else engine.legal(state)[0]
        state = engine.apply(state, move)
    laid = [(piece.x, piece.y) for piece in engine.lay(state) if piece.component in ("tiles", "cards")]
    return min(dist(one, other) for one, other in combinations(laid, 2))
