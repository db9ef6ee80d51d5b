"""Take words, make a position of Taluva; take a position, name what may be done in it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from generator.games.taluva.island import DIRECTIONS, KINDS, Hex, TaluvaState, hex_at
from generator.games.taluva.play import Taluva
from tests.support.engines import engine_of


def taluva(game: str = "taluva", **chosen: str) -> Taluva:
    engine = engine_of(game, **chosen)
    assert isinstance(engine, Taluva)
    return engine


def position(engine: Taluva, land: str, built: str = "", **changes: Any) -> TaluvaState:
    """A turn of the first seat. Land is "0,0 south; 1,0 sand 2": a volcano that points south, and
    sand on level 2. Buildings are "0,1 hut; 1,0 temple 2": the second seat has the temple.

    Huts and the rest that stand are placed; `drawn` is the name of a tile to place.
    """
    start = engine.start()
    surfaces = {}
    for words in map(str.split, land.split(";")):
        is_volcano = words[1] in DIRECTIONS
        what = ~DIRECTIONS.index(words[1]) if is_volcano else engine.terrains.index(words[1])
        surfaces[hex_named(words[0])] = int(words[2]) if len(words) > 2 else 1, what
    occupants = {}
    used = [[0, 0, 0] for _ in range(engine.seats)]
    for words in map(str.split, filter(None, built.split(";"))):
        field, kind = hex_named(words[0]), KINDS.index(words[1])
        seat = int(words[2]) - 1 if len(words) > 2 else 0
        occupants[field] = seat, kind
        used[seat][kind] += surfaces[field][0] if words[1] == "hut" else 1
    if "drawn" in changes:
        changes["tile"] = engine.names.index(changes.pop("drawn"))
    state = replace(
        start,
        turn=0,
        left=5,
        land=tuple(sorted(surfaces.items())),
        built=tuple(sorted(occupants.items())),
        used=tuple(map(tuple, used)),
    )
    return replace(state, **changes)


def hex_named(name: str) -> Hex:
    column, row = map(int, name.split(","))
    return hex_at(column, row)


def moves_in(engine: Taluva, state: TaluvaState, verb: str = "") -> set[str]:
    """The names of the legal moves that begin so."""
    names = {engine.write(state, move) for move in engine.legal(state)}
    return {name for name in names if name.startswith(verb)}


def after(engine: Taluva, state: TaluvaState, *moves: str) -> TaluvaState:
    for move in moves:
        state = engine.apply(state, engine.read(state, move))
    return state
