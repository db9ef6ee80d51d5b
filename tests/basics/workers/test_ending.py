"""How a worker ended is told as it was: by a drawing, by the machine, by somebody."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys

import pytest

from generator.basics import workers
from generator.basics.workers import Limits, describe_ending

RUST = "memory allocation of 16777216 bytes failed\nstack backtrace:\nnote: Some details\n"
CPP = "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n"
NO_THREADS = (
    "pyo3_runtime.PanicException: The global thread pool has not been initialized.: "
    "ThreadPoolBuildError { kind: IOError(Os { code: 11, kind: WouldBlock, message: "
    '"Resource temporarily unavailable" }) }\n'
)
TOO_MUCH = ("the sheets", "drawing it takes too much memory")
CRASH = "it crashes the drawing engine"
NO_PROCESSES = ("this machine", "no more processes can be started")
NO_MEMORY = ("this machine", "there is too little memory")


def python(exception: str) -> str:
    return f'Traceback (most recent call last):\n  File "worker.py", line 1\n{exception}\n'


@pytest.mark.parametrize(
    ("code", "trouble", "where", "what"),
    [
        (1, python("MemoryError"), *TOO_MUCH),
        (-signal.SIGABRT, RUST, *TOO_MUCH),
        (-signal.SIGABRT, CPP, *TOO_MUCH),
        (-signal.SIGABRT, "thread panicked\n", "the sheets", f"{CRASH} (SIGABRT), probably because it is nested"),
        (-signal.SIGSEGV, "", "the sheets", f"{CRASH} (SIGSEGV), probably because it is nested"),
        (-signal.SIGSEGV, "memory", "the sheets", f"{CRASH} (SIGSEGV), probably because it is nested"),
        (-signal.SIGXCPU, "", "the sheets", "drawing it takes too long"),
        (-signal.SIGTERM, "", "the press", "somebody ended the drawing process (SIGTERM)"),
        (-signal.SIGINT, "", "the press", "somebody ended the drawing process (SIGINT)"),
        (1, python("typst.TypstError: no such memory"), "the sheets", "cannot be drawn: no such"),
        (1, python("typst.TypstError: [Errno 24] no"), "the sheets", "cannot be drawn: [Errno 24]"),
        (1, python("pyo3_runtime.PanicException: index 3"), "the sheets", f"{CRASH}: index 3"),
        (1, python(NO_THREADS), *NO_PROCESSES),
        (1, python("RuntimeError: can't start new thread"), *NO_PROCESSES),
        (1, python("OSError: [Errno 24] Too many open files: 'a.ttf'"), "this machine", "no more f"),
        (1, python("ImportError: x.so: failed to map segment from shared object"), *NO_MEMORY),
        (1, python("OSError: [Errno 12] Cannot allocate memory"), *NO_MEMORY),
        (1, python("generator.basics.errors.PnpError: error: fonts: Cannot allocate memory"), *TOO_MUCH),
        (1, python("KeyError: 'memory'"), "the press", "the drawing process fails: KeyError: 'm"),
        (1, "it is broken", "the press", "the drawing process fails: it is broken"),
        (1, "", "the press", "the drawing process fails"),
    ],
)
def test_the_cause_is_reported(code: int, trouble: str, where: str, what: str) -> None:
    problem = describe_ending(code, trouble).problem
    assert str(problem.place) == where
    assert problem.what.startswith(what)


@pytest.mark.parametrize(
    ("before", "after", "cause", "told"),
    [
        (3, 4, "limit", "drawing it takes more memory than this machine has"),
        (3, 3, "machine", "somebody ended the drawing process (SIGKILL)"),
        (None, None, "machine", "somebody ended the drawing process (SIGKILL), or the system did"),
    ],
)
def test_who_killed_it_is_known_where_the_system_counts(
    before: int | None, after: int | None, cause: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "count_killed", lambda: after)
    found = describe_ending(-signal.SIGKILL, "", before)
    assert found.problem.what.startswith(told)
    assert found.cause == cause


@pytest.mark.skipif(sys.platform != "linux", reason="others have no limit of memory")
@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("x = bytearray(1 << 40)", "drawing it takes too much memory"),
        ("while True: pass", "drawing it takes too long"),
        ("open('/dev/null'); import os\nwhile True: os.open('/dev/null', 0)", "no more files"),
        ("import os; os.kill(os.getpid(), 9)", "somebody ended the drawing process (SIGKILL)"),
        ("import os; os.abort()", "it crashes the drawing engine (SIGABRT)"),
    ],
)
def test_what_a_limited_process_dies_of(program: str, told: str) -> None:
    script = f"from generator.basics.workers import Limits\n{Limits(1 << 30, 1)!r}.impose()\n{program}\n"
    before = workers.count_killed()
    done = subprocess.run(
        [sys.executable, "-c", script],
        stderr=subprocess.PIPE,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)),
    )
    problem = describe_ending(done.returncode, done.stderr.decode(), before).problem
    assert problem.what.startswith(told)
