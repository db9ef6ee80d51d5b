"""Take pieces, give them names, read their size and the numbers in their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from generator.basics.errors import PnpError, Problem, quote
from generator.basics.geometry import Size
from generator.basics.place import Place
from generator.model import Piece
from generator.play.engine import Decks


def pieces_of(decks: Decks, component: str) -> Sequence[Piece]:
    """The pieces of a component. Raises PnpError if the game has none of that name."""
    if component not in decks:
        what = f"there is no component {quote(component)}, which its engine plays with"
        raise PnpError([Problem(Place("game.toml"), what, "give it back its id")])
    return decks[component]


def size_of(pieces: Sequence[Piece]) -> Size:
    """The size of pieces of one component, in mm; 0 if there are none."""
    return next((piece.size for piece in pieces), Size(0.0, 0.0))


def name_pieces(pieces: Sequence[Piece]) -> list[str]:
    """A name for each piece, unlike all others: its id, and of further copies "5#2"."""
    seen: Counter[str] = Counter()
    names = []
    for piece in pieces:
        seen[piece.id] += 1
        names.append(piece.id if seen[piece.id] == 1 else f"{piece.id}#{seen[piece.id]}")
    return names


def read_numbers(
    pieces: Sequence[Piece], columns: Sequence[str], least: int, most: int
) -> list[tuple[int, ...]]:
    """The whole numbers in these columns, a tuple for each piece. Raises PnpError with every cell
    that holds none from `least` to `most`."""
    problems: list[Problem] = []
    rows = []
    for piece in pieces:
        row = [_read(piece, column, least, most) for column in columns]
        for column, number in zip(columns, row, strict=True):
            if number is None:
                value = quote(piece.row.get(column, ""))
                what = f"{column} is {value}, its engine needs a number from {least} to {most}"
                problems.append(Problem(piece.place.at_column(column), what))
        rows.append(tuple(number or 0 for number in row))
    if problems:
        raise PnpError(problems)
    return rows


def _read(piece: Piece, column: str, least: int, most: int) -> int | None:
    text = str(piece.row.get(column, ""))
    if text.isascii() and text.isdigit() and len(text) < 9 and least <= int(text) <= most:
        return int(text)
    return None
