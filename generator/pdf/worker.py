"""Take a Job on stdin, make the PDF on stdout.

Runs as a process of its own, so that a face that hangs, crashes or eats memory takes nothing with
it, and so that its libraries load while the parent still reads the game. Asked for a Probe, it
draws each layer alone and writes its number before the attempt: the last number is the guilty one.
"""

from __future__ import annotations

import gc
import pickle
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from generator.pdf.faces import Typesetter
from generator.pdf.finish import finish
from generator.pdf.job import Job, Limits, Probe
from generator.pdf.sheets import draw_sheets
from generator.text import FontBook


def main() -> None:
    gc.disable()  # a short life: collecting costs more than it frees
    limits, request = pickle.load(sys.stdin.buffer)
    _limit(limits)
    with tempfile.TemporaryDirectory(prefix="pnp-") as root:
        typesetter = Typesetter(request.font_folders, root)
        if isinstance(request, Job):
            sys.stdout.buffer.write(_print(typesetter, request))
        else:
            _probe(typesetter, request)


def _print(typesetter: Typesetter, job: Job) -> bytes:
    layers = job.layers()
    with ThreadPoolExecutor(1) as beside:
        pages = beside.submit(typesetter.pages, layers)
        stubs = draw_sheets(job.sheets, job.faces, job.imprint, FontBook(job.font_folders))
        return finish(stubs, pages.result(), layers, job.faces)


def _probe(typesetter: Typesetter, probe: Probe) -> None:
    for index, layer in enumerate(probe.layers):
        print(index, flush=True)
        typesetter.pages([layer])
    print("done", flush=True)


def _limit(limits: Limits) -> None:
    """Hold this process to its limits, also when the parent is no longer there to watch."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
        resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds))


if __name__ == "__main__":
    main()
