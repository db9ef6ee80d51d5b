"""Pieces of a table, once they are read: in an order, with the numbers that templates read and no
table has, and with those of an expansion."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from unicodedata import combining, normalize

from msgspec.structs import replace

from generator.basics.bounds import find_most_pieces
from generator.basics.errors import Problem, at_most, did_you_mean, quote, raise_all
from generator.model import Column, Merged, Piece, Value
from generator.tables.rows import number_in

MAX_PROBLEMS = 10_000  # of one table; `errors.messages` gathers them
TO_HAVE_MORE = "count is the number of copies of a row; a larger PNP_MEMORY allows more"
Order = Sequence[tuple[Column, bool]]  # columns to sort by, each with whether downward


def sort(pieces: Sequence[Piece], order: Order) -> tuple[Piece, ...]:
    """The pieces in the order of columns: numbers before words, whose accents and capitals make no
    difference. Those with an empty cell come last."""
    for column, is_downward in reversed(order):
        filled = [piece for piece in pieces if piece.row.get(column.name, "") != ""]
        empty = [piece for piece in pieces if piece.row.get(column.name, "") == ""]
        filled.sort(key=lambda piece: _rank(str(piece.row[column.name])), reverse=is_downward)
        pieces = [*filled, *empty]
    return tuple(pieces)


def _rank(cell: str) -> tuple[bool, Decimal, str]:
    number = number_in(cell)
    plain = normalize("NFKD", cell.casefold())
    words = "".join(sign for sign in plain if not combining(sign))
    return number is None, number or Decimal(0), words if number is None else ""


def number(pieces: Sequence[Piece], read: Collection[str]) -> tuple[Piece, ...]:
    """The pieces with the numbers of headings.NUMBERS that are read.

    `number` counts all copies of all rows in their order, from 1 to `total`; `copy` counts those of
    a row. Copies with different numbers become pieces of their own: "whale", "whale (2)". Where a
    table has a column of that name, this holds. Raises PnpError with each row that lacks it.
    """
    printed = [piece for piece in pieces if piece.is_drawn]
    missing = {name for name in read if not any(name in piece.row for piece in printed)}
    problems = [
        Problem(piece.place, f"the row has no {quote(name)}, but rows of another table do")
        for name in sorted(set(read) - missing)
        for piece in printed
        if name not in piece.row
    ]
    raise_all(at_most(MAX_PROBLEMS, problems))
    return tuple(_number_pieces(pieces, missing)) if missing else tuple(pieces)


def _number_pieces(pieces: Sequence[Piece], names: Collection[str]) -> Iterator[Piece]:
    total = sum(piece.copies for piece in pieces)
    is_divided = not {"number", "copy"}.isdisjoint(names)
    before = 0
    for piece in pieces:
        for copy in range(1, max(1, piece.copies) + 1) if is_divided else (1,):
            values: dict[str, Value] = {"number": before + copy, "total": total, "copy": copy}
            if piece.fills:
                values |= {"number": "", "copy": ""}
            row = {**piece.row, **{name: values[name] for name in names}}
            copies = min(1, piece.copies) if is_divided else piece.copies
            numbered = replace(piece, row=row, copies=copies)
            yield replace(numbered, id=f"{piece.id} ({copy})", texts=(), copy_of=piece.id) if copy > 1 else numbered
        before += piece.copies


def extend(base: Sequence[Piece], more: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces of `base` with those of `more`. A piece of `more` replaces the one with its id, or
    removes it if its count is 0; the others come last.

    Raises PnpError if there is nothing to remove, or if there are too many pieces."""
    names = {piece.id.casefold(): piece.id for piece in base}
    pieces = {piece.id.casefold(): piece for piece in base}
    problems = []
    for piece in more:
        if not piece.is_drawn and piece.id.casefold() not in names:
            what = f"there is no row {quote(piece.id)} to leave out"
            problems.append(Problem(piece.place, what, did_you_mean(piece.id, names.values())))
        pieces[piece.id.casefold()] = piece
    removed = {piece.id.casefold() for piece in more if not piece.is_drawn}
    kept = tuple(piece for id_, piece in pieces.items() if id_ not in removed)
    most = find_most_pieces()
    if sum(piece.copies for piece in kept) > most:
        what = f"with these rows the table has more than {most:,} pieces"
        problems.append(Problem(more[-1].place, what, TO_HAVE_MORE))
    raise_all(at_most(MAX_PROBLEMS, problems))
    return kept


def count_merged(base: Sequence[Piece], kept: Sequence[Piece]) -> Merged:
    """How many copies were added and removed, and how many rows replaced."""
    rows = {piece.id.casefold(): piece for piece in base}
    before = Counter({id_: piece.copies for id_, piece in rows.items()})
    after = Counter({piece.id.casefold(): piece.copies for piece in kept})
    return Merged(
        base=before.total(),
        added=(after - before).total(),
        removed=(before - after).total(),
        replaced=sum(rows.get(piece.id.casefold(), piece) is not piece for piece in kept),
    )
