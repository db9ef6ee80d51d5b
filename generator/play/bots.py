"""Bots: players by rule of thumb. Each chooses one of the legal moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol, TypeVar

from generator.basics.errors import PnpError, did_you_mean, fail, quote
from generator.basics.place import Place
from generator.play.engine import Engine
from generator.play.exact import ExactBot
from generator.play.search import SearchBot

State = TypeVar("State")
Move = TypeVar("Move")
MOST_TRIES = 100_000  # of a search


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


_KINDS: Mapping[str, Callable[[], Bot]] = {"random": RandomBot, "greedy": GreedyBot}
_SEARCHING: Mapping[str, Callable[[int], Bot]] = {"search": SearchBot, "exact": ExactBot}
_USUAL_TRIES = 100
BOTS = (*_KINDS, *_SEARCHING)


def make_bot(name: str) -> Bot:
    """The bot of a name: "random", "greedy", "search", "exact", or one of these two with the number
    of its tries a move, as in "search:400".

    Raises PnpError for any other.
    """
    kind, colon, tries = name.partition(":")
    if kind in _SEARCHING and (not colon or _is_count(tries)):
        return _SEARCHING[kind](int(tries) if colon else _USUAL_TRIES)
    if kind in _SEARCHING:
        what = f"a search cannot make {quote(tries)} tries"
        raise _refuse(name, what, f"1 to {MOST_TRIES:,}: search:400")
    if name not in _KINDS:
        raise _refuse(name, "there is no such bot", did_you_mean(kind, BOTS))
    return _KINDS[name]()


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7 and 1 <= int(text) <= MOST_TRIES


def _refuse(name: str, what: str, hint: str) -> PnpError:
    return fail(Place(f"the bot {quote(name)}"), what, hint)
