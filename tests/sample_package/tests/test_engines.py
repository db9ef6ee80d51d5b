"""The rules of Off the Rocks."""

from pathlib import Path
from random import Random

from pnp_lighthouse.engines import Boats, Catch

from generator import load_game
from generator.plugins import CHANCE, OVER, count_paths, make_engine


def catch() -> Catch:
    game = load_game(Path(__file__).parents[1] / "catch")
    decks = {component.id: component.copies() for component in game.components}
    engine = make_engine(Catch, decks, {})
    assert isinstance(engine, Catch)
    return engine


def play(engine: Catch, moves: list[str]) -> Boats:
    state = engine.start()
    for move in moves:
        assert move in engine.legal(state)
        state = engine.apply(state, move)
    return state


def test_a_turn_that_stops_keeps_its_catch() -> None:
    state = play(catch(), ["herring 0", "go on", "squall 16", "stop"])
    assert state.fish == (3, 0)
    assert state.seat == 1


def test_the_second_squall_takes_the_catch() -> None:
    state = play(catch(), ["herring 0", "go on", "squall 16", "go on", "squall 17"])
    assert state.fish == (0, 0)
    assert state.seat == 1


def test_the_first_moves_are_as_many_as_the_cards() -> None:
    assert [count_paths(catch(), depth) for depth in (1, 2, 3)] == [24, 48, 24 * 2 * 23]


def test_every_game_ends_with_the_deck() -> None:
    engine = catch()
    for seed in range(50):
        rng = Random(seed)
        state = engine.start()
        while engine.turn(state) != OVER:
            is_chance = engine.turn(state) == CHANCE
            moves = engine.legal(state)
            state = engine.apply(state, engine.draw(state, rng) if is_chance else rng.choice(moves))
        assert state.deck == ()
        assert sum(state.fish) <= sum(engine.fish)
