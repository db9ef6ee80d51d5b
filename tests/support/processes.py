"""Start processes that end with the test, and tell which ones a test run has left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

_MARK = "PNP_TEST_RUN"
PATIENCE = 120.0  # seconds to wait for what must come: far more than it takes under any load
_PATIENCE = 60.0  # seconds until what still runs counts as left behind
_SYSTEM = Path("/proc")


@contextmanager
def started(command: Sequence[str | Path], **how: Any) -> Iterator[subprocess.Popen[str]]:
    """A process in a group of its own, which is killed with all its children at the end."""
    with interruptible():
        process: subprocess.Popen[str] = subprocess.Popen(command, text=True, start_new_session=True, **how)
    try:
        yield process
    finally:
        with suppress(OSError):  # all of them have ended
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@contextmanager
def interruptible() -> Iterator[None]:
    """Signals reach what is started here, even where the tests run with some ignored, as a shell's
    background jobs do, or under nohup: a process takes over what its parent ignores."""
    numbers = (signal.SIGINT, signal.SIGHUP)
    before = [signal.signal(number, signal.default_int_handler) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def mark_own() -> None:
    """From now on, processes that this one starts can be told from all others."""
    os.environ[_MARK] = str(os.getpid())


def left_behind() -> dict[int, str]:
    """The processes that were started since `mark_own` and do not end: number and command.

    Empty on systems without /proc. A process that has lost its parent needs a moment to notice.
    """
    by = time.monotonic() + _PATIENCE
    while (found := running()) and time.monotonic() < by:
        time.sleep(0.05)
    return found


def running() -> dict[int, str]:
    """The processes that were started since `mark_own`: number and command. One that has ended is
    among them until its parent, this process, collects it."""
    found = {}
    for folder in _SYSTEM.glob("[0-9]*"):
        with suppress(OSError):  # it is another person's, or has just gone
            if folder.name != str(os.getpid()) and _is_ours(folder):
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                found[int(folder.name)] = command.decode(errors="replace").strip()
    return found


def _is_ours(process: Path) -> bool:
    parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
    mark = f"{_MARK}={os.getpid()}".encode()
    return parent == os.getpid() or mark in (process / "environ").read_bytes().split(b"\0")
