"""Take pieces and what each of them is, find those that are there more than once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator

from generator.model import Piece
from generator.rules.table import listed


def doubles(
    held: Iterable[tuple[Hashable, Piece]], label: Callable[[Piece], str], noun: str
) -> Iterator[tuple[str, str]]:
    """Where and what: rows that are the same `noun`, and rows of more than one copy."""
    alike: defaultdict[Hashable, list[Piece]] = defaultdict(list)
    for key, piece in held:
        alike[key].append(piece)
    for pieces in alike.values():
        if len(pieces) > 1:
            yield pieces[1].where, f"{listed(map(label, pieces))} are the same {noun}"
        for piece in pieces:
            if piece.copies > 1:
                yield piece.where, f"{label(piece)} is there {piece.copies} times, not once"
