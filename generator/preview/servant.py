"""Take a module, have it answer in a process of its own, again and again; the module's side too.

A request is its length in four bytes and a pickle; each answer its length and its bytes, sent as
soon as it is there. An empty answer comes first of all, when the process is ready. What fails ends
the process, and the next request begins another.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import IO, Any

from generator.pdf.ending import tell_ending
from generator.pdf.job import Limits
from generator.pdf.watched import MEMORY, SECONDS_TO_START, follow_parent, keep_to, start

_HEAD = 4  # bytes of a length
_HAS_GROUPS = sys.platform != "win32"


class ServantError(Exception):
    """There was no answer; the text says how it ended."""


class Servant:
    """The process, started when it is needed and again when it ended. For one thread at a time."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: SimpleQueue[bytes | None] = SimpleQueue()
        self._is_ready = False
        self._trouble: IO[bytes]
        self._reader: threading.Thread

    def start(self) -> None:
        self._trouble = tempfile.TemporaryFile()  # noqa: SIM115  closed at the end
        group = 0 if _HAS_GROUPS else None
        self._process = start(self._module, subprocess.PIPE, self._trouble, group)
        self._answers, self._is_ready = SimpleQueue(), False
        reading = (self._process, self._answers)
        self._reader = threading.Thread(target=_read_answers, args=reading, daemon=True)
        self._reader.start()

    def kill(self) -> None:
        """End it, whatever it is at and from any thread; who waits for an answer is told."""
        if _HAS_GROUPS:
            self._signal("SIGKILL")  # with all that it has begun
        elif self._process is not None:
            self._process.kill()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Meanwhile it rests, with all that it has begun; where the system can do that."""
        self._signal("SIGSTOP")
        try:
            yield
        finally:
            self._signal("SIGCONT")

    def _signal(self, name: str) -> None:
        process = self._process
        if _HAS_GROUPS and process is not None and process.returncode is None:
            with suppress(OSError):  # it has just ended
                os.killpg(process.pid, signal.Signals[name])

    def end(self) -> None:
        self.kill()
        if self._process is not None:
            assert self._process.stdin is not None
            with suppress(OSError):  # what it was asked may be on the way still
                self._process.stdin.close()
            self._process.wait()
            self._reader.join()
            self._trouble.close()
            self._process = None

    def ask(self, request: object, answers: int, seconds: float) -> Iterator[bytes]:
        """So many answers, each as it comes. Raises ServantError.

        The seconds are for all of them; the start of the process does not count.
        """
        if self._process is None:
            self.start()
        try:
            self._send(pickle.dumps(request))
            if not self._is_ready:
                self._answer(time.monotonic() + SECONDS_TO_START, SECONDS_TO_START)
                self._is_ready = True
            by = time.monotonic() + seconds
            for _ in range(answers):
                yield self._answer(by, seconds)
        except ServantError:
            self.end()
            raise

    def _send(self, request: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(len(request).to_bytes(_HEAD) + request)
            self._process.stdin.flush()
        except OSError:
            raise ServantError(self._how_it_ended()) from None

    def _answer(self, by: float, seconds: float) -> bytes:
        try:
            answer = self._answers.get(timeout=max(by - time.monotonic(), 0.0))
        except Empty:
            raise ServantError(f"drawing it takes more than {seconds:g} s") from None
        if answer is None:
            raise ServantError(self._how_it_ended())
        return answer

    def _how_it_ended(self) -> str:
        assert self._process is not None
        code = self._process.wait()
        self._trouble.seek(0)
        return tell_ending(code, self._trouble.read().decode(errors="replace")).problem.what


def _read_answers(process: subprocess.Popen[bytes], answers: SimpleQueue[bytes | None]) -> None:
    """What a process answers, as it comes; None when it has ended."""
    assert process.stdout is not None
    with process.stdout as frames:
        while len(head := frames.read(_HEAD)) == _HEAD:
            answers.put(frames.read(int.from_bytes(head)))
    answers.put(None)


def serve(answers: Callable[[Any], Iterable[bytes]]) -> None:
    """In the process: answer requests until there are no more."""
    follow_parent()
    keep_to(Limits(MEMORY, None))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library has to say does not get between the answers
    _write(out, b"")
    while head := sys.stdin.buffer.read(_HEAD):
        request = pickle.loads(sys.stdin.buffer.read(int.from_bytes(head)))
        for answer in answers(request):
            _write(out, answer)


def _write(out: IO[bytes], answer: bytes) -> None:
    out.write(len(answer).to_bytes(_HEAD) + answer)
    out.flush()
