"""Batches of a series of games, on all cores: any number of workers, one result.

A game depends on the series and its own number alone, and counts are whole numbers that add up in
any order. So a batch that is lost with its worker is played again, and nothing differs.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from itertools import count
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from msgspec import Struct

from generator.basics.errors import Place, PnpError, fail
from generator.basics.workers import Limits, WorkerError, WorkerProcess
from generator.play.bots import make_bot
from generator.play.counting import Counts, SetTable, count_games
from generator.play.engine import Decks, Engine, make_engine

MOST_GAMES = 100_000_000
_SECONDS_A_BATCH = 1.0  # at least: sending a batch takes milliseconds
_SECONDS_TRIED = 0.2  # to learn how long a game takes
_MOST_A_BATCH = 20_000  # games: an interrupt loses at most the batches under way
_MOST_WATCHED = 20_000  # games: enough for intervals of 0.7 percent
_MOST_DEATHS = 5  # of the workers of one batch
_LONGEST_BATCH = 86_400.0  # s: a search of many tries takes its time
_WORKER = "generator.play.play_worker"


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

    After an interrupt, returns what was played, if that is anything. Raises PnpError, or what an
    engine raises.
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
