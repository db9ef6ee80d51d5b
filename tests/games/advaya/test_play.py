"""The rules of Advaya as code, against its published rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.games.advaya.play import Advaya
from tests.conftest import Golden
from tests.support.engines import decks_of, engine_of, look_at_table, walk, written_game

_HERE = Path(__file__).parent
_GOALS = ("first-closed", "max-closed", "domination", "first-capture", "max-capture")


def advaya(**chosen: str) -> Advaya:
    engine = engine_of("advaya", **chosen)
    assert isinstance(engine, Advaya)
    return engine


@pytest.mark.parametrize("goal", _GOALS)
def test_a_game_keeps_to_what_every_engine_must(goal: str) -> None:
    engine = advaya(goal=goal)
    for state in walk(engine, 2):
        look_at_table(engine, state, decks_of("advaya"))


@pytest.mark.parametrize("goal", _GOALS)
def test_a_written_game_stays_the_same(goal: str, golden: Golden) -> None:
    golden(_HERE / "games" / f"{goal}.txt", written_game(advaya(goal=goal), 7))
