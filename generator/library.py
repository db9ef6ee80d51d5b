"""The library for programs: list, load, check, plan, print and export games.

Each function imports what it needs when it is called. All of them raise PnpError with every fault
that they find, and then write nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

if TYPE_CHECKING:
    from generator.basics.errors import Problem
    from generator.model import Game
    from generator.pipeline import Plan, PrintedGame, PrintOptions


def list_games() -> list[str]:
    """The names of all games and their variants: those in templates/ of the working folder, those
    that ship with pnp, and those that installed packages add."""
    from generator import pipeline

    return pipeline.names()


def load_game(game: str | Path, *, language: str = "") -> Game:
    """Reads a game and validates its files, but does not check its decks.

    `game` is a name from `list_games`, or the path of a folder with a game.toml; a variant's name
    follows either ("talavera-balanced"). `language` is a language of its tables.
    """
    from generator import pipeline

    return pipeline.read(_name(game), language).game


def check_game(game: str | Path, *, shop: str | None = None, **options: Unpack[PrintOptions]) -> list[Problem]:
    """The findings about a game, the most severe first: faults of its files, of its decks, and of its faces as they
    print, and what `print_game` would refuse with the same options. Faults of files are returned, not raised.

    `printer` also gives the drift of the backs; by default, the usual drift is assumed. `language`
    limits the check to one language; by default, all languages of the tables are checked. `shop`
    is the name of a print shop, whose sizes and limits are then checked instead of the paper's.
    """
    from generator import pipeline

    return pipeline.check(_name(game), options, shop)


def plan_game(
    game: str | Path, *, progress: Callable[[str], None] | None = None, **options: Unpack[PrintOptions]
) -> Plan:
    """How `print_game` would fill the paper with the same options. Prints nothing.

    A rule that the deck breaks stops `print_game`; here it is one of the plan's `faults`.
    """
    from generator import pipeline

    request = pipeline.parse_request(_name(game), options)
    return pipeline.plan(request, progress or pipeline.silent)


def print_game(
    game: str | Path,
    output: str | Path | None = None,
    *,
    progress: Callable[[str], None] | None = None,
    **options: Unpack[PrintOptions],
) -> PrintedGame:
    """Write the PDF of a game.

    output: a file, or a folder for GAME.pdf; by default output/GAME.pdf. With sides="separate" the
        backs go to a file beside it, GAME-backs.pdf. With a cutter, the files that cut its sheets
        go to a folder beside it, GAME-cut.
    progress: called with the name of each step as it begins.
    options: see `PrintOptions`.
    """
    from generator.pdf import Press

    with Press() as press:  # its process loads libraries while this one loads its own
        from generator import pipeline

        request = pipeline.parse_request(_name(game), options)
        return pipeline.print_game(request, _path(output), press, progress or pipeline.silent)


def print_games(
    games: Sequence[str | Path],
    output: str | Path | None = None,
    *,
    progress: Callable[[str], None] | None = None,
    **options: Unpack[PrintOptions],
) -> PrintedGame:
    """Write several games to one PDF, one after the other, each with its cover and its rules; each begins on a front.

    output: a file for all of them; or a folder, or None, for a file each, as `print_game` writes.
    progress, options: as for `print_game`; the options are those of every game.
    """
    from generator import pipeline

    requests = [pipeline.parse_request(_name(game), options) for game in games]
    return pipeline.print_games(requests, _path(output), progress or pipeline.silent)


def export_game(
    game: str | Path,
    to: str,
    folder: str | Path | None = None,
    *,
    settings: Mapping[str, object] | None = None,
    progress: Callable[[str], None] | None = None,
    note: Callable[[Problem], None] | None = None,
    **options: Unpack[PrintOptions],
) -> Path:
    """Write files of a game in another format; returns their folder.

    to: the format: "png", "svg", or one that an installed package adds.
    folder: by default output/GAME.
    settings: the options of the format by name: dpi and drift for png, text for svg, shop for shop.
    note: called with what the format leaves out, or wants done with its files.
    options: how the game is printed, for pictures of its sheets; see `PrintOptions`.
    """
    from generator import pipeline

    request = pipeline.parse_request(_name(game), options)
    return pipeline.export_kit(request, to, settings or {}, _path(folder), progress or pipeline.silent, note)


def _path(path: str | Path | None) -> Path | None:
    return None if path is None else Path(path)


def _name(game: str | Path) -> str:
    """A path as an argument of `pnp`, with a slash, because a bare word is a name."""
    if isinstance(game, str):
        return game
    path = game.as_posix()
    return path if "/" in path or path in (".", "..") else f"./{path}"
