"""The PDF of a game for a request, and the files that it is divided into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from generator import layout, pdf
from generator.basics.errors import Place, PnpError, Problem, fail
from generator.basics.papers import fold_name
from generator.basics.writing import check_output, resolve_output, write_together
from generator.game.library import find
from generator.game.spec import LOCK
from generator.model import LEAFLETS, RULEBOOK, SEPARATE, SIDES, Cut, Face, FaceKey, Game, LoadedGame, Sheet, Side, Way
from generator.pdf.press import Inker
from generator.pipeline import leaflets
from generator.pipeline.game import OnFace, bound_of, draw, find_late, ignore_face, read_and_check
from generator.pipeline.imposing import impose_kit
from generator.pipeline.request import Request
from generator.pipeline.sheets import OUTPUT, Progress, are_backs_slipped, choose_components, is_requested, print_sheets

_SHEETS_A_VOLUME = 1500  # 13,500 poker cards, which the press holds in 300 MB

_CUTS: dict[Cut, str] = {
    "shared": "neighbours touch and share their cuts; gutters would cost a sheet or gain nothing",
    "double": "each piece has all of its bleed, in gutters that cost no sheet",
    "gap": "neighbours share the gap between them for their bleeds; gutters would cost a sheet",
    "straight": "each piece has all of its bleed, and every cut runs straight through",
    "squares": "each piece lies in a square, which straight cuts free first",
    "template": "placed for a template of silhouette-card-maker, with the bleed that it leaves",
}
_SLIPPED = "the backs follow as fronts, each to slip behind its own front, in one sleeve"
_HIDDEN = "the back, which all pieces share, is left out: use sleeves with opaque backs"


class PrintedGame(Struct, frozen=True):
    """The written PDFs, none if nothing has changed, and the folders of files that cut them; notes on automatic
    choices and on changes, the faults of a draft, and the warnings about files and decks."""

    paths: list[Path]
    notes: list[str]
    faults: Sequence[Problem] = ()
    warnings: Sequence[Problem] = ()


def print_game(request: Request, output: Path | None, press: pdf.Press, progress: Progress) -> PrintedGame:
    """Write the game's PDF to `output`, a file or a folder, by default output/GAME.pdf, or output/GAME-changed.pdf for
    only the changed pieces. Separate backs go to a file beside it, and so do pieces on another paper.

    Raises PnpError, and then leaves `output` as it is, if the game's files have faults, a rule is broken, a piece is
    larger than the paper, or a face cannot be drawn. A draft is printed in spite of these, as far as it can be.
    """
    with Inker(request.press_colour) as inker:
        made = impose_game(request, progress, press)
        if not made.sheets:
            return PrintedGame([], made.notes, made.faults, made.warnings)
        files: dict[Path, bytes] = {}
        notes = [*made.notes]
        output = resolve_output(output, made.path)
        planned, more = plan_files(output, [made])
        notes += more
        for path, [(_, sheets)] in planned.items():
            printed = print_sheets(made.game, sheets, made.drawn, press, progress)
            inked, more = inker.ink(printed)
            files[path] = mark_cuts(inked, [(made, sheets)])
            notes += more
    cuts = trace_cuts(output, [made], progress)
    write_together(output.parent, files | cuts)
    return PrintedGame([*files, *folders_of(cuts)], notes, made.faults, made.warnings)


def trace_cuts(output: Path, games: Sequence[ImposedGame], progress: Progress) -> dict[Path, bytes]:
    """The files that cut the sheets of games, in a folder beside their PDF; none by hand."""
    if not any(game.cutter for game in games):
        return {}
    from generator.export.cuts.files import make_cut_files  # rarely needed

    progress("tracing the cuts")
    folder = output.with_name(f"{output.stem}-cut")
    names = [game.game.name for game in games]
    if twice := next((name for name in names if names.count(name) > 1), None):
        what = "the cuts of two of the games would be written here"
        raise fail(Place(str(folder / twice)), what, "print each game to a file of its own")
    files: dict[Path, bytes] = {}
    with pdf.Press(is_early=False) as press:
        for game in games:
            if game.cutter is None:
                continue
            own = folder / game.game.name if len(games) > 1 else folder
            print_ = partial(print_sheets, game.game, press=press, progress=progress)
            made = make_cut_files(game.game, game.drawn, game.sheets, game.way, game.cutter.machine, print_)
            files |= {own / name: content for name, content in made.items()}
    return files


def mark_cuts(content: bytes, parts: Sequence[tuple[ImposedGame, Sequence[Sheet]]]) -> bytes:
    """The PDF with the cuts as lines in a spot colour, if a print shop's machine needs them."""
    if not any(part.cutter and part.cutter.machine == "contour" for part, _ in parts):
        return content
    from generator.export.cuts.files import draw_contours  # rarely needed

    return draw_contours(content, [(part.game, part.drawn, some, part.way) for part, some in parts])


def folders_of(files: Iterable[Path]) -> list[Path]:
    return list(dict.fromkeys(file.parent for file in files))


class ImposedGame(Struct, frozen=True):
    """A game with everything that is printed of it: its faces, and its sheets in printing order.

    path: the usual file. notes: on automatic choices and on changes. faults: of a draft, or the
    broken rules of a plan. warnings: about the game's files and decks. cutter: the machine that
    cuts its sheets. to_read: the rules as pages for a screen, for a file of their own.
    """

    game: Game
    drawn: dict[FaceKey, Face]
    sheets: list[Sheet]
    way: Way
    path: Path
    notes: list[str]
    faults: Sequence[Problem] = ()
    warnings: Sequence[Problem] = ()
    cutter: layout.Cutter | None = None
    to_read: Sequence[Sheet] = ()


def impose_game(request: Request, progress: Progress, press: pdf.Press | None = None) -> ImposedGame:
    """Reads, draws and imposes a game. The press, if there is one, begins to print its faces.

    Raises PnpError as `print_game` does.
    """
    with bound_of(request.game).hold():
        made = make_sheets(request, progress, press)
    notes = [*_note_papers(made.game, request), *_choices(made)] if made.sheets else []
    notes += _note_fetched(request.game)
    rules = [face for (part, *_), face in made.drawn.items() if part == RULEBOOK and request.booklet == "screen"]
    to_read = leaflets.rules_to_read(made.game, rules)
    return replace(made, notes=[*made.notes, *notes], cutter=request.printing.cutter, to_read=to_read)


def _note_fetched(name: str) -> list[str]:
    """Notes on the files that `pnp fetch` brought; none if it brought none."""
    folder, _ = find(name)
    if not (folder / LOCK).is_file():
        return []
    from generator.pipeline.fetching import say_versions  # rarely needed

    return say_versions(folder)


def make_sheets(
    request: Request, progress: Progress, press: pdf.Press | None = None, *, is_plan: bool = False
) -> ImposedGame:
    """Reads, draws and imposes a game, without notes on it. A broken rule does not stop a plan."""
    if request.draft:
        from generator.pipeline.drafting import make_draft  # rarely needed

        draft = make_draft(request, lambda game, drawn: impose_kit(game, request, drawn, progress), progress)
        kit, path = (draft.game, draft.drawn, draft.sheets), OUTPUT / f"{draft.game.name}.pdf"
        return ImposedGame(*kit, request.way, path, [], draft.faults, draft.warnings)
    loaded, broken, warnings = read_and_check(request, progress)
    if broken and not is_plan:
        raise PnpError(broken)
    game, drawn, notes = _resolve(loaded, request, progress, press)
    warnings += find_late(loaded, drawn, warnings)
    pages, sheets = impose_kit(game, request, drawn, progress)
    notes += _note_fillers(game, drawn, sheets)
    part = "-changed" if request.changed_since else ""
    path = OUTPUT / f"{game.name}{part}.pdf"
    return ImposedGame(game, drawn | pages, sheets, request.way, path, notes, broken, warnings)


PlannedFile = list[tuple["ImposedGame", list[Sheet]]]


def plan_files(output: Path, games: Sequence[ImposedGame]) -> tuple[dict[Path, PlannedFile], list[str]]:
    """The sheets of each game in each file: a file for each paper, or one for fronts and one for
    backs, each in volumes if it has very many sheets, and one for rules to read; and notes on these.

    Raises PnpError if something other than a plain file is where one of them should go.
    """
    files = dict(_divide_papers(output, games))
    if all(game.way in SEPARATE for game in games):
        files = {path: parts for name, both in files.items() for path, parts in _divide_backs(name, both)}
    volumes = {path: dict(_divide_volumes(path, parts)) for path, parts in files.items()}
    planned = {path: parts for divided in volumes.values() for path, parts in divided.items()}
    if rules := [(game, [*game.to_read]) for game in games if game.to_read]:
        path = output.with_stem(f"{output.stem}-rules")
        if path in planned:
            raise fail(Place(str(path)), "a paper of the game has this name too", "leave out --booklet screen")
        planned[path] = rules
    for path in planned:
        if path != output:
            check_output(path)
    why = f"it has more than {_SHEETS_A_VOLUME:,} sheets"
    return planned, [
        f"{path.name} is written in {len(divided)} volumes: {why}"
        for path, divided in volumes.items()
        if len(divided) > 1
    ]


def _divide_papers(output: Path, games: Sequence[ImposedGame]) -> Iterator[tuple[Path, PlannedFile]]:
    """A file for the sheets on each paper. Only one other than the usual is named by its paper, if
    there are several."""
    stocks = list(dict.fromkeys(sheet.stock for game in games for sheet in game.sheets))
    for stock in stocks:
        is_named = stock and len(stocks) > 1
        on_it = ((game, [sheet for sheet in game.sheets if sheet.stock == stock]) for game in games)
        path = output.with_stem(f"{output.stem}-{fold_name(stock)}") if is_named else output
        yield path, [(game, sheets) for game, sheets in on_it if sheets]


def _divide_backs(path: Path, parts: PlannedFile) -> Iterator[tuple[Path, PlannedFile]]:
    """A file for the fronts, and one for the backs if there are any."""
    sides = [(game, *_divide_sides(sheets)) for game, sheets in parts]
    yield path, [(game, fronts) for game, fronts, _ in sides]
    if backs := [(game, behind) for game, _, behind in sides if behind]:
        yield path.with_stem(f"{path.stem}-backs"), backs


def _divide_volumes(path: Path, parts: PlannedFile) -> Iterator[tuple[Path, PlannedFile]]:
    """The file, or several that are numbered: the press holds a whole file, and print dialogs show
    no more pages well."""
    every = [(game, sheet) for game, sheets in parts for sheet in sheets]
    if len(every) <= _SHEETS_A_VOLUME:
        yield path, parts
        return
    for number, start in enumerate(range(0, len(every), _SHEETS_A_VOLUME), 1):
        chosen = groupby(every[start : start + _SHEETS_A_VOLUME], itemgetter(0))
        volume = [(game, [sheet for _, sheet in some]) for game, some in chosen]
        yield path.with_stem(f"{path.stem}-{number}"), volume


def _resolve(
    loaded: LoadedGame, request: Request, progress: Progress, press: pdf.Press | None
) -> tuple[Game, dict[FaceKey, Face], list[str]]:
    """The game, its faces, and notes on what is printed if that is not everything."""
    game = loaded.game
    if not request.changed_since:
        on_face = _beginning(press, game, request) if press else ignore_face
        # rules and cover may show any piece
        is_read = game.booklet and any(is_requested(part, request.only) for part in LEAFLETS)
        return game, draw(loaded, progress, None if is_read else choose_components(game, request.only), on_face), []
    drawn = draw(loaded, progress)
    from generator.pipeline.comparing import only_changed  # rarely needed

    progress("comparing")
    return only_changed(game, drawn, request)


def _beginning(press: pdf.Press, game: Game, request: Request) -> OnFace:
    """Starts printing each face that is certain to be on the sheets, as soon as it is drawn."""
    components = choose_components(game, request.only)
    printed = {(component.id, piece.id) for component in components for piece in component.pieces if piece.copies}
    sides = ("front",) if request.way in ("single", *SEPARATE) else SIDES
    folders = [str(folder) for folder in game.font_folders]

    def begin(key: FaceKey, face: Face) -> None:
        if key[:2] in printed and key[2] in sides:
            press.begin(face, folders)

    return begin


def _divide_sides(sheets: Sequence[Sheet]) -> tuple[list[Sheet], list[Sheet]]:
    """The sheets with only their fronts, and those with only their backs. No printer turns them."""

    def only(side: Side) -> list[Sheet]:
        pages = ((sheet, tuple(p for p in sheet.pages if p.side == side)) for sheet in sheets)
        return [replace(sheet, pages=kept, flip=None) for sheet, kept in pages if kept]

    return only("front"), only("back")


def _choices(made: ImposedGame) -> list[str]:
    """Notes on the changes by an expansion and on automatic choices."""
    components = made.game.components
    notes = [f"{part.id}: {part.merged}" for part in components if part.merged]
    first = {sheet.component: sheet for sheet in reversed(made.sheets)}
    pages = (page for sheet in made.sheets for page in sheet.pages)
    placed = {(placement.piece, placement.face) for page in pages for placement in page.placements}
    for component in components:
        sheet = first.get(component.id)
        if sheet and (component.cuts == "auto" or sheet.cuts == "template"):
            notes.append(f"{component.id}: {_CUTS[sheet.cuts]}")
        if sheet and sheet.bleed is not None and sheet.cuts != "template":
            bleed = f"{sheet.bleed:.3g} mm instead of {component.bleed:g} mm"
            why = "" if component.least_bleed is None else ", which saves sheets"
            notes.append(f"{component.id}: a bleed of {bleed}{why}")
        is_printed = any(
            (piece.id, made.drawn[component.id, piece.id, "front"].id) in placed
            for piece in component.pieces
            if (component.id, piece.id, "front") in made.drawn
        )
        if sheet and sheet.tiling:
            notes.append(f"{component.id}: {'; '.join(describe_tiling(sheet))}")
        if made.way == "single" and component.has_back and is_printed:
            are_slipped = are_backs_slipped(component, made.drawn)
            notes.append(f"{component.id}: {_SLIPPED if are_slipped else _HIDDEN}")
    return notes


def describe_tiling(sheet: Sheet) -> tuple[str, str]:
    """A note on the panels of a sheet that has some, and how to print their piece whole."""
    tiling = sheet.tiling
    assert tiling
    joint = "each glued onto a strip of the one before" if tiling.overlap else "joined edge to edge"
    panels = f"{len(tiling.panels)} panels, {tiling.names}, {joint}"
    return f"larger than a sheet: {panels}", f"to print it whole, {tiling.remedy}"


def _note_papers(game: Game, request: Request) -> Iterator[str]:
    """Notes on the components that the game wants on a paper of their own."""
    usual = fold_name(request.printing.paper_name)
    for component in choose_components(game, request.only):
        printing = request.choose_printing(component)
        if component.id not in dict(request.papers) and printing is not request.printing:
            other = f"print it on {request.printing.paper_name}: --paper {usual},{component.id}={usual}"
            yield f"{component.id}: on {printing.paper_name}, as the game says; to {other}"


def _note_fillers(game: Game, drawn: Mapping[FaceKey, Face], sheets: Iterable[Sheet]) -> Iterator[str]:
    """A note for each piece that fills places which would stay free."""
    fronts = (sheet.pages[0] for sheet in sheets)
    counts = Counter((placed.piece, placed.face) for page in fronts for placed in page.placements)
    for component in game.components:
        for piece in component.pieces:
            front = drawn.get((component.id, piece.id, "front"))
            if piece.fills and front:
                many = counts[piece.id, front.id]
                places = f"{many or 'no'} free place{'s' * (many != 1)}"
                yield f"{component.id}: {piece.id} fills {places}"
