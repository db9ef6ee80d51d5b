"""Take areas and a number of cases or minutes, run them in watched processes, keep what fails.

A process runs a batch of cases and tells each outcome. The system ends it when a case takes too
much of the processor, and we end it when nothing is heard of it; then the case it was at has
failed, and another process goes on behind it.
"""

from __future__ import annotations

import faulthandler
import hashlib
import os
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from shutil import rmtree

from msgspec import Struct
from msgspec.structs import replace

from tests.fuzz.areas import AREAS
from tests.fuzz.cases import save
from tests.fuzz.judging import MOST_SECONDS, TOO_MUCH_MEMORY, Outcome, Room, judge

_BATCH = 100  # cases of one process, so that what one leaves behind does not pile up
_SILENCE = 300.0  # seconds without a word, on a loaded machine, until a process counts as stuck
_ROOM_TO_GROW = 4_000_000_000  # bytes; beyond it a process gets no more memory
_REPEATED = 10  # every so many cases one is run twice
_KEPT = 3  # cases that are kept of one kind of violation
_ENOUGH, _LEAST = 50, 0.01  # cases of an area, and the share of them that is sound, or broken
_CONTEXT = get_context("fork")


class Batch(Struct, frozen=True):
    """Cases of an area, by number."""

    area: str
    seed: int
    first: int
    end: int


class Told(Struct, frozen=True):
    """What came of a case, and the seconds of the processor that it took."""

    number: int
    outcome: Outcome
    seconds: float


@dataclass
class Tally:
    """What came of the cases of an area."""

    made: int = 0
    told: int = 0
    violations: int = 0
    slowest: tuple[float, int] = (0.0, 0)  # seconds, and the number of the case

    def add(self, told: Told) -> None:
        self.made += told.outcome.kind == "made"
        self.told += told.outcome.kind == "told"
        self.violations += told.outcome.kind == "violation"
        self.slowest = max(self.slowest, (told.seconds, told.number))

    @property
    def cases(self) -> int:
        return self.made + self.told + self.violations


@dataclass
class Report:
    """What came of all cases: by area, and of each kind of violation the folders of some."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    kept: dict[str, list[Path]] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)


def find_lopsided(report: Report) -> list[str]:
    """The areas of which hardly a case is sound enough to be printed, or hardly one is broken."""
    return [
        f"{area}: {count} of {tally.cases:,} cases are {kind}"
        for area, tally in report.tallies.items()
        for kind, count in (("sound", tally.made), ("broken", tally.told))
        if tally.cases >= _ENOUGH and count < _LEAST * tally.cases
    ]


class Runner:
    """Runs batches side by side. What fails is kept in `folder` and told to `found`: the kind of
    violation, and the folder of the case."""

    def __init__(self, jobs: int, folder: Path, found: Callable[[str, Path], None]) -> None:
        self.report = Report()
        self._jobs = jobs
        self._folder = folder
        self._found = found

    def run(self, batches: Iterator[Batch]) -> None:
        """Adds to `report` what came of them."""
        running: list[_Process] = []
        with tempfile.TemporaryDirectory(prefix="fuzz-") as rooms:
            try:
                while True:
                    while len(running) < self._jobs and (batch := next(batches, None)):
                        running.append(_Process(batch, Path(rooms)))
                    if not running:
                        return
                    running = [rest for case in running for rest in self._listen(case, running)]
            finally:
                for process in running:
                    process.end()

    def _listen(self, process: _Process, all_: list[_Process]) -> Iterator[_Process]:
        """Takes what a process says; yields it, or the one that goes on after it, if any does."""
        if process is all_[0]:  # once a round, for all of them
            wait([case.connection for case in all_], timeout=1.0)
        for told in process.said():
            self._take(process.batch, told)
        if process.is_over():
            yield from process.follower()
        else:
            yield process

    def _take(self, batch: Batch, told: Told) -> None:
        self.report.tallies.setdefault(batch.area, Tally()).add(told)
        if told.outcome.kind == "violation":
            self._keep(batch, told)

    def _keep(self, batch: Batch, told: Told) -> None:
        kind = f"{batch.area}: {told.outcome.what}"
        kept = self.report.kept.setdefault(kind, [])
        self.report.times[kind] = self.report.times.get(kind, 0) + 1
        if len(kept) >= _KEPT:
            return
        digest = hashlib.blake2b(kind.encode("utf-8", "replace"), digest_size=4).hexdigest()
        folder = self._folder / f"{batch.area}-{digest}-{batch.seed}-{told.number}"
        about = {
            "area": batch.area,
            "seed": batch.seed,
            "index": told.number,
            "what": told.outcome.what,
            "evidence": told.outcome.evidence[:4000],
        }
        case = AREAS[batch.area].case(batch.area, batch.seed, told.number)
        save(case, folder, about)
        kept.append(folder)
        self._found(kind, folder)


class _Process:
    """A process at a batch."""

    def __init__(self, batch: Batch, rooms: Path) -> None:
        self.batch = batch
        self._rooms = rooms
        self._room = Path(tempfile.mkdtemp(dir=rooms))
        self.connection, other = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(target=_work, args=(batch, self._room, other))
        self._process.start()
        other.close()
        self._next = batch.first
        self._heard = time.monotonic()
        self._is_over = False

    def said(self) -> Iterator[Told]:
        """What it has said since, and, when it ended too early, what that says of its case."""
        try:
            while self.connection.poll():
                told: Told = self.connection.recv()
                self._next, self._heard = told.number + 1, time.monotonic()
                yield told
        except EOFError:
            self._process.join()
            self._is_over = True
        if not self._is_over and time.monotonic() - self._heard > _SILENCE:
            self._process.kill()
        if self._is_over and self._next < self.batch.end and self._process.exitcode:
            yield Told(self._next, self._ending(), MOST_SECONDS)
            self._next += 1

    def _ending(self) -> Outcome:
        """What its end says of the case it was at."""
        evidence = (self._room / "streams").read_text("utf-8", "replace")[-4000:]
        code = self._process.exitcode or 0
        if code == -signal.SIGVTALRM:
            return Outcome("violation", f"a hang: {_innermost(evidence)}", evidence)
        if code == -signal.SIGKILL:
            return Outcome("violation", f"nothing is heard of it for {_SILENCE:g} s", evidence)
        if code < 0:
            return Outcome("violation", f"a crash: {signal.Signals(-code).name}", evidence)
        raise RuntimeError(f"the fuzzer itself failed at {self.batch}, case {self._next}: {evidence}")

    def end(self) -> None:
        self._process.kill()
        self._process.join()

    def is_over(self) -> bool:
        return self._is_over

    def follower(self) -> Iterator[_Process]:
        """Another process for the cases that are left."""
        rmtree(self._room, ignore_errors=True)
        self.connection.close()
        if self._next < self.batch.end:
            yield _Process(replace(self.batch, first=self._next), self._rooms)


def _innermost(evidence: str) -> str:
    """The place of ours at which a process was ended, of a traceback by faulthandler."""
    ours = (line for line in evidence.splitlines() if "/generator/" in line)
    line = next(ours, "").strip()
    return line.rpartition("/generator/")[2] or "outside our code"


def _work(batch: Batch, folder: Path, connection: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_ROOM_TO_GROW, _ROOM_TO_GROW))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder.parent)  # goes with it: this may be killed
    with Room(folder) as room, room.streams.open("ab") as stream:
        faulthandler.enable(stream)
        faulthandler.register(signal.SIGVTALRM, stream, all_threads=False, chain=True)
        for number in range(batch.first, batch.end):
            case = AREAS[batch.area].case(batch.area, batch.seed, number)
            before = time.process_time()
            is_repeated = number % _REPEATED == 0
            # a timer that pnp has no use for; when it ends, so does this process
            signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS * (1 + is_repeated))
            outcome = judge(case, room, is_repeated=is_repeated)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            connection.send(Told(number, outcome, time.process_time() - before))
            if outcome.what == TOO_MUCH_MEMORY:  # what was held once counts for good
                return


def batches(areas: Mapping[str, int], seed: int) -> Iterator[Batch]:
    """So many cases of each area, in turns, so that all are as far at any time."""
    done = dict.fromkeys(areas, 0)
    while any(done[area] < areas[area] for area in areas):
        area = min(areas, key=lambda case: done[case] / max(1, areas[case]))
        end = min(done[area] + _BATCH, areas[area])
        yield Batch(area, seed, done[area], end)
        done[area] = end


def until(deadline: float, batches: Iterator[Batch]) -> Iterator[Batch]:
    """Batches, as long as there is time."""
    for batch in batches:
        if time.monotonic() >= deadline:
            return
        yield batch
