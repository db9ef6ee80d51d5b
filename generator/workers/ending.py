"""Take how a worker ended, say why: what it drew, what the machine lacks, or somebody."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import Literal, NamedTuple

from generator.errors import Problem
from generator.machine import HERE, find_cramped_memory, find_shortage_in
from generator.place import Place

_EVENTS = Path("/proc/vmstat")  # since Linux 4.13 it counts what the system ended for memory
_CRASHES = ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP")
_NO_MEMORY = re.compile(r"^memory allocation of \d+ bytes failed$|std::bad_alloc", re.MULTILINE)
_EXCEPTION = re.compile(r"^(?:\w+\.)*(\w+(?:Error|Exception))(?:: |$)", re.MULTILINE)
_AGAIN = "start it again"
_REPORT = "please report this line with the game's folder"
_TOO_MUCH = "drawing it takes too much memory"
_MOST_SAID = 300  # letters


class Ending(NamedTuple):
    """What is told of it, and the cause: what was drawn; a limit that it met, for whatever reason;
    or neither, so that no drawing is at fault."""

    problem: Problem
    cause: Literal["art", "limit", "machine"]


def meet_limit(what: str) -> Ending:
    """The end of a worker that took too much, or crashed."""
    return Ending(Problem(Place("the sheets"), what), "limit")


def tell_ending(code: int, trouble: str, killed_before: int | None = None) -> Ending:
    """How a worker ended, from its exit code and what it said before.

    `killed_before` is what `count_killed` said when the worker began.
    """
    if code < 0:
        return _ending_by_signal(signal.Signals(-code).name, trouble, killed_before)
    kind, told, last = _last_exception(trouble)
    if kind == "TypstError":
        return Ending(Problem(Place("the sheets"), f"cannot be drawn: {told}"), "art")
    if kind == "MemoryError":
        return meet_limit(_TOO_MUCH)
    if shortage := find_shortage_in(last):
        return Ending(shortage, "machine")
    if kind == "PanicException":
        return meet_limit(f"it crashes the drawing engine: {told}")
    what = f"the process that draws fails: {last[-_MOST_SAID:]}"
    return Ending(Problem(Place("the press"), what, _REPORT), "limit")


def _last_exception(trouble: str) -> tuple[str, str, str]:
    """Its kind, what it says, and both as Python wrote them; or the last line of all."""
    found = list(_EXCEPTION.finditer(trouble))
    if not found:
        return "", "", trouble.strip().rpartition("\n")[2]
    last = found[-1]
    return last[1], trouble[last.end() :].strip(), trouble[last.start() :].strip()


def _ending_by_signal(name: str, trouble: str, killed_before: int | None) -> Ending:
    if name == "SIGXCPU":
        return meet_limit("drawing it takes too long")
    if name == "SIGABRT" and _NO_MEMORY.search(trouble):
        return meet_limit(_TOO_MUCH)
    if name in _CRASHES:
        what = f"it crashes the drawing engine ({name}): it is nested too deeply, most likely"
        return meet_limit(what)
    killed = count_killed()
    if name == "SIGKILL" and killed is not None and killed != killed_before is not None:
        return meet_limit("drawing it takes more memory than this machine has")
    what = f"somebody ended the process that draws ({name})"
    if name == "SIGKILL" and None in (killed, killed_before):
        what += ", or the system did for lack of memory"
    return Ending(Problem(Place("the press"), what, _AGAIN), "machine")


def find_fault_of_machine(ending: Ending) -> Problem | None:
    """What is told where no drawing is at fault: the machine is, or a limit was met that leaves
    room for none."""
    if ending.cause == "machine":
        return ending.problem
    return find_cramped_memory() if ending.cause == "limit" else None


def tell_blank_fails(ending: Ending) -> Problem:
    """What is told where not even a blank face can be drawn."""
    if fault := find_fault_of_machine(ending):
        return fault
    hint = ending.problem.hint or "end other programs and start it again"
    return Problem(HERE, f"nothing can be drawn: {ending.problem.what}", hint)


def count_killed() -> int | None:
    """How many processes the system has ended for lack of memory; None where it does not say."""
    try:
        said = re.search(r"^oom_kill (\d+)$", _EVENTS.read_text("ascii"), re.MULTILINE)
    except OSError:
        return None
    return int(said[1]) if said else None
