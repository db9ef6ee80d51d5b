"""The rules of Toripoka as code, against its rulebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.games.toripoka.play import Toripoka
from tests.conftest import Golden
from tests.support.engines import decks_of, engine_of, look_at_table, walk, written_game

_HERE = Path(__file__).parent
_WAYS = [
    {name: str(value)} for name, option in Toripoka.options.items() for value in option.values[1:]
]
_ALL_OTHER = {name: str(option.values[-1]) for name, option in Toripoka.options.items()}
_GAMES = {"usual": {}, "other": _ALL_OTHER}


@pytest.mark.parametrize("chosen", [{}, *_WAYS, _ALL_OTHER], ids=str)
def test_a_game_keeps_to_what_every_engine_must(chosen: dict[str, str]) -> None:
    engine = engine_of("toripoka", **chosen)
    for seed in range(2):
        for state in walk(engine, seed):
            look_at_table(engine, state, decks_of("toripoka"))


@pytest.mark.parametrize("name", _GAMES)
def test_a_written_game_stays_the_same(name: str, golden: Golden) -> None:
    golden(_HERE / "games" / f"{name}.txt", written_game(engine_of("toripoka", **_GAMES[name]), 7))
