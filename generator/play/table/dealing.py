"""Actions on hands: draw, deal, play. A hand is in the order of the game's table."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from generator.play.table.acting import Action, Id, Length, Number, Situation
from generator.play.table.stacking import split
from generator.play.table.state import LyingPiece, TableState, refusal
from generator.play.table.supply import MOST_PIECES


class DrawPieces(Action, frozen=True, kw_only=True):
    """Takes pieces off the top of a stack into the player's hand."""

    do = "draw"
    id: Id
    count: Number = 1

    def apply(self, at: Situation) -> TableState:
        return _hand_out(at.state, at.own_seat(), self.id, self.count)

    def tell(self, at: Situation) -> str:
        title = at.set_of(at.state.stack(self.id)).title
        return f"draws {min(self.count, len(at.state.stack(self.id).pieces))} of {title}"


class DealPieces(Action, frozen=True, kw_only=True):
    """Gives every player pieces off the top of a stack, one at a time."""

    do = "deal"
    id: Id
    count: Number = 1

    def apply(self, at: Situation) -> TableState:
        has, needs = len(at.state.stack(self.id).pieces), self.count * len(at.seated)
        if not at.seated:
            raise refusal("nobody has a seat", "take one first")
        if needs > has:
            raise refusal(f"{needs:,} pieces are needed, and the stack has {has:,}")
        state = at.state
        for _ in range(self.count):
            for seat in at.seated:
                state = _hand_out(state, seat, self.id, 1)
        return state

    def tell(self, at: Situation) -> str:
        title = at.set_of(at.state.stack(self.id)).title
        return f"deals {self.count} of {title} to each seat"


class PlayPiece(Action, frozen=True, kw_only=True):
    """Puts a piece of the player's hand on the table, or on a stack of its set."""

    do = "play"
    card: Annotated[int, Meta(ge=0, le=MOST_PIECES - 1)]
    x: Length = 0.0
    y: Length = 0.0
    is_up: bool = True
    onto: Id | None = None

    def apply(self, at: Situation) -> TableState:
        seat = at.own_seat()
        hand = at.state.hands[seat]
        if self.card >= len(hand):
            raise refusal("it is no longer in your hand")
        piece = LyingPiece(hand[self.card], self.is_up)
        state = at.state.with_hand(seat, hand[: self.card] + hand[self.card + 1 :])
        if self.onto is None:
            return state.add_stack(self.x, self.y, 0, (piece,))
        onto = state.stack(self.onto)
        if at.set_of(onto) != at.supply.set_of(piece.piece):
            raise refusal(f"it does not belong on {at.set_of(onto).title}")
        return state.with_stack(replace(onto, pieces=(*onto.pieces, piece)))

    def tell(self, at: Situation) -> str:
        piece = at.state.hands[at.own_seat()][self.card]
        how = "" if self.is_up else ", face down"
        return f"plays one of {at.supply.set_of(piece).title}{how}"


def _hand_out(state: TableState, seat: int, id_: int, count: int) -> TableState:
    """The state after a seat took the top pieces of a stack."""
    stack = state.stack(id_)
    rest, top = split(stack, count)
    hand = (*state.hands[seat], *(piece.piece for piece in top))
    return state.with_stack(replace(stack, pieces=rest)).with_hand(seat, tuple(sorted(hand)))
