"""The rules of Atreya as code, against its published rules and its booklet."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.games.atreya.play import Atreya
from tests.conftest import Golden
from tests.support.engines import decks_of, engine_of, look_at_table, walk, written_game

_HERE = Path(__file__).parent
_GAMES = {
    "sum": {},
    "dom": {"mode": "Dom"},
    "max": {"mode": "Max"},
    "sum-three": {"players": "3"},
    "dom-three-short": {"mode": "Dom", "players": "3", "pool": "45"},
    "max-three": {"mode": "Max", "players": "3"},
}


def atreya(**chosen: str) -> Atreya:
    engine = engine_of("atreya", **chosen)
    assert isinstance(engine, Atreya)
    return engine


@pytest.mark.parametrize("chosen", _GAMES.values(), ids=_GAMES)
def test_a_game_keeps_to_what_every_engine_must(chosen: dict[str, str]) -> None:
    engine = atreya(**chosen)
    for state in walk(engine, 1):
        look_at_table(engine, state, decks_of("atreya"))


@pytest.mark.parametrize("name", ["max", "max-three", "dom-three-short"])
def test_a_written_game_stays_the_same(name: str, golden: Golden) -> None:
    golden(_HERE / "games" / f"{name}.txt", written_game(atreya(**_GAMES[name]), 7))
