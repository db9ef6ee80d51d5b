"""Many games: their figures, against games whose odds are published; the same counts however they
are played."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.basics.errors import Place, PnpError
from generator.basics.workers import WorkerProcess
from generator.games.talavera.play import Talavera, TalaveraState
from generator.play import batches
from generator.play.batches import WHOLE, Counts, EndlessGameError, Series, Shard, play_series
from generator.play.bots import Solver, TooManyStatesError, choose_greedily, make_bot, search
from generator.play.engine import Engine, split_score
from generator.play.figures import (
    Estimate,
    Figures,
    SkillStep,
    compare,
    estimate_mean,
    estimate_share,
    find_figures,
    find_findings,
    find_lead,
    name_estimates,
    tell_skill,
)
from generator.play.records import Record, merge_records, read_record, record_of, write_record
from generator.play.records import figures_of as find_record_figures
from tests.play.games import Bait, Biased, Broken, Endless, Heap, HigherCard, HigherRow, Pick, Ruin, Short, deck
from tests.support.engines import decks_of, walk

Kind = type[Engine[Any, Any]]


def series_of(kind: Kind, cards: int, games: int, *bots: str, seed: int = 1, **chosen: str) -> Series:
    return Series(kind, deck(cards), chosen, bots or ("random",), seed, games)


def count(series: Series, shard: Shard = WHOLE) -> Counts:
    """Played in this process."""
    with ThreadPoolExecutor(1) as executor:
        return play_series(series, shard, lambda *_: None, executor)


def figures_of(series: Series) -> Figures:
    return find_figures(count(series), 2, series.bots)


def test_the_higher_card_wins() -> None:
    """Of ten cards, the one of value k wins against k - 1 of 9."""
    figures = figures_of(series_of(HigherCard, 10, 20_000))
    assert figures.seats[0].low < 50 < figures.seats[0].high
    assert figures.shared.value == 0
    assert len(figures.pieces) == 10
    assert [piece.piece for piece in figures.pieces] == [str(n) for n in range(10, 0, -1)]
    held = 0
    for piece in figures.pieces:
        exact = 100 * (int(piece.piece) - 1) / 9 - 50
        assert piece.lift is not None
        held += piece.lift.low <= exact <= piece.lift.high
        assert piece.lift.value == pytest.approx(exact, abs=2.5)
    assert held >= 8  # of ten intervals, fewer hold the true value once in ninety times


def test_the_parts_of_a_score_are_reported_apart() -> None:
    """Of the 45 pairs of the cards 1 to 10, 12 are in one row."""
    series = series_of(HigherRow, 10, 4000)
    record = record_of("rows", series, 2, WHOLE, count(series))
    named = name_estimates(find_record_figures(read_record(write_record(record), Place("a file"))))
    exact = {
        "ahead by rows": 100 * 33 / 45,
        "ahead by places": 100 * 12 / 45,
        "rows of seat 1": 1.0,
        "places of seat 2": 1.5,
    }
    for name, value in exact.items():
        assert named[name].low <= value <= named[name].high, name
    assert not {"margin", "points of seat 1"} & set(named)


@given(st.lists(st.tuples(st.integers(0, 49), st.integers(0, 49)), min_size=1, max_size=4))
def test_a_score_and_a_margin_keep_their_parts(pairs: list[tuple[int, int]]) -> None:
    first, second = (
        sum(value * 100**place for place, value in enumerate(reversed(seat))) for seat in zip(*pairs, strict=True)
    )
    assert split_score(first, len(pairs)) == [pair[0] for pair in pairs]
    assert split_score(first - second, len(pairs)) == [a - b for a, b in pairs]


@pytest.mark.parametrize(("chips", "total"), [(3, 10), (5, 10), (5, 7)])
def test_the_gamblers_ruin(chips: int, total: int) -> None:
    """With z of a chips a fair game is won by z/a, and takes z (a - z) throws on average: Feller,
    An Introduction to Probability Theory and Its Applications, volume 1, chapter XIV."""
    figures = figures_of(series_of(Ruin, total, 6_000, chips=str(chips)))
    assert figures.seats[0].low <= 100 * chips / total <= figures.seats[0].high
    throws = estimate_mean(figures.facts["throws"])
    assert throws.low <= chips * (total - chips) <= throws.high
    assert name_estimates(figures)["throws"] == throws


def test_a_search_finds_the_winning_moves() -> None:
    """Whoever leaves a multiple of four wins; from 7, the first seat does by taking three."""
    figures = figures_of(series_of(Heap, 7, 20, "search:300"))
    assert figures.seats[0].value == 100
    losing = figures_of(series_of(Heap, 8, 20, "search:300"))
    assert losing.seats[1].value == 100
    assert figures.pieces[0].piece == "3"


@pytest.mark.parametrize("size", range(1, 17))
def test_small_games_are_solved(size: int) -> None:
    """A heap of a multiple of four is lost by the seat that moves."""
    solver = Solver(Heap(deck(size)), 2_000_000)
    assert list(solver.solve(())) == ([0, 1] if size % 4 == 0 else [1, 0])


def test_chance_is_weighed_exactly() -> None:
    """Three chips of five win three times of five; what goes on after 60 throws is one game of
    thousands."""
    solver = Solver(Short(deck(5), chips=3), 100_000)
    assert solver.solve((3, 0))[0] == pytest.approx(0.6, abs=1e-3)
    with pytest.raises(TooManyStatesError):
        Solver(Short(deck(5), chips=3), 20).solve((3, 0))


def test_a_solver_looks_at_so_many_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a state with three moves, 30 allow ten."""
    asked, legal = [], Heap.legal

    def count_legal(heap: Heap, state: Any) -> Any:
        asked.append(state)
        return legal(heap, state)

    monkeypatch.setattr(Heap, "legal", count_legal)
    with pytest.raises(TooManyStatesError):
        Solver(Heap(deck(60)), 30).solve(())
    assert len(asked) == 11  # the last one is too many


def test_the_exact_bot_beats_a_search() -> None:
    figures = figures_of(series_of(Heap, 9, 40, "exact:1", "search:10"))
    assert figures.bots["exact:1"].value > 60
    alone = Series(Talavera, decks_of("talavera"), {"players": "1"}, ("exact:5",), 1, 1)
    assert find_figures(count(alone), 1, ("exact:5",)).games == 1


def test_a_search_sees_the_bait_that_greedy_takes() -> None:
    """Each card but the highest wins."""
    bait, cards = Bait(deck(9)), range(1, 10)
    assert choose_greedily(bait, (), cards, Random(1)) == 9
    assert [search(tries, bait, (), cards, Random(1)) for tries in (1, 2, 3, 20)] == [9, 8, 8, 8]


def choices_of(engine: Talavera) -> Iterator[TalaveraState]:
    """The states of a game in which a seat has a choice."""
    states = (state for state in walk(engine, 3) if engine.turn(state) >= 0)
    yield from (state for state in states if len(engine.legal(state)) > 1)


def test_one_try_chooses_greedily() -> None:
    engine = Talavera(decks_of("talavera"), players=2, placing="each")
    states = list(choices_of(engine))
    assert len(states) > 20
    for number, state in enumerate(states):
        asked = engine, state, engine.legal(state)
        greedy, once = choose_greedily(*asked, Random(number)), search(1, *asked, Random(number))
        assert once == greedy


class Sorted(Talavera):
    """Talavera whose unseen cards are dealt from one order, whatever they are."""

    def deal_unseen(self, state: TalaveraState, seat: int, rng: Random) -> TalaveraState:
        unseen = sorted(state.covered + state.stack)
        covered, stack = unseen[: len(state.covered)], unseen[len(state.covered) :]
        return super().deal_unseen(state._replace(covered=tuple(covered), stack=tuple(stack)), seat, rng)


@pytest.mark.parametrize("bot", ["search:8", "exact:8"])
def test_a_bot_does_not_see_hidden_cards(bot: str) -> None:
    """The same choice, whatever cards are covered, if it is dealt the same ones in its mind."""
    engine = Sorted(decks_of("talavera"), players=2, placing="each")
    hidden = [state for state in choices_of(engine) if state.covered and state.stack]
    assert len(hidden) == 6
    for state in hidden:
        real = [Talavera.deal_unseen(engine, state, 0, Random(seed)) for seed in range(4)]
        assert len(set(real)) > 1
        moves = engine.legal(state)
        assert len({make_bot(bot)(engine, each, moves, Random(1)) for each in real}) == 1


def test_searched_games_are_the_same_in_any_parts() -> None:
    series = Series(Talavera, decks_of("talavera"), {}, ("search:10", "greedy"), 1, 5)
    parts = Counts()
    for number in (1, 2, 3):
        parts.add(count(replace(series), Shard(number, 3)))
    assert parts == count(series)
    assert find_figures(parts, 2, series.bots).bots["search:10"].value > 60


def test_a_search_with_few_tries_is_told() -> None:
    figures = figures_of(series_of(Pick, 60, 10, "search:3", "search:70"))
    (few,) = (finding.text for finding in find_findings(figures) if "tries" in finding.text)
    assert few.startswith("search:3 makes fewer tries than a usual choice has moves, 58: ")


def test_more_tries_beat_fewer() -> None:
    figures = figures_of(series_of(Heap, 21, 60, "search:30", "random"))
    searching, guessing = figures.bots.values()
    assert searching.low > 80
    assert searching.value + guessing.value == pytest.approx(100)
    named = name_estimates(figures)
    assert (named["search:30 wins"], named["random wins"]) == (searching, guessing)
    assert "random wins" not in name_estimates(figures_of(series_of(Heap, 21, 20)))


def test_a_strong_card_and_a_dead_one_are_found() -> None:
    """Nobody takes the lowest of four cards who may take another."""
    figures = figures_of(series_of(Pick, 4, 2000, "greedy"))
    by_name = {piece.piece: piece for piece in figures.pieces}
    assert by_name["1"].picked is not None
    assert by_name["1"].picked.value == 0
    texts = [finding.text for finding in find_findings(figures)]
    assert any(text.startswith("1 is dead") for text in texts)
    assert any(text.startswith("4 is always taken") for text in texts)
    assert any(text.startswith("Seat 1 wins") for text in texts)
    by_chance = find_findings(figures_of(series_of(Pick, 4, 2000)))
    assert any(finding.text.startswith("4 is strong") for finding in by_chance)
    assert any(finding.text.startswith("1 is weak") for finding in by_chance)


def test_pieces_that_are_the_score_are_told_as_such() -> None:
    figures = find_figures(count(series_of(Pick, 4, 2000)), 2, ("random",), scores_held=True)
    texts = [finding.text for finding in find_findings(figures)]
    assert not any("strong" in text for text in texts)
    assert any("are the score" in text for text in texts)


def test_what_is_seldom_chosen_among_many_is_not_dead() -> None:
    figures = figures_of(series_of(Pick, 60, 400))
    texts = [finding.text for finding in find_findings(figures)]
    assert all(piece.picked and piece.picked.value < 5 for piece in figures.pieces)
    assert figures.pieces[0].expected == pytest.approx(100 / 59, abs=0.1)
    assert not any("dead" in text for text in texts)


def test_pieces_of_a_seat_that_wins_are_not_strong() -> None:
    figures = figures_of(series_of(Biased, 10, 400))
    assert figures.seats[0].value == 100
    by_bot = figures_of(series_of(Biased, 10, 40, "random", "search:1")).bots
    assert [bot.value for bot in by_bot.values()] == [50, 50], "each has each seat in turn"
    assert {piece.lift.value for piece in figures.pieces if piece.lift} == {0}
    assert all("Seat" in finding.text for finding in find_findings(figures))


def test_only_a_step_that_is_shown_teaches() -> None:
    """Three looks widen the interval of a lead: 60 % of 100 do not show it."""
    half = Estimate(50.0, 50.0, 50.0, "%")
    steps = [
        SkillStep(stronger, weaker, wins, find_lead(wins, half, 3))
        for stronger, weaker, wins in (
            ("greedy", "random", estimate_share(99, 100)),
            ("search:10", "greedy", estimate_share(60, 100)),
            ("search:40", "search:10", estimate_share(70, 100)),
        )
    ]
    assert list(tell_skill(steps)) == [
        "greedy beats random with 99.0 % (94.6 to 99.8) of the wins: the choices matter",
        "search:10 is left out: 60.0 % (50.2 to 69.1) shows no step up from greedy",
        "search:40 beats search:10 with 70.0 % (60.4 to 78.1) of the wins: thinking longer pays",
    ]
    *_, last = tell_skill(steps[1:2])
    assert last.startswith("no step up was shown: luck decides, or ")


def test_nothing_stands_out_where_all_is_equal() -> None:
    figures = figures_of(series_of(Ruin, 10, 2000, chips="5"))
    assert find_findings(figures) == []


def test_a_card_that_is_planted_in_talavera_is_found() -> None:
    """Five tiles of one colour overfill any order."""
    cards = list(decks_of("talavera")["cards"])
    tiles = {"yellow": 0, "red": 5, "azure": 0, "sky": 0}
    cards[4] = replace(cards[4], row={**cards[4].row, **tiles})
    figures = figures_of(Series(Talavera, {"cards": cards}, {}, ("greedy",), 1, 800))
    worst = figures.pieces[-1]
    assert worst.piece == cards[4].id
    assert worst.lift is not None
    assert worst.lift.high < -15
    rates = {piece.piece: piece.picked.value for piece in figures.pieces if piece.picked}
    assert min(rates, key=rates.__getitem__) == worst.piece


def test_the_same_counts_in_any_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    series = series_of(HigherCard, 10, 3000)
    whole = count(series)
    monkeypatch.setattr(batches, "_SECONDS_TRIED", 0.0)
    monkeypatch.setattr(batches, "_SECONDS_A_BATCH", 0.0)
    parts = Counts()
    for number in (1, 2, 3):
        parts.add(count(replace(series, games=3000), Shard(number, 3)))
    assert parts == whole
    assert whole.games == 3000
    assert count(replace(series, seed=2)) != whole


def test_the_same_counts_by_processes_one_of_which_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    series = Series(Talavera, decks_of("talavera"), {}, ("random",), 3, 1200)
    here = count(series)
    monkeypatch.setattr(batches, "_SECONDS_TRIED", 0.0)
    monkeypatch.setattr(batches, "_MOST_A_BATCH", 100)
    killed: list[int] = []

    class Watched(WorkerProcess):
        def ask(self, *request: Any) -> Any:
            self.start()
            if not killed and self.pid:
                killed.append(self.pid)
                os.kill(self.pid, signal.SIGKILL)
            return super().ask(*request)

    monkeypatch.setattr(batches, "WorkerProcess", Watched)
    assert play_series(series, WHOLE, lambda *_: None) == here
    assert killed


def test_an_interrupt_keeps_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_SECONDS_TRIED", 0.0)
    monkeypatch.setattr(batches, "_MOST_A_BATCH", 100)

    def interrupt(played: int, _: int) -> None:
        if played >= 300:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as executor:
        counts = play_series(series_of(HigherCard, 10, 5000), WHOLE, interrupt, executor)
    assert 300 <= counts.games < 5000
    assert sum(counts.winners.values()) == counts.games


def test_rules_that_fail_say_so_wherever_they_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_SECONDS_TRIED", 0.0)
    with pytest.raises(LookupError, match="no such card"):
        play_series(series_of(Broken, 10, 100), WHOLE, lambda *_: None)
    monkeypatch.setattr("generator.play.batches.LONGEST", 100)
    with pytest.raises(EndlessGameError, match="a game goes on after 100 moves"):
        count(series_of(Endless, 10, 1))


@given(st.integers(1, 500), st.integers(1, 40))
def test_shards_are_all_games_once(games: int, total: int) -> None:
    played = [game for n in range(total) for game in Shard(n + 1, total).span(games)]
    assert played == list(range(games))


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/0", "1/3/4", "-1/3", "１/3", "1 /3"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a part"):
        Shard.parse(text)


def test_differences_by_newcombe() -> None:
    """Newcombe (1998), Interval estimation for the difference between independent proportions,
    table II, method 10: 56/70 - 48/80 and 9/10 - 3/10."""
    published = {((56, 70), (48, 80)): (0.0524, 0.3339), ((9, 10), (3, 10)): (0.1705, 0.8090)}
    for (new, old), interval in published.items():
        (change,) = compare({"a": estimate_share(*old)}, {"a": estimate_share(*new)})
        found = change.difference.low / 100, change.difference.high / 100
        assert found == pytest.approx(interval, abs=5e-5)
        assert change.is_certain
    same = Estimate(50.0, 49.0, 51.0)
    assert not compare({"a": same}, {"a": same})[0].is_certain


def parts_of(series: Series) -> dict[str, Record]:
    shards = [Shard(number, 3) for number in (1, 2, 3)]
    return {
        f"part-{shard.number}.json": record_of("higher", series, 2, shard, count(series, shard)) for shard in shards
    }


def test_parts_add_up_to_the_whole() -> None:
    series = series_of(HigherCard, 10, 600)
    written = {name: write_record(record) for name, record in parts_of(series).items()}
    read = [(name, read_record(text, Place(name))) for name, text in written.items()]
    merged = merge_records(read)
    assert merged.counts == count(series)
    assert [str(shard) for shard in merged.shards] == ["1/3", "2/3", "3/3"]


def test_parts_of_another_playtest_are_refused() -> None:
    parts = parts_of(series_of(HigherCard, 10, 60))
    parts["again.json"] = parts["part-2.json"]
    parts["other.json"] = parts_of(series_of(HigherCard, 10, 60, seed=2))["part-1.json"]
    parts["half.json"] = replace(parts["part-1.json"], shards=(Shard(1, 2),))
    with pytest.raises(PnpError) as caught:
        merge_records(list(parts.items()))
    assert [str(problem) for problem in caught.value.problems] == [
        "error: again.json: it repeats the part 2/3",
        "error: other.json: it is of another playtest: seed '2', not '1'",
        "error: half.json: its parts are of another size: 1/2",
    ]


@pytest.mark.parametrize(
    "change",
    [
        ('"form": "pnp playtest 1"', '"form": "pnp playtest 2"'),
        ('"seats": 2', '"seats": "2"'),
        ('"seats": 2', '"seats": 1000000000'),
        ('"1/3"', '"1/x"'),
        ('"games": 60', '"games": -1'),
        ('"games": 20', '"games": -1'),
        ("{", "["),
        ('"winners"', '"losers"'),
    ],
)
def test_what_is_no_part_is_refused(change: tuple[str, str]) -> None:
    part = write_record(parts_of(series_of(HigherCard, 10, 60))["part-1.json"])
    text = part.replace(*change, 1)
    assert text != part
    with pytest.raises(PnpError, match="it is not the part of a playtest"):
        read_record(text, Place("part.json"))


@pytest.mark.parametrize(
    ("tally", "row"),
    [
        ("winners", [2, 20]),
        ("winners", [0, 10**15]),
        ("bots", [0, 20]),
        ("scores", [0, 2**63, 20]),
        ("held", ["3", -1, 1, 2]),
        ("offered", ["3", 0, 20]),
        ("moves", ["3", 20]),
        ("moves", [20]),
        ("facts", [7, 1, 20]),
    ],
)
def test_a_part_with_counts_of_another_kind_is_refused(tally: str, row: list[str | int]) -> None:
    part = json.loads(write_record(parts_of(series_of(HigherCard, 10, 60))["part-1.json"]))
    assert read_record(json.dumps(part), Place("part.json"))
    part["counts"][tally] = [row]
    with pytest.raises(PnpError, match="it is not the part of a playtest"):
        read_record(json.dumps(part), Place("part.json"))


def test_bots_are_as_many_as_seats() -> None:
    with pytest.raises(PnpError, match="there are 3 bots for 2 seats"):
        count(series_of(HigherCard, 10, 10, "random", "random", "random"))
    with pytest.raises(PnpError, match="there is no such bot"):
        count(series_of(HigherCard, 10, 10, "gready"))
    with pytest.raises(PnpError, match="a search cannot make '0' tries"):
        count(series_of(HigherCard, 10, 10, "search:0"))
