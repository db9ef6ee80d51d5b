"""Take a Job, make a PDF in a worker that is watched, and name the faces it fails on."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from select import select
from types import TracebackType

from generator.errors import PnpError, Problem, fail
from generator.files import MEGABYTE
from generator.pdf.job import Job, Limits, Probe

MAX_SOURCE = 256 * MEGABYTE
_MAX_NAMED = 5


@dataclass
class Press:
    """A worker process, started early so that it is warm when the sheets are ready.

    Use as a context: the worker never outlives it. The limits: memory in bytes, seconds for a
    whole job (1,000 cards take about 1 s), seconds for a face alone.
    """

    memory: int = 4 * 1024 * MEGABYTE
    seconds: float = 120.0
    seconds_a_face: float = 10.0
    _worker: subprocess.Popen[bytes] = field(init=False)

    def __enter__(self) -> Press:
        self._worker = _start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _stop(self._worker)

    def print(self, job: Job) -> bytes:
        """The finished PDF. Raises PnpError naming each face that cannot be drawn."""
        size = sum(len(layer.svg) for layer in job.layers())
        if size > MAX_SOURCE:
            what = f"the faces hold {size / MEGABYTE:.0f} MB of SVG"
            raise fail("faces", what, f"at most {MAX_SOURCE / MEGABYTE:g} MB: simplify the art")
        try:
            pdf, trouble = self._worker.communicate(self._request(job), self.seconds)
        except subprocess.TimeoutExpired:
            _stop(self._worker)
            raise PnpError(self._faults(job, f"it takes more than {self.seconds:g} s")) from None
        if self._worker.returncode != 0:
            raise PnpError(self._faults(job, _last_line(trouble)))
        return pdf

    def _request(self, work: Job | Probe) -> bytes:
        return pickle.dumps((Limits(self.memory, round(self.seconds * 2)), work))

    def _faults(self, job: Job, overall: str) -> list[Problem]:
        """Draw each layer alone, to name the faces at fault; the whole job when none is."""
        problems: list[Problem] = []
        layers = job.layers()
        while layers and len(problems) < _MAX_NAMED:
            with _probing(self._request(Probe(layers, job.font_folders))) as worker:
                index, what = _watch(worker, self.seconds_a_face)
            if index is None:
                break
            problems.append(Problem(f"{layers[index].name}", what, "look at its art"))
            layers = layers[index + 1 :]
        return problems or [Problem("the sheets", overall, "simplify the art")]


def _watch(worker: subprocess.Popen[bytes], seconds: float) -> tuple[int | None, str]:
    """The layer at which a probing worker failed, and how; None when it did not."""
    assert worker.stdout is not None
    assert worker.stderr is not None
    index: int | None = None
    while True:
        ready, _, _ = select([worker.stdout], [], [], seconds)
        if not ready:
            return index, f"drawing it takes more than {seconds:g} s"
        line = worker.stdout.readline().strip()
        if line == b"done":
            return None, ""
        if not line:
            return index, _last_line(worker.stderr.read())
        index = int(line)


def _start() -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "generator.pdf.worker"]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)


def _stop(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.communicate()


@contextmanager
def _probing(request: bytes) -> Iterator[subprocess.Popen[bytes]]:
    worker = _start()
    try:
        assert worker.stdin is not None
        with suppress(BrokenPipeError):  # it died: what it said is read as any other end
            worker.stdin.write(request)
            worker.stdin.close()
        worker.stdin = None
        yield worker
    finally:
        _stop(worker)


def _last_line(trouble: bytes) -> str:
    """What the worker said last; when it said nothing it was killed, most likely for memory."""
    lines = trouble.decode(errors="replace").strip().splitlines()
    if not lines or "memory" in lines[-1].lower():
        return "drawing it takes too much memory"
    return f"cannot be drawn: {lines[-1].rpartition('TypstError: ')[2]}"
