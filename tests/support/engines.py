"""What must hold of every engine, at every state of a game."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

from generator import load_game
from generator.basics.catalogue import Catalogue
from generator.games import ENGINES
from generator.play.bots import Bot, choose_any
from generator.play.engine import CHANCE, OVER, Decks, Engine, make_engine

AnyEngine = Engine[Any, Any]
_OF = "  # of "  # in a written game, before the number of legal moves
_LONGEST = 80  # characters of a sentence
_NOTATION = re.compile(r"-?\d+[,/]-?\d|#\d|_|  ")  # coordinates and ids
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
        _listen(engine, state, moves)


def _look_from_a_seat(engine: AnyEngine, state: Any, seat: int, rng: Random) -> None:
    another = engine.deal_unseen(state, seat, rng)
    assert engine.turn(another) == seat
    assert list(engine.legal(another)) == list(engine.legal(state))
    assert engine.show(another, seat) == engine.show(state, seat)
    assert engine.ask(another) == engine.ask(state)
    assert engine.counters(another, seat) == engine.counters(state, seat)
    assert isinstance(engine.worth(state, seat), int | float)


def _listen(engine: AnyEngine, state: Any, moves: Sequence[Any]) -> None:
    """Assert that the turn, the moves and what is counted are told in words."""
    for words in (engine.ask(state), *(engine.say(state, move) for move in moves)):
        assert 0 < len(words) <= _LONGEST, words
        assert words[0].isupper()
        assert words.isprintable()
        assert not _NOTATION.search(words), words
    assert engine.ask(state).endswith(".")
    for seat, label, count, *_ in engine.counters(state, engine.turn(state)):
        assert seat is None or 0 <= seat < engine.seats
        assert label.strip() == label != ""
        assert re.match(r"-?\d", str(count))


def look_at_table(engine: AnyEngine, state: Any, decks: Decks) -> None:
    """Assert that no more pieces lie on the table than the game has."""
    own = Counter((name, piece.id) for name, pieces in decks.items() for piece in pieces)
    laid = Counter((piece.component, piece.piece) for piece in engine.lay(state))
    assert laid <= own, laid - own


def write_game(engine: AnyEngine, bots: Sequence[Bot], chance: Random, rng: Random) -> str:
    """A game between bots: a line for each move, with the number of legal ones; the end as the
    engine shows it; the points and the winners."""
    return "\n".join(_write_lines(engine, bots, chance, rng)) + "\n"


def _write_lines(engine: AnyEngine, bots: Sequence[Bot], chance: Random, rng: Random) -> Iterator[str]:
    state = engine.start()
    while (seat := engine.turn(state)) != OVER:
        if seat == CHANCE:
            move = engine.draw(state, chance)
            yield f"chance: {engine.write(state, move)}"
        else:
            moves = engine.legal(state)
            move = bots[seat](engine, state, moves, rng)
            yield f"seat {seat + 1}: {engine.write(state, move)}{_OF}{len(moves)}"
        state = engine.apply(state, move)
    winners = " ".join(str(seat + 1) for seat in engine.winners(state))
    yield f"\n{engine.show(state)}"
    yield f"points: {' '.join(map(str, engine.scores(state)))}"
    yield f"winners: {winners or 'none'}"


def replay(engine: AnyEngine, text: str) -> Iterator[Any]:
    """The states of a written game: the start, and after each move.

    Raises ValueError at the first move that is not legal, or is another seat's.
    """
    state = engine.start()
    yield state
    for number, line in enumerate(text.split("\n\n")[0].splitlines(), 1):
        mover, _, rest = line.partition(": ")
        turn = engine.turn(state)
        if mover != ("chance" if turn == CHANCE else f"seat {turn + 1}"):
            raise ValueError(f"line {number}: it is not the turn of {mover}")
        try:
            state = engine.apply(state, engine.read(state, rest.partition(_OF)[0]))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        yield state


def written_game(engine: AnyEngine, seed: int) -> str:
    """A game of random bots as text, which can be read back."""
    text = write_game(engine, [choose_any] * engine.seats, Random(seed), Random(seed + 1))
    assert engine.turn(list(replay(engine, text))[-1]) == OVER
    return text
