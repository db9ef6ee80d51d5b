"""What a seat sees, and that nothing else is sent to it."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace

from generator.play.table.state import TableState, describe_state, describe_supply
from tests.play.table.tables import CARD_BACK, CARD_KINDS, do, face_of, small_supply, table
from tests.support.declared import declared_types, misfits

DECK = 1
TYPES = declared_types("generator.play.table")


def seen(state: TableState, seat: int | None) -> str:
    return json.dumps(describe_state(state, small_supply(), seat))


def cards_in(text: str) -> set[int]:
    """The cards whose fronts or names a text has."""
    return {n for n in range(CARD_KINDS) if face_of(n) in text or f"Cards {n}" in text}


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_stack_that_lies_face_down_shows_its_back_only(seat: int | None) -> None:
    text = seen(table(), seat)
    assert cards_in(text) == set()
    assert CARD_BACK in text


def test_what_is_sent_does_not_depend_on_what_is_hidden() -> None:
    """Every order of the deck, with its top card up, and every deal: the same for who sees them
    not."""
    told = set()
    for order in permutations(range(CARD_KINDS)):
        state = table()
        deck = state.stack(DECK)
        pieces = tuple(replace(deck.pieces[0], piece=number) for number in order)
        state = do(state.with_stack(replace(deck, pieces=pieces)), do="deal", id=DECK, count=2)
        told.add(seen(state, 1))
    assert len(told) == 1


def test_only_the_own_hand_is_shown() -> None:
    state = do(table(), do="deal", id=DECK, count=2)
    for seat in (0, 2):
        assert cards_in(seen(state, seat)) == set(state.hands[seat])
    assert cards_in(seen(state, 1)) == cards_in(seen(state, None)) == set()


def test_only_the_top_of_a_stack_is_shown() -> None:
    state = do(table(), do="flip", id=DECK)
    top = state.stack(DECK).pieces[-1].piece
    assert cards_in(seen(state, 0)) == {top}


def test_a_piece_that_was_turned_over_is_hidden_again() -> None:
    state = do(do(table(), do="flip", id=DECK), do="flip", id=DECK)
    assert cards_in(seen(state, 0)) == set()


def test_a_blank_side_has_no_face() -> None:
    state = table()
    hut = state.stack(2)
    down = state.with_stack(replace(hut, pieces=(replace(hut.pieces[0], is_up=False),)))
    (shown,) = (stack for stack in describe_state(down, small_supply(), 0)["stacks"] if stack["id"] == 2)
    assert (shown["face"], shown["name"], shown["isUp"]) == (None, "", False)


def told_of(state: TableState) -> Any:
    """What the session adds is tested with it."""
    more = {"number": 3, "seat": 0, "seats": [], "told": [], "canUndo": True, "canRedo": False}
    return {**json.loads(seen(state, 0)), **more}


def test_it_is_what_is_declared() -> None:
    state = do(table(), do="deal", id=DECK, count=1)
    state = do(do(state, do="add-die", sides=6, x=0, y=0), do="add-counter", x=0, y=0)
    assert list(misfits(TYPES, told_of(state), "State")) == []
    told = json.loads(json.dumps(describe_supply(small_supply())))
    assert list(misfits(TYPES, told, "Supply")) == []
    assert list(misfits(TYPES, {**told, "title": 1}, "Supply")) == [".title is no string"]
