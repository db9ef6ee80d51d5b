"""The census of hands: the published counts of poker, and every hand of small decks listed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from statistics import pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.errors import Place, PnpError
from generator.play.odds import hands
from generator.play.odds.answers import HandPart, OddsAnswer
from generator.play.odds.census import answer_classes, answer_patterns, answer_sums
from generator.play.odds.hands import (
    Number,
    Pool,
    TooManyStepsError,
    count_classes,
    count_patterns,
    count_sums,
    pattern_of,
)
from generator.play.odds.questions import parse_question
from tests.play.odds.decks import deck_of, poker

DECKS = st.lists(st.integers(-3, 6), min_size=1, max_size=9)


def ways(answer: OddsAnswer) -> dict[str, int | None]:
    return {row.label: row.chance.ways for row in answer.rows if row.chance}


def test_poker_has_its_published_hands() -> None:
    """The classes that ranks alone make, of 2,598,960 hands; straights and flushes are among those
    with five different ranks."""
    assert ways(answer_patterns([HandPart(poker(), 5)], "rank")) == {
        "4-1": 624,
        "3-2": 3744,
        "3-1-1": 54_912,
        "2-2-1": 123_552,
        "2-1-1-1": 1_098_240,
        "1-1-1-1-1": 1_302_540 + 10_200 + 5108 + 40,
    }
    assert ways(answer_patterns([HandPart(poker(), 5)], "suit"))["5"] == 5108 + 40


def test_classes_of_few_cards_are_exact_and_those_of_many_are_sampled() -> None:
    """Three cards of poker: straight flush 48, three of a kind 52, straight 720, flush 1096, pair
    3744, of 22,100. An ace is high here only: 44, 660 and 1100."""
    classes = {
        "straight flush": "suit.kinds == 1 and rank.kinds == 3 and rank.max - rank.min == 2",
        "three of a kind": "rank.most == 3",
        "straight": "rank.kinds == 3 and rank.max - rank.min == 2",
        "flush": "suit.kinds == 1",
        "pair": "rank.most == 2",
    }
    answer = answer_classes([HandPart(poker(), 3)], classes)
    assert ways(answer) == {
        "straight flush": 44,
        "three of a kind": 52,
        "straight": 660,
        "flush": 1100,
        "pair": 3744,
        "none of these": 22_100 - 44 - 52 - 660 - 1100 - 3744,
    }
    pair = "rank.most == 2 and rank.kinds == 4"
    assert ways(answer_classes([HandPart(poker(), 5)], {"pair": pair}))["pair"] == 1_098_240
    five = answer_classes([HandPart(poker(), 5)], {"pair": f"{pair} and suit.kinds > 0"})
    assert five.samples  # the suits make 2,598,960 different hands
    chance = five.rows[0].chance
    assert chance is not None
    assert chance.low <= 1_098_240 / 2_598_960 <= chance.high


@given(DECKS, st.integers(0, 9))
def test_sums_are_those_of_all_hands(cards: list[int], draw: int) -> None:
    draw = min(draw, len(cards))
    listed = Counter(sum(hand) for hand in combinations(cards, draw))
    assert count_sums([Pool(Counter(cards), draw)]) == listed


@given(DECKS, st.integers(0, 9))
def test_patterns_and_classes_are_those_of_all_hands(cards: list[int], draw: int) -> None:
    draw = min(draw, len(cards))
    listed = Counter(map(pattern_of, combinations(cards, draw)))
    copies = Counter(cards)
    assert count_patterns([Pool(copies, draw)]) == listed
    deck = {(card,): number for card, number in copies.items()}
    classes = count_classes([Pool(deck, draw)], lambda hand: sum(card for (card,) in hand))
    assert classes == Counter(sum(hand) for hand in combinations(cards, draw))


def test_mean_and_deviation_are_those_of_all_hands() -> None:
    costs = [0, 1, 1, 2, 5, 7]
    answer = answer_sums([HandPart(deck_of([{"cost": str(cost)} for cost in costs]), 3)], "cost")
    sums = [sum(hand) for hand in combinations(costs, 3)]
    assert f"{sum(sums) / len(sums):g} on average" in answer.said[0]
    assert f"standard deviation {pstdev(sums):.2f}" in answer.said[0]
    assert pstdev(sums) < sqrt(3) * pstdev(costs)


@pytest.mark.usefixtures("few_steps")
def test_a_column_of_many_numbers_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "SAMPLES", 2_000)
    rows = [{"worth": str(number * number + 0.5)} for number in range(300)]
    answer = answer_sums([HandPart(deck_of(rows), 12)], "worth")
    assert answer.samples
    assert answer == answer_sums([HandPart(deck_of(rows), 12)], "worth")


def test_sums_of_many_numbers_are_never_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether whole or with six places: the steps are counted before the first."""
    thirds: dict[Number, int] = {Fraction(value, 3): 1 for value in range(6)}
    assert count_sums([Pool(thirds, 2)]) == Counter(sum(hand) for hand in combinations(thirds, 2))
    monkeypatch.setattr(hands, "comb", None)
    for parts in (1, 10**6):
        deck: dict[Number, int] = {Fraction(7**number % 999_999_937, parts): 1 for number in range(1000)}
        with pytest.raises(TooManyStepsError):
            count_sums([Pool(deck, 60)])


def test_a_deck_of_many_kinds_is_never_listed() -> None:
    deck = {(number,): 1 for number in range(20_000)}
    assert len(count_classes([Pool(deck, 1)], lambda hand: hand[0][0] % 3)) == 3
    with pytest.raises(TooManyStepsError):
        count_classes([Pool(deck, 4)], len)
    assert comb(20_000, 2) > 60_000


@pytest.mark.parametrize("classes", [{"x": "rank == 1"}, {"x": "rank.median == 1"}, {"x": "1 +"}])
def test_a_class_reads_facts_of_a_hand_only(classes: dict[str, str]) -> None:
    with pytest.raises(PnpError):
        parse_question({"kind": "hand", "draw": 2, "classes": classes}, Place("here"))


@pytest.mark.parametrize("keys", [{}, {"sum": "cost", "by": "suit"}])
def test_a_census_counts_one_thing(keys: dict[str, str]) -> None:
    with pytest.raises(PnpError, match="one of sum, by and classes"):
        parse_question({"kind": "hand", "draw": 2, **keys}, Place("here"))
