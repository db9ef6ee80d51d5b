"""Take a page that walks through an addition, do what it says in a folder: write each file that it
shows, run each command, in the order of the page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

_BLOCK = re.compile(r"(?:^`(\S+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INSTALL = "pip install -e "
_PROGRAMS = {"pnp": "generator", "pytest": "pytest"}


class Block(Struct, frozen=True):
    """A block of code of a page: the file that it is, or "", its kind and its text."""

    file: str
    kind: str
    text: str


class Run(Struct, frozen=True):
    """A command as the page has it, what the page says it prints, and what it did."""

    command: str
    told: str | None  # None: the page does not say
    output: str
    exit_code: int


def blocks(page: Path) -> list[Block]:
    return [Block(*groups) for groups in _BLOCK.findall(page.read_text("utf-8"))]


def walk(page: Path, folder: Path) -> Iterator[Run]:
    """The commands of a page, each when it has been run in `folder`."""
    shown = blocks(page)
    for block, after in zip(shown, [*shown[1:], Block("", "", "")], strict=True):
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")
        elif block.kind == "sh":
            *most, last = block.text.splitlines()
            told = after.text if after.kind == "text" else None
            yield from (_run(command, folder, None) for command in most)
            yield _run(last, folder, told)


def _run(command: str, folder: Path, told: str | None) -> Run:
    if command.startswith(_INSTALL):
        _install(folder / command.removeprefix(_INSTALL))
        return Run(command, told, "", 0)
    program, *words = command.split()
    installed = [str(metadata.parent) for metadata in folder.glob("**/*.dist-info")]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(installed),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # a contributor's need none
    }
    done = subprocess.run(
        [sys.executable, "-m", _PROGRAMS[program], *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Run(command, told, done.stdout, done.returncode)


def _install(folder: Path) -> None:
    """As pip does it in `folder`, without a network: the package stands there already, and gets its
    metadata beside it."""
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    name, version = project["name"], project["version"]
    metadata = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n", "utf-8")
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{point} = {thing}" for point, thing in points.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines), "utf-8")
