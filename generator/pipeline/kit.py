"""Take a game and the parts that are asked for, choose what is printed."""

from __future__ import annotations

from collections.abc import Iterable

from generator.errors import PnpError, Problem, did_you_mean, quote
from generator.model import COVER, RULEBOOK, Component, Game
from generator.place import Place


def parts(game: Game) -> list[str]:
    """The parts of a kit by name, in the order in which one cuts them."""
    booklet = game.booklet
    leaflets = [COVER, RULEBOOK] if booklet and booklet.has_cover else [RULEBOOK] if booklet else []
    return [*leaflets, *(component.id for component in game.components)]


def is_asked(part: str, only: tuple[str, ...]) -> bool:
    """Whether a part is printed: all are when none is named."""
    return not only or part in only


def check_only(game: Game, only: Iterable[str]) -> None:
    """Raises PnpError naming each that is no part of the kit."""
    known, place = parts(game), Place("--only")
    problems = [
        Problem(place, f"{game.title} has no part {quote(name)}", did_you_mean(name, known))
        for name in only
        if name not in known
    ]
    if problems:
        raise PnpError(problems)


def choose_components(game: Game, only: tuple[str, ...]) -> list[Component]:
    """The components that are asked for and have something to print; all when none is named."""
    asked = (component for component in game.components if is_asked(component.id, only))
    return [component for component in asked if any(piece.copies for piece in component.pieces)]
