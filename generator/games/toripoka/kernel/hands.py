"""The value of the cards at a pyramid, as hands.py has it."""

from __future__ import annotations

from generator.games.toripoka.checks import PUBLIC
from generator.games.toripoka.kernel.arrays import DOWN, FACE, KINDS, PYRAMID, Numbers
from generator.games.toripoka.kernel.compiling import compiled
from generator.games.toripoka.kernel.twister import Ints


@compiled
def name_row(box: Numbers, table: Numbers, seat: int, side: int, is_own: bool) -> int:
    """Names the cards that count at a pyramid, as their owner or the other seat knows them, and
    counts them."""
    named, count = table.named, 0
    for each in range(PUBLIC):
        if box.shares_public or each == side:
            named[count] = table.public[each] * KINDS
            count += 1
    row = 2 * seat + side
    for at in range(table.laid[row]):
        laid = table.rows[row, at]
        if is_own or not laid[DOWN]:
            named[count] = laid[FACE] * KINDS + box.kind[laid[PYRAMID]]
            count += 1
    return count


@compiled
def best(box: Numbers, named: Ints, count: int) -> int:
    """The value of the best three of the first of these cards."""
    value = 0
    for i in range(count):
        one = box.form[named[i] // KINDS, named[i] % KINDS]
        for j in range(i):
            two = box.form[named[j] // KINDS, named[j] % KINDS]
            for k in range(j):
                three = box.form[named[k] // KINDS, named[k] % KINDS]
                value = max(value, _value(box, one, two, three))
    return value


@compiled
def _value(box: Numbers, one: int, two: int, three: int) -> int:
    """The value of three forms; kept once it is worked out."""
    at = (one * box.forms + two) * box.forms + three
    if box.triple[at] == 0:
        box.triple[at] = _work_out(box, one, two, three)
    value: int = box.triple[at]
    return value


@compiled
def _work_out(box: Numbers, one: int, two: int, three: int) -> int:
    is_wild = box.is_wild[one] | box.is_wild[two] | box.is_wild[three]
    value, i = 0, 0
    while box.values[one, i]:
        j = 0
        while box.values[two, j]:
            k = 0
            while box.values[three, k]:
                a, b, c = box.values[one, i], box.values[two, j], box.values[three, k]
                fit = box.fits[one, i] + box.fits[two, j] + box.fits[three, k]
                value = max(value, box.ranked[is_wild, a, b, c] - fit)
                k += 1
            j += 1
        i += 1
    return value
