"""The command line: help for newcomers, exit codes, and nothing printed that is not asked for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete

from generator import layout, pipeline
from generator.basics.errors import Problem
from generator.cli import main
from generator.layout.printers import Store
from tests.bad_specs.games import HERE, make_game
from tests.conftest import Golden, Pnp
from tests.support.once import findings
from tests.tools.manual import manual

COMMANDS = main.list_commands(click.Context(main))
HEAVY = ("typst", "pikepdf", "lxml", "uharfbuzz", "PIL", "pypdfium2")
LOADED = """
import sys
from click.testing import CliRunner
from generator.cli import main
result = CliRunner().invoke(main, sys.argv[1:])
print(result.exit_code, *{name.partition(".")[0] for name in sys.modules})
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a sound game and one that breaks rules and warns."""
    shutil.copytree(HERE / "_tiny", tmp_path / "tiny")
    make_game("deck-orders-alike", tmp_path / "broken")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def talavera_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a check finds of Talavera is known already."""
    check = pipeline.check

    def known(game: str, *how: Any, **ink: Any) -> list[Problem]:
        return findings(game) if game == "talavera" else check(game, *how, **ink)

    monkeypatch.setattr(pipeline, "check", known)


@pytest.mark.parametrize("words", [["--help"], ["-h"], *([name, "--help"] for name in COMMANDS)])
def test_help(words: list[str], pnp: Pnp) -> None:
    result = pnp(*words)
    assert result.exit_code == 0
    assert result.output.startswith("Usage: pnp")
    assert max(map(len, result.output.splitlines())) <= 80


def test_help_leads_a_newcomer(pnp: Pnp) -> None:
    for word in ("pnp build talavera --paper a4", "output/talavera.pdf", "./my-game", *COMMANDS):
        assert word in pnp("--help").output


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("build", ["pnp list", "folder", "letter", "a4", "210x297mm", "100 %", "duplex", "output/"]),
        ("check", ["errors", "warnings", "notes", "Exit code 0", "json"]),
        ("export", ["png", "dpi", "output/"]),
        ("list", ["games", "--names"]),
        ("schema", ["game.toml", "editor"]),
    ],
)
def test_help_of_a_command_says_what_one_must_know(command: str, words: list[str], pnp: Pnp) -> None:
    output = " ".join(pnp(command, "--help").output.split())
    assert [word for word in words if word not in output] == []


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["build", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    command = [sys.executable, "-c", LOADED, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    code, *loaded = result.stdout.split()
    assert code == "0"
    assert "click" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_what_a_command_writes_goes_to_output_unless_told() -> None:
    group, context = main, click.Context(main)
    commands = [group.get_command(context, name) for name in group.list_commands(context)]
    options = [option for command in commands if command for option in command.params]
    defaults = [option.default for option in options if "-o" in option.opts]
    written = [default for default in defaults if isinstance(default, str)]
    assert [Path(folder).parts[0] for folder in written] == ["output"] * len(written) != []


def test_help_names_every_cutting_machine(pnp: Pnp) -> None:
    told = " ".join(pnp("build", "--help").output.split())
    assert f"({', '.join(layout.MACHINES)})" in told
    assert layout.NO_CUTTER == "none"


def test_list_names_games_and_says_what_they_are(pnp: Pnp) -> None:
    lines = pnp("list").output.splitlines()
    assert [line.split()[0] for line in lines] == pipeline.names()
    assert any("An 18-card drafting game" in line for line in lines)
    assert pnp("list", "--names").output.split() == pipeline.names()


def test_list_names_a_broken_game_too(here: Path, pnp: Pnp) -> None:
    make_game("toml-no-quotes", here / "templates/odd")
    result = pnp("list")
    assert result.exit_code == 0
    assert "(has errors: pnp check odd)" in result.output


@pytest.mark.usefixtures("here")
def test_good_build_prints_its_path_and_nothing_else(pnp: Pnp) -> None:
    result = pnp("build", "./tiny")
    assert (result.exit_code, result.output) == (0, "output/tiny.pdf\n")
    assert Path("output/tiny.pdf").read_bytes().startswith(b"%PDF")
    other = pnp("build", "./tiny", "-o", "elsewhere/x.pdf", "--sides", "single", "--paper", "a4")
    assert (other.exit_code, other.output) == (0, "elsewhere/x.pdf\n")
    assert Path("elsewhere/x.pdf").is_file()


@pytest.mark.usefixtures("here")
def test_a_folder_as_output_gets_the_file_under_its_usual_name(pnp: Pnp) -> None:
    Path("there").mkdir()
    for command, told in ((("build", "./tiny"), "there/tiny.pdf\n"), (("printer", "sheet"), "there/calibration.pdf\n")):
        result = pnp(*command, "-o", "there/")
        assert (result.exit_code, result.output) == (0, told)
    assert {path.name for path in Path("there").iterdir()} == {"tiny.pdf", "calibration.pdf"}


@pytest.mark.usefixtures("here", "talavera_checked")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["check", "./tiny"], 0),
        (["check", "talavera"], 0),  # warnings are no errors
        (["check", "./broken"], 1),
        (["check", "nowhere"], 1),
        (["build", "./broken"], 1),
        (["build", "./tiny", "--paper", "a11"], 1),
        (["build", "nowhere"], 1),
        (["check"], 2),
        (["check", "./tiny", "--format", "xml"], 2),
        (["build", "./tiny", "--flip", "diagonal"], 2),
        (["bild", "./tiny"], 2),
        (["--colour"], 2),
    ],
)
def test_exit_code(arguments: list[str], code: int, pnp: Pnp) -> None:
    result = pnp(*arguments)
    assert result.exit_code == code
    assert "Traceback" not in result.output


@pytest.mark.usefixtures("here", "talavera_checked")
@pytest.mark.parametrize("game", ["./tiny", "./broken", "talavera", "nowhere"])
def test_json_says_what_the_text_says(game: str, pnp: Pnp) -> None:
    text, told = pnp("check", game), pnp("check", game, "--format", "json")
    assert told.exit_code == text.exit_code
    report = json.loads(told.output)
    assert report["game"] == game
    lines = []
    for found in report["findings"]:
        lines.append(f"{found['level']}: {found['where']}: {found['what']}")
        if found["accepted"]:
            lines.append(f"    accepted: {found['accepted']}")
        elif found["hint"]:
            lines.append(f"    hint: {found['hint']}")
    *findings, tally = text.output.splitlines()
    assert lines == findings
    levels = [found["level"] for found in report["findings"]]
    assert tally.startswith(f"{game}: {levels.count('error')} error")


def test_findings_go_to_stdout_and_faults_of_a_build_to_stderr(here: Path, pnp: Pnp) -> None:
    assert here.is_dir()
    checked, built = pnp("check", "./broken"), pnp("build", "./broken")
    assert checked.stderr == ""
    assert built.stdout == ""
    (finding, *_) = checked.stdout.splitlines()
    assert finding in built.stderr


def test_schema_is_json(pnp: Pnp) -> None:
    assert json.loads(pnp("schema").output).keys() >= pipeline.schema().keys()


@pytest.mark.parametrize(
    ("line", "begun", "offered"),
    [
        ("", "bu", ["build"]),
        ("build", "--pa", ["--paper"]),
        ("build", "tala", ["talavera", "talavera-balanced"]),
        ("check", "./t", ["./tiny"]),
        ("site", "adv", ["advaya"]),
        ("build ./tiny --paper", "letter,a", None),
        ("build --paper", "a4", ["a4"]),
        ("build ./tiny --only", "cover,c", ["cover,cards"]),
        ("check ./tiny --only", "ca", ["cards"]),
        ("check ./gone --only", "ca", []),
        ("export tiny --to", "cut", ["cut-dxf", "cut-svg"]),
        ("export tiny --to shop --for", "the", ["thegamecrafter"]),
        ("build --cutter", "sil", ["silhouette"]),
        ("build --margin", "t", ["tight"]),
        ("build --printer", "l", ["laser"]),
        ("printer show", "l", ["laser"]),
        ("printer", "pro", ["proof"]),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_shell_completes_names(
    line: str, begun: str, offered: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Store, "names", lambda _: ["laser"])
    found = ShellComplete(main, {}, "pnp", "_PNP_COMPLETE").get_completions(line.split(), begun)
    values = [item.value for item in found]
    if offered is None:
        assert {"letter,a4", "letter,a5", "letter,arch-a"} <= set(values)
    else:
        assert values == offered


def test_a_path_is_completed_as_a_folder() -> None:
    complete = ShellComplete(main, {}, "pnp", "_PNP_COMPLETE").get_completions
    assert [(item.value, item.type) for item in complete(["build"], "../g")] == [("../g", "dir")]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_there_is_a_script_for_each_shell(shell: str) -> None:
    """docs/install.md has the line that runs it."""
    environment = {**os.environ, "_PNP_COMPLETE": f"{shell}_source"}
    command = [sys.executable, "-P", "-m", "generator"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert f"{shell}_complete" in done.stdout
    page = (Path(__file__).parents[1] / "docs/install.md").read_text("utf-8")
    assert f"{shell}_source" in page


def test_the_manual_page_tells_every_command(golden: Golden) -> None:
    golden(Path(__file__).parents[1] / "docs/pnp.1", manual())
