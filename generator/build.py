"""The only wiring: read, check, render, impose, write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, product, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator import faces, layout, pdf, printers, rules, spec
from generator.errors import PnpError, Problem, fail
from generator.files import write_whole
from generator.geometry import Size
from generator.model import Component, Cut, Face, Flip, Game, Imprint, Sheet, Side, Way
from generator.printers import Profile
from generator.text import HOUSE_FONTS, FontBook

if TYPE_CHECKING:
    from generator import export, preflight

KINDS = spec.Kinds(faces.RENDERERS, rules.RULES)
SIDES: tuple[Side, Side] = ("front", "back")
OUTPUT = Path("output")
MOST_LOOKED_AT = 400  # faces that a check looks at, so that it stays quick
MOST_AREA = 1.2e6  # mm² of them: 230 MB of pixels
LOOKING_DPI = 200  # what is told in tenths of a mm

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
    `language` is one that the tables are translated to, "" for the plain one.
    """

    game: str
    paper: str
    way: Way
    printer: Profile | None = None
    margin: str = "usual"
    marks: str = layout.USUAL_MARKS
    is_mixed: bool = False
    language: str = ""


def read(name: str, language: str = "") -> Game:
    """The game of that name. Raises PnpError with every problem of its files."""
    folder, variant = spec.find(name)
    return spec.read(folder, variant, KINDS, language)


def check(name: str, printer: Profile | None = None) -> list[Problem]:
    """All findings about a game: of its files, of its faces, of its rules.

    `printer` says how far backs are off; without one the usual is assumed.
    """
    try:
        game = read(name)
        with pdf.Press() as press:  # it loads while rules are checked and faces drawn
            findings = rules.check(game)
            try:
                drawn = _draw(game, _silent)
                return [*findings, *_misprints(game, drawn, printer, press)]
            except PnpError as error:
                return [*error.problems, *findings]
    except PnpError as error:
        return list(error.problems)


def _silent(_: str) -> None:
    """The progress of what is over in no time."""


def _misprints(
    game: Game, drawn: dict[FaceKey, Face], printer: Profile | None, press: pdf.Press
) -> Iterator[Problem]:
    """What does not stand a back laid off or a cut astray. Raises PnpError: no face is printed."""
    from generator import preflight

    looks, total = _looks(game, drawn, press)
    for component, side in product(game.components, SIDES):
        seen = component if side == "front" else component.from_behind()
        drift = preflight.drift_of(side, printer.drift if printer else None)
        of_side = looks.get((component.id, side), [])
        yield from preflight.inspect(preflight.Print(seen, side, drift, of_side))
    left = total - sum(map(len, looks.values()))
    if left:
        what = f"{left} of {total} faces were not looked at: a check is to be quick"
        yield Problem(game.name, what, "", "note", "drift")


def _looks(
    game: Game, drawn: dict[FaceKey, Face], press: pdf.Press
) -> tuple[dict[tuple[str, Side], list[preflight.Look]], int]:
    """The distinct faces as they will print, from each side of each component in turn until they
    are enough, and how many there are in all."""
    from generator import export, preflight

    alike: dict[tuple[str, Side], dict[str, list[str]]] = {}  # the pieces that share a face
    for (component, piece, side), face in drawn.items():
        alike.setdefault((component, side), {}).setdefault(face.id, []).append(piece)
    turns = zip_longest(*([(of_side, id_) for id_ in ids] for of_side, ids in alike.items()))
    every = [one for turn in turns for one in turn if one is not None]
    by_id = {face.id: face for face in drawn.values()}
    areas = accumulate(by_id[id_].size.width * by_id[id_].size.height for _, id_ in every)
    first = zip(every[:MOST_LOOKED_AT], areas, strict=False)
    chosen = [one for one, area in first if area <= MOST_AREA]
    if not chosen:
        return {}, len(every)
    sheets = export.face_sheets([by_id[id_] for _, id_ in chosen], is_bled=True)
    printed = _write(game, sheets, drawn, press, _silent)
    images, letters = export.rasterise(printed, LOOKING_DPI), export.letters(printed)
    looks: dict[tuple[str, Side], list[preflight.Look]] = {}
    for (of_side, id_), image, boxes in zip(chosen, images, letters, strict=True):
        look = preflight.Look(tuple(alike[of_side][id_]), image, boxes)
        looks.setdefault(of_side, []).append(look)
    return looks, len(every)


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


def export_png(
    request: Request,
    folder: Path | None,
    dpi: int,
    progress: Progress,
    drift: float | None = None,
) -> Path:
    """Write pictures of the game: overview.png, each face, each page.

    With a `drift` (mm) also drift.png: the backs as they come out when they are laid that far off.
    All goes to `folder`, output/GAME when that is None; returns it. Raises PnpError.
    """
    from generator import export

    game = _sound_game(request, progress)
    if drift is not None:
        _check_that_backs_drift(game, request)
    folder = folder or OUTPUT / game.name
    drawn = _draw(game, progress)
    sheets = _impose(game, request, drawn, progress)
    with pdf.Press() as press:
        printed = _write(game, sheets, drawn, press, progress)
    images = export.rasterise(printed, dpi)
    pages = [(sheet, page) for sheet in sheets for page in sheet.pages]
    for (sheet, page), image in zip(pages, images, strict=True):
        if page.placements:
            name = f"{sheet.component}-{sheet.number}-{page.side}.png"
            write_whole(folder / "sheets" / name, export.encode(image, dpi))
    if drift is not None:
        by_id = {face.id: face for face in drawn.values()}
        rows = list(export.drifted(pages, images, by_id, drift, dpi))
        _export_drift(rows, folder, dpi)
    _export_faces(game, drawn, folder, dpi, progress)
    return folder


def _check_that_backs_drift(game: Game, request: Request) -> None:
    if request.way not in ("long", "short"):
        what = (
            f"nothing can drift with --sides {request.way}: only one side of the paper is printed"
        )
        raise fail("drift", what, "leave out --drift, or print on both sides: --sides duplex")
    if not any(component.back for component in game.components):
        what = f"nothing can drift: {game.title} has no backs, and fronts are cut along their marks"
        raise fail("drift", what, "leave out --drift")


def _export_drift(rows: Sequence[export.Row], folder: Path, dpi: int) -> None:
    from generator import export

    groups: dict[str, list[Any]] = {}
    for row in rows:
        name = f"{row.component}-{row.piece}.png"
        write_whole(folder / "drift" / name, export.encode(row.picture, dpi))
        groups.setdefault(row.component, []).append(row.picture)
    write_whole(folder / "drift.png", export.encode(export.overview(groups.values(), dpi), dpi))


def _export_faces(
    game: Game, drawn: dict[FaceKey, Face], folder: Path, dpi: int, progress: Progress
) -> None:
    """Each face as it is cut, and all of them on one table."""
    from generator import export

    with pdf.Press() as press:
        cut_out = _write(game, export.face_sheets(list(drawn.values())), drawn, press, progress)
    groups: dict[tuple[str, Side], list[Any]] = {}
    images = export.rasterise(cut_out, dpi)
    for ((component, piece, side), face), image in zip(drawn.items(), images, strict=True):
        picture = export.cut_out(image, face, dpi)
        name = f"{piece}-{side}.png"
        write_whole(folder / "faces" / component / name, export.encode(picture, dpi))
        groups.setdefault((component, side), []).append(picture)
    write_whole(folder / "overview.png", export.encode(export.overview(groups.values(), dpi), dpi))


def _sound_game(request: Request, progress: Progress) -> Game:
    """The game, no rule of which is broken."""
    progress("reading")
    game = read(request.game, request.language)
    errors = [problem for problem in rules.check(game) if problem.level == "error"]
    if errors:
        raise PnpError(errors)
    return game


def _draw(game: Game, progress: Progress) -> dict[FaceKey, Face]:
    """Every face. Raises PnpError with each that cannot be drawn."""
    progress("drawing faces")
    drawn: dict[FaceKey, Face] = {}
    problems: list[Problem] = []
    for component, side in product(game.components, SIDES):
        try:
            made = faces.draw(component, side)
            drawn |= {(component.id, piece.id, side): face for piece, face in made}
        except PnpError as error:
            problems += error.problems
    if problems:
        raise PnpError(problems)
    return drawn


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
