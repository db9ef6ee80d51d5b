"""Take a finished PDF, make the PDF for a press, in a worker process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from generator.errors import PnpError, Problem
from generator.inks import PressColour
from generator.place import Place
from generator.workers import MEMORY, Limits, WorkerError, WorkerProcess

_SECONDS = 300.0  # of the processor: 54 photographs take 30
_WORKER = "generator.pdf.inking.inking_worker"


@dataclass(frozen=True, slots=True)
class InkJob:
    """A finished PDF, and how it is printed."""

    pdf: bytes
    colour: PressColour


def ink(pdf: bytes, colour: PressColour) -> tuple[bytes, list[str]]:
    """The PDF for a press, and notes on it. Raises PnpError if it cannot be made."""
    with WorkerProcess(_WORKER, Limits(MEMORY, round(_SECONDS))) as worker:
        try:
            said, inked = worker.ask(InkJob(pdf, colour), 2, _SECONDS)
        except WorkerError as error:
            raise PnpError([error.ending.problem]) from None
    answer: dict[str, Any] = json.loads(said)
    problems = [Problem(Place(place), what, hint) for place, what, hint in answer["problems"]]
    if problems:
        raise PnpError(problems)
    return inked, answer["notes"]
