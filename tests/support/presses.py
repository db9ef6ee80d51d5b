"""Let the commands of tests share the worker processes of their presses.

A press starts a process for every command, which loads libraries and fonts first. Here the press of
the next command takes over the process of the last one, if that is idle and knows the same fonts.
Tests of the press itself, and of what a command leaves behind, use the fixture `own_presses`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from typing import Any, ClassVar

import pytest

from generator.basics.workers import Limits, WorkerError, WorkerProcess
from generator.pdf import press

_MOST_JOBS = 100  # of one process: its limit of the processor's time is for all of them
_MOST_IDLE = 3  # processes that wait, each with the fonts of one folder


@contextmanager
def shared_presses() -> Iterator[None]:
    """Presses in this process share their workers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(press, "WorkerProcess", PooledWorker)
        PooledWorker.pool = WorkerPool()
        yield
        PooledWorker.pool.end()


class _Shared:
    """A process that several presses use in turn."""

    def __init__(self, module: str, limits: Limits, fonts: Sequence[str]) -> None:
        self.worker = WorkerProcess(module, limits)
        with chdir("/"):  # the folder of the test may go before the process has loaded all
            self.worker.start()
        self.key = module, limits, tuple(fonts)
        self.jobs = 0


class WorkerPool:
    """The idle processes."""

    def __init__(self) -> None:
        self._idle: list[_Shared] = []

    def take(self, module: str, limits: Limits, fonts: Sequence[str]) -> _Shared:
        for shared in self._idle:
            if shared.key == (module, limits, tuple(fonts)):
                self._idle.remove(shared)
                return shared
        return _Shared(module, limits, fonts)

    def give_back(self, shared: _Shared) -> None:
        shared.jobs += 1
        if shared.worker.pid is None or shared.jobs >= _MOST_JOBS:
            shared.worker.end()
            return
        self._idle.append(shared)
        if len(self._idle) > _MOST_IDLE:
            self._idle.pop(0).worker.end()

    def end(self) -> None:
        for shared in self._idle:
            shared.worker.end()
        self._idle.clear()


class PooledWorker:
    """What a press takes for its own WorkerProcess. It starts with the first request."""

    pool: ClassVar[WorkerPool]

    def __init__(self, module: str, limits: Limits) -> None:
        self._module, self._limits = module, limits
        self._shared: _Shared | None = None

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
        try:
            yield from self._take(request).ask(request, answers, seconds)
        except WorkerError:
            self._shared = None  # it has ended
            raise

    def end(self) -> None:
        if self._shared is not None:
            self.pool.give_back(self._shared)
            self._shared = None

    def _take(self, request: Any) -> WorkerProcess:
        if self._shared is None:
            self._shared = self.pool.take(self._module, self._limits, request.font_folders)
        return self._shared.worker
