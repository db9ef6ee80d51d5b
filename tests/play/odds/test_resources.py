"""Cards that give something each turn: every order of small decks, and every way to lay them."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.errors import MisfitError
from generator.play.odds.questions import ResourcesQuestion
from generator.play.odds.wanted import GiverDeck, Tempo, count_powers, sample_powers
from tests.play.odds.decks import deck_of


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6), st.integers(0, 2), st.integers(0, 2), st.booleans())
def test_each_turn_pays_the_most_of_all_ways_to_lay(given: list[int], hand: int, lays: int, draws_first: bool) -> None:
    """In every order of the deck, all choices of cards to lay are tried."""
    tempo = Tempo(hand, 1, 0, 1, draws_first)
    kinds = [number for number in (2, 1) if number in given]
    copies = [given.count(number) for number in kinds]
    deck = GiverDeck(kinds, copies, given.count(0), lays)
    orders = list(permutations(given))
    for turn, powers in enumerate(count_powers(deck, tempo, 3), 1):
        best = Counter(_pay_most(order, tempo, lays, turn) for order in orders)
        ways = sum(powers.values())
        assert {power: n * factorial(len(given)) for power, n in powers.items()} == {
            power: n * ways for power, n in best.items()
        }


def _pay_most(order: tuple[int, ...], tempo: Tempo, lays: int, turn: int) -> int:
    """The most that any cards laid by a turn pay in it."""
    most, states = 0, {(frozenset[int](), 0)}
    for now in range(1, turn + 1):
        seen = range(min(len(order), tempo.seen(now)))
        for _ in range(lays):
            states |= {
                (laid | {card}, total + order[card])
                for laid, total in states
                for card in seen
                if card not in laid and order[card]
            }
        most = max(total for _, total in states)
    return most + int(tempo.pays(turn))


def test_random_hands_agree_with_the_exact_count() -> None:
    deck = GiverDeck([3, 2, 1], [2, 4, 8], 26, 1)
    tempo = Tempo(5, 1, 0, 0)
    sampled, samples = sample_powers(deck, tempo, 4)
    for random, exact in zip(sampled, count_powers(deck, tempo, 4), strict=True):
        assert sum(random.values()) == samples
        for power in (1, 3, 5):
            share = sum(n for chance, n in random.items() if chance >= power) / samples
            true = sum(n for chance, n in exact.items() if chance >= power) / sum(exact.values())
            assert share == pytest.approx(true, abs=0.015)


def test_lands_pay_for_spells() -> None:
    """24 lands of 60 cards, seven in the first hand, none drawn in turn 1: 1 - C(36,7) / C(60,7)
    of the hands have a land."""
    rows: list[dict[str, str | int]] = [
        {"kind": "land", "cost": "", "count": 24},
        {"kind": "spell", "cost": "1", "count": 16},
        {"kind": "spell", "cost": "3", "count": 12},
        {"kind": "spell", "cost": "9", "count": 8},
    ]
    asked = ResourcesQuestion(cost="cost", gives="kind == 'land'", hand=7, draws_first=False)
    answer = asked.answer(deck_of(rows))
    assert answer.samples == 0
    assert answer.said[0] == "24 of 60 cards give something each turn."
    row, three, nine = answer.rows
    assert row.chance is not None
    assert row.chance.share == pytest.approx(0.97838, abs=1e-5)
    assert row.note == "turn 1; 9 of 10 hands by turn 1"
    assert three.note.startswith("turn 3; 9 of 10 hands by turn ")
    assert (nine.chance, nine.note) == (None, "not in the first 8 turns")
    assert [curve.label for curve in answer.curves] == ["cost 1", "cost 3", "cost 9"]


@pytest.mark.usefixtures("few_steps")
def test_many_kinds_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.play.odds.hands.SAMPLES", 2_000)
    rows = [{"gives": str(n), "cost": "0"} for n in range(1, 40)]
    rows += [{"gives": "0", "cost": "20", "count": "20"}]
    answer = ResourcesQuestion(cost="cost", gives="gives", hand=7).answer(deck_of(rows))
    assert answer.samples
    assert answer.rows[0].chance is not None
    assert answer.rows[0].chance.low < answer.rows[0].chance.high


@pytest.mark.parametrize(
    ("gives", "cost", "why"),
    [
        ("-1", "1", "'gives' is −1 for '1'"),
        ("1", "1", "no card has a cost"),
        ("", "1", "'gives' is '' for '1', not a number"),
        ("0", "x", "'cost' is 'x' for '1', not a number"),
    ],
)
def test_a_table_that_does_not_fit_is_told(gives: str, cost: str, why: str) -> None:
    with pytest.raises(MisfitError, match=why):
        ResourcesQuestion(cost="cost", gives="gives", hand=1).answer(deck_of([{"gives": gives, "cost": cost}]))
