"""The messages of a page of a table without rules, by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from generator.basics.keys import Keys
from generator.play.table.acting import Action
from generator.play.table.counting import (
    AddDie,
    AddTally,
    CountTally,
    MoveExtra,
    RemoveExtra,
    RollDice,
)
from generator.play.table.dealing import DealPieces, DrawPieces, PlayPiece
from generator.play.table.stacking import (
    GatherStacks,
    JoinStacks,
    LiftPieces,
    MoveStack,
    ShuffleStack,
    SpreadStack,
    TurnOver,
    TurnStack,
)
from generator.play.table.state import MOST_SEATS


class TakeSeat(Keys, frozen=True, kw_only=True):
    """Takes a seat, or leaves it: None."""

    seat: Annotated[int, Meta(ge=0, le=MOST_SEATS - 1)] | None = None


class TableCommand(Keys, frozen=True, kw_only=True):
    """A command about the whole table: back to the beginning, or to what was saved, for example."""


_ACTIONS: tuple[type[Action], ...] = (
    MoveStack,
    LiftPieces,
    JoinStacks,
    TurnOver,
    TurnStack,
    ShuffleStack,
    SpreadStack,
    GatherStacks,
    DrawPieces,
    DealPieces,
    PlayPiece,
    AddDie,
    RollDice,
    AddTally,
    CountTally,
    MoveExtra,
    RemoveExtra,
)
_COMMANDS = ("undo", "redo", "save", "load", "restart")
MESSAGES: Mapping[str, type[Keys]] = {
    **{action.do: action for action in _ACTIONS},
    "sit": TakeSeat,
    **dict.fromkeys(_COMMANDS, TableCommand),
}
