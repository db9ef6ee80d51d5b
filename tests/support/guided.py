"""Take a folder, make in it the game that the guide ends with: a starter, and what it adds."""

from __future__ import annotations

import csv
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner
from msgspec import Struct

from generator import pipeline
from generator.cli import main
from tests.support.walked import blocks

GUIDE = Path(__file__).parents[2] / "docs/guide.md"
ADDED = Path(__file__).parents[1] / "guide"
VARIANT = "variant.toml"  # what is written at the end of game.toml
_FOR_HANDS = ("pipx",)  # what only a person's terminal can do
_GIT = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "A. Designer"), ("EMAIL", "a@example.org"))
}


class Done(Struct, frozen=True):
    """A command of the guide, what it said and its exit code."""

    command: str
    said: str
    exit_code: int


def guided(folder: Path) -> Path:
    """The folder of the game, `folder`/my-game, all of it in German too."""
    game = pipeline.start(str(folder / "my-game"), "cards")
    _write_files(game)
    shutil.copytree(ADDED, game, dirs_exist_ok=True, ignore=shutil.ignore_patterns(VARIANT))
    with (game / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write((ADDED / VARIANT).read_text("utf-8"))
    return game


def follow(folder: Path) -> Iterator[Done]:
    """Does in `folder`, the working directory, what the guide says, step by step.

    Two things are left out: what is done in the folder of pnp, and the preview, which does not end.
    """
    game = folder / "my-game"
    for block in blocks(GUIDE):
        if block.file:
            (game / block.file).write_text(block.text, "utf-8")
        elif block.kind == "sh":
            for line in block.text.splitlines():
                if not line.startswith((*_FOR_HANDS, "pnp preview")):
                    yield _run(line)
        elif block.kind == "csv":
            _enter(block.text, game / "cards.csv")
        elif block.kind == "toml" and block.text not in (game / "game.toml").read_text("utf-8"):
            with (game / "game.toml").open("a", encoding="utf-8") as spec:
                spec.write(f"\n{block.text}")


def _write_files(game: Path) -> None:
    for block in blocks(GUIDE):
        if block.file:
            (game / block.file).write_text(block.text, "utf-8")


def _run(line: str) -> Done:
    program, *words = shlex.split(line)
    if program == "pnp":
        result = CliRunner().invoke(main, words, prog_name="pnp")
        return Done(line, result.output, result.exit_code)
    assert program == "git", f"{line}: the guide says what this test cannot do"
    done = subprocess.run([program, *words], env=os.environ | _GIT, capture_output=True, text=True, check=False)
    return Done(line, done.stdout + done.stderr, done.returncode)


def _enter(shown: str, table: Path) -> None:
    """Enters cells as in a spreadsheet: in the row of their id, and in new columns beside it."""
    given = {row["id"]: row for row in csv.DictReader(shown.splitlines())}
    with table.open(encoding="utf-8", newline="") as file:
        rows = [row | given.get(row["id"], {}) for row in csv.DictReader(file)]
    columns = dict.fromkeys(name for row in rows for name in row)
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
