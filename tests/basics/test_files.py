"""Reading within a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal
from unicodedata import normalize

import pytest

from generator.basics import files
from generator.basics.errors import MisfitError, Place, PnpError
from generator.basics.files import decode, find_alike, list_within, one_line, read_within

LIMIT = 10
Form = Literal["NFC", "NFD"]


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


@pytest.mark.parametrize(("asked", "stored"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_accents_may_be_stored_in_another_way(asked: Form, stored: Form, folder: Path) -> None:
    """As in an archive of macOS."""
    name = "b\u00e4ren/b\u00e4r.svg"
    file = folder / normalize(stored, name)
    file.parent.mkdir()
    file.write_bytes(b"<a/>")
    assert read_within(folder, normalize(asked, name), LIMIT, Place("")) == b"<a/>"
    assert find_alike(folder, normalize(asked, name)) == file
    new = normalize(asked, "b\u00e4ren/b\u00e4rin.svg")
    assert find_alike(folder, new) == file.with_name(normalize(asked, "b\u00e4rin.svg"))


def test_folder_may_be_a_link(folder: Path) -> None:
    (folder.parent / "alias").symlink_to(folder)
    assert read_within(folder.parent / "alias", "art/star.svg", LIMIT, Place("")) == b"<svg/>"


@pytest.mark.parametrize(
    "name", ["../secret", "art/../../secret", "/etc/hostname", "..", "../game-other/file", "/", "art/../.."]
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
        ("Art/star.svg", "does not exist (did you mean 'art/star.svg'?)"),
        ("art/STAR.SVG", "does not exist (did you mean 'art/star.svg'?)"),
        ("ar\u0308t/star.svg", "does not exist (did you mean 'art/star.svg'?)"),
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


def test_no_more_entries_are_looked_at_than_a_limit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_ENTRIES", 3)
    for number in range(2):
        (folder / "art" / f"{number}.txt").write_bytes(b"")
    assert listed(folder) == ["art/star.svg"]
    (folder / "art/2.txt").write_bytes(b"")
    assert listed(folder) == ["game/art: the folder has more than 3 files"]


def test_a_folder_that_may_not_be_read_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    ("content", "text"), [(b"", ""), ("ñ\r\n\t".encode(), "ñ\r\n\t"), ("ñ".encode("utf-8-sig"), "ñ")]
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


def test_reading_is_not_hung_by_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe.csv")
    assert "is not a plain file" in message(folder, "pipe.csv")
