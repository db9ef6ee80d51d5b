"""Start a worker as a copy of this process, which keeps the modules that are loaded.

To load them again takes half of the start of the press. Only pnp's own process is copied, on Linux,
while it has one thread: a copy of a lock that another thread holds is never released.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from generator.basics.machine import find_cramped_memory, is_own_process

_TASKS = Path("/proc/self/task")  # a folder for each thread, also those of libraries


def can_fork() -> bool:
    """Whether a copy of this process is safe."""
    if sys.platform != "linux" or not is_own_process():
        return False
    if find_cramped_memory():
        return False  # with more modules loaded, Python may wait for ever for a new thread
    with suppress(OSError):
        return len(list(_TASKS.iterdir())) == 1
    return False


class ForkedProcess:
    """A copy of this process that runs a module with pipes as its standard streams.

    It has the part of Popen's interface that its parent uses. Raises OSError if no process can be
    started.
    """

    def __init__(self, module: str, environment: Mapping[str, str]) -> None:
        self.returncode: int | None = None
        self._lock = threading.Lock()
        ends = _open_pipes(3)
        its, ours = (ends[0], ends[3], ends[5]), (ends[1], ends[2], ends[4])
        parent = os.getpid()
        # a signal waits until the copy has no handler of ours
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self.pid = os.fork()
            if not self.pid:
                _become(module, [module, str(parent)], environment, its, mask)
        except OSError:
            _close(ours)
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            _close(its)
        self.stdin = os.fdopen(ours[0], "wb")
        self.stdout, self.stderr = (os.fdopen(end, "rb") for end in ours[1:])

    def wait(self) -> int:
        """Wait for its end; returns the exit code, or minus the number of a signal."""
        with self._lock:
            if self.returncode is None:
                self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            return self.returncode

    def kill(self) -> None:
        """End it at once."""
        os.kill(self.pid, signal.SIGKILL)


def _open_pipes(count: int) -> list[int]:
    """The ends of pipes: that to read and that to write of each."""
    ends: list[int] = []
    try:
        for _ in range(count):
            ends += os.pipe()
    except OSError:
        _close(ends)  # a message about it needs files
        raise
    return ends


def _close(files: Iterable[int]) -> None:
    for file in files:
        os.close(file)


def _become(
    module: str,
    arguments: list[str],
    environment: Mapping[str, str],
    streams: tuple[int, int, int],
    mask: set[int | signal.Signals],
) -> NoReturn:
    """Run a module in this copy, as a new process would run it."""
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115  it ends with the process
        sys.unraisablehook = sys.__unraisablehook__
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = arguments
        runpy.run_module(module, run_name="__main__")
    except BaseException:  # the parent reads why
        with suppress(BaseException):
            import traceback

            traceback.print_exc()
    finally:
        os._exit(1)
