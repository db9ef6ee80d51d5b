"""Take a Game, say what an expansion made of it."""

from __future__ import annotations

from collections.abc import Iterator

from generator.errors import Problem
from generator.model import Game


def note_expansions(game: Game) -> Iterator[Problem]:
    """A note for each component that an expansion adds to, takes from or changes."""
    for component in game.components:
        if component.merged:
            what = f"{component.id}: {component.merged}"
            yield Problem(component.place, what, "", "note", "expansion", (component.id,))
