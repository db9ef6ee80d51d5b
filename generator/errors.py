"""Say what is wrong: where, what, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice, zip_longest
from typing import Literal

Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")
_MAX_KNOWN = 20  # words that a hint lists
_MAX_SHOWN = 60  # characters of a value that a message repeats
_MAX_PLACES = 5  # that a message names beside its own
_MAX_COMPARED = 60  # a longer word is no slip of the finger


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding.

    where: file, line and column as the designer sees them ("talavera/cards.csv:7 column red").
    what:  the fault, in one clause.
    hint:  what to do; may be empty.
    rule:  the kind of finding, by which game.toml may accept it; empty for faults of the input.
    on:    the components ("cards") or pieces ("cards/3") that it is about.
    accepted: why it may stay, in the designer's words; empty where nothing is said of it.
    faces: component, piece and side of each face that it is about, where that is known.
    """

    where: str
    what: str
    hint: str = ""
    level: Level = "error"
    rule: str = ""
    on: tuple[str, ...] = ()
    accepted: str = ""
    faces: tuple[tuple[str, str, str], ...] = ()

    def __str__(self) -> str:
        return self.told_of([self.where])

    def told_of(self, places: Sequence[str]) -> str:
        """The message, for one place or several that have the fault alike."""
        lines = [f"{self.level}: {places[0]}: {self.what}"]
        if others := places[1:]:
            rest = len(others) - _MAX_PLACES
            more = f" and {rest} more" if rest > 0 else ""
            lines.append(f"also: {', '.join(others[:_MAX_PLACES])}{more}")
        if self.accepted or self.hint:
            lines.append(f"accepted: {self.accepted}" if self.accepted else f"hint: {self.hint}")
        return "\n    ".join(lines)


class PnpError(Exception):
    """The work cannot go on. Carries every problem found, never only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class MisfitError(ValueError):
    """A value that will not do, wherever it stands: what is wrong with it, and a hint."""

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.hint = hint


def fail(where: str, what: str, hint: str = "") -> PnpError:
    """A PnpError of one problem, to be raised."""
    return PnpError([Problem(where, what, hint)])


def messages(problems: Iterable[Problem]) -> Iterator[str]:
    """What a person is told: one message for all that differ in nothing but their place."""
    alike: dict[Problem, list[str]] = {}
    for problem in problems:
        kind = replace(problem, where="", on=(), faces=())
        alike.setdefault(kind, []).append(problem.where)
    for kind, places in alike.items():
        yield kind.told_of(_one_a_file_first(places))


def _one_a_file_first(places: Iterable[str]) -> list[str]:
    by_file: dict[str, list[str]] = {}
    for place in places:
        by_file.setdefault(place.partition(":")[0], []).append(place)
    rows = zip_longest(*by_file.values())
    return [place for row in rows for place in row if place is not None]


def at_most(count: int, problems: Iterable[Problem]) -> Iterator[Problem]:
    """The first problems of a file, and where the reading stopped: the rest are like them."""
    problems = iter(problems)
    last: Problem | None = None
    for last in islice(problems, count):
        yield last
    if last is not None and next(problems, None) is not None:
        yield Problem(last.where, "there are more faults below", "repair these first")


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that was most likely meant, "" when none is near. Case does not matter."""
    folded = {name.casefold(): name for name in sorted(known) if len(name) <= _MAX_COMPARED}
    close = get_close_matches(word[:_MAX_COMPARED].casefold(), folded, n=1)
    return folded[close[0]] if close else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known word, or lists the known ones when none is near."""
    words = sorted(known)
    near = nearest(word, words)
    if near:
        return f"did you mean {shown(near)}?"
    more = ", …" if len(words) > _MAX_KNOWN else ""
    return f"known: {', '.join(words[:_MAX_KNOWN])}{more}" if words else ""


def shown(value: object) -> str:
    """A value as a message repeats it: one short line, whatever it holds."""
    if isinstance(value, str):
        return repr(value if len(value) <= _MAX_SHOWN else value[: _MAX_SHOWN - 1] + "…")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value.bit_length() < 100 else "a very large number"
    if isinstance(value, Mapping):
        return "a table"
    return "a list" if isinstance(value, Sequence) else str(value)
