"""What a test starts ends with it, and what does not end is found."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.support import oracles, processes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

SLEEPS = [sys.executable, "-c", "print('begun', flush=True); import time; time.sleep(600)"]
HAS_A_CHILD = [
    sys.executable,
    "-c",
    "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])",
    SLEEPS[-1],
]


def test_a_failure_leaves_no_process_behind() -> None:
    before = processes.running()

    def fail_while_it_runs() -> None:
        with processes.started(HAS_A_CHILD, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            assert len(processes.running().keys() - before.keys()) == 2
            raise LookupError

    with pytest.raises(LookupError):
        fail_while_it_runs()
    assert not processes.running().keys() - before.keys()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_reaches_it_though_the_tests_ignore_it(number: signal.Signals) -> None:
    """As in the background job of a script, or under nohup."""
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with processes.started(SLEEPS, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.send_signal(number)
            assert process.wait(processes.PATIENCE) == -number
        assert signal.getsignal(number) == signal.SIG_IGN
    finally:
        signal.signal(number, before)


def test_what_was_left_behind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it has lost its parent."""
    monkeypatch.setattr(processes, "_PATIENCE", 0.0)
    before = processes.running()
    orphan = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1]])"
    with processes.started([sys.executable, "-c", orphan, SLEEPS[-1]], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.wait()
        (left,) = processes.left_behind().keys() - before.keys()
        assert SLEEPS[-1] in processes.left_behind()[left]
    assert not processes.running().keys() - before.keys()


def test_a_missing_oracle_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert len(list(oracles.report())) == len(oracles.PROGRAMS)
    with pytest.raises(pytest.skip.Exception, match=r"qpdf is not installed \(apt-get install qpdf"):
        oracles.need("qpdf")
