"""What a command costs: seconds of the processor with its children, of the clock, memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
RUNS = 7
_EVERY = 0.1  # s between two looks at the memory
_MB = 1024  # kB


class Cost(NamedTuple):
    """Seconds of the processor and of the clock."""

    cpu: float
    wall: float


def cost_of(command: Sequence[str]) -> Cost:
    """The cost of one run."""
    started = time.perf_counter()
    process = _start(command)
    _, status, usage = os.wait4(process.pid, 0)
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
    return Cost(median(one.cpu for one in costs), median(one.wall for one in costs))


def ratio(costs: Sequence[Cost], floor: Sequence[Cost]) -> float:
    """The median of the ratios of processor time, round by round."""
    return median(one.cpu / other.cpu for one, other in zip(costs, floor, strict=True))


def peak_of(command: Sequence[str]) -> float:
    """The most memory of all processes of a command together, in MB (PSS, Linux only)."""
    process = _start(command)
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(_held, _family(process.pid))))
        time.sleep(_EVERY)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed")
    return peak / _MB


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
