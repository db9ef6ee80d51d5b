"""Goldens fail when they should."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import golden_of

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
