"""Bots: players by rule of thumb. Each chooses one of the legal moves."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

from generator.play.engine import Engine

State = TypeVar("State")
Move = TypeVar("Move")


class Bot(Protocol):
    """A player of any game. It is asked only where it has a choice."""

    def choose(
        self, engine: Engine[State, Move], state: State, moves: Sequence[Move], rng: Random
    ) -> Move:
        """One of these legal moves of the seat whose turn it is."""
        ...


class RandomBot:
    """Any legal move, each as likely as the others."""

    def choose(
        self, engine: Engine[State, Move], state: State, moves: Sequence[Move], rng: Random
    ) -> Move:
        return moves[int(rng.random() * len(moves))]


class GreedyBot:
    """A move after which the state looks best to its seat, by the engine's `worth`; among equals,
    any. It does not look at what it may not see: the state is one that looks the same to it."""

    def choose(
        self, engine: Engine[State, Move], state: State, moves: Sequence[Move], rng: Random
    ) -> Move:
        seat = engine.turn(state)
        seen = engine.deal_unseen(state, seat, rng)
        worths = [engine.worth(engine.apply(seen, move), seat) for move in moves]
        best = max(worths)
        equals = [move for move, worth in zip(moves, worths, strict=True) if worth == best]
        return equals[int(rng.random() * len(equals))]
