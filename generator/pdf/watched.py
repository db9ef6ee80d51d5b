"""Take a module, run it as a process that is watched: it is started, limited and ended here.

What draws a designer's art runs apart from what reads it: a drawing that hangs, crashes or eats
memory then takes nothing with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import IO

from generator.files import MEGABYTE
from generator.pdf.job import Limits

MEMORY = 4 * 1024 * MEGABYTE
SECONDS_A_FACE = 10.0
SECONDS_TO_START = 60.0  # at most, on a machine under load; no face is at fault for it
THREADS = "4"  # each thread claims room of its own, and all of it counts as the worker's memory
_SECONDS_BETWEEN_LOOKS = 0.5
# What ReportLab would take from the environment: its settings, and the date of the file.
_CONFIGURING = ("RL_", "SOURCE_DATE_EPOCH")


def start(
    module: str, stdin: int | IO[bytes], stderr: int | IO[bytes], group: int | None = None
) -> subprocess.Popen[bytes]:
    """`group` is 0 for a process group of its own."""
    # -P: a file in the working folder that is named like a module is never run
    command = [sys.executable, "-P", "-m", module, str(os.getpid())]
    threads = {"RAYON_NUM_THREADS": THREADS, "MALLOC_ARENA_MAX": THREADS}
    told = {name: v for name, v in os.environ.items() if not name.startswith(_CONFIGURING)}
    return subprocess.Popen(
        command,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env={**threads, **told},
        process_group=group,
    )


def stop(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.communicate()


def follow_parent() -> None:
    """In the worker: end with the parent, however it ends, and not before: Ctrl-C is told to both.
    Nobody else would end a face that hangs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, args=(int(sys.argv[1]),), daemon=True).start()


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def keep_to(limits: Limits) -> None:
    """In the worker: hold this process to its limits, and let it leave no core file behind."""
    if sys.platform != "win32":
        import resource

        # of data too: it may have been started by a process that is held to less
        memory = dict.fromkeys((resource.RLIMIT_AS, resource.RLIMIT_DATA), limits.memory)
        wanted = {**memory, resource.RLIMIT_CORE: 0}
        if limits.seconds is not None:
            wanted[resource.RLIMIT_CPU] = limits.seconds
        for kind, most in wanted.items():
            _, hard = resource.getrlimit(kind)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            # The hard limit stays: at that of time the system kills, and does not say for what.
            with suppress(ValueError, OSError):  # macOS knows no limit of memory
                resource.setrlimit(kind, (most, hard))
