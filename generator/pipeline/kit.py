"""Take a game and the requested parts, choose what to print."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from generator.basics.errors import PnpError, Problem, did_you_mean, quote
from generator.basics.place import Place
from generator.model import COVER, RULEBOOK, Component, Game


def parts(game: Game) -> list[str]:
    """The names of the parts of a kit, in cutting order."""
    booklet = game.booklet
    leaflets = [COVER, RULEBOOK] if booklet and booklet.has_cover else [RULEBOOK] if booklet else []
    return [*leaflets, *(component.id for component in game.components)]


def is_requested(part: str, only: tuple[str, ...]) -> bool:
    """Whether a part, or some of its pieces, is printed; without names, all parts are."""
    return not only or any(name.partition("/")[0] == part for name in only)


def check_only(game: Game, only: Iterable[str]) -> None:
    """Raises PnpError with each name that is not a part of the kit, nor a piece with copies."""
    problems = [Problem(Place("--only"), *fault) for name in only if (fault := _fault(game, name))]
    if problems:
        raise PnpError(problems)


def choose_components(game: Game, only: tuple[str, ...], copies: int = 1) -> list[Component]:
    """The requested components that have something to print, with only the requested pieces;
    without names, all of them. `copies` multiplies the number of each piece."""
    components = (component for component in game.components if is_requested(component.id, only))
    chosen = (_choose_pieces(component, only, copies) for component in components)
    return [component for component in chosen if any(piece.copies for piece in component.pieces)]


def _choose_pieces(component: Component, only: tuple[str, ...], copies: int) -> Component:
    is_whole = not only or component.id in only
    if is_whole and copies == 1:
        return component
    ids = {name.partition("/")[2] for name in only if name.startswith(f"{component.id}/")}
    pieces = (
        replace(
            piece,
            copies=piece.copies * copies if is_whole or {piece.id, piece.copy_of} & ids else 0,
        )
        for piece in component.pieces
    )
    return replace(component, pieces=tuple(pieces))


def _fault(game: Game, name: str) -> tuple[str, str] | None:
    """What is wrong with a name of `only`, and a hint."""
    part, slash, id_ = name.partition("/")
    names = parts(game)
    if part not in names:
        owners = (one.id for one in game.components for piece in one.pieces if piece.id == name)
        owner = next(owners, "")
        hint = f"write {owner}/{name}" if owner else did_you_mean(part, names)
        return f"{game.title} has no part {quote(part)}", hint
    if not slash:
        return None
    component = next((one for one in game.components if one.id == part), None)
    if component is None:
        return f"the {part} are printed as a whole", f"--only {part}"
    copies = {piece.id: piece.copies for piece in component.pieces}
    if id_ not in copies:
        return f"there is no piece {quote(id_)} among the {part}", did_you_mean(id_, copies)
    if not copies[id_]:
        return f"the piece {quote(id_)} has a count of 0", "raise its count in the table"
    return None
