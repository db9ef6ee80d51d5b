"""Take a Game, say what of it is not translated."""

from __future__ import annotations

from collections.abc import Iterator

from generator.errors import Problem
from generator.model import Game
from generator.place import Place

_MOST_NAMED = 3


def note_untranslated(game: Game) -> Iterator[Problem]:
    """A note for each language, the game's own or all, that some cell lacks: how many of how
    many, and the first."""
    pieces = (piece for component in game.components for piece in component.pieces)
    # a row that several pieces point at is translated once
    texts = list({text.place: text for piece in pieces for text in piece.texts}.values())
    for language in [game.language] if game.language else game.languages:
        missing = [text.place for text in texts if not text.languages.get(language)]
        if missing:
            more = ", …" if len(missing) > _MOST_NAMED else ""
            what = f"{language}: {len(missing)} of {len(texts)} cells are not translated"
            hint = f"the original text replaces {', '.join(map(str, missing[:_MOST_NAMED]))}{more}"
            yield Problem(Place(game.name), what, hint, "note", "translation")
