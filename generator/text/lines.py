"""Take a galley and the width of a line, make the fewest lines, evenly filled."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from math import inf
from operator import sub

from msgspec import Struct

from generator.text.galley import Break, Galley

_SLACK = 1e-9  # ems: the rounding error of a sum
_LINE = 1e6  # the cost of a line: more than any unevenness
_HYPHEN = 0.05  # the cost of a hyphen: that of a line that is two ninths empty


class Widest(Struct, frozen=True):
    """The widest text that cannot be broken, and its width in ems."""

    ems: float
    text: str


def widest(galley: Galley) -> Widest:
    """The text that decides the least width of the galley."""
    pairs = list(pairwise(galley.breaks))
    if not pairs:
        return Widest(0.0, "")
    if galley.is_hyphenated:
        widths = [galley.width(start, end) for start, end in pairs]
    else:
        widths = list(map(sub, galley.ends[1:], galley.starts))
    ems = max(widths)
    return Widest(ems, galley.join_words(*pairs[widths.index(ems)]))


def count(galley: Galley, room: float) -> int:
    """How many lines of `room` ems a galley needs if each is filled before the next begins."""
    if galley.is_hyphenated:
        return _count_each(galley, room)
    ends, starts = galley.ends, galley.starts
    lines, begin, last = 0, 0, len(ends) - 1
    while begin < last:
        full = bisect_right(ends, starts[begin] + room + _SLACK) - 1
        lines, begin = lines + 1, max(full, begin + 1)
    return max(lines, 1)


def _count_each(galley: Galley, room: float) -> int:
    """The same for a galley with soft hyphens, whose lines may end past the next break."""
    lines, start, last = 1, galley.breaks[0], galley.breaks[0]
    for place in galley.breaks[1:]:
        if last is not start and galley.width(start, place) > room + _SLACK:
            lines, start = lines + 1, last
        last = place
    return lines


def choose_breaks(galley: Galley, room: float, *, is_last_alike: bool) -> list[tuple[Break, Break]]:
    """The first and the last break of each line, of at most `room` ems each.

    Of all ways with the fewest lines, the one with the least sum of squares of the empty parts of
    lines. The last line may be short, unless `is_last_alike`; it counts if it is less than a third
    full, so that no word is alone without need.
    """
    room = max(room, _SLACK)  # a divisor
    costs = [0.0]
    before = [0]
    for j in range(1, len(galley.breaks)):
        is_last = j == len(galley.breaks) - 1 and not is_last_alike
        cost, i = _best(galley, costs, j, room, is_last)
        costs.append(cost)
        before.append(i)
    return _trace_back(galley.breaks, before)


def _best(
    galley: Galley, costs: list[float], j: int, room: float, is_last: bool
) -> tuple[float, int]:
    """The cheapest way to end a line at break j: its cost, and the break where the line begins."""
    end, begins, is_hyphenated = galley.breaks[j], galley.starts, galley.is_hyphenated
    till = end.end
    best, start = inf, j - 1
    for i in range(j - 1, -1, -1):
        ems = galley.width(galley.breaks[i], end) if is_hyphenated else till - begins[i]
        empty = 1.0 - ems / room
        if empty * room < -_SLACK and i < j - 1:
            break
        uneven = max(0.0, 3.0 * empty - 2.0) if is_last else empty
        cost = costs[i] + uneven * uneven
        if cost < best - _SLACK:  # of equals, the line that begins last
            best, start = cost, i
    return best + _LINE + (_HYPHEN if end.is_soft else 0.0), start


def _trace_back(places: list[Break], before: list[int]) -> list[tuple[Break, Break]]:
    lines = []
    j = len(places) - 1
    while j > 0:
        lines.append((places[before[j]], places[j]))
        j = before[j]
    return lines[::-1]
