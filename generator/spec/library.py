"""Take the name of a game, make its folder and variant."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from generator.errors import did_you_mean, fail

_PACKAGE = Path(__file__).parent.parent
_SPEC = "game.toml"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


def _shelves() -> list[Path]:
    """Where games stand: templates/ of the working folder, then those that ship with us."""
    shelves = (Path.cwd() / "templates", _PACKAGE.parent / "templates", _PACKAGE / "templates")
    return [shelf for shelf in dict.fromkeys(shelves) if shelf.is_dir()]


def names() -> list[str]:
    """The names of all games and their variants."""
    found = {name for folder in _folders() for name in (folder.name, *_variants(folder))}
    return sorted(found)


def find(name: str) -> tuple[Path, str]:
    """The folder of a game and the variant ("" for the game itself).

    `name` is a name from `names()` or the path of a folder with a game.toml. Raises PnpError.
    """
    if "/" in name or name == ".":
        folder = Path(name).resolve()
        if not (folder / _SPEC).is_file():
            raise fail(name, f"there is no {_SPEC} in this folder")
        return folder, ""
    for folder in _folders():
        if folder.name == name:
            return folder, ""
    for folder in _folders():
        if name in _variants(folder):
            return folder, name.removeprefix(f"{folder.name}-")
    raise fail(name, "there is no such game", did_you_mean(name, names()))


def _folders() -> Iterator[Path]:
    seen: set[str] = set()
    for shelf in _shelves():
        for folder in sorted(shelf.iterdir()):
            is_game = _NAME.fullmatch(folder.name) and (folder / _SPEC).is_file()
            if is_game and folder.name not in seen:
                seen.add(folder.name)
                yield folder


def _variants(folder: Path) -> list[str]:
    """The full names of a game's variants; none when its spec cannot be read (`read` says why)."""
    try:
        variants = tomllib.loads((folder / _SPEC).read_text("utf-8-sig")).get("variant", {})
    except (OSError, ValueError, RecursionError):
        return []
    return [f"{folder.name}-{name}" for name in variants] if isinstance(variants, dict) else []
