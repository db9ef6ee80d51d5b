"""Take an island of Taluva, show it as text or as pieces on a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import cos, radians, sin, sqrt

from generator.basics.geometry import Size
from generator.games.taluva.box import COMPONENTS
from generator.games.taluva.island import (
    DIRECTIONS,
    HUT,
    KINDS,
    Hex,
    LaidTile,
    Occupant,
    OnHexes,
    Surface,
    name_hex,
    place_of,
)
from generator.play.engine import LaidPiece

_OUT = 0.75  # radii, from the middle of a volcano to that of the box around its upright tile
_APART = 0.4  # radii, from a hut to the middle of its field, if several stand there
_LETTERS = 8  # of a hexagon in a map


def draw_map(
    land: OnHexes[Surface], built: OnHexes[Occupant], terrains: Sequence[str]
) -> Iterator[str]:
    """Rows of hexagons as text, each after the name of its first. A hexagon is its level, its
    terrain or its volcano's direction, then the seat and kind of a building."""
    occupants = dict(built)
    left = min((_halves(one) for one, _ in land), default=0)
    for _, row in groupby(land, key=lambda pair: place_of(pair[0])[1]):
        line = ""
        for one, (level, terrain) in row:
            line = line or f"{name_hex(one)}:"
            start = _LETTERS + (_halves(one) - left) * _LETTERS // 2
            what = terrains[terrain][:3] if terrain >= 0 else _initials(DIRECTIONS[~terrain])
            line = f"{line.ljust(start)}{level}{what}{_name_occupant(occupants.get(one))}"
        yield line


def _halves(hexagon: Hex) -> int:
    """How far to the right it is, in half hexagons."""
    column, row = place_of(hexagon)
    return 2 * column + row


def _initials(direction: str) -> str:
    return "".join(word[0].upper() for word in direction.split("-"))


def _name_occupant(occupant: Occupant | None) -> str:
    return f"{occupant[0] + 1}{KINDS[occupant[1]][:2]}" if occupant else ""


def radius_of(tile: Size) -> float:
    """Of a hexagon of an upright tile, which is three radii and a half high."""
    return tile.height / 3.5


def lay_tiles(
    laid: Sequence[LaidTile], ids: Sequence[Sequence[str]], radius: float
) -> Iterator[LaidPiece]:
    """The tiles of the island, the lowest first; `ids` are those of each kind."""
    unlaid = [iter(same) for same in ids]
    for _, volcano, direction, tile in laid:
        x, y = _middle(volcano, radius)
        angle = radians(30 + 60 * direction)
        turn = (direction - DIRECTIONS.index("south")) % 6 * 60.0
        out = _OUT * radius
        middle = x + out * cos(angle), y + out * sin(angle)
        yield LaidPiece("tiles", next(unlaid[tile]), "front", *middle, turn)


def lay_buildings(
    land: OnHexes[Surface],
    built: OnHexes[Occupant],
    ids: Sequence[Sequence[Sequence[str]]],
    radius: float,
) -> Iterator[LaidPiece]:
    """Buildings in the middle of their fields, several huts around it; `ids` are those of each seat
    and kind."""
    levels = {field: level for field, (level, _) in land}
    unused = [[iter(same) for same in kinds] for kinds in ids]
    for field, (seat, kind) in built:
        x, y = _middle(field, radius)
        count = levels[field] if kind == HUT else 1
        out = _APART * radius if count > 1 else 0.0
        for each in range(count):
            angle = radians(360 * each / count - 90)
            middle = x + out * cos(angle), y + out * sin(angle)
            yield LaidPiece(COMPONENTS[kind], next(unused[seat][kind]), "front", *middle)


def lay_aside(land: OnHexes[Surface], piece: str, radius: float) -> LaidPiece:
    """The drawn tile, to the right of the island."""
    right = max((_middle(one, radius)[0] for one, _ in land), default=0.0)
    return LaidPiece("tiles", piece, "front", right + 2.5 * sqrt(3) * radius, 0.0)


def _middle(hexagon: Hex, radius: float) -> tuple[float, float]:
    """Where a hexagon of this radius lies, in mm."""
    return _halves(hexagon) * sqrt(3) / 2 * radius, place_of(hexagon)[1] * 1.5 * radius
