"""Every broken game is told from a sound one: where, what, hint; and nothing is written. Who
follows the hints has a sound game."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path

import pytest

from generator.pipeline import checking
from tests.bad_specs.games import HERE, case_names, folder_of, make_game, mend_game, told_of
from tests.conftest import Golden, Pnp, bounded

CASES = case_names()
MAX_MEMORY = 32 * 1024 * 1024
TEXTS = (".csv", ".json", ".md", ".svg", ".toml")
NO_MEND = """
{case} has no mend. Read the hints of {expected}, do what each of them says, and put that
into {file} (a whole file has text = "…" in place of old and new; what no text mends is a function
of tests/bad_specs/mended.py):

[[mend]]
file = "game.toml"
old = "…"
new = "…"
"""
NOT_SOUND = """
{case} is mended as its hints say, and this is told next:

{output}
If a hint is wrong, mend its message in generator/. If the mend stops halfway, add the next hint.
If another fault is rightly told: then = "what is told"  at the top of {file}."""


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
def test_hints(game: str, case: str, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Following the hints repairs the game, or uncovers the fault that the case names.

    Faces are painted where the fault was in what they show."""
    folder, told = folder_of(case), told_of(case)
    if folder.parent.name not in ("art", "net", "template"):
        monkeypatch.setattr(checking, "misprints", lambda *_, **__: [])
    shown = {"case": case, "file": folder / "case.toml", "expected": folder / "expected.txt"}
    assert mend_game(case, Path("game")), NO_MEND.format(**shown)
    before = (folder / "expected.txt").read_text("utf-8")
    output = pnp(told.get("command", "check"), game).output
    assert "pnp itself" not in output
    assert faults_in(before).isdisjoint(faults_in(output)), NOT_SOUND.format(**shown, output=output)
    if then := told.get("then"):
        assert then in output, f"{case}: {then!r} is not told: {output}"
    else:
        assert not output.startswith("error: "), NOT_SOUND.format(**shown, output=output)
    files = [path for path in Path("game").rglob("*") if path.suffix in TEXTS and path.is_file()]
    texts = "".join(f"{path} {path.read_text('utf-8', 'replace')}" for path in files)
    unused = [meant for meant in re.findall(r"did you mean '(.+?)'", before) if meant not in texts]
    assert not unused, f"{case}: the mend does not use what a hint names: {unused}"


def faults_in(output: str) -> set[str]:
    """The errors and warnings, without the numbers of lines, which a mend moves."""
    faults = (line for line in output.splitlines() if line.startswith(("error: ", "warning: ")))
    return {re.sub(r"(?<=:)\d+", "", fault) for fault in faults}


def some_of_each_kind(most: int) -> list[str]:
    kinds = [sorted(path.name for path in kind.iterdir()) for kind in HERE.iterdir() if kind.is_dir()]
    return [case for cases in kinds for case in [name for name in cases if name in CASES][:most]]


@in_cases(some_of_each_kind(8))
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
