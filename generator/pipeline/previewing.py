"""Views of a game after every change, for a request: read, draw, impose, check."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice, product
from pathlib import Path, PurePath
from typing import Any

from msgspec.structs import replace

from generator import checks, faces, studio
from generator import game as gamefile
from generator.basics import papers
from generator.basics.errors import Place, Problem, collecting, fail
from generator.basics.keys import KeyPath, Keys
from generator.checks import Reasons, preflight
from generator.faces.parts import find_parts
from generator.game.json_schema import schema_of
from generator.layout.printers import Store
from generator.model import LEAFLETS, SIDES, Design, Face, FaceKey, Game, LoadedGame, Sheet, Side
from generator.pipeline.drafting import draft_of
from generator.pipeline.fitting import copy_drawings
from generator.pipeline.game import KINDS, DrawnGame, bound_of, schema, settle_faults
from generator.pipeline.imposing import ImposedKit, impose_kit
from generator.pipeline.inspecting import Inspector
from generator.pipeline.request import PrintOptions, Request, parse_request
from generator.pipeline.sheets import silent
from generator.pipeline.tabling import TableHost
from generator.studio import Choice, DrawnFace, Offers, Show, View
from generator.studio.view import JsonObject, describe_parts
from generator.tables.table import SUFFIXES
from generator.text import FontBook


def preview_session(
    game: str, options: PrintOptions, store: Store, journals: Path | None = None
) -> studio.PreviewSession:
    """The views of a game as its files change. The options are what is chosen at first. With a
    folder of journals, pages may edit a game of the user's own.

    Raises PnpError if there is no such game, for a fault of the options, and if the printers of the
    store or the journals cannot be read.
    """
    parse_request(game, options)
    with bound_of(game).hold():
        folder, variant = gamefile.find(game)
    printer = options.get("printer")
    first = Choice(
        variant,
        options.get("language", ""),
        options.get("paper", "letter").lower(),
        printer.name if printer else "",
        "on" if options.get("draft") else "off",
    )
    journal = studio.open_journal(journals, folder) if journals else None
    return studio.PreviewSession(_GameViewBuilder(folder, options, first, store), first, journal)


_FaceChoice = tuple[str, str, str]  # what faces depend on: the variant, the language, the draft


class _GameViewBuilder:
    def __init__(self, folder: Path, options: PrintOptions, first: Choice, store: Store) -> None:
        self.folder = folder
        self._options = options
        self._first = first
        self._store = store
        self._variants: Sequence[str] = ()
        self._languages: Sequence[str] = ()
        self._known: dict[tuple[_FaceChoice, str, Side], faces.Known] = {}
        self._inspector = Inspector()
        self._table = TableHost()
        self._loaded: LoadedGame | None = None

    def offers(self) -> Offers:
        return {
            "paper": list(dict.fromkeys([*papers.paper_names(), self._first.paper])),
            "language": ["", *self._languages],
            "variant": ["", *self._variants],
            "printer": ["", *self._store.names()],
            "draft": ["off", "on"],
        }

    def build(self, choice: Choice, changed: set[str], visible: Collection[FaceKey], show: Show) -> View:
        # the inspector is working on an outdated view
        with self._inspector.pause(), bound_of(self.folder.name).hold():
            return self._build(choice, changed, visible, show)

    def _build(self, choice: Choice, changed: set[str], visible: Collection[FaceKey], show: Show) -> View:
        # a file that is no table may affect every face
        if not all(PurePath(file).suffix.lower() in SUFFIXES for file in changed):
            self._known.clear()
        self._loaded = None
        self._variants = gamefile.variants(self.folder)
        request = self._request(choice)
        what = self.folder, choice.variant, KINDS, choice.language
        loaded = gamefile.read(*what, is_draft=request.draft, only=request.only)
        self._loaded, game = loaded, loaded.game
        self._languages = game.languages
        reasons = Reasons(game.accepts)
        # faces of a draft are shown at the end, once they are marked
        shown: Show = (lambda _: None) if request.draft else show
        drawn_game = self._draw(loaded, (choice.variant, choice.language, choice.draft), visible, shown, reasons)
        findings = [reasons.settle(problem) for problem in checks.check(loaded)]
        findings += map(reasons.settle, preflight.styles_lacking(game, drawn_game.faces))
        view = (_draft if request.draft else _whole)(request, loaded, drawn_game)
        more = (problem for problem in findings if problem not in view.findings)
        return replace(view, findings=(*view.findings, *more))

    def _request(self, choice: Choice) -> Request:
        options: PrintOptions = {
            **self._options,
            "paper": choice.paper,
            "language": choice.language,
            "printer": self._store.load(choice.printer) if choice.printer else None,
            "draft": choice.draft == "on",
        }
        return parse_request(self.folder.name, options)

    def _draw(
        self, loaded: LoadedGame, content: _FaceChoice, visible: Collection[FaceKey], show: Show, reasons: Reasons
    ) -> DrawnGame:
        """Every face as far as it can be drawn, the visible ones first, and the faults."""
        game = loaded.game
        folders = tuple(map(str, game.font_folders))
        drawn: dict[FaceKey, Face] = {}
        flaws: dict[FaceKey, str] = {}
        sides = list(product(loaded.designs, SIDES))
        runs = [self._run(content, design, side, visible) for design, side in sides]
        pieces: list[list[faces.DrawnPiece]] = [[] for _ in sides]
        first = [(at, islice(run, number)) for at, (run, number) in enumerate(runs)]
        others = [(at, run) for at, (run, _) in enumerate(runs)]
        for at, run in (*first, *others):
            design, side = sides[at]
            for drawn_piece in run:
                pieces[at].append(drawn_piece)
                key = design.component.id, drawn_piece.piece.id, side
                if drawn_piece.faults:
                    flaws[key] = drawn_piece.faults[0].what
                if drawn_piece.face:
                    drawn[key] = drawn_piece.face
                    show(DrawnFace(key, drawn_piece.face.upright, folders))
        self._forget_but(content, {face.id for face in drawn.values()})
        drawn = {key: drawn[key] for key in _keys(game) if key in drawn}
        problems = [
            problem
            for (design, side), of_side in zip(sides, pieces, strict=True)
            for problem in settle_faults(design.component, side, of_side, reasons)
        ]
        return DrawnGame(drawn, problems, flaws)

    def _run(
        self, content: _FaceChoice, design: Design, side: Side, visible: Collection[FaceKey]
    ) -> tuple[Iterator[faces.DrawnPiece], int]:
        """The faces of a side as they are drawn, visible ones first, and the number of those."""
        component = design.component
        cache = self._known.setdefault((content, component.id, side), {})
        is_visible = {piece.id: (component.id, piece.id, side) in visible for piece in component.pieces}
        pieces = sorted(component.pieces, key=lambda piece: not is_visible[piece.id])
        ordered = replace(design, component=replace(component, pieces=tuple(pieces)))
        run = faces.draw_each(ordered, side, cache)
        return run, sum(is_visible[piece.id] for piece in pieces if piece.is_drawn)

    def _forget_but(self, content: _FaceChoice, used: Collection[str]) -> None:
        """Removes cached faces of a content that it no longer uses."""
        for cache in [cache for key, cache in self._known.items() if key[0] == content]:
            for cells in [cells for cells, face in cache.items() if face.id not in used]:
                del cache[cells]

    def inspect(self, view: View) -> Sequence[Problem]:
        if not view.is_sound:
            return []
        pieces = {key: face for key, face in view.drawn.items() if key[0] not in LEAFLETS}
        return self._inspector.findings(view.game, pieces, view.printer)

    def describe_face(self, key: FaceKey) -> JsonObject:
        component, piece, side = key
        if self._loaded is None:
            raise fail(Place(self.folder.name), "the game cannot be read", "mend it first")
        found = [design for design in self._loaded.designs if design.component.id == component]
        renderer = found[0].renderer(side) if found else None
        if renderer is None:
            return {}
        parts = find_parts(found[0], side, piece)
        if parts:
            return describe_parts(parts)
        if not isinstance(renderer, Keys):
            return {}
        return {"schema": schema_of(type(renderer)), "families": FontBook(self._loaded.game.font_folders).families()}

    def copy_layouts(self) -> Sequence[tuple[KeyPath, object]]:
        return copy_drawings(str(self.folder)).values

    def schema(self) -> dict[str, Any]:
        return schema()

    def open_table(self, choice: Choice) -> str:
        variant = f"-{choice.variant}" if choice.variant else ""
        return self._table.open(f"{self.folder}{variant}", choice.language)

    def end(self) -> None:
        self._inspector.end()
        self._table.close()


def _whole(request: Request, loaded: LoadedGame, drawn_game: DrawnGame) -> View:
    """The view of a game with its sheets, if every face can be drawn."""
    drawn, problems = drawn_game.faces, list(drawn_game.problems)
    sheets: list[Sheet] = []
    if not any(problem.level == "error" for problem in problems):
        with collecting(problems):
            pages, sheets = impose_kit(loaded.game, request, drawn, silent)
            drawn |= pages
    is_sound = not any(problem.level == "error" and problem.faces for problem in problems)
    return View(loaded.game, drawn, sheets, tuple(problems), request.printer, is_sound)


def _draft(request: Request, loaded: LoadedGame, drawn_game: DrawnGame) -> View:

    def impose(game: Game, drawn: dict[FaceKey, Face]) -> ImposedKit:
        return impose_kit(game, request, drawn, silent)

    draft = draft_of(loaded, drawn_game, request, impose)
    faults = tuple(draft.faults)
    return View(draft.game, draft.drawn, draft.sheets, faults, request.printer, not faults)


def _keys(game: Game) -> Iterator[FaceKey]:
    for component, side in product(game.components, SIDES):
        for piece in component.pieces:
            yield component.id, piece.id, side
