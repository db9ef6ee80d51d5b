"""Take pieces, each with a key, find those that occur more than once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

from generator.basics.place import Place
from generator.model import Piece


def doubles(
    keyed: Iterable[tuple[Hashable, Piece]], label: Callable[[Piece], str], noun: str
) -> Iterator[tuple[Place, str]]:
    """The place and the fault of each row that repeats the `noun` of an earlier row, or has more
    than one copy."""
    firsts: dict[Hashable, Piece] = {}
    for key, piece in keyed:
        first = firsts.setdefault(key, piece)
        if first is not piece:
            yield piece.place, f"{label(piece)} is the same {noun} as {label(first)}"
        if piece.copies > 1:
            yield piece.place, f"{label(piece)} has {piece.copies} copies, not one"
