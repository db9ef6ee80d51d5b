"""Chances of drawing: published values, and every hand of small decks listed."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.errors import MisfitError
from generator.play.odds.answers import Chance, HandPart, find_members
from generator.play.odds.hands import Membership, Pool, StepCount, TooManyStepsError, count_hands, draw_hands
from generator.play.odds.questions import CountRange, DrawQuestion, read_wanted
from generator.play.odds.wanted import Redraws, find_chance, list_chances
from tests.play.odds.decks import deck_of, lands, poker

RANGES = st.tuples(st.integers(0, 3), st.none() | st.integers(0, 3)).map(
    lambda ends: CountRange(ends[0], None if ends[1] is None else ends[0] + ends[1])
)


@pytest.mark.parametrize(
    ("number", "share"),  # of 24 lands among 60 cards, 7 drawn; published for Magic: The Gathering
    [(0, 0.0216), (1, 0.1210), (2, 0.2694), (3, 0.3087), (4, 0.1964), (5, 0.0693), (6, 0.0125)],
)
def test_an_opening_hand_of_magic_has_the_published_lands(number: int, share: float) -> None:
    answer = DrawQuestion(draw=7, want=(read_wanted("2-4 of kind == 'land'"),)).answer(lands())
    chance = answer.rows[number].chance
    assert chance is not None
    assert chance.share == pytest.approx(share, abs=0.00005)
    assert not answer.samples


@pytest.mark.parametrize(
    ("want", "draw", "hands"),  # of 2,598,960 hands of poker
    [
        ("5 of suit == 'hearts'", 5, 1287),
        ("4 of rank == 14", 5, 48),
        ("1+ of rank == 14", 5, 886_656),
        ("5 of rank >= 10 and suit == 'hearts'", 5, 1),
        ("2+ of rank == 14", 2, 6),
    ],
)
def test_hands_of_poker_are_counted(want: str, draw: int, hands: int) -> None:
    wanted = read_wanted(want)
    pools = find_members([HandPart(poker(), draw)], [wanted])
    chance, samples = find_chance(pools, [wanted.range])
    assert (chance.ways, chance.of, samples) == (hands, comb(52, draw), 0)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=9), st.integers(0, 9), RANGES, RANGES)
def test_two_wishes_at_once_are_as_frequent_as_in_a_list_of_all_hands(
    cards: list[Membership], draw: int, one: CountRange, other: CountRange
) -> None:
    draw = min(draw, len(cards))
    deck: dict[Membership, int] = {kinds: cards.count(kinds) for kinds in cards}
    listed = sum(
        one.holds(sum(card[0] for card in hand)) and other.holds(sum(card[1] for card in hand))
        for hand in combinations(cards, draw)
    )
    assert count_hands(Pool(deck, draw), [one, other])[draw] == listed


def test_a_mulligan_is_another_hand() -> None:
    wanted = read_wanted("2+ of kind == 'land'")
    pools = find_members([HandPart(lands(), 7)], [wanted])
    chances = [chance.share for chance in list_chances(pools[0], 7, [wanted.range])]
    again, _ = find_chance(pools, [wanted.range], Redraws(1))
    smaller, _ = find_chance(pools, [wanted.range], Redraws(1, 1))
    said = DrawQuestion(draw=7, want=(wanted,), mulligans=2, fewer=1).answer(lands()).said
    assert said[0].endswith("; a hand that fails is drawn anew up to 2 times, smaller by 1.")
    assert again.share == pytest.approx(1 - (1 - chances[7]) ** 2)
    assert smaller.share == pytest.approx(1 - (1 - chances[7]) * (1 - chances[6]))


@pytest.mark.usefixtures("few_steps")
def test_what_is_too_much_to_count_is_sampled_and_the_interval_holds_the_truth() -> None:
    with pytest.raises(TooManyStepsError):
        StepCount(10).take(11)
    deck: dict[Membership, int] = {tuple(bool(number >> bit & 1) for bit in range(6)): 40 for number in range(64)}
    ranges = [CountRange(20, 40), *[CountRange(0)] * 5]
    chance, samples = find_chance([Pool(deck, 60)], [CountRange(30, 60), *[CountRange(25, 60)] * 5])
    assert samples >= 1000
    assert chance.ways is None
    assert chance.low < chance.share < chance.high
    one, samples = find_chance([Pool(deck, 60)], ranges)
    if samples:
        truth = sum(comb(1280, n) * comb(1280, 60 - n) for n in range(20, 41)) / comb(2560, 60)
        assert one.low <= truth <= one.high


def test_random_hands_are_fair_and_always_the_same() -> None:
    hands = list(draw_hands([2, 3, 5], 4, 5000))
    assert hands == list(draw_hands([2, 3, 5], 4, 5000))
    assert hands != list(draw_hands([2, 3, 5], 4, 5000, seed=1))
    for kind, copies in enumerate([2, 3, 5]):
        assert max(hand.count(kind) for hand in hands) <= copies
        mean = sum(hand.count(kind) for hand in hands) / len(hands)
        assert mean == pytest.approx(4 * copies / 10, abs=0.05)


@pytest.mark.parametrize("text", ["", "of cost", "two of cost", "3-1 of cost", "1 cost", "1+ of (", 7])
def test_a_wish_that_nobody_can_read_is_refused(text: object) -> None:
    with pytest.raises(MisfitError):
        read_wanted(text)


def test_more_cards_than_the_deck_has_are_refused() -> None:
    question = DrawQuestion(draw=3, want=(read_wanted("1 of kind == 'land'"),))
    with pytest.raises(MisfitError, match="3 cards are drawn from 2 cards"):
        question.answer(deck_of([{"kind": "land", "count": 2}]))


def test_a_small_chance_is_told_as_one_in_so_many() -> None:
    assert str(Chance(4 / 2_598_960, 0, 0, 4, 2_598_960)) == "0.00015 % (1 in 649,740)"
    assert str(Chance(0.5, 0.49, 0.51)) == "50.0 % (49.0 to 51.0 %)"
    assert Fraction(1, 2) == 0.5
