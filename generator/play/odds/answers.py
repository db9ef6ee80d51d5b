"""The answer to a question about a deck: sentences, rows of numbers, and what to plot."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from msgspec import Struct

from generator.play.intervals import bound_share

_LEAST_SHOWN = 0.0005  # a smaller share is also told as one in so many

Plot = Literal["", "bars", "histogram"]


class Chance(Struct, frozen=True):
    """A share with the ends of its 95 % interval. An exact one has equal ends, and the numbers of
    hands that it counts."""

    share: float
    low: float
    high: float
    ways: int | None = None
    of: int | None = None

    def __str__(self) -> str:
        if self.ways is None:
            return f"{say_share(self.share)} ({_percent(self.low)} to {_percent(self.high)} %)"
        return say_share(self.share)


def say_share(share: float) -> str:
    """In percent, to a tenth; a small one also as one in so many."""
    if 0 < share < _LEAST_SHOWN:
        return f"{100 * share:.2g} % (1 in {round(1 / share):,})"
    if 0 < 1 - share < _LEAST_SHOWN:
        return "> 99.9 %"
    return f"{_percent(share)} %"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def exact(chance: Fraction) -> Chance:
    """A chance without an interval."""
    share = float(chance)
    return Chance(share, share, share, chance.numerator, chance.denominator)


def counted(ways: int, of: int) -> Chance:
    """The chance of `ways` of `of` equally likely hands."""
    share = float(Fraction(ways, of))
    return Chance(share, share, share, ways, of)


def sampled(hits: int, samples: int) -> Chance:
    """The share of a sample with its interval."""
    return Chance(hits / samples, *bound_share(hits, samples))


class OddsRow(Struct, frozen=True):
    """A line of an answer: a chance, a number, or words about a card. `at` is its place on the
    axis of the plot."""

    label: str
    chance: Chance | None = None
    note: str = ""
    at: float | None = None


class OddsCurve(Struct, frozen=True):
    """A curve or a cloud of named points to plot."""

    label: str
    points: tuple[tuple[float, float], ...]
    has_line: bool = True
    names: tuple[str, ...] = ()


class OddsAnswer(Struct, frozen=True):
    """The answer to one question.

    said: sentences, the main result first.
    heads: the headings of the rows: what the labels and the notes are.
    samples: the number of random hands; 0 if it is exact.
    plot: how to plot the rows, along an axis with the title `of_rows`.
    across, up: the titles of the axes of the curves.
    chance: the answer in one number, if there is one.
    hand: the number of cards in a hand, to show some; 0 for a question without hands.
    """

    kind: str
    title: str
    component: str
    said: tuple[str, ...]
    heads: tuple[str, str] = ("", "")
    rows: tuple[OddsRow, ...] = ()
    samples: int = 0
    plot: Plot = ""
    of_rows: str = ""
    curves: tuple[OddsCurve, ...] = ()
    across: str = ""
    up: str = "chance"
    chance: Chance | None = None
    hand: int = 0

    @property
    def method(self) -> str:
        """How it was found."""
        return f"from {self.samples:,} random hands" if self.samples else "exact"
