"""`python -m tests.fuzz`: run random broken games through `pnp`, or one that failed once more."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tests.fuzz.areas import AREAS
from tests.fuzz.cases import Case, load
from tests.fuzz.judging import Room, trace, warm_up
from tests.fuzz.material import small_games, with_rules
from tests.fuzz.running import Report, Runner, batches, find_lopsided, until

_WITHOUT_END = 10**9  # cases
_MANY = 1000  # cases: they pay for a process that has loaded all


def main() -> int:
    asked = _parser().parse_args()
    if asked.replay:
        return _replay(asked.replay.resolve())
    areas = asked.area or list(AREAS)
    shares = {area: AREAS[area].share for area in areas}
    wanted = asked.cases or _WITHOUT_END
    numbers = {area: round(wanted * share / sum(shares.values())) for area, share in shares.items()}
    ends = time.monotonic() + 60 * asked.minutes if asked.minutes else float("inf")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as place, Room(Path(place)) as room:
        games = small_games()[:: 1 if wanted > _MANY else 6]
        warm_up(map(Case, (*games, with_rules())), room)
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell had them ignored
        signal.signal(number, signal.default_int_handler)
    runner = Runner(asked.jobs, asked.folder.resolve(), _print_finding)
    try:
        with suppress(KeyboardInterrupt):
            runner.run(until(ends, batches(numbers, asked.seed)))
    finally:  # what was done until then is told
        _print_report(runner.report, asked.seed)
    return int(bool(runner.report.kept or find_lopsided(runner.report)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--area", action="append", choices=AREAS, help="default: all of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, help="of all areas together")
    parser.add_argument("--minutes", type=float, help="end after so long; without both: no end")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, default=Path("output/fuzz"), help="where failing cases go")
    parser.add_argument("--replay", type=Path, help="the folder of a case that failed")
    return parser


def _replay(folder: Path) -> int:
    case = load(folder)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as place, Room(Path(place)) as room:
        told = trace(case, room)
    print(told)
    return 0


def _print_finding(kind: str, folder: Path) -> None:
    print(f"{kind}\n    {folder}", file=sys.stderr, flush=True)


def _print_report(report: Report, seed: int) -> None:
    print(f"seed {seed}")
    print(f"{'area':<12} {'cases':>8} {'made':>8} {'told':>8} {'failed':>8}   slowest (case)")
    for area, tally in report.tallies.items():
        seconds, index = tally.slowest
        print(
            f"{area:<12} {tally.cases:>8,} {tally.made:>8,} {tally.told:>8,}"
            f" {tally.violations:>8,}   {seconds:.1f} s ({index})"
        )
    for kind, folders in sorted(report.kept.items()):
        print(f"{report.times[kind]} x {kind}\n    python -m tests.fuzz --replay {folders[0]}")
    for lopsided in find_lopsided(report):
        print(lopsided)


if __name__ == "__main__":
    sys.exit(main())
