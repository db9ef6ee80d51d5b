"""Take a folder, make in it the game that the guide ends with: a starter, and what it adds."""

from __future__ import annotations

import shutil
from pathlib import Path

from generator import pipeline

ADDED = Path(__file__).parents[1] / "guide"
VARIANT = "variant.toml"  # what is written at the end of game.toml


def guided(folder: Path) -> Path:
    """The folder of the game, `folder`/my-game."""
    game = pipeline.start(str(folder / "my-game"), "cards")
    shutil.copytree(ADDED, game, dirs_exist_ok=True, ignore=shutil.ignore_patterns(VARIANT))
    with (game / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write((ADDED / VARIANT).read_text("utf-8"))
    return game
