"""Hold work within a time and a room of this process: whatever a game's files ask for, it ends.

Seconds are those of the processor, so that a busy machine refuses nothing. The main thread alone
is told of them, and Windows counts neither.
"""

from __future__ import annotations

import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import fail
from generator.machine import find_cramped_memory
from generator.place import Place

if TYPE_CHECKING:
    _Hook = Callable[[sys.UnraisableHookArgs], object]

SECONDS = 15.0  # of the processor; a deck of a thousand cards takes about two
MEMORY = 768 * 1024 * 1024  # bytes beyond those held before
_AGAIN = 0.25  # s: it is told again, for some are told in vain, as who tidies up
_STATUS = Path("/proc/self/status")
_HAS_TIMER = hasattr(signal, "setitimer")


class _OverTimeError(BaseException):
    """No Exception, so that nobody takes it for a fault of what is read."""


class Bound:
    """What one game may take, in all blocks together that it holds."""

    _at_work: Bound | None = None  # the one that holds this process

    def __init__(self, place: Place, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self._place = place
        self._seconds = self._left = seconds
        self._memory = memory
        self._last = ""
        self._is_over = False  # some make a fault of their own of an _OverTimeError: pydantic does

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Raises PnpError: the block takes too long, or too much memory. A block within the block
        of another bound is part of that one."""
        if Bound._at_work is not None:
            yield
            return
        fault = ""
        Bound._at_work = self
        by = time.process_time() + self._left
        try:
            with _limit_memory(self._memory), self._limit_time():
                yield
        except MemoryError:
            if find_cramped_memory():
                raise  # what this process may hold at all is too little
            fault = f"takes more than {self._memory / 1024 / 1024:.0f} MB of memory"
        except (_OverTimeError, Exception):
            if not self._is_over:
                raise
            fault = f"takes more than {self._seconds:g} s of the processor"
        finally:
            Bound._at_work = None
            self._left = max(by - time.process_time(), 0.001)
        if fault:  # told out here, where what filled the memory is gone
            last = f"it was at work on {self._last}: " if self._last else ""
            raise fail(self._place, f"reading and drawing it {fault}", f"{last}make it smaller")

    @contextmanager
    def _limit_time(self) -> Iterator[None]:
        if not _HAS_TIMER or threading.current_thread() is not threading.main_thread():
            yield
            return
        begun = time.process_time()
        handler = signal.signal(signal.SIGPROF, self._end)
        sys.unraisablehook, hook = _silent(sys.unraisablehook), sys.unraisablehook
        left, interval = signal.setitimer(signal.ITIMER_PROF, self._left, _AGAIN)
        try:
            yield
            if time.process_time() - begun > self._left:  # the timer ticks now and then only
                self._end()
        finally:
            worked = time.process_time() - begun
            signal.setitimer(signal.ITIMER_PROF, left and max(left - worked, 0.001), interval)
            signal.signal(signal.SIGPROF, handler)
            sys.unraisablehook = hook

    def _end(self, *_: object) -> None:
        self._is_over = True
        raise _OverTimeError


def _silent(hook: _Hook) -> _Hook:
    """What Python ignores, in `__del__` and the like, is told again by the timer."""

    def told(ignored: sys.UnraisableHookArgs) -> None:
        if not isinstance(ignored.exc_value, _OverTimeError):
            hook(ignored)

    return told


def at_work_on(what: str) -> None:
    """Note what is read or drawn next, for the message if that turns out to be too much."""
    if Bound._at_work is not None:
        Bound._at_work._last = what


@contextmanager
def _limit_memory(memory: int) -> Iterator[None]:
    """Memory beyond so many bytes more than now is refused: a MemoryError."""
    held = _read_held_memory()
    if sys.platform == "win32" or held is None:
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = [limit for limit in (soft, held + memory) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(most), hard))
    try:
        yield
    finally:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _read_held_memory() -> int | None:
    """The bytes of data that this process holds; None where the system does not say (macOS)."""
    try:
        said = re.search(r"^VmData:\s+(\d+) kB", _STATUS.read_text("ascii"), re.MULTILINE)
    except OSError:
        return None
    return int(said[1]) * 1024 if said else None
