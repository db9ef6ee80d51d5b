"""Small games whose odds are known without playing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Place
from generator.model import Piece, Value
from generator.play.engine import CHANCE, OVER, Decks, Engine, LaidPiece, Option


def deck(number: int) -> Decks:
    """Cards "1" to the number."""
    place = Place("cards.csv")
    return {"cards": [Piece(str(n), {"value": n}, 1, place) for n in range(1, number + 1)]}


class _Bare(Engine[tuple[int, ...], int]):
    """What none of these games is asked for."""

    seats = 2

    def __init__(self, decks: Decks, **chosen: Value) -> None:
        self.size = len(decks["cards"])

    def start(self) -> tuple[int, ...]:
        return ()

    def write(self, state: tuple[int, ...], move: int) -> str:
        return str(move)

    def show(self, state: tuple[int, ...], seat: int | None = None) -> str:
        return " ".join(map(str, state))

    def lay(self, state: tuple[int, ...], seat: int | None = None) -> Sequence[LaidPiece]:
        return []


class HigherCard(_Bare):
    """Each of two seats is dealt a card; the higher one wins."""

    def turn(self, state: tuple[int, ...]) -> int:
        return CHANCE if len(state) < 2 else OVER

    def legal(self, state: tuple[int, ...]) -> Sequence[int]:
        return [card for card in range(1, self.size + 1) if card not in state and len(state) < 2]

    def apply(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def scores(self, state: tuple[int, ...]) -> Sequence[int]:
        return (*state, 0, 0)[:2]

    def held(self, state: tuple[int, ...], seat: int) -> Sequence[str]:
        return [str(state[seat])]


class HigherRow(HigherCard):
    """The same with the cards in rows of four: the row counts before the place in it."""

    score_parts: ClassVar[Sequence[str]] = ("row", "place")

    def scores(self, state: tuple[int, ...]) -> Sequence[int]:
        return [card // 4 * 100 + card % 4 for card in super().scores(state)]


class Ruin(_Bare):
    """The gambler's ruin: a coin moves one chip from seat to seat until one has none.

    A state is the chips of the first seat, and the number of throws.
    """

    options: ClassVar[Mapping[str, Option]] = {"chips": Option((3, 5), "of the first seat")}

    def __init__(self, decks: Decks, *, chips: Value) -> None:
        super().__init__(decks)
        self.chips = int(chips)

    def start(self) -> tuple[int, ...]:
        return self.chips, 0

    def turn(self, state: tuple[int, ...]) -> int:
        return CHANCE if 0 < state[0] < self.size else OVER

    def legal(self, state: tuple[int, ...]) -> Sequence[int]:
        return (1, -1) if self.turn(state) == CHANCE else ()

    def apply(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return state[0] + move, state[1] + 1

    def scores(self, state: tuple[int, ...]) -> Sequence[int]:
        return state[0], self.size - state[0]

    def facts(self, state: tuple[int, ...]) -> Mapping[str, int]:
        return {"throws": state[1]}


class Short(Ruin):
    """The same, until 60 throws."""

    def turn(self, state: tuple[int, ...]) -> int:
        return super().turn(state) if state[1] < 60 else OVER


class Heap(_Bare):
    """Take one to three from a heap, in turn; the last to take wins. A state is all that was taken,
    in order."""

    def turn(self, state: tuple[int, ...]) -> int:
        return len(state) % 2 if sum(state) < self.size else OVER

    def legal(self, state: tuple[int, ...]) -> Sequence[int]:
        return range(1, min(3, self.size - sum(state)) + 1)

    def apply(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def scores(self, state: tuple[int, ...]) -> Sequence[int]:
        last = (len(state) - 1) % 2 if sum(state) == self.size else -1
        return [int(seat == last) for seat in range(2)]

    def piece_of(self, state: tuple[int, ...], move: int) -> str:
        return str(move)


class Bait(_Bare):
    """The first seat takes a card and has its value. Only if that is the highest, the second seat
    may have three times as much."""

    def turn(self, state: tuple[int, ...]) -> int:
        return len(state) if len(state) < 2 else OVER

    def legal(self, state: tuple[int, ...]) -> Sequence[int]:
        if not state:
            return range(1, self.size + 1)
        return (0, 3 * self.size)[: 1 + (state[0] == self.size)] if len(state) == 1 else ()

    def apply(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def scores(self, state: tuple[int, ...]) -> Sequence[int]:
        return (*state, 0, 0)[:2]


class Biased(HigherCard):
    """The first seat always wins, with odd cards; the second has the even ones."""

    def legal(self, state: tuple[int, ...]) -> Sequence[int]:
        cards = range(1 + len(state), self.size + 1, 2)
        return cards if len(state) < 2 else ()

    def winners(self, state: tuple[int, ...]) -> Sequence[int]:
        return [0]


class Auction(Struct, frozen=True):
    """Two of three cards lie open, the seat takes one, and so does the other."""

    open_: tuple[int, ...]
    taken: tuple[int, ...]


class Pick(Engine[Auction, int]):
    """The first seat takes one of all cards, the second another; the higher one wins."""

    seats = 2

    def __init__(self, decks: Decks, **chosen: Value) -> None:
        self.cards = [piece.number("value") for piece in decks["cards"]]

    def start(self) -> Auction:
        return Auction((), ())

    def turn(self, state: Auction) -> int:
        if not state.open_:
            return CHANCE
        return len(state.taken) if len(state.taken) < 2 else OVER

    def legal(self, state: Auction) -> Sequence[int]:
        if not state.open_:
            return range(len(self.cards))
        return [card for card in state.open_ if card not in state.taken] if len(state.taken) < 2 else ()

    def apply(self, state: Auction, move: int) -> Auction:
        if not state.open_:  # this card stays away
            return Auction(tuple(card for card in range(len(self.cards)) if card != move), ())
        return replace(state, taken=(*state.taken, move))

    def scores(self, state: Auction) -> Sequence[int]:
        values = [self.cards[card] for card in state.taken]
        return (*values, 0, 0)[:2]

    def piece_of(self, state: Auction, move: int) -> str:
        return str(self.cards[move]) if state.open_ else ""

    def held(self, state: Auction, seat: int) -> Sequence[str]:
        return [str(self.cards[state.taken[seat]])]

    def write(self, state: Auction, move: int) -> str:
        return str(self.cards[move])

    def show(self, state: Auction, seat: int | None = None) -> str:
        return str(state)

    def lay(self, state: Auction, seat: int | None = None) -> Sequence[LaidPiece]:
        return []


class Endless(_Bare):
    """A game that never ends."""

    def turn(self, state: tuple[int, ...]) -> int:
        return 0

    def legal(self, state: tuple[int, ...]) -> Sequence[int]:
        return [0]

    def apply(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return state

    def scores(self, state: tuple[int, ...]) -> Sequence[int]:
        return 0, 0


class Broken(HigherCard):
    """A game whose rules fail, now and then."""

    def scores(self, state: tuple[int, ...]) -> Sequence[int]:
        if state[:1] == (self.size,):
            raise LookupError("no such card")
        return super().scores(state)
