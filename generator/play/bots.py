"""Bots by rule of thumb, by search or by perfect play; each chooses one of the legal moves.

The search is information set Monte Carlo tree search (Cowling, Powley and Whitehouse, "Information
Set Monte Carlo Tree Search", 2012). Perfect play looks at all ways to the end of a game that is
small enough.

Also the number of ways in which a game can go on, to compare engines with each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from math import log, sqrt
from operator import itemgetter
from random import Random
from typing import Any, TypeVar

from msgspec import Struct, field

from generator.basics.errors import Place, PnpError, did_you_mean, fail, quote
from generator.play.engine import CHANCE, OVER, Engine

State = TypeVar("State")
Move = TypeVar("Move")
MOST_TRIES = 100_000  # of a search
_CURIOSITY = 0.7  # how much a move is worth for having been tried seldom; wins are worth 1
MOST_MOVES = 30_000  # that a bot looks at before it chooses: about a second


# A player of any game, which chooses one of these legal moves of the seat whose turn it is. It is
# asked only where it has a choice.
Bot = Callable[[Engine[Any, Any], Any, Sequence[Any], Random], Any]


def choose_any(_: Engine[Any, Any], __: Any, moves: Sequence[Any], rng: Random) -> Any:
    """Any legal move, each as likely as the others."""
    return moves[int(rng.random() * len(moves))]


def choose_greedily(engine: Engine[Any, Any], state: Any, moves: Sequence[Any], rng: Random) -> Any:
    """A move after which the state looks best to its seat, by the engine's `worth`; among equals,
    any. It does not look at what it may not see: the state is one that looks the same to it."""
    seat = engine.turn(state)
    seen = engine.deal_unseen(state, seat, rng)
    worths = [engine.worth(engine.apply(seen, move), seat) for move in moves]
    best = max(worths)
    equals = [move for move, worth in zip(moves, worths, strict=True) if worth == best]
    return equals[int(rng.random() * len(equals))]


_KINDS: Mapping[str, Bot] = {"random": choose_any, "greedy": choose_greedily}


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


def search(
    tries: int, engine: Engine[Any, Any], state: Any, moves: Sequence[Any], rng: Random
) -> Any:
    """The move that most of `tries` went through."""
    root, seat = _TriedMove(), engine.turn(state)
    for _ in range(tries):
        _try(engine, engine.deal_unseen(state, seat, rng), root, rng)
    children = root.children
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


class TooManyStatesError(Exception):
    """A game has more states than may be looked at."""


def play_exactly(
    tries: int, engine: Engine[Any, Any], state: Any, moves: Sequence[Any], rng: Random
) -> Any:
    """The move that wins most often if all seats play for their own win; where there are too many
    states, or cards that the seat cannot see, that of a search."""
    seat = engine.turn(state)
    solver = Solver(engine, MOST_MOVES)
    try:
        if engine.deal_unseen(state, seat, rng) == state:
            return max(moves, key=lambda move: solver.solve(engine.apply(state, move))[seat])
    except TooManyStatesError:
        pass
    return search(tries, engine, state, moves, rng)


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


_SEARCHING: Mapping[str, Callable[..., Any]] = {"search": search, "exact": play_exactly}
_USUAL_TRIES = 100
BOTS = (*_KINDS, *_SEARCHING)


def make_bot(name: str) -> Bot:
    """The bot of a name: "random", "greedy", "search", "exact", or one of these two with the number
    of its tries a move, as in "search:400".

    Raises PnpError for any other.
    """
    kind, colon, tries = name.partition(":")
    if kind in _SEARCHING and (not colon or _is_count(tries)):
        return partial(_SEARCHING[kind], int(tries) if colon else _USUAL_TRIES)
    if kind in _SEARCHING:
        what = f"a search cannot make {quote(tries)} tries"
        raise _refuse(name, what, f"1 to {MOST_TRIES:,}: search:400")
    if name not in _KINDS:
        raise _refuse(name, "there is no such bot", did_you_mean(kind, BOTS))
    return _KINDS[name]


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7 and 1 <= int(text) <= MOST_TRIES


def _refuse(name: str, what: str, hint: str) -> PnpError:
    return fail(Place(f"the bot {quote(name)}"), what, hint)


def count_paths(engine: Engine[State, Move], depth: int, state: State | None = None) -> int:
    """How many sequences of so many moves there are, those of chance included: `perft`, as chess
    programs call it. Equal pieces count once if the engine's moves do not tell them apart. A
    sequence that ends earlier counts too."""
    level: Counter[State] = Counter([engine.start() if state is None else state])
    ended = 0
    for _ in range(depth):
        after: Counter[State] = Counter()
        for each, paths in level.items():
            moves = engine.legal(each)
            ended += 0 if moves else paths
            for move in moves:
                after[engine.apply(each, move)] += paths
        level = after
    return ended + level.total()
