"""Counts of the results of games: whole numbers only, so that counts add up in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import pairwise
from random import Random
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import fields

from generator.play.bots import Bot
from generator.play.engine import CHANCE, OVER, Engine

MOST_DECISIONS = 400  # of a game, of which the choices are counted one by one
LONGEST = 20_000  # moves: the rules of a game that does not end by then are at fault
Tally: TypeAlias = Counter[tuple[str | int, ...]]


class EndlessGameError(Exception):
    """A game that does not end."""

    def __str__(self) -> str:
        return f"a game goes on after {LONGEST:,} moves"


class Counts(Struct):
    """What games came to.

    games, watched: all of them, and those of which every move was looked at.
    The tallies say how often there was
    winners: (seat, …): these seats as winners, counted from 0; () if nobody won.
    bots:    (bot, n): the bot of that place in the series among n winners; n = 0 if it lost.
    scores:  (seat, points).
    margins: (points,) of the best over the second best.
    moves:   (number,) of moves of seats that had a choice.
    facts:   (name, value): the engine's own figures.
    held:    (piece, seat, n): this seat at the end with the piece and among n winners; n = 0 if it
             lost.
    Of the watched games only:
    choices: (decision, number of moves to choose from).
    offered: (piece, n) among the moves, with n pieces to choose from. chosen: (piece,) that was.
    leads:   (number,) of times that another seat came to lead alone.
    decided: (percent,) of the moves after which the only winner was ahead to the end.
    behind:  (points,) that the only winner was behind the best after a move.
    """

    games: int = 0
    watched: int = 0
    winners: Tally = field(default_factory=Counter)
    bots: Tally = field(default_factory=Counter)
    scores: Tally = field(default_factory=Counter)
    margins: Tally = field(default_factory=Counter)
    moves: Tally = field(default_factory=Counter)
    facts: Tally = field(default_factory=Counter)
    held: Tally = field(default_factory=Counter)
    choices: Tally = field(default_factory=Counter)
    offered: Tally = field(default_factory=Counter)
    chosen: Tally = field(default_factory=Counter)
    leads: Tally = field(default_factory=Counter)
    decided: Tally = field(default_factory=Counter)
    behind: Tally = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """Plain lists and numbers, in an order that depends on nothing else."""
        tallies = {name: _list_rows(getattr(self, name)) for name in TALLIES}
        return {"games": self.games, "watched": self.watched, **tallies}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Counts:
        """What `to_json` made."""
        tallies = {name: Counter({tuple(key): n for *key, n in raw[name]}) for name in TALLIES}
        return cls(raw["games"], raw["watched"], **tallies)

    def add(self, other: Counts) -> None:
        """Adds what other games came to."""
        self.games += other.games
        self.watched += other.watched
        for name in TALLIES:
            getattr(self, name).update(getattr(other, name))


TALLIES = tuple(it.name for it in fields(Counts) if it.name not in ("games", "watched"))


def _list_rows(tally: Tally) -> list[list[str | int]]:
    return [[*key, tally[key]] for key in sorted(tally, key=_order)]


def _order(key: tuple[str | int, ...]) -> list[tuple[str, str | int]]:
    return [(type(part).__name__, part) for part in key]


class SetTable(Struct, frozen=True):
    """An engine, and its bots in the order of a series: in game n, seat s has bot (s + n)."""

    engine: Engine[Any, Any]
    bots: Sequence[Bot]

    def seated(self, game: int) -> list[int]:
        """The place in `bots` of each seat's bot."""
        seats = self.engine.seats
        return [(seat + game) % seats for seat in range(seats)]


def count_games(table: SetTable, games: Iterable[int], seed: int, stride: int) -> Counts:
    """Plays the games of these numbers, watches every `stride`-th.

    A game depends on the seed and its number alone. Raises EndlessGameError.
    """
    counts, chance, choice = Counts(), Random(), Random()
    for game in games:
        chance.seed(seed + 2 * game)
        choice.seed(seed + 2 * game + 1)
        order = table.seated(game)
        watcher = _Watcher(table.engine) if game % stride == 0 else None
        bots = [table.bots[bot] for bot in order]
        end, decided = _play(table.engine, bots, chance, choice, watcher)
        _count_end(counts, table.engine, end, order)
        counts.moves[decided,] += 1
        if watcher:
            _count_course(counts, table.engine, end, watcher)
    return counts


def _play(
    engine: Engine[Any, Any], bots: Sequence[Bot], chance: Random, choice: Random, watcher: _Watcher | None
) -> tuple[Any, int]:
    """The end of a game, and how many moves seats chose from several."""
    turn, legal, apply = engine.turn, engine.legal, engine.apply
    state, decided = engine.start(), 0
    for _ in range(LONGEST):
        seat = turn(state)
        if seat == CHANCE:
            state = apply(state, engine.draw(state, chance))
        elif seat == OVER:
            return state, decided
        else:
            moves = legal(state)
            if len(moves) > 1:
                move = bots[seat](engine, state, moves, choice)
                if watcher:
                    watcher.see(state, moves, move)
                decided += 1
            else:
                move = moves[0]
            state = apply(state, move)
            if watcher:
                watcher.scores.append(engine.scores(state))
    raise EndlessGameError


class _Watcher:
    """Looks at each move of a game.

    moves: the number to choose from, at each decision. free: where several pieces were among them,
    the ids of these, and that of the chosen piece or "". scores: after each move of a seat.
    """

    def __init__(self, engine: Engine[Any, Any]) -> None:
        self._engine = engine
        self.moves: list[int] = []
        self.free: list[tuple[Set[str], str]] = []
        self.scores: list[Sequence[int]] = []

    def see(self, state: Any, moves: Sequence[Any], move: Any) -> None:
        piece_of = self._engine.piece_of
        offered = {piece_of(state, each) for each in moves} - {""}
        self.moves.append(len(moves))
        if len(offered) > 1:
            self.free.append((offered, piece_of(state, move)))


def _count_end(counts: Counts, engine: Engine[Any, Any], end: Any, order: Sequence[int]) -> None:
    winners = tuple(engine.winners(end))
    shared = len(winners)
    scores = engine.scores(end)
    counts.games += 1
    counts.winners[winners] += 1
    for seat, score in enumerate(scores):
        won = shared if seat in winners else 0
        counts.scores[seat, score] += 1
        counts.bots[order[seat], won] += 1
        counts.held.update([(piece, seat, won) for piece in set(engine.held(end, seat))])
    if len(scores) > 1:
        best = sorted(scores)
        counts.margins[best[-1] - best[-2],] += 1
    counts.facts.update(list(engine.facts(end).items()))


def _count_course(counts: Counts, engine: Engine[Any, Any], end: Any, watcher: _Watcher) -> None:
    counts.watched += 1
    choices = enumerate(watcher.moves)
    counts.choices.update([(min(at, MOST_DECISIONS), many) for at, many in choices])
    counts.offered.update([(id_, len(offered)) for offered, _ in watcher.free for id_ in offered])
    counts.chosen.update([(chosen,) for _, chosen in watcher.free if chosen])
    if engine.seats == 1:
        return
    leaders = [_leader(scores) for scores in watcher.scores]
    alone = [leader for leader in leaders if leader is not None]
    counts.leads[sum(a != b for a, b in pairwise(alone)),] += 1
    winners = engine.winners(end)
    if len(winners) == 1:
        after = _last_trailing(leaders, winners[0])
        counts.decided[100 * after // max(len(leaders), 1),] += 1
        counts.behind.update([(max(scores) - scores[winners[0]],) for scores in watcher.scores])


def _leader(scores: Sequence[int]) -> int | None:
    """The seat that leads alone; None if several do."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


def _last_trailing(leaders: Sequence[int | None], winner: int) -> int:
    """The number of moves until the winner was ahead for good."""
    return max((at for at, leader in enumerate(leaders, 1) if leader != winner), default=0)
