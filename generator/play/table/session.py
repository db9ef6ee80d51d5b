"""A table on which people do as they like with the pieces of a supply.

It is written to a file and read back; nothing in the file is trusted.
"""

import json
import os
from collections import Counter, deque
from itertools import count
from pathlib import Path
from random import Random, SystemRandom
from typing import Annotated, Any, Literal

from msgspec import Meta, to_builtins

from generator.basics import keys
from generator.basics.errors import MisfitError, Place, fail, quote
from generator.basics.files import MEGABYTE, read_within
from generator.basics.keys import Keys
from generator.basics.writing import write_whole
from generator.play.table import actions
from generator.play.table import state as states
from generator.play.table.server import MOST_TOLD, SharedTable, Visitor, parse_json, read_message

MOST_BYTES = 2 * MEGABYTE
_STRANGE = "this is no table that pnp saved"
_Side = Literal["front", "back"]
_Name = Annotated[str, Meta(max_length=500)]
_Lying = tuple[_Name, _Name, _Side]  # the component, the piece, the side that is up
_Held = tuple[_Name, _Name]


class TableSession(SharedTable):
    """A table without rules. `file` is where it is saved."""

    def __init__(self, supply: states.Supply, seats: int, file: Path, random: Random | None = None) -> None:
        super().__init__(supply)
        self._seats = seats
        self._file = file
        self._random = random or SystemRandom()
        self._history = states.History(states.set_up(supply, seats, self._random))
        self._told: deque[str] = deque(maxlen=MOST_TOLD)

    @property
    def state(self) -> states.TableState:
        return self._history.state

    @property
    def seats(self) -> int:
        return len(self.state.hands)

    def _do(self, visitor: Visitor, body: bytes) -> None:
        name, message = read_message(body, actions.MESSAGES)
        if isinstance(message, actions.TakeSeat):
            self._told.append(self._sit(visitor, message.seat))
        elif isinstance(message, actions.Action):
            self._told.append(self._apply(visitor, message))
        else:
            self._command(name)
            self._told.append(self._say(f"log.{name}", who=self._name(visitor.seat), file=self._file.name))

    def _apply(self, visitor: Visitor, action: actions.Action) -> str:
        seated = sorted(self._seated())
        at = actions.Situation(self.state, self.supply, self._random, visitor.seat, seated)
        state = action.apply(at)
        line = action.tell(at)
        self._history = self._history.go_on(state)
        return line

    def _command(self, name: str) -> None:
        match name:
            case "undo":
                self._history = self._history.undo()
            case "redo":
                self._history = self._history.redo()
            case "save":
                write_whole(self._file, write_state(self.state, self.supply))
            case "load":
                self._history = self._history.go_to(load_state(self._file, self.supply))
            case _:  # restart
                fresh = states.set_up(self.supply, self._seats, self._random)
                self._history = self._history.go_to(fresh)
                self._free_seats()

    def _describe(self, visitor: Visitor) -> dict[str, Any]:
        seated = self._kept()
        seats = [
            {"name": self._name(seat), "cards": len(hand), "isTaken": seat in seated}
            for seat, hand in enumerate(self.state.hands)
        ]
        return {
            **states.describe_state(self.state, self.supply, visitor.seat),
            "number": self._done,
            "seat": visitor.seat,
            "seats": seats,
            "told": list(self._told),
            "canUndo": bool(self._history.past),
            "canRedo": bool(self._history.undone),
        }


class _SavedStack(Keys, frozen=True, kw_only=True):
    x: actions.Length
    y: actions.Length
    turn: Annotated[int, Meta(ge=0, le=359)]
    pieces: Annotated[list[_Lying], Meta(min_length=1, max_length=states.MOST_PIECES)]


class _SavedDie(Keys, frozen=True, kw_only=True):
    x: actions.Length
    y: actions.Length
    sides: actions.Sides
    value: Annotated[int, Meta(ge=1)]


class _SavedTally(Keys, frozen=True, kw_only=True):
    x: actions.Length
    y: actions.Length
    label: actions.Text
    value: actions.Counted


class _SavedState(Keys, frozen=True, kw_only=True):
    pnp_table: Literal[1]
    game: str
    size: tuple[actions.Length, actions.Length]
    stacks: Annotated[list[_SavedStack], Meta(max_length=states.MOST_STACKS)]
    hands: Annotated[
        list[Annotated[list[_Held], Meta(max_length=states.MOST_PIECES)]],
        Meta(min_length=1, max_length=states.MOST_SEATS),
    ]
    dice: Annotated[list[_SavedDie], Meta(max_length=actions.MOST_THINGS)]
    counters: Annotated[list[_SavedTally], Meta(max_length=actions.MOST_THINGS)]


def write_state(state: states.TableState, supply: states.Supply) -> bytes:
    """The file of a table: JSON, with pieces by their component and id."""

    def lie(piece: states.LyingPiece) -> _Lying:
        return *_held(piece.piece, supply), "front" if piece.is_up else "back"

    stacks = [_SavedStack(x=it.x, y=it.y, turn=it.turn, pieces=list(map(lie, it.pieces))) for it in state.stacks]
    saved = _SavedState(
        pnp_table=1,
        game=supply.name,
        size=(state.width, state.height),
        stacks=stacks,
        hands=[[_held(number, supply) for number in hand] for hand in state.hands],
        dice=[_SavedDie(x=d.x, y=d.y, sides=d.sides, value=d.value) for d in state.dice],
        counters=[_SavedTally(x=t.x, y=t.y, label=t.label, value=t.value) for t in state.tallies],
    )
    return json.dumps(to_builtins(saved), ensure_ascii=False, indent=1).encode()


def load_state(path: Path, supply: states.Supply) -> states.TableState:
    """The table in a file. Raises PnpError if it cannot be read, is no table of this game, or does
    not have each piece as often as the game."""
    place = Place(str(path))
    file = Path(os.path.realpath(path))  # a link is the user's own
    if not file.exists():
        raise fail(place, "there is no such file", "save a table first")
    return read_state(read_within(file.parent, file.name, MOST_BYTES, place), supply, place)


def read_state(content: bytes, supply: states.Supply, place: Place) -> states.TableState:
    """Reads the content of a file as `load_state` reads a file."""
    try:
        saved, faults = keys.read(_SavedState, parse_json(content))
    except MisfitError as error:
        raise fail(place, str(error), _STRANGE) from None
    if saved is None:
        raise fail(place, faults[0].what, _STRANGE)
    if saved.game != supply.name:
        raise fail(place, f"it is a table of {quote(saved.game)}, not of {quote(supply.name)}")
    _check_pieces(saved, supply, place)
    for die in saved.dice:
        if die.value > die.sides:
            raise fail(place, f"a die of {die.sides} shows {die.value}")
    return _state(saved, supply)


def _held(number: int, supply: states.Supply) -> tuple[str, str]:
    piece = supply.pieces[number]
    return supply.sets[piece.set].id, piece.id


def _check_pieces(saved: _SavedState, supply: states.Supply, place: Place) -> None:
    has = Counter((component, piece) for stack in saved.stacks for component, piece, _ in stack.pieces)
    has.update(name for hand in saved.hands for name in hand)
    due = Counter({_held(at, supply): piece.copies for at, piece in enumerate(supply.pieces)})
    for name in dict.fromkeys([*has, *due]):
        if has[name] != due[name]:
            what = f"it has {has[name]} of {quote('/'.join(name))}, the game has {due[name]}"
            raise fail(place, what, "the game was changed since the table was saved")
    for at, stack in enumerate(saved.stacks):
        if len({component for component, _, _ in stack.pieces}) > 1:
            raise fail(place, f"stacks.{at}: it has pieces of two components")


def _state(saved: _SavedState, supply: states.Supply) -> states.TableState:
    numbers = {_held(at, supply): at for at in range(len(supply.pieces))}
    folded = {piece_set.id for piece_set in supply.sets if piece_set.is_folded}
    width, height = (max(length, 1.0) for length in saved.size)
    empty = states.TableState(width, height, ())
    ids = count(1)

    def lie(piece: _Lying) -> states.LyingPiece:
        component, id_, side = piece
        return states.LyingPiece(numbers[component, id_], side == "front" or component in folded)

    return states.TableState(
        width,
        height,
        tuple(tuple(sorted(numbers[name] for name in hand)) for hand in saved.hands),
        tuple(
            states.LyingStack(next(ids), *empty.within(it.x, it.y), it.turn, tuple(map(lie, it.pieces)))
            for it in saved.stacks
        ),
        tuple(states.Die(next(ids), *empty.within(it.x, it.y), it.sides, it.value) for it in saved.dice),
        tuple(states.Tally(next(ids), *empty.within(it.x, it.y), it.label, it.value) for it in saved.counters),
        next(ids),
    )
