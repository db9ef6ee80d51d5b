"""A game as text: written move by move, and read back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeVar

from generator.play.bots import Bot
from generator.play.engine import CHANCE, OVER, Engine

State = TypeVar("State")
Move = TypeVar("Move")
_OF = "  # of "


def write_game(
    engine: Engine[State, Move], bots: Sequence[Bot], chance: Random, rng: Random
) -> str:
    """A game between bots: a line for each move, with the number of legal ones; the end as the
    engine shows it; the points and the winners."""
    return "\n".join(_lines(engine, bots, chance, rng)) + "\n"


def _lines(
    engine: Engine[State, Move], bots: Sequence[Bot], chance: Random, rng: Random
) -> Iterator[str]:
    state = engine.start()
    while (seat := engine.turn(state)) != OVER:
        if seat == CHANCE:
            move = engine.draw(state, chance)
            yield f"chance: {engine.write(state, move)}"
        else:
            moves = engine.legal(state)
            move = bots[seat].choose(engine, state, moves, rng)
            yield f"seat {seat + 1}: {engine.write(state, move)}{_OF}{len(moves)}"
        state = engine.apply(state, move)
    winners = " ".join(str(seat + 1) for seat in engine.winners(state))
    yield f"\n{engine.show(state)}"
    yield f"points: {' '.join(map(str, engine.scores(state)))}"
    yield f"winners: {winners or 'none'}"


def replay(engine: Engine[State, Move], text: str) -> Iterator[State]:
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
