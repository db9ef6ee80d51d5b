"""Take the name of a game, make all findings about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, product, zip_longest
from typing import TYPE_CHECKING

from generator import checks, gamefile, pdf
from generator.accepted import STALE, Reasons, entry
from generator.bounds import Bound
from generator.errors import LEVELS, PnpError, Problem
from generator.model import SIDES, Booklet, Face, FaceKey, Game, LoadedGame, Side
from generator.pipeline.game import CHECKS, bound_of, draw_all, print_sheets, read, silent
from generator.pipeline.leaflets import faults
from generator.place import Place
from generator.printers import Profile

if TYPE_CHECKING:
    from PIL import Image

    from generator import preflight
    from generator.printed import PageContents

    Printed = tuple[Image.Image, PageContents]  # a picture of a face's bleed box, and its contents
    ReadFaces = Callable[[Sequence[Face]], list[Printed]]

MOST_LOOKED_AT = 400  # faces per check, to keep it quick
MOST_AREA = 1.2e6  # mm² of them: 230 MB of pixels
LOOKING_DPI = 200  # enough to measure tenths of a mm


def check(name: str, printer: Profile | None = None, language: str | None = None) -> list[Problem]:
    """All findings about a game: its files, faces and rules, in each language of its tables or only
    in `language`.

    `printer` gives the drift of the backs; without one, the usual drift is assumed.
    """
    bound = bound_of(name)  # one for all languages
    try:
        with bound.hold():
            loaded = read(name, language or "")
    except PnpError as error:
        return list(error.problems)
    from generator import preflight

    game = loaded.game
    reasons = Reasons(game.accepts)
    findings = _findings(loaded, printer, reasons, bound)
    if language:
        return [_mark_language(language, problem) for problem in findings]
    plain = set(findings)
    more = [
        _mark_language(other, problem)
        for other in game.languages
        for problem in _check_in(other, name, game, printer, reasons, bound)
        if problem not in plain
    ]
    findings += reasons.stale({*preflight.KINDS, *checks.UNDECLARED, *CHECKS})
    return sorted(findings, key=lambda problem: LEVELS.index(problem.level)) + more


def entries(name: str, problems: Iterable[Problem]) -> Iterator[str]:
    """The [[accept]] entries for all errors and warnings of a game."""
    _, variant = gamefile.find(name)
    for problem in problems:
        if problem.rule not in ("", STALE) and problem.level != "note":
            yield entry(problem, variant)


def _check_in(
    language: str,
    name: str,
    plain: Game,
    printer: Profile | None,
    reasons: Reasons,
    bound: Bound,
) -> Iterator[Problem]:
    """The findings in a language. Those about the whole game name the original game."""
    try:
        with bound.hold():
            loaded = read(name, language)
        findings = _findings(loaded, printer, reasons, bound)
    except PnpError as error:
        yield from error.problems
        return
    for problem in findings:
        is_of_all = problem.place == Place(loaded.game.name)
        yield replace(problem, place=Place(plain.name)) if is_of_all else problem


def _mark_language(language: str, problem: Problem) -> Problem:
    return replace(problem, what=f"{language}: {problem.what.removeprefix(f'{language}: ')}")


def _findings(
    loaded: LoadedGame, printer: Profile | None, reasons: Reasons, bound: Bound
) -> list[Problem]:
    from generator import preflight

    game = loaded.game
    try:
        with pdf.Press() as press:  # it loads while rules are checked and faces are drawn
            with bound.hold():
                findings = [reasons.settle(problem) for problem in checks.check(loaded)]
            try:
                with bound.hold():
                    drawn, problems, _ = draw_all(loaded, silent, reasons=reasons)
                    if any(problem.level == "error" for problem in problems):
                        return [*problems, *findings]
                    of_faces = (*preflight.styles_lacking(game, drawn), *_of_rules(game, drawn))
                findings += [*problems, *map(reasons.settle, of_faces)]
                read_faces = partial(as_printed, game, press)
                findings += misprints(game, drawn, printer, read_faces, reasons)
            except PnpError as error:
                return [*error.problems, *findings]
            return sorted(findings, key=lambda problem: LEVELS.index(problem.level))
    except PnpError as error:
        return list(error.problems)


def _of_rules(game: Game, drawn: Mapping[FaceKey, Face]) -> Iterator[Problem]:
    """Faults of setting the booklet, and wrong statements in it about the kit."""
    if game.booklet is None:
        return
    from generator import booklet, preflight

    yield from faults(game, drawn)
    text, place = game.booklet.text, game.booklet.place
    parts = [preflight.CountedPart(one.id, one.title, len(one.copies())) for one in game.components]
    yield from preflight.contents_agree(text, place, parts)
    symbols = booklet.symbols(text, place)
    yield from preflight.symbols_agree(symbols, list(_find_on_faces(symbols, game.booklet, drawn)))


def _find_on_faces(
    names: Iterable[str], booklet: Booklet, drawn: Mapping[FaceKey, Face]
) -> Iterator[str]:
    """The icons of a booklet that are on some face, in any colour; built-in icons always count."""
    from generator.text.icons import colourless, house_icons, pictures_in

    layers = (placed for face in drawn.values() for placed in face.layers)
    pictures = pictures_in({placed.layer.svg for placed in layers})
    for name in names:
        own = booklet.icons.get(name)
        if colourless(own.uri) in pictures if own else name in house_icons():
            yield name


def misprints(
    game: Game,
    drawn: Mapping[FaceKey, Face],
    printer: Profile | None,
    read_faces: ReadFaces,
    reasons: Reasons,
    first: Sequence[str] | None = None,
) -> Iterator[Problem]:
    """The findings about faces as they print. `first` has the ids of faces that were changed: they
    are inspected before the others. Raises PnpError if a face cannot be printed."""
    from generator import preflight

    looks, total = _looks(drawn, read_faces, first or ())
    for component, side in product(game.components, SIDES):
        view = component if side == "front" else component.from_behind()
        drift = preflight.drift_of(side, printer.drift if printer else None)
        of_side = looks.get((component.id, side), [])
        yield from preflight.inspect(preflight.Print(view, side, drift, of_side), reasons)
    file = game.components[0].place.at_line(0)
    yield from map(reasons.settle, preflight.palette_alike(game.palette, file))
    left = total - sum(map(len, looks.values()))
    if left:
        what = f"{left} of {total} faces were not inspected, to keep the check quick"
        hint = "" if first is None else "faces that you change are inspected first"
        yield reasons.settle(Problem(Place(game.name), what, hint, "note", "unseen"))


def as_printed(game: Game, press: pdf.Press, faces: Sequence[Face]) -> list[Printed]:
    """Pictures of faces as they print, and the contents of their pieces, without mirrored edges.
    Raises PnpError if one cannot be printed."""
    from generator import raster

    cut_out = [replace(face, id=f"{face.id}-cut-out", layers=face.cut_out) for face in faces]
    differing = [one for one, face in zip(cut_out, faces, strict=True) if one.layers != face.layers]
    every = [*faces, *differing]
    drawn: dict[FaceKey, Face] = {("", face.id, "front"): face for face in every}
    printed = print_sheets(game, raster.face_sheets(every, is_bled=True), drawn, press, silent)
    at = {face.id: index for index, face in enumerate(every)}
    read = [at.get(one.id, index) for index, one in enumerate(cut_out)]
    return raster.read_pages(printed, LOOKING_DPI, read)


def _looks(
    drawn: Mapping[FaceKey, Face], read_faces: ReadFaces, first: Sequence[str]
) -> tuple[dict[tuple[str, Side], list[preflight.FaceLook]], int]:
    """The distinct faces as they will print, up to the limits: those in `first`, then others from
    each side of each component in turn; and the number of all distinct faces."""
    from generator import preflight

    alike: dict[tuple[str, Side], dict[str, list[str]]] = {}  # the pieces that share a face
    for (component, piece, side), face in drawn.items():
        alike.setdefault((component, side), {}).setdefault(face.id, []).append(piece)
    turns = zip_longest(*([(of_side, id_) for id_ in ids] for of_side, ids in alike.items()))
    ranks = {id_: rank for rank, id_ in enumerate(first)}
    every = [one for turn in turns for one in turn if one is not None]
    every.sort(key=lambda one: ranks.get(one[1], len(ranks)))
    by_id = {face.id: face for face in drawn.values()}
    areas = accumulate(by_id[id_].size.width * by_id[id_].size.height for _, id_ in every)
    within = zip(every[:MOST_LOOKED_AT], areas, strict=False)
    chosen = [one for one, area in within if area <= MOST_AREA]
    if not chosen:
        return {}, len(every)
    printed = read_faces([by_id[id_] for _, id_ in chosen])
    looks: dict[tuple[str, Side], list[preflight.FaceLook]] = {}
    for (of_side, id_), (image, contents) in zip(chosen, printed, strict=True):
        look = preflight.FaceLook(tuple(alike[of_side][id_]), image, contents)
        looks.setdefault(of_side, []).append(look)
    return looks, len(every)
