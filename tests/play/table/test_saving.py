"""A table in a file, and files that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import astuple

from generator.basics.errors import Place, PnpError
from generator.play.table.session import MOST_BYTES, load_state, read_state, write_state
from generator.play.table.state import TableState
from tests.conftest import bounded
from tests.play.table.tables import do, pieces_of, small_supply, table

Saved = dict[str, Any]


def played() -> TableState:
    state = do(table(), do="deal", id=1, count=1)
    state = do(state, do="lift", id=1, x=300.25, y=250)
    state = do(state, do="flip", id=state.stacks[-1].id)
    state = do(state, do="turn", id=state.stacks[-1].id, by=90)
    state = do(state, do="add-die", sides=20, x=10, y=10)
    return do(state, do="add-counter", label="Ann", x=20, y=10)


def bare(state: TableState) -> Any:
    """A state without its ids."""
    things = (*state.stacks, *state.dice, *state.tallies)
    lying = [astuple(thing)[1:] for thing in things]
    return state.width, state.height, state.hands, lying


def read(content: bytes) -> TableState:
    return read_state(content, small_supply(), Place("saved"))


def test_it_comes_back_as_it_was() -> None:
    state = played()
    saved = write_state(state, small_supply())
    assert bare(read(saved)) == bare(state)
    assert write_state(read(saved), small_supply()) == saved


def test_it_names_pieces_by_their_ids_in_the_table() -> None:
    saved = json.loads(write_state(played(), small_supply()))
    assert saved["stacks"][-1]["pieces"][0][0] == "cards"
    assert saved["stacks"][-1]["pieces"][0][2] == "front"
    assert [len(hand) for hand in saved["hands"]] == [1, 0, 1]


def edited(edit: Callable[[Saved], object]) -> bytes:
    saved = json.loads(write_state(played(), small_supply()))
    edit(saved)
    return json.dumps(saved).encode()


HOSTILE: list[tuple[Callable[[Saved], object], str]] = [
    (lambda s: s.update(game="chess"), "a table of 'chess', not of 'small'"),
    (lambda s: s.update(pnp_table=2), "pnp_table"),
    (lambda s: s.update(more=1), "more"),
    (lambda s: s.pop("dice"), "dice"),
    (lambda s: s["stacks"].pop(), "the game has 1"),
    (lambda s: s["stacks"].append(s["stacks"][-1]), "it has 2 of 'cards/"),
    (lambda s: s["hands"][0].append(["cards", "x"]), "1 of 'cards/x', the game has 0"),
    (lambda s: s["hands"][0].append(["../..", "\x1b[2J"]), r"\\x1b"),
    (lambda s: s["stacks"][0].update(x=1e300), "stacks.x, item 1 must be at most"),
    (lambda s: s["stacks"][0].update(x=float("nan")), "it is not JSON"),
    (lambda s: s["stacks"][0].update(turn=360), "stacks.turn, item 1"),
    (lambda s: s["stacks"][0].update(pieces=[]), "stacks.pieces, item 1"),
    (lambda s: s["stacks"][0]["pieces"][0].__setitem__(2, "edge"), "item 1, item 1, item 3"),
    (lambda s: s["stacks"][0]["pieces"].extend(s["stacks"][1].pop("pieces")), "the key 'pieces'"),
    (lambda s: s.update(stacks=s["stacks"] * 600), "stacks must hold 1500 values or fewer"),
    (lambda s: s.update(hands=[[]] * 9), "hands"),
    (lambda s: s.update(hands=[]), "hands"),
    (lambda s: s.update(size=[1e9, 1]), "size, item 1"),
    (lambda s: s["dice"][0].update(value=21), "a die of 20 shows 21"),
    (lambda s: s["dice"][0].update(sides=10**6), "dice.sides, item 1"),
    (lambda s: s.update(dice=s["dice"] * 41), "dice"),
    (lambda s: s["counters"][0].update(label="\n"), "counters.label, item 1"),
    (lambda s: s["counters"][0].update(value=10**9), "counters.value, item 1"),
]


@pytest.mark.parametrize(("edit", "why"), HOSTILE, ids=[why for _, why in HOSTILE])
def test_what_is_no_table_of_the_game_is_one_message(edit: Callable[[Saved], object], why: str) -> None:
    with pytest.raises(PnpError, match=why) as caught:
        read(edited(edit))
    assert len(caught.value.problems) == 1
    assert "\x1b" not in str(caught.value)


def test_a_stack_is_of_one_component() -> None:
    def mix(saved: Saved) -> None:
        saved["stacks"][0]["pieces"] += saved["stacks"][1]["pieces"]
        del saved["stacks"][1]

    with pytest.raises(PnpError, match="pieces of two components"):
        read(edited(mix))


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 500_000, b"\xff", b"1", b'"x"', b"null"])
def test_nonsense_is_one_message(content: bytes) -> None:
    with bounded(), pytest.raises(PnpError, match="no table that pnp saved"):
        read(content)


def test_very_many_pieces_end_soon() -> None:
    stack = '{"x":0,"y":0,"turn":0,"pieces":[' + ",".join(['["a","b","front"]'] * 300_000) + "]}"
    head = b'{"pnp_table":1,"game":"small","size":[1,1],"hands":[[]],"dice":[],"counters":[],'
    with bounded(), pytest.raises(PnpError, match="must hold 5000 values or fewer"):
        read(head + b'"stacks":[' + stack.encode() + b"]}")


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(PnpError, match="too large"):
        load_state(path, small_supply())


def test_the_link_of_a_user_is_followed(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other/table.json").write_bytes(write_state(table(), small_supply()))
    (tmp_path / "here").mkdir()
    (tmp_path / "here/table.json").symlink_to("../other/table.json")
    assert bare(load_state(tmp_path / "here/table.json", small_supply())) == bare(table())


def test_no_file_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(PnpError, match="no such file"):
        load_state(tmp_path / "small.json", small_supply())


def test_a_folder_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(PnpError):
        load_state(tmp_path, small_supply())


def test_all_pieces_are_in_a_table_that_was_read() -> None:
    assert pieces_of(read(write_state(played(), small_supply()))) == pieces_of(table())
