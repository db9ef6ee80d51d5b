"""What all tests may use: goldens, and `pnp` run within this process."""

from __future__ import annotations

from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

from generator.cli import main

# The same examples in every run, and no clock: a machine under load is no fault.
settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")

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


@pytest.fixture
def pnp() -> Pnp:
    """`pnp("check", "talavera")` runs the command; an exception of its own is not caught."""

    def run(*arguments: str | Path) -> Result:
        return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="pnp")

    return run
