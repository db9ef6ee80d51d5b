"""What must hold of every engine, at every state of a game."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from generator import load_game
from generator.basics.catalogue import Catalogue
from generator.games import ENGINES
from generator.play.bots import RandomBot, replay, write_game
from generator.play.engine import CHANCE, OVER, Decks, Engine, make_engine

AnyEngine = Engine[Any, Any]
_MANY = 300  # outcomes of chance: of more, only some are looked at


@cache
def decks_of(game: str) -> Decks:
    """The pieces of each component of a game."""
    return {component.id: component.copies() for component in load_game(game).components}


def engine_of(game: str, **chosen: str) -> AnyEngine:
    """The engine of a game that ships with pnp, or of a variant of it."""
    kind = Catalogue[type[AnyEngine]]("pnp.engines", ENGINES)[game.partition("-")[0]]
    return make_engine(kind, decks_of(game), chosen)


def walk(engine: AnyEngine, seed: int) -> Iterator[Any]:
    """The states of a game of random moves, each looked at."""
    rng = Random(seed)
    state = engine.start()
    while engine.turn(state) != OVER:
        look_at(engine, state, rng)
        yield state
        moves = engine.legal(state)
        is_chance = engine.turn(state) == CHANCE
        state = engine.apply(state, engine.draw(state, rng) if is_chance else rng.choice(moves))
    assert not engine.legal(state)
    assert set(engine.winners(state)) <= set(range(engine.seats))
    yield state


def look_at(engine: AnyEngine, state: Any, rng: Random) -> None:
    """Assert what must hold of a state that is not the end."""
    moves = list(engine.legal(state))
    assert moves
    assert len(set(moves)) == len(moves)
    assert list(engine.legal(pickle.loads(pickle.dumps(state)))) == moves
    if len(moves) > _MANY:
        moves = rng.sample(moves, _MANY)
    names = [engine.write(state, move) for move in moves]
    assert len(set(names)) == len(names)
    assert all(name.isprintable() and name == name.strip() for name in names)
    chosen = rng.randrange(len(moves))
    assert engine.read(state, names[chosen]) == moves[chosen]
    assert engine.apply(state, moves[chosen]) == engine.apply(state, moves[chosen])
    assert len(engine.scores(state)) == engine.seats
    seat = engine.turn(state)
    if seat != CHANCE:
        _look_from_a_seat(engine, state, seat, rng)


def _look_from_a_seat(engine: AnyEngine, state: Any, seat: int, rng: Random) -> None:
    another = engine.deal_unseen(state, seat, rng)
    assert engine.turn(another) == seat
    assert list(engine.legal(another)) == list(engine.legal(state))
    assert engine.show(another, seat) == engine.show(state, seat)
    assert isinstance(engine.worth(state, seat), int | float)


def look_at_table(engine: AnyEngine, state: Any, decks: Decks) -> None:
    """Assert that no more pieces lie on the table than the game has."""
    own = Counter((name, piece.id) for name, pieces in decks.items() for piece in pieces)
    laid = Counter((piece.component, piece.piece) for piece in engine.lay(state))
    assert laid <= own, laid - own


def written_game(engine: AnyEngine, seed: int) -> str:
    """A game of random bots as text, which can be read back."""
    text = write_game(engine, [RandomBot()] * engine.seats, Random(seed), Random(seed + 1))
    assert engine.turn(list(replay(engine, text))[-1]) == OVER
    return text
