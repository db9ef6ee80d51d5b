"""Answer requests in a worker process: the side of the worker."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from io import BufferedReader
from typing import Any, NoReturn, cast

from generator.basics.machine import collect_seldom
from generator.basics.workers.limits import Limits
from generator.basics.workers.messages import read_requests, write_answer

_SECONDS_BETWEEN_LOOKS = 0.5


def serve(answer: Callable[[Any], Iterable[bytes]]) -> NoReturn:
    """Answer requests until the parent closes the pipe. The first request is the Limits."""
    _follow_parent()
    collect_seldom()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keeps the output of libraries out of the answers
    requests = read_requests(cast(BufferedReader, sys.stdin.buffer))
    limits: Limits = next(requests)
    limits.impose()
    write_answer(answers, b"")
    for request in requests:
        for one in answer(request):
            write_answer(answers, one)
    os._exit(0)  # skips the slow shutdown of libraries


def _follow_parent() -> None:
    """End with the parent, however it ends, but not on Ctrl-C, which the terminal sends to both.

    Otherwise a drawing that hangs would never end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(int(sys.argv[1]),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)
