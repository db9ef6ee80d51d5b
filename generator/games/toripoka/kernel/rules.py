"""The rules, as play.py has them."""

from __future__ import annotations

from generator.games.toripoka.checks import ASIDE, DEALT, PLAYERS, PUBLIC
from generator.games.toripoka.deck import SIZES
from generator.games.toripoka.hands import TO_CLASS
from generator.games.toripoka.kernel.arrays import (
    BID,
    CARD,
    DOWN,
    FACE,
    GONE,
    HAND,
    IN_BAG,
    NOTHING,
    ON_CARD,
    OPEN,
    PYRAMID,
    SHOW,
    WAYS,
    Numbers,
)
from generator.games.toripoka.kernel.compiling import compiled
from generator.games.toripoka.kernel.hands import best, name_row
from generator.games.toripoka.kernel.twister import Ints, pick
from generator.games.toripoka.state import (
    BLUFFS,
    BOTH,
    CALLED,
    FIGURES,
    FOLDED,
    LAID,
    NONE,
    ROUNDS,
    SET,
    SIDES,
    TIED,
)
from generator.games.toripoka.trees import MIXED, SINGLE, SOLID
from generator.play.engine import CHANCE, OVER

_CLASSES = len(FIGURES)  # the column of the lowest class
_MANY = 1 << 30


@compiled
def begin_round(box: Numbers, table: Numbers) -> None:
    """A new round, or the end."""
    bag = 0
    for pyramid in range(box.pyramids):
        bag += table.place[pyramid] == IN_BAG
    goes_on = bag >= PUBLIC and table.figures[ROUNDS] < box.most_rounds
    table.turn = CHANCE if goes_on else OVER
    table.due = HAND if goes_on else NOTHING
    table.mover = table.first
    table.pulled = 0
    table.stock = box.cards
    for card in range(box.cards):
        table.rest[card] = card
    for each in range(PLAYERS):
        table.held[each], table.room[each] = 0, BOTH
        table.bids[each] = table.folded[each] = NONE
    for row in range(len(table.laid)):
        table.laid[row] = 0


@compiled
def list_moves(box: Numbers, table: Numbers) -> int:
    """Writes the legal moves down in their order, and counts them: sizes to feel for; else folds,
    -1 - side, and lays, ((pyramid + 1) x cards + card) x 4 + side x 2 + whether it lies face down.
    """
    if table.pulled < PUBLIC:
        return _list_sizes(box, table)
    count, seat, folded = _list_lays(box, table), table.turn, table.folded
    if folded[0] != seat and folded[1] != seat and table.room[1 - seat]:
        for side in range(len(SIDES)):
            if folded[side] == NONE:
                table.moves[count] = -1 - side
                count += 1
    return count


@compiled
def _list_sizes(box: Numbers, table: Numbers) -> int:
    count = 0
    for size in range(len(SIZES)):
        is_in_bag = False
        for pyramid in range(box.pyramids):
            if table.place[pyramid] == IN_BAG and box.size[pyramid] == size:
                is_in_bag = True
        if is_in_bag:
            table.moves[count] = size
            count += 1
    return count


@compiled
def _list_lays(box: Numbers, table: Numbers) -> int:
    seat, count = table.turn, 0
    room, is_later = table.room[seat], table.laid[2 * seat] + table.laid[2 * seat + 1] > 0
    for pyramid in range(NONE, box.pyramids if is_later else 0):
        if pyramid == NONE or table.place[pyramid] == seat:
            for at in range(table.held[seat]):
                lay = ((pyramid + 1) * box.cards + table.hands[seat, at]) * WAYS
                for way in range(WAYS):
                    if room & 1 << way // 2 and (is_later or way % 2 == 0):
                        table.moves[count] = lay + way
                        count += 1
    return count


@compiled
def make_move(box: Numbers, table: Numbers, move: int) -> None:
    if table.pulled < PUBLIC:
        table.turn, table.due = CHANCE, move
    elif move < 0:
        _fold(box, table, -1 - move)
    else:
        _lay(box, table, move)


@compiled
def draw(box: Numbers, table: Numbers, drawn: Ints) -> None:
    """What chance does, as it is due; also written into `drawn`."""
    due, mover = table.due, table.mover
    for at in range(DEALT):
        drawn[at] = NONE
    if due == CARD:
        drawn[0] = _draw_card(table, mover)
        _pass_turn(table, mover)
    elif due == HAND:
        for at in range(DEALT):
            drawn[at] = _draw_card(table, mover)
        table.turn, table.due = (CHANCE, HAND) if mover == table.first else (1 - mover, NOTHING)
        table.mover = 1 - mover
    elif due == OPEN:
        for at in range(PUBLIC):
            drawn[at] = table.public[at] = _take_card(table)
        table.turn, table.due = mover, NOTHING
    elif due == SHOW:
        pick(table.chance, 1)
        _show(box, table)
    else:
        drawn[0] = _pull(box, table, due)


@compiled
def _take_card(table: Numbers) -> int:
    """A card out of the rest."""
    rest, count = table.rest, table.stock
    at = pick(table.chance, count)
    card: int = rest[at]
    for after in range(at + 1, count):
        rest[after - 1] = rest[after]
    table.stock = count - 1
    return card


@compiled
def _draw_card(table: Numbers, seat: int) -> int:
    """A card into a hand, at its place."""
    card, hand, at = _take_card(table), table.hands[seat], table.held[seat]
    while at > 0 and hand[at - 1] > card:
        hand[at] = hand[at - 1]
        at -= 1
    hand[at] = card
    table.held[seat] += 1
    return card


@compiled
def _pull(box: Numbers, table: Numbers, size: int) -> int:
    count = 0
    for pyramid in range(box.pyramids):
        count += table.place[pyramid] == IN_BAG and box.size[pyramid] == size
    left, pulled = pick(table.chance, count), NONE
    for pyramid in range(box.pyramids):
        if table.place[pyramid] == IN_BAG and box.size[pyramid] == size:
            if left == 0:
                pulled = pyramid
            left -= 1
    table.place[pulled] = BID
    table.bids[table.pulled] = pulled
    table.pulled += 1
    mover = 1 - table.mover
    table.turn, table.due = (CHANCE, OPEN) if table.pulled == PUBLIC else (mover, NOTHING)
    table.mover = mover
    return pulled


@compiled
def _pass_turn(table: Numbers, seat: int) -> None:
    """After the turn of a seat."""
    table.due = NOTHING
    if table.room[1 - seat]:
        table.turn = table.mover = 1 - seat
    elif table.room[seat]:
        table.turn = table.mover = seat
    else:
        table.turn, table.due, table.mover = CHANCE, SHOW, seat


@compiled
def pyramid_of(box: Numbers, lay: int) -> int:
    pyramid: int = lay // (WAYS * box.cards) - 1
    return pyramid


@compiled
def card_of(box: Numbers, lay: int) -> int:
    card: int = lay // WAYS % box.cards
    return card


@compiled
def _lay(box: Numbers, table: Numbers, move: int) -> None:
    turn = table.turn
    card, pyramid, side = card_of(box, move), pyramid_of(box, move), move % WAYS // 2
    hand, count = table.hands[turn], table.held[turn]
    at = 0
    while hand[at] != card:
        at += 1
    for after in range(at + 1, count):
        hand[after - 1] = hand[after]
    table.held[turn] = count - 1
    row = 2 * turn + side
    laid = table.rows[row, table.laid[row]]
    laid[FACE], laid[DOWN], laid[PYRAMID] = card, move % 2, pyramid
    table.laid[row] += 1
    if table.laid[row] == LAID:
        table.room[turn] -= 1 << side
    if pyramid != NONE:
        table.place[pyramid] = ON_CARD
        hold(box, table, turn, pyramid, -1)
    if table.stock > ASIDE:
        table.turn, table.due = CHANCE, CARD
    else:
        _pass_turn(table, turn)


@compiled
def hold(box: Numbers, table: Numbers, seat: int, pyramid: int, more: int) -> None:
    """One more or one less of the pyramids of a seat."""
    table.owned[seat, box.colour[pyramid], box.size[pyramid]] += more


@compiled
def _win(box: Numbers, table: Numbers, seat: int, pyramid: int) -> None:
    table.place[pyramid] = seat
    hold(box, table, seat, pyramid, 1)


@compiled
def _fold(box: Numbers, table: Numbers, side: int) -> None:
    seat = table.turn
    table.figures[FOLDED] += 1
    for each in range(PLAYERS):
        if each == seat or box.takes_both:
            row = 2 * each + side
            _count_pyramids(box, table, row, False)
            for at in range(table.laid[row]):
                if table.rows[row, at, PYRAMID] != NONE:
                    _win(box, table, seat, table.rows[row, at, PYRAMID])
                    table.rows[row, at, PYRAMID] = NONE
    if box.forfeits:
        _win(box, table, 1 - seat, table.bids[side])
    else:
        table.place[table.bids[side]] = IN_BAG
    table.bids[side], table.folded[side] = NONE, seat
    for each in range(PLAYERS):
        table.room[each] &= ~(1 << side)
    if table.folded[0] != NONE and table.folded[1] != NONE:
        _end_round(box, table)
    elif not table.room[seat]:
        _pass_turn(table, seat)


@compiled
def _count_pyramids(box: Numbers, table: Numbers, row: int, are_shown: bool) -> None:
    figures = table.figures
    for at in range(table.laid[row]):
        laid = table.rows[row, at]
        if laid[PYRAMID] != NONE:
            is_bluff = laid[DOWN] and box.is_wild[box.form[laid[FACE], 0]]
            figures[SET] += 1
            figures[BLUFFS] += 1 if is_bluff else 0
            figures[CALLED] += 1 if is_bluff and are_shown else 0


@compiled
def _show(box: Numbers, table: Numbers) -> None:
    for side in range(len(SIDES)):
        bid = table.bids[side]
        if bid != NONE:
            for seat in range(PLAYERS):
                cards = name_row(box, table, seat, side, True)
                table.shown[seat] = best(box, table.named, cards)
            _award(box, table, bid)
    _end_round(box, table)


@compiled
def _award(box: Numbers, table: Numbers, bid: int) -> None:
    """The better of both hands takes a pyramid."""
    first, second = table.shown[0], table.shown[1]
    if first == second:
        table.figures[TIED] += 1
        table.place[bid] = GONE if box.ties_leave else IN_BAG
    else:
        _win(box, table, int(second > first), bid)
        table.figures[_CLASSES + max(first, second) // TO_CLASS] += 1


@compiled
def _end_round(box: Numbers, table: Numbers) -> None:
    table.figures[ROUNDS] += 1
    for row in range(len(table.laid)):
        _count_pyramids(box, table, row, table.folded[row % 2] == NONE)
    for pyramid in range(box.pyramids):
        if table.place[pyramid] == ON_CARD:
            table.place[pyramid] = GONE
    table.first = 1 - table.first
    begin_round(box, table)


@compiled
def points_of(box: Numbers, table: Numbers, seat: int) -> int:
    """The points of the best trees, as trees.py has them."""
    owned, solid = table.owned[seat], 0
    for colour in range(1, box.colours):
        solid += min(owned[colour, 0], owned[colour, 1], owned[colour, 2])
    sound, both, singles = _MANY, _MANY, 0
    for size in range(len(SIZES)):
        bright = 0
        for colour in range(1, box.colours):
            bright += owned[colour, size]
        sound, both = min(sound, bright), min(both, bright + owned[0, size])
        singles += bright - owned[0, size]
    trees = both if box.builds_all else sound
    spoiled, hidden = trees - sound, 0
    for size in range(len(SIZES)):
        hidden += min(owned[0, size], spoiled)
    hidden = min(hidden, 2 * spoiled)
    points = SOLID * solid + MIXED * (sound - solid) - MIXED * spoiled
    return points + SINGLE * (singles - 3 * trees + 2 * hidden)
