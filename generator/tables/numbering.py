"""Take the pieces of a component, give them the numbers that templates read and no table has."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from generator.basics.errors import PnpError, Problem, at_most, quote
from generator.model import Piece
from generator.tables.table import MAX_PROBLEMS


def number(pieces: Sequence[Piece], read: Collection[str]) -> tuple[Piece, ...]:
    """The pieces with the numbers of headings.NUMBERS that are read.

    `number` counts all copies of all rows in their order, from 1 to `total`; `copy` counts those of
    a row. Copies with different numbers become pieces of their own: "whale", "whale (2)". Where a
    table has a column of that name, this holds. Raises PnpError with each row that lacks it.
    """
    printed = [piece for piece in pieces if piece.copies]
    missing = {name for name in read if not any(name in piece.row for piece in printed)}
    problems = [
        Problem(piece.place, f"the row has no {quote(name)}, but rows of another table do")
        for name in sorted(set(read) - missing)
        for piece in printed
        if name not in piece.row
    ]
    if problems:
        raise PnpError(at_most(MAX_PROBLEMS, problems))
    return tuple(_number(pieces, missing)) if missing else tuple(pieces)


def _number(pieces: Sequence[Piece], names: Collection[str]) -> Iterator[Piece]:
    total = sum(piece.copies for piece in pieces)
    is_divided = not {"number", "copy"}.isdisjoint(names)
    before = 0
    for piece in pieces:
        for copy in range(1, max(1, piece.copies) + 1) if is_divided else (1,):
            values = {"number": before + copy, "total": total, "copy": copy}
            row = {**piece.row, **{name: values[name] for name in names}}
            one = replace(
                piece, row=row, copies=min(1, piece.copies) if is_divided else piece.copies
            )
            id_ = f"{piece.id} ({copy})"
            yield replace(one, id=id_, texts=(), copy_of=piece.id) if copy > 1 else one
        before += piece.copies
