"""What changed in a folder is told, once it lies still."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from threading import Event

import pytest

from generator.studio.session import Watch


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    game = tmp_path / "game"
    (game / "art").mkdir(parents=True)
    (game / "cards.csv").write_text("id\n1\n")
    (game / "art/sun.svg").write_text("<svg/>")
    return game


def test_nothing_changes_by_itself(folder: Path) -> None:
    assert Watch(folder).find_changes() == set()


def test_what_comes_goes_and_changes_is_reported_once(folder: Path) -> None:
    watching = Watch(folder)
    (folder / "cards.csv").write_text("id\n1\n2\n")
    (folder / "art/sun.svg").unlink()
    (folder / "new.svg").write_text("<svg/>")
    assert watching.find_changes() == {"cards.csv", "art/sun.svg", "new.svg"}
    assert watching.find_changes() == set()


def test_file_of_the_same_size_put_in_its_place_is_another(folder: Path) -> None:
    watching = Watch(folder)
    (folder / "beside").write_text("id\n2\n")
    stat = (folder / "cards.csv").stat()
    os.utime(folder / "beside", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    (folder / "beside").replace(folder / "cards.csv")
    assert watching.find_changes() == {"cards.csv"}


def test_a_file_that_was_written_before_is_not_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But one is that was written just now, and one that vanished: another may take its place."""
    waits: list[float] = []
    monkeypatch.setattr("generator.studio.session.time.sleep", waits.append)
    table, beside = folder / "cards.csv", folder.with_name("beside")
    watching = Watch(folder)
    for age, is_waited_for in ((1_000_000_000, False), (-1_000_000_000, True)):
        beside.write_text("id\n2\n")
        os.utime(beside, ns=(0, time.time_ns() - age))
        beside.replace(table)
        assert watching.find_changes() == {"cards.csv"}
        assert bool(waits) == is_waited_for
    waits.clear()
    table.unlink()
    assert watching.find_changes() == {"cards.csv"}
    assert waits


def test_a_file_that_was_moved_to_its_place_is_not_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But one is that is written there."""
    waits: list[float] = []
    monkeypatch.setattr("generator.studio.session.time.sleep", waits.append)
    monkeypatch.setattr("generator.studio.session._LONG_SAVED", 3600 * 1_000_000_000)
    table, beside = folder / "cards.csv", folder.with_name("beside")
    watching = Watch(folder)
    beside.write_text("id\n2\n")
    Event().wait(0.05)  # the clock of a disk has steps
    beside.replace(table)
    assert watching.find_changes() == {"cards.csv"}
    assert not waits
    table.write_text("id\n2\n3\n")
    assert watching.find_changes() == {"cards.csv"}
    assert waits


def test_it_looks_more_often_while_someone_is_at_work(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("generator.studio.session.time.monotonic", lambda: now)
    monkeypatch.setattr("generator.studio.session.time.perf_counter", lambda: now)
    watching = Watch(folder)
    often = watching.pause
    now += 3600
    watching.find_changes()
    assert watching.pause > 5 * often
    (folder / "cards.csv").write_text("id\n1\n2\n")
    watching.find_changes()
    watching.find_changes()
    assert watching.pause == often


def test_folder_may_go_and_come_back(folder: Path) -> None:
    watching = Watch(folder)
    folder.rename(folder.with_name("away"))
    assert watching.find_changes() == {"cards.csv", "art/", "art/sun.svg"}
    folder.with_name("away").rename(folder)
    assert watching.find_changes() == {"cards.csv", "art/", "art/sun.svg"}
    shutil.rmtree(folder)
    assert watching.find_changes() == {"cards.csv", "art/", "art/sun.svg"}
    folder.mkdir()
    (folder / "cards.csv").write_text("id\n1\n")
    assert watching.find_changes() == {"cards.csv"}
    (folder / "cards.csv").write_text("id\n1\n2\n")
    assert watching.find_changes() == {"cards.csv"}


def test_what_a_link_leads_to_is_looked_at(folder: Path) -> None:
    target = folder.with_name("shared.csv")
    target.write_text("id\n1\n")
    (folder / "link.csv").symlink_to(target)
    watching = Watch(folder)
    target.write_text("id\n1\n2\n")
    assert watching.find_changes() == {"link.csv"}


def test_what_is_no_file_is_reported_too(folder: Path) -> None:
    """It may be a fault of the game, whose repair is to be seen."""
    watching = Watch(folder)
    (folder / "dead").symlink_to("nothing")
    (folder / "circle").symlink_to("circle")
    (folder / "empty").mkdir()
    os.mkfifo(folder / "pipe")
    names = {"dead", "circle", "empty/", "pipe"}
    assert watching.find_changes() == names
    for name in names:
        (folder / name).rename(folder.with_name(name.rstrip("/")))
    assert watching.find_changes() == names


def test_hidden_files_and_folders_count_for_nothing(folder: Path) -> None:
    watching = Watch(folder)
    (folder / ".~lock.cards.csv#").write_text("someone edits it")
    (folder / ".git").mkdir()
    (folder / ".git/index").write_text("x")
    assert watching.find_changes() == set()


def test_folders_that_hold_each_other_end(folder: Path) -> None:
    (folder / "art/again").symlink_to(folder, target_is_directory=True)
    assert Watch(folder).find_changes() == set()


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, more may pass between two lines of a test than a file needs to settle."""
    now, since = time.time_ns(), time.monotonic()
    monkeypatch.setattr("time.time_ns", lambda: now)
    monkeypatch.setattr("time.monotonic", lambda: since)


@pytest.mark.usefixtures("no_time_passes")
def test_it_waits_while_a_file_is_being_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watching, rest = Watch(folder), ["id\n1\n2\n", "id\n1\n2\n3\n"]

    def write_on(_: float) -> None:
        if rest:
            (folder / "cards.csv").write_text(rest.pop(0))

    monkeypatch.setattr("time.sleep", write_on)
    (folder / "cards.csv").write_text("")
    assert watching.find_changes() == {"cards.csv"}
    assert rest == []
    assert watching.find_changes() == set()


@pytest.mark.usefixtures("no_time_passes")
def test_it_waits_for_a_file_that_is_saved_beside_its_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watching, rest = Watch(folder), 3

    def replace_late(_: float) -> None:
        nonlocal rest
        rest -= 1
        if not rest:
            (folder / "cards.csv.new").replace(folder / "cards.csv")

    monkeypatch.setattr("time.sleep", replace_late)
    (folder / "cards.csv.new").write_text("id\n1\n2\n")
    assert watching.find_changes() == {"cards.csv"}
    assert rest <= 0
    assert watching.find_changes() == set()
