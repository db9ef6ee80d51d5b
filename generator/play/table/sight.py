"""Take a table and a seat, describe what that seat sees, as plain values for JSON.

The order of a stack, the front of a piece that lies face down and the hands of other seats are not
among them.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from generator.basics.outlines import Outline
from generator.play.table.state import LyingStack, TableState
from generator.play.table.supply import SuppliedSet, Supply

JsonObject = dict[str, Any]


def describe_supply(supply: Supply) -> JsonObject:
    """What never changes: the title, the shapes of the pieces, the pages of the rules."""
    return {
        "title": supply.title,
        "sets": [_set(one) for one in supply.sets],
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


def _set(one: SuppliedSet) -> JsonObject:
    return {
        "title": one.title,
        "size": list(one.size),
        "front": _corners(one.front),
        "back": _corners(one.back),
        "turn": one.turn,
        "anchor": [round(length, 4) for length in one.anchor],
        "isFolded": one.is_folded,
        "isApart": one.is_apart,
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
    piece = supply.pieces[number]
    return {"set": piece.set, "face": piece.front, "name": piece.name}
