"""Say what is wrong: where, what, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding.

    where: file, line and column as the designer sees them ("talavera/cards.csv:7 column red").
    what:  the fault, in one clause.
    hint:  what to do; may be empty.
    rule:  the declared rule that found it; empty for faults of the input itself.
    """

    where: str
    what: str
    hint: str = ""
    level: Level = "error"
    rule: str = ""

    def __str__(self) -> str:
        hint = f"\n    hint: {self.hint}" if self.hint else ""
        return f"{self.level}: {self.where}: {self.what}{hint}"


class PnpError(Exception):
    """The work cannot go on. Carries every problem found, never only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def fail(where: str, what: str, hint: str = "") -> PnpError:
    """A PnpError of one problem, to be raised."""
    return PnpError([Problem(where, what, hint)])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known word, or lists them all when none is near."""
    words = sorted(known)
    close = get_close_matches(word, words, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"known: {', '.join(words)}" if words else ""
