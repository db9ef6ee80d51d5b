"""Take the pieces of a game and of its expansion, make those of both together."""

from __future__ import annotations

from collections.abc import Sequence

from generator.basics.bounds import find_most_pieces
from generator.basics.errors import PnpError, Problem, at_most, did_you_mean, quote
from generator.model import Merged, Piece
from generator.tables.table import MAX_PROBLEMS


def extend(base: Sequence[Piece], more: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces of `base` with those of `more`. A piece of `more` replaces the one with its id, or
    removes it if its count is 0; the others come last.

    Raises PnpError if there is nothing to remove, or if there are too many pieces."""
    names = {piece.id.casefold(): piece.id for piece in base}
    pieces = {piece.id.casefold(): piece for piece in base}
    problems = []
    for piece in more:
        if not piece.copies and piece.id.casefold() not in names:
            what = f"there is no row {quote(piece.id)} to leave out"
            hint = did_you_mean(piece.id, names.values())
            problems.append(Problem(piece.place, what, hint))
        pieces[piece.id.casefold()] = piece
    removed = {piece.id.casefold() for piece in more if not piece.copies}
    kept = tuple(piece for id_, piece in pieces.items() if id_ not in removed)
    most = find_most_pieces()
    if sum(piece.copies for piece in kept) > most:
        what = f"with these rows the table has more than {most:,} pieces"
        problems.append(
            Problem(
                more[-1].place,
                what,
                "count is the number of copies of a row; a larger PNP_MEMORY allows more",
            )
        )
    if problems:
        raise PnpError(at_most(MAX_PROBLEMS, problems))
    return kept


def count_merged(base: Sequence[Piece], kept: Sequence[Piece]) -> Merged:
    """How many copies were added and removed, and how many rows replaced."""
    before = {piece.id.casefold(): piece for piece in base}
    after = {piece.id.casefold(): piece for piece in kept}
    changes = [
        (after[id_].copies if id_ in after else 0) - (before[id_].copies if id_ in before else 0)
        for id_ in before | after
    ]
    return Merged(
        base=sum(piece.copies for piece in base),
        added=sum(change for change in changes if change > 0),
        removed=-sum(change for change in changes if change < 0),
        replaced=sum(after[id_] is not before[id_] for id_ in before.keys() & after),
    )
