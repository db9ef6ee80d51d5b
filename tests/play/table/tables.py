"""A small supply, and tables of it: what the tests of this room share."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from generator.basics.geometry import Point, Size
from generator.basics.shapes import rectangle
from generator.play.table.actions import MESSAGES, Action, Situation
from generator.play.table.server import TableServer, read_message
from generator.play.table.session import TableSession
from generator.play.table.state import SuppliedPiece, SuppliedSet, Supply, TableState, set_up

CARDS, HUTS = 0, 1  # the sets
CARD_KINDS, HUT_KINDS = 6, 2
COPIES = 3  # of each hut
CARD_BACK = "b" * 24


def face_of(number: int) -> str:
    return f"{number:024x}"


def make_set(id_: str, size: Size, *, is_folded: bool = False) -> SuppliedSet:
    outline = rectangle(size).outline
    title, hides = id_.capitalize(), not is_folded
    return SuppliedSet(id_, title, size, outline, outline, 90, Point(0, 0), is_folded, False, hides, is_folded)


def small_supply(name: str = "small") -> Supply:
    """Six cards with one back, and huts of two kinds, three of each."""
    cards = [SuppliedPiece(CARDS, str(n), f"Cards {n}", 1, face_of(n), CARD_BACK) for n in range(CARD_KINDS)]
    huts = [
        SuppliedPiece(HUTS, kind, f"Huts {kind}", COPIES, face_of(50 + n), None)
        for n, kind in enumerate(("red", "blue"))
    ]
    sets = [make_set("cards", Size(60, 90)), make_set("huts", Size(20, 20), is_folded=True)]
    return Supply(name, "Small", sets, [*cards, *huts], 30.0, True, [])


def table(seats: int = 3, seed: int = 7) -> TableState:
    return set_up(small_supply(), seats, Random(seed))


def do(state: TableState, seat: int | None = 0, random: Random | None = None, **message: Any) -> TableState:
    """The state after a message, as the page sends it; seats 0 and 2 have players."""
    _, action = read_message(json.dumps(message).encode(), MESSAGES)
    assert isinstance(action, Action)
    at = Situation(state, small_supply(), random or Random(3), seat, (0, 2))
    after = action.apply(at)
    assert action.tell(at).strip()
    return after


def pieces_of(state: TableState) -> Counter[int]:
    """How often each piece is on the table or in a hand."""
    lying = [piece.piece for stack in state.stacks for piece in stack.pieces]
    return Counter([*lying, *(number for hand in state.hands for number in hand)])


def ids_of(state: TableState) -> list[int]:
    stacks = [stack.id for stack in state.stacks]
    return [*stacks, *(die.id for die in state.dice), *(tally.id for tally in state.tallies)]


def session_at(folder: Path, seats: int = 3) -> TableSession:
    return TableSession(small_supply(), seats, folder / "small.table.json", Random(7))


def session_of(server: TableServer) -> TableSession:
    """The table that a server of a table without rules serves."""
    assert isinstance(server.session, TableSession)
    return server.session
