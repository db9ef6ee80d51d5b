"""Take how a game of Toripoka stands, tell it as text and lay its pieces on the table: all of it,
or what a seat sees. All cards at a pyramid are turned up when the hands are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from generator.games.toripoka.checks import ASIDE, PLAYERS
from generator.games.toripoka.deck import CARDS, SIZES, Pieces
from generator.games.toripoka.state import LEFT, NONE, RIGHT, SHOW, SIDES, LayCard, ToripokaState
from generator.model import Side as Face
from generator.play.engine import LaidPiece

# Distances in mm, from the middle of the table; the first seat sits below.
_PYRAMID, _PUBLIC, _STOCK = 115.0, 35.0, 260.0  # to the left and the right
_ROW, _HAND, _WON = 95.0, 205.0, 300.0  # down
_STEP, _APART = 40.0, 70.0  # of cards of a row, which overlap, and of pieces side by side
_SEEN = -11.75  # from the middle of a card to that of the part which the next one leaves open


def tell_table(pieces: Pieces, state: ToripokaState, seat: int | None) -> list[str]:
    """Lines that tell how a game stands."""
    sizes = Counter(pieces.pyramids[each][1] for each in state.bidding.bag)
    bag = ", ".join(f"{sizes[place]} {size}" for place, size in enumerate(SIZES))
    lines = [f"bag: {bag}"]
    if state.bidding.public:
        lines.append(f"stock: {len(state.rest) - ASIDE} cards")
    public = state.bidding.public
    for side, bid in enumerate(state.bidding.bids):
        what = "folded" if bid == NONE else pieces.pyramid_names[bid]
        beside = f", public {pieces.names[public[side]]}" if public else ""
        lines.append(f"{SIDES[side]}: {what}{beside}")
    for each in range(PLAYERS):
        won = ", ".join(pieces.pyramid_names[pyramid] for pyramid in state.won[each])
        lines.append(f"seat {each + 1}: {won or 'no pyramids'}")
        lines += _tell_seat(pieces, state, each, is_seen=seat in (None, each))
    return lines


def _tell_seat(pieces: Pieces, state: ToripokaState, seat: int, *, is_seen: bool) -> Iterator[str]:
    hand = state.hands[seat]
    if hand:
        names = " ".join(pieces.names[card] for card in hand)
        yield f"  hand: {names if is_seen else f'{len(hand)} cards'}"
    for side in (LEFT, RIGHT):
        row = state.rows[2 * seat + side]
        if row:
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
    """Pieces laid one by one. A card that the seat may not see gets the id of any such card, the
    same whichever it is."""

    def __init__(self, pieces: Pieces, state: ToripokaState, seat: int | None) -> None:
        self._pieces, self._state, self._seat = pieces, state, seat
        self.laid: list[LaidPiece] = []
        unseen: list[int] = []
        if seat is not None:
            unseen = [*state.rest, *state.hands[1 - seat], *hidden_cards(state, 1 - seat)]
        self._unseen = iter(sorted(unseen))

    def cards(
        self, cards: Sequence[int], face: Face, x: float, y: float, step: float, owner: int = NONE
    ) -> None:
        """Cards in a line from the left. Only their owner knows those with their backs up."""
        is_hidden = face == "back" and self._seat not in (None, owner)
        for at, card in enumerate(cards):
            shown = next(self._unseen) if is_hidden else card
            piece = self._pieces.ids[shown]
            self.laid.append(LaidPiece(CARDS, piece, face, x + at * step, y))

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
    """The pieces on the table: the bag hides those in it."""
    table = _Laying(pieces, state, seat)
    stock = len(state.rest) - (ASIDE if state.bidding.public else 0)
    table.cards(state.rest[:stock], "back", _STOCK, 0.0, 0.0)
    table.cards(state.rest[stock:], "back", -_STOCK, 0.0, 0.0)
    for side, sign in ((LEFT, -1), (RIGHT, 1)):
        bids = [bid for bid in state.bidding.bids[side : side + 1] if bid != NONE]
        table.pyramids(bids, sign * _PYRAMID, 0.0)
        table.cards(state.bidding.public[side : side + 1], "front", sign * _PUBLIC, 0.0, 0.0)
    for each, down in ((0, 1), (1, -1)):
        for side, sign in ((LEFT, -1), (RIGHT, 1)):
            table.row(each, side, sign * _PYRAMID - _STEP, down * _ROW)
        hand, won = state.hands[each], state.won[each]
        face: Face = "front" if seat in (None, each) else "back"
        table.cards(hand, face, -(len(hand) - 1) / 2 * _APART, down * _HAND, _APART, each)
        table.pyramids(won, -(len(won) - 1) / 2 * _APART, down * _WON)
    return table.laid
