"""How good each move looks, as appraiser.py has it: to the last bit, so sums keep its order."""

from __future__ import annotations

from generator.games.toripoka.appraiser import MOST_TRIES, POOLS, SECRET
from generator.games.toripoka.checks import PLAYERS, PUBLIC
from generator.games.toripoka.kernel.arrays import (
    DOWN,
    IN_BAG,
    KINDS,
    MEMORY,
    PYRAMID,
    WAYS,
    Numbers,
)
from generator.games.toripoka.kernel.compiling import compiled
from generator.games.toripoka.kernel.hands import best, name_row
from generator.games.toripoka.kernel.rules import (
    card_of,
    hold,
    points_of,
    pyramid_of,
)
from generator.games.toripoka.kernel.twister import skip_shuffle
from generator.games.toripoka.state import NONE, SIDES

_UNKNOWN = -1.0  # a guess
_NAME_BITS = 9  # a card and a kind
_NAME = (1 << _NAME_BITS) - 1
_SPREAD = 0x9E3779B97F4A7C1  # odd: spreads names over the memory
_FULL = MEMORY * 3 // 4


def cards_named(name: int) -> list[tuple[int, int]]:
    """The cards of a name and their kinds."""
    found = []
    while name:
        found.append(divmod((name & _NAME) - 1, KINDS))
        name >>= _NAME_BITS
    return found


@compiled
def appraise(box: Numbers, table: Numbers, count: int) -> None:
    """Writes down how good so many moves look. If guesses are wanted for that, it is wrong."""
    seat = table.turn
    table.wants = 0
    if table.pulled < PUBLIC:
        _weigh(box, table, seat)
        for at in range(count):
            table.worths[at] = _worth_of_size(box, table, seat, table.moves[at])
        return
    for side in range(len(SIDES)):
        if table.bids[side] != NONE:
            table.outlook[side, 0] = _guess(box, table, name_row(box, table, seat, side, True))
            table.outlook[side, 1] = _guess(box, table, name_row(box, table, 1 - seat, side, False))
    _forget_chances(table, seat)
    before, lead = NONE - 1, 0
    for at in range(count):
        move = table.moves[at]
        if move < 0:
            table.worths[at] = _worth_of_fold(box, table, seat, -1 - move)
            continue
        pyramid = pyramid_of(box, move)
        if pyramid != before:
            lead, before = _weigh_without(box, table, seat, pyramid), pyramid
        table.worths[at] = _worth_of_lay(box, table, seat, move, lead)


@compiled
def _forget_chances(table: Numbers, seat: int) -> None:
    for at in range(table.held[seat]):
        for side in range(len(SIDES)):
            for kind in range(KINDS):
                table.chances[table.hands[seat, at], side, kind] = _UNKNOWN


@compiled
def _weigh(box: Numbers, table: Numbers, seat: int) -> int:
    """The lead of a seat; and what the pyramid of each side would bring."""
    scores = points_of(box, table, seat), points_of(box, table, 1 - seat)
    for side in range(len(SIDES)):
        bid = table.bids[side]
        if bid != NONE:
            table.gains[side, 0] = _gain(box, table, seat, bid, scores[0])
            table.gains[side, 1] = _gain(box, table, 1 - seat, bid, scores[1])
    return scores[0] - scores[1]


@compiled
def _gain(box: Numbers, table: Numbers, seat: int, pyramid: int, score: int) -> int:
    """What one more pyramid brings to a seat with these points."""
    hold(box, table, seat, pyramid, 1)
    more = points_of(box, table, seat)
    hold(box, table, seat, pyramid, -1)
    return more - score


@compiled
def _weigh_without(box: Numbers, table: Numbers, seat: int, pyramid: int) -> int:
    """`_weigh`, the pyramid being on a card."""
    if pyramid == NONE:
        return _weigh(box, table, seat)
    hold(box, table, seat, pyramid, -1)
    lead = _weigh(box, table, seat)
    hold(box, table, seat, pyramid, 1)
    return lead


@compiled
def _expect(table: Numbers, side: int, worth: float, likely: float) -> float:
    """The worth with the pyramid of a side, as likely as it is won."""
    gain, loss = table.gains[side, 0], table.gains[side, 1]
    expected: float = worth + (likely * (gain + loss) - loss)
    return expected


@compiled
def _likely(own: float, other: float) -> float:
    return min(max(0.5 + own - other, 0.0), 1.0)


@compiled
def _add_secrets(table: Numbers, seat: int, worth: float, more: int) -> float:
    """The worth with the cards that lie face down, and so many more."""
    count = more
    for row in range(2 * seat, 2 * seat + 2):
        for at in range(table.laid[row]):
            count += table.rows[row, at, DOWN]
    for _ in range(count):
        worth += SECRET
    return worth


@compiled
def _worth_of_size(box: Numbers, table: Numbers, seat: int, size: int) -> float:
    """With half of what a pyramid of this size brings."""
    scores = points_of(box, table, seat), points_of(box, table, 1 - seat)
    worth = float(scores[0] - scores[1])
    for side in range(len(SIDES)):
        if table.bids[side] != NONE:
            worth = _expect(table, side, worth, 0.5)
    total, count = 0, 0
    for pyramid in range(box.pyramids):
        if table.place[pyramid] == IN_BAG and box.size[pyramid] == size:
            total += _gain(box, table, seat, pyramid, scores[0])
            total -= _gain(box, table, 1 - seat, pyramid, scores[1])
            count += 1
    return worth + total / count / 2


@compiled
def _worth_of_lay(box: Numbers, table: Numbers, seat: int, move: int, lead: int) -> float:
    worth, laid = float(lead), move % WAYS // 2
    for side in range(len(SIDES)):
        if table.bids[side] != NONE:
            own = table.outlook[side, 0]
            if side == laid:
                own = _chance_with(box, table, seat, move)
            worth = _expect(table, side, worth, _likely(own, table.outlook[side, 1]))
    return _add_secrets(table, seat, worth, move % 2)


@compiled
def _chance_with(box: Numbers, table: Numbers, seat: int, move: int) -> float:
    """The outlook of the own cards at a side with one more."""
    card, kind, side = card_of(box, move), box.kind[pyramid_of(box, move)], move % WAYS // 2
    if table.chances[card, side, kind] == _UNKNOWN:
        count = name_row(box, table, seat, side, True)
        table.named[count] = card * KINDS + kind
        table.chances[card, side, kind] = _guess(box, table, count + 1)
    chance: float = table.chances[card, side, kind]
    return chance


@compiled
def _worth_of_fold(box: Numbers, table: Numbers, seat: int, side: int) -> float:
    """The pyramids on cards there change hands, and that of the side; all goes back then."""
    _shift_pyramids(box, table, seat, side, 1)
    lead = _weigh(box, table, seat)
    _shift_pyramids(box, table, seat, side, -1)
    worth, other = float(lead), 1 - side
    if table.folded[other] != NONE:
        return worth
    likely = _likely(table.outlook[other, 0], table.outlook[other, 1])
    return _add_secrets(table, seat, _expect(table, other, worth, likely), 0)


@compiled
def _shift_pyramids(box: Numbers, table: Numbers, seat: int, side: int, more: int) -> None:
    for each in range(PLAYERS):
        if each == seat or box.takes_both:
            row = 2 * each + side
            for at in range(table.laid[row]):
                if table.rows[row, at, PYRAMID] != NONE:
                    hold(box, table, seat, table.rows[row, at, PYRAMID], more)
    if box.forfeits:
        hold(box, table, 1 - seat, table.bids[side], more)


@compiled
def _guess(box: Numbers, table: Numbers, count: int) -> float:
    """The outlook of the first of the named cards; of few cards, someone else must make it."""
    named, missing = table.named, box.hand_size - count
    if missing == 0:
        return _beaten(box, table, count) / (2 * POOLS)
    name = _name(table, count)
    at = _find(box, name)
    if box.names[at] == name:
        guess: float = box.guesses[at]
        return guess
    others = box.cards - count
    if missing > 1 or others > MOST_TRIES:
        _want(table, name)
        return _UNKNOWN
    beaten = 0
    for card in range(box.cards):
        is_new = True
        for each in range(count):
            is_new = is_new and named[each] // KINDS != card
        if is_new:
            named[count] = card * KINDS
            beaten += _beaten(box, table, count + 1)
    guess = beaten / (2 * POOLS * others)
    keep_guess(box, name, guess)
    return guess


@compiled
def _beaten(box: Numbers, table: Numbers, count: int) -> int:
    """Twice the number of pools that the hand beats; an equal one counts half."""
    value = best(box, table.named, count)
    return _below(box, value) + _below(box, value + 1)


@compiled
def _below(box: Numbers, value: int) -> int:
    """How many pools have less than this value."""
    low, high = 0, POOLS
    while low < high:
        middle = (low + high) // 2
        if box.pools[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _name(table: Numbers, count: int) -> int:
    """The name of the first of the named cards, which it sorts."""
    named, name = table.named, 0
    for at in range(1, count):
        card, to = named[at], at
        while to > 0 and named[to - 1] > card:
            named[to] = named[to - 1]
            to -= 1
        named[to] = card
    for at in range(count):
        name = name << _NAME_BITS | named[at] + 1
    return name


@compiled
def _find(box: Numbers, name: int) -> int:
    """Where the guess for a name is, or would be."""
    at = (name * _SPREAD >> 20) % MEMORY
    while box.names[at] != 0 and box.names[at] != name:
        at = (at + 1) % MEMORY
    return at


@compiled
def keep_guess(box: Numbers, name: int, guess: float) -> None:
    """In a memory that is emptied when it is full."""
    if box.kept == _FULL:
        for each in range(MEMORY):
            box.names[each] = 0
        box.kept = 0
    at = _find(box, name)
    box.kept += box.names[at] == 0
    box.names[at], box.guesses[at] = name, guess


@compiled
def _want(table: Numbers, name: int) -> None:
    count = table.wants
    for at in range(count):
        if table.wanted[at] == name:
            return
    table.wanted[count] = name
    table.wants = count + 1


@compiled
def skip_deal(table: Numbers, seat: int) -> None:
    """Takes the random numbers of `deal_unseen`: what it deals makes no move look better."""
    other = 1 - seat
    count = table.stock + table.held[other]
    for row in range(2 * other, 2 * other + 2):
        for at in range(table.laid[row]):
            count += table.rows[row, at, DOWN]
    skip_shuffle(table.choice, count)
