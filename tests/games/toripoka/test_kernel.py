"""The kernel of Toripoka plays the same games as its rules."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import pytest

from generator.games.toripoka.play import Toripoka
from generator.play.engine import Decks
from tests.support.engines import decks_of

if not find_spec("numba"):
    pytest.skip("numba is not installed", allow_module_level=True)

from tests.games.toripoka.twins import Twins

_CHOSEN: list[dict[str, str]] = [
    {},
    *({name: str(option.values[1])} for name, option in Toripoka.options.items()),
    {name: str(option.values[1]) for name, option in Toripoka.options.items()},
]
_BASE = 3 << 90  # seeds of several words


def numbered(count: int, rank: str, covers: str, suit: str = "hearts") -> Decks:
    """The published deck, and so many more cards."""
    deck = decks_of("toripoka")
    more = replace(deck["cards"][0], row={"suit": suit, "rank": rank, "covers": covers})
    return {**deck, "cards": [*deck["cards"], *[more] * count]}


def with_pyramids(deck: Decks, times: int) -> Decks:
    return {**deck, **{size: [*deck[size]] * times for size in ("large", "medium", "small")}}


_DECKS: dict[str, Decks] = {
    "twins": numbered(2, "9", ""),
    "wilds": numbered(3, "9", "5-J"),
    "63 cards, of which one may be missing": numbered(46, "5", "A-4"),
    "64 cards, of which none may": numbered(47, "5", "A-4"),
    "most": with_pyramids(numbered(83, "J", ""), 6),
    "few pyramids": {
        **decks_of("toripoka"),
        "large": decks_of("toripoka")["large"][:1],
        "small": [],
    },
    "all equal": {**decks_of("toripoka"), "cards": [numbered(1, "5", "")["cards"][-1]] * 17},
}


def look_at(twins: Twins, games: int) -> None:
    for game in range(games):
        assert not twins.difference(_BASE + 2 * game, [game % 2, 1 - game % 2]), game


@pytest.mark.parametrize("chosen", _CHOSEN, ids=str)
def test_random_bots_make_the_same_moves(chosen: dict[str, str]) -> None:
    look_at(Twins(decks_of("toripoka"), chosen, ["random", "random"]), 150)


@pytest.mark.parametrize("chosen", _CHOSEN, ids=str)
def test_greedy_bots_make_the_same_moves(chosen: dict[str, str]) -> None:
    look_at(Twins(decks_of("toripoka"), chosen, ["greedy", "greedy"]), 12)


def test_bots_take_turns_at_the_seats() -> None:
    look_at(Twins(decks_of("toripoka"), {}, ["greedy", "random"]), 40)


@pytest.mark.parametrize("name", _DECKS)
def test_another_deck_is_played_the_same(name: str) -> None:
    look_at(Twins(_DECKS[name], {}, ["random", "random"]), 40)
    look_at(Twins(_DECKS[name], {"public": "both"}, ["random", "greedy"]), 2)
    look_at(Twins(_DECKS[name], {"trees": "free"}, ["greedy", "random"]), 2)
