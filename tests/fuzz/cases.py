"""What a case is, and how it is kept in a folder to be run again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

GAME = "./game"  # where a case's files lie, as `pnp` is told
OUTPUT = "out/game.pdf"  # holds EARLIER before each run
EARLIER = b"the earlier output"
PLAN = ("build", GAME, "--plan", "-o", OUTPUT)
DRAFT = ("build", GAME, "--draft", "--plan", "-o", OUTPUT)
BUILD = ("build", GAME, "-o", OUTPUT)
CHECK = ("check", GAME)
TAKEN_PORT = 48_731  # on which another program listens
_TOLD = "case.json"


@dataclass(frozen=True)
class Case:
    """The files of a game, by their names in its folder, and the arguments of `pnp`."""

    files: Mapping[str, bytes]
    arguments: tuple[str, ...] = PLAN


Make = Callable[[Random], Case]


@dataclass(frozen=True)
class Area:
    """Makes cases of one kind; `share` is how many of a hundred cases are of it."""

    make: Make
    share: int

    def case(self, name: str, seed: int, index: int) -> Case:
        """The same for the same numbers, on every machine with this Python."""
        return self.make(Random(f"{name}/{seed}/{index}"))


def with_command(rng: Random, files: Mapping[str, bytes]) -> Case:
    """The case as nearly always, planned, a fifth as a draft; a few are printed or checked, which
    takes a second."""
    chance = rng.random()
    usual = DRAFT if chance > 0.8 else PLAN
    return Case(files, BUILD if chance < 0.002 else CHECK if chance < 0.003 else usual)


def save(case: Case, folder: Path, about: Mapping[str, object]) -> None:
    """Keep a case in a folder: its game, its arguments, and what is known of it."""
    (folder / "game").mkdir(parents=True, exist_ok=True)
    for name, content in case.files.items():
        path = folder / "game" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    told = {"arguments": case.arguments, **about}
    (folder / _TOLD).write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def load(folder: Path) -> Case:
    """The case that `save` kept, or that a person has edited since."""
    told = json.loads((folder / _TOLD).read_text("utf-8"))
    game = folder / "game"
    files = {path.relative_to(game).as_posix(): path.read_bytes() for path in sorted(game.rglob("*")) if path.is_file()}
    return Case(files, tuple(told["arguments"]))
