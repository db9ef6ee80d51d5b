"""`pnp table` from the outside: it says where, ends on a signal, and says why it cannot begin."""

from __future__ import annotations

import csv
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from generator.cli.play import table
from tests.conftest import Pnp
from tests.support.processes import PATIENCE, started

QUEST = Path(__file__).parents[2] / "templates/quest"
PAGE = (Path(__file__).parents[3] / "docs/table.md").read_text("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_is_there_until_it_is_ended(end: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "generator", "table", str(QUEST), "--no-open"]
    with started(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        address, _, key = running.stdout.readline().split()[0].partition("#")
        assert len(key) >= 20
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            assert b"<title>pnp table</title>" in answer.read()
        running.send_signal(end)
        assert running.wait(PATIENCE) == 0
        assert running.stderr.read() == ""
    assert list(tmp_path.iterdir()) == []


def test_its_page_lists_its_options() -> None:
    options = {name for param in table.params for name in param.opts}
    assert {name for name in options if name.startswith("--") and name not in PAGE} == set()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["talavara"], "there is no such game"),
        ([QUEST, "--lang", "xx"], "xx"),
        ([QUEST, "--seats", "9"], "9 is not in the range 1<=x<=8"),
        ([QUEST, "--seats", "0"], "0 is not in the range"),
    ],
)
def test_what_cannot_begin_is_one_message(pnp: Pnp, options: list[str], why: str) -> None:
    result = pnp("table", *options, "--no-open")
    assert result.exit_code in (1, 2)
    assert why in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("count", "why"), [(1000, "it has 6,000 pieces, and a table holds 5,000"), (10**6, "1000000 is not between")]
)
def test_a_million_pieces_are_refused(pnp: Pnp, tmp_path: Path, count: int, why: str) -> None:
    folder = shutil.copytree(QUEST, tmp_path / "many")
    with (folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        heading, *rows = csv.reader(file)
    with (folder / "cards.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([[*heading, "count"], *([*row, count] for row in rows)])
    result = pnp("table", folder, "--no-open")
    assert result.exit_code == 1
    assert why in result.stderr
