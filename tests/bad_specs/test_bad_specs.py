"""Every broken game is told from a sound one: where, what, hint; and nothing is written."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from tests.bad_specs.games import HERE, case_names, folder_of, make_game, told_of
from tests.conftest import Golden, Pnp, bounded

CASES = case_names()
MAX_MEMORY = 32 * 1024 * 1024


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The broken game of a case as `pnp` calls it from the working folder."""
    make_game(request.param, tmp_path / "game")
    monkeypatch.chdir(tmp_path)
    return "./game"


def in_cases(names: list[str]) -> pytest.MarkDecorator:
    cases = [pytest.param(name, name, id=name) for name in names]
    return pytest.mark.parametrize(("game", "case"), cases, indirect=["game"])


@in_cases(CASES)
def test_message(game: str, case: str, pnp: Pnp, golden: Golden) -> None:
    with bounded():
        result = pnp(told_of(case).get("command", "check"), game)
    assert result.exit_code == 1
    assert "pnp itself" not in result.output
    golden(folder_of(case) / "expected.txt", result.output)


@in_cases(CASES)
def test_build_writes_nothing(game: str, case: str, pnp: Pnp) -> None:
    earlier = Path("output/game.pdf")
    earlier.parent.mkdir()
    earlier.write_bytes(b"the earlier output")
    result = pnp("build", game)
    assert result.exit_code == 1
    assert result.stdout == "", case
    assert result.stderr.startswith("error: ")
    assert "pnp itself" not in result.stderr
    assert list(Path("output").iterdir()) == [earlier]
    assert earlier.read_bytes() == b"the earlier output"


@pytest.mark.parametrize("base", ["_tiny", "_deck", "_drawn"])
def test_bases_are_sound(base: str, pnp: Pnp) -> None:
    """What the cases start from has no fault of its own."""
    result = pnp("check", str(HERE / base))
    assert result.exit_code == 0, result.output
    assert "0 errors, 0 warnings" in result.output


@in_cases(["svg-100-mb", "toml-huge", "png-bomb", "svg-entity-bomb"])
def test_memory(game: str, case: str, pnp: Pnp) -> None:
    pnp("check", game)  # what is loaded once
    tracemalloc.start()
    try:
        result = pnp("check", game)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.exit_code == 1
    assert peak < MAX_MEMORY, case


def test_every_case_is_run() -> None:
    """A folder without a case, or an expectation without a folder, is a slip."""
    folders = {path.parent.name for path in HERE.glob("*/*/expected.txt")}
    assert folders == set(CASES)
    assert len(CASES) >= 35
