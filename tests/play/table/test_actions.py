"""What each action does to a table, and what none can do."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from generator.basics.errors import PnpError
from generator.play.table import actions
from generator.play.table.actions import MESSAGES
from generator.play.table.server import read_message
from generator.play.table.state import MOST_STACKS, History, LyingPiece, LyingStack, TableState
from tests.play.table.tables import CARD_KINDS, COPIES, do, ids_of, pieces_of, table

DECK, RED, BLUE = 1, 2, 3  # the ids of the stacks at the beginning


def numbers(stack: LyingStack) -> list[int]:
    return [piece.piece for piece in stack.pieces]


def last(state: TableState) -> LyingStack:
    return state.stacks[-1]


def test_a_table_begins_with_a_shuffled_deck_and_a_stack_of_each_kind() -> None:
    state = table()
    deck, red, blue = state.stacks
    assert sorted(numbers(deck)) == list(range(CARD_KINDS))
    assert numbers(deck) != sorted(numbers(deck), reverse=True)
    assert not any(piece.is_up for piece in deck.pieces)
    assert (len(red.pieces), len(blue.pieces)) == (COPIES, COPIES)
    assert all(piece.is_up for piece in (*red.pieces, *blue.pieces))


def test_the_top_is_lifted_off() -> None:
    before = table()
    after = do(before, do="lift", id=DECK, count=2, x=300, y=250)
    assert numbers(last(after)) == numbers(before.stack(DECK))[-2:]
    assert numbers(after.stack(DECK)) == numbers(before.stack(DECK))[:-2]
    assert (last(after).x, last(after).y) == (300, 250)


def test_lifting_all_moves_the_stack() -> None:
    after = do(table(), do="lift", id=RED, count=99, x=30, y=40)
    assert last(after).id == RED
    assert len(after.stacks) == 3


@pytest.mark.parametrize(("x", "y"), [(-500, 1e4), (10_000, -1)])
def test_nothing_leaves_the_table(x: float, y: float) -> None:
    after = do(table(), do="move", id=RED, x=x, y=y)
    assert 0 <= last(after).x <= after.width
    assert 0 <= last(after).y <= after.height


def test_pieces_turn_over_together() -> None:
    before = table()
    after = do(before, do="flip", id=DECK, count=3)
    top = after.stack(DECK).pieces[-3:]
    assert [piece.piece for piece in top] == numbers(before.stack(DECK))[-3:][::-1]
    assert all(piece.is_up for piece in top)
    assert not any(piece.is_up for piece in after.stack(DECK).pieces[:-3])


def test_turning_over_twice_changes_nothing() -> None:
    before = table()
    assert do(do(before, do="flip", id=DECK), do="flip", id=DECK) == before


def test_a_shuffle_keeps_the_pieces_and_their_sides() -> None:
    before = do(table(), do="flip", id=DECK, count=1)
    after = do(before, do="shuffle", id=DECK)
    assert numbers(after.stack(DECK)) != numbers(before.stack(DECK))
    old, new = before.stack(DECK).pieces, after.stack(DECK).pieces
    assert sorted(new, key=astuple) == sorted(old, key=astuple)


def test_joined_pieces_lie_on_top() -> None:
    lifted = do(table(), do="lift", id=DECK, x=400, y=400)
    joined = do(lifted, do="join", id=last(lifted).id, onto=DECK)
    assert joined.stack(DECK).pieces == table().stack(DECK).pieces
    assert len(joined.stacks) == 3


def test_a_turn_stays_below_a_round() -> None:
    state = do(do(table(), do="turn", id=RED, by=-90), do="turn", id=RED, by=-360)
    assert state.stack(RED).turn == 270


def test_a_spread_covers_nothing_that_lies_there() -> None:
    after = do(table(), do="spread", id=DECK)
    cards = [stack for stack in after.stacks if stack.id not in (RED, BLUE)]
    assert len(cards) == CARD_KINDS
    assert len({(card.x, card.y) for card in cards}) == CARD_KINDS
    for hut in (after.stack(RED), after.stack(BLUE)):
        for card in cards:
            assert abs(hut.x - card.x) >= 40 or abs(hut.y - card.y) >= 55


def test_gathering_puts_them_back_together() -> None:
    spread = do(do(table(), do="flip", id=DECK), do="spread", id=DECK)
    flipped = do(spread, do="flip", id=last(spread).id)
    deck = do(flipped, do="gather", id=DECK).stack(DECK)
    assert sorted(numbers(deck)) == list(range(CARD_KINDS))
    assert all(piece.is_up for piece in deck.pieces)


def test_gathering_leaves_unlike_pieces_apart() -> None:
    lifted = do(table(), do="lift", id=BLUE, x=400, y=400)
    after = do(lifted, do="gather", id=RED)
    assert len(after.stack(RED).pieces) == COPIES
    assert len(after.stacks) == 4


def test_a_deal_goes_round_the_seats_with_players() -> None:
    before = table()
    after = do(before, do="deal", id=DECK, count=2)
    top = numbers(before.stack(DECK))[::-1]
    assert after.hands == (tuple(sorted((top[0], top[2]))), (), tuple(sorted((top[1], top[3]))))
    assert len(after.stack(DECK).pieces) == 2


def test_the_last_piece_takes_its_stack_along() -> None:
    after = do(table(), do="draw", id=DECK, count=CARD_KINDS)
    assert after.hands[0] == tuple(range(CARD_KINDS))
    assert DECK not in ids_of(after)


@pytest.mark.parametrize("is_up", [True, False])
def test_a_hand_is_played_on_the_table_or_on_a_stack(is_up: bool) -> None:
    drawn = do(table(), do="draw", id=DECK, count=2)
    first, second = drawn.hands[0]
    laid = do(drawn, do="play", card=1, x=100, y=300, is_up=is_up)
    assert last(laid).pieces == (LyingPiece(second, is_up),)
    on = do(laid, do="play", card=0, onto=DECK, is_up=is_up)
    assert on.stack(DECK).pieces[-1] == LyingPiece(first, is_up)
    assert on.hands[0] == ()


def test_dice_and_counters() -> None:
    state = do(table(), do="add-die", sides=20, x=10, y=10)
    state = do(state, do="add-counter", label="Ann", x=20, y=10)
    (die,), (tally,) = state.dice, state.tallies
    state = do(state, do="roll", id=die.id)
    assert 1 <= state.dice[0].value <= 20
    state = do(do(state, do="count", id=tally.id, by=7), do="count", id=tally.id, by=-9)
    assert state.tallies[0].value == -2
    state = do(do(state, do="move-extra", id=die.id, x=1, y=2), do="roll")
    assert (state.dice[0].x, state.dice[0].y) == (1, 2)
    state = do(do(state, do="remove", id=die.id), do="remove", id=tally.id)
    assert ids_of(state) == ids_of(table())


def test_a_die_shows_every_number() -> None:
    state = do(table(), do="add-die", sides=3, x=0, y=0)
    seen, random = set(), Random(1)
    for _ in range(60):
        state = do(state, random=random, do="roll")
        seen.add(state.dice[0].value)
    assert seen == {1, 2, 3}


REFUSED: list[tuple[dict[str, Any], int | None, str]] = [
    ({"do": "move", "id": 99, "x": 0, "y": 0}, 0, "no longer there"),
    ({"do": "flip", "id": RED}, 0, "folded"),
    ({"do": "join", "id": RED, "onto": DECK}, 0, "make no stack"),
    ({"do": "join", "id": RED, "onto": RED}, 0, "on itself"),
    ({"do": "draw", "id": DECK}, None, "you have no hand"),
    ({"do": "deal", "id": DECK, "count": 4}, 0, "8 pieces are needed"),
    ({"do": "play", "card": 0}, 0, "no longer in your hand"),
    ({"do": "play", "card": 0}, None, "you have no hand"),
    ({"do": "count", "id": DECK, "by": 1}, 0, "no longer there"),
    ({"do": "roll", "id": DECK}, 0, "no longer there"),
    ({"do": "remove", "id": DECK}, 0, "no longer there"),
    ({"do": "move-extra", "id": DECK, "x": 0, "y": 0}, 0, "no longer there"),
]


@pytest.mark.parametrize(("message", "seat", "why"), REFUSED)
def test_what_the_table_does_not_allow_is_one_message(message: dict[str, Any], seat: int | None, why: str) -> None:
    with pytest.raises(PnpError, match=why):
        do(table(), seat, **message)


def test_a_card_is_not_played_on_huts() -> None:
    drawn = do(table(), do="draw", id=DECK)
    with pytest.raises(PnpError, match="does not belong on Huts"):
        do(drawn, do="play", card=0, onto=RED)


def test_things_on_the_table_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_THINGS", 1)
    state = do(table(), do="add-die", sides=6, x=0, y=0)
    with pytest.raises(PnpError, match="1 dice"):
        do(state, do="add-die", sides=6, x=0, y=0)
    monkeypatch.setattr(actions, "MOST_SPREAD", 5)
    with pytest.raises(PnpError, match="only 5"):
        do(state, do="spread", id=DECK)
    state = do(state, do="add-counter", x=0, y=0)
    state = do(state, do="count", id=state.tallies[0].id, by=60_000)
    with pytest.raises(PnpError, match="goes to"):
        do(state, do="count", id=state.tallies[0].id, by=60_000)


def test_stacks_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_STACKS >= 1000
    monkeypatch.setattr("generator.play.table.state.MOST_STACKS", 3)
    with pytest.raises(PnpError, match="3 stacks"):
        do(table(), do="lift", id=DECK, x=0, y=0)


NONSENSE = [
    b"",
    b"{",
    b"null",
    b"[]",
    b"[" * 100_000,
    b'{"do": "explode"}',
    b'{"do": ["move"]}',
    b'{"do": "move"}',
    b'{"do": "move", "id": "1", "x": 0, "y": 0}',
    b'{"do": "move", "id": true, "x": 0, "y": 0}',
    b'{"do": "move", "id": -1, "x": 0, "y": 0}',
    b'{"do": "move", "id": 1e400, "x": 0, "y": 0}',
    b'{"do": "move", "id": 1, "x": NaN, "y": 0}',
    b'{"do": "move", "id": 1, "x": Infinity, "y": 0}',
    b'{"do": "move", "id": 1, "x": 1e9, "y": 0}',
    b'{"do": "move", "id": 1, "x": 0, "y": 0, "z": 0}',
    b'{"do": "move", "id": ' + b"9" * 5000 + b', "x": 0, "y": 0}',
    b'{"do": "turn", "id": 1, "by": 361}',
    b'{"do": "draw", "id": 1, "count": 1000000}',
    b'{"do": "draw", "id": 1, "count": 0}',
    b'{"do": "add-die", "sides": 1, "x": 0, "y": 0}',
    b'{"do": "add-die", "sides": 1000000, "x": 0, "y": 0}',
    b'{"do": "add-counter", "label": "\\u001b[2J", "x": 0, "y": 0}',
    b'{"do": "add-counter", "label": "' + b"x" * 25 + b'", "x": 0, "y": 0}',
    b'{"do": "sit", "seat": 8}',
    b'{"do": "sit", "seat": -1}',
    b'{"do": "save", "path": "/etc/passwd"}',
    b"\xff\xfe",
]


@pytest.mark.parametrize("body", NONSENSE, ids=lambda body: repr(body[:40]))
def test_nonsense_is_one_message(body: bytes) -> None:
    with pytest.raises(PnpError) as caught:
        read_message(body, MESSAGES)
    (problem,) = caught.value.problems
    assert "\n" not in problem.what
    assert "\x1b" not in problem.what
    assert len(problem.what) < 400


_IDS = st.integers(1, 14)
_LENGTHS = st.floats(-100, 1000)
_NUMBERS = st.integers(1, 4)
_CARDS = st.integers(0, 3)
SENT = st.one_of(
    st.fixed_dictionaries({"do": st.just("move"), "id": _IDS, "x": _LENGTHS, "y": _LENGTHS}),
    st.fixed_dictionaries({"do": st.just("lift"), "id": _IDS, "count": _NUMBERS, "x": _LENGTHS, "y": _LENGTHS}),
    st.fixed_dictionaries({"do": st.just("join"), "id": _IDS, "onto": _IDS, "count": _NUMBERS}),
    st.fixed_dictionaries({"do": st.sampled_from(["flip", "draw", "deal"]), "id": _IDS, "count": _NUMBERS}),
    st.fixed_dictionaries({"do": st.sampled_from(["shuffle", "spread", "gather"]), "id": _IDS}),
    st.fixed_dictionaries({"do": st.just("play"), "card": st.integers(0, 3), "onto": _IDS}),
    st.fixed_dictionaries({"do": st.just("play"), "card": st.integers(0, 3), "is_up": st.booleans()}),
)


@given(st.lists(st.tuples(SENT, st.integers(0, 2)), max_size=25))
def test_no_piece_is_ever_lost_or_doubled(messages: list[tuple[dict[str, Any], int]]) -> None:
    history, due = History(table()), pieces_of(table())
    for message, seat in messages:
        try:
            state = do(history.state, seat, **message)
        except PnpError:
            continue
        assert pieces_of(state) == due
        assert len(set(ids_of(state))) == len(ids_of(state))
        assert max(ids_of(state), default=0) < state.next_id
        assert all(0 <= stack.x <= state.width and 0 <= stack.y <= state.height for stack in state.stacks)
        history = history.go_on(state)
    while history.past:
        history = history.undo()
    assert (history.state.stacks, history.state.hands) == (table().stacks, table().hands)


def test_undone_actions_are_done_again_until_another_is_done() -> None:
    history = History(table()).go_on(do(table(), do="shuffle", id=DECK))
    shuffled = history.state
    history = history.undo()
    assert history.state.stacks == table().stacks
    assert history.redo().state.stacks == shuffled.stacks
    history = history.go_on(do(table(), do="flip", id=DECK))
    with pytest.raises(PnpError, match="nothing to do again"):
        history.redo()
    with pytest.raises(PnpError, match="nothing to undo"):
        history.undo().undo()


def test_no_id_is_given_twice_after_an_undo() -> None:
    """A page may still speak of what is gone."""
    lifted = do(table(), do="lift", id=DECK, x=0, y=300)
    history = History(table()).go_on(lifted).undo()
    again = do(history.state, do="lift", id=DECK, x=0, y=300)
    assert last(again).id != last(lifted).id


def test_the_past_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.play.table.state._MOST_PAST", 3)
    history = History(table())
    for _ in range(9):
        history = history.go_on(do(history.state, do="turn", id=RED, by=90))
    assert len(history.past) == 3
