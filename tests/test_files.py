"""Reading within a folder, writing whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import MisfitError, PnpError
from generator.files import decode, one_line, read_within, write_whole

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
        read_within(folder, name, LIMIT, "game/game.toml:3")
    (problem,) = error.value.problems
    assert problem.where == "game/game.toml:3"
    return f"{problem.what} ({problem.hint})"


@pytest.mark.parametrize("name", ["art/star.svg", "./art/../art/star.svg", "link.svg"])
def test_inside(name: str, folder: Path) -> None:
    (folder / "link.svg").symlink_to("art/star.svg")
    assert read_within(folder, name, LIMIT, "") == b"<svg/>"


def test_folder_may_be_a_link(folder: Path) -> None:
    (folder.parent / "alias").symlink_to(folder)
    assert read_within(folder.parent / "alias", "art/star.svg", LIMIT, "") == b"<svg/>"


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
        ("loop", "is a link that leads nowhere"),
        ("dangling", "is a link that leads nowhere"),
        ("pipe", "is not a plain file"),
    ],
)
def test_what_is_no_file(name: str, said: str, folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("art/gone.svg")
    os.mkfifo(folder / "pipe")
    assert said in message(folder, name)


def test_limit(folder: Path) -> None:
    (folder / "small").write_bytes(b"x" * LIMIT)
    (folder / "large").write_bytes(b"x" * (LIMIT + 1))
    assert len(read_within(folder, "small", LIMIT, "")) == LIMIT
    assert "is too large" in message(folder, "large")


@pytest.mark.parametrize(
    ("content", "text"),
    [(b"", ""), ("ñ\r\n\t".encode(), "ñ\r\n\t"), ("ñ".encode("utf-8-sig"), "ñ")],
)
def test_decode(content: bytes, text: str) -> None:
    assert decode(content, "a.csv") == text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\nb\xf1\n", "a.csv:2: the text is not UTF-8 (byte 0xf1)"),
        ("a".encode("utf-16"), "a.csv:1: the text is not UTF-8 (byte 0xff)"),
        ("a\nb".encode("utf-16-le"), "a.csv:1: a character stands here that is no text (U+0000)"),
        (b"a\n\n\x1b[2J", "a.csv:3: a character stands here that is no text (U+001B)"),
        ("\uffff".encode(), "a.csv:1: a character stands here that is no text (U+FFFF)"),
    ],
)
def test_what_is_no_text(content: bytes, said: str) -> None:
    with pytest.raises(PnpError) as error:
        decode(content, "a.csv")
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
    (tmp_path / "folder/full").mkdir(parents=True)
    with pytest.raises(PnpError, match="cannot be written"):
        write_whole(tmp_path / "folder", b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_kill_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = tmp_path / "out.pdf"
    path.write_bytes(b"the earlier file")
    command = [sys.executable, "-c", KILLED_WRITER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"written\n"
        others = [other for other in tmp_path.iterdir() if other != path]
        assert [other.stat().st_size for other in others] == [400_000]
        writer.send_signal(signal.SIGKILL)
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
