"""Play one game with bots."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from generator.play.bots import Bot
from generator.play.engine import CHANCE, OVER, Engine

State = TypeVar("State")
Move = TypeVar("Move")


def play(engine: Engine[State, Move], bots: Sequence[Bot], chance: Random, rng: Random) -> State:
    """The end of a game: one bot for each seat, chance and the bots each with their own numbers."""
    state = engine.start()
    while (seat := engine.turn(state)) != OVER:
        if seat == CHANCE:
            move = engine.draw(state, chance)
        else:
            moves = engine.legal(state)
            move = moves[0] if len(moves) == 1 else bots[seat].choose(engine, state, moves, rng)
        state = engine.apply(state, move)
    return state
