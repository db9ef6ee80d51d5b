"""Drafts: what can be printed is printed, and each fault is marked on its piece."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count, product

from msgspec import Struct
from msgspec.structs import replace

from generator import booklet
from generator import game as gamefile
from generator.art.picture import find_crossed
from generator.basics.errors import Place, PnpError, Problem, fail, format_group, gather, quote
from generator.faces.draft import blank, legible, mark
from generator.layout import booklet as imposing
from generator.model import SIDES, Face, FaceKey, Game, LoadedGame, Piece, Poster, Sheet, Way
from generator.pipeline.game import KINDS, DrawnGame, draw_all, find_problems
from generator.pipeline.request import Request
from generator.pipeline.sheets import Progress
from generator.text import FontBook

_MOST_ATTEMPTS = 10  # to set a booklet, each without the faults of the last
_LIST = "draft faults"  # the part of the kit with the list; no component has such an id

Imposed = tuple[dict[FaceKey, Face], list[Sheet]]  # the pages to read, all sheets
Impose = Callable[[Game, dict[FaceKey, Face]], Imposed]
Groups = list[list[Problem]]  # each becomes one message


class Draft(Struct, frozen=True):
    """The printable part of a game, its faces and pages, its sheets, and all faults and warnings of the game."""

    game: Game
    drawn: dict[FaceKey, Face]
    sheets: list[Sheet]
    faults: list[Problem]
    warnings: list[Problem]


def make_draft(request: Request, impose: Impose, progress: Progress) -> Draft:
    """The draft of a game. Raises PnpError with the faults if nothing can be printed."""
    if request.changed_since:
        hint = "leave out --draft or --changed-since"
        raise fail(Place("--draft"), "a draft cannot be compared with a revision", hint)
    progress("reading")
    what = *gamefile.find(request.game), KINDS, request.language
    is_low_ink, only = request.is_low_ink, request.only
    loaded = gamefile.read(*what, is_draft=True, is_low_ink=is_low_ink, only=only)
    return draft_of(loaded, draw_all(loaded, progress), request, impose)


def draft_of(loaded: LoadedGame, drawn_game: DrawnGame, request: Request, impose: Impose) -> Draft:
    """The draft of a game that was read as one. Raises PnpError as `make_draft` does."""
    faults, warnings = find_problems(loaded)
    faults += (problem for problem in drawn_game.problems if problem.level == "error")
    groups = gather(dict.fromkeys(faults))
    fonts = FontBook(loaded.game.font_folders)
    drawn = _mark_faces(loaded, drawn_game, groups, fonts)
    game = _make_legible(loaded.game, fonts)
    game = replace(game, title=f"DRAFT · {game.title}")
    try:
        game, (pages, sheets), more = _impose(game, drawn, impose)
    except PnpError as error:
        raise PnpError([*faults, *error.problems]) from None
    first_faults = set(faults)
    groups += gather(dict.fromkeys(problem for problem in more if problem not in first_faults))
    listed, first = _list_faults(game, groups, request, sheets)
    all_faults = [problem for group in groups for problem in group]
    return Draft(game, drawn | pages | listed, [*first, *sheets], all_faults, warnings)


def _make_legible(game: Game, fonts: FontBook) -> Game:
    """The game, its words on sheets and cover without characters that no font has."""
    components = tuple(replace(part, title=legible(part.title, fonts)) for part in game.components)
    return replace(
        game,
        title=legible(game.title, fonts),
        designer=legible(game.designer, fonts),
        about=legible(game.about, fonts),
        players=legible(game.players, fonts),
        time=legible(game.time, fonts),
        age=legible(game.age, fonts),
        scores=tuple(legible(line, fonts) for line in game.scores),
        components=components,
    )


def _mark_faces(loaded: LoadedGame, drawn_game: DrawnGame, groups: Groups, fonts: FontBook) -> dict[FaceKey, Face]:
    """All faces, those with a fault marked; a face that cannot be drawn is blank."""
    marks = _MarkFinder(groups)
    faces: dict[FaceKey, Face] = {}
    for design, side in product(loaded.designs, SIDES):
        component, renderer = design.component, design.renderer(side)
        drawn = {} if isinstance(renderer, gamefile.Unread) else drawn_game.faces
        for piece in component.pieces if renderer else ():
            key = component.id, piece.id, side
            if piece.copies:
                face = drawn.get(key) or blank(component, piece, side, fonts)
                numbers = marks.numbers(key, piece, face)
                if numbers:
                    fault = drawn_game.flaws.get(key) or groups[numbers[0] - 1][0].what
                    face = mark(face, ", ".join(map(str, numbers)), fault, fonts)
                faces[key] = face
    return faces


class _MarkFinder:
    def __init__(self, groups: Groups) -> None:
        self._by_key: dict[object, dict[int, None]] = {}
        self._groups = groups
        self._by_file: dict[str, list[int]] = {}  # of a picture
        for number, problem in self._numbered():
            keys: tuple[object, ...] = problem.faces or (*problem.on, problem.place.row)
            for key in keys:
                self._by_key.setdefault(key, {})[number] = None

    def _numbered(self) -> Iterator[tuple[int, Problem]]:
        for number, group in enumerate(self._groups, 1):
            yield from ((number, problem) for problem in group)

    def numbers(self, key: FaceKey, piece: Piece, face: Face) -> list[int]:
        """The numbers of the faults of the face, its piece, its row and its missing pictures."""
        component, id_, _ = key
        numbers: dict[int, None] = {}
        for subject in (key, f"{component}/{id_}", piece.place):
            numbers |= self._by_key.get(subject, {})
        for file in {file for placed in face.layers for file in find_crossed(placed.layer.art)}:
            if file not in self._by_file:
                self._by_file[file] = list(self._find_about(file))
            numbers |= dict.fromkeys(self._by_file[file])
        return sorted(numbers)

    def _find_about(self, file: str) -> Iterator[int]:
        """The numbers of the faults of a picture."""
        for number, problem in self._numbered():
            is_within = problem.place.file.endswith(f"/{file}")
            if file and (is_within or quote(file) in problem.what):
                yield number


def _impose(game: Game, drawn: dict[FaceKey, Face], impose: Impose) -> tuple[Game, Imposed, list[Problem]]:
    """Impose a game, without the parts that fail; returns the game, its sheets and the faults of
    these parts. Raises PnpError if nothing is left."""
    faults: list[Problem] = []
    for attempt in count():
        try:
            return game, impose(game, drawn), faults
        except PnpError as error:
            rest = _leave_out(game, error.problems, keeps_booklet=attempt < _MOST_ATTEMPTS)
            if rest is None:
                raise PnpError(faults or error.problems) from None
            faults += error.problems
            game = rest
    raise AssertionError("each attempt leaves out something")


def _leave_out(game: Game, problems: Sequence[Problem], *, keeps_booklet: bool) -> Game | None:
    """The game without the components at fault; or else without the parts of its booklet at fault,
    or without the booklet. None if nothing is left."""
    places = {problem.place for problem in problems}
    kept = tuple(component for component in game.components if component.place not in places)
    if not kept:
        return None
    if len(kept) < len(game.components):
        return replace(game, components=kept)
    if game.booklet is None:
        return None
    poster = game.booklet.poster
    if poster.place in places and poster != Poster(poster.place):
        usual = replace(game.booklet, poster=Poster(poster.place))
        return replace(game, booklet=usual)
    lines = [place.line for place in places if place.file == game.booklet.place.file]
    text = booklet.omit_faults(game.booklet.text, lines)
    if keeps_booklet and text != game.booklet.text:
        return replace(game, booklet=replace(game.booklet, text=text))
    return replace(game, booklet=None)


def _list_faults(game: Game, groups: Groups, request: Request, sheets: Sequence[Sheet]) -> Imposed:
    """The pages that list the faults; none on precut or very small paper."""
    printing = request.printing
    messages = [format_group(group) for group in groups]
    if not messages or printing.precut:
        return {}, []
    try:
        faces = booklet.fault_list(game, messages, printing.paper, printing.margin)
    except PnpError:
        return {}, []
    ids = tuple(face.id for face in faces)
    pages = imposing.BookletPages(game.phrases, game.title, ids, printing.paper, "Faults", _LIST)
    is_duplex = any(sheet.flip for sheet in sheets)
    way: Way = printing.way if is_duplex else "single"
    listed: dict[FaceKey, Face] = {(_LIST, str(number), "front"): face for number, face in enumerate(faces, 1)}
    return listed, imposing.plain_pages(pages, printing, way)
