"""pnp as a shell runs it: closed and full outputs, signals, folders that are gone, low limits."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.bad_specs.games import HERE
from tests.review.history.repository import Repository
from tests.support.processes import interruptible

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shells and signals of POSIX")

TINY = HERE / "_tiny"
LANTERNS = Path(__file__).parent / "templates/lanterns"  # forty faces of much text
PNP = f"'{sys.executable}' -m generator"
FULL = Path("/dev/full")  # no space is left on it
LOST = "error: standard output: cannot be written: No space left on device\n"
GONE = "error: the working folder: it was deleted\n    hint: cd to a folder that exists\n"
EARLIER = b"%PDF the earlier output\n"

# Sends a signal to the process when Python has called so many functions.
AT_A_CALL = """
import signal, sys
from generator import __main__ as pnp

number, left = int(sys.argv.pop(1)), int(sys.argv.pop(1))

def count(*_):
    global left
    left -= 1
    if left == 0:
        sys.setprofile(None)
        signal.raise_signal(number)

real = pnp._run_command

def run_command():
    sys.setprofile(count)
    return real()

pnp._run_command = run_command
pnp.run()
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with a sound game, a broken one and nothing else."""
    shutil.copytree(TINY, tmp_path / "tiny")
    shutil.copytree(TINY, tmp_path / "broken")
    (tmp_path / "broken/cards.csv").unlink()
    return tmp_path


def shell(command: str, here: Path, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """What a shell says of a command in which $PNP is pnp."""
    return run(["bash", "-c", command.replace("$PNP", PNP)], here, environment)


def run(
    command: list[str], here: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """What a command says, which takes signals although the tests may ignore some."""
    with interruptible():
        return subprocess.run(
            command, cwd=here, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=False
        )


def test_a_build_says_its_path_and_nothing_else(here: Path) -> None:
    done = shell("$PNP build ./tiny -o x.pdf", here)
    assert (done.returncode, done.stdout, done.stderr) == (0, "x.pdf\n", "")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-", "| head -0"])
def test_nobody_listens_and_the_work_is_done(closed: str, here: Path) -> None:
    done = shell(f"set -o pipefail; $PNP build ./tiny -o x.pdf {closed}", here)
    assert (done.returncode, done.stderr) == (0, "")
    assert (here / "x.pdf").read_bytes().startswith(b"%PDF")
    assert (here / "x.pdf").read_bytes().rstrip().endswith(b"%%EOF")


@pytest.mark.parametrize(
    ("game", "code", "closed"),
    [
        ("tiny", 0, ">&- 2>&-"),
        ("tiny", 0, "| head -0"),
        ("broken", 1, ">&-"),
        ("broken", 1, "2>&-"),
        ("broken", 1, "| head -0"),
    ],
)
def test_the_exit_code_is_that_of_the_work(game: str, code: int, closed: str, here: Path) -> None:
    done = shell(f"set -o pipefail; $PNP check ./{game} {closed}", here)
    assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has it")
@pytest.mark.parametrize("command", ["build ./tiny -o x.pdf", "check ./tiny", "--help"])
def test_a_full_output_is_reported(command: str, here: Path) -> None:
    done = shell(f"$PNP {command} > /dev/full", here)
    assert (done.returncode, done.stderr) == (1, LOST)


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has it")
def test_where_nothing_can_be_said_the_exit_code_says_it(here: Path) -> None:
    assert shell("$PNP build ./nowhere 2> /dev/full", here).returncode == 1
    assert shell("$PNP bild > /dev/full 2>&1", here).returncode == 1


@pytest.mark.parametrize("command", ["list", "check tiny", f"check {TINY}", "new game"])
def test_a_working_folder_that_was_deleted(command: str, here: Path) -> None:
    done = shell(f"mkdir gone && cd gone && rmdir ../gone && $PNP {command}", here)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", GONE)


@pytest.mark.parametrize("command", ["build ./tiny", "check ./tiny"])
def test_too_few_files_may_be_open(command: str, here: Path) -> None:
    done = shell(f"ulimit -n 8; $PNP {command}", here)
    assert done.returncode == 1
    assert done.stderr == ("error: this machine: no more files can be opened\n    hint: allow more: ulimit -n 256\n")


@pytest.mark.skipif(sys.platform != "linux", reason="others have no limit of memory")
@pytest.mark.parametrize("kilobytes", [60_000, 90_000, 120_000, 150_000, 175_000])
def test_too_little_memory_is_no_fault_of_the_art(kilobytes: int, here: Path) -> None:
    done = shell(f"ulimit -v {kilobytes}; $PNP build '{LANTERNS}' -o x.pdf", here)
    assert done.returncode == 1
    assert done.stderr.startswith("error: this machine: ")
    assert done.stderr.count("error: ") == 1
    assert "simplify" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="others have no limit of memory")
@pytest.mark.parametrize(("kilobytes", "is_short"), [("200000", True), ("unlimited", False)])
def test_a_lost_error_of_memory_is_one(kilobytes: str, is_short: bool, here: Path) -> None:
    """Python may lose its MemoryError in a library: without a limit, that is a bug as ever."""
    lost = "SystemError('<function load> returned NULL without setting an exception')"
    ask = f"from generator.basics.bounds import find_shortage;print(find_shortage({lost}) is not None)"
    done = shell(f"ulimit -v {kilobytes}; '{sys.executable}' -c \"{ask}\"", here)
    assert done.stdout == f"{is_short}\n"


@pytest.mark.parametrize("home", ["file", "nothing", "file/below", "x" * 300])
def test_a_home_that_is_none(home: str, here: Path) -> None:
    (here / "file").touch()
    homeless = {"HOME": str(here / home), "XDG_CONFIG_HOME": str(here / home / ".config")}
    done = shell("$PNP build ./tiny -o x.pdf", here, homeless)
    if len(home) < 300:
        assert (done.returncode, done.stdout, done.stderr) == (0, "x.pdf\n", "")
    else:
        assert done.stderr.endswith("config.toml: cannot be read: File name too long\n")


@pytest.mark.parametrize("command", ["build ./tiny", "export ./tiny --to png"])
def test_a_name_that_is_too_long(command: str, here: Path) -> None:
    done = shell(f"$PNP {command} -o {'x' * 300}", here)
    assert done.returncode == 1
    assert done.stderr == f"error: {'x' * 300}: cannot be written: File name too long\n"


@pytest.mark.parametrize("command", ["build ./tiny", "printer sheet", "export ./tiny --to png"])
def test_what_is_no_file_is_reported(command: str, here: Path) -> None:
    os.mkfifo(here / "pipe")
    done = shell(f"$PNP {command} -o pipe", here)
    assert done.returncode == 1
    assert done.stderr.startswith("error: pipe: this is a pipe, ")
    assert (here / "pipe").is_fifo()


def test_no_half_of_a_pair_is_written(here: Path) -> None:
    os.mkfifo(here / "x-backs.pdf")
    done = shell(f"$PNP build '{LANTERNS}' --sides separate -o x.pdf", here)
    assert done.stderr.startswith("error: x-backs.pdf: this is a pipe, ")
    assert not (here / "x.pdf").exists()


def test_a_question_that_nobody_answers(here: Path) -> None:
    done = shell("$PNP printer set laser < /dev/null", here, {"XDG_CONFIG_HOME": str(here)})
    assert done.returncode == 1
    assert done.stderr == "error: standard input: it ends before the last answer\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("calls", [1, 3_000, 30_000, 100_000, 300_000])
def test_a_signal_at_any_moment(number: int, calls: int, here: Path) -> None:
    """Also while modules load, where some make another exception of it."""
    command = [sys.executable, "-c", AT_A_CALL, str(int(number)), str(calls), "build", "./tiny"]
    done = run(command, here)
    assert done.returncode == -number  # 130 and 143 in a shell
    assert (done.stdout, done.stderr.strip()) == ("", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_where_python_ignores_what_is_raised(number: int, here: Path) -> None:
    script = (
        "import signal\n"
        "from generator import __main__ as pnp\n"
        "class Told:\n"
        f"    def __del__(self): signal.raise_signal({int(number)})\n"
        "def run_command():\n"
        "    Told()\n"
        "    for _ in range(1_000_000_000): pass\n"  # half a minute: the signal comes at once
        "pnp._run_command = run_command\n"
        "pnp.run()\n"
    )
    done = run([sys.executable, "-c", script], here)
    assert done.returncode == -number
    assert (done.stdout, done.stderr.strip()) == ("", "")


def test_a_signal_that_is_ignored_stays_ignored(here: Path) -> None:
    (here / "script.py").write_text(AT_A_CALL)
    command = f"trap '' INT; '{sys.executable}' script.py {int(signal.SIGINT)} 30000 list --names"
    done = shell(command, here)
    assert (done.returncode, done.stderr) == (0, "")
    assert "talavera" in done.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_it_writes_leaves_nothing_behind(number: int, here: Path) -> None:
    (here / "out").mkdir()
    (here / "out/x.pdf").write_bytes(EARLIER)
    script = (
        "import os, signal\n"
        f"os.fsync = lambda _: signal.raise_signal({int(number)})\n"
        "from generator.__main__ import run\n"
        "run()\n"
    )
    command = [sys.executable, "-c", script, "build", "./tiny", "-o", "out/x.pdf"]
    done = run(command, here)
    assert done.returncode == -number
    assert (done.stdout, done.stderr.strip()) == ("", "")
    assert (here / "out/x.pdf").read_bytes() == EARLIER
    assert [path.name for path in (here / "out").iterdir()] == ["x.pdf"]


@pytest.fixture
def repository(here: Path) -> Path:
    """The folder in a repository."""
    Repository.at(here).commit()
    return here


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_past_is_laid_out_leaves_nothing_behind(number: int, repository: Path) -> None:
    (repository / "tmp").mkdir()
    script = (
        "import signal\n"
        "from generator.review import history\n"
        "from generator.__main__ import run\n"
        f"history.ObjectReader.read = lambda *_: signal.raise_signal({int(number)})\n"
        "run()\n"
    )
    command = [sys.executable, "-c", script, "diff", "./tiny"]
    done = run(command, repository, {"TMPDIR": str(repository / "tmp")})
    assert done.returncode == -number
    assert (done.stdout, done.stderr.strip()) == ("", "")
    assert list((repository / "tmp").iterdir()) == []


def test_no_folder_for_temporary_files(repository: Path) -> None:
    done = shell("ulimit -f 0; $PNP diff ./tiny --format json", repository)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "error: this machine: there is no folder for temporary files\n"
        "    hint: name a folder with write access: TMPDIR=...\n"
    )


def test_modules_of_the_working_folder_are_not_run(here: Path) -> None:
    for name in sys.stdlib_module_names | {"click", "msgspec", "lxml", "typst", "pikepdf"}:
        (here / f"{name}.py").write_text(f"open('{name}.ran', 'w').close()\n")
    done = shell(f"'{sys.executable}' -P -m generator build ./tiny -o x.pdf", here)
    assert (done.returncode, done.stdout, done.stderr) == (0, "x.pdf\n", "")
    assert [path.name for path in here.glob("*.ran")] == []


def test_fault_of_our_own_is_one_line_and_a_hint(here: Path) -> None:
    script = (
        "from generator import pipeline\n"
        "from generator.__main__ import run\n"
        "def fault(*_, **__): raise KeyError('spot')\n"
        "pipeline.check = fault\n"
        "run()\n"
    )
    command = [sys.executable, "-c", script, "check", "talavera"]
    done = run(command, here)
    assert (done.returncode, done.stdout) == (1, "")
    first, hint = done.stderr.splitlines()
    assert first == "error: pnp itself is at fault: KeyError: 'spot' (<string>:3)"
    assert hint.startswith("    hint: please report")
