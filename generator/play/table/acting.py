"""What all actions have in common: the limits of their numbers, and what they are applied to."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from generator.basics.keys import Keys
from generator.play.table.state import LyingStack, TableState, refusal
from generator.play.table.supply import MOST_PIECES, SuppliedSet, Supply

MOST_AWAY = 10_000.0  # mm
Id = Annotated[int, Meta(ge=1, le=2**53 - 1)]
Length = Annotated[float, Meta(ge=-MOST_AWAY, le=MOST_AWAY)]
Number = Annotated[int, Meta(ge=1, le=MOST_PIECES)]


class Situation(Struct, frozen=True):
    """What an action is applied to.

    seat: of the player who acts; None for one who only watches. seated: the seats with a player.
    """

    state: TableState
    supply: Supply
    random: Random
    seat: int | None = None
    seated: Sequence[int] = ()

    def set_of(self, stack: LyingStack) -> SuppliedSet:
        return self.supply.set_of(stack.pieces[-1].piece)

    def own_seat(self) -> int:
        """Raises PnpError for one who only watches."""
        if self.seat is None:
            raise refusal("you have no hand", "take a seat")
        return self.seat


class Action(Keys, frozen=True, kw_only=True):
    """What a player does at the table, as the page sends it. do: its name in messages."""

    do: ClassVar[str]

    def apply(self, at: Situation) -> TableState:
        """The state after it. Raises PnpError if the table does not allow it."""
        raise NotImplementedError

    def tell(self, at: Situation) -> str:
        """What the player does, for all seats: "shuffles Cards". It names nothing hidden."""
        raise NotImplementedError
