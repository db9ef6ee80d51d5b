"""Work that takes too long or too much room ends in a message, and the process goes on."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.basics import bounds
from generator.basics.bounds import Bound, allow_pieces, at_work_on, find_most_pieces, note_progress
from generator.basics.errors import Place, PnpError, fail

posix = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
linux = pytest.mark.skipif(sys.platform != "linux", reason="where the memory of data is limited")
MEGABYTE = 1024 * 1024


@pytest.fixture(params=["enforced", "watched"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that enforces limits itself, and any other."""
    if request.param == "enforced" and not bounds._ENFORCES:
        pytest.skip("this system does not")
    for name in ("_ENFORCES", "_HAS_TIMER"):
        monkeypatch.setattr(bounds, name, request.param == "enforced")


def hold(bound: Bound, work: Callable[[], object]) -> None:
    with bound.hold():
        work()


def read_data_memory() -> int:
    """The bytes of data that this process holds, freed ones that it keeps included."""
    (kilobytes,) = re.findall(r"^VmData:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.M)
    return int(kilobytes) * 1024


def work_for(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def work_for_ever() -> None:
    while True:
        try:
            sum(range(1000))
        except Exception:  # as who takes every fault for one of a file
            continue


def test_what_is_within_bounds_is_not_held_up() -> None:
    with Bound(Place("game")).hold():
        at_work_on("game/cards.csv")


@pytest.mark.usefixtures("system")
def test_endless_work_is_ended_and_reported_by_what_was_read_last() -> None:
    def work() -> None:
        at_work_on("game/game.toml")
        at_work_on("game/cards.csv")
        work_for_ever()

    with pytest.raises(PnpError) as caught:
        hold(Bound(Place("game"), seconds=0.1), work)
    (problem,) = caught.value.problems
    assert str(problem.place) == "game"
    assert problem.what == "reading and drawing it takes more than 0.1 s of the processor"
    assert problem.hint == "it was working on game/cards.csv: make it smaller"


@posix
@pytest.mark.usefixtures("system")
def test_work_that_stands_still_is_ended_and_reported() -> None:
    """As in a plug-in that sleeps, or waits for an answer that never comes."""

    def work() -> None:
        at_work_on("the front of cards 7")
        time.sleep(20.0)

    with pytest.raises(PnpError) as caught:
        hold(Bound(Place("game"), still=0.2), work)
    (problem,) = caught.value.problems
    assert problem.what == "reading and drawing it stands still for 0.2 s"
    waits = "a plug-in waits, or a disk does not answer"
    assert problem.hint == f"it was working on the front of cards 7: {waits}"


@posix
@pytest.mark.usefixtures("system")
def test_what_is_put_right_on_leaving_is_not_interrupted() -> None:
    left = []

    def work() -> None:
        try:
            work_for_ever()
        finally:
            bounds._interrupt()  # as the watching thread may do at any moment
            left.append("whole")

    with pytest.raises(PnpError, match="takes more than"):
        hold(Bound(Place("game"), seconds=0.1), work)
    assert left == ["whole"]


def test_progress_of_another_process_is_no_standstill() -> None:
    bound = Bound(Place("game"))
    with bound.hold():
        bound._stood = 59.0
        note_progress()
        assert bound._stood < 1.0


@posix
def test_a_pattern_that_goes_back_for_ever_is_ended() -> None:
    with pytest.raises(PnpError, match="takes more than"):
        hold(Bound(Place("game"), seconds=0.1), lambda: re.fullmatch("(a+)+", "a" * 60 + "!"))


@pytest.mark.usefixtures("system")
def test_it_is_ended_although_it_was_asked_in_vain() -> None:
    """What is raised where an object dies is swallowed there."""

    class Slow:
        def __del__(self) -> None:
            work_for(0.2)

    def work() -> None:
        Slow()
        work_for_ever()

    heard: list[sys.UnraisableHookArgs] = []
    before, sys.unraisablehook = sys.unraisablehook, heard.append
    try:
        with pytest.raises(PnpError, match="takes more than"):
            hold(Bound(Place("game"), seconds=0.1), work)
    finally:
        sys.unraisablehook = before
    assert heard == []


@posix
def test_another_fault_where_an_object_dies_is_heard() -> None:
    class Faulty:
        def __del__(self) -> None:
            raise ValueError

    heard: list[sys.UnraisableHookArgs] = []
    before, sys.unraisablehook = sys.unraisablehook, heard.append
    try:
        hold(Bound(Place("game")), Faulty)
    finally:
        sys.unraisablehook = before
    assert [told.exc_type for told in heard] == [ValueError]


@pytest.mark.usefixtures("system")
def test_what_others_make_of_its_end_is_reported_as_that() -> None:
    """As a library may do, which makes a fault of its own of it."""

    def work() -> None:
        try:
            work_for_ever()
        except BaseException as error:
            raise ValueError(f"a fault of {error!r}") from None

    with pytest.raises(PnpError, match="takes more than"):
        hold(Bound(Place("game"), seconds=0.1), work)


@pytest.mark.usefixtures("system")
def test_blocks_share_what_is_left() -> None:
    bound = Bound(Place("game"), seconds=0.3)

    def work() -> None:
        for _ in range(100):
            hold(bound, lambda: work_for(0.05))

    with pytest.raises(PnpError, match=r"more than 0\.3 s"):
        work()


@pytest.mark.usefixtures("system")
def test_a_block_within_another_is_part_of_it() -> None:
    inner = Bound(Place("inner"), seconds=99)
    with pytest.raises(PnpError, match="outer"):
        hold(Bound(Place("outer"), seconds=0.1), lambda: hold(inner, work_for_ever))


@posix
def test_a_timer_that_ran_before_runs_on() -> None:
    told: list[int] = []
    before = signal.signal(signal.SIGPROF, lambda number, _: told.append(number))
    signal.setitimer(signal.ITIMER_PROF, 0.2)
    try:
        with Bound(Place("game")).hold():
            sum(range(1000))
        until = time.process_time() + 5
        while not told and time.process_time() < until:
            pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert told == [signal.SIGPROF]


@linux
def test_too_much_memory_is_reported_and_given_back() -> None:
    held: list[bytearray] = []

    def fill() -> None:
        while True:
            held.append(bytearray(MEGABYTE))

    before = read_data_memory()
    with pytest.raises(PnpError, match="takes more than 256 MB of memory"):
        hold(Bound(Place("game"), memory=256 * MEGABYTE), fill)
    assert 100 * MEGABYTE < read_data_memory() - before < 270 * MEGABYTE
    held.append(bytearray(512 * MEGABYTE))


def test_memory_is_watched_where_the_system_has_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "_ENFORCES", False)
    monkeypatch.setattr(bounds, "_read_held_memory", lambda: None)

    def fill() -> None:
        held = b"." * (64 * MEGABYTE)
        while held:
            pass

    with pytest.raises(PnpError, match="takes more than 32 MB of memory"):
        hold(Bound(Place("game"), memory=32 * MEGABYTE), fill)


@linux
def test_a_process_that_is_started_meanwhile_has_its_own_limits() -> None:
    """As the press is, which is given four gigabytes."""
    told = "from generator.basics.workers import Limits;Limits().impose(); print(len(bytearray(200 << 20)))"
    with Bound(Place("game"), memory=100 * MEGABYTE).hold():
        made = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True)
    assert made.stdout.strip() == str(200 << 20), made.stderr


def test_other_threads_work_without_a_time() -> None:
    done = []

    def work() -> None:
        with Bound(Place("game"), seconds=0.001).hold():
            until = time.thread_time() + 0.05
            while time.thread_time() < until:
                pass
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done


def test_faults_pass_through() -> None:
    def find_fault() -> None:
        raise fail(Place("game"), "a fault")

    with pytest.raises(PnpError, match="a fault"):
        hold(Bound(Place("game")), find_fault)


@pytest.mark.usefixtures("system")
def test_faces_to_draw_extend_the_limit_of_time() -> None:
    def work() -> None:
        allow_pieces(100)
        work_for(0.3)

    hold(Bound(Place("game"), seconds=0.1), work)

    def endless() -> None:
        allow_pieces(5)
        work_for_ever()

    with pytest.raises(PnpError) as caught:
        hold(Bound(Place("game"), seconds=0.1), endless)
    assert "takes more than 0.13 s of the processor" in caught.value.problems[0].what


def refused(pieces: int) -> tuple[str, str]:
    """The message for so many pieces, and its hint."""
    with pytest.raises(PnpError) as caught, Bound(Place("game")).hold():
        allow_pieces(pieces)
    (problem,) = caught.value.problems
    assert str(problem.place) == "game"
    return problem.what, problem.hint


def test_more_pieces_than_memory_has_room_for_are_refused_at_once() -> None:
    assert refused(250_000) == (
        "drawing its 250,000 pieces takes about 1,907 MB of memory",
        "the limit is 100,000: print a part of it with --only, or allow more: PNP_MEMORY=1908",
    )


def test_more_memory_allows_more_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_most_pieces() == 100_000
    monkeypatch.setenv("PNP_MEMORY", "1908")
    assert find_most_pieces() == 250_000
    monkeypatch.setattr("generator.basics.bounds.find_free_memory", lambda: None)
    with Bound(Place("game")).hold():
        allow_pieces(250_000)


def test_a_machine_without_enough_free_memory_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.basics.bounds.find_free_memory", lambda: 400 * MEGABYTE)
    assert refused(100_000) == (
        "drawing its 100,000 pieces takes about 763 MB of memory, and 400 MB are free",
        "close other programs, or print a part of it with --only",
    )
    with Bound(Place("game")).hold():
        allow_pieces(5000)


@pytest.mark.parametrize("text", ["much", "-1", "0", "1e9", "9" * 30, "²"])
def test_a_limit_of_memory_that_is_no_number_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PNP_MEMORY", text)
    with pytest.raises(PnpError, match=r"PNP_MEMORY.*is not a number of MB"):
        Bound(Place("game"))
