"""`pnp batch`: a file for each combination, built once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from generator.basics.errors import PnpError
from generator.cli.options import printer_store
from generator.layout.printers import Profile
from generator.pipeline import batching
from generator.pipeline.batching import Built, make, run_batch
from generator.pipeline.request import PrintOptions
from tests.conftest import Pnp
from tests.game.tiny import tiny, write


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    write(tiny(Path("tiny")), '<circle r="9"/>')


class Asked(Executor):
    """Takes builds, and makes no more than a text of each."""

    def __init__(self) -> None:
        self.files: list[str] = []

    def submit(self, _: Any, build: Any) -> Future[Any]:  # type: ignore[override]
        self.files.append(build.file)
        future: Future[Any] = Future()
        is_wrong = build.sides == "fold"
        files = {} if is_wrong else {".pdf": build.file.encode()}
        future.set_result(Built(files, "error: too narrow"))
        return future


def run(
    asked: Asked,
    *ways: Any,
    papers: tuple[str, ...] = ("letter", "a4"),
    game: str = "./tiny",
    how: PrintOptions | None = None,
    report: Callable[[int, int], None] = lambda *_: None,
) -> Any:
    combined = [game], papers, [""], ways
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batching, "ThreadPoolExecutor", lambda _: asked)
        return run_batch(*combined, Path("out"), report, how or {})


def test_each_combination_is_a_file_that_pnp_build_makes(pnp: Pnp) -> None:
    result = pnp("batch", "./tiny", "--paper", "letter,a4", "-o", "out")
    assert result.exit_code == 0, result.output
    names = ["out/tiny-a4-duplex.pdf", "out/tiny-letter-duplex.pdf"]
    assert result.output.splitlines() == [*names, "2 built, 0 there already, 0 failed"]
    pnp("build", "./tiny", "--paper", "a4", "-o", "alone.pdf")
    assert Path(names[0]).read_bytes() == Path("alone.pdf").read_bytes()


def test_what_is_there_is_not_built_again() -> None:
    first, again, changed, broken = Asked(), Asked(), Asked(), Asked()
    assert len(run(first, "duplex").made) == 2
    assert (len(run(again, "duplex").kept), again.files) == (2, [])
    Path("out/tiny-a4-duplex.pdf").write_bytes(b"half")
    run(broken, "duplex")
    assert broken.files == ["tiny-a4-duplex.pdf"]
    write(Path("tiny"), '<circle r="8"/>')
    run(changed, "duplex")
    assert len(changed.files) == 2


SHIFTED = Profile("laser", "long", dx=1.0)
CAUSES: dict[str, PrintOptions] = {
    "a margin": {"margin": "8mm"},
    "a printer": {"printer": SHIFTED},
    "its margin": {"printer": replace(SHIFTED, margin=4.0)},
    "what was measured": {"printer": replace(SHIFTED, dy=-2.0)},
}


def test_another_margin_printer_or_pnp_makes_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    run(Asked(), "duplex", papers=("a4",))
    for cause, how in CAUSES.items():
        for times in (1, 0):
            asked = Asked()
            run(asked, "duplex", papers=("a4",), how=how)
            assert len(asked.files) == times, cause
    monkeypatch.setattr(batching, "_digest_code", lambda: "other code")
    run(changed := Asked(), "duplex", papers=("a4",), how=how)
    assert changed.files == ["tiny-a4-duplex.pdf"]


def test_a_batch_prints_with_the_settings_of_the_user(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    printer_store().save(SHIFTED)
    printer_store().set_default(SHIFTED.name)
    monkeypatch.setenv("PNP_MARGIN", "8mm")
    pnp("batch", "./tiny", "--paper", "a4", "-o", "out")
    pnp("build", "./tiny", "--paper", "a4", "-o", "alone.pdf")
    pnp("build", "./tiny", "--paper", "a4", "--printer", "none", "-o", "straight.pdf")
    built = Path("out/tiny-a4-duplex.pdf").read_bytes()
    assert built == Path("alone.pdf").read_bytes() != Path("straight.pdf").read_bytes()


def test_no_two_builds_write_one_file(pnp: Pnp) -> None:
    for folder in ("x/deck", "y/deck"):
        shutil.copytree("tiny", folder)
    what = "error: deck-a4-duplex.pdf: two of the games would be written here"
    hint = "build them into two folders: 'x/deck' and 'y/deck'"
    result = pnp("batch", "x/deck", "y/deck", "--paper", "a4", "-o", "out")
    assert (result.exit_code, result.output) == (1, f"{what}\n    hint: {hint}\n")
    what = "error: tiny-A4-duplex.pdf: this would be written twice"
    result = pnp("batch", "./tiny", "--paper", "A4,a4", "-o", "out")
    assert (result.exit_code, result.output.splitlines()[0]) == (1, what)
    assert not Path("out").exists()


def test_a_game_here_has_the_name_of_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("tiny")
    run(asked := Asked(), "duplex", papers=("a4",), game=".")
    assert asked.files == ["tiny-a4-duplex.pdf"]


def test_an_interrupted_batch_goes_on_where_it_was() -> None:
    def interrupt(done: int, _: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(Asked(), "duplex", report=interrupt)
    rest = Asked()
    done = run(rest, "duplex")
    assert (len(done.kept), len(done.made), len(rest.files)) == (1, 1, 1)


def test_what_fails_stops_no_other(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(Asked(), "duplex", "fold", papers=("a4",))
    assert [path.name for path in done.made] == ["tiny-a4-duplex.pdf"]
    assert done.failed == {"tiny-a4-fold.pdf": "error: too narrow"}
    assert list(json.loads(Path("out/batch.json").read_text("utf-8"))) == ["tiny-a4-duplex.pdf"]
    monkeypatch.setattr(batching, "make", lambda _: Built({}, "error: too narrow"))
    result = pnp("batch", "./tiny", "--paper", "a4", "-o", "new")
    assert result.exit_code == 1
    assert "tiny-a4-duplex.pdf is not built:\nerror: too narrow" in result.output
    assert "0 built, 0 there already, 1 failed" in result.output


def test_a_build_that_fails_says_why() -> None:
    write(Path("tiny"), "<circle r=")
    build = batching.BatchBuild("./tiny", Path.cwd(), "a4", "", "duplex", "8mm", "none", "")
    files, notes = make(build)
    assert files == {}
    assert notes.startswith("error: tiny/")


@pytest.mark.parametrize("manifest", ["", "[]", "{", '{"tiny-a4-duplex.pdf": 3}', "[" * 100_000])
def test_a_manifest_of_nonsense_is_none(manifest: str) -> None:
    Path("out").mkdir()
    Path("out/batch.json").write_text(manifest, "utf-8")
    assert len(run(Asked(), "duplex").made) == 2


def test_all_that_is_not_there_is_told_before_any_build(pnp: Pnp) -> None:
    result = pnp("batch", "./tiny", "./none", "--paper", "a4,x9", "--lang", "de", "-o", "out")
    assert result.exit_code == 1
    for what in ("paper 'x9'", "'./none'", "nothing in the language 'de'"):
        assert what in result.output
    assert not Path("out").exists()
    assert "'sideways' is none of" in pnp("batch", "./tiny", "--sides", "sideways").output


def test_a_batch_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "MOST_BUILDS", 1)
    with pytest.raises(PnpError, match="it has 2 builds"):
        run(Asked(), "duplex")
