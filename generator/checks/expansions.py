"""Take a Game, note the changes by an expansion."""

from __future__ import annotations

from collections.abc import Iterator

from generator.basics.errors import Problem
from generator.model import Game


def note_expansions(game: Game) -> Iterator[Problem]:
    """A note for each component that an expansion changes."""
    for component in game.components:
        if component.merged:
            what = f"{component.id}: {component.merged}"
            yield Problem(component.place, what, "", "note", "expansion", (component.id,))
