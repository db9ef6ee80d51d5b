"""Reading within a folder, writing whole."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

from generator import files
from generator.errors import MisfitError, PnpError
from generator.files import (
    check_folder,
    decode,
    list_within,
    one_line,
    read_within,
    resolve_output,
    write_folder,
    write_whole,
)
from generator.place import Place
from tests.support.processes import started

LIMIT = 10
KILLED_WRITER = """
import os, sys
from pathlib import Path
from generator import files

def slow(handle):
    print("written", flush=True)
    sys.stdin.read()

os.fsync = slow
files.write_whole(Path(sys.argv[1]), b"new " * 100_000)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    (folder / "art").mkdir(parents=True)
    (folder / "art/star.svg").write_bytes(b"<svg/>")
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "game-other").mkdir()
    (tmp_path / "game-other/file").write_bytes(b"other")
    return folder


def message(folder: Path, name: str) -> str:
    with pytest.raises(PnpError) as error:
        read_within(folder, name, LIMIT, Place("game/game.toml", 3))
    (problem,) = error.value.problems
    assert str(problem.place) == "game/game.toml:3"
    return f"{problem.what} ({problem.hint})"


@pytest.mark.parametrize("name", ["art/star.svg", "./art/../art/star.svg", "link.svg"])
def test_inside(name: str, folder: Path) -> None:
    (folder / "link.svg").symlink_to("art/star.svg")
    assert read_within(folder, name, LIMIT, Place("")) == b"<svg/>"


def test_folder_may_be_a_link(folder: Path) -> None:
    (folder.parent / "alias").symlink_to(folder)
    assert read_within(folder.parent / "alias", "art/star.svg", LIMIT, Place("")) == b"<svg/>"


@pytest.mark.parametrize(
    "name",
    [
        "../secret",
        "art/../../secret",
        "/etc/hostname",
        "..",
        "../game-other/file",
        "/",
        "art/../..",
    ],
)
def test_path_out_of_the_folder(name: str, folder: Path) -> None:
    assert "leaves the game's folder" in message(folder, name)


@pytest.mark.parametrize(("link", "name"), [("out", "out"), ("up", "up/secret")])
def test_link_out_of_the_folder(link: str, name: str, folder: Path) -> None:
    (folder / link).symlink_to(folder.parent if link == "up" else folder.parent / "secret")
    assert "is a link out of the game's folder" in message(folder, name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("art/ster.svg", "does not exist (did you mean 'art/star.svg'?)"),
        ("Art/star.svg", "does not exist (looked in game/)"),
        ("art/STAR.SVG", "does not exist (did you mean 'art/star.svg'?)"),
        ("art\\star.svg", "does not exist (write folders with '/'"),
        ("nothing.csv", "does not exist (looked in game/)"),
        ("art", "is a folder, not a file"),
        ("", "is a folder, not a file"),
        ("a\0b", "is not a path"),
        ("x" * 5000, "cannot be read: File name too long"),
        ("loop", "is a broken link"),
        ("dangling", "is a broken link"),
        ("pipe", "is not a plain file"),
    ],
)
def test_what_is_no_file(name: str, said: str, folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("art/gone.svg")
    os.mkfifo(folder / "pipe")
    assert said in message(folder, name)


def listed(folder: Path, name: str = "art") -> list[str]:
    """The files that are found, or each place with its fault."""
    try:
        return list_within(folder, name, (".svg",))
    except PnpError as error:
        return [f"{problem.place}: {problem.what}" for problem in error.problems]


def test_files_are_listed_by_their_endings(folder: Path) -> None:
    assert listed(folder, "nothing") == []
    for name in ("b.SVG", "a/z.svg", "a.txt", "svg", ".hidden.svg"):
        (folder / "art" / name).parent.mkdir(exist_ok=True)
        (folder / "art" / name).write_bytes(b"")
    (folder / "art/link.svg").symlink_to("a.txt")
    (folder / "art/.#star.svg").symlink_to("someone@host.42:1")
    found = [".hidden.svg", "a/z.svg", "b.SVG", "link.svg", "star.svg"]
    assert listed(folder) == [f"art/{name}" for name in found]


def test_a_folder_that_is_listed_may_be_a_link_within(folder: Path) -> None:
    (folder / "alias").symlink_to("art")
    assert listed(folder, "alias") == ["alias/star.svg"]
    (folder / "up").symlink_to("..")
    assert listed(folder, "up") == ["game/up: a link out of the game's folder"]


def test_no_more_entries_are_looked_at_than_a_limit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_ENTRIES", 3)
    for number in range(2):
        (folder / "art" / f"{number}.txt").write_bytes(b"")
    assert listed(folder) == ["art/star.svg"]
    (folder / "art/2.txt").write_bytes(b"")
    assert listed(folder) == ["game/art: the folder has more than 3 files"]


def test_a_folder_that_may_not_be_read_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's answer is planted: nothing is forbidden to root."""
    (folder / "art/closed").mkdir()
    real = os.scandir

    def scandir(path: Path) -> object:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert listed(folder) == ["game/art/closed: the folder cannot be read: Permission denied"]


def test_limit(folder: Path) -> None:
    (folder / "small").write_bytes(b"x" * LIMIT)
    (folder / "large").write_bytes(b"x" * (LIMIT + 1))
    assert len(read_within(folder, "small", LIMIT, Place(""))) == LIMIT
    assert "is too large" in message(folder, "large")


def test_no_room_is_taken_but_for_what_is_there(folder: Path) -> None:
    (folder / "long").write_bytes(b"x" * 3_000_000)
    assert read_within(folder, "long", 1 << 50, Place("")) == b"x" * 3_000_000
    with pytest.raises(PnpError, match="is too large"):
        read_within(folder, "long", 2_999_999, Place(""))


@pytest.mark.parametrize(
    ("content", "text"),
    [(b"", ""), ("ñ\r\n\t".encode(), "ñ\r\n\t"), ("ñ".encode("utf-8-sig"), "ñ")],
)
def test_decode(content: bytes, text: str) -> None:
    assert decode(content, Place("a.csv")) == text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\nb\xf1\n", "a.csv:2: the text is not UTF-8 (byte 0xf1)"),
        ("a".encode("utf-16"), "a.csv:1: the text is not UTF-8 (byte 0xff)"),
        ("a\nb".encode("utf-16-le"), "a.csv:1: this character is not text (U+0000)"),
        (b"a\n\n\x1b[2J", "a.csv:3: this character is not text (U+001B)"),
        ("\uffff".encode(), "a.csv:1: this character is not text (U+FFFF)"),
    ],
)
def test_what_is_no_text(content: bytes, said: str) -> None:
    with pytest.raises(PnpError) as error:
        decode(content, Place("a.csv"))
    assert str(error.value).startswith(f"error: {said}")


@pytest.mark.parametrize("text", ["a\nb", "a\x1b[0m", "a\u2028b", "a\u202eb", "a\0b", "a\x85b"])
def test_what_is_no_line(text: str) -> None:
    with pytest.raises(MisfitError, match="is not one line"):
        one_line(text)


def test_line() -> None:
    assert one_line("Ñandú — “x”\u00a0!") == "Ñandú — “x”\u00a0!"


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
        path.name: (path.lstat().st_ino, path.lstat().st_mode)
        for path in folder.iterdir()
        if path.name != "device"
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


def test_fault_while_writing_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.pdf"
    path.write_bytes(b"the earlier file")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PnpError, match="No space left on device"):
        write_whole(path, b"new")
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"the earlier file"


def test_reading_is_not_hung_by_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe.csv")
    assert "is not a plain file" in message(folder, "pipe.csv")
