"""Curves, comparisons and goldfish: small decks that a person can count."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.errors import MisfitError
from generator.play.odds.census import PricedCard, find_dominated, find_twins, fit_line
from generator.play.odds.questions import CompareQuestion, CurveQuestion, DeckQuestion, GoldfishQuestion
from tests.play.odds.decks import deck_of

HEROES = deck_of(
    [
        {"id": "ant", "cost": "1", "attack": "1"},
        {"id": "bee", "cost": "1", "attack": "2"},
        {"id": "cat", "cost": "2", "attack": "2"},
        {"id": "dog", "cost": "2", "attack": "2", "count": 2},
        {"id": "elk", "cost": "3", "attack": "5"},
    ]
)
NUMBERS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8)


def test_a_card_that_costs_more_and_does_no_more_is_beaten() -> None:
    answer = CompareQuestion(better={"attack": "more", "cost": "less"}).answer(HEROES)
    assert [(row.label, row.note) for row in answer.rows] == [
        ("ant", "beaten by bee"),
        ("cat", "beaten by bee"),
        ("dog", "beaten by bee"),
        ("cat", "the same as dog"),
    ]
    assert answer.said[0].startswith("3 of 5 cards are beaten")


@given(NUMBERS)
def test_dominance_is_that_of_its_definition(offers: list[tuple[int, int]]) -> None:
    ids = [str(number) for number in range(len(offers))]
    beaten = {
        (ids[a], ids[b])
        for a, b in permutations(range(len(offers)), 2)
        if offers[b] != offers[a] and all(y >= x for x, y in zip(offers[a], offers[b], strict=True))
    }
    assert {(id_, by) for id_, several in find_dominated(ids, offers) for by in several} == beaten
    alike = sum(offers.count(offer) > 1 for offer in offers)
    assert sum(map(len, find_twins(ids, offers))) == alike


def test_the_line_is_that_of_numpy() -> None:
    cards = [PricedCard("x", 1, 2, 1), PricedCard("y", 2, 3, 2), PricedCard("z", 4, 9, 1)]
    line = fit_line(cards)
    assert line is not None
    slope, base = np.polyfit([1, 2, 2, 4], [2, 3, 3, 9], 1)
    assert [float(line.slope), float(line.base)] == pytest.approx([slope, base])
    assert fit_line([PricedCard("x", 2, 1, 1), PricedCard("y", 2, 5, 1)]) is None


def test_a_curve_names_the_cards_farthest_from_its_line() -> None:
    answer = CurveQuestion(cost="cost", worth="attack").answer(HEROES)
    assert answer.said[1] == "Farthest above it: bee (+0.94), elk (+0.88)."
    assert [row.label for row in answer.rows] == ["1", "2", "3"]
    assert answer.rows[1].note == "3 cards, 2 on average"
    (cloud, line) = answer.curves
    assert (len(cloud.points), cloud.has_line, line.has_line) == (4, False, True)


def test_cards_of_one_cost_have_no_line() -> None:
    rows = deck_of([{"cost": "2", "attack": "1"}, {"cost": "2", "attack": "4"}])
    answer = CurveQuestion(cost="cost", worth="attack").answer(rows)
    assert answer.said == ("All cards cost the same.",)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=6), st.integers(0, 2), st.integers(0, 2))
def test_the_goldfish_plays_as_in_every_order_of_the_deck(costs: list[int], hand: int, income: int) -> None:
    hand = min(hand, len(costs))
    asked = GoldfishQuestion(cost="cost", hand=hand, income=income, turns=3)
    answer = asked.answer(deck_of([{"cost": str(cost)} for cost in costs]))
    orders = list(permutations(costs))
    for turn, row in enumerate(answer.rows, 1):
        played = sum(
            any(cost <= income + now - 1 for now in range(1, turn + 1) for cost in order[: hand + now])
            for order in orders
        )
        assert row.chance
        assert row.chance.ways is not None
        assert row.chance.of is not None
        assert Fraction(row.chance.ways, row.chance.of) == Fraction(played, len(orders))


def test_a_goldfish_tells_each_turn() -> None:
    answer = GoldfishQuestion(cost="cost", hand=1, turns=3, draws_first=False).answer(HEROES)
    shares = [row.chance.share for row in answer.rows if row.chance]
    assert shares[0] == pytest.approx(2 / 6)
    assert shares[1] == pytest.approx(1 - 0 / len(list(combinations(range(6), 2))))
    assert answer.rows[0].note == "0.33 of 1, with 1 to pay"


def test_a_deck_is_counted_by_any_expression() -> None:
    answer = DeckQuestion(by="attack > 1").answer(HEROES)
    assert [(row.label, row.note) for row in answer.rows] == [("no", "1 of 6"), ("yes", "5 of 6")]
    costs = DeckQuestion(by="cost").answer(HEROES)
    assert costs.said == ("11 in all, 1.83 a card.",)


def test_a_price_may_end_in_a_nought() -> None:
    rows = deck_of([{"cost": "1.50"}, {"cost": "-0.5"}, {"cost": "1"}])
    answer = GoldfishQuestion(cost="cost", hand=1, draw=0, turns=1).answer(rows)
    assert [row.chance.ways for row in answer.rows if row.chance] == [2]


def test_a_comparison_and_a_plot_have_limits() -> None:
    many = deck_of([{"cost": str(number), "attack": str(number % 7)} for number in range(4001)])
    with pytest.raises(MisfitError, match="4,001 cards are compared"):
        CompareQuestion(better={"cost": "less"}).answer(many)
    (line,) = CurveQuestion(cost="cost", worth="attack").answer(many).curves
    assert line.has_line


def test_a_word_among_numbers_is_named() -> None:
    rows = deck_of([{"id": "ant", "cost": "1"}, {"id": "bee", "cost": "X"}])
    with pytest.raises(MisfitError, match="'X' for 'bee', not a number"):
        GoldfishQuestion(cost="cost", hand=1).answer(rows)
    with pytest.raises(MisfitError, match="there is no column 'cots'"):
        DeckQuestion(by="cots").answer(rows)
