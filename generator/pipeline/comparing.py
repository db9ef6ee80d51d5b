"""Take a game and a git revision, make what has changed since, and the game with only that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from generator import gamefile, history, review
from generator.errors import PnpError, fail
from generator.model import SIDES, Component, Face, FaceKey, Game, LoadedGame, Side
from generator.pipeline.game import KINDS, bound_of, draw, silent
from generator.pipeline.kit import choose_components
from generator.pipeline.request import Request
from generator.place import Place
from generator.text import HOUSE_FONTS, FontBook


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from a game as it was to the game as it is; `old` is None where there was
    none, so that all of it is new. `past` is the revision as a person knows it."""

    past: history.Past
    old: Game | None
    drawn: dict[FaceKey, Face]  # of the old game
    changes: review.Changes
    is_lettered_alike: bool  # whether both have the same fonts of their own


@contextmanager
def compare_with_past(
    name: str, revision: str, language: str, game: Game, drawn: dict[FaceKey, Face]
) -> Iterator[Comparison]:
    """A game beside what it was at a revision, whose files are there as long as the block.

    Raises PnpError: what `history.as_it_was` does; what it was cannot be read or drawn today.
    """
    folder, variant = gamefile.find(name)
    with history.as_it_was(folder, revision) as past:
        with of_the_past(game, past), bound_of(name).hold():
            old = _read(past, variant, language)
            then, old_drawn = (old.game, draw(old, silent)) if old else (None, {})
        was = edition(then, old_drawn)
        now = edition(game, drawn)
        changes = review.compare(was, now)
        yield Comparison(past, then, old_drawn, changes, was.fonts == now.fonts)


@contextmanager
def of_the_past(game: Game, past: history.Past) -> Iterator[None]:
    """Faults within are those of the game as it was: one message, of the revision."""
    try:
        yield
    except PnpError as error:
        first, *others = error.problems
        what = f"as it was it cannot be read today: {first.place}: {first.what}"
        more = f" (and {len(others)} more)" if others else ""
        place = Place(f"{game.name} at {past}")
        raise fail(place, what + more, "compare with a later revision") from None


def _read(past: history.Past, variant: str, language: str) -> LoadedGame | None:
    if past.folder is None or not gamefile.holds(past.folder, variant):
        return None
    return gamefile.read(past.folder, variant, KINDS, language)


def edition(game: Game | None, drawn: dict[FaceKey, Face]) -> review.Edition:
    """A game and its faces as they are compared; an empty one where there was no game."""
    if game is None:
        return review.Edition()
    own = [folder for folder in game.font_folders if folder != HOUSE_FONTS]
    return review.Edition(game.components, drawn, FontBook(own).digests())


def only_changed(
    game: Game, drawn: dict[FaceKey, Face], request: Request
) -> tuple[Game, dict[FaceKey, Face], list[str]]:
    """The game with no copies but those to be printed anew since a revision, and in words what
    they are. Raises PnpError as `compared` does."""
    sides: Sequence[Side] = ["front"] if request.way == "single" else SIDES
    comparison = compare_with_past(
        request.game, request.changed_since, request.language, game, drawn
    )
    with comparison as found:
        components = review.choose_reprints(game.components, found.changes, sides)
        since = f"since {found.past}"
        told = []
        for whole, part in zip(game.components, components, strict=True):
            if part.id in {component.id for component in choose_components(game, request.only)}:
                told += _describe(whole, part, since)
                told += [f"{whole.id}: take out {one}" for one in found.changes.list_gone(whole.id)]
    return replace(game, components=components), drawn, told or [f"nothing changed {since}"]


def _describe(whole: Component, part: Component, since: str) -> list[str]:
    """What is printed of a component; nothing when that is nothing."""
    copies = len(part.copies())
    pieces = review.list_pieces([piece.id for piece in part.pieces if piece.copies])
    total = len(whole.copies())
    return [f"{part.id}: {copies} of {total} changed {since}: {pieces}"] if copies else []
