"""A worker of these tests: does what it is asked by name."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

from generator.workers import serve


class Order(NamedTuple):
    """What to do, and with what."""

    what: str
    content: bytes = b""


def answer(order: Order) -> Iterator[bytes]:
    match order.what:
        case "echo":
            yield order.content
        case "twice":
            os.write(1, b"\0" * 64)  # as a library may
            yield order.content
            yield order.content
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
        case "have a child":
            child = subprocess.Popen(
                [sys.executable, "-c", "print(flush=True); import time; time.sleep(600)"],
                stdout=subprocess.PIPE,
            )
            assert child.stdout is not None
            child.stdout.readline()
            yield str(child.pid).encode()
        case "tell of itself":
            import resource

            limits = resource.getrlimit(resource.RLIMIT_AS), resource.getrlimit(resource.RLIMIT_CPU)
            environment = [name for name in os.environ if name.startswith(("RL_", "SOURCE_"))]
            yield repr((os.nice(0), limits[0][0], limits[1][0], environment)).encode()
        case _:
            return


if __name__ == "__main__":
    serve(answer)
