"""Take the name of a game, make its folder and variant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from generator.errors import PnpError, did_you_mean, fail, shown
from generator.spec.source import SPEC, Source

_PACKAGE = Path(__file__).parent.parent
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


def _shelves() -> list[Path]:
    """Where games stand: templates/ of the working folder, then those that ship with us."""
    shelves = (Path.cwd() / "templates", _PACKAGE.parent / "templates", _PACKAGE / "templates")
    return [shelf for shelf in dict.fromkeys(shelves) if shelf.is_dir()]


def names() -> list[str]:
    """The names of all games and their variants."""
    found = {name for folder in _games() for name in (folder.name, *_variants(folder))}
    return sorted(found)


def find(name: str) -> tuple[Path, str]:
    """The folder of a game and the variant ("" for the game itself).

    `name` is a name from `names()`, or the path of a folder with a game.toml, `-VARIANT` behind
    it or not. Raises PnpError.
    """
    if "/" in name or name in (".", ".."):
        return _find_path(name)
    folders = list(_games())
    found = _find_among(name, folders)
    if found:
        return found
    hint = did_you_mean(name, names())
    if _is_game(Path(name)):
        hint = f"for the folder of that name here: ./{name}"
    raise fail(shown(name), "there is no such game", hint)


def holds(folder: Path, variant: str) -> bool:
    """Whether a folder is that of a game that has the variant. Raises PnpError: its spec cannot
    be read."""
    return _is_game(folder) and (not variant or variant in Source(folder).raw.get("variant", ()))


def _find_path(name: str) -> tuple[Path, str]:
    try:
        folder = Path(name).resolve()
        if _is_game(folder):
            return folder, ""
        siblings = sorted(folder.parent.iterdir()) if folder.parent.is_dir() else []
        found = None if folder.exists() else _find_among(folder.name, filter(_is_game, siblings))
        what = _absence(folder)
    except (OSError, ValueError, RuntimeError):  # too long, a null character, a loop of links
        found, what = None, "this is no path"
    if found is None:
        raise fail(shown(name), what, "name a game of `pnp list`, or a folder with a game.toml")
    return found


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
    """The folders of all games; the first shelf's where two have the same name."""
    seen: set[str] = set()
    for shelf in _shelves():
        for folder in sorted(shelf.iterdir()):
            is_ours = _NAME.fullmatch(folder.name) and _is_game(folder)
            if is_ours and folder.name not in seen:
                seen.add(folder.name)
                yield folder


def _is_game(folder: Path) -> bool:
    return (folder / SPEC).is_file()


def _variants(folder: Path) -> list[str]:
    """The full names of a game's variants; none when its spec cannot be read (`read` says why)."""
    try:
        variants = Source(folder).raw.get("variant")
    except PnpError:
        return []
    found = variants if isinstance(variants, dict) else {}
    return [f"{folder.name}-{name}" for name in found if _NAME.fullmatch(name)]
