"""Take a Job on stdin, make the PDF on stdout.

Runs as a process of its own, so that a face that hangs, crashes or eats memory takes nothing with
it, and so that its libraries load while the parent still reads the game. Asked for a Probe, it
draws each layer alone and announces it before the attempt: the last one announced is the guilty.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from generator.pdf.faces import Typesetter
from generator.pdf.finish import finish
from generator.pdf.job import ATTEMPT, DONE, Job, Limits, Probe
from generator.pdf.sheets import draw_sheets
from generator.text import FontBook

_SECONDS_BETWEEN_LOOKS = 0.5


def main() -> None:
    gc.disable()  # a short life: collecting costs more than it frees
    threading.Thread(target=_follow, args=(int(sys.argv[1]),), daemon=True).start()
    limits, request = pickle.load(sys.stdin.buffer)
    _limit(limits)
    if isinstance(request, Job):
        sys.stdout.buffer.write(print_job(request))
    else:
        _probe(request)
    sys.stdout.flush()
    os._exit(0)  # the parent waits for the end; taking the libraries down in order is time lost


def print_job(job: Job) -> bytes:
    """The finished PDF, made in this process without limits. Raises typst.TypstError."""
    layers = job.layers()
    with ThreadPoolExecutor(1) as beside:
        pages = beside.submit(lambda: Typesetter(job.font_folders).pages(layers))
        stubs = draw_sheets(job.sheets, job.faces, job.imprint, FontBook(job.font_folders))
        return finish(stubs, pages.result(), layers, job.faces)


def _probe(probe: Probe) -> None:
    typesetter = Typesetter(probe.font_folders)
    for index, layer in enumerate(probe.layers):
        print(f"{ATTEMPT}{index}", flush=True)
        typesetter.pages([layer])
    print(DONE, flush=True)


def _follow(parent: int) -> None:
    """End with the parent, however it ended: nobody else would end a face that hangs."""
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def _limit(limits: Limits) -> None:
    """Hold this process to its limits, and let it leave no core file behind."""
    if sys.platform != "win32":
        import resource

        wanted = {
            resource.RLIMIT_AS: limits.memory,
            resource.RLIMIT_CPU: limits.seconds,
            resource.RLIMIT_CORE: 0,
        }
        for kind, most in wanted.items():
            _, hard = resource.getrlimit(kind)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with suppress(ValueError, OSError):  # macOS knows no limit of memory
                resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main()
