"""Every state of random games could lie on a table; one that could not is found."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from generator.games.taluva.island import TaluvaState
from generator.games.taluva.play import Taluva
from tests.games.soundness import LOOKS, WHOLE, look_at_game, look_at_taluva, states_of
from tests.support.engines import engine_of

_GAMES = {"talavera": 20, "toripoka": 4, "taluva": 3, "advaya": 3, "atreya": 1}  # how many


@pytest.mark.parametrize("game", LOOKS)
def test_every_state_of_a_random_game_could_lie_on_a_table(game: str) -> None:
    engine = engine_of(game)
    assert sum(look_at_game(game, engine, seed) for seed in range(_GAMES[game])) > 100


def _lose_a_card(state: Any) -> Any:
    return state._replace(rest=state.rest[1:])


def _double_a_card(state: Any) -> Any:
    return state._replace(orders=(*state.orders, state.orders[0]))


def _raise_a_field(state: Any) -> Any:
    (hexagon, (level, terrain)), *others = state.land
    return replace(state, land=((hexagon, (level + 1, terrain)), *others))


def _move_two_tiles(state: Any) -> Any:
    return replace(state, arena=tuple((cell + 2, face) for cell, face in state.arena))


@pytest.mark.parametrize(
    ("game", "fault"),
    [("talavera", _double_a_card), ("toripoka", _lose_a_card), ("taluva", _raise_a_field), ("advaya", _move_two_tiles)],
)
def test_a_state_that_could_not_is_found(game: str, fault: Callable[[Any], Any]) -> None:
    engine = engine_of(game)
    states = [*states_of(engine, 1)][5:]
    before, after = next(
        (before, after) for before, after in pairwise(states) if game != "taluva" or len(after.laid) > len(before.laid)
    )
    LOOKS[game](engine, before, after)
    with pytest.raises(AssertionError):
        LOOKS[game](engine, before, fault(after))


def _states_of_taluva() -> tuple[Taluva, list[TaluvaState]]:
    engine = engine_of("taluva")
    assert isinstance(engine, Taluva)
    return engine, [*states_of(engine, 1)]


def test_a_building_where_none_may_stand_is_found() -> None:
    engine, states = _states_of_taluva()
    for before, after in pairwise(states):
        if after.used != before.used:
            high = tuple(
                (building, (0, 2)) if (building, who) not in before.built else (building, who)
                for building, who in after.built
            )
            with pytest.raises(AssertionError):
                look_at_taluva(engine, before, replace(after, built=high))


@pytest.mark.parametrize("game", WHOLE)
def test_a_tile_apart_from_the_arena_is_found(game: str) -> None:
    engine = engine_of(game, **{"mode": "Max"} if game == "atreya" else {})
    *_, end = states_of(engine, 1)
    WHOLE[game](engine, end)
    with pytest.raises(AssertionError):
        WHOLE[game](engine, _set_apart(end))


def _set_apart(state: Any) -> Any:
    """The first tile moves far away."""
    if isinstance(state.arena, tuple):
        (cell, face), *others = state.arena
        return replace(state, arena=((cell + 40, face), *others))
    arena = state.arena._copy()
    cell = min(arena.laid)
    arena.laid[cell + 40] = arena.laid.pop(cell)
    return replace(state, arena=arena)
