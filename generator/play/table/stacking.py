"""Actions on stacks: move, lift, join, turn over, turn, shuffle, spread, gather."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from generator.basics.geometry import Rect
from generator.play.table.acting import Action, Id, Length, Number, Situation
from generator.play.table.state import LyingPiece, LyingStack, TableState, refusal

MOST_SPREAD = 100
_GAP = 3.0  # mm between pieces that are spread
_ROUND = 360


class MoveStack(Action, frozen=True, kw_only=True):
    """Moves a stack above all others."""

    do = "move"
    id: Id
    x: Length
    y: Length

    def apply(self, at: Situation) -> TableState:
        x, y = at.state.within(self.x, self.y)
        return at.state.on_top(replace(at.state.stack(self.id), x=x, y=y))

    def tell(self, at: Situation) -> str:
        return f"moves {_name(at, self.id)}"


class LiftPieces(Action, frozen=True, kw_only=True):
    """Moves some pieces off the top of a stack."""

    do = "lift"
    id: Id
    count: Number = 1
    x: Length
    y: Length

    def apply(self, at: Situation) -> TableState:
        stack = at.state.stack(self.id)
        rest, top = split(stack, self.count)
        if not rest:
            x, y = at.state.within(self.x, self.y)
            return at.state.on_top(replace(stack, x=x, y=y))
        lower = at.state.with_stack(replace(stack, pieces=rest))
        return lower.add_stack(self.x, self.y, stack.turn, top)

    def tell(self, at: Situation) -> str:
        return f"takes {_number(self.count)} off {_name(at, self.id)}"


class JoinStacks(Action, frozen=True, kw_only=True):
    """Puts pieces off the top of a stack, or all of it, on another one of the same set."""

    do = "join"
    id: Id
    onto: Id
    count: Number | None = None

    def apply(self, at: Situation) -> TableState:
        stack, onto = at.state.stack(self.id), at.state.stack(self.onto)
        if stack.id == onto.id:
            raise refusal("a stack cannot lie on itself")
        if at.set_of(stack) != at.set_of(onto):
            raise refusal(f"{at.set_of(stack).title} and {at.set_of(onto).title} make no stack")
        rest, top = split(stack, self.count or len(stack.pieces))
        lower = at.state.with_stack(replace(stack, pieces=rest))
        return lower.on_top(replace(onto, pieces=(*onto.pieces, *top)))

    def tell(self, at: Situation) -> str:
        return f"puts {_number(self.count)} on {_name(at, self.onto)}"


class TurnOver(Action, frozen=True, kw_only=True):
    """Turns over pieces on the top of a stack together, or all of it."""

    do = "flip"
    id: Id
    count: Number | None = None

    def apply(self, at: Situation) -> TableState:
        stack = at.state.stack(self.id)
        if at.set_of(stack).is_folded:
            raise refusal(f"{at.set_of(stack).title} are folded and have no other side")
        rest, top = split(stack, self.count or len(stack.pieces))
        over = (replace(piece, is_up=not piece.is_up) for piece in reversed(top))
        return at.state.with_stack(replace(stack, pieces=(*rest, *over)))

    def tell(self, at: Situation) -> str:
        return f"turns over {_number(self.count)} of {_name(at, self.id)}"


class TurnStack(Action, frozen=True, kw_only=True):
    """Turns a stack on the table, and moves it if the turned pieces snap to another place."""

    do = "turn"
    id: Id
    by: Annotated[int, Meta(ge=-_ROUND, le=_ROUND)]
    x: Length | None = None
    y: Length | None = None

    def apply(self, at: Situation) -> TableState:
        stack = at.state.stack(self.id)
        x, y = stack.x if self.x is None else self.x, stack.y if self.y is None else self.y
        x, y = at.state.within(x, y)
        return at.state.with_stack(replace(stack, x=x, y=y, turn=(stack.turn + self.by) % _ROUND))

    def tell(self, at: Situation) -> str:
        return f"turns {_name(at, self.id)}"


class ShuffleStack(Action, frozen=True, kw_only=True):
    """Shuffles a stack; each piece keeps the side that is up."""

    do = "shuffle"
    id: Id

    def apply(self, at: Situation) -> TableState:
        stack = at.state.stack(self.id)
        pieces = at.random.sample(stack.pieces, len(stack.pieces))
        return at.state.with_stack(replace(stack, pieces=tuple(pieces)))

    def tell(self, at: Situation) -> str:
        return f"shuffles {_name(at, self.id)}"


class SpreadStack(Action, frozen=True, kw_only=True):
    """Lays the pieces of a stack beside each other, the top one first."""

    do = "spread"
    id: Id

    def apply(self, at: Situation) -> TableState:
        stack = at.state.stack(self.id)
        if len(stack.pieces) > MOST_SPREAD:
            raise refusal(f"only {MOST_SPREAD} pieces can be spread", "take some off first")
        (x, y), *spots = _free_spots(at, stack)
        first, *others = reversed(stack.pieces)
        state = at.state.on_top(replace(stack, x=x, y=y, pieces=(first,)))
        for piece, (x, y) in zip(others, spots, strict=True):
            state = state.add_stack(x, y, stack.turn, (piece,))
        return state

    def tell(self, at: Situation) -> str:
        return f"spreads {_name(at, self.id)}"


class GatherStacks(Action, frozen=True, kw_only=True):
    """Puts all pieces of a set that lie on the table on one stack, the same side up; only those of
    one kind, if unlike pieces lie apart."""

    do = "gather"
    id: Id

    def apply(self, at: Situation) -> TableState:
        onto = at.state.stack(self.id)
        is_up = onto.pieces[-1].is_up
        others = [one for one in at.state.stacks if one != onto and _belongs(at, one, onto)]
        pieces = [replace(piece, is_up=is_up) for one in others for piece in one.pieces]
        stack = replace(onto, pieces=(*onto.pieces, *pieces))
        kept = tuple(one for one in at.state.stacks if one not in others)
        return replace(at.state, stacks=kept).on_top(stack)

    def tell(self, at: Situation) -> str:
        return f"gathers {_name(at, self.id)}"


def _belongs(at: Situation, stack: LyingStack, onto: LyingStack) -> bool:
    if at.set_of(onto).is_apart:
        return {one.piece for one in stack.pieces} == {onto.pieces[-1].piece}
    return at.set_of(stack) == at.set_of(onto)


def split(stack: LyingStack, count: int) -> tuple[tuple[LyingPiece, ...], tuple[LyingPiece, ...]]:
    """The pieces below, and the top ones; all are top ones if the stack has no more."""
    at = max(len(stack.pieces) - count, 0)
    return stack.pieces[:at], stack.pieces[at:]


def _free_spots(at: Situation, stack: LyingStack) -> list[tuple[float, float]]:
    """Rows of spots that begin at a stack, or as little below it as leaves all others uncovered."""
    boxes = [_box(at, one) for one in at.state.stacks if one.id != stack.id]
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


def _box(at: Situation, stack: LyingStack) -> Rect:
    """The box around a stack, as if its turn were a number of quarters."""
    size = at.set_of(stack).size
    across, down = size.turned() if stack.turn % 180 == 90 else size
    x, y = stack.x - across / 2, stack.y - down / 2
    return Rect(x, y, x + across, y + down)


def _name(at: Situation, id_: int) -> str:
    return at.set_of(at.state.stack(id_)).title


def _number(count: int | None) -> str:
    return "all" if count is None else str(count)
