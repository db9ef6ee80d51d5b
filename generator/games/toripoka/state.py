"""What a game of Toripoka consists of: its moves, and how it stands."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from generator.games.toripoka.checks import PLAYED

LEFT, RIGHT = 0, 1
SIDES = ("left", "right")
LAID = PLAYED // 2  # cards of a seat at each pyramid
NONE = -1  # no pyramid, no seat
ROOM, BOTH = (1, 2), 3  # on the left and the right, on both sides
# What chance deals.
HAND, OPEN, CARD, SHOW = "hand", "public cards", "card", "show"
FIGURES = (
    "rounds",
    "hands folded",
    "pyramids tied",
    "pyramids on cards",
    "bluffs",
    "bluffs called",
)
ROUNDS, FOLDED, TIED, SET, BLUFFS, CALLED = range(len(FIGURES))

Figures = tuple[int, ...]  # of FIGURES, then of hands that won, by CLASSES


class LayCard(NamedTuple):
    """Lay a card on the own side of a pyramid, with one of the own pyramids on it or NONE."""

    card: int
    side: int
    is_down: bool
    pyramid: int


def ways_to_lay(card: int, room: int, pyramid: int) -> list[LayCard]:
    """The ways to lay a card with this pyramid, where there is room."""
    return [
        LayCard(card, side, is_down, pyramid)
        for side in (LEFT, RIGHT)
        if room & ROOM[side]
        for is_down in (False, True)
    ]


class FoldHand(Struct, frozen=True):
    """Give up the hand at a pyramid."""

    side: int


class ChooseSize(Struct, frozen=True):
    """Feel for a pyramid of this size in the bag: its place in SIZES."""

    size: int


class Pulled(Struct, frozen=True):
    """Chance: this pyramid comes out of the bag."""

    pyramid: int


class Drawn(Struct, frozen=True):
    """Chance: these cards come from the stock."""

    cards: tuple[int, ...]


class ShowHands(Struct, frozen=True):
    """All cards are laid: they are turned up."""


ToripokaMove = LayCard | FoldHand | ChooseSize | Pulled | Drawn | ShowHands
Row = tuple[LayCard, ...]  # in the order of laying


class Bidding(NamedTuple):
    """What stays as it is while cards are laid.

    first:   the seat that began the round.
    public:  the open cards beside the left and the right pyramid.
    folded:  the seat that gave up the hand on each side, or NONE.
    bids:    the pyramid to be won on each side; NONE where a seat folded.
    bag:     the pyramids in it, in their order.
    figures: what the game came to up to now.
    """

    first: int
    public: tuple[int, ...]
    folded: tuple[int, int]
    bids: tuple[int, ...]
    bag: tuple[int, ...]
    figures: Figures


class ToripokaState(NamedTuple):
    """How a game of Toripoka stands. Cards and pyramids are numbers: their places in the deck and
    among all pyramids. What is said of both seats or sides is a pair.

    turn:  the seat that moves, CHANCE or OVER.
    due:   what chance deals next: HAND, a size of SIZES, OPEN, CARD or SHOW; "" for no chance.
    mover: the seat that moves or that chance deals to.
    rest:  the cards of the stock and those aside, in the order of the deck.
    hands: the cards in hand, in the order of the deck.
    rows:  the cards of the first seat on the left and the right, then of the second.
    room:  where each seat may lay a card: 1 on the left, 2 on the right, 3 on both, 0 nowhere.
    won:   the pyramids of each seat, in their order.
    """

    turn: int
    due: str
    mover: int
    rest: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    rows: tuple[Row, ...]
    room: tuple[int, int]
    won: tuple[tuple[int, ...], ...]
    bidding: Bidding
