"""A build killed at any moment leaves the earlier output as it was, to the last byte."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bad_specs.games import HERE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of POSIX")

ROOT = Path(__file__).parent.parent
EARLIER = b"%PDF the earlier output, which somebody may be printing right now\n"
BUILD = ["build", str(HERE / "_tiny"), "-o"]

# The process counts what it does with files and with other processes, modules aside, which may or
# may not be compiled. It kills itself at one of these events; for 0 it tells how many there were.
COUNTING = """
import os, signal, sys
done, last = 0, int(sys.argv[1])
COUNTED = "open", "os.chmod", "os.mkdir", "os.rename", "os.scandir", "subprocess.Popen"
def count(event, told):
    global done
    if event in COUNTED and ".py" not in str(told) and "__pycache__" not in str(told):
        done += 1
        if done == last:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(count)
from generator.cli import main
try:
    main(sys.argv[2:])
finally:
    print(done)
"""


@pytest.fixture
def output(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.pdf"
    path.write_bytes(EARLIER)
    return path


def strangers(output: Path) -> list[str]:
    """Files beside the output that a person would see, or take for a result."""
    names = [path.name for path in output.parent.iterdir() if path != output]
    return [name for name in names if not name.startswith(".") or name.endswith(".pdf")]


def counted(last: int, output: Path) -> subprocess.CompletedProcess[str]:
    """A build that ends at an event; 0 for none."""
    command = [sys.executable, "-c", COUNTING, str(last), *BUILD, str(output)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many there are in a build that nobody kills."""
    path = tmp_path_factory.mktemp("whole") / "tiny.pdf"
    events = int(counted(0, path).stdout.split()[-1])
    assert path.read_bytes().startswith(b"%PDF")
    return events


def test_killed_at_random_moments(output: Path, events: int) -> None:
    """And at the last ones, where the file is written."""
    dice = random.Random(2)
    for last in (*(dice.randrange(1, events) for _ in range(3)), *range(events - 3, events + 1)):
        killed = counted(last, output)
        assert killed.returncode == -signal.SIGKILL
        if output.read_bytes() != EARLIER:
            # killed after the one step that replaces it: then the new file is whole
            assert output.read_bytes().rstrip().endswith(b"%%EOF")
            output.write_bytes(EARLIER)
        assert strangers(output) == []


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
