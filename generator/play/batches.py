"""Batches of a series of games, on all cores: any number of workers, one result.

A game depends on the series and its own number alone, and the counts of results are whole numbers that add up in any
order. So a batch that is lost with its worker is played again, and nothing differs.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from itertools import count, pairwise
from queue import Empty, SimpleQueue
from random import Random
from threading import Thread
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import fields

from generator.basics.errors import Place, PnpError, fail
from generator.basics.workers import Limits, WorkerError, WorkerProcess
from generator.play.bots import Bot, make_bot
from generator.play.engine import CHANCE, OVER, Decks, Engine, make_engine

MOST_DECISIONS = 400  # of a game, of which the choices are counted one by one
LONGEST = 20_000  # moves: the rules of a game that does not end by then are at fault
Tally: TypeAlias = Counter[tuple[str | int, ...]]
MOST_GAMES = 100_000_000
_SECONDS_A_BATCH = 1.0  # at least: sending a batch takes milliseconds
_SECONDS_TRIED = 0.2  # to learn how long a game takes
_MOST_A_BATCH = 20_000  # games: an interrupt loses at most the batches under way
_MOST_WATCHED = 20_000  # games: enough for intervals of 0.7 percent
_MOST_DEATHS = 5  # of the workers of one batch
_LONGEST_BATCH = 86_400.0  # s: a search of many tries takes its time
_WORKER = "generator.play.play_worker"


class EndlessGameError(Exception):
    """A game that does not end."""

    def __str__(self) -> str:
        return f"a game goes on after {LONGEST:,} moves"


class Counts(Struct):
    """The counts of games that were played.

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
        tallies = {name: [[*key, times] for key, times in sorted(getattr(self, name).items())] for name in TALLIES}
        return {"games": self.games, "watched": self.watched, **tallies}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Counts:
        """The counts that `to_json` wrote."""
        tallies = {name: Counter({tuple(key): n for *key, n in raw[name]}) for name in TALLIES}
        return cls(raw["games"], raw["watched"], **tallies)

    def add(self, other: Counts) -> None:
        """Adds what other games came to."""
        self.games += other.games
        self.watched += other.watched
        for name in TALLIES:
            getattr(self, name).update(getattr(other, name))


TALLIES = tuple(it.name for it in fields(Counts) if it.name not in ("games", "watched"))


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
        offered = {piece_of(state, choice) for choice in moves} - {""}
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
        after = max((at for at, leader in enumerate(leaders, 1) if leader != winners[0]), default=0)  # ahead for good
        counts.decided[100 * after // max(len(leaders), 1),] += 1
        counts.behind.update([(max(scores) - scores[winners[0]],) for scores in watcher.scores])


def _leader(scores: Sequence[int]) -> int | None:
    """The seat that leads alone; None if several do."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


class Series(Struct, frozen=True):
    """Games to play.

    kind, decks, chosen: what `make_engine` takes. bots: one for all seats, or one for each.
    """

    kind: type[Engine[Any, Any]]
    decks: Decks
    chosen: Mapping[str, str]
    bots: tuple[str, ...]
    seed: int
    games: int

    def set_table(self) -> SetTable:
        """The engine and its bots. Raises PnpError."""
        engine = make_engine(self.kind, self.decks, self.chosen)
        bots = [make_bot(name) for name in self.bots]
        if len(bots) not in (1, engine.seats):
            what = f"there are {len(bots)} bots for {engine.seats} seats"
            raise fail(Place("the bots"), what, "name one for all, or one for each")
        return SetTable(engine, bots * engine.seats if len(bots) == 1 else bots)

    @property
    def stride(self) -> int:
        """Every so many games, one is watched."""
        return -(-self.games // _MOST_WATCHED)


class Shard(Struct, frozen=True):
    """The part `number` of `total` equal parts of a series, counted from 1."""

    number: int
    total: int

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"

    @classmethod
    def parse(cls, text: str) -> Shard:
        """The shard of a text such as "3/20". Raises ValueError for any other."""
        match = re.fullmatch(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})", text, re.ASCII)
        if not match or int(match[1]) > int(match[2]):
            raise ValueError(f"{text!r} is not a part such as 3/20")
        return cls(int(match[1]), int(match[2]))

    def span(self, games: int) -> range:
        first = games * (self.number - 1) // self.total
        return range(first, games * self.number // self.total)


WHOLE = Shard(1, 1)
Progress = Callable[[int, int], None]  # games played, of how many


def play_series(series: Series, shard: Shard, progress: Progress, executor: Executor | None = None) -> Counts:
    """Plays a series, or a part of it, on all cores or by the workers of an executor.

    After an interrupt, returns what was played, if that is anything. Raises PnpError, or what an engine raises.
    """
    counts = Counts()
    try:
        _play_span(series, shard.span(series.games), counts, progress, executor)
    except (KeyboardInterrupt, SystemExit):  # SIGINT; SIGTERM and SIGHUP
        if not counts.games:
            raise
    return counts


def _play_span(series: Series, span: range, counts: Counts, progress: Progress, executor: Executor | None) -> None:
    pace = _try(series, span, counts)
    progress(counts.games, len(span))
    size = min(max(int(_SECONDS_A_BATCH / pace), 1), _MOST_A_BATCH)
    rest = span[counts.games :]
    batches = [rest[i : i + size] for i in range(0, len(rest), size)]
    if not batches:
        return
    with _open(executor, pickle.dumps(series), batches) as results:
        for batch in results:
            counts.add(batch)
            progress(counts.games, len(span))


def _try(series: Series, span: range, counts: Counts) -> float:
    """The seconds that a game takes. Plays the first ones."""
    table, begun = series.set_table(), time.perf_counter()
    while counts.games < len(span) and time.perf_counter() - begun < _SECONDS_TRIED:
        more = span[counts.games : 2 * counts.games + 1]
        counts.add(count_games(table, more, _base(series.seed), series.stride))
    return (time.perf_counter() - begun) / max(counts.games, 1)


def _base(seed: int) -> int:
    """A number to which those of games are added: far from the base of any other seed."""
    return int.from_bytes(sha256(str(seed).encode()).digest()[:12]) << 32


def play_batch(packed: bytes, batch: range) -> Counts:
    """Plays some games of a pickled series: what a worker does."""
    series, table = _unpack(packed)
    return count_games(table, batch, _base(series.seed), series.stride)


@lru_cache(maxsize=1)
def _unpack(packed: bytes) -> tuple[Series, SetTable]:
    series: Series = pickle.loads(packed)
    return series, series.set_table()


@contextmanager
def _open(executor: Executor | None, packed: bytes, batches: Sequence[range]) -> Iterator[Iterator[Counts]]:
    """The counts of each batch as they come, from an executor or a process on each core."""
    if executor is not None:
        yield _results(executor, packed, batches)
    else:
        with _Crew(packed, min(os.cpu_count() or 1, len(batches))) as crew:
            yield crew.play(batches)


def _results(executor: Executor, packed: bytes, batches: Sequence[range]) -> Iterator[Counts]:
    futures = [executor.submit(play_batch, packed, batch) for batch in batches]
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


class _Crew:
    """Worker processes, each with a thread that waits for its answers.

    A signal may interrupt the main thread anywhere, and leaves the locks of `threading` and of
    futures locked. So all that it shares with the others are queues.
    """

    def __init__(self, packed: bytes, number: int) -> None:
        self._packed = packed
        self._due: SimpleQueue[range | None] = SimpleQueue()
        self._played: SimpleQueue[Counts | Exception] = SimpleQueue()
        self._ended: SimpleQueue[None] = SimpleQueue()
        self._workers = [WorkerProcess(_WORKER, Limits()) for _ in range(number)]
        self._at_work = 0  # threads
        self._is_over = False

    def __enter__(self) -> _Crew:
        for worker in self._workers:
            Thread(target=self._work, args=(worker,), daemon=True).start()
            self._at_work += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        with suppress(Empty):
            while True:
                self._due.get_nowait()
        for worker in self._workers:
            self._due.put(None)
            worker.kill()
        for _thread in range(self._at_work):
            self._ended.get()

    def play(self, batches: Sequence[range]) -> Iterator[Counts]:
        for batch in batches:
            self._due.put(batch)
        for _ in batches:
            played = self._played.get()
            if isinstance(played, Exception):
                raise played
            yield played

    def _work(self, worker: WorkerProcess) -> None:
        while batch := self._due.get():
            try:
                self._played.put(self._ask(worker, batch))
            except Exception as error:
                self._played.put(error)
        worker.end()
        self._ended.put(None)

    def _ask(self, worker: WorkerProcess, batch: range) -> Counts:
        """The counts of a batch. It is played again if its worker was killed."""
        for deaths in count(1):
            try:
                (answer,) = worker.ask((self._packed, batch), 1, _LONGEST_BATCH)
                break
            except WorkerError as error:
                if self._is_over or deaths == _MOST_DEATHS:
                    raise PnpError([error.ending.problem]) from None
        # an empty answer: the rules failed; here they fail again, with the exception
        return Counts.from_json(json.loads(answer)) if answer else play_batch(self._packed, batch)
