"""A worker of these tests: does what it is asked by name."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from generator.basics.workers import serve


class Order(Struct, frozen=True):
    """What to do, and with what."""

    what: str
    content: bytes = b""


def answer(order: Order) -> Iterator[bytes]:  # noqa: C901  a case for each order
    match order.what:
        case "echo":
            yield order.content
        case "twice":
            os.write(1, b"\0" * 64)  # as a library may
            yield from (order.content, order.content)
        case "hang after one":
            yield order.content
            time.sleep(600.0)
        case "work after one":
            yield order.content
            while True:
                pass
        case "wait":  # longer than the limit, as on a busy machine
            time.sleep(1.0)
            yield order.content
        case "fail":
            raise ValueError(order.content.decode())
        case "take memory":
            held = _take_memory(int(order.content))
            time.sleep(600.0)
            yield held
        case "have a child":
            child = subprocess.Popen(
                [sys.executable, "-c", "print(flush=True); import time; time.sleep(600)"], stdout=subprocess.PIPE
            )
            assert child.stdout is not None
            child.stdout.readline()
            yield str(child.pid).encode()
        case "tell of itself" | "tell of its parent" as what:
            is_of_parent = what == "tell of its parent"
            file = order.content.decode()
            yield repr(_tell_of_parent(file) if is_of_parent else _tell_of_itself()).encode()
        case _:
            return


def _take_memory(count: int) -> bytes:
    """So many bytes, as where the system has no limit of them."""
    if sys.platform != "win32":
        import resource

        for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            hard = resource.getrlimit(kind)[1]
            resource.setrlimit(kind, (hard, hard))
    return b"." * count


def _tell_of_itself() -> tuple[int, int, int]:
    """Its niceness and its limits."""
    import resource

    memory, seconds = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU))
    return os.nice(0), memory, seconds


def _tell_of_parent(file: str) -> tuple[int, list[int], bool]:
    """What it has of a parent that opened a file: how often that, its handlers, if its hook."""
    links = [link for link in Path("/proc/self/fd").iterdir() if link.exists()]
    handlers = [int(n) for n in signal.valid_signals() if callable(signal.getsignal(n))]
    has_hook = sys.unraisablehook is not sys.__unraisablehook__
    return sum(str(link.readlink()) == file for link in links), handlers, has_hook


if __name__ == "__main__":
    serve(answer)
