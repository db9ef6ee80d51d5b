"""The fuzzers themselves: they run, they see every fault they are there to see, and what they once
found stays mended."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from itertools import count
from pathlib import Path

import click
import pytest

from tests.fuzz import judging, running
from tests.fuzz.areas import AREAS
from tests.fuzz.cases import OUTPUT, Area, Case, load, save
from tests.fuzz.judging import Outcome, Room, judge

_FOUND = Path(__file__).parent / "found"
_ROOT = Path(__file__).parents[2]


def python(*arguments: str | Path, hashes: str = "0") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=_ROOT,
        env={**os.environ, "PYTHONHASHSEED": hashes},
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_area_makes_and_breaks_games(tmp_path: Path) -> None:
    asked = ("--cases", "60", "--seed", "1", "--jobs", "1", "--folder", tmp_path)
    run = python("-m", "tests.fuzz", *asked)
    assert run.returncode == 0, run.stdout + run.stderr
    rows = re.findall(r"^(\w+) +([\d,]+) +([\d,]+) +([\d,]+) +0 ", run.stdout, re.MULTILINE)
    assert [row[0] for row in rows] == list(AREAS)
    for area, cases, made, told in rows:
        assert int(cases) == int(made) + int(told) > 0, area
    for kind, counts in zip(("sound", "broken"), list(zip(*rows, strict=True))[2:], strict=True):
        assert sum(map(int, counts)) >= 15, f"hardly a case is {kind}"


def test_an_area_that_makes_too_much_alike_fails_the_run() -> None:
    """Where enough cases ran to tell: every night, not in the test above."""
    report = running.Report({"sound": running.Tally(made=500, told=4), "few": running.Tally(1)})
    assert running.find_lopsided(report) == ["sound: 4 of 504 cases are broken"]
    report.tallies = {"broken": running.Tally(made=4, told=500), "both": running.Tally(5, 495)}
    assert running.find_lopsided(report) == ["broken: 4 of 504 cases are sound"]


def test_the_same_numbers_make_the_same_cases() -> None:
    program = """
from hashlib import sha256
from tests.fuzz.areas import AREAS
for name, area in AREAS.items():
    for index in range(20):
        case = area.case(name, 7, index)
        held = repr((sorted(case.files.items()), case.arguments))
        print(name, index, sha256(held.encode("utf-8", "surrogatepass")).hexdigest())
"""
    one, other = (python("-c", program, hashes=hashes).stdout for hashes in ("1", "2"))
    assert one == other
    assert len(set(one.splitlines())) == 20 * len(AREAS)


def test_a_kept_case_is_run_again(tmp_path: Path) -> None:
    case = Case({"game.toml": b"x = ", "art/a.svg": b"\xff\0"}, ("check", "./game", "\udcff"))
    save(case, tmp_path, {"what": "an example"})
    assert load(tmp_path) == case
    run = python("-m", "tests.fuzz", "--replay", tmp_path)
    assert "usage" in run.stdout.lower()
    assert "exit code 2" in run.stdout


def write(path: str, content: bytes, code: int) -> None:
    Path(path).write_bytes(content)
    if code:
        say("error: here: a fault")


def say(text: str) -> None:
    click.echo(text, err=True)
    end(1)


def end(code: int) -> None:
    raise SystemExit(code)


def go_wrong() -> None:
    raise KeyError


_AT_FAULT = "pnp itself is at fault"
_RUNS = count()
# The violation, and what a run does to be one.
PLANTED: dict[str, Callable[[], object]] = {
    f"{_AT_FAULT}: KeyError (test_fuzz.py:{go_wrong.__code__.co_firstlineno + 1})": go_wrong,
    f"{_AT_FAULT}, as is told": lambda: say(f"error: {_AT_FAULT}: KeyError: 'a' (a.py:1)"),
    "a warning: SyntaxWarning: odd": lambda: warnings.warn("odd", SyntaxWarning, stacklevel=1),
    "a library writes to the terminal": lambda: os.write(2, b"libpng: odd"),
    "U+001B in a message: error: a.csv:…: ?": lambda: say("error: a.csv:1: \x1b"),
    "U+202E in a message: error: a.csv:…: ?": lambda: say("error: a.csv:1: \u202e"),
    "a long line: error: a.csv:…: …": lambda: say(f"error: a.csv:1: '{'a' * 1400}'"),
    "a long answer": lambda: say("error: a.csv:1: a fault\n" * 6000),
    "a line that is no message: a fault": lambda: say("a fault"),
    "an error without a word": lambda: end(1),
    "exit code 3": lambda: end(3),
    "the earlier output is not what it was": lambda: write(OUTPUT, b"%PDF-", 1),
    "the output is no PDF": lambda: write(OUTPUT, b"", 0),
    "files are left beside the output": lambda: write("out/.game.pdf.x", b"", 1),
    "another result of the same files": lambda: click.echo(next(_RUNS)),
}


@pytest.mark.parametrize("what", PLANTED)
def test_a_planted_fault_is_seen(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "main", click.Command("planted", callback=PLANTED[what]))
    with Room(tmp_path) as room:
        outcome = judge(Case({}, ()), room, is_repeated=True)
    assert outcome[:2] == ("violation", what)
    assert outcome.evidence or what == "an error without a word"


def test_a_path_is_said_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = "a\u202eb"

    def act() -> None:
        Path(odd).touch()
        click.echo(odd)

    monkeypatch.setattr(judging, "main", click.Command("planted", callback=act))
    with Room(tmp_path) as room:
        assert judge(Case({}, ()), room).kind == "made"


def test_memory_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the process held before does not count: other tests ran in it."""
    held = [5 * judging.MOST_MEMORY]
    monkeypatch.setattr(judging, "_peak", held.pop)

    def grow_by(more: int) -> None:
        held.append(5 * judging.MOST_MEMORY + more)

    monkeypatch.setattr(judging, "main", click.Command("planted", callback=lambda: None))
    with Room(tmp_path) as room:
        grow_by(judging.MOST_MEMORY)
        assert judge(Case({}, ()), room).what != judging.TOO_MUCH_MEMORY
        grow_by(judging.MOST_MEMORY + 1)
        assert judge(Case({}, ()), room).what == judging.TOO_MUCH_MEMORY


class Numbered(Area):
    """Cases that hold nothing but their number."""

    def case(self, name: str, seed: int, index: int) -> Case:  # noqa: ARG002
        return Case({}, (str(index),))


def judge_planted(case: Case, _: Room, **__: bool) -> Outcome:
    """The third hangs, the fifth crashes, the seventh is found to be wrong."""
    number = int(case.arguments[0])
    if number == 3:
        while True:
            pass
    if number == 5:
        os.kill(os.getpid(), signal.SIGSEGV)
    return Outcome("violation", "wrong", "why") if number == 7 else Outcome("told")


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_what_hangs_or_crashes_is_kept_and_the_rest_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "AREAS", {"planted": Numbered(lambda _: Case({}), 1)})
    monkeypatch.setattr(running, "judge", judge_planted)
    monkeypatch.setattr(running, "MOST_SECONDS", 0.2)
    told: list[tuple[str, Path]] = []
    runner = running.Runner(2, tmp_path, lambda kind, folder: told.append((kind, folder)))
    runner.run(running.batches({"planted": 120}, seed=1))
    report = runner.report
    tally = report.tallies["planted"]
    assert (tally.told, tally.violations) == (117, 3)
    assert sorted(report.kept) == ["planted: a crash: SIGSEGV", "planted: a hang: outside our code", "planted: wrong"]
    assert sorted(told) == sorted((kind, kept[0]) for kind, kept in report.kept.items())
    numbers = {load(folder).arguments for folders in report.kept.values() for folder in folders}
    assert numbers == {("3",), ("5",), ("7",)}


def found() -> list[str]:
    return sorted(path.parent.name for path in _FOUND.glob("*/case.json"))


@pytest.mark.parametrize("name", found())
def test_what_was_found_stays_mended(name: str, tmp_path: Path) -> None:
    with Room(tmp_path) as room:
        outcome = judge(load(_FOUND / name), room, is_repeated=True)
    assert outcome.kind != "violation", f"{outcome.what}\n{outcome.evidence}"
