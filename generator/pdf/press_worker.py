"""Take Drafts and then a Job, make the PDF: the press's worker process.

Its libraries load while the parent still reads the game.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from generator.pdf.faces import Typesetter
from generator.pdf.finish import finish
from generator.pdf.job import EarlyLayers, Job, ProofJob, Trial, layers_of
from generator.pdf.sheets import draw_sheets
from generator.pdf.steps import prove
from generator.text import FontBook
from generator.workers import serve


class _PressWorker:
    """Answers requests. All must name the same folders of fonts."""

    def __init__(self) -> None:
        self._typesetter: Typesetter | None = None

    def answer(self, request: EarlyLayers | Job | ProofJob | Trial) -> Iterator[bytes]:
        self._typesetter = self._typesetter or Typesetter(request.font_folders)
        match request:
            case EarlyLayers():
                self._typesetter.read(request.layers)
            case Trial():
                self._typesetter.typeset([request.layer])
                yield b""
            case ProofJob():
                for batch in request.batches():
                    typeset = self._typesetter.typeset(layers_of(batch))
                    pdf, pages = prove(typeset, batch)
                    yield pdf
                    yield json.dumps(pages).encode()
            case Job():
                yield print_job(request, self._typesetter)


def print_job(job: Job, typesetter: Typesetter | None = None) -> bytes:
    """Make the finished PDF in this process, without limits.

    `typesetter` may have read some of its layers. Raises typst.TypstError.
    """
    layers = job.layers()
    typesetter = typesetter or Typesetter(job.font_folders)
    with ThreadPoolExecutor(1) as beside:
        typeset = beside.submit(typesetter.typeset, layers)
        sheets = draw_sheets(job.sheets, job.faces, job.imprint, FontBook(job.font_folders))
        return finish(sheets, typeset.result(), job)


if __name__ == "__main__":
    gc.disable()  # the process is short-lived: collecting costs more than it frees
    serve(_PressWorker().answer)
