"""Bots by rule of thumb, by search or by perfect play; each chooses one of the legal moves.

The search is information set Monte Carlo tree search (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree
Search", 2012), with the engine's `worth` in three places: it orders the moves of a state, of which few are tried at
first (Chaslot and others, "Progressive Strategies for Monte-Carlo Tree Search", 2008), chooses the moves that follow
them, and judges where these are cut off (Winands and Björnsson, "Evaluation Function Based Monte-Carlo LOA", 2010).
Perfect play looks at all ways to the end of a game that is small enough.

Also the number of ways in which a game can go on, to compare engines with each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from math import exp, log, sqrt
from operator import itemgetter
from random import Random
from typing import Any, TypeVar

from msgspec import Struct, field

from generator.basics.errors import Place, did_you_mean, fail, quote
from generator.play.engine import CHANCE, OVER, Engine

State = TypeVar("State")
Move = TypeVar("Move")
MOST_TRIES = 100_000  # of a search
_CURIOSITY = 0.7  # how much a move is worth for having been tried seldom; wins are worth 1
_WIDTH = 1.5  # times the square root of the tries: so many moves of a state are tried
_FAR = 50  # moves that a try looks at, at least, before a state is judged
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
    seen = engine.deal_unseen(state, engine.turn(state), rng)
    return _choose_best(engine, seen, moves, {}, rng)


def _choose_best(
    engine: Engine[Any, Any], state: Any, moves: Sequence[Any], known: dict[Any, float], rng: Random
) -> Any:
    """A move after which a state without secrets looks best. `known`: the worth of the states after moves."""
    seat = engine.turn(state)
    for move in moves:
        if move not in known:
            known[move] = engine.worth(engine.apply(state, move), seat)
    best = max(map(known.__getitem__, moves))
    equals = [move for move in moves if known[move] == best]
    return equals[int(rng.random() * len(equals))]


_KINDS: Mapping[str, Bot] = {"random": choose_any, "greedy": choose_greedily}


class _TriedMove(Struct):
    """A move in the tree.

    seat: who made it. visits, credit: the tries through it, and what they won for this seat.
    chances: how often it was legal when another move was made instead, or it. worths: of the states
    one move later, to the seat that moves next.
    """

    seat: int = OVER
    visits: int = 0
    credit: float = 0.0
    chances: int = 0
    children: dict[Hashable, _TriedMove] = field(default_factory=dict)
    worths: dict[Hashable, float] = field(default_factory=dict)

    @property
    def promise(self) -> float:
        return self.credit / self.visits + _CURIOSITY * sqrt(log(self.chances + 1) / self.visits)


class _Scale(Struct):
    """Places a worth between 0 and 1 by all that were seen before, with their mean at one half."""

    number: int = 0
    total: float = 0.0
    squares: float = 0.0

    def place(self, worth: float) -> float:
        self.number += 1
        self.total += worth
        self.squares += worth * worth
        mean = self.total / self.number
        deviation = sqrt(max(self.squares / self.number - mean * mean, 0.0))
        return 1 / (1 + exp((mean - worth) / deviation)) if deviation else 0.5


def search(tries: int, engine: Engine[Any, Any], state: Any, _: Sequence[Any], rng: Random) -> Any:
    """The move that most of `tries` went through, of equals the one that won most. One try chooses
    as `choose_greedily` does."""
    seat = engine.turn(state)
    started = _Search(engine, seat, rng)
    for _try in range(tries):
        started.try_once(engine.deal_unseen(state, seat, rng))
    children = started.root.children
    return max(children, key=lambda move: (children[move].visits, children[move].credit))


class _Search:
    """A search for the best move of a seat. It tries the moves that look best first, and more of
    them the longer it goes on; it plays on from each greedily, not to the end of a long game."""

    def __init__(self, engine: Engine[Any, Any], seat: int, rng: Random) -> None:
        self._engine, self._seat, self._rng = engine, seat, rng
        self.root = _TriedMove()
        self._scales = [_Scale() for _ in range(engine.seats)]

    def try_once(self, state: Any) -> None:
        engine, node, is_new = self._engine, self.root, False
        path = [node]
        while not is_new and (seat := engine.turn(state)) != OVER:
            if seat == CHANCE:
                move = engine.draw(state, self._rng)
                node.children.setdefault(move, _TriedMove(CHANCE))
            else:
                move, is_new = self._choose(node, state, seat)
            node = node.children[move]
            path.append(node)
            state = engine.apply(state, move)
        won = self._judge(self._play_on(state, node.worths))
        for node in path:
            node.visits += 1
            if node.seat >= 0:
                node.credit += won[node.seat]

    def _choose(self, node: _TriedMove, state: Any, seat: int) -> tuple[Any, bool]:
        """While few were tried, the best of the others, added to the tree; else the most promising."""
        moves, children = self._engine.legal(state), node.children
        known = [move for move in moves if move in children]
        for move in known:
            children[move].chances += 1
        if len(known) < min(len(moves), _WIDTH * sqrt(node.visits + 1)):
            new = [move for move in moves if move not in children]
            move = _choose_best(self._engine, state, new, node.worths, self._rng)
            children[move] = _TriedMove(seat, chances=1)
            return move, True
        return max(known, key=lambda move: children[move].promise), False

    def _play_on(self, state: Any, worths: dict[Any, float]) -> Any:
        """The state some greedy moves later, at a turn of the seat or the end of the game."""
        engine, rng, looked_at = self._engine, self._rng, 0
        while (seat := engine.turn(state)) != OVER and (seat != self._seat or looked_at < _FAR):
            if seat == CHANCE:
                move = engine.draw(state, rng)
            else:
                moves = engine.legal(state)
                looked_at += len(moves)
                move = _choose_best(engine, state, moves, worths, rng)
            state, worths = engine.apply(state, move), {}
        return state

    def _judge(self, state: Any) -> Sequence[float]:
        """How good a state is for each seat, from 0, a loss, to 1, a win."""
        engine = self._engine
        if engine.turn(state) == OVER:
            return share_win(engine.winners(state), engine.seats)
        return [scale.place(engine.worth(state, seat)) for seat, scale in enumerate(self._scales)]


def share_win(winners: Sequence[int], seats: int) -> list[float]:
    """1 for the seat that wins alone, half for each of two, 0 for the others."""
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]


class TooManyStatesError(Exception):
    """A game has more states than may be looked at."""


def play_exactly(tries: int, engine: Engine[Any, Any], state: Any, moves: Sequence[Any], rng: Random) -> Any:
    """The move that wins most often if all seats play for their own win; where there are too many
    states, or cards that the seat cannot see, that of a search."""
    seat = engine.turn(state)
    solver = Solver(engine, MOST_MOVES)
    try:
        if engine.deal_unseen(state, seat, rng) is state:  # else it might be dealt by chance
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
            sum(weight * chances[player] for weight, chances in zip(weights, after, strict=True)) / sum(weights)
            for player in range(engine.seats)
        ]


_SEARCHING: Mapping[str, Callable[..., Any]] = {"search": search, "exact": play_exactly}
_USUAL_TRIES = 20
BOTS = (*_KINDS, *_SEARCHING)


def make_bot(name: str) -> Bot:
    """The bot of a name: "random", "greedy", "search", "exact", or one of these two with the number
    of its tries a move, as in "search:400".

    Raises PnpError for any other.
    """
    kind, colon, tries = name.partition(":")
    if kind in _SEARCHING and (not colon or _is_count(tries)):
        return partial(_SEARCHING[kind], tries_of(name))
    place = Place(f"the bot {quote(name)}")
    if kind in _SEARCHING:
        raise fail(place, f"a search cannot make {quote(tries)} tries", f"1 to {MOST_TRIES:,}: search:400")
    if name not in _KINDS:
        raise fail(place, "there is no such bot", did_you_mean(kind, BOTS))
    return _KINDS[name]


def tries_of(name: str) -> int:
    """The tries a move of the bot of this name; 0 if it does not search."""
    kind, colon, tries = name.partition(":")
    return (int(tries) if colon else _USUAL_TRIES) if kind in _SEARCHING else 0


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7 and 1 <= int(text) <= MOST_TRIES


def count_paths(engine: Engine[State, Move], depth: int, state: State | None = None) -> int:
    """How many sequences of so many moves there are, those of chance included: `perft`, as chess programs call it.
    Equal pieces count once if the engine's moves do not tell them apart. A sequence that ends earlier counts too."""
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
