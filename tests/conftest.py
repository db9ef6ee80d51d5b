"""What all tests may use: goldens, and `pnp` run within this process. What holds of each run: it
knows nothing of the person who starts it, and leaves no process behind."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from generator.basics.bounds import collect_seldom
from generator.basics.workers import WorkerProcess
from generator.cli import main
from tests.game.tiny import tiny
from tests.support import once, oracles, processes
from tests.support.presses import STARTERS, shared_presses

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# The same examples in every run, and no clock: a machine under load is no fault.
settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")
collect_seldom()  # what is loaded for the tests stays until they are over
# Hypothesis also tries the constants of all modules that are loaded, unless a folder above them is
# called "tests": then examples depend on the order of the tests and on the name of the folder.
providers.is_local_module_file = lambda _: False  # type: ignore[attr-defined, assignment]

PERSONAL = {"COLUMNS", "LANG", "LANGUAGE", "LINES", "NO_COLOR", "SOURCE_DATE_EPOCH", "TZ"}
PERSONAL |= {"PNP_MARGIN", "PNP_MEMORY", "PNP_PAPER"}
MOST_WORK = 10.0  # seconds of the processor: ten times and more what any test does that is bounded

Golden = Callable[[Path, str], None]
Pnp = Callable[..., Result]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the goldens instead of comparing; a run that writes one fails",
    )


def pytest_xdist_auto_num_workers() -> int:
    """Three processes for two cores: a third of their time they wait for browsers and other programs."""
    return round(1.5 * (os.cpu_count() or 1))


def pytest_collection_finish() -> None:
    """No look for garbage goes where all that was loaded is."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in oracles.report():
        terminalreporter.write_line(line)


@pytest.fixture(scope="session", autouse=True)
def own_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No configuration, repository, language or terminal of the person who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name in PERSONAL or name.startswith(("GIT_", "LC_", "XDG_")):
                patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("LC_ALL", "C.UTF-8")
        patch.setenv(once.SHARED, str(shared_folder(tmp_path_factory)))
        processes.mark_own()
        yield


def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of this run: one for all of pytest's processes, which have their folders within it."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "shared"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session", autouse=True)
def no_process_left(own_world: None) -> Iterator[None]:  # noqa: ARG001  it marks them
    """The run fails if something that a test started is still there when all tests are over."""
    yield
    left = processes.left_behind()
    for number in left:
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)
    assert not left, "these processes were left behind, by whatever test"


@pytest.fixture(scope="session", autouse=True)
def one_press(no_process_left: None) -> Iterator[None]:  # noqa: ARG001  it ends before that looks
    """The commands of tests share the worker processes of their presses."""
    with shared_presses():
        yield


@pytest.fixture
def own_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each press or page of the test starts its own worker processes, as it does for people."""
    for module in STARTERS:
        monkeypatch.setattr(module, "WorkerProcess", WorkerProcess)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """`golden(path, text)` fails unless the file holds exactly the text."""
    return golden_of(bool(request.config.getoption("--update-golden")))


def golden_of(is_update: bool) -> Golden:
    def compare(path: Path, text: str) -> None:
        __tracebackhide__ = True
        expected = path.read_text("utf-8") if path.is_file() else None
        if text == expected:
            return
        if is_update:
            path.write_text(text, "utf-8")
            pytest.fail(f"{path.name} was written: read it, then run again", pytrace=False)
        if expected is None:
            pytest.fail(f"{path} is missing; --update-golden writes it", pytrace=False)
        before, now = (side.splitlines(keepends=True) for side in (expected, text))
        diff = "".join(unified_diff(before, now, f"{path} (golden)", "now"))
        pytest.fail(f"{diff}\n--update-golden accepts it", pytrace=False)

    return compare


@contextmanager
def bounded(seconds: float = MOST_WORK, work: str = "it") -> Iterator[None]:
    """Ends what hangs or blows up, and fails. It counts the work of this process, not the clock: a
    machine under load is no fault."""

    def end(*_: object) -> None:
        pytest.fail(f"{work} took more than {seconds:g} s of the processor")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small game whose faces are drawn from a template."""
    return tiny(tmp_path / "tiny")


@pytest.fixture
def pnp() -> Pnp:
    """`pnp("check", "talavera")` runs the command; an exception of its own is not caught."""

    def run(*arguments: str | Path) -> Result:
        return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="pnp")

    return run


# Each new window of Chromium loads two pages for the suggestions of an address bar that nobody sees,
# which takes twice the time of the processor that a page of ours does. The last list of features
# counts, so these join the one of Playwright.
_LAUNCH = """#!/bin/sh
for word; do
  shift
  case $word in --disable-features=*) word="$word,WebUIOmniboxPopup,WebUIOmniboxAimPopup" ;; esac
  set -- "$@" "$word"
done
exec '{path}' "$@"
"""


@pytest.fixture(scope="session")
def browser(
    one_press: None,  # noqa: ARG001  it ends before that looks
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Browser]:
    """A real browser, for the tests of pages."""
    from playwright.sync_api import sync_playwright  # few tests need it

    path = oracles.need("browser")
    if os.name == "posix":
        launcher = tmp_path_factory.mktemp("browser") / "launch"
        launcher.write_text(_LAUNCH.format(path=path), "utf-8")
        launcher.chmod(0o755)
        path = str(launcher)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
