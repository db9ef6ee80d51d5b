"""Take Drafts and then a Job on stdin, make the PDF on stdout.

Runs as a process of its own, so that a face that hangs, crashes or eats memory takes nothing with
it, and so that its libraries load while the parent still reads the game. Asked for a Probe, it
draws each layer alone and announces it before the attempt: the last one announced is the guilty.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

from generator.pdf.faces import Typesetter
from generator.pdf.finish import finish
from generator.pdf.job import ATTEMPT, DONE, Draft, Job, Probe
from generator.pdf.sheets import draw_sheets
from generator.pdf.watched import follow_parent, keep_to
from generator.text import FontBook


def main() -> None:
    gc.disable()  # a short life: collecting costs more than it frees
    follow_parent()
    keep_to(pickle.load(sys.stdin.buffer))
    typesetter = None
    while isinstance(request := pickle.load(sys.stdin.buffer), Draft):
        typesetter = typesetter or Typesetter(request.font_folders)
        typesetter.read(request.layers)
    if isinstance(request, Job):
        sys.stdout.buffer.write(print_job(request, typesetter))
    else:
        _probe(request)
    sys.stdout.flush()
    os._exit(0)  # the parent waits for the end; taking the libraries down in order is time lost


def print_job(job: Job, typesetter: Typesetter | None = None) -> bytes:
    """The finished PDF, made in this process without limits; by a typesetter that has read of its
    layers, if any has. Raises typst.TypstError."""
    layers = job.layers()
    typesetter = typesetter or Typesetter(job.font_folders)
    with ThreadPoolExecutor(1) as beside:
        pages = beside.submit(typesetter.pages, layers)
        stubs = draw_sheets(job.sheets, job.faces, job.imprint, FontBook(job.font_folders))
        return finish(stubs, pages.result(), job)


def _probe(probe: Probe) -> None:
    typesetter = Typesetter(probe.font_folders)
    for index, layer in enumerate(probe.layers):
        print(f"{ATTEMPT}{index}", flush=True)
        typesetter.pages([layer])
    print(DONE, flush=True)


if __name__ == "__main__":
    main()
