"""What was saved can be undone and done again, also after pnp was killed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from generator.basics.errors import PnpError
from generator.studio.journal import Journal, digest_of, open_journal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def note(journal: Journal, *contents: bytes, what: str = "cell") -> None:
    for number, (before, after) in enumerate(pairwise(contents)):
        journal.note("cards.csv", before, after, f"{what} {number}")


def test_it_is_read_again(folder: Path) -> None:
    journal = Journal(folder)
    note(journal, b"a", b"b", b"c")
    journal.go("undo")
    again = Journal(folder)
    assert again.saves == journal.saves
    assert (again.last, again.next) == (journal.saves[0], journal.saves[1])
    assert [again.content(save.after) for save in again.saves] == [b"b", b"c"]
    again.note("cards.csv", b"b", b"d", "other")
    assert [save.what for save in Journal(folder).saves] == ["cell 0", "other"]


def test_a_torn_line_does_not_count(folder: Path) -> None:
    note(Journal(folder), b"a", b"b", b"c")
    log = folder / "log"
    log.write_bytes(log.read_bytes()[:-9])
    journal = Journal(folder)
    assert [save.what for save in journal.saves] == ["cell 0"]
    note(journal, b"b", b"e", what="more")
    assert [save.what for save in Journal(folder).saves][-1:] == ["more 0"]


def test_saves_of_one_value_in_a_moment_are_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("time.time", lambda: now)
    journal = Journal(folder)
    for before, after in ((b"a", b"b"), (b"b", b"c")):
        journal.note("cards.csv", before, after, "title of 3")
    now += 5
    journal.note("cards.csv", b"c", b"d", "title of 3")
    now -= 3600  # a clock may be set back
    journal.note("cards.csv", b"d", b"e", "title of 3")
    spans = [(save.before, save.after) for save in Journal(folder).saves]
    contents = ((b"a", b"c"), (b"c", b"d"), (b"d", b"e"))
    assert spans == [(digest_of(before), digest_of(after)) for before, after in contents]


def test_a_file_that_was_not_there_has_no_content(folder: Path) -> None:
    journal = Journal(folder)
    journal.note("art/a.svg", None, b"<svg/>", "add art/a.svg")
    assert journal.last is not None
    assert journal.content(journal.last.before) is None


def test_the_oldest_are_forgotten(folder: Path) -> None:
    journal = Journal(folder)
    note(journal, *(str(number).encode() for number in range(520)))
    journal.go("undo")
    short = Journal(folder)
    assert len(short.saves) == 500
    assert (short.last, short.next) == (journal.last, journal.next)
    assert len(list((folder / "contents").iterdir())) == 501
    assert Journal(folder).saves == short.saves


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "undo").write_text("no folder")
    with pytest.raises(PnpError, match="the journal cannot be kept"):
        open_journal(tmp_path / "undo", tmp_path)
