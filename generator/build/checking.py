"""Take the name of a game, make all findings about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, product, zip_longest
from typing import TYPE_CHECKING

from generator import pdf, rules
from generator.build.game import SIDES, FaceKey, draw, print_sheets, read, silent
from generator.errors import PnpError, Problem
from generator.model import Face, Game, Side
from generator.printers import Profile

if TYPE_CHECKING:
    from generator import preflight

MOST_LOOKED_AT = 400  # faces that a check looks at, so that it stays quick
MOST_AREA = 1.2e6  # mm² of them: 230 MB of pixels
LOOKING_DPI = 200  # what is told in tenths of a mm


def check(name: str, printer: Profile | None = None, language: str | None = None) -> list[Problem]:
    """All findings about a game: of its files, of its faces, of its rules; in each language that
    its tables have, or in that one.

    `printer` says how far backs are off; without one the usual is assumed.
    """
    try:
        game = read(name, language or "")
    except PnpError as error:
        return list(error.problems)
    found = _findings(game, printer)
    if language:
        return [_told_in(language, problem) for problem in found]
    more = [_found_in(other, name, game, printer) for other in game.languages]
    plain = set(found)
    return found + [
        _told_in(other, problem)
        for other, problems in zip(game.languages, more, strict=True)
        for problem in problems
        if problem not in plain
    ]


def _found_in(language: str, name: str, plain: Game, printer: Profile | None) -> Iterator[Problem]:
    """The findings in a language, those of the game as a whole told of the plain one."""
    try:
        game = read(name, language)
        found = _findings(game, printer)
    except PnpError as error:
        yield from error.problems
        return
    for problem in found:
        yield replace(problem, where=plain.name) if problem.where == game.name else problem


def _told_in(language: str, problem: Problem) -> Problem:
    return replace(problem, what=f"{language}: {problem.what.removeprefix(f'{language}: ')}")


def _findings(game: Game, printer: Profile | None) -> list[Problem]:
    try:
        with pdf.Press() as press:  # it loads while rules are checked and faces drawn
            findings = rules.check(game)
            try:
                drawn = draw(game, silent)
                return [*findings, *_misprints(game, drawn, printer, press)]
            except PnpError as error:
                return [*error.problems, *findings]
    except PnpError as error:
        return list(error.problems)


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
    printed = print_sheets(game, sheets, drawn, press, silent)
    images, letters = export.rasterise(printed, LOOKING_DPI), export.letters(printed)
    looks: dict[tuple[str, Side], list[preflight.Look]] = {}
    for (of_side, id_), image, boxes in zip(chosen, images, letters, strict=True):
        look = preflight.Look(tuple(alike[of_side][id_]), image, boxes)
        looks.setdefault(of_side, []).append(look)
    return looks, len(every)
