"""Turns and mirror images of the corners and sides of a hexagon, and a table of hexagons.

Corners are 0 to 5 counterclockwise from the right; side k runs from corner k to the next. The
colours of sides are a text, one letter for each side from 0.
"""

from collections.abc import Iterator
from math import dist

from generator.basics.geometry import Size

CORNERS = range(6)


def turned(sides: str, by: int) -> str:
    """The sides turned counterclockwise by `by` sixths: side 0 becomes side `by`."""
    return "".join(sides[(side - by) % 6] for side in CORNERS)


def turns(sides: str) -> Iterator[str]:
    """The sides of a hexagon in all six turns."""
    return (turned(sides, by) for by in CORNERS)


def mirrored(sides: str) -> str:
    """The sides mirrored at the vertical axis, like a back behind its front: side k becomes 2-k."""
    return "".join(sides[(2 - side) % 6] for side in CORNERS)


def middle_of(place: tuple[int, int], size: Size) -> tuple[float, float]:
    """The middle of a hexagon of this size, in its unit: from its columns to the right and half rows down."""
    return place[0] * 0.75 * size.width, place[1] * 0.5 * size.height


def place_at(x: float, y: float, size: Size) -> tuple[int, int]:
    """The place of the hexagon of this size whose middle is nearest: what `middle_of` takes."""
    column, row = round(x / 0.75 / size.width), round(y / 0.5 / size.height)
    around = ((column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (column + i + row + j) % 2 == 0)
    return min(around, key=lambda place: dist(middle_of(place, size), (x, y)))


def bits_of(mask: int) -> list[int]:
    """The places of the bits that are set, as of the tiles in a pool."""
    return [n for n in range(mask.bit_length()) if mask >> n & 1]
