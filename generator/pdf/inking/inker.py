"""The caller's side of the worker that makes PDFs for a press."""

from __future__ import annotations

import json
from typing import Any

from generator.basics.errors import Place, PnpError, Problem
from generator.basics.workers import MEMORY, Limits, WorkerError, WorkerProcess
from generator.pdf.inks import PressColour

_SECONDS = 300.0  # of the processor: 54 photographs take 30
_WORKER = "generator.pdf.inking.inking_worker"


class Inker:
    """A worker process that makes files for a press; without a colour, it changes nothing.

    Use as a context: the worker starts at once, so that it is ready before the file is, and ends
    with it.
    """

    def __init__(self, colour: PressColour | None) -> None:
        self._colour = colour
        self._worker = WorkerProcess(_WORKER, Limits(MEMORY, round(_SECONDS)))

    def __enter__(self) -> Inker:
        if self._colour:
            self._worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.end()

    def ink(self, pdf: bytes) -> tuple[bytes, list[str]]:
        """The PDF for the press, and notes on it. Raises PnpError if it cannot be made."""
        if self._colour is None:
            return pdf, []
        try:
            said, inked = self._worker.ask((pdf, self._colour), 2, _SECONDS)
        except WorkerError as error:
            raise PnpError([error.ending.problem]) from None
        answer: dict[str, Any] = json.loads(said)
        problems = [Problem(Place(place), what, hint) for place, what, hint in answer["problems"]]
        if problems:
            raise PnpError(problems)
        return inked, answer["notes"]
