"""Why a piece may not lie somewhere, in words: true of each place of random games."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from generator.games.taluva.island import HUT, TEMPLE, find_flaw, find_kept, hex_at
from generator.play.engine import CHANCE, OVER
from tests.support.engines import AnyEngine, engine_of

# What is told last, when nothing else forbids it: of a legal move, nothing else may be said.
_LAST = {
    "place": "It must touch the island.",  # which it does: no tile lies beneath
    "erupt": "",
    "move": "It would leave a hole, or hang on one tile.",
    "play": "No tile of the pool fits there.",
    "lay": "It would be no less free there.",
    "lift": "It would be no less free elsewhere.",
}


def play(engine: AnyEngine, moves: int, rng: Random) -> Any:
    """A state after some random moves, which is no turn of chance."""
    state = engine.start()
    for _ in range(moves):
        if engine.turn(state) == OVER:
            break
        is_chance = engine.turn(state) == CHANCE
        state = engine.apply(state, engine.draw(state, rng) if is_chance else rng.choice(engine.legal(state)))
    return state


@pytest.mark.parametrize("game", ["taluva", "advaya", "atreya"])
def test_nothing_else_is_said_of_a_legal_move(game: str) -> None:
    engine, rng, found = engine_of(game), Random(3), set()
    for moves in (20, 31, 42):
        state = play(engine, moves, rng)
        for move in engine.legal(state):
            verb = "move" if game == "advaya" else engine.write(state, move).split()[0]
            last = _LAST.get(verb, "") if game != "atreya" or state.cell is None else "Its sides do not match there."
            for piece in engine.touch(state, move) or ():
                why = engine.why(state, piece)
                assert why in (last, "It lies so already."), engine.write(state, move)  # it is turned in its place
                found.add(why)
    assert found


def test_where_a_tile_cannot_lie_in_taluva() -> None:
    """A volcano of level 1 that points south, at 0,0, and its fields; another tile to the right."""
    south, north = 1, 4
    fields = [hex_at(0, 0), hex_at(0, 1), hex_at(-1, 1), hex_at(1, 0), hex_at(1, -1), hex_at(2, -1)]
    land = dict(zip(fields, [(1, ~south), (1, 0), (1, 1), (1, ~north), (1, 0), (2, 0)], strict=True))
    temple, huts = find_kept(((fields[4], (0, TEMPLE)),)), find_kept(((fields[4], (0, HUT)),))
    many = find_kept(tuple((field, (0, HUT)) for field in sorted([*fields[4:], hex_at(2, -2)])))
    assert find_flaw(land, [], hex_at(9, 9), south) == "why.apart"
    assert find_flaw(land, [], fields[0], 3) == "why.uneven"
    assert find_flaw(land, [], fields[3], north) == "why.uneven"
    assert find_flaw(land, [], fields[1], north) == "why.volcano"
    assert find_flaw(land, [], fields[0], south) == "why.direction"
    assert find_flaw(land, temple, fields[0], 5) == find_flaw(land, huts, fields[0], 5) == "why.buries"
    assert find_flaw(land, many, fields[0], 5) == ""
