"""Take a Game, note the texts that are not translated."""

from __future__ import annotations

from collections.abc import Iterator

from generator.basics.errors import Problem
from generator.basics.place import Place
from generator.model import Game

_MOST_NAMED = 3


def note_untranslated(game: Game) -> Iterator[Problem]:
    """A note for each language that is incomplete (the game's language, or else all of them): how
    many cells lack it, and the first of them."""
    pieces = (piece for component in game.components for piece in component.pieces)
    # several pieces may look up the same row
    texts = list({text.place: text for piece in pieces for text in piece.texts}.values())
    for language in [game.language] if game.language else game.languages:
        missing = [text.place for text in texts if not text.languages.get(language)]
        if missing:
            more = ", …" if len(missing) > _MOST_NAMED else ""
            what = f"{language}: {len(missing)} of {len(texts)} cells are not translated"
            hint = f"the original text replaces {', '.join(map(str, missing[:_MOST_NAMED]))}{more}"
            yield Problem(Place(game.name), what, hint, "note", "translation")
