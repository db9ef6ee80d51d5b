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
THREADS = "4"  # each thread claims room of its own, and all of it counts as the worker's memory
_SECONDS_BETWEEN_LOOKS = 0.5


def start(
    module: str, stdin: int | IO[bytes], stderr: int | IO[bytes], group: int | None = None
) -> subprocess.Popen[bytes]:
    """`group` is 0 for a process group of its own."""
    # -P: a file in the working folder that is named like a module is never run
    command = [sys.executable, "-P", "-m", module, str(os.getpid())]
    threads = {"RAYON_NUM_THREADS": THREADS, "MALLOC_ARENA_MAX": THREADS}
    return subprocess.Popen(
        command,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env={**threads, **os.environ},
        process_group=group,
    )


def stop(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.communicate()


def ending(code: int, trouble: str) -> str:
    """How a worker ended, from its exit code and what it said before."""
    if "memory" in trouble.lower():
        return "drawing it takes too much memory"
    if code >= 0:
        last = trouble.strip().rpartition("\n")[2]
        return f"cannot be drawn: {last.rpartition('TypstError: ')[2]}"
    name = signal.Signals(-code).name
    match name:
        case "SIGKILL":  # the system's answer when memory runs out
            return "drawing it takes too much memory"
        case "SIGXCPU":
            return "drawing it takes too long"
        case _:
            return f"it crashes the drawing engine ({name}): it is nested too deeply, most likely"


def follow_parent() -> None:
    """In the worker: end with the parent, however it ends. Nobody else would end a face that
    hangs."""
    threading.Thread(target=_follow, args=(int(sys.argv[1]),), daemon=True).start()


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def keep_to(limits: Limits) -> None:
    """In the worker: hold this process to its limits, and let it leave no core file behind."""
    if sys.platform != "win32":
        import resource

        wanted = {resource.RLIMIT_AS: limits.memory, resource.RLIMIT_CORE: 0}
        if limits.seconds is not None:
            wanted[resource.RLIMIT_CPU] = limits.seconds
        for kind, most in wanted.items():
            _, hard = resource.getrlimit(kind)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with suppress(ValueError, OSError):  # macOS knows no limit of memory
                resource.setrlimit(kind, (most, most))
