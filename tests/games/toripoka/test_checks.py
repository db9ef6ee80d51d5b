"""The rules' pictures are classed as they are titled; the deck is sound; each fault is named."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from generator import pipeline
from generator.basics.errors import MisfitError
from generator.games.toripoka.checks import CLASSES, SUITS, Hand, PyramidSet, ToripokaDeck, classify
from generator.pipeline.game import CHECKS
from tests.games.conftest import Edit, Planted, assert_named, copied

TABLE = "toripoka/cards.csv"
RULE = ToripokaDeck()
DECK = [f"{rank}{suit[0]}" for suit, ranks in SUITS.items() for rank in ranks]
HANDS = {hand: classify(hand) for hand in combinations(DECK, 3)}

# The pictures of the rules, the highest class first.
PICTURES = {
    "Mini Royal (no wilds)": "Qh Kh Ah",
    "Straight (no wilds)": "2h 3h 4h",
    "Mini Royal (with wilds)": "Ks Kh Ah",
    "Three of a kind": "6h 7s 10s",
    "Straight (with wilds)": "2h 3h 4s",
    "Multiplication": "2h 3h 6h",
    "Sum": "2h 3h 5h",
    "High card": "2h 3h Jh",
}


@pytest.mark.parametrize("rank", PICTURES)
def test_picture_is_of_its_class(rank: str) -> None:
    assert classify(PICTURES[rank].split()).rank == rank


def test_picture_of_a_pair() -> None:
    """It shows two cards, the 6 and the wild 10: no third makes them less, some do not help."""
    hands = [classify(["6h", "10s", third]) for third in DECK if third not in ("6h", "10s")]
    ranks = {hand.rank for hand in hands}
    assert min(ranks, key=CLASSES.index) == "Two of a kind"


def test_classes_are_ranked_as_described() -> None:
    """ "Game-play", the list of possible hands."""
    hands = [classify(cards.split()) for cards in PICTURES.values()]
    hands.insert(5, classify(["6h", "10s", "Jh"]))
    assert hands == sorted(hands, reverse=True)
    assert [hand.rank for hand in hands] == list(reversed(CLASSES))


def test_fits_of_the_picture() -> None:
    """ "Hand fitting": the same straight three times, exact, tight and loose."""
    exact, tight, loose = (classify(c.split()) for c in ("2h 3h 4h", "2h 4s 4h", "2h 10s 4h"))
    assert exact > tight > loose
    assert [exact.gap, tight.gap, loose.gap] == [0, 1, 7]
    assert (exact.wilds, tight.wilds, loose.wilds) == ({}, {"4s": 3}, {"10s": 3})


# Cards, class, what the wilds stand for, gap.
READINGS: dict[str, tuple[str, str, dict[str, int], int]] = {
    "the Ace is low": ("Ah 2h 3h", "Straight (no wilds)", {}, 0),
    "a straight does not go round": ("Kh Ah 2h", "High card", {}, 0),
    "the highest straight": ("Jh Qh Kh", "Straight (no wilds)", {}, 0),
    "a wild is no high Ace": ("Qh Kh Ks", "Straight (with wilds)", {"Ks": 11}, 2),
    "a wild at its own rank is a wild": ("2h 3h 4s", "Straight (with wilds)", {"4s": 4}, 0),
    "the higher straight": ("5h 6h 7s", "Straight (with wilds)", {"7s": 7}, 0),
    "a wild beside the Ace": ("Ah 4s 9h", "Two of a kind", {"4s": 1}, 3),
    "the higher pair": ("5h 9h 10s", "Two of a kind", {"10s": 9}, 1),
    "three wilds": ("4s 7s 10s", "Three of a kind", {"4s": 4, "7s": 4, "10s": 4}, 9),
    "a court by numbers": ("2h 6h Qh", "Multiplication", {}, 0),
    "a court summed": ("5h 6h Jh", "Sum", {}, 0),
    "the Ace is 1 in a sum": ("Ah 7h 8h", "Sum", {}, 0),
    "a high Ace is no number": ("5h 9h Ah", "High card", {}, 0),
    "a high Ace is no product": ("2h 7h Ah", "High card", {}, 0),
    "a wild in a sum": ("9h Qh 4s", "Sum", {"4s": 3}, 1),
    "a product before a sum": ("5h 10h 4s", "Multiplication", {"4s": 2}, 2),
    "a wild in a high card": ("5h Qh 4s", "High card", {"4s": 4}, 0),
}


@pytest.mark.parametrize("name", READINGS)
def test_reading(name: str) -> None:
    cards, rank, wilds, gap = READINGS[name]
    hand = classify(cards.split())
    assert (hand.rank, hand.wilds, hand.gap) == (rank, wilds, gap)


def test_order_within_a_class() -> None:
    def hand(cards: str) -> Hand:
        return classify(cards.split())

    assert hand("3h 4h 5h") > hand("2h 3h 4h")
    assert hand("6h 7s 9h") > hand("5h 7s Kh")  # the pair before the third card
    assert hand("6h 7s Jh") > hand("6h 7s 9h")
    assert hand("Ah 3h 7h") > hand("Kh 4h 7h")  # the Ace is high
    assert hand("6h 7s Jh") > hand("6h 10s Jh")  # the tighter fit


def test_order_of_cards_does_not_matter() -> None:
    assert all(classify(hand[::-1]) == worth for hand, worth in HANDS.items())


def test_deck_makes_every_class() -> None:
    assert len(HANDS) == 680
    assert set(Counter(worth.rank for worth in HANDS.values())) == set(CLASSES)


def test_the_card_itself_is_as_good_as_a_wild_that_stands_for_it() -> None:
    for hand, worth in HANDS.items():
        for wild, value in worth.wilds.items():
            card = DECK[value - 1]
            if card not in hand:
                itself = classify([card if name == wild else name for name in hand])
                assert itself > worth or (itself.rank, itself.gap) == (worth.rank, worth.gap), hand


@pytest.mark.parametrize("cards", ["Qh Kh", "Qh Kh Ah 2h", "Qh Qh Kh", "5s Qh Kh", "1h 2h 3h", ""])
def test_what_is_no_hand(cards: str) -> None:
    with pytest.raises(MisfitError):
        classify(cards.split())


def test_wilds_in_sums_are_a_reading() -> None:
    """Where they are barred, a hand with a wild is no sum and no product, and no other changes."""
    for hand, worth in HANDS.items():
        barred = classify(hand, wild_sums=False)
        if worth.rank in ("Sum", "Multiplication") and worth.wilds:
            assert barred.rank == "High card", hand
        else:
            assert (barred, barred.rank) == (worth, worth.rank), hand


def test_published_deck(planted: Planted) -> None:
    assert planted(RULE, TABLE) == []
    assert CHECKS["toripoka.deck"] is ToripokaDeck


def test_no_cover_may_be_a_dash(planted: Planted) -> None:
    assert planted(RULE, TABLE, ("hearts-5,5,hearts,", "hearts-5,5,hearts,-")) == []


STOCK_5 = ("game.toml:9", "a deal for two leaves a stock of 5 cards, not 6")
STOCK_7 = ("game.toml:9", "a deal for two leaves a stock of 7 cards, not 6")
ACE = "hearts-A,A,hearts,\n"
FOUR = "spades-4,4,spades,A-4"
# Edits of the table; where and what is then told, the lines without the file.
FAULTS: dict[str, tuple[list[Edit], list[tuple[str, str]]]] = {
    "a heart is missing": ([("hearts-5,5,hearts,\n", "")], [("game.toml:9", "the 5 of hearts is missing"), STOCK_5]),
    "a wild is missing": ([(FOUR + "\n", "")], [("game.toml:9", "the 4 of spades is missing"), STOCK_5]),
    "an Ace at both ends": (
        [(ACE, ACE + "hearts-high,A,hearts,\n")],
        [(":3", "hearts-high (A of hearts) is the same card as hearts-A (A of hearts)"), STOCK_7],
    ),
    "no such rank": (
        [("hearts-5,5,", "hearts-5,14,")],
        [
            (
                ":6",
                "hearts-5 (14 of hearts) is not in the deck: its hearts are A, 2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q and K",
            ),
            ("game.toml:9", "the 5 of hearts is missing"),
        ],
    ),
    "no such wild": (
        [(FOUR, "spades-4,5,spades,A-5")],
        [
            (":15", "spades-4 (5 of spades) is not in the deck: its spades are 4, 7, 10 and K"),
            ("game.toml:9", "the 4 of spades is missing"),
        ],
    ),
    "no such suit": (
        [("hearts-5,5,hearts", "hearts-5,5,heart")],
        [
            (":6", "hearts-5 (5 of heart) has a suit that is not in the deck; did you mean 'hearts'?"),
            ("game.toml:9", "the 5 of hearts is missing"),
        ],
    ),
    "a heart that stands for other ranks": (
        [("hearts-5,5,hearts,", "hearts-5,5,hearts,A-5")],
        [(":6 column covers", "hearts-5 (5 of hearts) covers 'A-5', but only a wild stands for other ranks")],
    ),
    "a wild for nothing": (
        [(FOUR, "spades-4,4,spades,-")],
        [(":15 column covers", "spades-4 (4 of spades) is a wild, but covers nothing")],
    ),
    "a wild for the high Ace": (
        [("spades-K,K,spades,A-K", "spades-K,K,spades,2-A")],
        [(":18 column covers", "spades-K (K of spades) covers 2-A: no wild stands for the high Ace")],
    ),
    "a wild without the low Ace": (
        [(FOUR, "spades-4,4,spades,2-4")],
        [(":15 column covers", "spades-4 (4 of spades) covers 2-4, which begins at 2, not at the low Ace")],
    ),
    "a wild past its own rank": (
        [(FOUR, "spades-4,4,spades,A-7")],
        [(":15 column covers", "spades-4 (4 of spades) covers A-7, which does not end at its own rank")],
    ),
    "a wild short of its own rank": (
        [(FOUR, "spades-4,4,spades,A-A")],
        [(":15 column covers", "spades-4 (4 of spades) covers A-A, which does not end at its own rank")],
    ),
    "no range": (
        [(FOUR, "spades-4,4,spades,A to 4")],
        [(":15 column covers", "spades-4 (4 of spades) covers 'A to 4', which is not a range of ranks: write A-4")],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_named(name: str, planted: Planted) -> None:
    assert_named(planted, RULE, TABLE, FAULTS[name])


def test_row_of_no_copies_is_missing() -> None:
    assert [found.what for found in copied(RULE, TABLE, 0)] == ["the A of hearts is missing", STOCK_5[1]]


def test_too_few_cards_to_deal(planted: Planted) -> None:
    hearts = [(f"hearts-{rank},{rank},hearts,\n", "") for rank in SUITS["hearts"][1:9]]
    found = planted(RULE, TABLE, *hearts)
    assert found[-1].what == "a deal for two needs 11 cards, there are 9"


PYRAMIDS = "toripoka/pyramids.csv"


@pytest.mark.parametrize(
    ("edits", "told"),
    [
        ([], []),
        ([("red,red\n", "")], ["there are pyramids in 4 colours, not 5: "]),
        ([("red,red\n", "red,blue\n")], ["is the same pyramid as", "in 4 colours, not 5: "]),
        ([("black,black", "black,grey")], ["the black pyramid is missing"]),
    ],
)
def test_pyramids(edits: list[tuple[str, str]], told: list[str], planted: Planted) -> None:
    found = [problem.what for problem in planted(PyramidSet(), PYRAMIDS, *edits)]
    assert len(found) == len(told)
    for what, part in zip(found, told, strict=True):
        assert part in what


def test_the_set_is_whole() -> None:
    """Fifteen: each colour in three sizes, the larger the more pips."""
    designs = [
        design
        for design in pipeline.read("toripoka").designs
        if any(isinstance(placed.check, PyramidSet) for placed in design.checks)
    ]
    sizes = [design.component for design in designs]
    assert [len(component.copies()) for component in sizes] == [5, 5, 5]
    assert len({frozenset(p.row["colour"] for p in c.pieces) for c in sizes}) == 1
    heights = [component.shape.area for component in sizes]
    assert heights == sorted(heights, reverse=True)
    marks = [design.front.mark.name for design in designs]  # type: ignore[attr-defined]
    assert marks == ["pips-3", "pips-2", "pips-1"]
