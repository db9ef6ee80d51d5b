"""What all tests may use: goldens, and `pnp` run within this process."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import unified_diff
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

from generator.cli import main

# The same examples in every run, and no clock: a machine under load is no fault.
settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")

MOST_WORK = 10.0  # seconds of the processor: ten times and more what any test does that is bounded

Golden = Callable[[Path, str], None]
Pnp = Callable[..., Result]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the goldens instead of comparing; a run that writes one fails",
    )


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
def bounded(seconds: float = MOST_WORK) -> Iterator[None]:
    """Ends what hangs or blows up, and fails. It counts the work of this process, not the clock: a
    machine under load is no fault."""

    def end(*_: object) -> None:
        pytest.fail(f"it took more than {seconds:g} s of the processor")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.fixture
def pnp() -> Pnp:
    """`pnp("check", "talavera")` runs the command; an exception of its own is not caught."""

    def run(*arguments: str | Path) -> Result:
        return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="pnp")

    return run
