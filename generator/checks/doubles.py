"""Take pieces and what each of them is, find those that are there more than once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

from generator.model import Piece
from generator.place import Place


def doubles(
    held: Iterable[tuple[Hashable, Piece]], label: Callable[[Piece], str], noun: str
) -> Iterator[tuple[Place, str]]:
    """Where and what: rows that are the same `noun` as an earlier one, rows of several copies."""
    firsts: dict[Hashable, Piece] = {}
    for key, piece in held:
        first = firsts.setdefault(key, piece)
        if first is not piece:
            yield piece.place, f"{label(piece)} is the same {noun} as {label(first)}"
        if piece.copies > 1:
            yield piece.place, f"{label(piece)} is there {piece.copies} times, not once"
