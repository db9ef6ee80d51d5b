"""Take the findings a game accepts, make of a finding what then is said of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from generator.errors import Problem, did_you_mean, shown
from generator.model import Accept

STALE = "accept.stale"  # the only finding that cannot be accepted


class Reasons:
    """What a game's spec accepts; remembers which of it was needed."""

    def __init__(self, accepts: Sequence[Accept] = ()) -> None:
        self._accepts = accepts
        self._needed: set[Accept] = set()

    def find(self, finding: str, on: Sequence[str]) -> Accept | None:
        """The first that speaks of it."""
        return next((one for one in self._accepts if one.covers(finding, on)), None)

    def settle(self, problem: Problem) -> Problem:
        """The finding with the reason why it may stay, as grave as the spec says it is."""
        accept = self.find(problem.rule, problem.on)
        if accept is None:
            return problem
        self._needed.add(accept)
        return replace(problem, level=accept.level, accepted=accept.reason)

    def stale(self, known: Collection[str]) -> Iterator[Problem]:
        """A warning for each that nothing needed; an error where no finding is of its kind."""
        for accept in self._accepts:
            if accept.finding not in known:
                what = f"there is no finding {shown(accept.finding)} that could be accepted"
                yield Problem(accept.where, what, did_you_mean(accept.finding, known))
            elif accept.is_due and accept not in self._needed:
                on = f" on {shown(accept.on)}" if accept.on else ""
                what = f"{shown(accept.finding)}{on} is accepted, and nothing of it is found"
                yield Problem(accept.where, what, "take this [[accept]] out", "warning", STALE)
