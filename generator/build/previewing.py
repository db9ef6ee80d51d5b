"""Take a request, make views of its game again and again: read, draw, impose, check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from generator import faces, pdf, preflight, preview, rules, spec
from generator.build.checking import as_printed, misprints
from generator.build.game import KINDS, SIDES, FaceKey, silent
from generator.build.printing import Request, laid_out
from generator.errors import PnpError, Problem
from generator.model import LEAFLETS, Face, Game, Sheet, Side
from generator.preview import Choice, Show, View

if TYPE_CHECKING:
    from generator.build.checking import Printed


def studio(request: Request) -> preview.Studio:
    """The views of a game as its files change. Raises PnpError: there is no such game."""
    folder, variant = spec.find(request.game)
    return preview.Studio(_Maker(folder, request), Choice(variant, request.language))


class _Maker:
    """Makes views; remembers the faces that it drew and those that were looked at."""

    def __init__(self, folder: Path, request: Request) -> None:
        self.folder = folder
        self._request = request
        self._known: dict[tuple[Choice, str, Side], faces.Known] = {}
        self._looked_at: dict[str, Printed] = {}

    def make(self, choice: Choice, changed: set[str], show: Show) -> View:
        if not all(map(_is_table, changed)):  # what is not in a table may be in every face
            self._known = {key: kept for key, kept in self._known.items() if key[0] != choice}
        game = spec.read(self.folder, choice.variant, KINDS, choice.language)
        reasons = preflight.Reasons(game.accepts)
        findings = [reasons.settle(problem) for problem in rules.check(game)]
        drawn, problems = self._draw(game, choice, show)
        sheets: list[Sheet] = []
        if not problems:
            try:
                request = replace(self._request, language=choice.language)
                pages, sheets = laid_out(game, request, drawn, silent)
                drawn |= pages
            except PnpError as error:
                problems += error.problems
        variants = tuple(spec.variants(self.folder))
        return View(game, drawn, sheets, (*problems, *findings), variants)

    def _draw(
        self, game: Game, choice: Choice, show: Show
    ) -> tuple[dict[FaceKey, Face], list[Problem]]:
        """Every face that can be drawn, and why the others cannot."""
        folders = tuple(map(str, game.font_folders))
        drawn: dict[FaceKey, Face] = {}
        problems: list[Problem] = []
        for component, side in product(game.components, SIDES):
            known = self._known.setdefault((choice, component.id, side), {})
            try:
                for piece, face in faces.drawn(component, side, known):
                    drawn[component.id, piece.id, side] = face
                    show((component.id, piece.id, side), face, folders)
            except PnpError as error:
                problems += error.problems
            used = {face.id for face in drawn.values()}
            for read in [read for read, face in known.items() if face.id not in used]:
                del known[read]
        return drawn, problems

    def inspect(self, view: View) -> Iterator[Problem]:
        if not any(problem.level == "error" for problem in view.findings if problem.faces):
            looked_at = partial(self._look, view.game)
            pieces = {key: face for key, face in view.drawn.items() if key[0] not in LEAFLETS}
            reasons = preflight.Reasons(view.game.accepts)
            yield from misprints(view.game, pieces, self._request.printer, looked_at, reasons)

    def _look(self, game: Game, wanted: Sequence[Face]) -> list[Printed]:
        """Faces as they print, only the new ones printed for it."""
        known = self._looked_at
        new = [face for face in wanted if face.id not in known]
        if new:
            with pdf.Press() as press:
                printed = as_printed(game, press, new)
            known = known | {face.id: one for face, one in zip(new, printed, strict=True)}
        self._looked_at = {face.id: known[face.id] for face in wanted}
        return [known[face.id] for face in wanted]


def _is_table(file: str) -> bool:
    return PurePath(file).suffix.lower() in spec.SUFFIXES
