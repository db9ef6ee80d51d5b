"""The only wiring: read, check, render, impose, write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from generator import faces, layout, pdf, printers, rules, spec
from generator.errors import PnpError, Problem
from generator.files import write_whole
from generator.geometry import Size
from generator.model import Component, Cut, Face, Flip, Game, Imprint, Sheet, Side, Way
from generator.printers import Profile
from generator.text import HOUSE_FONTS, FontBook

KINDS = spec.Kinds(faces.RENDERERS, rules.RULES)
SIDES: tuple[Side, Side] = ("front", "back")
OUTPUT = Path("output")

_CUTS: dict[Cut, str] = {
    "shared": "neighbours touch and share their cuts; gutters would cost a sheet or gain nothing",
    "double": "each piece has all of its bleed, in gutters that cost no sheet",
    "straight": "each piece has all of its bleed, and every cut runs straight through",
}

Progress = Callable[[str], None]  # called with the name of each step as it begins
FaceKey = tuple[str, str, Side]  # component, piece, side

names = spec.names


@dataclass(frozen=True, slots=True)
class Request:
    """What to print, on what paper, which way; `margin` by name or length, as `paper` is.

    `printer` corrects the backs. `marks` names kinds of marks, and "backs" to have them there too.
    """

    game: str
    paper: str
    way: Way
    printer: Profile | None = None
    margin: str = "usual"
    marks: str = layout.USUAL_MARKS
    is_mixed: bool = False


def read(name: str) -> Game:
    """The game of that name. Raises PnpError with every problem of its files."""
    folder, variant = spec.find(name)
    return spec.read(folder, variant, KINDS)


def check(name: str) -> list[Problem]:
    """All findings about a game: of its files, of its faces, of its rules."""
    try:
        game = read(name)
        findings = rules.check(game)
    except PnpError as error:
        return list(error.problems)
    return [*_undrawable(game), *findings]


def _undrawable(game: Game) -> list[Problem]:
    problems: list[Problem] = []
    for component in game.components:
        for side in SIDES:
            try:
                faces.draw(component, side)
            except PnpError as error:
                problems += error.problems
    return problems


def schema() -> dict[str, Any]:
    """The JSON Schema of game.toml."""
    return spec.schema(KINDS)


class Built(NamedTuple):
    """The files that were written, and what was chosen on the way."""

    paths: list[Path]
    choices: list[str]


def build(request: Request, output: Path | None, press: pdf.Press, progress: Progress) -> Built:
    """Write the game's PDF to `output`, output/GAME.pdf when that is None; the backs to a file
    beside it when they are to be separate.

    Raises PnpError and leaves what was at `output` as it was: faults of the game's files, rules
    broken, a piece larger than the paper, a face that cannot be drawn.
    """
    game = _sound_game(request, progress)
    drawn = _draw(game, progress)
    sheets = _impose(game, request, drawn, progress)
    output = output or OUTPUT / f"{game.name}.pdf"
    fronts, backs = _parted(sheets) if request.way == "separate" else (sheets, [])
    files = {output: _write(game, fronts, drawn, press, progress)}
    if backs:
        with pdf.Press() as another:
            behind = output.with_stem(f"{output.stem}-backs")
            files[behind] = _write(game, backs, drawn, another, progress)
    for path, content in files.items():
        write_whole(path, content)
    return Built(list(files), _choices(game, sheets))


def _parted(sheets: Sequence[Sheet]) -> tuple[list[Sheet], list[Sheet]]:
    """Fronts, and backs, on sheets of their own."""

    def only(side: Side) -> list[Sheet]:
        pages = ((sheet, tuple(p for p in sheet.pages if p.side == side)) for sheet in sheets)
        return [replace(sheet, pages=kept) for sheet, kept in pages if kept]

    return only("front"), only("back")


def _choices(game: Game, sheets: Sequence[Sheet]) -> list[str]:
    """What was chosen where the spec leaves it open."""
    return [
        f"{component.id}: {_CUTS[sheet.cuts]}"
        for component in game.components
        for sheet in sheets
        if component.cuts == "auto" and sheet.component == component.id and sheet.number == 1
    ]


def calibration_sheet(paper: str, flip: Flip, output: Path, press: pdf.Press) -> None:
    """Write the two-sided sheet that a printer's misprint is read from. Raises PnpError."""
    fonts = FontBook([HOUSE_FONTS])
    sheet = printers.calibration_sheet(layout.paper_size(paper), flip, fonts, paper)
    _write_sheet(sheet, output, press)


def measured(name: str, flip: Flip, paper: str, readings: Sequence[str], *, pins: bool) -> Profile:
    """The profile of the printer that the readings tell of. Raises PnpError."""
    read_off = printers.parse_readings(readings, pins=pins)
    return printers.solve(name, flip, read_off, layout.paper_size(paper))


def proof_sheet(paper: str, printer: Profile, output: Path, press: pdf.Press) -> None:
    """Write the sheet that shows whether a profile holds. Raises PnpError."""
    sheet = printers.proof_sheet(layout.paper_size(paper), printer, FontBook([HOUSE_FONTS]))
    _write_sheet(sheet, output, press)


def _write_sheet(sheet: Sheet, output: Path, press: pdf.Press) -> None:
    imprint = Imprint(sheet.title, "pnp", sheet.title)
    write_whole(output, press.print(pdf.Job([sheet], [], imprint, [str(HOUSE_FONTS)])))


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
    """How components fill sheets of their own, the sheets that several share, and all sheets."""

    rows: list[PlanRow]
    mixed: int
    sheets: int


def plan(request: Request, progress: Progress) -> Plan:
    """What `build` would print, without printing it. Raises PnpError as it does."""
    game = _sound_game(request, progress)
    sheets = _impose(game, request, _draw(game, progress), progress)
    rows = [_plan_row(component, sheets, request) for component in game.components]
    shared = [sheet for sheet in sheets if sheet.component == "mixed"]
    return Plan([row for row in rows if row], len(shared), len(sheets))


def _plan_row(component: Component, sheets: Sequence[Sheet], request: Request) -> PlanRow | None:
    own = [sheet for sheet in sheets if sheet.component == component.id]
    if not own:
        return None
    faces_a_piece = 2 if request.way == "fold" and component.back else 1
    first = own[0]
    area = component.shape.area * faces_a_piece
    width, height = (side - 2 * layout.margin_width(request.margin) for side in first.paper)
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


def export_png(request: Request, folder: Path | None, dpi: int, progress: Progress) -> Path:
    """Write pictures of the game: overview.png, each face, each page.

    They go to `folder`, output/GAME when that is None; returns it. Raises PnpError.
    """
    from generator import export

    game = _sound_game(request, progress)
    folder = folder or OUTPUT / game.name
    drawn = _draw(game, progress)
    sheets = _impose(game, request, drawn, progress)
    with pdf.Press() as press:
        printed = _write(game, sheets, drawn, press, progress)
    pages = [(sheet, page) for sheet in sheets for page in sheet.pages]
    for (sheet, page), image in zip(pages, export.rasterise(printed, dpi), strict=True):
        if not page.placements:
            continue
        name = f"{sheet.component}-{sheet.number}-{page.side}.png"
        write_whole(folder / "sheets" / name, export.encode(image, dpi))
    with pdf.Press() as press:
        cut_out = _write(game, export.face_sheets(list(drawn.values())), drawn, press, progress)
    pictures = {
        key: export.rounded(image, face.corner_radius, dpi)
        for (key, face), image in zip(drawn.items(), export.rasterise(cut_out, dpi), strict=True)
    }
    for key, image in pictures.items():
        component, piece, side = key
        name = f"{piece}-{side}.png"
        write_whole(folder / "faces" / component / name, export.encode(image, dpi))
    groups: dict[tuple[str, Side], list[Any]] = {}
    for (component, _, side), image in pictures.items():
        groups.setdefault((component, side), []).append(image)
    write_whole(folder / "overview.png", export.encode(export.overview(groups.values(), dpi), dpi))
    return folder


def _sound_game(request: Request, progress: Progress) -> Game:
    """The game, no rule of which is broken."""
    progress("reading")
    game = read(request.game)
    errors = [problem for problem in rules.check(game) if problem.level == "error"]
    if errors:
        raise PnpError(errors)
    return game


def _draw(game: Game, progress: Progress) -> dict[FaceKey, Face]:
    progress("drawing faces")
    return {
        (component.id, piece.id, side): face
        for component in game.components
        for side in SIDES
        for piece, face in faces.draw(component, side)
    }


def _impose(
    game: Game, request: Request, drawn: dict[FaceKey, Face], progress: Progress
) -> list[Sheet]:
    progress("imposing")
    printing = layout.Printing(
        layout.paper_size(request.paper),
        request.way,
        layout.margin_width(request.margin),
        request.printer.name if request.printer else "",
        request.paper,
        layout.parse_marks(request.marks),
        request.is_mixed,
    )
    runs = [_run(component, drawn) for component in game.components]
    sheets = layout.impose(game.title, runs, printing, FontBook(game.font_folders))
    printer = request.printer
    return [printers.corrected(sheet, printer) for sheet in sheets] if printer else sheets


def _run(component: Component, drawn: dict[FaceKey, Face]) -> layout.Run:
    def item(piece: str) -> layout.Item:
        back = drawn.get((component.id, piece, "back"))
        front = drawn[component.id, piece, "front"]
        return layout.Item(piece, front.id, back.id if back else None)

    return layout.Run(
        component=component.id,
        title=component.title,
        stock=layout.Stock(component.shape, component.bleed, component.back_bleed),
        cuts=component.cuts,
        is_merging=component.is_plain_edged,
        items=tuple(item(piece.id) for piece in component.copies()),
        where=component.where,
    )


def _write(
    game: Game,
    sheets: list[Sheet],
    drawn: dict[FaceKey, Face],
    press: pdf.Press,
    progress: Progress,
) -> bytes:
    progress("printing")
    placed = {p.face for sheet in sheets for page in sheet.pages for p in page.placements}
    distinct = {face.id: face for face in drawn.values() if face.id in placed}
    imprint = Imprint(game.title, game.designer, game.about)
    folders = [str(folder) for folder in game.font_folders]
    return press.print(pdf.Job(sheets, list(distinct.values()), imprint, folders))
