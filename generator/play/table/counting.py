"""Actions on dice and on counters."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from generator.basics.keys import matching
from generator.play.table.acting import Action, Id, Length, Situation
from generator.play.table.state import Die, TableState, Tally, refusal

MOST_THINGS = 40  # dice, and counters
MOST_SIDES = 100
MOST_COUNTED = 99_999
MOST_LETTERS = 24
Sides = Annotated[int, Meta(ge=2, le=MOST_SIDES)]
Counted = Annotated[int, Meta(ge=-MOST_COUNTED, le=MOST_COUNTED)]
Text = Annotated[
    str, matching(r"^[^\x00-\x1f\x7f-\x9f]*$", "must be one line", max_length=MOST_LETTERS)
]


class AddDie(Action, frozen=True, kw_only=True):
    """Puts another die on the table."""

    do = "add-die"
    sides: Sides
    x: Length
    y: Length

    def apply(self, at: Situation) -> TableState:
        state = at.state
        _check_room(len(state.dice), "dice")
        die = Die(state.next_id, *state.within(self.x, self.y), self.sides, self.sides)
        return replace(state, dice=(*state.dice, die), next_id=state.next_id + 1)

    def tell(self, at: Situation) -> str:  # noqa: ARG002
        return f"adds a die of {self.sides}"


class RollDice(Action, frozen=True, kw_only=True):
    """Rolls a die, or all."""

    do = "roll"
    id: Id | None = None

    def apply(self, at: Situation) -> TableState:
        if self.id is not None:
            at.state.die(self.id)
        dice = (
            replace(die, value=at.random.randint(1, die.sides))
            if self.id in (None, die.id)
            else die
            for die in at.state.dice
        )
        return replace(at.state, dice=tuple(dice))

    def tell(self, at: Situation) -> str:  # noqa: ARG002
        return "rolls a die" if self.id else "rolls all dice"


class AddTally(Action, frozen=True, kw_only=True):
    """Puts another counter on the table."""

    do = "add-counter"
    label: Text = ""
    x: Length
    y: Length

    def apply(self, at: Situation) -> TableState:
        state = at.state
        _check_room(len(state.tallies), "counters")
        tally = Tally(state.next_id, *state.within(self.x, self.y), self.label, 0)
        return replace(state, tallies=(*state.tallies, tally), next_id=state.next_id + 1)

    def tell(self, at: Situation) -> str:  # noqa: ARG002
        return "adds a counter"


class CountTally(Action, frozen=True, kw_only=True):
    """Counts up, or down."""

    do = "count"
    id: Id
    by: Counted

    def apply(self, at: Situation) -> TableState:
        value = at.state.tally(self.id).value + self.by
        if abs(value) > MOST_COUNTED:
            raise refusal(f"a counter goes to {MOST_COUNTED:,}")
        return _with_tally(at.state, replace(at.state.tally(self.id), value=value))

    def tell(self, at: Situation) -> str:
        return f"counts {self.by:+} on {at.state.tally(self.id).label or 'a counter'}"


class MoveExtra(Action, frozen=True, kw_only=True):
    """Moves a die or a counter."""

    do = "move-extra"
    id: Id
    x: Length
    y: Length

    def apply(self, at: Situation) -> TableState:
        x, y = at.state.within(self.x, self.y)
        if any(die.id == self.id for die in at.state.dice):
            return _with_die(at.state, replace(at.state.die(self.id), x=x, y=y))
        return _with_tally(at.state, replace(at.state.tally(self.id), x=x, y=y))

    def tell(self, at: Situation) -> str:
        return f"moves {_extra(at.state, self.id)}"


class RemoveExtra(Action, frozen=True, kw_only=True):
    """Takes a die or a counter off the table."""

    do = "remove"
    id: Id

    def apply(self, at: Situation) -> TableState:
        if not any(die.id == self.id for die in at.state.dice):
            at.state.tally(self.id)
        dice = tuple(die for die in at.state.dice if die.id != self.id)
        tallies = tuple(tally for tally in at.state.tallies if tally.id != self.id)
        return replace(at.state, dice=dice, tallies=tallies)

    def tell(self, at: Situation) -> str:
        return f"removes {_extra(at.state, self.id)}"


def _check_room(number: int, what: str) -> None:
    if number >= MOST_THINGS:
        raise refusal(f"there are {MOST_THINGS} {what} on the table", "remove one")


def _extra(state: TableState, id_: int) -> str:
    return "a die" if any(die.id == id_ for die in state.dice) else "a counter"


def _with_die(state: TableState, die: Die) -> TableState:
    return replace(state, dice=tuple(die if one.id == die.id else one for one in state.dice))


def _with_tally(state: TableState, tally: Tally) -> TableState:
    tallies = (tally if one.id == tally.id else one for one in state.tallies)
    return replace(state, tallies=tuple(tallies))
