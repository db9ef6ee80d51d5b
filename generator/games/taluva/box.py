"""Take the deck of a game of Taluva, read the tiles and buildings that its engine plays with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from generator.basics.errors import PnpError, Problem, quote
from generator.basics.geometry import Size
from generator.basics.place import Place
from generator.model import Piece
from generator.play.decks import pieces_of, size_of
from generator.play.engine import Decks

COMPONENTS = ("huts", "temples", "towers")  # in the order of KINDS
MOST = 24  # pieces of a kind that a seat can have: a score counts up to 49 of a team


class TaluvaBox(Struct, frozen=True):
    """What a game is played with.

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
    problems = [*_bare_tiles(tiles), *_missing(kinds, players, seats)]
    if problems:
        raise PnpError(problems)
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
    """The ids of each player's pieces."""
    ids: dict[str, list[str]] = {}
    for piece in pieces:
        ids.setdefault(_field(piece, "player"), []).append(piece.id)
    return ids


def _bare_tiles(tiles: Sequence[Piece]) -> Iterator[Problem]:
    for piece in {piece.id: piece for piece in tiles}.values():
        for column in ("left", "right"):
            if not _field(piece, column):
                place = piece.place.at_column(column)
                yield Problem(place, f"{piece.id} has no {column} field")


def _missing(
    kinds: Sequence[Mapping[str, list[str]]], players: Sequence[str], seats: int
) -> Iterator[Problem]:
    """Buildings that seats lack, or have too many of."""
    if len(players) < seats:
        what = f"{seats} players need huts of {seats} colours, there are {len(players)}"
        yield Problem(Place("huts"), what)
    for component, kind in zip(COMPONENTS, kinds, strict=True):
        for player in players:
            count = len(kind.get(player, ()))
            if not 1 <= count <= MOST:
                what = f"{quote(player)} has {count} {component}, its engine needs 1 to {MOST}"
                yield Problem(Place(component), what)
