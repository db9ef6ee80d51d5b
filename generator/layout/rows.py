"""Take pieces side by side in a row, and rows below each other: how many fit in a room."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from math import copysign, inf

from msgspec import Struct

from generator.basics.geometry import HAIR

_SLACK = HAIR / 100  # mm by which rows may be nearer than computed, before they are given up


class EndlessRow(Struct, frozen=True):
    """A row without end; `pitches` are the mm from an even piece to the next and from an odd one.

    The row starts `aside` mm from the left.
    """

    turns: tuple[bool, bool]
    pitches: tuple[float, float]
    aside: float = 0.0

    def fitting(self, room: float, piece: float) -> int:
        """How many pieces `piece` mm wide fit in a room."""
        pairs = (room + HAIR - piece - self.aside) / sum(self.pitches)
        if pairs < 0:
            return 0
        whole = int(pairs)
        return 2 * whole + 1 + ((pairs - whole) * sum(self.pitches) >= self.pitches[0])

    def at(self, index: int) -> tuple[float, bool]:
        """The left edge of a piece in mm, and whether it is turned."""
        pairs, is_odd = divmod(index, 2)
        x = self.aside + pairs * sum(self.pitches) + is_odd * self.pitches[0]
        return x, self.turns[is_odd]


class RowPair(Struct, frozen=True):
    """Two rows that alternate, and the mm from the first down to the second and from the second
    down to the next first."""

    one: EndlessRow
    other: EndlessRow
    down: float
    back: float


class RowStep:
    """The mm from a row down to the next, the largest of several, computed as far as need be."""

    def __init__(self, parts: Iterator[float]) -> None:
        self.least = 0.0
        self._parts = parts

    def exceeds(self, limit: float) -> bool:
        """Whether it is more; if not, `least` is the step itself."""
        while self.least <= limit:
            part = next(self._parts, None)
            if part is None:
                return False
            self.least = max(self.least, part)
        return True


class RowSteps(Struct, frozen=True):
    """From a first row to a second, from that to the next first, and from first to first."""

    down: RowStep
    back: RowStep
    both: RowStep


class FittedRows(Struct, dict=True):
    """Two rows that alternate, in a room: the first holds `ones` pieces, the second `others`.

    The area of the pieces alone keeps one first row `least` mm from the next.
    """

    one: EndlessRow
    other: EndlessRow
    ones: int
    others: int
    least: float
    find_steps: Callable[[EndlessRow, EndlessRow], RowSteps]

    @cached_property
    def steps(self) -> RowSteps:
        return self.find_steps(self.one, self.other)

    @property
    def pair(self) -> RowPair:
        """The rows as near as possible, once their steps are known."""
        steps = self.steps
        down = steps.down.least
        back = max(steps.back.least, steps.both.least - down)
        return RowPair(self.one, self.other, down, back)

    def count(self, height: float) -> int:
        """How many pieces fit, if the last row begins at most `height` mm down."""
        pair = self.pair
        both, rest = divmod(height, pair.down + pair.back)
        last = self.others if rest >= pair.down else 0
        return int(both) * (self.ones + self.others) + self.ones + last

    def holds_more(self, most: int, height: float) -> bool:
        """Whether more than `most` pieces fit. Steps take long to compute, so this stops as soon as
        even the smallest that they may be would not help."""
        both = self.ones + self.others
        # the pairs of rows above the last row, if that is a first row, and if it is a second one
        odd, even = (most - self.ones) // both + 1, most // both
        most_odd, most_even = _divide(height, odd), _divide(height, even)
        limit = max(most_odd, most_even) + _SLACK
        if self.least > limit or self.steps.both.exceeds(limit):
            return False
        least = max(self.least, self.steps.both.least)
        most_down = max(most_odd if odd * least <= height + _SLACK else 0.0, height - even * least)
        if self.steps.down.exceeds(most_down + _SLACK):
            return False
        down = self.steps.down.least
        most_back = max(most_odd, _divide(height - down, even)) - down
        return not self.steps.back.exceeds(most_back + _SLACK) and self.count(height) > most


def _divide(height: float, rounds: int) -> float:
    """The most mm from round to round."""
    return height / rounds if rounds else copysign(inf, height)
