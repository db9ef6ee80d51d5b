"""The worker's side of a worker process: it answers requests from pipes.

It also limits the memory and the time of the process.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import BufferedReader
from math import ceil
from typing import IO, Any, NoReturn, cast

from msgspec import Struct

from generator.basics.bounds import collect_seldom

_SECONDS_BETWEEN_LOOKS = 0.5
_HEAD = 8  # bytes of a length
_AT_ONCE = 1024 * 1024  # bytes: a length may be wrong, so memory is taken only as data arrives
MEMORY = 4 * 1024 * 1024 * 1024  # bytes
SECONDS_A_FACE = 10.0
THREADS = 4  # each thread reserves memory, which counts as the worker's


def serve(answer: Callable[[Any], Iterable[bytes]]) -> NoReturn:
    """Answer requests until the parent closes the pipe. The first request is the Limits."""
    _follow_parent()
    collect_seldom()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keeps the output of libraries out of the answers
    requests = read_requests(cast(BufferedReader, sys.stdin.buffer))
    limits: Limits = next(requests)
    limits.impose()
    write_answer(answers, b"")
    for request in requests:
        for part in answer(request):
            write_answer(answers, part)
    os._exit(0)  # skips the slow shutdown of libraries


def _follow_parent() -> None:
    """End with the parent, however it ends, but not on Ctrl-C, which the terminal sends to both.

    Otherwise a drawing that hangs would never end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(int(sys.argv[1]),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def read_requests(pipe: BufferedReader) -> Iterator[Any]:
    """Each request as it arrives, until the pipe is closed."""
    while pipe.peek(1):
        yield pickle.load(pipe)


def write_answer(pipe: IO[bytes], answer: bytes) -> None:
    pipe.write(len(answer).to_bytes(_HEAD))
    pipe.write(answer)
    pipe.flush()


def read_answers(pipe: IO[bytes]) -> Iterator[bytes]:
    """Each whole answer as it arrives, until the pipe is closed."""
    while len(head := pipe.read(_HEAD)) == _HEAD:
        left = int.from_bytes(head)
        parts: list[bytes] = []
        while left and (part := pipe.read(min(left, _AT_ONCE))):
            parts.append(part)
            left -= len(part)
        if left:
            return
        yield b"".join(parts)


class Limits(Struct, frozen=True):
    """The limits of a worker: bytes of memory, and seconds of the processor, None if its parent's
    clock is enough. `niceness` is how far it gives way to other processes (0 to 19)."""

    memory: int = MEMORY
    processor_seconds: int | None = None
    niceness: int = 0

    def impose(self) -> None:
        """Apply the limits to this process, and switch off core files."""
        if sys.platform != "win32":
            import resource

            os.nice(self.niceness)
            # data too: the process that started this one may have a lower limit
            memory = dict.fromkeys((resource.RLIMIT_AS, resource.RLIMIT_DATA), self.memory)
            limits = {**memory, resource.RLIMIT_CORE: 0}
            if self.processor_seconds is not None:
                limits[resource.RLIMIT_CPU] = self.processor_seconds
            for kind, most in limits.items():
                _, hard = resource.getrlimit(kind)
                most = most if hard == resource.RLIM_INFINITY else min(most, hard)
                # The hard limit stays: at a hard limit of time, the system kills without a reason.
                with suppress(ValueError, OSError):  # macOS has no limit of memory
                    resource.setrlimit(kind, (most, hard))


def allow_seconds(seconds: float) -> None:
    """Extend the limit of time of this process, if it has one."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
        if soft != resource.RLIM_INFINITY:
            most = soft + ceil(seconds)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(resource.RLIMIT_CPU, (most, hard))
