"""`pnp new`: a stranger's first game builds at once, and nothing that was there is lost."""

from __future__ import annotations

import io
import json
import os
import re
import tomllib
from pathlib import Path

import pytest
import resvg_py
from lxml import etree
from PIL import Image

from generator import pipeline
from generator.cli.preview import KINDS
from generator.pipeline.listing import STARTERS
from generator.text import HOUSE_FONTS
from tests.conftest import Pnp

DRAWINGS = sorted(STARTERS.glob("*/*.svg"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def held(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_every_starter_can_be_asked_for() -> None:
    assert set(KINDS) == {folder.name for folder in STARTERS.iterdir()}


@pytest.mark.parametrize("kind", KINDS)
def test_it_builds_and_passes_its_checks_at_once(kind: str, here: Path, pnp: Pnp) -> None:
    made = pnp("new", "first-try", "--kind", kind)
    assert (made.exit_code, made.stdout) == (0, "first-try\n")
    assert "pnp build ./first-try" in made.stderr
    checked = pnp("check", "./first-try")
    assert checked.output == "./first-try: 0 errors, 0 warnings, 0 notes\n"
    sold = pnp("check", "./first-try", "--for", "thegamecrafter").output
    assert "./first-try: 0 errors, 0 warnings" in sold
    for paper in ("letter", "a4"):
        built = pnp("build", "./first-try", "--paper", paper)
        assert (built.exit_code, built.stdout) == (0, "output/first-try.pdf\n")
    assert held(here) == {"first-try", "output"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("here")
def test_it_is_titled_by_its_name_and_tells_editors_its_schema(kind: str) -> None:
    folder = pipeline.start("games/my-2nd_game", kind)
    spec, readme = ((folder / name).read_text("utf-8") for name in ("game.toml", "README.md"))
    assert tomllib.loads(spec)["game"]["title"] == "My 2nd Game"
    assert readme.startswith("# My 2nd Game\n")
    first = spec.splitlines()[0]
    assert first == "#:schema game.schema.json"
    assert json.loads((folder / first.split()[1]).read_text("utf-8")) == pipeline.schema()


@pytest.mark.parametrize("kind", KINDS)
def test_the_readme_is_short_and_tells_of_every_file(kind: str, pnp: Pnp) -> None:
    text = (STARTERS / kind / "README.md").read_text("utf-8")
    told = {name.rstrip("/") for name in re.findall(r"`([\w.-]+/?)`", text)}
    files_ = held(STARTERS / kind) - {"README.md"} | {"game.schema.json"}
    assert files_ <= told
    lines = [line for line in text.splitlines() if line and "```" not in line]
    assert len(lines) <= 13
    commands = [line.removeprefix("pnp ").split("  ")[0] for line in lines if line[:4] == "pnp "]
    assert len(commands) == 5
    assert all(command.split()[1] == "." for command in commands)
    for command in ("preview .", "check .", "build .", "diff .", "export . --to png"):
        assert command in commands
        assert pnp(*command.split(), "--help").exit_code == 0


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_drawing_shows_in_an_editor_as_it_stands(path: Path) -> None:
    """Another engine, which knows nothing of templates, draws it: words, colours and pictures."""
    root = etree.parse(path).getroot()
    if "{{" in path.read_text("utf-8") or "pnp:" in path.read_text("utf-8"):
        assert "pnp" in root.nsmap
    for image in root.iter("{*}image"):
        assert (path.parent / image.get("href", "")).is_file()
    png = resvg_py.svg_to_bytes(
        svg_path=str(path),
        resources_dir=str(path.parent),
        width=300,
        dpi=96,
        skip_system_fonts=True,
        font_dirs=[str(folder) for folder in HOUSE_FONTS.iterdir()],
    )
    shown = Image.open(io.BytesIO(bytes(png))).convert("RGB")
    colours = shown.getcolors(shown.width * shown.height) or []
    least = shown.width * shown.height / 400
    assert len([count for count, _ in colours if count > least]) >= 3
    assert sum(shown.convert("L").histogram()[:90]) > 100  # words, dark lines


NAMES = {
    "": "a new game needs a name",
    ".": "a new game needs a name",
    "..": "a new game needs a name",
    "/": "a new game needs a name",
    "My Game": "at most 60 characters, such as my-game",
    "Schöner Tag!": "at most 60 characters, such as schoner-tag",
    "日本": "at most 60 characters, such as my-game",
    "_x": "at most 60 characters, such as x",
    "a\nb": "at most 60 characters, such as a-b",
    "x" * 300: "not a valid name",
    "full": "already exists and is not empty",
    "file": "a file with this name already exists",
    "lost": "a file with this name already exists",
    "full/kept/deep": "cannot be made",
    "../stands": "this is the working folder",
    "nul\0/x": "this is not a path",
}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_there_is_never_written_over(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp
) -> None:
    here = tmp_path / "stands"
    here.mkdir()
    monkeypatch.chdir(here)
    if name != "../stands":
        (here / "full").mkdir()
        for file in ("full/kept", "file"):
            (here / file).write_text("mine", "utf-8")
        (here / "lost").symlink_to("nowhere")
    before = sorted(here.rglob("*"))
    result = pnp("new", name)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("error: ") == 1
    assert NAMES[name] in result.stderr
    assert "itself is at fault" not in result.stderr
    assert sorted(here.rglob("*")) == before
    assert held(tmp_path) == {"stands"}


def test_an_empty_folder_is_filled(here: Path, pnp: Pnp) -> None:
    (here / "empty").mkdir()
    assert pnp("new", "empty", "--kind", "tokens").exit_code == 0
    assert "game.toml" in held(here / "empty")


def test_no_half_folder_is_left(here: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> None:
    """The disk is full at the third file."""
    synced = []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = pnp("new", "first-try")
    assert result.exit_code == 1
    assert "No space left" in result.stderr
    assert held(here) == set()


@pytest.mark.usefixtures("here")
def test_it_is_open_to_whom_other_new_folders_are() -> None:
    os.mkdir("other")  # noqa: PTH102  what a shell would make
    folder = pipeline.start("mine", "tokens")
    assert folder.stat().st_mode == Path("other").stat().st_mode
    assert (folder / "art").stat().st_mode == Path("other").stat().st_mode
