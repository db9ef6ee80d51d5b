"""The island of Taluva: where a tile may lie and what it may bury.

Hexagons have corners above and below. A tile is a volcano and two fields; its direction is the
corner of the volcano that all three share.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeVar

from msgspec import Struct

Hex = int  # a place for a hexagon: its column and its row in one number, see `hex_at`
_ROW = 1 << 17
# From a hexagon to the six around it, clockwise from the right.
SIDES = (1, _ROW, _ROW - 1, -1, -_ROW, 1 - _ROW)
# Of a volcano: direction k is the corner between the sides k and k + 1.
DIRECTIONS = ("south-east", "south", "south-west", "north-west", "north", "north-east")
# From a volcano to its tile's fields, clockwise: the right one of an upright tile, then the left.
FIELDS = tuple((SIDES[k], SIDES[(k + 1) % 6]) for k in range(6))
HUT, TEMPLE, TOWER = range(3)
KINDS = ("hut", "temple", "tower")

# Level and terrain: the number of a field's, or ~direction of a volcano, which is less than 0.
Surface = tuple[int, int]
Occupant = tuple[int, int]  # seat and kind; of huts there are as many as the level of the field
Thing = TypeVar("Thing")
OnHexes = tuple[tuple[Hex, Thing], ...]  # in the order of hexagons


class LaidTile(NamedTuple):
    """A tile of the island: its level, where its volcano lies and points, and its kind."""

    level: int
    volcano: Hex
    direction: int
    tile: int


class Settlement(Struct, frozen=True):
    """All that one seat has on fields that touch. shore: the hexagons around it that nobody has
    built on, in order; kinds: those of its buildings."""

    seat: int
    fields: frozenset[Hex]
    shore: tuple[Hex, ...]
    kinds: frozenset[int]


def hex_at(column: int, row: int) -> Hex:
    """Rows go down, and each begins half a hexagon further right. Columns are less than 65536 from
    0: the 20,000 tiles that a deck can have reach 40,000 far."""
    return row * _ROW + column


def place_of(hexagon: Hex) -> tuple[int, int]:
    """Its column and its row."""
    row = (hexagon + _ROW // 2) // _ROW
    return hexagon - row * _ROW, row


def name_hex(hexagon: Hex) -> str:
    """A hexagon as "2,-1": its column and its row."""
    column, row = place_of(hexagon)
    return f"{column},{row}"


def hexes_of(volcano: Hex, direction: int) -> tuple[Hex, Hex, Hex]:
    """Where a tile lies: its volcano, then its fields clockwise."""
    first, second = FIELDS[direction]
    return volcano, volcano + first, volcano + second


def put(things: OnHexes[Thing], new: Iterable[tuple[Hex, Thing]]) -> OnHexes[Thing]:
    """The same, with new things in the place of what was on their hexagons."""
    result = list(things)
    for pair in new:
        at = bisect_left(result, pair[0], key=itemgetter(0))
        end = at + (at < len(result) and result[at][0] == pair[0])
        result[at:end] = [pair]
    return tuple(result)


def expansions(land: Mapping[Hex, Surface]) -> Iterator[tuple[Hex, int]]:
    """Where a tile can lie on the table and touch the island: where its volcano lies and points,
    each once, in order."""
    found = set()
    for shore in {one + side for one in land for side in SIDES} - land.keys():
        free = [shore + side not in land for side in SIDES]
        for k in range(6):
            if free[k] and free[k - 5]:  # so any of the three hexagons can be the volcano
                found.add((shore, k))
                found.add((shore + SIDES[k], (k + 2) % 6))
                found.add((shore + SIDES[k - 5], (k + 4) % 6))
    yield from sorted(found)


def eruptions(land: Mapping[Hex, Surface], built: OnHexes[Occupant]) -> Iterator[tuple[Hex, int]]:
    """Where a volcano can erupt, and its new directions, in order."""
    settlements = find_settlements(built)
    safe = {field for field, (_, kind) in built if kind != HUT}
    safe.update(*(one.fields for one in settlements if len(one.fields) == 1))
    pairs = [one.fields for one in settlements if len(one.fields) == 2]
    for volcano, (level, terrain) in land.items():
        if terrain >= 0:
            continue
        for direction in range(6):
            _, *fields = hexes_of(volcano, direction)
            if (
                direction != ~terrain
                and all(field in land and land[field][0] == level for field in fields)
                and safe.isdisjoint(fields)
                and set(fields) not in pairs
            ):
                yield volcano, direction


@lru_cache(maxsize=256)
def find_settlements(built: OnHexes[Occupant]) -> tuple[Settlement, ...]:
    """The settlements of all seats, in the order of their first fields."""
    occupants = dict(built)
    found: list[Settlement] = []
    seen: set[Hex] = set()
    for start, (seat, _) in built:
        if start in seen:
            continue
        fields, shore = [start], set()
        seen.add(start)
        for field in fields:  # which grows meanwhile
            for near in [field + side for side in SIDES]:
                if near not in occupants:
                    shore.add(near)
                elif occupants[near][0] == seat and near not in seen:
                    seen.add(near)
                    fields.append(near)
        kinds = frozenset(occupants[field][1] for field in fields)
        found.append(Settlement(seat, frozenset(fields), tuple(sorted(shore)), kinds))
    return tuple(found)


def free_fields(land: Mapping[Hex, Surface], settlement: Settlement) -> list[tuple[Hex, Surface]]:
    """The empty fields that touch a settlement, in order."""
    return [(near, land[near]) for near in settlement.shore if near in land and land[near][1] >= 0]
