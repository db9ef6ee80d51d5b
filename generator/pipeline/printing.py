"""Take a request, make the PDF of a game, or the plan of its sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from generator import layout, pdf, printers
from generator.files import check_output, resolve_output, write_whole
from generator.geometry import Size
from generator.model import (
    COVER,
    LEAFLETS,
    RULEBOOK,
    SIDES,
    Component,
    Cut,
    Face,
    FaceKey,
    Game,
    Sheet,
    Side,
)
from generator.pipeline import leaflets
from generator.pipeline.game import (
    Progress,
    Seen,
    bound_of,
    draw,
    ignore_face,
    print_sheets,
    read_sound_game,
)
from generator.pipeline.kit import check_only, choose_components, is_asked
from generator.pipeline.leaflets import NO_LEAFLET
from generator.pipeline.request import Request
from generator.text import FontBook

OUTPUT = Path("output")

_CUTS: dict[Cut, str] = {
    "shared": "neighbours touch and share their cuts; gutters would cost a sheet or gain nothing",
    "double": "each piece has all of its bleed, in gutters that cost no sheet",
    "straight": "each piece has all of its bleed, and every cut runs straight through",
}


class PrintedGame(NamedTuple):
    """The files that were written, none when nothing has changed, and notes: what was chosen where
    the spec leaves it open, what has changed."""

    paths: list[Path]
    notes: list[str]


def print_game(
    request: Request, output: Path | None, press: pdf.Press, progress: Progress
) -> PrintedGame:
    """Write the game's PDF to `output`, output/GAME.pdf when that is None, output/GAME-changed.pdf
    when it holds only what has changed; under that name into `output` when that is a folder; the
    backs to a file beside it when they are to be separate.

    Raises PnpError and leaves what was at `output` as it was: faults of the game's files, rules
    broken, a piece larger than the paper, a face that cannot be drawn.
    """
    with bound_of(request.game).hold():
        game, drawn, notes = _resolve(request, progress, press)
        pages, sheets = impose_kit(game, request, drawn, progress)
    if not sheets:
        return PrintedGame([], notes)
    drawn |= pages
    part = "-changed" if request.changed_since else ""
    output = resolve_output(output, OUTPUT / f"{game.name}{part}.pdf")
    behind = output.with_stem(f"{output.stem}-backs")
    fronts, backs = _divide_sides(sheets) if request.way == "separate" else (sheets, [])
    if backs:
        check_output(behind)
    files = {output: print_sheets(game, fronts, drawn, press, progress)}
    if backs:
        files[behind] = print_sheets(game, backs, drawn, press, progress)
    for path, content in files.items():
        write_whole(path, content)
    return PrintedGame(list(files), [*notes, *_choices(game, sheets)])


def _resolve(
    request: Request, progress: Progress, press: pdf.Press | None = None
) -> tuple[Game, dict[FaceKey, Face], list[str]]:
    """The game, its faces, and in words what of it is printed where that is not all."""
    loaded = read_sound_game(request.game, progress, request.language)
    game = loaded.game
    if not request.changed_since:
        seen = _beginning(press, game, request) if press else ignore_face
        return game, draw(loaded, progress, _choose_components(game, request), seen), []
    drawn = draw(loaded, progress)
    from generator.pipeline.comparing import only_changed  # few ask for it

    progress("comparing")
    return only_changed(game, drawn, request)


def _choose_components(game: Game, request: Request) -> Sequence[Component]:
    """The components that are printed; all where there are pages to read, which may show any."""
    is_read = game.booklet and any(is_asked(part, request.only) for part in (RULEBOOK, COVER))
    return game.components if is_read else choose_components(game, request.only)


def _beginning(press: pdf.Press, game: Game, request: Request) -> Seen:
    """Has the press begin with each face that is sure to be on its sheets."""
    chosen = choose_components(game, request.only)
    printed = {(one.id, piece.id) for one in chosen for piece in one.pieces if piece.copies}
    sides = ("front",) if request.way in ("single", "separate") else SIDES
    folders = [str(folder) for folder in game.font_folders]

    def seen(key: FaceKey, face: Face) -> None:
        if key[:2] in printed and key[2] in sides:
            press.begin(face, folders)

    return seen


def _divide_sides(sheets: Sequence[Sheet]) -> tuple[list[Sheet], list[Sheet]]:
    """Fronts, and backs, on sheets of their own."""

    def only(side: Side) -> list[Sheet]:
        pages = ((sheet, tuple(p for p in sheet.pages if p.side == side)) for sheet in sheets)
        return [replace(sheet, pages=kept) for sheet, kept in pages if kept]

    return only("front"), only("back")


def _choices(game: Game, sheets: Sequence[Sheet]) -> list[str]:
    """What an expansion made of the game, and what was chosen where the spec leaves it open."""
    merged = [f"{part.id}: {part.merged}" for part in game.components if part.merged]
    return merged + [
        f"{component.id}: {_CUTS[sheet.cuts]}"
        for component in game.components
        for sheet in sheets
        if component.cuts == "auto" and sheet.component == component.id and sheet.number == 1
    ]


@dataclass(frozen=True, slots=True)
class PlanRow:
    """How one component fills its paper. Shares are of the paper's area, bleeds not counted.

    `bound` is what no layout can beat: the pieces whose area the printable area holds.
    """

    component: str
    pieces: int
    sheets: int
    per_sheet: int
    bound: int
    used: float
    paper: Size
    cuts: Cut


class Plan(NamedTuple):
    """How the paper is filled.

    leaflets: the sheets of the cover and of the rules.
    rows: how each component fills sheets of its own.
    mixed: the sheets that several components share.
    sheets: all of them.
    notes: what is printed where that is not all.
    """

    leaflets: dict[str, int]
    rows: list[PlanRow]
    mixed: int
    sheets: int
    notes: list[str]


def plan(request: Request, progress: Progress) -> Plan:
    """What `print_game` would print, without printing it. Raises PnpError as it does."""
    with bound_of(request.game).hold():
        game, drawn, notes = _resolve(request, progress)
        sheets = impose_kit(game, request, drawn, progress).sheets
    rows = [_plan_row(component, sheets, request) for component in game.components]
    shared = [sheet for sheet in sheets if sheet.component == "mixed"]
    read = {sheet.component: sheet.total for sheet in sheets if sheet.component in LEAFLETS}
    return Plan(read, [row for row in rows if row], len(shared), len(sheets), notes)


def _plan_row(component: Component, sheets: Sequence[Sheet], request: Request) -> PlanRow | None:
    own = [sheet for sheet in sheets if sheet.component == component.id]
    if not own:
        return None
    faces_a_piece = 2 if request.way == "fold" and component.has_back else 1
    first = own[0]
    area = component.shape.area * faces_a_piece
    width, height = (side - 2 * request.printing.margin for side in first.paper)
    return PlanRow(
        component=component.id,
        pieces=sum(len(sheet.pages[0].placements) for sheet in own) // faces_a_piece,
        sheets=len(own),
        per_sheet=first.seats,
        bound=int(width * height / area),
        used=first.seats * area / (first.paper.width * first.paper.height),
        paper=first.paper,
        cuts=first.cuts,
    )


class ImposedKit(NamedTuple):
    """What is printed of a game: the pages that are read, and all sheets in the order in which
    one cuts them."""

    pages: dict[FaceKey, Face]
    sheets: list[Sheet]


def impose_kit(
    game: Game, request: Request, drawn: dict[FaceKey, Face], progress: Progress
) -> ImposedKit:
    """The cover, the rules and every piece that is asked for. Raises PnpError."""
    check_only(game, request.only)
    printing = request.printing
    rules = cover = NO_LEAFLET
    whole = replace(request, only=())
    is_all = not request.changed_since  # else only pieces are printed anew
    if game.booklet and is_all and is_asked(RULEBOOK, request.only):
        progress("setting the rules")
        rules = leaflets.rules(game, drawn, printing, request.booklet)
    progress("imposing")
    made = choose_components(game, request.only, request.copies)
    runs = [_run(component, drawn) for component in made]
    has_backs = any(sheet.flip for sheet in rules.sheets)
    fonts = FontBook(game.font_folders)
    pieces = layout.impose(game.title, runs, printing, fonts, is_duplex=has_backs)
    sheets = [*rules.sheets, *pieces]
    if is_all and is_asked(COVER, request.only):
        # alone it tells of the whole kit
        is_alone = bool(request.only) and not sheets
        told = (
            impose_kit(game, whole, drawn, progress)
            if is_alone
            else ImposedKit(rules.faces, sheets)
        )
        made = choose_components(game, (), request.copies) if is_alone else made
        known = drawn | told.pages
        cover = leaflets.cover(game, known, printing, request.booklet, made, told.sheets)
    sheets = [*cover.sheets, *sheets]
    if request.printer:
        sheets = [printers.correct_sheet(sheet, request.printer) for sheet in sheets]
    return ImposedKit(cover.faces | rules.faces, sheets)


def _run(component: Component, drawn: dict[FaceKey, Face]) -> layout.PrintRun:
    def item(piece: str) -> layout.Item:
        back = drawn.get((component.id, piece, "back"))
        front = drawn[component.id, piece, "front"]
        return layout.Item(piece, front.id, back.id if back else None)

    return layout.PrintRun(
        component=component.id,
        title=component.title,
        blank=layout.Blank(component.shape, component.bleed, component.back_bleed),
        cuts=component.cuts,
        is_merging=component.is_plain_edged,
        items=tuple(item(piece.id) for piece in component.copies()),
        place=component.place,
    )
