"""Hold a worker process to the memory and the time that it may take."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass

MEMORY = 4 * 1024 * 1024 * 1024  # bytes
SECONDS_A_FACE = 10.0
THREADS = 4  # each thread claims room of its own, and all of it counts as the worker's memory


@dataclass(frozen=True, slots=True)
class Limits:
    """What a worker may take: bytes of memory, and seconds of the processor, None where the clock
    of its parent is enough. Its niceness is how far it gives way to others (0 to 19)."""

    memory: int = MEMORY
    processor_seconds: int | None = None
    niceness: int = 0

    def impose(self) -> None:
        """Hold this process to them, and let it leave no core file behind."""
        if sys.platform != "win32":
            import resource

            os.nice(self.niceness)
            # of data too: it may have been started by a process that is held to less
            memory = dict.fromkeys((resource.RLIMIT_AS, resource.RLIMIT_DATA), self.memory)
            wanted = {**memory, resource.RLIMIT_CORE: 0}
            if self.processor_seconds is not None:
                wanted[resource.RLIMIT_CPU] = self.processor_seconds
            for kind, most in wanted.items():
                _, hard = resource.getrlimit(kind)
                most = most if hard == resource.RLIM_INFINITY else min(most, hard)
                # The hard limit stays: at that of time the system kills, and does not say why.
                with suppress(ValueError, OSError):  # macOS knows no limit of memory
                    resource.setrlimit(kind, (most, hard))
