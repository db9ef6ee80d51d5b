"""A game, read by its name, and its drawn faces."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator import checks, faces
from generator import game as gamefile
from generator.basics.bounds import Bound, allow_pieces
from generator.basics.catalogue import Catalogue, SelfNamed
from generator.basics.errors import Place, PnpError, Problem, quote, raise_all
from generator.checks import Reasons
from generator.model import SIDES, Check, Component, Face, FaceKey, LoadedGame, Renderer, Side
from generator.pipeline.request import Request
from generator.pipeline.sheets import Progress

RENDERERS: Catalogue[type[Renderer]] = Catalogue(
    "pnp.renderers", SelfNamed("renderer", "generator.faces.{}", "generator.faces.net", "generator.games.{}.renderers")
)
CHECKS: Catalogue[type[Check]] = Catalogue(
    "pnp.checks",
    SelfNamed(
        "kind", "generator.checks.table", "generator.checks.{}", "generator.games.{}.checks", "generator.play.odds.rule"
    ),
)
TABLES: Catalogue[gamefile.RoomTable[Any]] = Catalogue(
    None,
    {
        "odds": "generator.play.odds.questions:ODDS",
        "play": "generator.play.plan:PLAY",
        "scene": "generator.export.scene:SCENE",
    },
)
KINDS = gamefile.Kinds(RENDERERS, CHECKS, faces.FromTemplate, TABLES)

OnFace = Callable[[FaceKey, Face], None]


def bound_of(name: str) -> Bound:
    """The limits for reading and drawing the game of that name."""
    return Bound(Place(quote(name)))


def read(
    name: str, language: str = "", *, is_low_ink: bool = False, reads_all: bool = False, only: Sequence[str] = ()
) -> LoadedGame:
    """The game of that name, with every column of its tables if `reads_all`. Raises PnpError with
    every problem of its files. If only tables such as [scene] have faults, the broken rules of its
    deck come first: a piece that is missing often causes both."""
    with bound_of(name).hold():
        what = *gamefile.find(name), KINDS, language
        try:
            return gamefile.read(*what, is_low_ink=is_low_ink, reads_all=reads_all, only=only)
        except gamefile.RoomTableError as error:
            broken, _ = find_problems(error.loaded)
            raise PnpError([*broken, *error.problems]) from None


def schema() -> dict[str, Any]:
    """The JSON Schema of game.toml."""
    return gamefile.schema(KINDS)


def read_requested(request: Request) -> LoadedGame:
    """The game of a request. Raises PnpError as `read` does."""
    is_low_ink, only = request.is_low_ink, request.only
    return read(request.game, request.language, is_low_ink=is_low_ink, only=only)


def read_sound_game(request: Request, progress: Progress) -> tuple[LoadedGame, list[Problem]]:
    """Reads a game, and its warnings. Raises PnpError with every broken rule that its spec does not accept."""
    loaded, errors, warnings = read_and_check(request, progress)
    raise_all(errors)
    return loaded, warnings


def read_and_check(request: Request, progress: Progress) -> tuple[LoadedGame, list[Problem], list[Problem]]:
    """Reads a game, and its errors and warnings as `find_problems` finds them."""
    progress("reading")
    loaded = read_requested(request)
    return loaded, *find_problems(loaded)


def find_problems(loaded: LoadedGame) -> tuple[list[Problem], list[Problem]]:
    """The errors and the warnings about files and decks that the spec does not accept."""
    reasons = Reasons(loaded.game.accepts)
    found = (problem for problem in checks.check(loaded) if problem.level != "note")
    settled = [reasons.settle(problem) for problem in found]
    errors = [problem for problem in settled if problem.level == "error"]
    return errors, [problem for problem in settled if problem.level == "warning"]


def find_late(loaded: LoadedGame, drawn: Mapping[FaceKey, Face], known: Collection[Problem]) -> list[Problem]:
    """The warnings, not accepted by the spec, about drawn faces and the files that were read for them."""
    reasons = Reasons(loaded.game.accepts)
    found = [problem for problem in loaded.findings if problem.level == "warning"]
    if any(placed.layer.lacking for face in drawn.values() for placed in face.layers):
        from generator.checks.preflight import styles_lacking  # it loads numpy

        found += styles_lacking(loaded.game, drawn)
    settled = map(reasons.settle, found)
    return [problem for problem in settled if problem.level == "warning" and problem not in known]


def ignore_face(_key: FaceKey, _face: Face) -> None:
    """Does nothing with a face, for callers that wait until all are drawn."""


class DrawnGame(Struct, frozen=True):
    """The faces of a game as far as they can be drawn, and their faults: notes, if accepted.

    lines: with little ink, what the colours of lines become, by component.
    """

    faces: dict[FaceKey, Face]
    problems: list[Problem]
    flaws: dict[FaceKey, str]  # the first fault of each flawed face
    lines: Mapping[str, Mapping[str, str]] = {}


def draw(
    loaded: LoadedGame, progress: Progress, components: Sequence[Component] | None = None, on_face: OnFace = ignore_face
) -> dict[FaceKey, Face]:
    """Every face of some components, or of all. Raises PnpError with each fault that is not accepted.

    `on_face` is called with each sound face as soon as it is drawn.
    """
    drawn_game = draw_all(loaded, progress, components, on_face)
    raise_all(problem for problem in drawn_game.problems if problem.level == "error")
    return drawn_game.faces


def draw_all(
    loaded: LoadedGame,
    progress: Progress,
    components: Sequence[Component] | None = None,
    on_face: OnFace = ignore_face,
    reasons: Reasons | None = None,
) -> DrawnGame:
    """Like `draw`, but returns the faults, settled by `reasons`, else by those of the game."""
    progress("drawing faces")
    reasons = reasons or Reasons(loaded.game.accepts)
    if loaded.game.low_ink:  # which areas are large depends on all faces
        from generator.art.lightening import lighten  # rarely needed

        drawn_game = _draw_each(loaded, None, ignore_face, reasons)
        lighter = lighten(drawn_game.faces, loaded.game.low_ink)
        return replace(drawn_game, faces=lighter.faces, lines=lighter.lines)
    return _draw_each(loaded, components, on_face, reasons)


def _draw_each(
    loaded: LoadedGame, components: Sequence[Component] | None, on_face: OnFace, reasons: Reasons
) -> DrawnGame:
    drawn_game = DrawnGame({}, [], {})
    every = loaded.game.components if components is None else components
    chosen = {component.id: component for component in every}
    designs = [
        replace(design, component=chosen[design.component.id])
        for design in loaded.designs
        if design.component.id in chosen
    ]
    allow_pieces(sum(len(design.component.pieces) for design in designs))
    for design, side in product(designs, SIDES):
        drawn = []
        for drawn_piece in faces.draw_each(design, side, {}):
            drawn.append(drawn_piece)
            key = design.component.id, drawn_piece.piece.id, side
            if drawn_piece.faults:
                drawn_game.flaws[key] = drawn_piece.faults[0].what
            if drawn_piece.face:
                drawn_game.faces[key] = drawn_piece.face
            if drawn_piece.face and not drawn_piece.faults:
                on_face(key, drawn_piece.face)
        whole = loaded.design(design.component.id).component
        drawn_game.problems.extend(settle_faults(whole, side, drawn, reasons))
    return drawn_game


def settle_faults(
    component: Component, side: Side, drawn: Sequence[faces.DrawnPiece], reasons: Reasons
) -> list[Problem]:
    """The faults of the faces of a side; those that the game accepts are notes."""
    if not any(drawn_piece.faults for drawn_piece in drawn):
        return []
    problems = faces.problems_of(component, side, drawn, reasons.find)
    return [reasons.settle(problem) if problem.rule else problem for problem in problems]
