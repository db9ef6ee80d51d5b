"""A game of Taluva as it stands, and its moves."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from generator.games.taluva.island import Hex, LaidTile, Occupant, OnHexes, Surface

NO_TILE = -1


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
