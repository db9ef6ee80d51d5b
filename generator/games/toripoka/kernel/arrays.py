"""What a game consists of as records of numbers, which compiled functions take.

Cards, pyramids, seats, sides, rows and figures are the numbers that state.py gives them. A card
with pips on it is 4 x the card + their number, its kind.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Protocol, TypeAlias

import numpy as np

from generator.games.toripoka.appraiser import POOLS, Appraiser
from generator.games.toripoka.checks import BLACK, CLASSES, DEALT, HIGH_ACE, PLAYERS, PUBLIC, RANKS
from generator.games.toripoka.deck import MOST_PIECES, SIZES, Pieces
from generator.games.toripoka.hands import MOST_PIPS, HandValues
from generator.games.toripoka.kernel.twister import TWISTER
from generator.games.toripoka.state import FIGURES, LAID, SIDES, Figures, ToripokaState
from generator.play.counting import LONGEST

Numbers: TypeAlias = Any  # a record of numpy

KINDS = MOST_PIPS + 1
WAYS = 2 * len(SIDES)  # to lay a card with a pyramid: on each side, open and face down
MEMORY = 1 << 19  # guesses that are kept
_ROWS = PLAYERS * len(SIDES)
_FORMS = len(RANKS) * KINDS + MOST_PIECES
_VALUES = HIGH_ACE + 1
_MOVES = DEALT * WAYS * (MOST_PIECES + 1) + len(SIDES)
_WANTED = len(SIDES) * (PLAYERS + DEALT * KINDS)

# What is due: a pyramid of this size, or one of these.
NOTHING = len(SIZES)
HAND, OPEN, CARD, SHOW = range(NOTHING + 1, NOTHING + 5)
# Where a pyramid is, if not with a seat.
IN_BAG, BID, ON_CARD, GONE = range(PLAYERS, PLAYERS + 4)
FACE, DOWN, PYRAMID = range(3)  # of a laid card


def _wholes(**shapes: int | tuple[int, ...]) -> list[tuple[Any, ...]]:
    return [(name, np.int64, shape) for name, shape in shapes.items()]


def _reals(**shapes: int | tuple[int, ...]) -> list[tuple[Any, ...]]:
    return [(name, np.float64, shape) for name, shape in shapes.items()]


# A deck and a way to play it.
_BOX = [
    *_wholes(cards=(), pyramids=(), colours=(), forms=()),  # how many there are
    *_wholes(shares_public=(), ties_leave=(), takes_both=(), forfeits=(), builds_all=()),  # options
    *_wholes(most_rounds=()),
    *_wholes(form=(MOST_PIECES, KINDS)),  # what a card with pips may count as, by its number
    *_wholes(is_wild=_FORMS, values=(_FORMS, _VALUES), fits=(_FORMS, _VALUES)),  # of a form; then 0
    *_wholes(ranked=(2, *[HIGH_ACE + 1] * 3)),  # values of three ranks, without wilds and with them
    ("triple", np.int32, _FORMS**3),  # values of three forms; 0 for those nobody asked for
    *_wholes(kind=MOST_PIECES + 1),  # of a card with a pyramid on it; the last with NONE
    *_wholes(size=MOST_PIECES, colour=MOST_PIECES),  # of a pyramid; colour 0 is black
    *_wholes(hand_size=(), pools=POOLS),  # of the outlook
    *_wholes(kept=(), names=MEMORY),  # guesses: how many are known, of which cards
    *_reals(guesses=MEMORY),
]
# How a game stands, and what is worked out for a move.
_TABLE = [
    *_wholes(turn=(), due=(), mover=(), first=()),
    *_wholes(steps=(), decided=()),  # moves, with those of chance; moves chosen from several
    *_wholes(stock=(), rest=MOST_PIECES),  # how many cards, and which
    *_wholes(held=PLAYERS, hands=(PLAYERS, DEALT)),
    *_wholes(laid=_ROWS, rows=(_ROWS, LAID, PYRAMID + 1)),
    *_wholes(room=PLAYERS, public=PUBLIC, folded=PUBLIC, shown=PLAYERS),
    *_wholes(pulled=(), bids=PUBLIC),
    *_wholes(place=MOST_PIECES),  # of a pyramid
    *_wholes(owned=(PLAYERS, MOST_PIECES + 1, len(SIZES))),  # pyramids of a seat, colour and size
    *_wholes(figures=len(FIGURES) + len(CLASSES)),
    *_wholes(is_greedy=PLAYERS),  # of the bots
    *_wholes(moves=_MOVES),  # that are legal
    *_reals(worths=_MOVES),  # of these
    *_wholes(named=LAID + PUBLIC + 1),  # cards with pips that are looked at
    *_reals(outlook=(len(SIDES), PLAYERS)),  # of the own cards at a side and of the others
    *_reals(chances=(MOST_PIECES, len(SIDES), KINDS)),  # the outlook of a side with one card more
    *_wholes(gains=(len(SIDES), PLAYERS)),  # what a pyramid brings to the seat and to the other
    *_wholes(wants=(), wanted=_WANTED),  # guesses that someone else must make: how many, of what
    *_reals(answers=_WANTED),  # these guesses
    *_wholes(chance=TWISTER, choice=TWISTER),  # random numbers of chance and of bots
]
# What happened, a row for each step: the seat or CHANCE; the number of moves; the move or what was
# due; what was drawn; the cards that could be laid; the scores after.
_TRACE = _wholes(seat=(), options=(), move=(), drawn=DEALT, hand=DEALT, scores=PLAYERS)


class CompiledRules(Protocol):
    """What is taken of the engine."""

    pieces: Pieces
    values: HandValues
    most_rounds: int
    shares_public: bool
    ties_leave: bool
    takes_both: bool
    forfeits: bool
    builds_all: bool

    @property
    def appraiser(self) -> Appraiser: ...

    def begin_round(
        self, first: int, bag: tuple[int, ...], won: tuple[tuple[int, ...], ...], figures: Figures
    ) -> ToripokaState: ...


def box_of(engine: CompiledRules) -> Numbers:
    """The record of an engine."""
    box = np.zeros(1, np.dtype(_BOX, align=True))[0]
    pyramids, outlook = engine.pieces.pyramids, engine.appraiser.outlook
    colours = [BLACK, *sorted({colour for colour, _ in pyramids} - {BLACK})]
    box["cards"], box["pyramids"] = len(engine.pieces.cards), len(pyramids)
    box["colours"], box["forms"] = len(colours), len(engine.values.forms)
    for name in ("shares_public", "ties_leave", "takes_both", "forfeits", "builds_all"):
        box[name] = getattr(engine, name)
    box["most_rounds"] = engine.most_rounds
    box["kind"][: len(pyramids)] = [MOST_PIPS - size for _, size in pyramids]
    box["size"][: len(pyramids)] = [size for _, size in pyramids]
    box["colour"][: len(pyramids)] = [colours.index(colour) for colour, _ in pyramids]
    box["hand_size"], box["pools"] = outlook.size, outlook.pools
    _write_hands(box, engine.values)
    return box


def _write_hands(box: Numbers, hands: HandValues) -> None:
    for card, keys in enumerate(hands.keys_of):
        box["form"][card] = [next(hands.forms_of(key)) for key in keys]
    for at, form in enumerate(hands.forms):
        box["is_wild"][at] = form.is_wild
        for place, (value, fit) in enumerate(form.values):
            box["values"][at, place], box["fits"][at, place] = value, fit
    ranks = range(1, HIGH_ACE + 1)
    for three in product(ranks, ranks, ranks):
        for is_wild in range(2):
            box["ranked"][is_wild][three] = hands.ranked[is_wild][three]


def new_table() -> Numbers:
    return np.zeros(1, np.dtype(_TABLE, align=True))[0]


def new_trace() -> Any:
    """Room for the longest game."""
    return np.zeros(LONGEST, np.dtype(_TRACE, align=True))
