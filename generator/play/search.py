"""A bot that searches: information set Monte Carlo tree search (Cowling, Powley and Whitehouse,
"Information Set Monte Carlo Tree Search", 2012).

Each try deals what the seat cannot see at random, walks down a tree of the moves that were tried,
adds one move to it and plays on at random. All tries share the tree, so that a move is judged over
the deals in which it was legal. The known flaw of the method: it supposes that a player knows later
what nobody knows now.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log, sqrt
from random import Random
from typing import Any, TypeVar

from msgspec import Struct, field

from generator.play.engine import CHANCE, OVER, Engine

State = TypeVar("State")
Move = TypeVar("Move")
_CURIOSITY = 0.7  # how much a move is worth for having been tried seldom; wins are worth 1


class _TriedMove(Struct):
    """A move in the tree.

    seat: who made it. visits, credit: the tries through it, and what they won for this seat.
    chances: how often it was legal when another move was made instead, or it.
    """

    seat: int = OVER
    visits: int = 0
    credit: float = 0.0
    chances: int = 0
    children: dict[Hashable, _TriedMove] = field(default_factory=dict)


class SearchBot:
    """The move that most of `tries` went through."""

    def __init__(self, tries: int) -> None:
        self.tries = tries

    def choose(
        self, engine: Engine[State, Move], state: State, moves: Sequence[Move], rng: Random
    ) -> Move:
        root, seat = _TriedMove(), engine.turn(state)
        for _ in range(self.tries):
            _try(engine, engine.deal_unseen(state, seat, rng), root, rng)
        children: Any = root.children
        return max(moves, key=lambda move: children[move].visits if move in children else 0)


def _try(engine: Engine[Any, Any], state: Any, root: _TriedMove, rng: Random) -> None:
    path, node, is_new = [root], root, False
    while not is_new and (seat := engine.turn(state)) != OVER:
        moves = _moves(engine, state, seat, rng)
        move, is_new = _choose(node, seat, moves, rng)
        node = node.children[move]
        path.append(node)
        state = engine.apply(state, move)
    won = share_win(engine.winners(_finish(engine, state, rng)), engine.seats)
    for node in path:
        node.visits += 1
        if node.seat >= 0:
            node.credit += won[node.seat]


def _moves(engine: Engine[Any, Any], state: Any, seat: int, rng: Random) -> Sequence[Any]:
    return [engine.draw(state, rng)] if seat == CHANCE else engine.legal(state)


def _choose(node: _TriedMove, seat: int, moves: Sequence[Any], rng: Random) -> tuple[Any, bool]:
    """A move that was never tried, added to the tree; else the most promising."""
    children = node.children
    new = [move for move in moves if move not in children]
    known = [children[move] for move in moves if move in children]
    for child in known:
        child.chances += 1
    if new:
        move = new[int(rng.random() * len(new))]
        children[move] = _TriedMove(seat, chances=1)
        return move, seat != CHANCE
    return max(moves, key=lambda move: _promise(children[move])), False


def _promise(node: _TriedMove) -> float:
    share = node.credit / node.visits if node.visits else 1.0
    return share + _CURIOSITY * sqrt(log(node.chances + 1) / max(node.visits, 1))


def _finish(engine: Engine[Any, Any], state: Any, rng: Random) -> Any:
    """The end of a game from here by random moves."""
    while (seat := engine.turn(state)) != OVER:
        moves = _moves(engine, state, seat, rng)
        state = engine.apply(state, moves[int(rng.random() * len(moves))])
    return state


def share_win(winners: Sequence[int], seats: int) -> list[float]:
    """1 for the seat that wins alone, half for each of two, 0 for the others."""
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]
