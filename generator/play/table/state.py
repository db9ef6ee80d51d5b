"""The state of a table: immutable values, which actions replace.

A supply is the pieces of a game that are put on a table, which never change while people play. At the beginning they
stand in rows along the upper edge. What a seat sees of a table is described as plain values for JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from generator.basics.errors import Place, PnpError, Problem, fail
from generator.basics.geometry import ORIGIN, Point, Rect, Size, steady, translation
from generator.basics.phrases import Phrases, read_phrases
from generator.basics.shapes import Kind, Outline, box_of, carried, rectangle
from generator.export.pieces import LyingSet, PrintedPiece, lying_sets
from generator.faces.canvas import Canvas
from generator.model import Art, Component, Face, FaceKey, Game, PlacedLayer
from generator.play.engine import LANGUAGES
from generator.play.plan import PLAY

WIDTH, HEIGHT = 900.0, 560.0  # mm, of the table at least
MOST_STACKS = 1500
MOST_SEATS = 8
_MOST_PAST = 200
MOST_PIECES = 5000
_MOST_KINDS = 40  # that begin on stacks of their own
_ICON = Size(8.0, 8.0)  # mm
_HEXAGON_ACROSS = 30.0  # mm, of the hexagons to snap to, if the game has none
_TURNS: Mapping[Kind, int] = {"hexagon": 60, "trihex": 60}
_TURN = 90
JsonObject = dict[str, Any]
_EDGE = 30.0  # mm between the edge of the table and the first row
_GAP = 26.0  # mm between stacks
_LABEL = 12.0  # mm below a row
_FREE = 380.0  # mm below the last row, for play


class RefusedError(PnpError):
    """The fault of an action that the table does not allow: a phrase of "refused", with its fields."""

    def __init__(self, why: str, **fields: str | int) -> None:
        self.why, self.fields = f"refused.{why}", fields
        super().__init__([Problem(Place("the table"), self.tell(read_phrases("", LANGUAGES)))])

    def tell(self, phrases: Phrases) -> str:
        return phrases.say(self.why, **self.fields)


class LyingPiece(Struct, frozen=True):
    """A physical piece: its number in the supply, and whether its front is up."""

    piece: int
    is_up: bool


class SuppliedSet(Struct, frozen=True):
    """The pieces of a component. Lengths are in mm.

    front, back: the outline of each side, in the box of the cut piece. turn: degrees of a step.
    anchor: the point that snaps to the middle of a hexagon, from the middle of an upright piece.
    is_hiding: whether its pieces begin with their backs up. is_apart: whether unlike pieces begin
    on stacks of their own, because none of them has a back.
    """

    id: str
    title: str
    size: Size
    front: Outline
    back: Outline
    turn: int
    anchor: Point
    is_folded: bool
    is_board: bool
    is_hiding: bool
    is_apart: bool


_Heap = tuple[SuppliedSet, tuple[LyingPiece, ...]]


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
        """The table with a stack in place of the one with its id, or without it, if the new one is empty."""
        return replace(self, stacks=tuple(other for other in exchange(self.stacks, stack) if other.pieces))

    def on_top(self, stack: LyingStack) -> TableState:
        """The table with a stack above all others."""
        others = tuple(other for other in self.stacks if other.id != stack.id)
        return replace(self, stacks=(*others, stack))

    def add_stack(self, x: float, y: float, turn: int, pieces: tuple[LyingPiece, ...]) -> TableState:
        """The table with another stack. Raises PnpError if there are too many."""
        if len(self.stacks) >= MOST_STACKS:
            raise RefusedError("stacks", most=MOST_STACKS)
        stack = LyingStack(self.next_id, *self.within(x, y), turn, pieces)
        return replace(self, stacks=(*self.stacks, stack), next_id=self.next_id + 1)

    def with_hand(self, seat: int, hand: tuple[int, ...]) -> TableState:
        return replace(self, hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))

    def within(self, x: float, y: float) -> tuple[float, float]:
        """The nearest point on the table, in hundredths of a millimetre."""
        inside = min(max(x, 0.0), self.width), min(max(y, 0.0), self.height)
        return steady(inside[0], 2), steady(inside[1], 2)


def _find(things: tuple[Thing, ...], id_: int) -> Thing:
    for thing in things:
        if thing.id == id_:
            return thing
    raise RefusedError("gone")


def exchange(things: tuple[Thing, ...], new: Thing) -> tuple[Thing, ...]:
    """The things with a new one in the place of the one with its id."""
    return tuple(new if thing.id == new.id else thing for thing in things)


def fault(what: str) -> PnpError:
    """A message that no page of ours sends."""
    return fail(Place("the table"), what)


def name_seat(seat: int | None, phrases: Phrases) -> str:
    """The name of whoever has a seat; None stands for one who only watches."""
    return phrases.say("seat.guest") if seat is None else phrases.say("seat.name", number=seat + 1)


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
            raise RefusedError("nothing-to-undo")
        return History(_keep_ids(self.past[-1], self.state), self.past[:-1], (*self.undone, self.state))

    def redo(self) -> History:
        """Raises PnpError if nothing was undone."""
        if not self.undone:
            raise RefusedError("nothing-to-redo")
        return History(_keep_ids(self.undone[-1], self.state), (*self.past, self.state), self.undone[:-1])


def _keep_ids(state: TableState, now: TableState) -> TableState:
    """The state, so that no id is given twice: a page may still speak of what is gone."""
    return replace(state, next_id=max(state.next_id, now.next_id))


def _with_new_ids(state: TableState, by: int) -> TableState:
    return replace(
        state,
        stacks=tuple(replace(other, id=other.id + by) for other in state.stacks),
        dice=tuple(replace(die, id=die.id + by) for die in state.dice),
        tallies=tuple(replace(tally, id=tally.id + by) for tally in state.tallies),
        next_id=state.next_id + by,
    )


class SuppliedPiece(Struct, frozen=True):
    """A piece of a set, and the ids of its faces; `back` is None if it is blank."""

    set: int
    id: str
    name: str
    copies: int
    front: str
    back: str | None


@dataclass(frozen=True)
class Supply:
    """All pieces of a game with their faces, and the pages of its rules.

    `across` is the width of the hexagons to snap to in mm, from side to side; `is_pointed`, whether
    they have a corner at the top. `uprights` are faces that lie turned on their pieces as they are
    read, by the ids of those that lie. `icons` are the pictures of [art], if the rules are code. `phrases`: what the
    table itself says, in the game's language.
    """

    name: str
    title: str
    sets: Sequence[SuppliedSet]
    pieces: Sequence[SuppliedPiece]
    across: float
    is_pointed: bool
    faces: Sequence[Face] = field(repr=False)
    rules: Sequence[Face] = field(default=(), repr=False)
    font_folders: tuple[str, ...] = ()
    uprights: Mapping[str, Face] = field(default_factory=dict, repr=False)
    icons: Mapping[str, Face] = field(default_factory=dict, repr=False)
    phrases: Phrases = field(default=read_phrases("", LANGUAGES), repr=False)

    def set_of(self, piece: int) -> SuppliedSet:
        return self.sets[self.pieces[piece].set]


def make_supply(game: Game, faces: Mapping[FaceKey, Face], rules: Sequence[Face] = ()) -> Supply:
    """The pieces of a game with these faces, and the pages of its rules. Raises PnpError if there
    are no pieces, or too many."""
    lying = list(lying_sets(game.components, faces))
    _check_number(game, sum(lying_set.copies for lying_set in lying))
    pieces = [
        _piece(number, lying_set, printed) for number, lying_set in enumerate(lying) for printed in lying_set.printed
    ]
    across, is_pointed = _hexagons(lying_set.component for lying_set in lying)
    plan = PLAY.of(game)
    shown = {face.id: face for lying_set in lying for face in lying_set.faces.values()}
    return Supply(
        game.name,
        game.title,
        [_set(lying_set) for lying_set in lying],
        pieces,
        across,
        is_pointed,
        list(shown.values()),
        rules,
        tuple(map(str, game.font_folders)),
        {face.id: face.upright for face in shown.values() if face.turn},
        {name: _draw_icon(art) for name, art in plan.art.items()} if plan else {},
        read_phrases(game.phrases.language, LANGUAGES),
    )


def _draw_icon(art: Art) -> Face:
    canvas = Canvas(_ICON)
    canvas.image(art, Rect(0.0, 0.0, *_ICON))
    return Face.of([PlacedLayer(canvas.layer(art.name), ORIGIN)], art.name, _ICON, rectangle(_ICON).outline)


def _check_number(game: Game, number: int) -> None:
    if not number:
        raise fail(Place(game.name), "it has no pieces to put on a table", "give it a component")
    if number > MOST_PIECES:
        what = f"it has {number:,} pieces, and a table holds {MOST_PIECES:,}"
        raise fail(Place(game.name), what, "lower the counts of its pieces")


def _piece(number: int, lying: LyingSet, printed: PrintedPiece) -> SuppliedPiece:
    piece = printed.piece
    front = lying.faces[lying.component.id, piece.id, "front"].id
    name = str(piece.row.get("title") or piece.row.get("name") or lying.component.name_piece(piece.id))
    return SuppliedPiece(number, piece.id, name, piece.copies, front, printed.back)


def _set(lying: LyingSet) -> SuppliedSet:
    component, kind = lying.component, lying.component.shape.kind
    faces = lying.faces.values()
    front = next(face for key, face in lying.faces.items() if key[2] == "front")
    return SuppliedSet(
        lying.id,
        component.title,
        lying.size,
        _cut(front),
        _cut(next((face for face in faces if face.id == lying.printed[0].back), None) or front),
        _TURNS.get(kind, _TURN),
        _anchor(component),
        lying.is_folded,
        lying.is_board,
        lying.is_secret,
        not component.has_back and len(lying.printed) <= _MOST_KINDS,
    )


def _cut(face: Face) -> Outline:
    """The outline of a face in the box of the cut piece."""
    box = box_of(face.outline)
    return carried(face.cut, translation(-box.x0, -box.y0))


def _anchor(component: Component) -> Point:
    """Three hexagons snap by the one at the top, all other pieces by their middle."""
    if component.shape.kind != "trihex":
        return Point(0.0, 0.0)
    radius = component.size.height / 3.5  # of each hexagon: the box is 3.5 of them high
    return Point(0.0, radius - component.size.height / 2)


def _hexagons(components: Iterable[Component]) -> tuple[float, bool]:
    """The hexagons of the game's first such pieces: their width, and whether they are pointed."""
    for component in components:
        width, height = component.size
        if component.shape.kind == "trihex":
            return width / 2, True
        if component.shape.kind == "hexagon":
            return min(width, height), height > width
    return _HEXAGON_ACROSS, True


def describe_supply(supply: Supply) -> JsonObject:
    """The parts of a table that never change: the title, the shapes of the pieces, the pages of the rules."""
    return {
        "title": supply.title,
        "sets": [_show_set(piece_set) for piece_set in supply.sets],
        "across": round(supply.across, 4),
        "isPointed": supply.is_pointed,
        "rules": [face.id for face in supply.rules],
    }


def describe_state(state: TableState, supply: Supply, seat: int | None) -> JsonObject:
    """The table as a seat sees it; None for one who only watches."""
    hand = state.hands[seat] if seat is not None else ()
    return {
        "size": [state.width, state.height],
        "stacks": [_stack(stack, supply) for stack in state.stacks],
        "dice": [asdict(die) for die in state.dice],
        "counters": [asdict(tally) for tally in state.tallies],
        "hand": [_card(number, supply) for number in hand],
    }


def _show_set(supplied_set: SuppliedSet) -> JsonObject:
    return {
        "title": supplied_set.title,
        "size": list(supplied_set.size),
        "front": _corners(supplied_set.front),
        "back": _corners(supplied_set.back),
        "turn": supplied_set.turn,
        "anchor": [round(length, 4) for length in supplied_set.anchor],
        "isFolded": supplied_set.is_folded,
        "isApart": supplied_set.is_apart,
    }


def _corners(outline: Outline) -> list[list[float]]:
    return [[round(x, 3), round(y, 3)] for x, y in outline]


def _stack(stack: LyingStack, supply: Supply) -> JsonObject:
    """A stack with the side of its top piece that is up. Only a front gives a piece its name."""
    top = stack.pieces[-1]
    piece = supply.pieces[top.piece]
    return {
        "id": stack.id,
        "x": stack.x,
        "y": stack.y,
        "turn": stack.turn,
        "set": piece.set,
        "count": len(stack.pieces),
        "isUp": top.is_up,
        "face": piece.front if top.is_up else piece.back,
        "name": piece.name if top.is_up else "",
    }


def _card(number: int, supply: Supply) -> JsonObject:
    """A card of a hand, where a face that lies turned on its piece is held upright."""
    piece = supply.pieces[number]
    card = {"set": piece.set, "face": piece.front, "name": piece.name}
    if upright := supply.uprights.get(piece.front):
        size = [upright.trim.width, upright.trim.height]
        card |= {"held": {"face": upright.id, "size": size, "cut": _corners(_cut(upright))}}
    return card


def set_up(supply: Supply, seats: int, random: Random) -> TableState:
    """The table before the first action. Pieces whose backs hide them are shuffled."""
    heaps = list(_heaps(supply, random))
    width = max(WIDTH, max(set_.size.width for set_, _ in heaps) + 2 * _EDGE)
    spots, below = _in_rows([set_.size for set_, _ in heaps], width)
    state = TableState(width, max(HEIGHT, below + _FREE), ((),) * seats)
    for (_, pieces), (x, y) in zip(heaps, spots, strict=True):
        state = state.add_stack(x, y, 0, pieces)
    return state


def _heaps(supply: Supply, random: Random) -> Iterator[_Heap]:
    """The stacks: one for each set, or for each of its pieces if these have no back."""
    for number, set_ in enumerate(supply.sets):
        numbers = [at for at, piece in enumerate(supply.pieces) if piece.set == number]
        groups = [[at] for at in numbers] if set_.is_apart else [numbers]
        for group in groups:
            lying = [
                LyingPiece(at, not set_.is_hiding)
                for at in reversed(group)  # the first lies on top
                for _ in range(supply.pieces[at].copies)
            ]
            if set_.is_hiding:
                random.shuffle(lying)
            yield set_, tuple(lying)


def _in_rows(sizes: Sequence[Size], width: float) -> tuple[list[tuple[float, float]], float]:
    """The middle of each stack, in rows as wide as the table, and the end of the last row."""
    spots, x, top, below = [], _EDGE, _EDGE, _EDGE
    for size in sizes:
        if x + size.width + _EDGE > width and x > _EDGE:
            x, top = _EDGE, below + _LABEL
        spots.append((x + size.width / 2, top + size.height / 2))
        x += size.width + _GAP
        below = max(below, top + size.height)
    return spots, below + _LABEL
