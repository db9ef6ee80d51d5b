"""Take a worker's exit code and output, find why it ended: its art, the machine or a person."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import Literal

from msgspec import Struct

from generator.basics.errors import Problem
from generator.basics.machine import HERE, find_cramped_memory, find_shortage_in
from generator.basics.place import Place

_EVENTS = Path("/proc/vmstat")  # since Linux 4.13, counts processes killed when memory ran out
_CRASHES = ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP")
_NO_MEMORY = re.compile(
    r"^memory allocation of \d+ bytes failed$|std::bad_alloc|Cannot allocate memory", re.MULTILINE
)
_EXCEPTION = re.compile(r"^(?:\w+\.)*(\w+(?:Error|Exception))(?:: |$)", re.MULTILINE)
_AGAIN = "start it again"
_REPORT = "please report this line with the game's folder"
_TOO_MUCH = "drawing it takes too much memory"
_LONGEST = 300  # characters of an exception


class Ending(Struct, frozen=True):
    """The problem to report, and the cause: the art; a limit, reached for any reason; or the
    machine, so that no drawing is at fault."""

    problem: Problem
    cause: Literal["art", "limit", "machine"]


def meet_limit(what: str) -> Ending:
    """The ending of a worker that used too much, or crashed."""
    return Ending(Problem(Place("the sheets"), what), "limit")


def describe_ending(code: int, trouble: str, killed_before: int | None = None) -> Ending:
    """Why a worker ended, by its exit code and its standard error.

    `killed_before` is the result of `count_killed` at the start of the worker.
    """
    if code < 0:
        return _ending_by_signal(signal.Signals(-code).name, trouble, killed_before)
    kind, message, last = _last_exception(trouble)
    if kind == "TypstError":
        return Ending(Problem(Place("the sheets"), f"cannot be drawn: {message}"), "art")
    if kind == "MemoryError":
        return meet_limit(_TOO_MUCH)
    if shortage := find_shortage_in(last):
        return Ending(shortage, "machine")
    if _NO_MEMORY.search(last):
        return meet_limit(_TOO_MUCH)
    if kind == "PanicException":
        return meet_limit(f"it crashes the drawing engine: {message}")
    what = f"the drawing process fails: {last[-_LONGEST:]}"
    return Ending(Problem(Place("the press"), what, _REPORT), "limit")


def _last_exception(trouble: str) -> tuple[str, str, str]:
    """The kind and the message of an exception, and both as Python wrote them.

    Without an exception, the third text is the last line.
    """
    matches = list(_EXCEPTION.finditer(trouble))
    if not matches:
        return "", "", trouble.strip().rpartition("\n")[2]
    last = matches[-1]
    return last[1], trouble[last.end() :].strip(), trouble[last.start() :].strip()


def _ending_by_signal(name: str, trouble: str, killed_before: int | None) -> Ending:
    if name == "SIGXCPU":
        return meet_limit("drawing it takes too long")
    if name == "SIGABRT" and _NO_MEMORY.search(trouble):
        return meet_limit(_TOO_MUCH)
    if name in _CRASHES:
        what = f"it crashes the drawing engine ({name}), probably because it is nested too deeply"
        return meet_limit(what)
    killed = count_killed()
    if name == "SIGKILL" and killed is not None and killed != killed_before is not None:
        return meet_limit("drawing it takes more memory than this machine has")
    what = f"somebody ended the drawing process ({name})"
    if name == "SIGKILL" and None in (killed, killed_before):
        what += ", or the system did because memory ran out"
    return Ending(Problem(Place("the press"), what, _AGAIN), "machine")


def find_fault_of_machine(ending: Ending) -> Problem | None:
    """The problem to report if no drawing is at fault: the machine is, or its limits are too low
    for any drawing."""
    if ending.cause == "machine":
        return ending.problem
    return find_cramped_memory() if ending.cause == "limit" else None


def describe_failing_blank(ending: Ending) -> Problem:
    """The problem to report if not even a blank face can be drawn."""
    if fault := find_fault_of_machine(ending):
        return fault
    hint = ending.problem.hint or "close other programs and start it again"
    return Problem(HERE, f"nothing can be drawn: {ending.problem.what}", hint)


def count_killed() -> int | None:
    """How many processes the system has killed because memory ran out; None if it is unknown."""
    try:
        match = re.search(r"^oom_kill (\d+)$", _EVENTS.read_text("ascii"), re.MULTILINE)
    except OSError:
        return None
    return int(match[1]) if match else None
