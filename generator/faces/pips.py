"""Take a rank, make the places of its pips, as playing cards traditionally have them."""

from __future__ import annotations

from collections.abc import Iterator

from generator.basics.geometry import Point

_SIDES = (-1.0, 1.0)
# The rows of the two outer columns, and of the middle one: -1 is the top of the field, 1 the foot.
_ROWS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "2": ((), (-1, 1)),
    "3": ((), (-1, 0, 1)),
    "4": ((-1, 1), ()),
    "5": ((-1, 1), (0,)),
    "6": ((-1, 0, 1), ()),
    "7": ((-1, 0, 1), (-1 / 2,)),
    "8": ((-1, 0, 1), (-1 / 2, 1 / 2)),
    "9": ((-1, -1 / 3, 1 / 3, 1), (0,)),
    "10": ((-1, -1 / 3, 1 / 3, 1), (-2 / 3, 2 / 3)),
}
RANKS = tuple(_ROWS)


def places(rank: str) -> Iterator[Point]:
    """The places of the pips of a rank in RANKS; x and y run from -1 to 1, y down.

    Pips below the middle (y > 0) are upside down.
    """
    outer, middle = _ROWS[rank]
    yield from (Point(x, y) for y in outer for x in _SIDES)
    yield from (Point(0.0, y) for y in middle)
