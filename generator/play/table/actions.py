"""The messages of a page of a table without rules, by their names.

All actions share the limits of their numbers, and what they are applied to. Stacks are moved,
lifted, joined, turned over, turned, shuffled, spread and gathered; hands draw, deal and play. A
hand is in the order of the game's table. Also actions on dice and on counters.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, ClassVar

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from generator.basics.geometry import Rect
from generator.basics.keys import Keys, matching
from generator.play.table import state as states

MOST_AWAY = 10_000.0  # mm
Id = Annotated[int, Meta(ge=1, le=2**53 - 1)]
Length = Annotated[float, Meta(ge=-MOST_AWAY, le=MOST_AWAY)]
Number = Annotated[int, Meta(ge=1, le=states.MOST_PIECES)]
MOST_SPREAD = 100
_GAP = 3.0  # mm between pieces that are spread
_ROUND = 360
MOST_THINGS = 40  # dice, and counters
MOST_SIDES = 100
MOST_COUNTED = 99_999
MOST_LETTERS = 24
_NAMED: Mapping[str, str] = {"what": "id", "onto": "onto"}  # fields of phrases, and whose titles they are
Sides = Annotated[int, Meta(ge=2, le=MOST_SIDES)]
Counted = Annotated[int, Meta(ge=-MOST_COUNTED, le=MOST_COUNTED)]
Text = Annotated[str, matching(r"^[^\x00-\x1f\x7f-\x9f]*$", "must be one line", max_length=MOST_LETTERS)]


class TakeSeat(Keys, frozen=True, kw_only=True):
    """Takes a seat, or leaves it: None."""

    seat: Annotated[int, Meta(ge=0, le=states.MOST_SEATS - 1)] | None = None


class TableCommand(Keys, frozen=True, kw_only=True):
    """A command about the whole table: back to the beginning, or to what was saved, for example."""


class Situation(Struct, frozen=True):
    """The table that an action is applied to, and the seat of its player.

    seat: of the player who acts; None for one who only watches. seated: the seats with a player.
    """

    state: states.TableState
    supply: states.Supply
    random: Random
    seat: int | None = None
    seated: Sequence[int] = ()

    def set_of(self, stack: states.LyingStack) -> states.SuppliedSet:
        return self.supply.set_of(stack.pieces[-1].piece)

    def say(self, done: str, /, **fields: str | int) -> str:
        """A phrase of the log about the player."""
        return self.supply.phrases.say(f"log.{done}", who=states.name_seat(self.seat, self.supply.phrases), **fields)

    def own_seat(self) -> int:
        """Raises PnpError for one who only watches."""
        if self.seat is None:
            raise states.RefusedError("no-hand")
        return self.seat


class Action(Keys, frozen=True, kw_only=True):
    """An action of a player at the table, as the page sends it.

    do: its name in messages, and in the phrases of the log.
    """

    do: ClassVar[str]

    def apply(self, at: Situation) -> states.TableState:
        """The state after it. Raises PnpError if the table does not allow it."""
        raise NotImplementedError

    def tell(self, at: Situation) -> str:
        """The line of the log for all seats: "Seat 1 shuffles Cards". It names nothing hidden."""
        said = asdict(self)
        named = {name: _name(at, said[key]) for name, key in _NAMED.items() if key in said}
        number = said.get("count") or at.supply.phrases.say("log.all")
        return at.say(self.do, **named, number=number, sides=said.get("sides", ""))


class MoveStack(Action, frozen=True, kw_only=True):
    """Moves a stack above all others."""

    do = "move"
    id: Id
    x: Length
    y: Length

    def apply(self, at: Situation) -> states.TableState:
        x, y = at.state.within(self.x, self.y)
        return at.state.on_top(replace(at.state.stack(self.id), x=x, y=y))


class LiftPieces(Action, frozen=True, kw_only=True):
    """Moves some pieces off the top of a stack."""

    do = "lift"
    id: Id
    count: Number = 1
    x: Length
    y: Length

    def apply(self, at: Situation) -> states.TableState:
        stack = at.state.stack(self.id)
        rest, top = split(stack, self.count)
        if not rest:
            return MoveStack(id=self.id, x=self.x, y=self.y).apply(at)
        lower = at.state.with_stack(replace(stack, pieces=rest))
        return lower.add_stack(self.x, self.y, stack.turn, top)


class JoinStacks(Action, frozen=True, kw_only=True):
    """Puts pieces off the top of a stack, or all of it, on another one of the same set."""

    do = "join"
    id: Id
    onto: Id
    count: Number | None = None

    def apply(self, at: Situation) -> states.TableState:
        stack, onto = at.state.stack(self.id), at.state.stack(self.onto)
        if stack.id == onto.id:
            raise states.RefusedError("on-itself")
        if at.set_of(stack) != at.set_of(onto):
            raise states.RefusedError("no-stack", what=at.set_of(stack).title, onto=at.set_of(onto).title)
        rest, top = split(stack, self.count or len(stack.pieces))
        lower = at.state.with_stack(replace(stack, pieces=rest))
        return lower.on_top(replace(onto, pieces=(*onto.pieces, *top)))


class TurnOver(Action, frozen=True, kw_only=True):
    """Turns over pieces on the top of a stack together, or all of it."""

    do = "flip"
    id: Id
    count: Number | None = None

    def apply(self, at: Situation) -> states.TableState:
        stack = at.state.stack(self.id)
        if at.set_of(stack).is_folded:
            raise states.RefusedError("folded", what=at.set_of(stack).title)
        rest, top = split(stack, self.count or len(stack.pieces))
        over = (replace(piece, is_up=not piece.is_up) for piece in reversed(top))
        return at.state.with_stack(replace(stack, pieces=(*rest, *over)))


class TurnStack(Action, frozen=True, kw_only=True):
    """Turns a stack on the table, and moves it if the turned pieces snap to another place."""

    do = "turn"
    id: Id
    by: Annotated[int, Meta(ge=-_ROUND, le=_ROUND)]
    x: Length | None = None
    y: Length | None = None

    def apply(self, at: Situation) -> states.TableState:
        stack = at.state.stack(self.id)
        x, y = stack.x if self.x is None else self.x, stack.y if self.y is None else self.y
        x, y = at.state.within(x, y)
        return at.state.with_stack(replace(stack, x=x, y=y, turn=(stack.turn + self.by) % _ROUND))


class ShuffleStack(Action, frozen=True, kw_only=True):
    """Shuffles a stack; each piece keeps the side that is up."""

    do = "shuffle"
    id: Id

    def apply(self, at: Situation) -> states.TableState:
        stack = at.state.stack(self.id)
        return at.state.with_stack(replace(stack, pieces=tuple(at.random.sample(stack.pieces, len(stack.pieces)))))


class SpreadStack(Action, frozen=True, kw_only=True):
    """Lays the pieces of a stack beside each other, the top one first."""

    do = "spread"
    id: Id

    def apply(self, at: Situation) -> states.TableState:
        stack = at.state.stack(self.id)
        if len(stack.pieces) > MOST_SPREAD:
            raise states.RefusedError("spread", most=MOST_SPREAD)
        (x, y), *spots = _free_spots(at, stack)
        first, *others = reversed(stack.pieces)
        state = at.state.on_top(replace(stack, x=x, y=y, pieces=(first,)))
        for piece, (x, y) in zip(others, spots, strict=True):
            state = state.add_stack(x, y, stack.turn, (piece,))
        return state


class GatherStacks(Action, frozen=True, kw_only=True):
    """Puts all pieces of a set that lie on the table on one stack, the same side up; only those of
    one kind, if unlike pieces lie apart."""

    do = "gather"
    id: Id

    def apply(self, at: Situation) -> states.TableState:
        onto = at.state.stack(self.id)
        is_up = onto.pieces[-1].is_up
        others = [other for other in at.state.stacks if other != onto and _belongs(at, other, onto)]
        pieces = [replace(piece, is_up=is_up) for other in others for piece in other.pieces]
        stack = replace(onto, pieces=(*onto.pieces, *pieces))
        kept = tuple(other for other in at.state.stacks if other not in others)
        return replace(at.state, stacks=kept).on_top(stack)


def _belongs(at: Situation, stack: states.LyingStack, onto: states.LyingStack) -> bool:
    if at.set_of(onto).is_apart:
        return {piece.piece for piece in stack.pieces} == {onto.pieces[-1].piece}
    return at.set_of(stack) == at.set_of(onto)


def split(stack: states.LyingStack, count: int) -> tuple[tuple[states.LyingPiece, ...], tuple[states.LyingPiece, ...]]:
    """The pieces below, and the top ones; all are top ones if the stack has no more."""
    at = max(len(stack.pieces) - count, 0)
    return stack.pieces[:at], stack.pieces[at:]


def _free_spots(at: Situation, stack: states.LyingStack) -> list[tuple[float, float]]:
    """Rows of spots that begin at a stack, or as little below it as leaves all others uncovered."""
    boxes = [_box(at, other) for other in at.state.stacks if other.id != stack.id]
    own = _box(at, stack)
    rows = _row_spots(own, len(stack.pieces), at.state.width)
    top = 0.0
    while own.y1 + top <= at.state.height:
        lower = [own.moved(x - stack.x, y + top - stack.y) for x, y in rows]
        if not any(box.overlaps(other) for box in lower for other in boxes):
            return [(x, y + top) for x, y in rows]
        top += _GAP
    return rows


def _row_spots(own: Rect, count: int, width: float) -> list[tuple[float, float]]:
    """The middles of boxes beside each other, the first one's first, in rows."""
    x, y = own.centre
    spots: list[tuple[float, float]] = []
    left = min(x, own.width / 2 + _GAP)
    for _ in range(count):
        if x + own.width / 2 > width and spots:
            x, y = left, y + own.height + _GAP
        spots.append((x, y))
        x += own.width + _GAP
    return spots


def _box(at: Situation, stack: states.LyingStack) -> Rect:
    """The box around a stack, as if its turn were a number of quarters."""
    size = at.set_of(stack).size
    across, down = size.turned() if stack.turn % 180 == 90 else size
    x, y = stack.x - across / 2, stack.y - down / 2
    return Rect(x, y, x + across, y + down)


def _name(at: Situation, id_: int) -> str:
    if any(die.id == id_ for die in at.state.dice):
        return at.supply.phrases.say("log.a-die")
    if any(tally.id == id_ for tally in at.state.tallies):
        return at.supply.phrases.say("log.a-counter")
    return at.set_of(at.state.stack(id_)).title


class DrawPieces(Action, frozen=True, kw_only=True):
    """Takes pieces off the top of a stack into the player's hand."""

    do = "draw"
    id: Id
    count: Number = 1

    def apply(self, at: Situation) -> states.TableState:
        return _hand_out(at.state, at.own_seat(), self.id, self.count)

    def tell(self, at: Situation) -> str:
        title = at.set_of(at.state.stack(self.id)).title
        return at.say(self.do, what=title, number=min(self.count, len(at.state.stack(self.id).pieces)))


class DealPieces(Action, frozen=True, kw_only=True):
    """Gives every player pieces off the top of a stack, one at a time."""

    do = "deal"
    id: Id
    count: Number = 1

    def apply(self, at: Situation) -> states.TableState:
        has, needs = len(at.state.stack(self.id).pieces), self.count * len(at.seated)
        if not at.seated:
            raise states.RefusedError("nobody")
        if needs > has:
            raise states.RefusedError("too-few", needed=needs, count=has)
        state = at.state
        for _ in range(self.count):
            for seat in at.seated:
                state = _hand_out(state, seat, self.id, 1)
        return state


class PlayPiece(Action, frozen=True, kw_only=True):
    """Puts a piece of the player's hand on the table, or on a stack of its set."""

    do = "play"
    card: Annotated[int, Meta(ge=0, le=states.MOST_PIECES - 1)]
    x: Length = 0.0
    y: Length = 0.0
    is_up: bool = True
    onto: Id | None = None

    def apply(self, at: Situation) -> states.TableState:
        seat = at.own_seat()
        hand = at.state.hands[seat]
        if self.card >= len(hand):
            raise states.RefusedError("not-in-hand")
        piece = states.LyingPiece(hand[self.card], self.is_up)
        state = at.state.with_hand(seat, hand[: self.card] + hand[self.card + 1 :])
        if self.onto is None:
            return state.add_stack(self.x, self.y, 0, (piece,))
        onto = state.stack(self.onto)
        if at.set_of(onto) != at.supply.set_of(piece.piece):
            raise states.RefusedError("not-onto", onto=at.set_of(onto).title)
        return state.with_stack(replace(onto, pieces=(*onto.pieces, piece)))

    def tell(self, at: Situation) -> str:
        piece = at.state.hands[at.own_seat()][self.card]
        return at.say(self.do if self.is_up else "play-down", what=at.supply.set_of(piece).title)


def _hand_out(state: states.TableState, seat: int, id_: int, count: int) -> states.TableState:
    stack = state.stack(id_)
    rest, top = split(stack, count)
    hand = (*state.hands[seat], *(piece.piece for piece in top))
    return state.with_stack(replace(stack, pieces=rest)).with_hand(seat, tuple(sorted(hand)))


class AddDie(Action, frozen=True, kw_only=True):
    """Puts another die on the table."""

    do = "add-die"
    sides: Sides
    x: Length
    y: Length

    def apply(self, at: Situation) -> states.TableState:
        state = at.state
        _check_room(len(state.dice), "dice")
        die = states.Die(state.next_id, *state.within(self.x, self.y), self.sides, self.sides)
        return replace(state, dice=(*state.dice, die), next_id=state.next_id + 1)


class RollDice(Action, frozen=True, kw_only=True):
    """Rolls a die, or all."""

    do = "roll"
    id: Id | None = None

    def apply(self, at: Situation) -> states.TableState:
        if self.id is not None:
            at.state.die(self.id)
        dice = (
            replace(die, value=at.random.randint(1, die.sides)) if self.id in (None, die.id) else die
            for die in at.state.dice
        )
        return replace(at.state, dice=tuple(dice))

    def tell(self, at: Situation) -> str:
        return at.say(self.do if self.id else "roll-all")


class AddTally(Action, frozen=True, kw_only=True):
    """Puts another counter on the table."""

    do = "add-counter"
    label: Text = ""
    x: Length
    y: Length

    def apply(self, at: Situation) -> states.TableState:
        state = at.state
        _check_room(len(state.tallies), "counters")
        tally = states.Tally(state.next_id, *state.within(self.x, self.y), self.label, 0)
        return replace(state, tallies=(*state.tallies, tally), next_id=state.next_id + 1)


class CountTally(Action, frozen=True, kw_only=True):
    """Counts up, or down."""

    do = "count"
    id: Id
    by: Counted

    def apply(self, at: Situation) -> states.TableState:
        value = at.state.tally(self.id).value + self.by
        if abs(value) > MOST_COUNTED:
            raise states.RefusedError("counter", most=MOST_COUNTED)
        tally = replace(at.state.tally(self.id), value=value)
        return replace(at.state, tallies=states.exchange(at.state.tallies, tally))

    def tell(self, at: Situation) -> str:
        label = at.state.tally(self.id).label
        return at.say(self.do, by=f"{self.by:+}", what=label or at.supply.phrases.say("log.a-counter"))


class MoveExtra(Action, frozen=True, kw_only=True):
    """Moves a die or a counter."""

    do = "move-extra"
    id: Id
    x: Length
    y: Length

    def apply(self, at: Situation) -> states.TableState:
        x, y = at.state.within(self.x, self.y)
        if any(die.id == self.id for die in at.state.dice):
            die = replace(at.state.die(self.id), x=x, y=y)
            return replace(at.state, dice=states.exchange(at.state.dice, die))
        tally = replace(at.state.tally(self.id), x=x, y=y)
        return replace(at.state, tallies=states.exchange(at.state.tallies, tally))


class RemoveExtra(Action, frozen=True, kw_only=True):
    """Takes a die or a counter off the table."""

    do = "remove"
    id: Id

    def apply(self, at: Situation) -> states.TableState:
        if not any(die.id == self.id for die in at.state.dice):
            at.state.tally(self.id)
        dice = tuple(die for die in at.state.dice if die.id != self.id)
        tallies = tuple(tally for tally in at.state.tallies if tally.id != self.id)
        return replace(at.state, dice=dice, tallies=tallies)


def _check_room(number: int, what: str) -> None:
    if number >= MOST_THINGS:
        raise states.RefusedError(what, most=MOST_THINGS)


_ACTIONS: Sequence[type[Action]] = (
    *(MoveStack, LiftPieces, JoinStacks, TurnOver, TurnStack, ShuffleStack, SpreadStack),
    *(GatherStacks, DrawPieces, DealPieces, PlayPiece, AddDie, RollDice, AddTally, CountTally),
    *(MoveExtra, RemoveExtra),
)
MESSAGES: Mapping[str, type[Keys]] = {
    **{action.do: action for action in _ACTIONS},
    "sit": TakeSeat,
    **dict.fromkeys(("undo", "redo", "save", "load", "restart"), TableCommand),
}
