"""The island of Taluva: where a tile may lie, what it may bury, and what a seat may build.

Hexagons have corners above and below. A tile is a volcano and two fields; its direction is the
corner of the volcano that all three share.

Also the state of a game and its moves, and the tiles and buildings that its engine plays with, read from the deck.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeVar

from msgspec import Struct

from generator.basics.errors import Place, Problem, quote, raise_all
from generator.basics.geometry import Size
from generator.model import Piece
from generator.play.engine import Decks, pieces_of, size_of

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
TOWER_LEVEL = 3  # the least level of a tower's field
TEMPLE_SIZE = 3  # the least size of a settlement that gets a temple


class Settlement(Struct, frozen=True):
    """All that one seat has on fields that touch. shore: the hexagons around it that nobody has
    built on, in order; kinds: those of its buildings."""

    seat: int
    fields: frozenset[Hex]
    shore: tuple[Hex, ...]
    kinds: frozenset[int]


Beside = tuple[Settlement, Sequence[tuple[Hex, Surface]]]  # with the free fields that touch it
NO_TILE = -1
_BARE = (0, 0)  # where no tile lies
COMPONENTS = ("huts", "temples", "towers")  # in the order of KINDS
MOST = 24  # pieces of a kind that a seat can have: a score counts up to 49 of a team


class LaidTile(NamedTuple):
    """A tile of the island: its level, where its volcano lies and points, and its kind."""

    level: int
    volcano: Hex
    direction: int
    tile: int


def hex_at(column: int, row: int) -> Hex:
    """Rows go down, and each begins half a hexagon further right. Columns are less than 65536 from
    0: the 20,000 tiles that a deck can have reach 40,000 far."""
    return row * _ROW + column


def place_of(hexagon: Hex) -> tuple[int, int]:
    """The column and the row of a hexagon."""
    row = (hexagon + _ROW // 2) // _ROW
    return hexagon - row * _ROW, row


def name_hex(hexagon: Hex) -> str:
    """A hexagon as "2,-1": its column and its row."""
    return "{},{}".format(*place_of(hexagon))


def hexes_of(volcano: Hex, direction: int) -> tuple[Hex, Hex, Hex]:
    """Where a tile lies: its volcano, then its fields clockwise."""
    first, second = FIELDS[direction]
    return volcano, volcano + first, volcano + second


def put(things: OnHexes[Thing], new: Iterable[tuple[Hex, Thing]]) -> OnHexes[Thing]:
    """Things on hexagons, with new things in place of those that were on the same hexagons."""
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
    for shore in {field + side for field in land for side in SIDES} - land.keys():
        free = [shore + side not in land for side in SIDES]
        for k in range(6):
            if free[k] and free[k - 5]:  # so any of the three hexagons can be the volcano
                found.add((shore, k))
                found.add((shore + SIDES[k], (k + 2) % 6))
                found.add((shore + SIDES[k - 5], (k + 4) % 6))
    yield from sorted(found)


def eruptions(land: Mapping[Hex, Surface], built: OnHexes[Occupant]) -> Iterator[tuple[Hex, int]]:
    """Where a volcano can erupt, and its new directions, in order."""
    kept = find_kept(built)
    for volcano, (_, terrain) in land.items():
        if terrain < 0:
            yield from ((volcano, way) for way in range(6) if not find_flaw(land, kept, volcano, way))


def find_kept(built: OnHexes[Occupant]) -> list[frozenset[Hex]]:
    """The fields of which no tile may bury all: a temple, a tower, a small settlement."""
    small = (settlement.fields for settlement in find_settlements(built) if len(settlement.fields) <= 2)
    return [*(frozenset([field]) for field, (_, kind) in built if kind != HUT), *small]


def find_flaw(land: Mapping[Hex, Surface], kept: Sequence[frozenset[Hex]], volcano: Hex, direction: int) -> str:
    """Why a tile cannot lie there upon others: a phrase; "" if it can."""
    _, *fields = hexes = hexes_of(volcano, direction)
    levels = {land.get(field, _BARE)[0] for field in hexes}
    if len(levels) > 1 or 0 in levels:
        return "why.apart" if levels == {0} else "why.uneven"
    if land[volcano][1] >= 0:
        return "why.volcano"
    if land[volcano][1] == ~direction:
        return "why.direction"
    buries = any(group.issubset(fields) for group in kept)
    return "why.buries" if buries else ""


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


def find_builds(state: TaluvaState, pool: Sequence[int]) -> Iterator[Build | ExpandSettlement]:
    """All that the seat may build that has these huts, temples and towers in all. What leads to
    the same is found once, such as the expansion of two settlements into one field."""
    land = dict(state.land)
    huts, temples, towers = map(int.__sub__, pool, state.used[state.seat])
    own = [it for it in find_settlements(state.built) if it.seat == state.seat]
    if huts:  # on empty fields of level 1 that touch none of the settlements
        taken = {field for field, _ in state.built}.union(*(it.shore for it in own))
        low = (field for field, (level, terrain) in land.items() if level == 1 and terrain >= 0)
        yield from (Build(HUT, field) for field in low if field not in taken)
    beside = [(settlement, free_fields(land, settlement)) for settlement in own]
    if temples:
        yield from (Build(TEMPLE, field) for field in _fields_beside(beside, TEMPLE, TEMPLE_SIZE))
    if towers:
        fields = _fields_beside(beside, TOWER, least_level=TOWER_LEVEL)
        yield from (Build(TOWER, field) for field in fields)
    yield from map(ExpandSettlement, _expansions(beside, huts))


def _fields_beside(beside: Sequence[Beside], kind: int, least_size: int = 1, least_level: int = 1) -> list[Hex]:
    """High enough ones beside a settlement that is large enough and has no building of a kind."""
    return sorted(
        {
            field
            for settlement, free in beside
            if kind not in settlement.kinds and len(settlement.fields) >= least_size
            for field, (level, _) in free
            if level >= least_level
        }
    )


def _expansions(beside: Sequence[Beside], huts: int) -> list[tuple[Hex, ...]]:
    """All fields of one terrain beside one settlement, if there are huts enough for them."""
    found = set()
    for _, free in beside:
        for terrain in {terrain for _, (_, terrain) in free}:
            fields = [(field, level) for field, (level, each) in free if each == terrain]
            if sum(level for _, level in fields) <= huts:
                found.add(tuple(field for field, _ in fields))
    return sorted(found)


class TaluvaState(Struct, frozen=True):
    """How a game of Taluva stands.

    turn:   the seat that moves, CHANCE or OVER.
    seat:   whose turn of the game it is.
    tile:   the kind of the drawn tile, NO_TILE if it is placed or not drawn.
    left:   how many tiles are still to be drawn.
    unseen: how many tiles of each kind are in the stack or the box.
    land:   the top of each hexagon.
    built:  who has built what on it.
    laid:   the tiles of the island, the lowest first.
    used:   how many huts, temples and towers each seat has placed, buried ones too.
    done:   the seats that have used up two kinds, in order; of a team, the last of both.
    out:    the seats that could not build, in order.
    """

    turn: int
    seat: int
    tile: int
    left: int
    unseen: tuple[int, ...]
    land: OnHexes[Surface]
    built: OnHexes[Occupant]
    laid: tuple[LaidTile, ...]
    used: tuple[tuple[int, ...], ...]
    done: tuple[int, ...] = ()
    out: tuple[int, ...] = ()


class DrawTile(Struct, frozen=True):
    """Chance: a tile of this kind comes from the stack."""

    tile: int


class PlaceTile(NamedTuple):
    """Lay the drawn tile with its volcano here: on other tiles if any lie there."""

    volcano: Hex
    direction: int


class Build(Struct, frozen=True):
    """One building on this field: a hut that starts a settlement, a temple or a tower."""

    kind: int
    field: Hex


class ExpandSettlement(Struct, frozen=True):
    """Huts on these fields, all of one terrain beside one settlement."""

    fields: tuple[Hex, ...]


TaluvaMove = DrawTile | PlaceTile | Build | ExpandSettlement


class TaluvaBox(Struct, frozen=True):
    """The contents of the box that a game is played with.

    tiles:     the ids of the tiles of each kind; a kind is a pair of fields.
    fields:    the terrains of each kind, clockwise from the volcano, as places in `terrains`.
    players:   whose pieces each seat has, which is their colour.
    buildings: the ids of each seat's pieces of each kind.
    size:      of a tile.
    """

    tiles: list[list[str]]
    fields: list[tuple[int, int]]
    terrains: list[str]
    players: list[str]
    buildings: list[list[list[str]]]
    size: Size


def open_box(decks: Decks, seats: int) -> TaluvaBox:
    """Raises PnpError with every tile that lacks a field and every kind that a seat lacks."""
    tiles = pieces_of(decks, "tiles")
    kinds = [_by_player(pieces_of(decks, component)) for component in COMPONENTS]
    players = list(kinds[0])[:seats]
    raise_all([*_bare_tiles(tiles), *_missing(kinds, players, seats)])
    ids: dict[tuple[str, str], list[str]] = {}
    for piece in tiles:
        ids.setdefault((_field(piece, "right"), _field(piece, "left")), []).append(piece.id)
    terrains = list(dict.fromkeys(terrain for fields in ids for terrain in fields))
    number = {terrain: i for i, terrain in enumerate(terrains)}
    fields = [(number[right], number[left]) for right, left in ids]
    buildings = [[kind[player] for kind in kinds] for player in players]
    return TaluvaBox(list(ids.values()), fields, terrains, players, buildings, size_of(tiles))


def _field(piece: Piece, column: str) -> str:
    return str(piece.row.get(column, ""))


def _by_player(pieces: Sequence[Piece]) -> dict[str, list[str]]:
    ids: dict[str, list[str]] = {}
    for piece in pieces:
        ids.setdefault(_field(piece, "player"), []).append(piece.id)
    return ids


def _bare_tiles(tiles: Sequence[Piece]) -> Iterator[Problem]:
    for piece in {piece.id: piece for piece in tiles}.values():
        for column in ("left", "right"):
            if not _field(piece, column):
                yield Problem(piece.place.at_column(column), f"{piece.id} has no {column} field")


def _missing(kinds: Sequence[Mapping[str, list[str]]], players: Sequence[str], seats: int) -> Iterator[Problem]:
    """Buildings that seats lack, or have too many of."""
    if len(players) < seats:
        yield Problem(Place("huts"), f"{seats} players need huts of {seats} colours, there are {len(players)}")
    for component, kind in zip(COMPONENTS, kinds, strict=True):
        for player in players:
            count = len(kind.get(player, ()))
            if not 1 <= count <= MOST:
                what = f"{quote(player)} has {count} {component}, its engine needs 1 to {MOST}"
                yield Problem(Place(component), what)
