"""What a command costs: seconds of the processor with its children, of the clock, memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from msgspec import Struct

ROOT = Path(__file__).parents[2]
RUNS = 7
_EVERY = 0.1  # s between two looks at the memory, at least
_SHARE = 50  # times as long as a look, which stops a large process
_MB = 1024  # kB


class Cost(Struct, frozen=True):
    """Seconds of the processor and of the clock."""

    cpu: float
    wall: float


def cost_of(command: Sequence[str]) -> Cost:
    """The cost of one run."""
    started = time.perf_counter()
    process = _start(command)
    _, status, usage = os.wait4(process.pid, 0)
    return _end(command, process, status, usage, started)


def cost_and_peak_of(command: Sequence[str]) -> tuple[Cost, float]:
    """The cost of one run, and the most memory of all its processes together, in MB (PSS, Linux
    only)."""
    started = time.perf_counter()
    process = _start(command)
    peak = 0
    while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
        looked = time.perf_counter()
        peak = max(peak, sum(map(_held, _family(process.pid))))
        time.sleep(max(_EVERY, _SHARE * (time.perf_counter() - looked)))
    _, status, usage = ended
    return _end(command, process, status, usage, started), peak / _MB


def _end(
    command: Sequence[str], process: subprocess.Popen[bytes], status: int, usage: resource.struct_rusage, started: float
) -> Cost:
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed")
    return Cost(usage.ru_utime + usage.ru_stime, wall)


def costs_of(*commands: Sequence[str], runs: int = RUNS) -> list[list[Cost]]:
    """The costs of each command: after a warm-up they run in turn, so that all see one machine."""
    for command in commands:
        cost_of(command)
    rounds = [[cost_of(command) for command in commands] for _ in range(runs)]
    return [list(costs) for costs in zip(*rounds, strict=True)]


def typical(costs: Sequence[Cost]) -> Cost:
    return Cost(median(cost.cpu for cost in costs), median(cost.wall for cost in costs))


def ratio(costs: Sequence[Cost], floor: Sequence[Cost]) -> float:
    """The median of the ratios of processor time, round by round."""
    return median(one.cpu / other.cpu for one, other in zip(costs, floor, strict=True))


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env=environment)


def _family(pid: int) -> Iterator[int]:
    yield pid
    try:
        children = [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except OSError:
        return
    for child in children:
        yield from _family(child)


def _held(pid: int) -> int:
    """The kB of a process; what it shares is divided among those that share it."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
