"""Folders and variants of games, by their names.

Games are in templates/ of the working folder, ship with pnp, or come with installed packages: an
entry point of the group `pnp.games` names a package whose folder contains folders of games.
"""

import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path, PurePath
from types import ModuleType

from generator.basics.catalogue import Catalogue
from generator.basics.errors import Place, PnpError, Problem, did_you_mean, fail, nearest, quote
from generator.basics.files import MEGABYTE, read_within
from generator.game.spec import SPEC, Spec, table_of

_PACKAGE = Path(__file__).parent.parent
_HINT = "name a game that `pnp list` shows, or a folder with a game.toml"
OWN_COPIES = "for your own copies; pass the folder on only if its licence allows it"
NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
GAMES: Catalogue[ModuleType] = Catalogue("pnp.games", {})


def _shelves() -> list[Path]:
    """The folders of games: templates/ of the working folder, then those that ship with pnp."""
    shelves = (Path.cwd() / "templates", _PACKAGE.parent / "templates", _PACKAGE / "templates")
    return [shelf for shelf in dict.fromkeys(shelves) if shelf.is_dir()]


def _added_shelves() -> Iterator[Path]:
    """The folders of packages that add games. Raises PnpError if one cannot be loaded."""
    for name in GAMES:
        folders = getattr(GAMES[name], "__path__", None)
        if folders is None:
            what = f"{quote(name)} names a module; games are in the folder of a package"
            raise fail(Place(f"the package {GAMES.package_of(name)}"), what)
        yield from map(Path, folders)


def names() -> list[str]:
    """The names of all games and their variants."""
    return sorted({name for folder in _games() for name in (folder.name, *_variants(folder))})


def find(name: str) -> tuple[Path, str]:
    """Finds the folder of a game and the variant ("" for the game itself).

    `name` is a name from `names()`, or the path of a folder with a game.toml, with or without `-VARIANT` behind it. If
    no game has that name, it may be a folder here. Raises PnpError if there is no such game.
    """
    if is_path(name):
        return _find_path(name)
    here = list(_games_in(Path())) if name else []
    for games in (_games_on(_shelves()), here, _games()):  # packages come last
        if match := _find_among(name, games):
            return match[0].resolve(), match[1]
    local_names = {folder.name for folder in here}
    raise fail(Place(quote(name)), "there is no such game", did_you_mean(name, local_names.union(names())))


def is_path(name: str) -> bool:
    """Whether a text is the path of a folder, as this system writes paths, not the name of a game."""
    return PurePath(name).name != name or name == ".."


def holds(folder: Path, variant: str) -> bool:
    """Whether a folder contains a game that has the variant. Raises PnpError if its spec cannot be read."""
    return _is_game(folder) and (not variant or variant in Spec(folder).raw.get("variant", ()))


def remind_of_import(folder: Path) -> Iterator[Problem]:
    """A note for whoever publishes a game with the faces of an imported PDF. Raises PnpError."""
    place = Place.in_folder(folder, file := "CREDITS.md")
    if (folder / file).is_file() and OWN_COPIES.encode() in read_within(folder, file, MEGABYTE, place):
        yield Problem(place, "its faces are from an imported PDF", "publish them only if its licence allows it", "note")


def _find_path(name: str) -> tuple[Path, str]:
    try:
        folder = Path(name).resolve()
        if _is_game(folder):
            return folder, ""
        games = list(_games_in(folder.parent)) if folder.parent.is_dir() else []
        match = None if folder.exists() else _find_among(folder.name, games)
        what, hint = _absence(folder), _hint(name, folder, games)
    except OSError as error:  # too long, no permission
        match, what, hint = None, f"this cannot be read: {error.strerror}", _HINT
    except (ValueError, RuntimeError):  # a null character, a loop of links before Python 3.13
        match, what, hint = None, "this is not a path", _HINT
    if match is None:
        raise fail(Place(quote(name)), what, hint)
    return match


def _hint(name: str, folder: Path, beside: Iterable[Path]) -> str:
    """Names the game probably meant: the one around this folder, or one beside it."""
    if folder.exists():
        return f"its game is {Path(name).parent}" if _is_game(folder.parent) else _HINT
    names = {variant for game in beside for variant in (game.name, *_variants(game))}
    near = nearest(folder.name, names)
    before = name.rstrip(f"/{os.sep}").removesuffix(folder.name)
    return f"did you mean {quote(before + near)}?" if near else _HINT


def _games_in(folder: Path) -> list[Path]:
    try:
        return [game for game in sorted(folder.iterdir()) if _is_game(game)]
    except OSError:  # no permission to list it
        return []


def _absence(folder: Path) -> str:
    if not folder.exists():
        return "there is no such folder"
    if not folder.is_dir():
        return "this is a file, not the folder of a game"
    if (folder / SPEC).exists():
        return f"its {SPEC} is not a plain file"
    return f"there is no {SPEC} in this folder"


def _find_among(name: str, folders: Iterable[Path]) -> tuple[Path, str] | None:
    folders = list(folders)
    for folder in folders:
        if folder.name == name:
            return folder, ""
    for folder in folders:
        if name.startswith(folder.name) and name in _variants(folder):
            return folder, name.removeprefix(f"{folder.name}-")
    return None


def _games() -> Iterator[Path]:
    """The folders of all games. Raises PnpError if a package that adds some cannot be loaded."""
    return _games_on(chain(_shelves(), _added_shelves()))


def _games_on(shelves: Iterable[Path]) -> Iterator[Path]:
    """The folders of games on some shelves; of two with the same name, the first."""
    names: set[str] = set()
    for shelf in shelves:
        for folder in _games_in(shelf):
            if NAME.fullmatch(folder.name) and folder.name not in names:
                names.add(folder.name)
                yield folder


def _is_game(folder: Path) -> bool:
    try:
        return (folder / SPEC).is_file()
    except OSError:  # no permission
        return False


def about(name: str) -> str:
    """The sentence that says what a game is. Raises PnpError if its spec cannot be read, or has none."""
    folder, variant = find(name)
    spec = Spec(folder)
    tables = [table_of(spec.raw, "game")]
    if variant:
        tables.append(table_of(table_of(spec.raw, "variant"), variant))
    text = tables[-1].get("about")
    if not isinstance(text, str):
        raise fail(spec.spec, "the key 'about' is missing")
    return text


def _variants(folder: Path) -> list[str]:
    """The full names of a game's variants."""
    return [f"{folder.name}-{name}" for name in variants(folder)]


def variants(folder: Path) -> list[str]:
    """The variants of a game; none if its spec cannot be read, which `read` reports."""
    try:
        table = Spec(folder).raw.get("variant")
    except PnpError:
        return []
    return [name for name in table if NAME.fullmatch(name)] if isinstance(table, dict) else []
