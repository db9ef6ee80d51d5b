"""Take a request, make a view of its game after every change: read, draw, impose, check."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from pathlib import Path, PurePath

from generator import checks, faces, gamefile, preflight, preview
from generator.errors import PnpError, Problem
from generator.model import LEAFLETS, SIDES, Design, Face, FaceKey, Game, LoadedGame, Sheet, Side
from generator.pipeline.game import KINDS, bound_of, settle_faults, silent
from generator.pipeline.inspecting import Inspector
from generator.pipeline.printing import impose_kit
from generator.pipeline.request import Request
from generator.preview import Choice, DrawnFace, Show, View


def preview_session(request: Request) -> preview.PreviewSession:
    """The views of a game as its files change. Raises PnpError if there is no such game."""
    with bound_of(request.game).hold():
        folder, variant = gamefile.find(request.game)
    return preview.PreviewSession(
        _GameViewBuilder(folder, request), Choice(variant, request.language)
    )


class _GameViewBuilder:
    """Builds views; caches the drawn faces."""

    def __init__(self, folder: Path, request: Request) -> None:
        self.folder = folder
        self._request = request
        self._known: dict[tuple[Choice, str, Side], faces.Known] = {}
        self._inspector = Inspector()

    def build(
        self, choice: Choice, changed: set[str], visible: Collection[FaceKey], show: Show
    ) -> View:
        # the inspector is working on an outdated view
        with self._inspector.pause(), bound_of(self.folder.name).hold():
            return self._build(choice, changed, visible, show)

    def _build(
        self, choice: Choice, changed: set[str], visible: Collection[FaceKey], show: Show
    ) -> View:
        if not all(map(_is_table, changed)):  # any other file may affect every face
            self._known = {key: kept for key, kept in self._known.items() if key[0] != choice}
        loaded = gamefile.read(self.folder, choice.variant, KINDS, choice.language)
        game = loaded.game
        reasons = preflight.Reasons(game.accepts)
        findings = [reasons.settle(problem) for problem in checks.check(loaded)]
        drawn, problems = self._draw(loaded, choice, visible, show, reasons)
        findings += map(reasons.settle, preflight.styles_lacking(game, drawn))
        sheets: list[Sheet] = []
        if not any(problem.level == "error" for problem in problems):
            try:
                request = replace(self._request, language=choice.language)
                pages, sheets = impose_kit(game, request, drawn, silent)
                drawn |= pages
            except PnpError as error:
                problems += error.problems
        variants = tuple(gamefile.variants(self.folder))
        return View(game, drawn, sheets, (*problems, *findings), variants)

    def _draw(
        self,
        loaded: LoadedGame,
        choice: Choice,
        visible: Collection[FaceKey],
        show: Show,
        reasons: preflight.Reasons,
    ) -> tuple[dict[FaceKey, Face], list[Problem]]:
        """Every face as far as it can be drawn, the visible ones first, and the faults."""
        game = loaded.game
        folders = tuple(map(str, game.font_folders))
        drawn: dict[FaceKey, Face] = {}
        sides = list(product(loaded.designs, SIDES))
        runs = [self._run(choice, *each, visible) for each in sides]
        pieces: list[list[faces.DrawnPiece]] = [[] for _ in sides]
        first = [(at, islice(run, number)) for at, (run, number) in enumerate(runs)]
        others = [(at, run) for at, (run, _) in enumerate(runs)]
        for at, run in (*first, *others):
            design, side = sides[at]
            for one in run:
                pieces[at].append(one)
                if one.face:
                    key = design.component.id, one.piece.id, side
                    drawn[key] = one.face
                    show(DrawnFace(key, one.face, folders))
        self._forget_but(choice, {face.id for face in drawn.values()})
        drawn = {key: drawn[key] for key in _keys(game) if key in drawn}
        return drawn, [
            problem
            for (design, side), of_side in zip(sides, pieces, strict=True)
            for problem in settle_faults(game, design.component, side, of_side, reasons)
        ]

    def _run(
        self,
        choice: Choice,
        design: Design,
        side: Side,
        visible: Collection[FaceKey],
    ) -> tuple[Iterator[faces.DrawnPiece], int]:
        """The faces of a side as they are drawn, visible ones first, and the number of those."""
        component = design.component
        cache = self._known.setdefault((choice, component.id, side), {})
        is_visible = {
            piece.id: (component.id, piece.id, side) in visible for piece in component.pieces
        }
        pieces = sorted(component.pieces, key=lambda piece: not is_visible[piece.id])
        ordered = replace(design, component=replace(component, pieces=tuple(pieces)))
        run = faces.draw_each(ordered, side, cache)
        number = sum(is_visible[piece.id] for piece in pieces if piece.copies)
        return run, number

    def _forget_but(self, choice: Choice, used: Collection[str]) -> None:
        """Removes cached faces of a choice that it no longer uses."""
        for cache in [cache for key, cache in self._known.items() if key[0] == choice]:
            for cells in [cells for cells, face in cache.items() if face.id not in used]:
                del cache[cells]

    def inspect(self, view: View) -> Sequence[Problem]:
        if any(problem.level == "error" for problem in view.findings if problem.faces):
            return []
        pieces = {key: face for key, face in view.drawn.items() if key[0] not in LEAFLETS}
        return self._inspector.findings(view.game, pieces, self._request.printer)

    def end(self) -> None:
        self._inspector.end()


def _keys(game: Game) -> Iterator[FaceKey]:
    for component, side in product(game.components, SIDES):
        for piece in component.pieces:
            yield component.id, piece.id, side


def _is_table(file: str) -> bool:
    return PurePath(file).suffix.lower() in gamefile.SUFFIXES
