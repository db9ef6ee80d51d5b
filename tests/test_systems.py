"""What differs on Windows and macOS: simulated on any system, real where the tests run there."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import io
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import NoReturn

import pytest

from generator import __main__ as process
from generator.basics import bounds, files, workers, writing
from generator.basics.errors import Place, PnpError
from generator.basics.files import MEGABYTE, read_within
from generator.basics.writing import write_folder, write_together, write_whole
from generator.cli import options
from generator.cli.messages import Ticker, say_folder
from generator.cli.options import Settings
from generator.game import library
from generator.review.history import as_it_was
from generator.studio.editor import Editor, _id_of
from generator.studio.journal import Journal
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.review.history.repository import Repository
from tests.support.processes import PATIENCE

TINY = HERE / "_tiny"
PROGRAM = Path(__file__).parents[1] / ".ci/program.py"
NARROW = ["cp1252", "cp437", "latin-1", "ascii"]


def run(*words: str, here: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """pnp as a process, with what it writes as bytes."""
    command = [sys.executable, "-P", "-m", "generator", *words]
    root = {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(command, cwd=here, env=os.environ | root | environment, capture_output=True, check=False)


@pytest.mark.parametrize("encoding", NARROW[:2])
def test_a_build_whose_path_the_console_cannot_write(encoding: str, tmp_path: Path) -> None:
    shutil.copytree(TINY, tmp_path / "Łódź")
    done = run("build", "./Łódź", here=tmp_path, PYTHONIOENCODING=encoding)
    told = str(Path("output/Łódź.pdf")).encode(encoding, "backslashreplace")
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, told, b"")
    assert (tmp_path / "output/Łódź.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("path", [f".{os.sep}tiny", f"tiny{os.sep}", "./tiny", "../{here}/tiny", "{whole}"])
def test_a_game_is_named_by_a_path_of_this_system(path: str, tmp_path: Path) -> None:
    shutil.copytree(TINY, tmp_path / "tiny")
    with contextlib.chdir(tmp_path):
        found = library.find(path.format(here=tmp_path.name, whole=tmp_path / "tiny"))
    assert found == ((tmp_path / "tiny").resolve(), "")


def test_a_path_of_windows_is_no_name(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(library, "PurePath", PureWindowsPath)
    paths = (".\\tiny", "tiny\\", "C:\\games\\tiny", "C:tiny", "..", ".", "./tiny", "tiny/")
    assert [library.is_path(name) for name in (*paths, "tiny", "taluva-2", "")] == [True] * len(paths) + [False] * 3
    for folder, place in (("C:\\games\\tiny", "C:\\games\\tiny"), (".\\tiny", "./tiny")):
        say_folder(PureWindowsPath(folder))  # type: ignore[arg-type]
        assert f"to see it: pnp preview {place}; to print it: pnp build {place}" in capsys.readouterr().err


def test_a_finding_that_the_console_cannot_write(tmp_path: Path) -> None:
    shutil.copytree(TINY, tmp_path / "鯨")
    (tmp_path / "鯨/cards.csv").unlink()
    done = run("check", "./鯨", here=tmp_path, PYTHONIOENCODING="cp437")
    assert done.returncode == 1
    assert done.stdout.startswith(rb"error: \u9be8/game.toml:")


@pytest.mark.parametrize("encoding", NARROW)
@pytest.mark.parametrize("number", [1, 2])
def test_no_stream_fails_for_a_character(number: int, encoding: str, capfd: pytest.CaptureFixture[str]) -> None:
    stream = process._output(number, io.TextIOWrapper(io.BytesIO(), encoding), "a stream")
    stream.write("a 鯨 Ł \udcff")
    stream.flush()
    assert "".join(capfd.readouterr()) == r"a \u9be8 \u0141 \udcff"


class _Console(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_a_console_of_windows_stays_pythons_own(monkeypatch: pytest.MonkeyPatch) -> None:
    console = _Console(io.BytesIO(), "utf-8")
    monkeypatch.setattr(sys, "platform", "win32")
    assert process._output(1, console, "standard output") is console
    assert console.errors == "backslashreplace"


def test_progress_needs_no_codes_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    console = _Console(io.BytesIO(), "utf-8", write_through=True)
    monkeypatch.setattr(sys, "stderr", console)
    ticker = Ticker()
    waits = iter([False, False, True])
    monkeypatch.setattr(ticker._done, "wait", lambda _: next(waits))
    steps = iter(["typesetting", "writing"])
    monkeypatch.setattr(Ticker, "_step", property(lambda _: next(steps)), raising=False)
    ticker._tick()
    written = console.buffer.getvalue().decode()  # type: ignore[attr-defined]
    assert [line.rstrip() for line in written.split("\r")] == [*("", "typesetting … 0 s", "writing … 0 s", "", "")]
    assert "\x1b" not in written
    widths = [len(line) for line in written.split("\r")]
    assert widths[1] == widths[2] == widths[3]


class _Holder:
    """Another program that has files open, as a viewer on Windows has a PDF."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *names: str, tries: int = 99) -> None:
        self.slept: list[float] = []
        replace, left = Path.replace, dict.fromkeys(names, tries)

        def refuse(path: Path, target: Path) -> Path:
            if left.get(target.name, 0):
                left[target.name] -= 1
                error = PermissionError(errno.EACCES, "Access is denied")
                error.winerror = 5  # type: ignore[attr-defined, unused-ignore]
                raise error
            return replace(path, target)

        monkeypatch.setattr(Path, "replace", refuse)
        monkeypatch.setattr(time, "sleep", self.slept.append)


def test_a_pdf_that_is_open_in_a_viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> None:
    shutil.copytree(TINY, tmp_path / "tiny")
    monkeypatch.chdir(tmp_path)
    Path("output").mkdir()
    Path("output/tiny.pdf").write_bytes(b"the earlier one")
    holder = _Holder(monkeypatch, "tiny.pdf")
    done = pnp("build", "./tiny")
    told = (
        f"error: {Path('output/tiny.pdf')}: another program has it open, or it is "
        "read-only: it cannot be replaced\n    hint: close it there; the new file is tiny-new.pdf\n"
    )
    assert (done.exit_code, done.stderr) == (1, told)
    assert sum(holder.slept) < 3.0
    assert Path("output/tiny.pdf").read_bytes() == b"the earlier one"
    assert Path("output/tiny-new.pdf").read_bytes().startswith(b"%PDF")
    assert sorted(path.name for path in Path("output").iterdir()) == ["tiny-new.pdf", "tiny.pdf"]


def test_a_file_that_is_held_for_a_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As virus scanners do."""
    _Holder(monkeypatch, "x.pdf", tries=3)
    write_whole(tmp_path / "x.pdf", b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


def test_of_many_files_those_that_are_open_are_named_and_the_others_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b.pdf").write_bytes(b"old")
    _Holder(monkeypatch, "b.pdf")
    files = {tmp_path / f"{name}.pdf": b"new" for name in "abc"}
    with pytest.raises(PnpError, match=r"the new file is b-new\.pdf"):
        write_together(tmp_path, files)
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert found == dict.fromkeys(("a.pdf", "b-new.pdf", "c.pdf"), b"new") | {"b.pdf": b"old"}


@pytest.mark.skipif(sys.platform != "win32", reason="only there an open file stays")
def test_a_file_that_is_really_open(tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(b"old")
    with (tmp_path / "x.pdf").open("rb"), pytest.raises(PnpError, match="has it open"):
        write_whole(tmp_path / "x.pdf", b"new")
    assert (tmp_path / "x-new.pdf").read_bytes() == b"new"


def test_a_table_that_another_program_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cards.xlsx").touch()
    monkeypatch.setattr(sys, "platform", "win32")

    def refuse(*_: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PnpError, match="close it in the program that has it open, such as Excel"):
        read_within(tmp_path, "cards.xlsx", 9, Place(""))


def test_an_empty_folder_is_filled_where_none_is_renamed_over_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game").mkdir()
    rename = Path.rename

    def refuse(path: Path, target: Path) -> Path:
        if target.exists():
            raise FileExistsError(errno.EEXIST, "File exists")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse)
    write_folder(tmp_path / "game", {"game.toml": b"it"})
    assert (tmp_path / "game/game.toml").read_bytes() == b"it"


@pytest.mark.parametrize("name", ["con", "NUL.pdf", "lpt1/x.pdf", "aux.tar.pdf"])
def test_the_name_of_a_device(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    writes: list[Callable[[Path], object]] = [
        lambda path: write_whole(path, b""),
        lambda path: write_folder(path, {}),
        lambda path: write_together(tmp_path, {path: b"", tmp_path / "sound": b""}),
    ]
    for write in writes:
        with pytest.raises(PnpError, match="Windows keeps this name for a device"):
            write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_path_that_is_too_long_for_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(PnpError, match="Windows allows 259 letters for the whole path"):
        write_whole(tmp_path / ("x" * 300), b"")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("art/Star.svg", ""),
        ("./art/../art/Star.svg", ""),
        ("art/b\u00e4r.svg", ""),  # a Mac stores the accent apart
        ("art/star.svg", "write 'art/Star.svg'"),
        ("Art/STAR.SVG", "write 'art/Star.svg'"),
        ("art/Star.svg.", ""),
    ],
)
@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_a_file_is_found_on_every_system_or_on_none(
    name: str, hint: str, platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "art").mkdir()
    for file in ("Star.svg", "ba\u0308r.svg"):
        (tmp_path / "art" / file).touch()
    monkeypatch.setattr(sys, "platform", platform)
    if hint or name.endswith("."):
        with pytest.raises(PnpError) as caught:
            files._check_spelling(tmp_path, name, Place("game.toml"))
        (problem,) = caught.value.problems
        assert problem.what.endswith(" is not found on every system")
        assert problem.hint == hint
    else:
        files._check_spelling(tmp_path, name, Place("game.toml"))


def test_a_link_of_an_earlier_version_where_a_person_may_make_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.at(tmp_path)
    (tmp_path / "real.csv").write_text("id\n")
    (tmp_path / "link.csv").symlink_to("real.csv")
    repository.commit()

    def refuse(*_: object) -> NoReturn:
        raise OSError(errno.EPERM, "A required privilege is not held by the client")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    monkeypatch.setattr(sys, "platform", "win32")
    with as_it_was(tmp_path, "HEAD") as past:
        assert past.folder is not None
        assert (past.folder / "link.csv").read_text() == "real.csv"  # as git has it there


def test_a_game_with_the_line_ends_of_windows_is_the_same(tmp_path: Path, pnp: Pnp) -> None:
    """As after a clone by git for Windows."""
    assert pnp("new", tmp_path / "unix/game").exit_code == 0
    shutil.copytree(tmp_path / "unix", tmp_path / "windows")
    for path in (tmp_path / "windows").rglob("*"):
        if path.suffix in (".toml", ".csv", ".svg", ".md"):
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    made = []
    for system in ("unix", "windows"):
        assert pnp("build", tmp_path / system / "game", "-o", tmp_path / f"{system}.pdf").stderr == ""
        made.append((tmp_path / f"{system}.pdf").read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("number", "variables", "paper"),
    [(0x407, {}, "a4"), (0x409, {}, "letter"), (0x1000, {}, "letter"), (0x409, {"LANG": "de_DE"}, "a4")],
)
def test_windows_is_asked_for_the_paper_of_the_country(
    number: int, variables: dict[str, str], paper: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    system = SimpleNamespace(kernel32=SimpleNamespace(GetUserDefaultLCID=lambda: number))
    monkeypatch.setattr(ctypes, "windll", system, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "environ", variables)
    assert Settings(tmp_path, options._environment()).paper().value == paper


@pytest.mark.parametrize("words", [(), ("-P", "-m", "generator")])
def test_the_program_in_one_file_starts_what_python_would(words: tuple[str, ...]) -> None:
    """So its workers are the program itself."""
    command = [sys.executable, str(PROGRAM), *words, "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("pnp, version ")


def test_windows_has_no_limits_and_no_locks_to_ask_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules of POSIX cannot even be imported there."""
    monkeypatch.setattr(sys, "platform", "win32")
    for module in ("resource", "fcntl"):
        monkeypatch.setitem(sys.modules, module, None)
    workers.Limits(processor_seconds=1).impose()
    workers.allow_seconds(1.0)
    assert bounds.find_cramped_memory() is None
    with writing._held(tmp_path) as is_held:
        assert is_held is None


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such limits")
def test_a_mac_refuses_a_limit_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def refuse(kind: int, _: object) -> NoReturn:
        asked.append(kind)
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr("resource.setrlimit", refuse)
    workers.Limits(processor_seconds=1).impose()
    assert len(asked) == 4, "each is asked for, whatever became of the others"


def test_a_worker_without_a_group_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_HAS_GROUPS", False)
    limits = workers.Limits(memory=4 * 1024 * MEGABYTE)
    with workers.WorkerProcess("tests.basics.workers.answering", limits, leads_group=True) as worker:
        worker.start()
        process = worker._run.process  # type: ignore[union-attr]
        worker._signal("SIGTERM")
        assert process.poll() is None, "there are no signals"
        worker._signal("SIGKILL")
        assert process.wait(PATIENCE) != 0


def test_windows_interrupts_what_is_over_time(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted: list[int] = []
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(bounds, "interrupt_main", interrupted.append)
    bounds._interrupt()
    assert interrupted == [bounds._SIGNAL]


def test_a_launcher_of_windows_is_watched_with_its_python(monkeypatch: pytest.MonkeyPatch) -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert bounds._Watched(os.getpid())._sum(lambda _: 1) == 1
        monkeypatch.setattr(sys, "platform", "win32")
        assert (bounds._Watched(os.getpid())._sum(lambda _: 1) or 0) >= 2
    finally:
        child.communicate(b"\n")


def test_windows_opens_a_file_with_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(TINY, tmp_path / "tiny")
    opened: list[Path] = []
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "startfile", opened.append, raising=False)
    Editor(tmp_path / "tiny", Journal(tmp_path / "journal")).open_file(_id_of("cards.csv").encode())
    assert opened == [tmp_path / "tiny/cards.csv"]
