"""Take layers ahead and then a job part by part, make the PDF: the press's worker process.

Its libraries load while the parent still reads the game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from generator.basics.workers import allow_seconds, serve
from generator.pdf.faces import Typesetter
from generator.pdf.finish import SheetFile
from generator.pdf.job import (
    EarlyLayers,
    Job,
    JobEnd,
    JobFaces,
    JobHead,
    JobPart,
    JobSheets,
    ProofJob,
    Trial,
    layers_of,
)

_SECONDS_A_LAYER = 0.02  # further, of the processor; one with a paragraph takes 0.002


class _PressWorker:
    """Answers requests. All must name the same folders of fonts."""

    def __init__(self) -> None:
        self._typesetter: Typesetter | None = None
        self._file: SheetFile | None = None

    def answer(self, request: EarlyLayers | JobPart | ProofJob | Trial) -> Iterator[bytes]:
        match request:
            case EarlyLayers():
                allow_seconds(len(request.layers) * _SECONDS_A_LAYER)
                self._find_typesetter(request).read(request.layers)
            case Trial():
                typeset = self._find_typesetter(request).typeset([request.layer])
                typeset.draw(0, typeset.pages)
                yield b""
            case ProofJob():
                from generator.pdf.steps import prove  # a build needs none

                typesetter = self._find_typesetter(request)
                for batch in request.batches():
                    pdf, pages = prove(typesetter.typeset(layers_of(batch)), batch)
                    yield pdf
                    yield json.dumps(pages).encode()
            case _:
                yield self._print(request)

    def _find_typesetter(self, request: EarlyLayers | JobHead | ProofJob | Trial) -> Typesetter:
        self._typesetter = self._typesetter or Typesetter(request.font_folders)
        return self._typesetter

    def _print(self, request: JobPart) -> bytes:
        """The file, if it ends with this part of a job."""
        if isinstance(request, JobHead):
            self._file = SheetFile(request, self._find_typesetter(request))
        assert self._file, "a job begins with its head"
        match request:
            case JobFaces():
                allow_seconds(len(request.faces) * _SECONDS_A_LAYER)
                self._file.add_faces(request.faces)
            case JobSheets():
                self._file.add_sheets(request.sheets, request.names)
            case JobEnd():
                file, self._file = self._file, None
                return file.close()
        return b""


def print_job(job: Job) -> bytes:
    """Make the finished PDF in this process, without limits. Raises typst.TypstError."""
    worker = _PressWorker()
    return b"".join(content for part in job.parts() for content in worker.answer(part))


if __name__ == "__main__":
    serve(_PressWorker().answer)
