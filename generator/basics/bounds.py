"""Limits of the time and the memory for reading and drawing a game in this process.

Seconds are of the processor, so that a busy machine refuses nothing. Linux enforces the limits;
macOS that of time. A thread watches what the system does not, and ends work that stands still, as
in a plug-in that sleeps. Only the main thread can be interrupted.

The limit of memory, PNP_MEMORY or 768 MB, is also the measure of how many pieces a table and a game
may have: a larger deck is refused before any of it is drawn.

Exceptions caused by a shortage of the machine are recognized.
"""

from __future__ import annotations

import errno
import gc
import os
import re
import signal
import sys
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.basics.errors import Place, PnpError, Problem, fail, quote

if TYPE_CHECKING:
    _Hook = Callable[[sys.UnraisableHookArgs], object]

SECONDS = 15.0  # of the processor; a game is read in less than one
SECONDS_A_FACE = 0.003  # of the processor, further; one of a template with a paragraph takes 0.0015
_MEGABYTE = 1024 * 1024
_MEMORY = 768  # MB beyond those held before
_LEAST, _MOST = 64, 1024 * 1024  # MB that may be set
_BYTES_A_PIECE = 8000  # a card of a template with a paragraph takes 5,500
_ROUND = 1000  # pieces
_FEW = 10_000  # pieces: any machine has memory for them
_VARIABLE = "PNP_MEMORY"
_AGAIN = 0.25  # s until the timer fires again, as some code ignores exceptions, such as `__del__`
_TO_LEAVE = 0.02  # s of the main thread, in which the blocks are left
_AGAIN_ASLEEP = 5.0  # s until it is interrupted again if it does not work
_STATUS = Path("/proc/self/status")
_SCHEDULE = Path("/proc/self/schedstat")  # of the main thread
_ENFORCES = sys.platform == "linux"  # whether the system limits memory, and reports how much is used
_HAS_TIMER = hasattr(signal, "setitimer")  # Windows has none
_WATCH_PAUSE = 0.1  # s between two looks at a process
_SHORTEST_WAIT = 0.02  # s, between two looks at what a process has used
_IDLE = 10.0  # how much longer than its limit a process may wait for a processor
_STILL = 60.0  # s in which the main thread hardly works, and no file, face or worker is noted
_HARDLY = 0.02  # the share of this time for which it may work
# A signal that Python handles without one: no system sends it here.
_SIGNAL = getattr(signal, "SIGPROF", signal.SIGFPE)
HERE = Place("this machine")
_MEMORY_FILE = Path("/proc/meminfo")
_NEW_OBJECTS = 200_000  # some 20 MB of them; a small kit makes fewer
_LEAST_MEMORY = 512 * _MEGABYTE
_TO_LOAD = 176 * _MEGABYTE
_SHORTAGES = {
    errno.EMFILE: ("no more files can be opened", "allow more: ulimit -n 256"),
    errno.ENFILE: ("no more files can be opened", "close other programs"),
    errno.EAGAIN: ("no more processes can be started", "close other programs, or raise ulimit -u, -v"),
    errno.ENOMEM: ("there is too little memory", "close other programs, or raise ulimit -v"),
    errno.ENOSPC: ("no space is left on the disk", "free some space and try again"),
    errno.EDQUOT: ("your quota of the disk is used up", "free some space and try again"),
    errno.EROFS: ("the disk is read-only", ""),
    errno.EIO: ("the disk fails", ""),
}
_NO_TEMPORARY = "No usable temporary directory"  # tempfile's own words
_NO_THREAD = "can't start new thread"  # Python's words
_NO_ROOM = "failed to map segment"  # the words of the loader of libraries

# Python's words where it loses its MemoryError
_LOST = ("without setting an exception", "error return without exception set")
_NUMBER = re.compile(r"(?:\[Errno |os error |Os \{ code: )(\d+)")  # as Python and Rust write it
_WITH_NUMBER = (OSError, ImportError, RuntimeError)


def find_memory() -> int:
    """The bytes that reading and drawing a game may take. Raises PnpError if PNP_MEMORY is not a number of MB."""
    text = os.environ.get(_VARIABLE, "") or str(_MEMORY)
    if not (text.isascii() and text.isdigit() and _LEAST <= int(text[:9]) <= _MOST):
        what = f"{quote(text)} is not a number of MB"
        raise fail(Place(_VARIABLE), what, f"a whole number from {_LEAST} to {_MOST:,}")
    return int(text) * _MEGABYTE


def find_most_pieces() -> int:
    """How many pieces a game may have, all its tables together."""
    return max(find_memory() // _BYTES_A_PIECE // _ROUND, 1) * _ROUND


class _OverTimeError(BaseException):
    """Not an Exception, so that no reader reports it as a fault of a file."""


class Bound:
    """The limits of one game, for all its blocks together."""

    _at_work: Bound | None = None  # the one in force

    def __init__(
        self, place: Place, seconds: float = SECONDS, memory: int | None = None, still: float = _STILL
    ) -> None:
        self._place = place
        self._still = still
        self._stood = 0.0  # s since the last progress, without those in which this process was stopped
        self._seconds = self._left = seconds
        self._memory = find_memory() if memory is None else memory
        self._too_large = f"takes more than {self._memory / _MEGABYTE:.0f} MB of memory"
        self._last = ""
        self._by = 0.0  # the processor's time at which the limit is reached
        self._has_timer = False
        self._ended = -_AGAIN, -_AGAIN_ASLEEP  # when it was last interrupted: worked, and by the clock
        self._fault = ""  # it is kept, as others may turn an _OverTimeError into another exception

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Limit a block. A block within the block of another bound is part of that one.

        Raises PnpError if the block takes too long or too much memory.
        """
        if Bound._at_work is not None:
            yield
            return
        self._fault, self._stood = "", 0.0
        Bound._at_work = self
        self._by = time.process_time() + self._left
        try:
            with _limit_memory(self._memory), self._limit_time():
                yield
        except MemoryError:
            if find_cramped_memory():
                raise  # the limit of the whole process is too low
            self._fault = self._too_large
        except (_OverTimeError, Exception):
            if not self._fault:
                raise
        finally:
            Bound._at_work = None
            self._left = max(self._by - time.process_time(), 0.001)
        if self._fault:  # raised outside the block, where memory is free again
            hint = f"it was working on {self._last}: " if self._last else ""
            hint += "make it smaller" if "than" in self._fault else "a plug-in waits, or a disk does not answer"
            raise fail(self._place, f"reading and drawing it {self._fault}", hint)

    @contextmanager
    def _limit_time(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        handler = signal.signal(_SIGNAL, self._end)
        sys.unraisablehook, hook = _silent(sys.unraisablehook), sys.unraisablehook
        try:
            with self._timer(), self._watch():
                yield
                if time.process_time() > self._by:  # the timer may be late
                    self._end()
        finally:
            signal.signal(_SIGNAL, handler)
            sys.unraisablehook = hook

    @contextmanager
    def _timer(self) -> Iterator[None]:
        if not _HAS_TIMER:
            yield
            return
        begun = time.process_time()
        left, interval = signal.setitimer(signal.ITIMER_PROF, self._left, _AGAIN)
        self._has_timer = True
        try:
            yield
        finally:
            self._has_timer = False
            worked = time.process_time() - begun
            signal.setitimer(signal.ITIMER_PROF, left and max(left - worked, 0.001), interval)

    @contextmanager
    def _watch(self) -> Iterator[None]:
        """Interrupt the main thread each time that it stands still; where the system enforces no
        limits, again and again once it takes too long or too much memory. It waits for calls that
        keep other threads out; a timer does not."""
        over, own = threading.Event(), _Watched(os.getpid())
        most = own.memory + self._memory if not _ENFORCES else 0

        def look() -> None:
            before = 0.0
            while not over.wait(_WATCH_PAUSE):
                if (worked := _read_worked()) > before + self._still * _HARDLY:
                    before, self._stood = worked, 0.0
                self._stood += _WATCH_PAUSE
                if self._stood > self._still:
                    self._fault, self._stood = f"stands still for {self._still:.2g} s", 0.0
                    _interrupt()
                if _ENFORCES:
                    continue
                if own.memory > most:
                    self._fault = self._too_large
                if self._fault == self._too_large or time.process_time() > self._by:
                    _interrupt()

        watch = threading.Thread(target=look, daemon=True)
        watch.start()
        try:
            yield
        finally:
            over.set()
            watch.join()

    def extend(self, seconds: float) -> None:
        """Allow so many more seconds of the processor."""
        self._seconds += seconds
        self._by += seconds
        if self._has_timer:
            left = max(self._by - time.process_time(), 0.001)
            signal.setitimer(signal.ITIMER_PROF, left, _AGAIN)

    def _end(self, *_: object) -> None:
        self._fault = self._fault or f"takes more than {self._seconds:.2g} s of the processor"
        worked, now = time.thread_time(), time.monotonic()
        if worked < self._ended[0] + _TO_LEAVE and now < self._ended[1] + _AGAIN_ASLEEP:
            return  # the blocks are ending: do not interrupt their cleanup
        self._ended = worked, now
        raise _OverTimeError


def _interrupt() -> None:
    """Interrupt the main thread; on Windows, once it no longer sleeps."""
    if sys.platform == "win32":
        interrupt_main(_SIGNAL)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, _SIGNAL)


class _Watched:
    """Another process, or this one, and what it has used; as far as the system says."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    @property
    def seconds(self) -> float | None:
        """The seconds that all its threads have used of the processor; None if they are unknown."""
        if _ENFORCES:
            return _read_processor_seconds(self._pid)
        return self._sum(lambda process: sum(process.cpu_times()[:2]))

    @property
    def memory(self) -> int:
        """The bytes that it holds; 0 if they are unknown."""
        return int(self._sum(lambda process: process.memory_info().rss) or 0)

    def _sum(self, measure: Callable[[Any], float]) -> float | None:
        """A measure of the process and its children: in an environment of Windows, a Python is the
        child of its launcher."""
        import psutil  # Linux does not need it

        try:
            process = psutil.Process(self._pid)
            children = process.children() if sys.platform == "win32" else []
            return sum(map(measure, [process, *children]))
        except psutil.Error:
            return None


class Allowance:
    """The time that a process may take from now on, and the memory that it takes."""

    def __init__(self, pid: int, seconds: float, threads: int) -> None:
        self.seconds = seconds
        self._threads = threads
        self._watched = _Watched(pid)
        self._used_before = self._watched.seconds
        self._begun = time.monotonic()

    @property
    def left(self) -> float:
        """Seconds; none once it has waited for very long without working."""
        elapsed = time.monotonic() - self._begun
        used = self._watched.seconds
        if used is None or self._used_before is None:
            return self.seconds - elapsed
        if elapsed > self.seconds * _IDLE:
            return 0.0
        return self.seconds - (used - self._used_before)

    @property
    def memory(self) -> int:
        """The bytes that it holds; 0 where the system limits them by itself."""
        return 0 if _ENFORCES else self._watched.memory

    @property
    def least_wait(self) -> float:
        """The seconds in which all its threads together could spend what is left; where its memory
        is watched, not long."""
        wait = max(self.left / self._threads, _SHORTEST_WAIT)
        return wait if _ENFORCES else min(wait, _WATCH_PAUSE)


def _read_processor_seconds(pid: int) -> float | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def _read_worked() -> float:
    """The seconds for which the main thread has worked, or waited for a processor; where the system
    does not report them, the seconds for which all threads have worked."""
    numbers = find_numbers(_SCHEDULE, r"\d+")
    return sum(numbers[:2]) / 1e9 if numbers else time.process_time()


def _silent(hook: _Hook) -> _Hook:
    """A hook that does not report an _OverTimeError: the timer raises it again."""

    def report(ignored: sys.UnraisableHookArgs) -> None:
        if not isinstance(ignored.exc_value, _OverTimeError):
            hook(ignored)

    return report


def at_work_on(what: str) -> None:
    """Note what is read or drawn next, for the message if that exceeds a limit."""
    if Bound._at_work is not None:
        Bound._at_work._last = what
    note_progress()


def note_progress() -> None:
    """Note that something was done, if only by another process: the work does not stand still."""
    if Bound._at_work is not None:
        Bound._at_work._stood = 0.0


def allow_pieces(count: int) -> None:
    """Extend the limit of time in force by that of drawing both sides of so many pieces.

    Raises PnpError if they are too many for the memory that is allowed, or that is free.
    """
    if Bound._at_work is not None:
        Bound._at_work.extend(2 * count * SECONDS_A_FACE)
        _check_memory(Bound._at_work._place, count)


def _check_memory(place: Place, count: int) -> None:
    most, needed = find_most_pieces(), count * _BYTES_A_PIECE
    free = find_free_memory() if count > _FEW else None
    size = f"{needed / _MEGABYTE:,.0f} MB"
    if count > most:
        hint = f"the limit is {most:,}: print a part of it with --only, or allow more: "
        hint += f"{_VARIABLE}={-(-needed // _MEGABYTE)}"
        raise fail(place, f"drawing its {count:,} pieces takes about {size} of memory", hint)
    if free is not None and needed > free:
        what = f"drawing its {count:,} pieces takes about {size} of memory"
        what += f", and {free / _MEGABYTE:,.0f} MB are free"
        raise fail(place, what, "close other programs, or print a part of it with --only")


@contextmanager
def _limit_memory(memory: int) -> Iterator[None]:
    """Raise a MemoryError when this process takes `memory` bytes more than now."""
    now = _read_held_memory()
    if sys.platform == "win32" or now is None:
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = [limit for limit in (soft, now + memory) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(most), hard))
    try:
        yield
    finally:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _read_held_memory() -> int | None:
    """The bytes of data of this process; None if the system does not say (macOS)."""
    return sum(find_numbers(_STATUS, r"^VmData:\s+(\d+) kB")) * 1024 or None


def find_numbers(file: Path, pattern: str) -> list[int]:
    """Numbers in a file of the system; none if it does not have that file."""
    try:
        return list(map(int, re.findall(pattern, file.read_text("ascii"), re.MULTILINE)))
    except OSError:
        return []


def find_shortage(error: BaseException) -> Problem | None:
    """The shortage behind an exception; None if it has another cause."""
    if isinstance(error, MemoryError):
        return find_cramped_memory() or _problem(errno.ENOMEM)
    if isinstance(error, SystemError) and any(words in str(error) for words in _LOST):
        return find_cramped_memory()
    if isinstance(error, OSError) and error.errno in _SHORTAGES:
        return _problem(error.errno, error.filename)
    return find_shortage_in(str(error)) if isinstance(error, _WITH_NUMBER) else None


def find_shortage_in(text: str) -> Problem | None:
    """The shortage behind an exception of another process, by its text."""
    if _NO_TEMPORARY in text:
        return Problem(HERE, "there is no folder for temporary files", "name a folder with write access: TMPDIR=...")
    if _NO_ROOM in text:
        return _problem(errno.ENOMEM)
    if _NO_THREAD in text:
        return _problem(errno.EAGAIN)
    number = _NUMBER.search(text)
    return _problem(int(number[1])) if number else None


def collect_seldom() -> None:
    """Let Python collect garbage after very many new objects, not after 700. Nearly all objects of
    a game are kept, and to search them again and again takes 0.2 s of the 2.2 s of a whole kit."""
    gc.set_threshold(_NEW_OBJECTS)


def check_memory() -> None:
    """Raises PnpError if memory is too low to load the libraries: some would end the process."""
    problem = find_cramped_memory(_TO_LOAD)
    if problem:
        raise PnpError([problem])


def find_cramped_memory(least: int = _LEAST_MEMORY) -> Problem | None:
    """The problem to report if the limit of memory (ulimit -v) is too low for a simple deck."""
    if sys.platform == "win32":
        return None
    import resource

    limits = resource.getrlimit(resource.RLIMIT_AS)
    allowed = min(limit if limit != resource.RLIM_INFINITY else least for limit in limits)
    if allowed >= least:
        return None
    what = f"there is too little memory: {allowed // _MEGABYTE} MB are allowed"
    return Problem(HERE, what, f"allow at least {_LEAST_MEMORY // _MEGABYTE} MB: ulimit -v")


def find_free_memory() -> int | None:
    """The bytes of memory that other programs leave; None if the system does not say."""
    free = find_numbers(_MEMORY_FILE, r"^(?:MemAvailable|SwapFree): +(\d+) kB$")
    return sum(free) * 1024 if free else None


def _problem(number: int | None, name: object = None) -> Problem | None:
    if number not in _SHORTAGES:
        return None
    is_of_a_file = number not in (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
    if isinstance(name, str | bytes) and is_of_a_file:
        return Problem(Place(os.fsdecode(name)), *_SHORTAGES[number])
    return Problem(HERE, *_SHORTAGES[number])
