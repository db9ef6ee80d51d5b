"""A build killed at any moment leaves the earlier output as it was, to the last byte."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of POSIX")

ROOT = Path(__file__).parent.parent
EARLIER = b"%PDF the earlier output, which somebody may be printing right now\n"
BUILD = ["build", "talavera", "--paper", "a5", "-o"]


@pytest.fixture
def output(tmp_path: Path) -> Path:
    path = tmp_path / "talavera.pdf"
    path.write_bytes(EARLIER)
    return path


def strangers(output: Path) -> list[str]:
    """Files beside the output that a person would see, or take for a result."""
    names = [path.name for path in output.parent.iterdir() if path != output]
    return [name for name in names if not name.startswith(".") or name.endswith(".pdf")]


@pytest.fixture(scope="module")
def seconds(tmp_path_factory: pytest.TempPathFactory) -> float:
    """How long a build takes when nobody kills it."""
    path = tmp_path_factory.mktemp("whole") / "talavera.pdf"
    started = time.monotonic()
    subprocess.run([sys.executable, "-m", "generator", *BUILD, path], cwd=ROOT, check=True)
    assert path.read_bytes().startswith(b"%PDF")
    return time.monotonic() - started


def test_killed_at_random_moments(output: Path, seconds: float) -> None:
    dice = random.Random(2)
    killed = 0
    for _ in range(6):
        build = subprocess.Popen(
            [sys.executable, "-m", "generator", *BUILD, output], cwd=ROOT, stdout=subprocess.DEVNULL
        )
        time.sleep(dice.uniform(0.1, 0.95) * seconds)
        build.send_signal(signal.SIGKILL)
        killed += build.wait() == -signal.SIGKILL
        if build.returncode == -signal.SIGKILL and output.read_bytes() != EARLIER:
            # killed after the one step that replaces it: then the new file is whole
            assert output.read_bytes().rstrip().endswith(b"%%EOF")
            output.write_bytes(EARLIER)
        elif build.returncode == 0:
            output.write_bytes(EARLIER)
        assert output.read_bytes() == EARLIER
        assert strangers(output) == []
    assert killed >= 2, "the builds were over before they could be killed"


# At the worst moments: the process kills itself there.
DEATHS = {
    "before it writes": "tempfile.mkstemp = die",
    "while it writes": "os.fsync = die",
    "before it replaces": "pathlib.Path.replace = os.replace = os.rename = die",
}


@pytest.mark.parametrize("moment", DEATHS)
def test_killed_at_the_worst_moment(moment: str, output: Path) -> None:
    script = (
        "import os, pathlib, signal, sys, tempfile\n"
        "def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)\n"
        f"{DEATHS[moment]}\n"
        "from generator.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", script, *BUILD, str(output)]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    assert output.read_bytes() == EARLIER
    assert strangers(output) == []
