"""The names of all games, and what each is.

Also the folder of a new game, made from a starter for a kind of pieces.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from pathlib import Path

from generator import game
from generator.basics.bounds import Bound
from generator.basics.catalogue import Addition, is_extended
from generator.basics.errors import Place, fail, quote
from generator.basics.files import write_folder

STARTERS = Path(__file__).parents[1] / "game" / "starters"
_WORKFLOW = Path(__file__).parents[1] / "export" / "site" / "workflow.yml"


def names() -> list[str]:
    """The names of all games and their variants. Raises PnpError if reading them takes too much."""
    with Bound(Place("the list of games")).hold():
        return game.names()


def about(name: str) -> str:
    """The sentence that says what a game is. Raises PnpError if its spec cannot be read."""
    with Bound(Place(quote(name))).hold():
        return game.about(name)


def additions() -> list[Addition]:
    """The additions of installed packages, of each kind in alphabetical order."""
    if not is_extended():
        return []
    from generator.pipeline.exporting import EXPORTERS  # loading takes a third of a second
    from generator.pipeline.game import CHECKS, RENDERERS
    from generator.pipeline.playtesting import ENGINES

    catalogues = (game.GAMES, RENDERERS, CHECKS, ENGINES, EXPORTERS)
    return [addition for catalogue in catalogues for addition in catalogue.additions()]


def start(name: str, kind: str, *, has_site: bool = False) -> Path:
    """Writes the starter of that kind to the folder `name`, with its title, and returns the folder.
    With `has_site`, a workflow publishes the game's page from a repository of this folder.

    Raises PnpError and writes nothing if the name is not valid or the folder exists.
    """
    folder = Path(name)
    _check_name(folder)
    starter = STARTERS / kind
    paths = (path for path in sorted(starter.rglob("*")) if path.is_file())
    files = {path.relative_to(starter).as_posix(): path.read_bytes() for path in paths}
    title = tomllib.loads(files["game.toml"].decode())["game"]["title"].encode()
    for file in ("game.toml", "README.md"):
        files[file] = files[file].replace(title, _title(folder.name).encode(), 1)
    files["game.schema.json"] = schema_text().encode()
    if has_site:
        files[".github/workflows/pages.yml"] = _WORKFLOW.read_bytes()
    write_folder(folder, files)
    return folder


def schema_text() -> str:
    """The JSON Schema of game.toml as the text of a file."""
    from generator.pipeline.game import schema  # a list needs none

    return json.dumps(schema(), indent=2) + "\n"


def _check_name(folder: Path) -> None:
    """Raises PnpError if the folder's name is not a valid name for a game."""
    from generator.tables.fields import MAX_TITLE

    name = folder.name
    if game.NAME.fullmatch(name) and len(name) <= MAX_TITLE:
        return
    if name in ("", ".."):
        what = "a new game needs a name"
        raise fail(Place(quote(str(folder))), what, "pnp new my-game")
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    near = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-_")[:MAX_TITLE]
    hint = f"use a-z, 0-9, '-' and '_', at most {MAX_TITLE} characters, such as {near or 'my-game'}"
    raise fail(Place(quote(name)), "this is not a valid name for a game", hint)


def _title(name: str) -> str:
    words = re.split("[-_]+", name)
    return " ".join(word.capitalize() for word in words).strip()
