"""A worker process answers; whatever it does instead is told, and nothing of it is left."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.basics import bounds, workers
from generator.basics.workers import Limits, WorkerError, WorkerProcess, read_answers, write_answer
from tests.basics.workers.answering import Order
from tests.support.processes import PATIENCE, running

ROOT = Path(__file__).parents[3]
MUCH = bytes(range(256)) * 20_000  # more than a pipe holds, and than is read at once

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")


@pytest.fixture(autouse=True)
def nothing_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No process of a test is left, and its worker is found though it is not of the generator."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    before = running()
    yield
    by = time.monotonic() + 60.0
    while running().keys() - before.keys():  # a process of a worker takes a moment to end
        assert time.monotonic() < by, running()
        time.sleep(0.01)


def worker(limits: Limits | None = None) -> WorkerProcess:
    return WorkerProcess("tests.basics.workers.answering", limits or Limits(), leads_group=True)


def ask(asked: WorkerProcess, what: str, content: bytes = b"", answers: int = 1) -> list[bytes]:
    return list(asked.ask(Order(what, content), answers, PATIENCE))


def test_requests_are_answered_in_their_order() -> None:
    with worker() as asked:
        asked.send(Order("nothing"))
        asked.send(Order("nothing", MUCH))
        assert ask(asked, "echo", b"") == [b""]
        assert ask(asked, "echo", MUCH) == [MUCH]
        assert ask(asked, "echo", b"last") == [b"last"]


def test_what_a_library_prints_is_no_answer() -> None:
    with worker() as asked:
        assert ask(asked, "twice", b"sound", 2) == [b"sound", b"sound"]


@posix
def test_requests_do_not_wait_for_a_worker_that_does_not_read() -> None:
    with worker() as asked:
        asked.start()
        with asked.pause():
            for _ in range(5):
                asked.send(Order("nothing", MUCH))
        assert ask(asked, "echo", b"read") == [b"read"]


@pytest.mark.parametrize("how", ["hang after one", "work after one"])
def test_what_hangs_is_ended_and_another_answers(how: str) -> None:
    with worker() as asked:
        answers = asked.ask(Order(how, b"one"), 2, 0.1)
        assert next(answers) == b"one"
        first = asked.pid
        with pytest.raises(WorkerError, match=r"it takes more than 0\.1 s") as caught:
            next(answers)
        assert caught.value.ending.cause == "limit"
        assert asked.pid is None
        assert ask(asked, "echo", b"again") == [b"again"]
        assert asked.pid != first


@posix
def test_a_limit_counts_what_is_worked_not_what_is_waited() -> None:
    with worker() as asked:
        answers = asked.ask(Order("wait", b"late"), 1, 0.5)
        assert list(answers) == [b"late"]


def test_what_fails_is_reported_and_another_answers() -> None:
    with worker() as asked:
        with pytest.raises(WorkerError, match="the drawing process fails: ValueError: so"):
            ask(asked, "fail", b"so")
        assert ask(asked, "echo", b"again") == [b"again"]


@posix
def test_what_a_worker_began_ends_with_it() -> None:
    with worker() as asked:
        (child,) = ask(asked, "have a child")
        os.kill(int(child), 0)  # it is there
    # the fixture sees that it ended


@posix
def test_it_is_killed_though_it_is_paused() -> None:
    with worker() as asked:
        asked.start()
        with asked.pause():
            asked.kill()
        with pytest.raises(WorkerError, match="SIGKILL") as caught:
            ask(asked, "echo")
        assert caught.value.ending.cause == "machine"


@posix
def test_it_is_held_to_its_limits() -> None:
    limits = Limits(memory=1 << 30, processor_seconds=77, niceness=3)
    with worker(limits) as asked:
        (told,) = ask(asked, "tell of itself")
    memory = 1 << 30 if sys.platform == "linux" else -1
    niceness = os.nice(0) + 3
    assert told.decode() == repr((min(niceness, 19), memory, 77))


def test_where_the_system_has_no_limits_its_parent_watches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "_ENFORCES", False)
    with worker(Limits(memory=256 << 20)) as asked:
        assert ask(asked, "echo", b"small") == [b"small"]
        with pytest.raises(WorkerError, match="it takes too much memory") as caught:
            ask(asked, "take memory", b"300000000")
        assert caught.value.ending.cause == "limit"
        with pytest.raises(WorkerError, match=r"it takes more than 0\.1 s"):
            list(asked.ask(Order("work after one"), 2, 0.1))
        assert list(asked.ask(Order("wait", b"late"), 1, 0.5)) == [b"late"]


def test_on_windows_it_ends_with_its_parent_whoever_started_it() -> None:
    """There the launcher of an environment is between them."""
    watch = (
        "import sys; from generator.basics import workers; sys.platform = 'win32'\n"
        "print(flush=True); workers._end_with(int(sys.argv[1]))"
    )
    pipe = subprocess.PIPE
    with (
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=pipe) as parent,
        subprocess.Popen([sys.executable, "-c", watch, str(parent.pid)], stdout=pipe) as child,
    ):
        assert child.stdout is not None
        child.stdout.readline()
        assert child.poll() is None
        parent.kill()
        parent.wait()
        assert child.wait(PATIENCE) == 1


def test_a_slow_start_is_no_fault_of_the_art(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_SECONDS_TO_START", 0.0)
    with worker() as asked, pytest.raises(WorkerError, match="does not start") as caught:
        ask(asked, "echo")
    assert caught.value.ending.cause == "machine"


def test_where_no_process_can_be_started_the_machine_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(workers, "_start", start)
    with worker() as asked, pytest.raises(WorkerError, match="no more processes") as caught:
        ask(asked, "echo")
    assert caught.value.ending.cause == "machine"


def test_where_no_thread_can_be_started_no_process_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", start)
    asked = worker()
    with pytest.raises(RuntimeError):
        asked.start()
    assert asked.pid is None
    with pytest.raises(WorkerError, match="no more processes"):
        ask(asked, "echo")


@pytest.mark.parametrize("cut", [0, 1, 7, 8, 11, 12, 19, 20, 30])
def test_no_half_of_an_answer_is_read(cut: int) -> None:
    pipe = io.BytesIO()
    for answer in (b"four", b"", b"second"):
        write_answer(pipe, answer)
    whole = [answer for answer, end in ((b"four", 12), (b"", 20), (b"second", 34)) if end <= cut]
    assert list(read_answers(io.BytesIO(pipe.getvalue()[:cut]))) == whole


def test_a_length_that_is_wrong_takes_no_memory() -> None:
    assert list(read_answers(io.BytesIO(b"\xff" * 20))) == []
