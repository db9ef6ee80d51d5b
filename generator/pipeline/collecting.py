"""Take requests for several games, print them to one PDF, or each to its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from generator import pdf
from generator.basics.errors import PnpError, Problem, fail
from generator.basics.place import Place
from generator.basics.written import resolve_output, write_together
from generator.model import Sheet
from generator.pdf.inking import Inker
from generator.pipeline.printing import (
    ImposedGame,
    PrintedGame,
    folders_of,
    impose_game,
    mark_cuts,
    note_volumes,
    plan_files,
    trace_cuts,
)
from generator.pipeline.request import Request
from generator.pipeline.sheets import Progress, print_sheets


def print_games(
    requests: Sequence[Request], output: Path | None, progress: Progress
) -> PrintedGame:
    """Write the games to the file `output`, one after the other; or, if it is a folder or None, to
    a file each, as `print_game` does.

    Raises PnpError with the faults of all games, and then writes nothing.
    """
    if not _is_folder(output):
        requests = [replace(one, is_bound=len(requests) > 1) for one in requests]
    games = _impose(requests, progress)
    notes = [note for one in games for note in one.notes]
    faults = [fault for one in games for fault in one.faults]
    warnings = [warning for one in games for warning in one.warnings]
    games = [one for one in games if one.sheets]
    files: dict[Path, bytes] = {}
    cuts: dict[Path, bytes] = {}
    with Inker(requests[0].press_colour) as inker:
        for path, bound in _divide(output, games):
            planned = plan_files(path, bound)
            notes += note_volumes(path, planned)
            for file, parts in planned.items():
                if file in files:
                    what = "two of the games would be written here"
                    raise fail(Place(str(file)), what, "name a file for all of them: -o games.pdf")
                inked, more = inker.ink(_print(parts, progress))
                files[file] = mark_cuts(inked, parts)
                notes += more
            cuts |= trace_cuts(path, bound, progress)
    if files:
        write_together(next(iter(files)).parent, files | cuts)
    return PrintedGame([*files, *folders_of(cuts)], notes, faults, warnings)


def _impose(requests: Sequence[Request], progress: Progress) -> list[ImposedGame]:
    """Each game. Raises PnpError with the faults of all."""
    games: list[ImposedGame] = []
    problems: list[Problem] = []
    for request in requests:
        try:
            games.append(impose_game(request, progress))
        except PnpError as error:
            problems += error.problems
    if problems:
        raise PnpError(problems)
    return games


def _divide(output: Path | None, games: list[ImposedGame]) -> list[tuple[Path, list[ImposedGame]]]:
    """The files, and the games in each."""
    if _is_folder(output):
        return [(resolve_output(output, one.path), [one]) for one in games]
    return [(resolve_output(output, one.path), _in_step(games)) for one in games[:1]]


def _is_folder(output: Path | None) -> bool:
    """Whether each game has a file of its own."""
    with suppress(OSError):  # `resolve_output` reports the fault
        return output is None or output.is_dir()
    return False


def _in_step(games: list[ImposedGame]) -> list[ImposedGame]:
    """If a game has backs, the sheets of those without get empty ones: a duplex printer would print
    the next front there."""
    if not any(sheet.flip for one in games for sheet in one.sheets):
        return games
    return [replace(one, sheets=list(map(_back, one.sheets))) for one in games]


def _back(sheet: Sheet) -> Sheet:
    if len(sheet.pages) > 1:
        return sheet
    (front,) = sheet.pages
    empty = replace(front, side="back", placements=(), marks=(), labels=())
    return replace(sheet, pages=(front, empty))


def _print(parts: Sequence[tuple[ImposedGame, list[Sheet]]], progress: Progress) -> bytes:
    """One file. Each game has a press of its own, since a press knows only the fonts of one."""
    printed = []
    for game, sheets in parts:
        with pdf.Press(is_early=False) as press:
            printed.append(print_sheets(game.game, sheets, game.drawn, press, progress))
    if len(printed) == 1:
        return printed[0]
    from generator.pdf.binding import bind  # loads what only several games need

    return bind(printed)
