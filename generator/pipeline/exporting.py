"""Files of an exporter, for a request and the name of a format."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from generator import export, pdf
from generator import game as gamefile
from generator.basics import keys
from generator.basics.catalogue import Catalogue
from generator.basics.errors import Place, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.writing import staging
from generator.export.exporter import Exporter, Kit
from generator.faces.net import MOST_BLEED
from generator.layout.nets import Net
from generator.model import Component, Face, FaceKey, Game, LoadedGame
from generator.model.face import FacePages
from generator.pdf.inks import PressColour
from generator.pdf.press import Inker
from generator.pipeline import leaflets
from generator.pipeline.game import bound_of, draw, read_sound_game
from generator.pipeline.imposing import ImposedKit, impose_kit
from generator.pipeline.request import Request
from generator.pipeline.sheets import OUTPUT, Progress, choose_components, print_sheets

EXPORTERS: Catalogue[type[Exporter]] = Catalogue("pnp.exporters", export.EXPORTERS)


def export_kit(
    request: Request,
    to: str,
    options: Mapping[str, object],
    folder: Path | None,
    progress: Progress,
    note: Callable[[Problem], None] | None = None,
) -> Path:
    """Writes the files that the exporter `to` makes of a game, with its options by name.

    They go to `folder`, by default output/GAME, which is returned. Files of an earlier export to
    this format that this one lacks are removed, unless they were changed. `note` is called with
    what the exporter has to say. Raises PnpError.
    """
    exporter = configure(to, options)
    if request.draft:
        raise fail(Place("draft"), "an export is never a draft", "print a PDF of it")
    if request.press_colour:
        raise fail(Place("colour"), "a format has its own colours", "leave it out")
    with bound_of(request.game).hold():
        loaded, _ = read_sound_game(request, progress)
        game, drawn = loaded.game, draw(loaded, progress)
        imposed = impose_kit(game, request, drawn, progress)
    folder = folder or OUTPUT / game.name
    with staging(folder, f"{to.lower()}.sha256") as write, pdf.Press(is_early=False) as press:
        kit = make_kit(loaded, drawn, imposed, request, press, progress, note)
        for problem in _warn_of_order(request) if to.lower() == "shop" else ():
            kit.note(problem)
        for file in exporter.export(kit):
            write(str(_check_path(file.path)), file.content)
    return folder


def _warn_of_order(request: Request) -> Iterator[Problem]:
    """Warnings to read before ordering this game from a shop."""
    yield from gamefile.remind_of_import(gamefile.find(request.game)[0])
    if request.is_low_ink:
        yield Problem(Place("--ink"), "the shop gets the pale pictures of low ink", "leave it out", "note")
    if request.printing.scale != 1.0:
        yield Problem(Place("--scale"), "a shop prints pieces as large as the game says", "leave it out", "note")


def make_kit(
    loaded: LoadedGame,
    drawn: dict[FaceKey, Face],
    imposed: ImposedKit,
    request: Request,
    press: pdf.Press,
    progress: Progress,
    note: Callable[[Problem], None] | None = None,
) -> Kit:
    """The kit for an exporter, which the press prints."""
    game = loaded.game
    components = choose_components(game, request.only, request.copies)
    report = note or (lambda _: None)
    print_ = partial(print_sheets, game, press=press, progress=progress)
    prove, ink = partial(_prove, game, press, progress), partial(_ink, report)
    pages, sheets = imposed.pages, imposed.sheets
    set_rules = partial(leaflets.set_rules, game, drawn)
    reshape = partial(_reshape, loaded, progress)
    return Kit(game, drawn, pages, sheets, request.way, print_, prove, ink, components, report, set_rules, reshape)


def _reshape(loaded: LoadedGame, progress: Progress, box: Component, net: Net) -> Face:
    made = replace(box, shape=net, bleed=MOST_BLEED)
    return draw(loaded, progress, [made])[box.id, box.pieces[0].id, "front"]


def configure(to: str, options: Mapping[str, object]) -> Exporter:
    """An exporter with its options. Raises PnpError with every fault in them."""
    to = to if to in EXPORTERS else to.lower()
    if to not in EXPORTERS:
        raise fail(Place("--to"), f"there is no format {quote(to)}", did_you_mean(to, EXPORTERS))
    exporter, faults = keys.read(EXPORTERS[to], dict(options), is_typed=True)
    if exporter is None:
        raise PnpError([Problem(Place(f"--to {to}"), fault.what, fault.hint) for fault in faults])
    return exporter


def _check_path(path: str) -> PurePosixPath:
    pure = PurePosixPath(path)
    assert not pure.is_absolute(), "an exporter writes below its folder"
    assert ".." not in pure.parts, "an exporter writes below its folder"
    return pure


def _prove(
    game: Game, press: pdf.Press, progress: Progress, faces: Sequence[Face]
) -> Iterator[tuple[bytes, list[FacePages]]]:
    progress("printing")
    return press.prove(faces, [str(folder) for folder in game.font_folders])


def _ink(report: Callable[[Problem], None], content: bytes, colour: PressColour) -> bytes:
    with Inker(colour) as inker:
        inked, notes = inker.ink(content)
    for note in notes:
        report(Problem(Place(colour.standard), note, level="note"))
    return inked
