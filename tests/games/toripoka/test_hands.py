"""The values of hands: all of the deck against a second way, and the pictures of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from random import Random

import pytest

from generator.games.toripoka.checks import CLASSES, classify
from generator.games.toripoka.table import HandValues, PokerCard, class_of, describe_hand, fit_of, ranks_of
from tests.games.toripoka.ranking import BEST_FIRST, PlainCard, Ranks, rate, rate_pool
from tests.games.toripoka.test_checks import DECK, PICTURES, READINGS

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
PLAIN = [(RANKS.index(name[:-1]) + 1, name.endswith("s")) for name in DECK]
CARDS = [PokerCard(rank, tuple(range(1, rank + 1)) if wild else ()) for rank, wild in PLAIN]
VALUES = HandValues(CARDS)


def value(cards: Sequence[int], pips: Sequence[int] = (0,) * 5, values: HandValues = VALUES) -> int:
    return values.best([values.keys_of[card][by] for card, by in zip(cards, pips, strict=False)])


def plain(cards: Sequence[int], pips: Sequence[int] = (0,) * 5) -> list[PlainCard]:
    return [(*PLAIN[card], by) for card, by in zip(cards, pips, strict=False)]


def told(value: int) -> tuple[int, Ranks, int]:
    """A value in the words of the second way."""
    first, second, third = ranks_of(value)
    return -BEST_FIRST.index(class_of(value)), (first, second, third), -fit_of(value)


def named(cards: str) -> list[int]:
    return [DECK.index(card) for card in cards.split()]


def test_all_hands_are_valued_and_ordered_as_another_way_does() -> None:
    hands = sorted(combinations(range(len(DECK)), 3), key=value)
    assert len(hands) == 680
    rated = [rate(plain(hand)) for hand in hands]
    assert [told(value(hand)) for hand in hands] == rated == sorted(rated)
    for at, (one, other) in enumerate(pairwise(hands)):
        assert (value(one) == value(other)) == (rated[at] == rated[at + 1]), (one, other)


def test_all_hands_are_valued_as_the_check_of_the_reference_cards_does() -> None:
    for hand in combinations(range(len(DECK)), 3):
        names = [DECK[card] for card in hand]
        other = classify(names)
        assert (class_of(value(hand)), fit_of(value(hand))) == (other.rank, other.gap), names
        assert tuple(ranks_of(value(hand))) == other.strength[1:4], names


@pytest.mark.parametrize("size", [4, 5])
def test_the_best_three_of_more_cards(size: int) -> None:
    """All sets of the deck, by their hands."""
    hands = {hand: value(hand) for hand in combinations(range(len(DECK)), 3)}
    pools = list(combinations(range(len(DECK)), size))
    assert len(pools) == {4: 2380, 5: 6188}[size]
    for pool in pools:
        assert value(pool) == max(hands[hand] for hand in combinations(pool, 3))


def test_hands_with_pyramids_are_valued_as_another_way_values_them() -> None:
    rng = Random(1)
    for _ in range(400):
        hand = rng.sample(range(len(DECK)), 3)
        pips = rng.choices(range(4), k=3)
        assert told(value(hand, pips)) == rate(plain(hand, pips)), (hand, pips)
    for _ in range(40):
        pool, pips = rng.sample(range(len(DECK)), 4), rng.choices(range(4), k=4)
        assert told(value(pool, pips)) == rate_pool(plain(pool, pips)), (pool, pips)


@pytest.mark.parametrize("rank", PICTURES)
def test_picture_is_of_its_class(rank: str) -> None:
    assert class_of(value(named(PICTURES[rank]))) == rank


@pytest.mark.parametrize("name", READINGS)
def test_reading(name: str) -> None:
    cards, rank, _, gap = READINGS[name]
    assert (class_of(value(named(cards))), fit_of(value(named(cards)))) == (rank, gap)


# Cards, the pips on them, and the hand as players say it.
MOVED = {
    "the example of the rulebook": ("5h 4h 7h", (0, 2, 0), "Straight (no wilds) 7 6 5"),
    "the Ace moves up": ("Ah 4h 5h", (2, 0, 0), "Straight (no wilds) 5 4 3"),
    "the Ace moves down": ("Ah Jh Qh", (1, 0, 0), "Straight (no wilds) K Q J"),
    "nothing moves beyond the King": ("Kh Qh Jh", (3, 0, 0), "Straight (no wilds) K Q J"),
    "no pyramid makes a high Ace": ("Kh Qh 10h", (0, 3, 0), "Two of a kind K K 10"),
    "nothing moves below the low Ace": ("2h 4h 8h", (3, 0, 0), "Two of a kind 4 4 8"),
    "a wild is not moved": ("7s 8h 10h", (3, 0, 0), "Sum 10 8 2, fit 5"),
    "hearts make a pair": ("5h 7h Jh", (2, 0, 0), "Two of a kind 7 7 J"),
    "no card is moved without": ("5h 7h Jh", (0, 0, 0), "High card J 7 5"),
}


@pytest.mark.parametrize("name", MOVED)
def test_pyramids_move_cards(name: str) -> None:
    cards, pips, hand = MOVED[name]
    assert describe_hand(value(named(cards), pips)) == hand


@pytest.mark.parametrize("wilds", [True, False])
def test_wilds_in_sums_are_an_option(wilds: bool) -> None:
    values = HandValues(CARDS, wild_sums=wilds)
    for hand in combinations(range(len(DECK)), 3):
        other = classify([DECK[card] for card in hand], wild_sums=wilds)
        assert class_of(value(hand, values=values)) == other.rank
    assert class_of(value(named("9h Qh 4s"), values=values)) == CLASSES[1 if wilds else 0]


def test_beyond_the_king_is_an_option() -> None:
    values = HandValues(CARDS, past_king=True)
    cards = named("2h Kh 9h")
    assert describe_hand(value(cards, (0, 1, 0), values)) == "High card A 9 2"
    assert describe_hand(value(cards, (0, 1, 0))) == "High card K 9 2"
