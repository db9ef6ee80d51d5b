"""Goldens and bounds fail when they should."""

from __future__ import annotations

import hashlib
import signal
import sys
import time
from collections.abc import Callable
from fnmatch import fnmatch
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import bounded, golden_of

Failed = pytest.fail.Exception


def test_equal_text_passes_and_leaves_the_file(tmp_path: Path) -> None:
    path = tmp_path / "golden.txt"
    path.write_text("as ever\n", "utf-8")
    for is_update in (False, True):
        golden_of(is_update)(path, "as ever\n")
    assert path.read_text("utf-8") == "as ever\n"


def test_other_text_fails_with_a_diff(tmp_path: Path) -> None:
    path = tmp_path / "golden.txt"
    path.write_text("one\ntwo\n", "utf-8")
    with pytest.raises(Failed, match=r"-two\n\+three") as failure:
        golden_of(False)(path, "one\nthree\n")
    assert "golden.txt (golden)" in str(failure.value)
    assert path.read_text("utf-8") == "one\ntwo\n"


def test_missing_golden_fails(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="is missing"):
        golden_of(False)(tmp_path / "golden.txt", "text")
    assert not (tmp_path / "golden.txt").exists()


def test_update_writes_and_fails(tmp_path: Path) -> None:
    path = tmp_path / "golden.txt"
    with pytest.raises(Failed, match="was written"):
        golden_of(True)(path, "text")
    assert path.read_text("utf-8") == "text"


def hang() -> None:
    for _ in count():
        pass


def blow_up() -> None:
    """In C, where no signal is heard until it is done."""
    hashlib.pbkdf2_hmac("sha512", b"", b"", 400_000)


@pytest.mark.parametrize("work", [hang, blow_up])
def test_what_hangs_is_ended(work: Callable[[], None]) -> None:
    with pytest.raises(Failed, match="of the processor"), bounded(0.05):
        work()


def test_waiting_is_no_work_and_no_timer_is_left() -> None:
    with bounded(0.05):
        time.sleep(0.2)
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_examples_do_not_depend_on_the_modules_that_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    constants = {2_000_003 * number for number in range(1, 50)}
    (tmp_path / "full_of_constants.py").write_text(f"ALL = {sorted(constants)}")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "full_of_constants", import_module("full_of_constants"))
    drawn: set[int] = set()

    @settings(max_examples=500)
    @given(st.integers())
    def draw(number: int) -> None:
        drawn.add(number)

    draw()
    assert len(drawn) > 100
    assert not drawn & constants


def test_no_folder_of_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    """pytest has a list of its own, which names build and dist."""
    folders = {path.parent.name for path in Path(__file__).parent.rglob("test_*.py")}
    passed_over = pytestconfig.getini("norecursedirs")
    assert "bad_specs" in folders
    assert not [name for name in folders if any(fnmatch(name, own) for own in passed_over)]
