"""Take an exception, find the shortage of the machine that caused it."""

from __future__ import annotations

import errno
import gc
import os
import re
import sys
from pathlib import Path

from generator.basics.errors import PnpError, Problem
from generator.basics.place import Place

HERE = Place("this machine")
_MEMORY = Path("/proc/meminfo")
_MEGABYTE = 1024 * 1024
_NEW_OBJECTS = 200_000  # some 20 MB of them; a small kit makes fewer
_LEAST_MEMORY = 512 * _MEGABYTE
_TO_LOAD = 176 * _MEGABYTE
_SHORTAGES = {
    errno.EMFILE: ("no more files can be opened", "allow more: ulimit -n 256"),
    errno.ENFILE: ("no more files can be opened", "close other programs"),
    errno.EAGAIN: (
        "no more processes can be started",
        "close other programs, or raise ulimit -u, -v",
    ),
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
_own: list[int] = []  # the id of this process, if it is pnp's own
_NUMBER = re.compile(r"(?:\[Errno |os error |Os \{ code: )(\d+)")  # as Python and Rust write it
_WITH_NUMBER = (OSError, ImportError, RuntimeError)


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
        hint = "name a folder with write access: TMPDIR=..."
        return Problem(HERE, "there is no folder for temporary files", hint)
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


def own_process() -> None:
    """Note that this process does nothing but the work of pnp."""
    _own.append(os.getpid())


def is_own_process() -> bool:
    """Whether this process does nothing but the work of pnp; no process that it starts does."""
    return os.getpid() in _own


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
    try:
        text = _MEMORY.read_text("ascii")
    except OSError:
        return None
    free = re.findall(r"^(?:MemAvailable|SwapFree): +(\d+) kB$", text, re.MULTILINE)
    return sum(map(int, free)) * 1024 if free else None


def _problem(number: int | None, name: object = None) -> Problem | None:
    if number not in _SHORTAGES:
        return None
    is_of_a_file = number not in (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
    if isinstance(name, str | bytes) and is_of_a_file:
        return Problem(Place(os.fsdecode(name)), *_SHORTAGES[number])
    return Problem(HERE, *_SHORTAGES[number])
