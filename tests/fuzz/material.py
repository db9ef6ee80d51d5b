"""The sound games that are broken: those that ship, the starters, the tests'; and parts of them."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.fuzz.toml import written

_ROOT = Path(__file__).parents[2]
_BESIDE = ("README.md", "case.toml")
_LONG = 150  # bytes of a table
Files = dict[str, bytes]


def files_of(folder: Path) -> Files:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths if path.name not in _BESIDE}


TINY = files_of(_ROOT / "tests/bad_specs/_tiny")


def spec_of(files: Mapping[str, bytes]) -> dict[str, Any]:
    return tomllib.loads(files["game.toml"].decode())


def with_spec(files: Mapping[str, bytes], spec: Mapping[str, Any]) -> Files:
    return {**files, "game.toml": written(spec).encode("utf-8", "surrogatepass")}


@cache
def large_games() -> Sequence[Files]:
    """The games that ship, whole: a second each."""
    return [files_of(path.parent) for path in sorted(_ROOT.glob("templates/*/game.toml"))]


@cache
def small_games() -> Sequence[Files]:
    """Games that are planned in a tenth of a second or less."""
    folders = [
        *sorted((_ROOT / "generator/game/starters").iterdir()),
        *sorted((_ROOT / "tests/templates").iterdir()),
        *(_ROOT / "tests/bad_specs" / name for name in ("_deck", "_tiny")),
    ]
    sound = [files_of(folder) for folder in folders if (folder / "game.toml").is_file()]
    return sound + [part for game in large_games() for part in _parts(game)]


def _parts(files: Files) -> list[Files]:
    """Each component of a game as a game; of a long table a few rows, and then no rules."""
    spec = spec_of(files)
    parts = []
    for component in spec["component"]:
        table = component.get("table", "")
        is_long = len(files.get(table, b"")) > _LONG
        own, alone = _alone(files, spec, component)
        if is_long:
            own[table] = _few_rows(files[table])
            alone["component"][0].pop("rule", None)
        parts.append(with_spec(own, alone))
    return parts


def _alone(files: Files, spec: Mapping[str, Any], component: Mapping[str, Any]) -> tuple[Files, dict[str, Any]]:
    """The files that a component names, and a spec of it alone."""
    named = str(component) + files.get(component.get("table", ""), b"").decode()
    alone: dict[str, Any] = {"game": spec["game"], "palette": spec.get("palette", {})}
    alone["art"] = {name: art for name, art in spec.get("art", {}).items() if name in named}
    alone["component"] = [dict(component)]
    kept = {*alone["art"].values(), *(name for name in files if name in named)}
    own = {name: files[name] for name in files if name in kept or name.startswith("icons/")}
    return own, alone


@cache
def playable() -> Files:
    """The cards of Talavera, which its engine plays with."""
    files = files_of(_ROOT / "templates/talavera")
    spec = spec_of(files)
    own, alone = _alone(files, spec, spec["component"][0])
    alone["component"][0].pop("rule")
    return with_spec(own, {**alone, "play": spec["play"]})


def _few_rows(table: bytes) -> bytes:
    rows = list(csv.reader(io.StringIO(table.decode())))
    written = io.StringIO(newline="")
    csv.writer(written).writerows(rows[:4])
    return written.getvalue().encode()


@cache
def drawings() -> Sequence[bytes]:
    """Every SVG there is, of a size that is read in no time."""
    folders = ("templates", "generator", "tests/editors", "tests/templates", "tests/guide")
    paths = sorted(path for folder in folders for path in (_ROOT / folder).rglob("*.svg"))
    contents = (path.read_bytes() for path in paths)
    return [content for content in contents if len(content) < 16_000]


@cache
def rulebooks() -> Sequence[str]:
    paths = sorted(_ROOT.glob("templates/*/rules.md"))
    return [path.read_text("utf-8") for path in paths]


def with_rules() -> Files:
    """The tiny game with a booklet."""
    spec = spec_of(TINY) | {"booklet": {}}
    return with_spec({**TINY, "rules.md": b"## A section\n\nA line.\n"}, spec)


@cache
def fonts() -> Sequence[bytes]:
    """Small fonts of several scripts."""
    return [path.read_bytes() for path in sorted(_ROOT.glob("tests/fonts/*/*.ttf"))]
