"""Findings about the faces of a previewed game, made in a worker process.

It runs at low priority, after drawing and painting, and caches the faces that it has read.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from msgspec import Struct

from generator import pdf
from generator.basics.errors import Place, PnpError, Problem, fail
from generator.basics.workers import Limits, WorkerError, WorkerProcess, serve
from generator.checks import Reasons
from generator.model import Face, FaceKey, Game
from generator.pipeline.looking import misprints

if TYPE_CHECKING:
    from generator.layout.printers import Profile
    from generator.pipeline.looking import Known

_SECONDS = 300.0  # for a game, at low priority
_LIMITS = Limits(niceness=10)  # on a busy machine, a higher value would never get to run


class _Question(Struct, frozen=True):
    game: Game
    drawn: Mapping[FaceKey, Face]
    printer: Profile | None


class Inspector:
    """Sends questions to the worker process, which lives until `end`."""

    def __init__(self) -> None:
        # its group includes the press that it starts
        self._worker = WorkerProcess("generator.pipeline.inspecting", _LIMITS, leads_group=True)
        self._lock = threading.Lock()
        self._is_over = False

    def end(self) -> None:
        self._is_over = True
        self._worker.kill()
        with self._lock:  # after the thread that waits for an answer
            self._worker.end()

    def pause(self) -> AbstractContextManager[None]:
        """Stops the worker process within the block, so that others get the processor."""
        return self._worker.pause()

    def findings(self, game: Game, drawn: Mapping[FaceKey, Face], printer: Profile | None) -> list[Problem]:
        """The findings about the faces. Raises PnpError if one cannot be printed, or if the process does not answer."""
        question = _Question(game, drawn, printer)
        try:
            with self._lock:
                if self._is_over:
                    return []
                (answer,) = self._worker.ask(question, 1, _SECONDS)
        except WorkerError as error:
            raise fail(Place(game.name), f"the faces were not inspected: {error}") from None
        problems, is_at_fault = pickle.loads(answer)
        if is_at_fault:
            raise PnpError(problems)
        return list(problems)


class _Answers:
    """The worker process's side; caches the inspected faces of the last question."""

    def __init__(self) -> None:
        self._known: Known = {}

    def of(self, question: _Question) -> Iterator[bytes]:
        game = question.game
        try:
            with pdf.Press(is_early=False) as press:
                reasons = Reasons(game.accepts)
                how = question.printer, press, reasons, self._known
                problems = list(misprints(game, question.drawn, *how))
            yield pickle.dumps((problems, False))
        except PnpError as error:
            yield pickle.dumps((list(error.problems), True))


if __name__ == "__main__":
    serve(_Answers().of)
