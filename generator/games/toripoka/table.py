"""A game of Toripoka: its moves and its state, as text and as pieces on the table.

The table shows all of the state, or what a seat sees. All cards at a pyramid are turned up when the hands are shown.

Also the cards and pyramids of its engine, read from the pieces of the components; the value of the best hand of cards
and of the pips of the pyramids on them; and the most points that the pyramids of a player are worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from msgspec import Struct

from generator.basics.errors import Place, Problem, collecting, quote, raise_all
from generator.games.toripoka import checks
from generator.model import Piece
from generator.model import Side as Face
from generator.play.engine import Decks, LaidPiece, name_pieces, pieces_of

# Distances in mm, from the middle of the table; the first seat sits below.
_PYRAMID, _PUBLIC, _STOCK = 115.0, 35.0, 260.0  # to the left and the right
_ROW, _HAND, _WON = 95.0, 205.0, 300.0  # down
_STEP, _APART = 40.0, 70.0  # of cards of a row, which overlap, and of pieces side by side
_SEEN = -11.75  # from the middle of a card to that of the part which the next one leaves open
CARDS = "cards"
SIZES = ("large", "medium", "small")  # the components of the pyramids
LEAST_CARDS = 17  # 3 aside, 2 public, 6 laid by each of two
_MOST_PIECES = 100  # cards, and pyramids; of more, the ways to lay them take too much memory
_MOST_PIPS = 3
_ACE, _KING = 1, len(checks.RANKS)
_FITS = 64  # more than the loosest fit of three wilds, 3 x 12
_BASE = 16  # more than the highest rank
TO_CLASS = _FITS * _BASE**3
_KEY_BITS = 2  # a hand has a card three times at most
SOLID, MIXED, SINGLE = 7, 5, 1  # "Final scoring"; with black as much below zero
Pyramid = tuple[str, int]  # its colour, and its place among the sizes
LEFT, RIGHT = 0, 1
SIDES = ("left", "right")
LAID = checks.PLAYED // 2  # cards of a seat at each pyramid
NONE = -1  # no pyramid, no seat
ROOM, BOTH = (1, 2), 3  # on the left and the right, on both sides

# What chance deals.
HAND, OPEN, CARD, SHOW = "hand", "public cards", "card", "show"
FIGURES = ("rounds", "hands folded", "pyramids tied", "pyramids on cards", "bluffs", "bluffs called")
ROUNDS, FOLDED, TIED, SET, BLUFFS, CALLED = range(len(FIGURES))

Figures = tuple[int, ...]  # of FIGURES, then of hands that won, by CLASSES


def tell_table(pieces: Pieces, state: ToripokaState, seat: int | None) -> list[str]:
    """Lines that tell how a game stands."""
    sizes = Counter(pieces.pyramids[pyramid][1] for pyramid in state.bidding.bag)
    bag = ", ".join(f"{sizes[place]} {size}" for place, size in enumerate(SIZES))
    lines = [f"bag: {bag}"]
    if state.bidding.public:
        lines.append(f"stock: {len(state.rest) - checks.ASIDE} cards")
    public = state.bidding.public
    for side, bid in enumerate(state.bidding.bids):
        what = "folded" if bid == NONE else pieces.pyramid_names[bid]
        beside = f", public {pieces.names[public[side]]}" if public else ""
        lines.append(f"{SIDES[side]}: {what}{beside}")
    for each in range(checks.PLAYERS):
        won = ", ".join(pieces.pyramid_names[pyramid] for pyramid in state.won[each])
        lines.append(f"seat {each + 1}: {won or 'no pyramids'}")
        lines += _tell_seat(pieces, state, each, is_seen=seat in (None, each))
    return lines


def _tell_seat(pieces: Pieces, state: ToripokaState, seat: int, *, is_seen: bool) -> Iterator[str]:
    if hand := state.hands[seat]:
        names = " ".join(pieces.names[card] for card in hand)
        yield f"  hand: {names if is_seen else f'{len(hand)} cards'}"
    for side in (LEFT, RIGHT):
        if row := state.rows[2 * seat + side]:
            is_open = is_shown(state, side)
            cards = (_tell_card(pieces, laid, is_seen, is_open) for laid in row)
            yield f"  {SIDES[side]}: {', '.join(cards)}"


def _tell_card(pieces: Pieces, laid: LayCard, is_seen: bool, is_open: bool) -> str:
    name = pieces.names[laid.card]
    if laid.is_down and not is_open:
        name = f"{name} face down" if is_seen else "face down"
    return name if laid.pyramid == NONE else f"{name} with {pieces.pyramid_names[laid.pyramid]}"


def is_shown(state: ToripokaState, side: int) -> bool:
    """Whether the cards at this pyramid are turned up."""
    return state.due == SHOW and state.bidding.folded[side] == NONE


def hidden_cards(state: ToripokaState, seat: int) -> Iterator[int]:
    """The cards that a seat has laid face down, while they are not turned up."""
    for side in (LEFT, RIGHT):
        if not is_shown(state, side):
            yield from (laid.card for laid in state.rows[2 * seat + side] if laid.is_down)


class _Laying:
    """Pieces laid one by one."""

    def __init__(self, pieces: Pieces, state: ToripokaState, seat: int | None) -> None:
        self._pieces, self._state, self._seat = pieces, state, seat
        self.laid: list[LaidPiece] = []

    def cards(self, cards: Sequence[int], face: Face, x: float, y: float, step: float, owner: int = NONE) -> None:
        """Cards in a line from the left. Only their owner knows those with their backs up."""
        is_hidden = face == "back" and self._seat not in (None, owner)
        for at, card in enumerate(cards):
            self.laid.append(LaidPiece(CARDS, "" if is_hidden else self._pieces.ids[card], face, x + at * step, y))

    def row(self, seat: int, side: int, x: float, y: float) -> None:
        row = self._state.rows[2 * seat + side]
        for at, (card, _, is_down, _) in enumerate(row):
            face: Face = "back" if is_down and not is_shown(self._state, side) else "front"
            self.cards([card], face, x + at * _STEP, y, 0.0, seat)
        for at, laid in enumerate(row):
            if laid.pyramid != NONE:
                self.pyramids([laid.pyramid], x + at * _STEP + _SEEN, y)

    def pyramids(self, pyramids: Sequence[int], x: float, y: float) -> None:
        for at, pyramid in enumerate(pyramids):
            size = SIZES[self._pieces.pyramids[pyramid][1]]
            piece = self._pieces.pyramid_ids[pyramid]
            self.laid.append(LaidPiece(size, piece, "front", x + at * _APART, y))


def lay_table(pieces: Pieces, state: ToripokaState, seat: int | None) -> list[LaidPiece]:
    """The pieces on the table, who looks below: the bag hides those in it."""
    table = _Laying(pieces, state, seat)
    stock = len(state.rest) - (checks.ASIDE if state.bidding.public else 0)
    table.cards(state.rest[:stock], "back", _STOCK, 0.0, 0.0)
    table.cards(state.rest[stock:], "back", -_STOCK, 0.0, 0.0)
    for side, sign in ((LEFT, -1), (RIGHT, 1)):
        bids = [bid for bid in state.bidding.bids[side : side + 1] if bid != NONE]
        table.pyramids(bids, sign * _PYRAMID, 0.0)
        table.cards(state.bidding.public[side : side + 1], "front", sign * _PUBLIC, 0.0, 0.0)
    own = seat or 0
    for each, down in ((own, 1), (1 - own, -1)):
        for side, sign in ((LEFT, -1), (RIGHT, 1)):
            table.row(each, side, sign * _PYRAMID - _STEP, down * _ROW)
        hand, won = state.hands[each], state.won[each]
        face: Face = "front" if seat in (None, each) else "back"
        table.cards(hand, face, -(len(hand) - 1) / 2 * _APART, down * _HAND, _APART, each)
        table.pyramids(won, -(len(won) - 1) / 2 * _APART, down * _WON)
    return table.laid


class Pieces:
    """The pieces in the box.

    cards: as hands count them. ids, names: of the cards; faces: their rank and suit. pyramids: their
    colours and the places of their sizes; pyramid_ids, pyramid_names: of these.
    """

    def __init__(self, decks: Decks) -> None:
        """Raises PnpError with every component, card and pyramid that is missing or unreadable."""
        self._problems: list[Problem] = []
        pieces = self._pieces(decks, CARDS)
        self.ids, self.names = [piece.id for piece in pieces], name_pieces(pieces)
        self.faces = [(str(piece.row.get("rank", "")), str(piece.row.get("suit", ""))) for piece in pieces]
        self.cards = [self._card(piece) for piece in pieces]
        self.pyramids: list[Pyramid] = []
        self.pyramid_ids: list[str] = []
        self.pyramid_names: list[str] = []
        for place, size in enumerate(SIZES):
            sized = self._pieces(decks, size)
            self.pyramids += [(self._colour(piece), place) for piece in sized]
            self.pyramid_ids += [piece.id for piece in sized]
            self.pyramid_names += [f"{size} {name}" for name in name_pieces(sized)]
        if pieces and len(pieces) < LEAST_CARDS:
            self._need(CARDS, f"a round needs {LEAST_CARDS} cards, there are {len(pieces)}")
        if len(self.pyramids) < 2:
            what = "is 1" if self.pyramids else "are none"
            self._need(SIZES[0], f"a round needs 2 pyramids, there {what}")
        for component, count in ((CARDS, len(pieces)), (SIZES[0], len(self.pyramids))):
            if count > _MOST_PIECES:
                kind = "cards" if component == CARDS else "pyramids"
                self._need(component, f"there are {count} {kind}, its engine takes {_MOST_PIECES}")
        raise_all(self._problems)

    def _pieces(self, decks: Decks, component: str) -> Sequence[Piece]:
        with collecting(self._problems):
            return pieces_of(decks, component)
        return ()

    def _need(self, component: str, what: str) -> None:
        self._problems.append(Problem(Place(component), what))

    def _card(self, piece: Piece) -> PokerCard:
        rank, covers = str(piece.row.get("rank", "")), str(piece.row.get("covers", ""))
        if rank not in checks.RANKS:
            what = f"rank is {quote(rank)}, its engine needs one of {' '.join(checks.RANKS)}"
            self._problems.append(Problem(piece.place.at_column("rank"), what))
            return PokerCard(1)
        if covers in ("", "-"):
            return PokerCard(checks.number_of(rank))
        first, _, last = covers.partition("-")
        if first not in checks.RANKS or last not in checks.RANKS or checks.number_of(first) > checks.number_of(last):
            what = f"covers is {quote(covers)}, its engine needs a range of ranks, the lower first"
            self._problems.append(Problem(piece.place.at_column("covers"), what, "write A-4"))
            return PokerCard(1)
        return PokerCard(checks.number_of(rank), tuple(range(checks.number_of(first), checks.number_of(last) + 1)))

    def _colour(self, piece: Piece) -> str:
        colour = str(piece.row.get("colour", ""))
        if not colour:
            what = "colour is empty, its engine needs one"
            self._problems.append(Problem(piece.place.at_column("colour"), what))
        return colour


class PokerCard(Struct, frozen=True):
    """A card as hands count it: its rank from 1 to 13, and the ranks that it stands for if it is a wild."""

    rank: int
    reach: tuple[int, ...] = ()


class _Form(Struct, frozen=True):
    """The values that a card with a pyramid may count as, each with its part of the fit."""

    is_wild: bool
    values: tuple[tuple[int, int], ...]


class HandValues(dict[int, int]):
    """The value of the best reading of three cards, by the sum of their keys; worked out when it is
    first asked for. Of two hands, that of the greater value wins.

    keys_of: of a card, by the pips on it.
    """

    def __init__(self, cards: Sequence[PokerCard], *, wild_sums: bool = True, past_king: bool = False) -> None:
        """`wild_sums`: a wild takes part in a sum or a product. `past_king`: a pyramid may move a
        card beyond the King, to the high Ace."""
        super().__init__()
        forms: dict[_Form, int] = {}
        every = [[_form(card, by, past_king) for by in range(_MOST_PIPS + 1)] for card in cards]
        self.keys_of = [[1 << _KEY_BITS * forms.setdefault(form, len(forms)) for form in own] for own in every]
        self._forms = list(forms)
        self._wild_sums = wild_sums

    def best(self, keys: Sequence[int]) -> int:
        """The value of the best three of these cards, by their keys: of `keys_of[card][pips]`."""
        total = sum(keys)
        if len(keys) == 4:
            return max([self[total - key] for key in keys])
        if len(keys) == 5:
            return max([self[total - one - other] for one, other in combinations(keys, 2)])
        return max(self[sum(three)] for three in combinations(keys, 3))

    def __missing__(self, total: int) -> int:
        forms = [self._forms[at] for at in self._forms_of(total)]
        is_wild = any(form.is_wild for form in forms)
        may_count = self._wild_sums or not is_wild
        first, two, three = (form.values for form in forms)
        value = 0
        for a, fit_a in first:
            for b, fit_b in two:
                for c, fit_c in three:
                    ranked = _rank_hand(a, b, c, is_wild, may_count)
                    value = max(value, ranked - fit_a - fit_b - fit_c)
        self[total] = value
        return value

    def _forms_of(self, total: int) -> Iterator[int]:
        """The places among `forms` of what has these keys in sum."""
        while total:
            at = ((total & -total).bit_length() - 1) // _KEY_BITS
            yield at
            total -= 1 << _KEY_BITS * at


@cache
def _rank_hand(a: int, b: int, c: int, is_wild: bool, may_count: bool) -> int:
    """The value of three ranks with an exact fit."""
    ranks = [a, b, c]
    value = checks.CLASSES.index(checks.find_class(sorted(ranks), is_wild, may_count))
    # the rank of a pair decides before single ranks
    for rank in sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True):
        value = value * _BASE + rank
    return value * _FITS + _FITS - 1


def _form(card: PokerCard, pips: int, past_king: bool) -> _Form:
    if card.reach:
        return _Form(True, tuple((value, abs(card.rank - value)) for value in card.reach))
    top = checks.HIGH_ACE if past_king else _KING
    values = set(range(max(card.rank - pips, _ACE), min(card.rank + pips, top) + 1))
    if card.rank == _ACE:
        values.update(range(checks.HIGH_ACE - pips, checks.HIGH_ACE + 1))
    return _Form(False, tuple((value, 0) for value in sorted(values)))


def class_of(value: int) -> str:
    return checks.CLASSES[value // TO_CLASS]


def ranks_of(value: int) -> list[int]:
    """The ranks of the cards of a hand with this value, as they are compared: 1 for the low Ace, 14 for the high."""
    ranks = value // _FITS
    return [ranks // _BASE**2 % _BASE, ranks // _BASE % _BASE, ranks % _BASE]


def fit_of(value: int) -> int:
    """How far the wilds of a hand exceed the cards that they stand for; 0 is an exact fit."""
    return _FITS - 1 - value % _FITS


def describe_hand(value: int) -> str:
    """The words of players for a hand: "Straight (with wilds) 10 9 8, fit 2"."""
    names = [*checks.RANKS, checks.RANKS[0]]
    ranks = " ".join(names[rank - 1] for rank in ranks_of(value))
    fit = f", fit {fit_of(value)}" if fit_of(value) else ""
    return f"{class_of(value)} {ranks}{fit}"


class TreePoints(dict[tuple[int, ...], int]):
    """The points of pyramids, by their places among all; worked out when first asked for."""

    def __init__(self, pyramids: Sequence[Pyramid], *, builds_all: bool) -> None:
        super().__init__()
        self._pyramids, self._builds_all = pyramids, builds_all

    def __missing__(self, won: tuple[int, ...]) -> int:
        own = [self._pyramids[pyramid] for pyramid in won]
        self[won] = points_of(own, builds_all=self._builds_all)
        return self[won]


def points_of(pyramids: Sequence[Pyramid], *, builds_all: bool) -> int:
    """The points of the best trees. `builds_all`: as many must be built as there can be.

    Solid trees without black come first: each leaves the others as many pyramids of each size as
    they need. Black pyramids spoil as few of the others as they can, and as many of them as fit go
    into the spoiled trees, where they cost nothing more; a tree all of black costs what it saves.
    """
    counts = Counter(pyramids)
    black = [counts[checks.BLACK, size] for size in range(3)]
    colours = {colour for colour, _ in counts} - {checks.BLACK}
    each = [[counts[colour, size] for size in range(3)] for colour in colours]
    bright = [sum(sizes[at] for sizes in each) for at in range(3)]
    solid = sum(map(min, each))
    sound = min(bright)
    both = [one + other for one, other in zip(bright, black, strict=True)]
    trees = min(both) if builds_all else sound
    spoiled = trees - sound
    singles = sum(bright) - 3 * trees - sum(black)
    hidden = min(sum(min(number, spoiled) for number in black), 2 * spoiled)
    points = SOLID * solid + MIXED * (sound - solid) - MIXED * spoiled
    return points + SINGLE * (singles + 2 * hidden)


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
    """The part of a state that stays as it is while cards are laid.

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
