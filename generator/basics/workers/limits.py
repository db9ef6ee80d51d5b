"""Limit the memory and the time of a worker process."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from math import ceil

from msgspec import Struct

MEMORY = 4 * 1024 * 1024 * 1024  # bytes
SECONDS_A_FACE = 10.0
THREADS = 4  # each thread reserves memory, which counts as the worker's


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
