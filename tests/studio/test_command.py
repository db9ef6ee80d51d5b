"""`pnp preview` from the outside: it says where, ends on Ctrl-C, and says why it cannot begin."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.conftest import Pnp
from tests.studio.showing import QUEST, ROOT
from tests.support.guided import guided
from tests.support.processes import PATIENCE, started

GUIDE = (ROOT / "docs/guide.md").read_text("utf-8")
PREVIEWED = re.findall(r"^pnp preview .*$", GUIDE, re.MULTILINE)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("line", "end"),
    [
        (f"pnp preview {QUEST}", signal.SIGINT),
        (f"pnp preview {QUEST}", signal.SIGTERM),
        *((line, signal.SIGINT) for line in PREVIEWED),
    ],
)
def test_it_is_shown_until_it_is_ended(line: str, end: signal.Signals, tmp_path: Path) -> None:
    """As the guide types it, beside the guide's game."""
    guided(tmp_path)
    command = [sys.executable, "-m", "generator", *line.split()[1:], "--no-open"]
    with started(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        address = running.stdout.readline().split()[0]
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            assert b"<title>pnp preview</title>" in answer.read()
        running.send_signal(end)
        assert running.wait(PATIENCE) == 0
        assert running.stderr.read() == ""


SWALLOWING = """
import os
from generator.pipeline.previewing import _GameViewBuilder

def build(*_):
    try:
        os.kill(os.getpid(), {number})
    except BaseException:
        raise TypeError("as a library may do")

_GameViewBuilder.build = build
from generator.__main__ import run
run()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_library_that_swallows_the_interrupt_does_not_keep_it(end: signal.Signals) -> None:
    program = SWALLOWING.format(number=end.value)
    command = [sys.executable, "-c", program, "preview", str(QUEST), "--no-open"]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stderr is not None
        assert running.wait(PATIENCE) == 0
        assert running.stderr.read() == ""


def test_the_guide_tells_of_it() -> None:
    assert PREVIEWED


def test_port_in_use_is_one_message(pnp: Pnp) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        result = pnp("preview", QUEST, "--no-open", "--port", port)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: --port: port {port} cannot be used: ")
    assert "hint: leave out --port" in result.stderr


def test_game_that_is_not_there_is_one_message(pnp: Pnp) -> None:
    result = pnp("preview", "talavara", "--no-open")
    assert result.exit_code == 1
    assert "there is no such game" in result.stderr
    assert "talavera" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("game", [["quest"], []])
def test_the_studio_goes_on_with_another_game(game: list[str], tmp_path: Path) -> None:
    """Also from the list of games that it shows where none was named."""
    for name in ("quest", "other"):
        shutil.copytree(QUEST, tmp_path / name)
    command = [sys.executable, "-m", "generator", "studio", *game, "--no-open"]
    with started(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        address, key = running.stdout.readline().split()[0].split("#")
        if not game:
            with urllib.request.urlopen(f"{address}events", timeout=PATIENCE) as events:
                assert events.readline() == b"event: shelf\n"
                told = json.loads(events.readline().removeprefix(b"data: "))
            assert told == {"folder": tmp_path.name, "games": ["other", "quest"]}
            with pytest.raises(urllib.error.HTTPError, match="409"):
                urllib.request.urlopen(f"{address}choose?paper=a4", timeout=PATIENCE)
        headers = {"X-Key": key, "X-Name": "other", "Content-Type": "application/json"}
        asked = urllib.request.Request(f"{address}open", b"{}", headers)
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            assert answer.status == 204
        folder = ""
        while folder != "other":  # the session of the first game ends its stream
            with urllib.request.urlopen(f"{address}events", timeout=PATIENCE) as events:
                lines = iter(events.readline, b"")
                told = next((line for line in lines if b'"folder"' in line), b"data: {}")
            folder = json.loads(told.removeprefix(b"data: ")).get("folder", "")
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE) == 0
        assert running.stderr.read() == ""
