"""The state of a table: immutable values, which actions replace."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import fail
from generator.basics.geometry import steady
from generator.basics.place import Place

WIDTH, HEIGHT = 900.0, 560.0  # mm, of the table at least
MOST_STACKS = 1500
MOST_SEATS = 8
_MOST_PAST = 200


class LyingPiece(Struct, frozen=True):
    """A physical piece: its number in the supply, and whether its front is up."""

    piece: int
    is_up: bool


class LyingStack(Struct, frozen=True):
    """Pieces of one set on each other, the last on top.

    x, y: mm to their middle, x to the right, y down. turn: degrees clockwise.
    """

    id: int
    x: float
    y: float
    turn: int
    pieces: tuple[LyingPiece, ...]


class Die(Struct, frozen=True):
    """A die with the numbers from 1 to `sides`."""

    id: int
    x: float
    y: float
    sides: int
    value: int


class Tally(Struct, frozen=True):
    """A number that players count up and down, such as points."""

    id: int
    x: float
    y: float
    label: str
    value: int


Thing = TypeVar("Thing", LyingStack, Die, Tally)


class TableState(Struct, frozen=True):
    """All that lies on a table, each later thing above an earlier one, and the hands of its seats.

    A hand holds numbers of the supply. `next_id` is greater than every id that was ever given.
    """

    width: float
    height: float
    hands: tuple[tuple[int, ...], ...]
    stacks: tuple[LyingStack, ...] = ()
    dice: tuple[Die, ...] = ()
    tallies: tuple[Tally, ...] = ()
    next_id: int = 1

    def stack(self, id_: int) -> LyingStack:
        """Raises PnpError if it is gone."""
        return _find(self.stacks, id_)

    def die(self, id_: int) -> Die:
        """Raises PnpError if it is gone."""
        return _find(self.dice, id_)

    def tally(self, id_: int) -> Tally:
        """Raises PnpError if it is gone."""
        return _find(self.tallies, id_)

    def with_stack(self, stack: LyingStack) -> TableState:
        """The same with a stack in the place of the one with its id; without it, if it is empty."""
        stacks = (stack if one.id == stack.id else one for one in self.stacks)
        return replace(self, stacks=tuple(one for one in stacks if one.pieces))

    def on_top(self, stack: LyingStack) -> TableState:
        """The same with a stack above all others."""
        others = tuple(one for one in self.stacks if one.id != stack.id)
        return replace(self, stacks=(*others, stack))

    def add_stack(
        self, x: float, y: float, turn: int, pieces: tuple[LyingPiece, ...]
    ) -> TableState:
        """The same with another stack. Raises PnpError if there are too many."""
        if len(self.stacks) >= MOST_STACKS:
            raise refusal(f"there are {MOST_STACKS:,} stacks on the table", "put some together")
        stack = LyingStack(self.next_id, *self.within(x, y), turn, pieces)
        return replace(self, stacks=(*self.stacks, stack), next_id=self.next_id + 1)

    def with_hand(self, seat: int, hand: tuple[int, ...]) -> TableState:
        hands = (hand if number == seat else one for number, one in enumerate(self.hands))
        return replace(self, hands=tuple(hands))

    def within(self, x: float, y: float) -> tuple[float, float]:
        """The nearest point on the table, in hundredths of a millimetre."""
        inside = min(max(x, 0.0), self.width), min(max(y, 0.0), self.height)
        return steady(inside[0], 2), steady(inside[1], 2)


def _find(things: tuple[Thing, ...], id_: int) -> Thing:
    for thing in things:
        if thing.id == id_:
            return thing
    raise refusal("it is no longer there", "somebody was faster")


def refusal(what: str, hint: str = "") -> Exception:
    """The fault of an action that the table does not allow."""
    return fail(Place("the table"), what, hint)


class History(Struct, frozen=True):
    """The state of a table, the states before it, and those that were undone, the nearest last."""

    state: TableState
    past: tuple[TableState, ...] = ()
    undone: tuple[TableState, ...] = ()

    def go_on(self, state: TableState) -> History:
        """The history after another action."""
        return History(state, (*self.past, self.state)[-_MOST_PAST:])

    def go_to(self, state: TableState) -> History:
        """The history after a state that was not made of the last one."""
        return self.go_on(_with_new_ids(state, self.state.next_id))

    def undo(self) -> History:
        """Raises PnpError if nothing is left to undo."""
        if not self.past:
            raise refusal("there is nothing to undo")
        back = _keep_ids(self.past[-1], self.state)
        return History(back, self.past[:-1], (*self.undone, self.state))

    def redo(self) -> History:
        """Raises PnpError if nothing was undone."""
        if not self.undone:
            raise refusal("there is nothing to do again")
        again = _keep_ids(self.undone[-1], self.state)
        return History(again, (*self.past, self.state), self.undone[:-1])


def _keep_ids(state: TableState, now: TableState) -> TableState:
    """The state, so that no id is given twice: a page may still speak of what is gone."""
    return replace(state, next_id=max(state.next_id, now.next_id))


def _with_new_ids(state: TableState, by: int) -> TableState:
    """The state with all ids raised."""
    return replace(
        state,
        stacks=tuple(replace(one, id=one.id + by) for one in state.stacks),
        dice=tuple(replace(one, id=one.id + by) for one in state.dice),
        tallies=tuple(replace(one, id=one.id + by) for one in state.tallies),
        next_id=state.next_id + by,
    )
