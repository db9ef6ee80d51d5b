"""The kernel of Toripoka plays the same games as its rules."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from msgspec.structs import replace

from generator.games.toripoka.play import Toripoka
from generator.play import batches
from generator.play.batches import WHOLE, Series, play_series
from generator.play.engine import Decks
from tests.support.engines import decks_of

if not find_spec("numba"):
    pytest.skip("numba is not installed", allow_module_level=True)

from numba.core.caching import CacheImpl

from generator.games.toripoka.kernel.compiling import kept
from tests.games.toripoka.twins import Twins

_ROOT = Path(__file__).parents[3]
_CHOSEN: list[dict[str, str]] = [
    {},
    *({name: str(option.values[1])} for name, option in Toripoka.options.items()),
    {name: str(option.values[1]) for name, option in Toripoka.options.items()},
]


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
_SEEDS = [0, 1, -5, 2**32 - 2, 2**32, 2**64 - 1, 2**96 + 5, 3**1000, 7**8000]


def series(*bots: str, games: int) -> Series:
    return Series(Toripoka, decks_of("toripoka"), {}, bots, 1, games)


def look_at(twins: Twins, games: int) -> None:
    for game in range(games):
        assert not twins.difference((3 << 90) + 2 * game, [game % 2, 1 - game % 2]), game


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
    look_at(Twins(_DECKS[name], {"public": "both"}, ["random", "greedy"]), 1)
    look_at(Twins(_DECKS[name], {"trees": "free"}, ["greedy", "random"]), 1)


def test_seeds_of_any_size_give_the_random_numbers_of_python() -> None:
    twins = Twins(decks_of("toripoka"), {}, ["random", "random"])
    for seed in _SEEDS:
        assert not twins.difference(seed, [0, 1]), seed


def test_a_series_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """In workers, within their limits. Where one fails, the batch is played here: that must not
    be."""
    monkeypatch.setattr(batches, "_SECONDS_TRIED", 0.0)
    plain = play_series(series("greedy", "random", games=60), WHOLE, lambda *_: None)
    monkeypatch.setattr(batches, "_SECONDS_THAT_PAY", -1.0)
    monkeypatch.setattr(batches, "_SECONDS_A_BATCH", 0.01)
    monkeypatch.delattr(batches, "play_batch")
    compiled = play_series(series("greedy", "random", games=60), WHOLE, lambda *_: None)
    assert compiled == plain
    assert compiled.games == 60


def test_a_worker_has_the_memory_to_compile() -> None:
    code = """
from generator.workers import Limits
Limits().impose()
from tests.support.engines import engine_of
kernel = engine_of("toripoka").compile(["random", "greedy"])
print(kernel.play(1, 2, [0, 1], is_watched=False).decided)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=_ROOT, check=True
    )
    assert int(done.stdout) > 50


def test_machine_code_is_not_kept_where_nothing_can_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CacheImpl, "_locator_classes", [])

    def double(number: int) -> int:
        return 2 * number

    assert kept(double)(4) == 8


def test_without_numba_the_rules_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "generator.games.toripoka.kernel.player", None)
    assert series("random", games=3).set_table(is_compiled=True).kernel is None


def test_bots_that_it_does_not_know_have_none() -> None:
    table = series("random", "search:2", games=3).set_table(is_compiled=True)
    assert table.kernel is None


def test_few_games_do_not_load_numba() -> None:
    code = """
import sys
from generator.games.toripoka.play import Toripoka
from generator.play.batches import WHOLE, Series, play_series
from tests.support.engines import decks_of
series = Series(Toripoka, decks_of("toripoka"), {}, ("random",), 1, 20)
play_series(series, WHOLE, lambda *_: None)
sys.exit("numba" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=_ROOT).returncode == 0


def test_a_game_without_an_end_is_one_to_both() -> None:
    """Hands are all equal, and nobody wins one of many pyramids."""
    deck = decks_of("toripoka")
    many = {size: [deck[size][0]] * 33 for size in ("large", "medium", "small")}
    twins = Twins({**_DECKS["all equal"], **many}, {"forfeit": "bag"}, ["random", "random"])
    assert twins.by_kernel(7, [0, 1]) == ([], None)
    assert twins.by_rules(7, [0, 1])[1] is None
