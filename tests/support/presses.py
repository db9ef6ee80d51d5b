"""Let the commands of tests share the worker processes of their presses and pictures.

A press starts a process for every command, which loads libraries and fonts first. Here the press of
the next command takes over the process of the last one, if that is idle and knows the same fonts.
So do the processes that draw parts of drawings, mix inks, play games, and those of a page, which
paint pictures and inspect faces.
Tests of the press itself, and of what a command leaves behind, use the fixture `own_workers`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, chdir, contextmanager, nullcontext
from typing import Any, ClassVar

import pytest
from msgspec import Struct

from generator.art import rendering
from generator.basics.bounds import _read_processor_seconds
from generator.basics.workers import THREADS, Limits, WorkerError, WorkerProcess
from generator.pdf import press
from generator.pdf.pictures import picture_pool
from generator.pipeline import inspecting
from generator.play import batches

# the modules that start processes
STARTERS = (press, rendering, picture_pool, inspecting, batches)
_MOST_JOBS = 100  # of one process
_MOST_TIME = 0.25  # of a process's limit of the processor's time, which is for all its jobs
_MOST_IDLE = 8  # processes that wait, each of a module with the fonts of one folder


@contextmanager
def shared_presses() -> Iterator[None]:
    """Presses in this process share their workers."""
    with pytest.MonkeyPatch.context() as patch:
        for module in STARTERS:
            patch.setattr(module, "WorkerProcess", PooledWorker)
        PooledWorker.pool = WorkerPool()
        yield
        PooledWorker.pool.end()


class Starter(Struct, frozen=True):
    """What a WorkerProcess is made of."""

    module: str
    limits: Limits
    threads: int
    leads_group: bool

    def worker(self) -> WorkerProcess:
        return WorkerProcess(self.module, self.limits, threads=self.threads, leads_group=self.leads_group)


class _Shared:
    """A process that several commands use in turn."""

    def __init__(self, start: Starter, fonts: tuple[str, ...]) -> None:
        self.worker = start.worker()
        is_main = threading.current_thread() is threading.main_thread()
        # The folder of the test may go before the process has loaded all. All threads share the
        # working folder, so that only the main one may change it.
        with chdir("/") if is_main else nullcontext():
            self.worker.start()
        self.key = start, fonts
        self.jobs = 0

    def is_spent(self) -> bool:
        """Whether it has ended, or its limits may end it."""
        if self.worker.pid is None or self.jobs >= _MOST_JOBS:
            return True
        used = _read_processor_seconds(self.worker.pid)
        most = self.key[0].limits.processor_seconds
        return used is None or (most is not None and used > most * _MOST_TIME)


class WorkerPool:
    """The idle processes."""

    def __init__(self) -> None:
        self._idle: list[_Shared] = []
        self._lock = threading.Lock()

    def take(self, start: Starter, fonts: tuple[str, ...]) -> _Shared:
        with self._lock:
            for shared in self._idle:
                if shared.key == (start, fonts):
                    self._idle.remove(shared)
                    return shared
        return _Shared(start, fonts)

    def give_back(self, shared: _Shared) -> None:
        shared.jobs += 1
        if shared.is_spent():
            shared.worker.end()
            return
        with self._lock:
            self._idle.append(shared)
            oldest = self._idle.pop(0) if len(self._idle) > _MOST_IDLE else None
        if oldest:
            oldest.worker.end()

    def end(self) -> None:
        for shared in self._idle:
            shared.worker.end()
        self._idle.clear()


class PooledWorker:
    """What is taken for a WorkerProcess. It starts with the first request."""

    pool: ClassVar[WorkerPool]

    def __init__(self, module: str, limits: Limits, *, leads_group: bool = False, threads: int = THREADS) -> None:
        self._start = Starter(module, limits, threads, leads_group)
        self._shared: _Shared | None = None
        self._is_at_work = False
        self._is_killed = False
        self._lock = threading.Lock()  # a kill may come with the last answer

    def __enter__(self) -> PooledWorker:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def pid(self) -> int | None:
        return self._shared.worker.pid if self._shared else None

    @property
    def waiting(self) -> int:
        return self._shared.worker.waiting if self._shared else 0

    def start(self) -> None:
        """Nothing: the fonts, and so the process, are known with the first request."""

    def send(self, request: Any) -> None:
        self._take(request).send(request)

    def ask(self, request: Any, answers: int, seconds: float) -> Iterator[bytes]:
        self._is_at_work = True
        try:
            yield from self._take(request).ask(request, answers, seconds)
        except WorkerError:
            self._shared = None  # it has ended
            raise
        with self._lock:
            self._is_at_work = False

    def pause(self) -> AbstractContextManager[None]:
        return self._shared.worker.pause() if self._shared else nullcontext()

    def kill(self) -> None:
        """An idle process is kept for others."""
        with self._lock:
            if self._is_at_work and self._shared is not None:
                self._is_killed = True
                self._shared.worker.kill()

    def end(self) -> None:
        if self._shared is None:
            return
        if self._is_at_work or self._is_killed:  # its answers are not for the next command
            self._shared.worker.end()
        else:
            self.pool.give_back(self._shared)
        self._shared = None

    def _take(self, request: Any) -> WorkerProcess:
        if self._shared is None:
            keeps_fonts = self._start.module == press._WORKER
            fonts = tuple(request.font_folders) if keeps_fonts else ()
            self._shared = self.pool.take(self._start, fonts)
        return self._shared.worker
