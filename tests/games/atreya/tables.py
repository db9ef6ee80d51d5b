"""Atreya's engine and what it lays on the table, in the words of the referee and of figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from generator.games.atreya.arena import AtreyaArena, cell_at, place_of
from generator.games.atreya.play import Atreya, AtreyaMove, AtreyaState, ChooseCell, LayTile, LiftTile
from generator.play.engine import OVER
from tests.games.atreya import referee
from tests.games.atreya.referee import Cell, Turn
from tests.games.figures import Laid
from tests.support.engines import decks_of, engine_of

ROWS = {piece.id: piece.row for piece in decks_of("atreya")["tiles"]}
WAYS = {name: referee.ways_of(row) for name, row in ROWS.items()}
ASIDE, DOWN = 23.148, 13.365  # mm: from column to column, and half a tile


def atreya(**chosen: str) -> Atreya:
    engine = engine_of("atreya", **chosen)
    assert isinstance(engine, Atreya)
    return engine


def whole_turns(engine: Atreya, seed: int) -> Iterator[AtreyaState]:
    """The states of a random game in which no turn is half made. Tiles are moved often."""
    rng, state = Random(seed), engine.start()
    while state.turn != OVER:
        is_whole = state.turn >= 0 and not state.hand and state.cell is None
        if is_whole:
            yield state
        moves = engine.legal(state)
        lifts = [move for move in moves if not isinstance(move, ChooseCell)] if is_whole else []
        state = engine.apply(state, rng.choice(lifts if lifts and rng.random() < 0.4 else moves))
    yield state


def table_of(engine: Atreya, state: AtreyaState) -> tuple[dict[Cell, str], dict[Cell, str]]:
    """The tiles of the arena as the engine lays them: how each lies, and its name."""
    table, names = {}, {}
    for piece in engine.lay(state)[: len(state.arena.laid)]:
        cell = round(piece.x / ASIDE), round(piece.y / DOWN)
        table[cell] = _look(piece.piece, piece.side == "back", round(piece.turn))
        names[cell] = piece.piece
    return table, names


def _look(name: str, is_back: bool, turn: int) -> str:
    row, prefix = ROWS[name], "back_" if is_back else ""
    return [*referee.looks(str(row[f"{prefix}sides"]), str(row[f"{prefix}centre"]))][turn // 60]


def turns_of(engine: Atreya, state: AtreyaState) -> list[Turn]:
    return [
        _name_turn(engine, first, second)
        for first in engine.legal(state)
        for second in engine.legal(engine.apply(state, first))
    ]


def _name_turn(engine: Atreya, first: AtreyaMove, second: AtreyaMove) -> Turn:
    assert isinstance(second, LayTile)
    assert isinstance(first, ChooseCell | LiftTile)
    way = engine.tiles.ways[second.way]
    look = "".join("RGB"[colour] for colour in way.colours)
    start = None if isinstance(first, ChooseCell) else place_of(first.cell)
    return start, engine.tiles.ids[way.tile], place_of(second.cell), look


def arena_of(engine: Atreya, laid: Iterable[Laid]) -> AtreyaArena:
    """The arena of a figure."""
    arena = AtreyaArena()
    for lying in laid:
        arena = arena.place(cell_of(lying.x, lying.y), engine.tiles.ways[way_of(engine, lying)])
    return arena


def cell_of(x: float, y: float) -> int:
    """The cell of a tile whose box has its top left corner there, mm."""
    return cell_at(round(x / ASIDE), round(y / DOWN))


def way_of(engine: Atreya, lying: Laid) -> int:
    colours = tuple(map("RGB".index, _look(lying.piece, lying.is_back, lying.turn)))
    tile = engine.tiles.ids.index(lying.piece)
    return next(n for n, way in enumerate(engine.tiles.ways) if (way.tile, way.colours) == (tile, colours))
