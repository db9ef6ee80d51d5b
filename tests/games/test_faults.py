"""Faults planted in the games of the house are found, each named at its place.

`faults/GAME.toml` lists them: the edits, a file with what stands there once and what it becomes,
and what is then told. Where is a place as a message names it ("cards.csv:3 column sky"), or in
game.toml: "=" is the line of the first edit, "=2" that of the second, "rule unique" the first
[[component.rule]] of that kind, "at WORDS" the first line that has these words, "above WORDS" the
table in double brackets that holds them. "figure" is the line of the booklet where its start is.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from generator import checks, pipeline
from generator.basics.errors import PnpError, Problem
from generator.checks import Reasons
from generator.pipeline.game import CHECKS

HERE = Path(__file__).parent
TEMPLATES = HERE.parents[1] / "templates"
SPEC = "game.toml"
GAMES = sorted(path.stem for path in (HERE / "faults").glob("*.toml"))
FAULTS: dict[str, Any] = {
    f"{game}: {fault['name']}": {"game": game, **fault}
    for game in GAMES
    for fault in tomllib.loads((HERE / "faults" / f"{game}.toml").read_text("utf-8"))["fault"]
}


def broken(fault: Any, folder: Path) -> list[int]:
    """Edit a copy of the game: the line of each edit, at its first letter that differs."""
    lines = []
    for file, old, new in fault["edits"]:
        path = folder / file
        text = path.read_text("utf-8")
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        path.write_text(text.replace(old, new), "utf-8")
        same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
        lines.append(text.count("\n", 0, text.index(old) + same) + 1)
    return lines


def leave_out_scenes(spec: Path) -> None:
    """Remove what only shows pieces, by their names: a row that is lost is a fault there first."""
    parts = re.split(r"(?m)^(?=\[)", spec.read_text("utf-8"))
    shows = ("[scene", "[[scene", "[cover", "[ink")
    spec.write_text("".join(part for part in parts if not part.startswith(shows)), "utf-8")


def findings(name: str) -> list[Problem]:
    """What rules say that the spec does not accept, and what of the spec is stale by that."""
    try:
        loaded = pipeline.read(name)
    except PnpError as error:
        return list(error.problems)
    reasons = Reasons([accept for accept in loaded.game.accepts if accept.finding in CHECKS])
    settled = [reasons.settle(problem) for problem in checks.check(loaded)]
    stale = reasons.stale(checks.UNDECLARED, CHECKS)
    return [problem for problem in (*settled, *stale) if problem.level != "note"]


def place(where: str, lines: list[int], folder: Path) -> str:
    spec = (folder / SPEC).read_text("utf-8")
    kind, _, words = where.partition(" ")
    if where.startswith("="):
        line = lines[int(where[1:] or 1) - 1]
    elif kind == "at":
        line = spec.count("\n", 0, spec.index(words)) + 1
    elif kind == "above":
        line = spec.count("\n", 0, spec.rindex("[[", 0, spec.index(words))) + 1
    elif kind == "rule":
        line = spec.count("\n", 0, spec.index(f'[[component.rule]]\nkind = "{words}"\n')) + 1
    elif kind == "figure":
        rules_text = (folder / "rules.md").read_text("utf-8")
        figure = rules_text.index("::: table The three start tiles")
        return f"{folder.name}/rules.md:{rules_text.count(chr(10), 0, figure) + 1}"
    else:
        return f"{folder.name}/{where}"
    return f"{folder.name}/{SPEC}:{line}"


@pytest.mark.parametrize("game", [name for name in pipeline.names() if name.partition("-")[0] in GAMES])
def test_sound_game(game: str) -> None:
    assert findings(game) == []


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = FAULTS[name]
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / fault["game"]
    shutil.copytree(TEMPLATES / fault["game"], folder)
    leave_out_scenes(folder / SPEC)
    lines = broken(fault, folder)
    found = findings(f"./{folder.name}{fault.get('variant', '')}")
    told = "\n".join(map(str, found))
    for where, words in fault["told"]:
        at = place(where, lines, folder)
        assert any(str(p.place) == at and words in p.what for p in found), f"{at}: {words}\n\n{told}"


def test_there_are_enough() -> None:
    """Those that once passed, and fifty new ones."""
    assert len(FAULTS) >= 21 + 50
    assert len(GAMES) == 5
