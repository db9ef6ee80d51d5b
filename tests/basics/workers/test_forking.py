"""A worker that is a copy of pnp's process is held to all that a new process is held to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.processes import PATIENCE, running, started

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="copies are made on Linux only")

ROOT = Path(__file__).parents[3]
# `new` counts the workers that are not copies.
OWN = """
import os, signal, sys, threading, time
from generator.basics.bounds import own_process
from generator.basics.workers import Limits, WorkerError, WorkerProcess
from tests.basics.workers.answering import Order
new = []
sys.addaudithook(lambda event, told: new.append(told) if event == "subprocess.Popen" else None)
own_process()
asked = WorkerProcess("tests.basics.workers.answering", Limits(1 << 30, 77, 3))
def ask(what, content=b""):
    return list(asked.ask(Order(what, content), 1, 600.0))[0]
"""


def told_by(script: str) -> str:
    """What a process of pnp's own prints."""
    done = subprocess.run(
        [sys.executable, "-c", OWN + script],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert not done.stderr
    return done.stdout.strip()


def test_a_copy_answers_and_ends() -> None:
    script = "print(ask('echo', b'one'), len(new)); asked.end(); print(asked.pid)"
    assert told_by(script) == "b'one' 0\nNone"


def test_it_is_held_to_its_limits() -> None:
    told = told_by("print(ask('tell of itself').decode())")
    assert told == f"({min(os.nice(0) + 3, 19)}, {1 << 30}, 77)"


def test_it_has_no_file_and_no_handler_of_its_parent(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    script = f"""
kept = open({str(kept)!r}, "w")
signal.signal(signal.SIGTERM, lambda *_: print("mine"))
sys.unraisablehook = print
print(ask("tell of its parent", {str(kept).encode()!r}).decode(), len(new))"""
    assert told_by(script) == "(0, [], False) 0"


def test_what_fails_is_reported_as_that_of_a_new_process() -> None:
    script = """
try:
    ask("fail", b"so")
except WorkerError as error:
    print(error)
print(ask("echo", b"again"))"""
    first, again = told_by(script).splitlines()
    assert first.startswith("the drawing process fails: ValueError: so")
    assert again == "b'again'"


@pytest.mark.parametrize(
    "script",
    [
        "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()",
        "from generator.basics import bounds; bounds._own.clear()",
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (400 << 20, -1))",
    ],
    ids=["a second thread", "another's process", "little memory"],
)
def test_only_what_is_safe_to_copy_is_copied(script: str) -> None:
    assert told_by(f"{script}\nprint(ask('echo', b'one'), len(new))") == "b'one' 1"


def test_it_ends_with_its_parent() -> None:
    before = running()
    script = "print(ask('echo', b'ready'), flush=True); time.sleep(600)"
    how = {"cwd": ROOT, "env": {**os.environ, "PYTHONPATH": str(ROOT)}, "stdout": subprocess.PIPE}
    with started([sys.executable, "-c", OWN + script], **how) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline()
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        by = time.monotonic() + PATIENCE
        while running().keys() - before.keys():
            assert time.monotonic() < by, running()
            time.sleep(0.01)
