"""Take the faces of a game that is previewed, make the findings about them: a worker process.

It gives way to those that draw and paint, and remembers the faces that it looked at.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from generator import pdf, preflight
from generator.errors import PnpError, Problem, fail
from generator.model import Face, FaceKey, Game
from generator.pipeline.checking import as_printed, misprints
from generator.place import Place
from generator.printers import Profile
from generator.workers import Limits, WorkerError, WorkerProcess, serve

if TYPE_CHECKING:
    from generator.pipeline.checking import Printed

_SECONDS = 300.0  # for a game: others go before it
_LIMITS = Limits(niceness=10)  # not the most: a busy machine would never come to it


@dataclass(frozen=True, slots=True)
class _Question:
    game: Game
    drawn: Mapping[FaceKey, Face]
    printer: Profile | None


class Inspector:
    """Asks the process, which is there until `end`."""

    def __init__(self) -> None:
        # it leads the press that it begins
        self._worker = WorkerProcess("generator.pipeline.inspecting", _LIMITS, leads_group=True)
        self._lock = threading.Lock()
        self._is_over = False

    def end(self) -> None:
        self._is_over = True
        self._worker.kill()
        with self._lock:  # the thread that waits for an answer is told first
            self._worker.end()

    def pause(self) -> AbstractContextManager[None]:
        """Meanwhile it takes no processor from others."""
        return self._worker.pause()

    def findings(
        self, game: Game, drawn: Mapping[FaceKey, Face], printer: Profile | None
    ) -> list[Problem]:
        """What of the faces will not print well. Raises PnpError: one cannot be printed, or there
        is no answer."""
        question = _Question(game, drawn, printer)
        try:
            with self._lock:
                if self._is_over:
                    return []
                (answer,) = self._worker.ask(question, 1, _SECONDS)
        except WorkerError as error:
            raise fail(Place(game.name), f"the faces were not looked at: {error}") from None
        problems, is_at_fault = pickle.loads(answer)
        if is_at_fault:
            raise PnpError(problems)
        return list(problems)


class _Answers:
    """The process's side: remembers the faces of the last question."""

    def __init__(self) -> None:
        self._known: dict[str, Printed] = {}

    def of(self, question: _Question) -> Iterator[bytes]:
        game = question.game
        looked_at, reasons = partial(self._look, game), preflight.Reasons(game.accepts)
        try:
            found = misprints(game, question.drawn, question.printer, looked_at, reasons)
            yield pickle.dumps((list(found), False))
        except PnpError as error:
            yield pickle.dumps((list(error.problems), True))

    def _look(self, game: Game, wanted: Sequence[Face]) -> list[Printed]:
        """Faces as they print, each once, and only the new ones printed for it."""
        new = {face.id: face for face in wanted if face.id not in self._known}
        if new:
            with pdf.Press() as press:
                printed = as_printed(game, press, list(new.values()))
            self._known |= zip(new, printed, strict=True)
        self._known = {face.id: self._known[face.id] for face in wanted}
        return [self._known[face.id] for face in wanted]


if __name__ == "__main__":
    serve(_Answers().of)
