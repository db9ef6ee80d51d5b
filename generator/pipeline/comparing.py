"""Changes of a game since a git revision, and the game with only those."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from generator import game as gamefile
from generator import review
from generator.basics.errors import Place, PnpError, fail
from generator.model import SIDES, Component, Face, FaceKey, Game
from generator.pipeline.game import KINDS, bound_of, draw
from generator.pipeline.request import Request
from generator.pipeline.sheets import are_backs_slipped, choose_components, silent
from generator.review import history
from generator.text import HOUSE_FONTS, FontBook


class Comparison(Struct, frozen=True):
    """The changes between an old version of a game and the game now. `old` is None if there was no
    such game, so that everything is new. `past` names the revision."""

    past: history.Past
    old: Game | None
    drawn: dict[FaceKey, Face]  # of the old game
    changes: review.Changes
    is_lettered_alike: bool  # whether the game's own fonts are the same in both


@contextmanager
def compare_with_past(
    name: str, revision: str, language: str, game: Game, drawn: dict[FaceKey, Face]
) -> Iterator[Comparison]:
    """Compares a game with a revision, whose files exist within the block.

    Raises PnpError if `history.as_it_was` does, or if the old version cannot be read or drawn.
    """
    folder, variant = gamefile.find(name)
    with history.as_it_was(folder, revision) as past:
        with of_the_past(game, past), bound_of(name).hold():
            old, was = None, past.folder
            if was is not None and gamefile.holds(was, variant):
                is_low_ink = game.low_ink is not None
                old = gamefile.read(was, variant, KINDS, language, is_low_ink=is_low_ink)
            old_game, old_drawn = (old.game, draw(old, silent)) if old else (None, {})
        before = edition(old_game, old_drawn)
        after = edition(game, drawn)
        changes = review.compare(before, after)
        yield Comparison(past, old_game, old_drawn, changes, before.fonts == after.fonts)


@contextmanager
def of_the_past(game: Game, past: history.Past) -> Iterator[None]:
    """Reports faults within the block as one message about the revision."""
    try:
        yield
    except PnpError as error:
        first, *others = error.problems
        what = f"this version cannot be read: {first.place}: {first.what}"
        more = f" (and {len(others)} more)" if others else ""
        raise fail(Place(f"{game.name} at {past}"), what + more, "compare with a later revision") from None


def edition(game: Game | None, drawn: dict[FaceKey, Face]) -> review.Edition:
    """A game and its faces to compare; an empty edition if there is no game."""
    if game is None:
        return review.Edition()
    own = [folder for folder in game.font_folders if folder != HOUSE_FONTS]
    return review.Edition(game.components, drawn, FontBook(own).digests())


def only_changed(
    game: Game, drawn: dict[FaceKey, Face], request: Request
) -> tuple[Game, dict[FaceKey, Face], list[str]]:
    """The game with only the copies to reprint since a revision, and lines that describe them.
    Raises PnpError as `compare_with_past` does."""
    past = compare_with_past(request.game, request.changed_since, request.language, game, drawn)
    with past as comparison:
        changes = comparison.changes
        shown = {
            (component.id, side)
            for component in game.components
            for side in SIDES
            if side == "front" or request.way != "single" or are_backs_slipped(component, drawn)
        }
        components = review.choose_reprints(game.components, changes, shown)
        since = f"since {comparison.past}"
        lines = []
        for whole, part in zip(game.components, components, strict=True):
            if part.id in {component.id for component in choose_components(game, request.only)}:
                lines += _describe(whole, part, since)
                lines += [f"{whole.id}: take out {piece}" for piece in changes.list_gone(whole.id)]
    return replace(game, components=components), drawn, lines or [f"nothing changed {since}"]


def _describe(whole: Component, part: Component, since: str) -> list[str]:
    """A line on the copies to print of a component; none if there are none."""
    copies = len(part.copies())
    pieces = review.list_pieces([piece.id for piece in part.pieces if piece.copies])
    total = len(whole.copies())
    return [f"{part.id}: {copies} of {total} changed {since}: {pieces}"] if copies else []
