"""The rules of Talavera as code, against its published rules."""

from __future__ import annotations

from itertools import product
from math import comb
from pathlib import Path

import pytest

from generator.basics.errors import PnpError
from generator.games.talavera.checks import COLOURS
from generator.games.talavera.play import LOST, MASTERED, WON, PlaceCards, Talavera, TalaveraState
from generator.play.bots import count_paths
from generator.play.engine import OVER, make_engine
from tests.conftest import Golden
from tests.support.engines import decks_of, engine_of, look_at_table, walk, written_game

_HERE = Path(__file__).parent
_GAMES = {"two": {}, "one-corner": {"placing": "round"}, "alone": {"players": "1"}}


def talavera(**chosen: str) -> Talavera:
    engine = engine_of("talavera", **chosen)
    assert isinstance(engine, Talavera)
    return engine


@pytest.mark.parametrize("game", ["talavera", "talavera-balanced"])
@pytest.mark.parametrize("chosen", _GAMES.values(), ids=_GAMES)
def test_a_game_keeps_to_what_every_engine_must(game: str, chosen: dict[str, str]) -> None:
    engine = engine_of(game, **chosen)
    for seed in range(2):
        for state in walk(engine, seed):
            look_at_table(engine, state, decks_of(game))


@pytest.mark.parametrize("name", _GAMES)
def test_a_written_game_stays_the_same(name: str, golden: Golden) -> None:
    golden(_HERE / "games" / f"{name}.txt", written_game(engine_of("talavera", **_GAMES[name]), 7))


def test_perft_of_two_players() -> None:
    """By hand: orders, a market, two of its cards turned over, one of them taken, one of three, one
    of two; then each places two cards, at a colour that they show."""
    engine = talavera()
    assert [count_paths(engine, depth) for depth in (1, 2)] == [18, 18 * 17]
    market = next(state for state in walk(engine, 1) if len(state.orders) == 2)
    assert count_paths(engine, 1, market) == comb(16, 4)
    draft = next(state for state in walk(engine, 1) if len(state.covered) == 4)
    assert [count_paths(engine, depth, draft) for depth in (1, 2, 3, 4)] == [6, 12, 36, 72]


def test_all_placements_are_found() -> None:
    """By another way: of all pairs of corners, those where both cards show a tile."""
    engine = talavera()
    for state in walk(engine, 3):
        if state.turn >= 0 and len(state.hands[state.turn]) == 2 and not state.market:
            first, second = state.hands[state.turn]
            shown = {
                (a, b) for a, b in product(range(4), repeat=2) if engine.tiles[first][a] and engine.tiles[second][b]
            }
            assert {move.corners for move in engine.legal(state)} == shown  # type: ignore[union-attr]


def ended(engine: Talavera, order: str, stairs: dict[str, str]) -> TalaveraState:
    """The end of a game in which the first seat has these cards at these colours."""
    place = engine.names.index
    tucked = [(place(card), COLOURS.index(colour)) for colour, cards in stairs.items() for card in cards.split()]
    others = ((),) * (engine.seats - 1)
    orders = (place(order),) * engine.seats
    return TalaveraState(OVER, 0, orders, (), (), (), ((), *others), (tuple(tucked), *others))


def test_the_published_example_scores_five() -> None:
    engine = talavera()
    end = ended(engine, "10", {"yellow": "18 12 7", "sky": "2 3", "azure": "16 11 5"})
    assert engine.count(end.stairs[0]) == [4, 5, 4, 0]
    assert engine.scores(end)[0] == 2 + 3
    best = ended(engine, "10", {"yellow": "3 5", "sky": "2 11 7", "azure": "16", "red": "18 12"})
    assert engine.scores(best)[0] == 12


def test_the_flight_at_the_end_of_the_rules_is_full() -> None:
    engine = talavera()
    end = ended(engine, "14", {"yellow": "5 3 17", "red": "8 1", "sky": "2", "azure": "6 10"})
    assert engine.scores(end)[0] == 12


def test_alone_sets_win() -> None:
    engine = talavera(players="1")
    stairs = {"yellow": "8 10", "red": "1 4", "azure": "11 5", "sky": "9 13"}
    assert engine.count(ended(engine, "17", stairs).stairs[0]) == [2, 4, 1, 3]
    assert engine.scores(ended(engine, "17", stairs)) == [WON]
    assert engine.winners(ended(engine, "17", stairs)) == [0]
    assert engine.scores(ended(engine, "5", stairs)) == [MASTERED]
    assert engine.scores(ended(engine, "17", stairs | {"sky": "9 12"})) == [LOST]
    assert engine.winners(ended(engine, "17", stairs | {"sky": "9 12"})) == []


def test_alone_each_corner_is_used_once() -> None:
    engine = talavera(players="1")
    for state in walk(engine, 5):
        if state.turn == 0 and not state.market:
            free = 4 - len({corner for _, corner in state.stairs[0]})
            assert len(engine.legal(state)) == free
            assert all(isinstance(move, PlaceCards) for move in engine.legal(state))


def test_alone_a_pair_is_refused_once() -> None:
    engine = talavera(players="1")
    refused = 0
    for seed in range(4):
        states = list(walk(engine, seed))
        refused += states[-1].has_refused
        discarded = 17 - len(states[-1].stack) - 8
        assert discarded == 8 + states[-1].has_refused
    assert refused > 0


def test_a_deck_that_cannot_be_played_is_told() -> None:
    few = {"cards": decks_of("talavera")["cards"][:15]}
    with pytest.raises(PnpError, match="a game for 2 needs 18 cards, there are 15"):
        make_engine(Talavera, few, {})
    with pytest.raises(PnpError, match="players cannot be '3'"):
        make_engine(Talavera, few, {"players": "3"})
    with pytest.raises(PnpError, match="there is no option 'seats'"):
        make_engine(Talavera, few, {"seats": "3"})
