"""Writing files and folders whole."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import chdir
from hashlib import sha256
from pathlib import Path

import pytest

from generator.basics import writing
from generator.basics.errors import PnpError
from generator.basics.writing import (
    check_folder,
    resolve_output,
    scratch,
    staging,
    write_folder,
    write_together,
    write_whole,
)
from tests.support.processes import started

KILLED_WRITER = """
import os, sys
from pathlib import Path
from generator.basics import writing

def slow(handle):
    print("written", flush=True)
    sys.stdin.read()

os.fsync = slow
writing.write_whole(Path(sys.argv[1]), b"new " * 100_000)
"""


def test_write_makes_folders_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a/b/out.pdf"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


def test_file_is_as_open_as_others(tmp_path: Path) -> None:
    write_whole(tmp_path / "ours", b"")
    (tmp_path / "plain").write_bytes(b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_what_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file/out.pdf", tmp_path / ("x" * 300)):
        with pytest.raises(PnpError, match="cannot be written"):
            write_whole(path, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("folder", [".", "elsewhere"])
def test_a_link_stays_and_its_target_is_replaced(folder: str, tmp_path: Path) -> None:
    target = tmp_path / folder / "target.pdf"
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(b"the earlier file")
    (tmp_path / "first.pdf").symlink_to(target)
    (tmp_path / "link.pdf").symlink_to("first.pdf")
    write_whole(tmp_path / "link.pdf", b"new")
    assert (tmp_path / "link.pdf").readlink() == Path("first.pdf")
    assert (tmp_path / "first.pdf").readlink() == target
    assert target.read_bytes() == b"new"
    assert list(target.parent.glob(".*")) == []


NO_FILES = {
    "pipe": "this is a pipe, which is never replaced",
    "socket": "this is a socket, which is never replaced",
    "folder": "this is a folder, which is never replaced",
    "device": "this is a device, which is never replaced",
    "dead": "this is a broken link",
    "circle": "this is a broken link",
    "to-pipe": "this is a pipe, which is never replaced",
    "plain/out.pdf": "cannot be written: ",
    "dead/out.pdf": "cannot be written: ",
    "x" * 300: "cannot be written: File name too long",
    "circle/out.pdf": "link",
}


def what_is_there(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        path.name: (path.lstat().st_ino, path.lstat().st_mode) for path in folder.iterdir() if path.name != "device"
    }


@pytest.fixture
def no_files(tmp_path: Path) -> Path:
    """A folder of what no file may replace; the device is a link to one."""
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener, chdir(tmp_path):  # the name must be short
        listener.bind("socket")
    (tmp_path / "folder").mkdir()
    (tmp_path / "device").symlink_to(os.devnull)
    (tmp_path / "dead").symlink_to("nothing")
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "to-pipe").symlink_to("pipe")
    (tmp_path / "plain").touch()
    return tmp_path


@pytest.mark.parametrize("name", NO_FILES)
def test_what_is_no_plain_file_is_not_replaced(name: str, no_files: Path) -> None:
    before = what_is_there(no_files)
    with pytest.raises(PnpError) as caught:
        write_whole(no_files / name, b"new")
    (problem,) = caught.value.problems
    assert str(problem.place) == str(no_files / name)
    assert NO_FILES[name] in problem.what
    assert what_is_there(no_files) == before
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize("name", sorted(NO_FILES.keys() - {"folder", "dead/out.pdf"}))
def test_what_is_no_plain_file_is_reported_before_the_work(name: str, no_files: Path) -> None:
    with pytest.raises(PnpError) as caught:
        resolve_output(no_files / name, Path("usual.pdf"))
    assert NO_FILES[name] in caught.value.problems[0].what


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    for name in ("x" * 255, "ü" * 127):
        write_whole(tmp_path / name, b"new")
        assert (tmp_path / name).read_bytes() == b"new"


def test_a_folder_of_pictures_is_a_folder(no_files: Path) -> None:
    for name in ("pipe", "socket", "device", "plain", "dead", "circle"):
        with pytest.raises(PnpError):
            check_folder(no_files / name)
    (no_files / "link").symlink_to("folder")
    for name in ("folder", "link", "not there yet"):
        check_folder(no_files / name)


def test_a_new_folder_goes_where_a_link_leads(tmp_path: Path) -> None:
    (tmp_path / "far/away").mkdir(parents=True)
    (tmp_path / "link").symlink_to("far/away")
    write_folder(tmp_path / "link", {"a.txt": b"a"})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "far/away/a.txt").read_bytes() == b"a"
    assert [path.name for path in (tmp_path / "far").iterdir()] == ["away"]


def test_kill_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = tmp_path / "out.pdf"
    path.write_bytes(b"the earlier file")
    command = [sys.executable, "-c", KILLED_WRITER, str(path)]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "written\n"
        others = [other for other in tmp_path.iterdir() if other != path]
        assert [other.stat().st_size for other in others] == [400_000]
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert writer.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"the earlier file"


def test_fault_while_writing_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.pdf"
    path.write_bytes(b"the earlier file")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PnpError, match="No space left on device"):
        write_whole(path, b"new")
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"the earlier file"


def _fail_midway(folder: Path) -> None:
    with staging(folder) as write:
        write("a/new.txt", b"new")
        raise RuntimeError


def test_staged_files_arrive_together_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "kit"
    write_whole(folder / "own.txt", b"mine")
    with pytest.raises(RuntimeError):
        _fail_midway(folder)
    assert [path.name for path in folder.iterdir()] == ["own.txt"]
    with staging(folder) as write:
        write("a/new.txt", b"new")
        assert not (folder / "a").exists()
    assert (folder / "a/new.txt").read_bytes() == b"new"
    assert sorted(path.name for path in folder.iterdir()) == ["a", "own.txt"]


def test_staging_for_a_new_folder_leaves_none_behind_a_fault(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        _fail_midway(tmp_path / "new/kit")
    assert not (tmp_path / "new/kit").exists()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_staging_replaces_plain_files_only(tmp_path: Path) -> None:
    (tmp_path / "a.png").mkdir()
    with pytest.raises(PnpError, match="a folder"), staging(tmp_path) as write:
        write("a.png", b"picture")


def test_staging_is_beside_a_folder_that_may_be_published(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with staging(tmp_path / "site") as write:
        write("index.html", b"new")
        assert list((tmp_path / "site").iterdir()) == []
        assert len(list(tmp_path.glob(".site.*/index.html"))) == 1


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    with staging(tmp_path / "kit") as write:
        write("cards/a.png", b"one")
        with pytest.raises(PnpError, match=r"kit/cards/a\.png: two files would have this name"):
            write("cards/a.png", b"two")


def test_a_full_disk_is_told_by_the_name_that_the_user_gave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with (
        pytest.raises(PnpError, match=rf"{tmp_path}/kit/a\.png: cannot be written: No space"),
        staging(tmp_path / "kit") as write,
    ):
        write("a.png", b"one")


def test_files_of_an_earlier_list_go_unless_they_were_changed(tmp_path: Path) -> None:
    with staging(tmp_path, "png.sha256") as write:
        for name in ("kept.png", "old/1.png", "changed.png", "gone.png"):
            write(name, b"earlier")
    (tmp_path / "changed.png").write_bytes(b"by hand")
    (tmp_path / "gone.png").unlink()
    (tmp_path / "own.png").write_bytes(b"earlier")
    with (tmp_path / "png.sha256").open("a") as sums:
        sums.write(f"{sha256(b'earlier').hexdigest()}  ../outside.png\n")
    outside = tmp_path.parent / "outside.png"
    outside.write_bytes(b"earlier")
    with staging(tmp_path, "png.sha256") as write:
        write("kept.png", b"anew")
    names = ["changed.png", "kept.png", "own.png", "png.sha256"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert outside.exists()
    assert (tmp_path / "png.sha256").read_text() == f"{sha256(b'anew').hexdigest()}  kept.png\n"


LEFT = """
import os, signal, sys
from pathlib import Path
from generator.basics.writing import staging, write_folder, write_whole
b = b""
{0}
"""
KILL = "os.kill(os.getpid(), signal.SIGKILL)"
LEAVING = {
    "a file": f"os.fsync = lambda _: {KILL}; write_whole(Path('kit.pdf'), b'half')",
    "a folder": f"with staging(Path('kit.pdf')) as write: write('a', b''); {KILL}",
    "a new folder": f"os.fsync = lambda _: {KILL}; write_folder(Path('kit.pdf'), dict(a=b))",
}


@pytest.mark.parametrize("what", LEAVING)
def test_what_a_killed_run_left_is_swept_by_the_next(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", LEFT.format(LEAVING[what])]
    killed = subprocess.run(command, cwd=tmp_path, env={**os.environ, **root}, check=False)
    assert killed.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    others = [tmp_path / ".kit.pdf.settings", tmp_path / ".kit.pdf.pnp-mine.bak"]
    for other in others:
        other.touch()
    with scratch(left.name[:-8], tmp_path) as busy:  # of a process that lives
        monkeypatch.setattr(writing, "_NEW", -1.0)
        write_whole(tmp_path / "kit.pdf", b"whole")
        names = {path.name for path in [*others, busy, tmp_path / "kit.pdf"]}
        assert {path.name for path in tmp_path.iterdir()} == names


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no locks there")
@pytest.mark.parametrize("jump", [-1e6, 1e6], ids=["back", "ahead"])
def test_a_clock_that_is_set_ends_no_work_and_keeps_no_waste(
    jump: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waste = tmp_path / f"made-{'a' * 8}"
    waste.mkdir()
    with scratch("made-", tmp_path) as busy:
        now = time.time() + jump
        monkeypatch.setattr(time, "time", lambda: now)
        with scratch("made-", tmp_path):
            assert busy.exists()
            assert not waste.exists()


def test_files_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "cut").mkdir()
    files = {tmp_path / "a.pdf": b"a", tmp_path / "cut" / "b.svg": b"b"}
    write_together(tmp_path, files)
    assert {path: path.read_bytes() for path in files} == files
    with pytest.raises(PnpError, match="a folder"):
        write_together(tmp_path, {tmp_path / "a.pdf": b"new", tmp_path / "cut": b"c"})
    assert (tmp_path / "a.pdf").read_bytes() == b"a"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pdf", "cut"]


@pytest.mark.parametrize("name", ["out.pdf", "new/folder/out.pdf"])
def test_an_interrupted_file_leaves_nothing(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    (tmp_path / "out.pdf").write_bytes(b"the earlier file")
    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / name, b"the beginning")
    assert [path.name for path in tmp_path.iterdir()] == ["out.pdf"]
    assert (tmp_path / "out.pdf").read_bytes() == b"the earlier file"
