"""What differs on Windows and macOS: simulated on any system, real where the tests run there."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator import __main__ as process
from generator.cli.options import Ticker
from tests.bad_specs.games import HERE

TINY = HERE / "_tiny"
NARROW = ["cp1252", "cp437", "latin-1", "ascii"]


def run(*words: str, here: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """pnp as a process, with what it writes as bytes."""
    command = [sys.executable, "-P", "-m", "generator", *words]
    root = {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        command, cwd=here, env=os.environ | root | environment, capture_output=True, check=False
    )


@pytest.mark.parametrize("encoding", NARROW[:2])
def test_a_build_whose_path_the_console_cannot_write(encoding: str, tmp_path: Path) -> None:
    shutil.copytree(TINY, tmp_path / "Łódź")
    done = run("build", "./Łódź", here=tmp_path, PYTHONIOENCODING=encoding)
    told = str(Path("output/Łódź.pdf")).encode(encoding, "backslashreplace")
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, told, b"")
    assert (tmp_path / "output/Łódź.pdf").read_bytes().startswith(b"%PDF")


def test_a_finding_that_the_console_cannot_write(tmp_path: Path) -> None:
    shutil.copytree(TINY, tmp_path / "鯨")
    (tmp_path / "鯨/cards.csv").unlink()
    done = run("check", "./鯨", here=tmp_path, PYTHONIOENCODING="cp437")
    assert done.returncode == 1
    assert done.stdout.startswith(rb"error: \u9be8/game.toml:")


@pytest.mark.parametrize("encoding", NARROW)
@pytest.mark.parametrize("number", [1, 2])
def test_no_stream_fails_for_a_character(
    number: int, encoding: str, capfd: pytest.CaptureFixture[str]
) -> None:
    stream = process._output(number, io.TextIOWrapper(io.BytesIO(), encoding), "a stream")
    stream.write("a 鯨 Ł \udcff")
    stream.flush()
    assert "".join(capfd.readouterr()) == r"a \u9be8 \u0141 \udcff"


class _Console(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_a_console_of_windows_stays_pythons_own(monkeypatch: pytest.MonkeyPatch) -> None:
    console = _Console(io.BytesIO(), "utf-8")
    monkeypatch.setattr(sys, "platform", "win32")
    assert process._output(1, console, "standard output") is console
    assert console.errors == "backslashreplace"


def test_progress_needs_no_codes_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    console = _Console(io.BytesIO(), "utf-8", write_through=True)
    monkeypatch.setattr(sys, "stderr", console)
    ticker = Ticker()
    waits = iter([False, False, True])
    monkeypatch.setattr(ticker._done, "wait", lambda _: next(waits))
    steps = iter(["typesetting", "writing"])
    monkeypatch.setattr(Ticker, "_step", property(lambda _: next(steps)), raising=False)
    ticker._tick()
    written = console.buffer.getvalue().decode()  # type: ignore[attr-defined]
    assert [line.rstrip() for line in written.split("\r")] == [
        *("", "typesetting … 0 s", "writing … 0 s", "", "")
    ]
    assert "\x1b" not in written
    widths = [len(line) for line in written.split("\r")]
    assert widths[1] == widths[2] == widths[3]
