"""A bot that plays perfectly where a game is small enough: all ways to its end are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from random import Random
from typing import Any, TypeVar

from generator.play.engine import CHANCE, OVER, Engine
from generator.play.search import SearchBot, share_win

State = TypeVar("State")
Move = TypeVar("Move")
MOST_MOVES = 30_000  # that a bot looks at before it chooses: about a second


class TooManyStatesError(Exception):
    """A game has more states than may be looked at."""


class ExactBot:
    """The move that wins most often if all seats play for their own win; where there are too many
    states, or cards that the seat cannot see, a search."""

    def __init__(self, tries: int) -> None:
        self._search = SearchBot(tries)

    def choose(
        self, engine: Engine[State, Move], state: State, moves: Sequence[Move], rng: Random
    ) -> Move:
        seat = engine.turn(state)
        solver = Solver(engine, MOST_MOVES)
        try:
            if engine.deal_unseen(state, seat, rng) == state:
                return max(moves, key=lambda move: solver.solve(engine.apply(state, move))[seat])
        except TooManyStatesError:
            pass
        return self._search.choose(engine, state, moves, rng)


class Solver:
    """The exact chances of a game whose seats see everything: expectimax, with the states that
    were solved kept. `most`: the moves that it may look at. Where a state has many, its legal moves
    take long to find, so that states would be no measure of the work."""

    def __init__(self, engine: Engine[Any, Any], most: int) -> None:
        self._engine = engine
        self._left = most
        self._solved: dict[Any, Sequence[float]] = {}

    def solve(self, state: Any) -> Sequence[float]:
        """The share of a win of each seat if all play for their own. Raises TooManyStatesError."""
        if state not in self._solved:
            self._solved[state] = self._look(state)
        return self._solved[state]

    def _look(self, state: Any) -> Sequence[float]:
        engine = self._engine
        seat = engine.turn(state)
        if seat == OVER:
            return share_win(engine.winners(state), engine.seats)
        moves = engine.legal(state)
        self._left -= len(moves)
        if self._left < 0:
            raise TooManyStatesError
        after = [self.solve(engine.apply(state, move)) for move in moves]
        if seat != CHANCE:
            return max(after, key=itemgetter(seat))
        weights = [engine.weight(state, move) for move in moves]
        return [
            sum(weight * chances[each] for weight, chances in zip(weights, after, strict=True))
            / sum(weights)
            for each in range(engine.seats)
        ]
