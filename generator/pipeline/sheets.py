"""PDFs of sheets and their faces.

Pages in printing order are numbered as a print dialog counts them. The requested parts of a game
decide what is printed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from generator import game as gamefile
from generator import pdf
from generator.basics.errors import Place, Problem, did_you_mean, quote, raise_all
from generator.basics.phrases import Phrases
from generator.model import COVER, RULEBOOK, SEPARATE, SIDES, Component, Face, FaceKey, Game, Imprint, Page, Sheet, Way

OUTPUT = Path("output")  # the folder of what is made, unless a command names another
Progress = Callable[[str], None]  # called with the name of each step as it begins


def silent(_: str) -> None:
    """Shows no progress, for work that takes no time."""


def print_sheets(
    game: Game,
    sheets: Sequence[Sheet],
    drawn: Mapping[FaceKey, Face],
    press: pdf.Press,
    progress: Progress,
    *,
    is_temporary: bool = False,
) -> bytes:
    """The PDF, in RGB; not compressed if it `is_temporary`."""
    progress("printing")
    placed = {p.face for sheet in sheets for page in sheet.pages for p in page.placements}
    distinct = {face.id: face for face in drawn.values() if face.id in placed}
    imprint = Imprint(game.title, game.designer, game.about, game.phrases)
    folders = [str(folder) for folder in game.font_folders]
    names = _names(game, drawn)
    job = pdf.Job(sheets, list(distinct.values()), imprint, folders, names, is_temporary)
    return press.print(job)


def _names(game: Game, drawn: Mapping[FaceKey, Face]) -> dict[tuple[str, str], str]:
    """The names of the sides of pieces, by the piece and the id of its face."""
    titles = {component.id: component.title for component in game.components}
    say = game.phrases.say
    sides = {side: say(f"sheet.side-{side}") for side in SIDES}
    return {
        (piece, face.id): say("sheet.face", title=titles[component], piece=piece, side=sides[side])
        for (component, piece, side), face in drawn.items()
        if component in titles
    }


class NumberedPage(Struct, frozen=True):
    """A page of a sheet and its number, from 1."""

    number: int
    sheet: Sheet
    page: Page


def number_pages(sheets: Sequence[Sheet], way: Way, before: int = 0) -> list[NumberedPage]:
    """The pages after `before` others; of backs in a file of their own, only the fronts."""
    printed = ((sheet, page) for sheet in sheets for page in sheet.pages if page.side == "front" or way not in SEPARATE)
    return [NumberedPage(number, *page) for number, page in zip(count(before + 1), printed, strict=False)]


def describe_pages(numbers: Iterable[int], phrases: Phrases) -> str:
    """Numbers of pages as a print dialog takes them: "page 3", "pages 3–6, 9"."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(sorted(set(numbers))), lambda span: span[1] - span[0])
    ]
    spans = (f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
    return phrases.say("cover.pages" if len(runs) > 1 or len(runs[0]) > 1 else "cover.page", pages=", ".join(spans))


def parts(game: Game) -> list[str]:
    """The names of the parts of a kit, in cutting order."""
    booklet = game.booklet
    leaflets = [COVER, RULEBOOK] if booklet and booklet.has_cover else [RULEBOOK] if booklet else []
    return [*leaflets, *(component.id for component in game.components)]


def is_requested(part: str, only: tuple[str, ...]) -> bool:
    """Whether a part, or some of its pieces, is printed; without names, all parts are."""
    named = (gamefile.split_choice(name)[0] or name.partition("/")[0] for name in only)
    return not only or part in named


def check_ids(game: Game, only: Iterable[str], papers: Iterable[str] = ()) -> None:
    """Raises PnpError with each name in `only` that is not a part of the kit, nor a piece with
    copies, and with each in `papers` that is not a component."""
    problems = [Problem(Place("--only"), *fault) for name in only if (fault := _fault(game, name))]
    ids = [component.id for component in game.components]
    problems += [
        Problem(Place("--paper"), f"{game.title} has no component {quote(name)}", did_you_mean(name, ids))
        for name in papers
        if name not in ids
    ]
    raise_all(problems)


def choose_components(game: Game, only: tuple[str, ...], copies: int = 1) -> list[Component]:
    """The requested components that have something to print, with only the requested pieces;
    without names, all of them. `copies` multiplies the number of each piece."""
    components = (component for component in game.components if is_requested(component.id, only))
    chosen = (_choose_pieces(component, only, copies) for component in components)
    return [component for component in chosen if any(piece.copies for piece in component.pieces)]


def _choose_pieces(component: Component, only: tuple[str, ...], copies: int) -> Component:
    is_whole = not only or component.id in only
    if is_whole and copies == 1:
        return component
    ids = {name.partition("/")[2] for name in only if name.startswith(f"{component.id}/")}
    pieces = (
        replace(piece, copies=piece.copies * copies if is_whole or is_chosen else 0, fills=piece.fills and is_whole)
        for piece in component.pieces
        for is_chosen in [{piece.id, piece.copy_of} & ids or piece.meets.intersection(only)]
    )
    return replace(component, pieces=tuple(pieces))


def are_backs_slipped(component: Component, drawn: Mapping[FaceKey, Face]) -> bool:
    """Whether a print of one side needs the backs too, each to slip behind its front: unless all
    pieces share one back, which a sleeve hides, the backs say something."""
    fronts, backs = (
        {face.id for piece in component.pieces if (face := drawn.get((component.id, piece.id, side)))} for side in SIDES
    )
    return len(backs) > 1 or len(backs) == len(fronts) == 1


def backs_of(component: Component, phrases: Phrases) -> Component:
    """The backs of a component as pieces of their own, as they are seen from behind."""
    name, title = f"{component.id}-backs", phrases.say("sheet.backs", title=component.title)
    return replace(component.from_behind(), id=name, title=title)


def _fault(game: Game, name: str) -> tuple[str, str] | None:
    """The fault of a name of `only`, and a hint; None if it is right."""
    of, condition = gamefile.split_choice(name)
    part, slash, id_ = (of, "", "") if of else name.partition("/")
    names = parts(game)
    if part not in names:
        owners = (component.id for component in game.components for piece in component.pieces if piece.id == name)
        owner = next(owners, "")
        hint = f"write {owner}/{name}" if owner else did_you_mean(part, names)
        return f"{game.title} has no part {quote(part)}", hint
    if not slash and not of:
        return None
    component = next((component for component in game.components if component.id == part), None)
    if component is None:
        return f"the {part} are printed as a whole", f"--only {part}"
    if of:
        if any(piece.copies for piece in component.pieces if name in piece.meets):
            return None
        hint = "a count of 0 prints nothing, and 'fill' only fills free places"
        return f"no piece of the {part} fits {quote(condition)}", hint
    copies = {piece.id: piece.copies for piece in component.pieces}
    if id_ not in copies:
        return f"there is no piece {quote(id_)} among the {part}", did_you_mean(id_, copies)
    if any(piece.fills for piece in component.pieces if piece.id == id_):
        return f"the piece {quote(id_)} only fills free places", f"--only {part}"
    if not copies[id_]:
        return f"the piece {quote(id_)} has a count of 0", "raise its count in the table"
    return None
