"""Take a message of a page, make the action that it names."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from generator.errors import escape
from generator.tabletop.counting import (
    AddDie,
    AddTally,
    CountTally,
    MoveExtra,
    RemoveExtra,
    RollDice,
)
from generator.tabletop.dealing import DealPieces, DrawPieces, PlayPiece
from generator.tabletop.stacking import (
    GatherStacks,
    JoinStacks,
    LiftPieces,
    MoveStack,
    ShuffleStack,
    SpreadStack,
    TurnOver,
    TurnStack,
)
from generator.tabletop.state import MOST_SEATS, refusal

TableAction = (
    MoveStack
    | LiftPieces
    | JoinStacks
    | TurnOver
    | TurnStack
    | ShuffleStack
    | SpreadStack
    | GatherStacks
    | DrawPieces
    | DealPieces
    | PlayPiece
    | AddDie
    | RollDice
    | AddTally
    | CountTally
    | MoveExtra
    | RemoveExtra
)


class TakeSeat(BaseModel):
    """Takes a seat, or leaves it: None."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    do: Literal["sit"]
    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)] | None


class TableCommand(BaseModel):
    """A command about the whole table: back to the beginning, or to what was saved, for example."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    do: Literal["undo", "redo", "save", "load", "restart"]


Message = Annotated[TableAction | TakeSeat | TableCommand, Field(discriminator="do")]
_MESSAGES: TypeAdapter[TableAction | TakeSeat | TableCommand] = TypeAdapter(Message)


def read_message(body: bytes) -> TableAction | TakeSeat | TableCommand:
    """Raises PnpError if the body is not one of the known messages."""
    try:
        return _MESSAGES.validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise refusal(escape(f"{where}: {first['msg']}" if where else first["msg"])) from None
