"""The examples of Toripoka's booklet come out as its rules say; its figures show what they tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import cos, radians, sqrt

import pytest

from generator import pipeline
from generator.basics.errors import MisfitError
from generator.basics.geometry import Rect, Size
from generator.basics.shapes import box_of
from generator.faces.net import Panels
from generator.faces.playing import Hands
from generator.games.toripoka.checks import ASIDE, CLASSES, DEALT, PLAYED, PUBLIC, RANKS, STOCK, WILDS, Hand, classify
from generator.games.toripoka.table import points_of
from generator.layout.nets import Net, standing
from tests.games.figures import WORDS, Figure, Laid, Row, figure, figure_without_caption, in_a_line, rules_of, tables

RULES = rules_of("toripoka")
AT_THE_BEGIN, AT_THE_END = "The round begins", "At the left the large pyramid"
FROM_ABOVE = "A large, a medium and a small pyramid"
TEXT = in_a_line(RULES)
TORIPOKA = pipeline.read("toripoka")
PARTS = {component.id: component for component in TORIPOKA.game.components}
DECK = [piece.row for piece in PARTS["cards"].copies()]
_CARD = re.compile(r"(\w+) :(heart|spade):(?: ([+−]\d))?")


def named(cell: str) -> list[str]:
    """Cards as `classify` takes them, moved by the pyramids on them."""
    return [moved(rank + suit[0], int(by or 0)) for rank, suit, by in _CARD.findall(cell)]


def moved(card: str, by: int) -> str:
    return RANKS[RANKS.index(card[:-1]) + by] + card[-1] if by else card


def of_figure(piece: str) -> str:
    suit, rank = piece.split("-")
    return rank + suit[0]


HAND_ROWS = [row for rows in tables(RULES, "Cards", "Hand") for row in rows]


@pytest.mark.parametrize("row", HAND_ROWS, ids=lambda row: f"{row['Hand']}: {row['Cards']}")
def test_hand_is_of_its_class(row: Row) -> None:
    hand = classify(named(row["Cards"]))
    assert hand.rank == row["Hand"]
    if row.get("Ranks"):
        assert sorted(hand.strength[1:4]) == [RANKS.index(r) + 1 for r in row["Ranks"].split(", ")]
    if row.get("Fit") == "exact":
        assert hand.gap == 0
    elif row.get("Fit"):
        ((wild, value),) = hand.wilds.items()
        assert row["Fit"] == f"{hand.gap}: {wild[:-1]} for {RANKS[value - 1]}"


def test_hands_are_ranked_as_the_rules_rank_them() -> None:
    ranked, _ = tables(RULES, "Cards", "Hand")
    assert [row["Hand"] for row in ranked] == [*reversed(CLASSES)]
    assert [row["Class"] for row in ranked] == [str(n + 1) for n in range(len(CLASSES))]
    hands = [classify(named(row["Cards"])) for row in ranked]
    assert hands == sorted(hands, reverse=True)
    (in_short,) = re.findall(r"\*\*Hands, best first\.\*\*([^.]+)\.", RULES)
    assert " ".join(in_short.split()).split(", ") == [*reversed(CLASSES)]


def test_examples_of_hands_are_those_of_the_reference_card() -> None:
    """Which shows no more than what makes the hand."""
    ranked, _ = tables(RULES, "Cards", "Hand")
    front = TORIPOKA.design("reference").front
    assert isinstance(front, Hands)
    for row, (_, _, cards) in zip(ranked, front.lines, strict=True):
        told = named(row["Cards"])
        assert told[: len(cards.split())] == cards.split()


def test_deck_is_as_described() -> None:
    suits = Counter(str(row["suit"]) for row in DECK)
    hearts = {12: "twelve", 13: "thirteen"}[suits["hearts"]]
    wilds = [str(row["rank"]) for row in DECK if row["suit"] == "spades"]
    assert wilds == [*WILDS]
    reach = {str(row["rank"]): str(row["covers"]) for row in DECK if row["covers"]}
    shown = figure_without_caption(RULES, "cards hearts-A")
    assert [lying.piece for lying in shown.laid] == [str(row["id"]) for row in DECK]
    below = {_near(x, shown): label for label, (x, _) in shown.marks}
    assert below == {rank: covers.replace("-", " to ") for rank, covers in reach.items()}
    for told in (
        f"{len(DECK)} cards: {hearts} hearts, {WORDS[suits['spades']]} wild spades",
        f"**The hearts** run {', '.join(RANKS)}.",
        f"the {WORDS[len(wilds)]} spades: {', '.join(wilds[:-1])} and {wilds[-1]}.",
        "J, Q, K count as {}, {}, {} and the Ace as {}.".format(*map(_number, "JQKA")),
        f"low (a {_number('A')}) or high",
    ):
        assert told in TEXT, told


def _number(rank: str) -> int:
    return RANKS.index(rank) + 1


def _near(x: float, shown: Figure) -> str:
    """The rank of the wild whose middle is there."""
    half = PARTS["cards"].size.width / 2
    wilds = (lying for lying in shown.laid if lying.piece.startswith("spades"))
    (found,) = (card.piece for card in wilds if card.x + half == pytest.approx(x))
    return found.removeprefix("spades-")


def test_straights_run_as_described() -> None:
    straights = [
        cards
        for cards in combinations([f"{rank}h" for rank in RANKS], 3)
        if classify(cards).rank == "Straight (no wilds)"
    ]
    ends = (" ".join(card[:-1] for card in cards) for cards in (straights[0], straights[-1]))
    assert "A straight runs from {} up to {}.".format(*ends) in TEXT
    ((*round_the_corner,),) = re.findall(r"(\w) (\w) (\w) is no straight", TEXT)
    assert set(round_the_corner) == {"K", "A", "2"}
    assert classify([f"{rank}h" for rank in round_the_corner]).rank == "High card"


def test_product_and_sum_are_as_described() -> None:
    ((*numbers,),) = re.findall(r"one example each: (\w) (\w) (\w) and (\w) (\w) (\w)", TEXT)
    hands = [[f"{rank}h" for rank in some] for some in (numbers[:3], numbers[3:])]
    assert [classify(hand).rank for hand in hands] == ["Multiplication", "Sum"]
    ranked, _ = tables(RULES, "Cards", "Hand")
    assert hands == [named(row["Cards"]) for row in ranked if row["Hand"] in CLASSES[1:3][::-1]]


def test_cards_are_dealt_as_described() -> None:
    pyramids_a_round, own = PUBLIC, PLAYED // 2
    for told in (
        f"hands of **{WORDS[own]} cards**. In every round {WORDS[pyramids_a_round]} pyramids are",
        f"You lay {WORDS[own]} cards at each of them",
        f"Shuffle all {len(DECK)} cards. Lay **{ASIDE} aside**",
        f"Deal **{DEALT} to each player**",
        f"Draw **{PUBLIC} cards**",
        f"The other {STOCK} cards are the **stock**",
        f"You lay **{WORDS[own]} cards at each pyramid**, {WORDS[PLAYED]} in all",
        f"You both then have {WORDS[DEALT]} cards left",
        f"until each has {WORDS[own]} cards there; whoever has {WORDS[own]} already passes",
        f"best hand of {WORDS[own]} out of **{WORDS[own + 1]} cards: your own {WORDS[own]} and the",
        f"the best {WORDS[own]} of {WORDS[own + PUBLIC]} cards",
        f"Best {WORDS[own]} of your {WORDS[own]} and the public one",
        f"Shuffle; {ASIDE} aside, {DEALT} each, a pyramid each, {PUBLIC} public cards, {STOCK} in",
    ):
        assert told in TEXT, told


def test_rounds_are_as_many_as_the_pyramids_allow() -> None:
    pyramids_ = sum(len(PARTS[size].copies()) for size in SIZES)
    rounds = WORDS[pyramids_ // 2]
    assert f"With {pyramids_} pyramids that is after **{rounds} rounds**" in TEXT


def pips(size: str) -> int:
    """On each side of such a pyramid: its mark is the picture pips-3, pips-2 or pips-1."""
    front = TORIPOKA.design(size).front
    assert isinstance(front, Panels)
    assert front.mark is not None
    return int(front.mark.name.removeprefix("pips-"))


def test_pips_are_as_described() -> None:
    for size in SIZES:
        number = pips(size)
        told = f"{len(PARTS[size].copies())} {size}: {WORDS[number]} pip{'s' * (number > 1)} per side"
        assert told in TEXT, told


def test_pyramid_on_a_card_reaches_as_far_as_described() -> None:
    drawn = figure(RULES, "A medium pyramid,")
    by = pips("medium")
    changed, *ranks = (of_figure(card.piece) for card in drawn.laid)
    reached = [moved(changed, step) for step in range(-by, by + 1)]
    assert ranks == reached
    assert not any(card.is_faded for card in drawn.laid), "pale cards are those not used"
    *some, last = (card[:-1] for card in reached)
    told = f"A medium pyramid, {WORDS[by]} pips per side, on the {changed[:-1]}: it may count as "
    assert drawn.caption == f"{told}{', '.join(some)} or {last}"
    ((name, (x, _), _),) = drawn.pictures
    assert name.endswith("-medium")
    card, *others = drawn.laid
    ((start, end),) = drawn.arrows
    assert card.x + PARTS["cards"].size.width < start[0] < end[0] < min(card.x for card in others)
    assert x == card.x + PARTS["cards"].size.width / 2


def test_pyramids_from_above_are_the_set() -> None:
    shown = figure(RULES, FROM_ABOVE).pictures
    whole = {f"{piece.id}-{size}" for size in SIZES for piece in PARTS[size].copies()}
    assert sorted(name for name, *_ in shown) == sorted(whole)


def test_pyramids_from_above_are_as_wide_as_they_are() -> None:
    captions = (FROM_ABOVE, AT_THE_BEGIN, "A medium pyramid,", AT_THE_END)
    shown = [card for caption in captions for card in figure(RULES, caption).pictures]
    assert len(shown) == 15 + 2 + 1 + 3
    for name, _, width in shown:
        assert width == base(name.partition("-")[2]), name


def side(size: str) -> Size:
    """The width of a pyramid's foot, and the height of a side (mm)."""
    net = PARTS[size].shape
    assert isinstance(net, Net)
    return net.panel("side-1").size


def base(size: str) -> float:
    return round(side(size).width, 3)


def rise(size: str) -> float:
    return sqrt(side(size).height ** 2 - (base(size) / 2) ** 2)


@pytest.mark.parametrize("caption", ["A large, a medium and a small", "What they count"])
def test_pyramids_of_a_tree_stand_one_upon_the_other(caption: str) -> None:
    """Their middles are one above the other, and each rests where both are equally wide."""
    laid = figure(RULES, caption).laid
    trees = [
        laid[at : at + 3]
        for at in range(len(laid) - 2)
        if [lying.component for lying in laid[at : at + 3]] == list(SIZES)
        and middle(laid[at]) == pytest.approx(middle(laid[at + 1]), abs=0.02)
    ]
    assert len(trees) == (1 if "nest" in figure(RULES, caption).caption else 4)
    for tree in trees:
        assert middle(tree[2]) == pytest.approx(middle(tree[0]), abs=0.02)
        for lower, upper in pairwise(tree):
            low, high = rise(lower.component), rise(upper.component)
            height = low * (1 - base(upper.component) / base(lower.component))
            tips = lower.y - upper.y  # the tip is the top of the picture
            assert tips == pytest.approx((height + high - low) * cos(radians(28)), abs=0.05)


def middle(lying: Laid) -> float:
    return lying.x + standing_box(lying).width / 2


def standing_box(lying: Laid) -> Rect:
    """The box of the picture of a folded pyramid."""
    net = PARTS[lying.component].shape
    assert isinstance(net, Net)
    return box_of(point for panel in standing(net) for point in panel.outline)


def test_better_hand_wins_the_pyramid() -> None:
    _, rows = tables(RULES, "Cards", "Hand")
    said = re.findall(r"\*\*(?:Left|Right):\*\*.*?\*\*(\w+)\*\*\s+wins", RULES, re.S)
    won = []
    for at in ("left", "right"):
        one, other = (row for row in rows if row["At"] == at)
        hands = classify(named(one["Cards"])), classify(named(other["Cards"]))
        won.append((one if hands[0] > hands[1] else other)["Player"])
    assert said == won == ["Ana", "Ben"]
    ((card, by),) = [(rank, int(by)) for row in rows for rank, _, by in _CARD.findall(row["Cards"]) if by]
    assert 0 < by <= pips("medium")
    assert f"Ben has set a medium pyramid on his {card}." in TEXT
    assert f"Ben's {card} counts as {moved(card + 'h', by)[:-1]}, and there is no wild" in TEXT
    assert f"and the one on his {card} leaves the game" in TEXT
    drawn = figure(RULES, AT_THE_END)
    assert [label for label, _ in drawn.marks] == [f"+{by}", "public", "Ben", "Ana"]


def test_hands_of_the_example_are_the_best_of_their_four_cards() -> None:
    _, rows = tables(RULES, "Cards", "Hand")
    laid = figure(RULES, AT_THE_END).laid
    assert len({card.piece for card in laid}) == len(laid) == 2 * PLAYED + PUBLIC
    rows_of = {"Ben": min(card.y for card in laid), "Ana": max(card.y for card in laid)}
    middle = max(card.x for card in laid) / 2
    for row in rows:
        here = [card for card in laid if (card.x > middle) == (row["At"] == "right")]
        public = [card for card in here if card.y not in rows_of.values()]
        pool = [*public, *(card for card in here if card.y == rows_of[row["Player"]])]
        assert (len(public), len(pool)) == (1, 4)
        assert f"the public {public[0].piece.partition('-')[2]}" in TEXT
        told = named(row["Cards"])
        used = {of_figure(card.piece) for card in pool if not card.is_faded}
        assert used == set(_unmoved(row["Cards"]))
        by = 2 if "+" in row["Cards"] else 0
        assert classify(told) == max(best(pool, "4h", by))


def _unmoved(cell: str) -> list[str]:
    return [rank + suit[0] for rank, suit, _ in _CARD.findall(cell)]


def best(pool: Sequence[Laid], changed: str, by: int) -> Iterator[Hand]:
    """Every hand of these cards, one of them moved by so much or less. Moved onto another card it
    would make a pair, which is less than what is told."""
    for cards in combinations([of_figure(card.piece) for card in pool], 3):
        for step in range(-by, by + 1):
            try:
                yield classify([moved(card, step if card == changed else 0) for card in cards])
            except MisfitError:
                assert step


def test_round_of_the_setup_is_that_of_the_example() -> None:
    """The pyramids and the public cards lie in the same places."""
    shown, at_end = figure(RULES, AT_THE_BEGIN), figure(RULES, AT_THE_END)
    assert middle_row(shown) == middle_row(at_end)
    assert "This is the end of the round shown in *Set up a round*." in TEXT
    hands = hands_of(shown).values()
    for hand, at in zip(hands, (0.0, max(lying.y for lying in at_end.laid)), strict=True):
        assert {card.piece for card in hand} < {lying.piece for lying in at_end.laid if lying.y == at}
    on_card, *_ = (name for name, *_ in at_end.pictures)
    assert on_card.endswith("-medium")


def hands_of(shown: Figure) -> dict[str, list[Laid]]:
    """The cards beside the table, where none is laid later, of Ben above and of Ana below."""
    beside = [lying for lying in shown.laid if lying.x < -PARTS["cards"].size.width]
    above = [card for card in beside if card.y < 91.0]
    return {"Ben's hand": above, "Ana's hand": [card for card in beside if card not in above]}


def middle_row(shown: Figure) -> set[tuple[str, float, float]]:
    """Cards by their top left corners, pyramids by their middles."""
    cards = {(lying.piece, lying.x, lying.y) for lying in shown.laid if lying.y == 91.0 and not lying.is_back}
    return cards | {(name, *at) for name, at, _ in shown.pictures if 91.0 < at[1] < 180.0}


def test_setup_shows_all_cards_where_they_are_dealt() -> None:
    shown = figure(RULES, AT_THE_BEGIN)
    assert sorted(lying.piece for lying in shown.laid) == sorted(str(row["id"]) for row in DECK)
    assert sum(not lying.is_back for lying in shown.laid) == PUBLIC
    assert [label for label, _ in shown.marks] == [
        "Ben's hand",
        "public",
        "Ana's hand",
        f"stock: {STOCK}",
        f"aside: {ASIDE}",
    ]
    *rows, stock, aside = shown.marks
    size, at_end = PARTS["cards"].size, figure(RULES, AT_THE_END)
    for name, hand in hands_of(shown).items():
        (x, y) = dict(rows)[name]
        assert len(hand) == DEALT
        assert all(card.is_back for card in hand)
        assert min(card.x for card in hand) < x < max(card.x for card in hand) + size.width
        assert min(abs(card.y + size.height / 2 - y) for card in hand) < size.height
        assert max(card.x for card in hand) + size.width < min(lying.x for lying in at_end.laid)
    below = Counter(label_below(lying, shown) for lying in shown.laid)
    assert [below[label] for label, _ in (stock, aside)] == [STOCK, ASIDE]


def label_below(lying: Laid, shown: Figure) -> str:
    """The next label below a card, within its width."""
    size = PARTS["cards"].size
    below = [
        (y, label) for label, (x, y) in shown.marks if lying.x < x < lying.x + size.width and y > lying.y + size.height
    ]
    return min(below)[1] if below else ""


@pytest.mark.parametrize("caption", [AT_THE_BEGIN, AT_THE_END])
def test_each_pyramid_has_its_public_card_beside_it(caption: str) -> None:
    """In the order of the rules: pyramid, card, card, pyramid."""
    row = middle_row(figure(RULES, caption))
    names = [name for name, *_ in sorted(row, key=lambda card: card[1])]
    assert names == ["red-large", "hearts-9", "hearts-5", "blue-medium"]
    told = figure(RULES, AT_THE_END).caption
    for where, size, rank in (("left", "large", "9"), ("right", "medium", "5")):
        assert re.search(rf"[Aa]t the {where} the {size} \w+ and the public {rank}", told)


def test_cards_of_the_example_lie_at_their_pyramid() -> None:
    """Above or below it, each side in its own half of the figure."""
    drawn = figure(RULES, AT_THE_END)
    assert Counter((lying.x > 200, lying.y) for lying in drawn.laid) == {
        (is_right, y): 1 if y == 91.0 else PLAYED // 2 for is_right in (False, True) for y in (0.0, 91.0, 182.0)
    }


def test_fits_of_the_figure() -> None:
    """Two hands of one class and equal ranks. They share the public card, so they can meet."""
    drawn = figure(RULES, "Both hands are the straight 2 3 4")
    cards = [of_figure(card.piece) for card in drawn.laid]
    assert len({*cards}) == len(cards) == 5
    ana, ben = classify(cards[:3]), classify(cards[2:])
    assert ana.strength[:4] == ben.strength[:4]
    assert sorted(ana.strength[1:4]) == [2, 3, 4]
    assert ana > ben
    assert drawn.caption == (
        f"Both hands are the straight 2 3 4, with the public {cards[2][:-1]} in the middle."
        f" Ana's {_fit(ana, 'tight')}. Ben's {_fit(ben, 'loose')}. Ana wins."
    )
    assert [label for label, _ in drawn.marks] == [
        *(f"as {RANKS[value - 1]}" for hand in (ana, ben) for value in hand.wilds.values()),
        "public",
        f"Ana: fit {ana.gap}, wins",
        f"Ben: fit {ben.gap}",
    ]
    middles = [card.x + PARTS["cards"].size.width / 2 for card in drawn.laid]
    over_each = sum(middles[0:3:2]) / 2, sum(middles[2:5:2]) / 2
    places = middles[1], middles[4], middles[2], *over_each
    assert [x for _, (x, _) in drawn.marks] == pytest.approx(places, abs=0.01)


def _fit(hand: Hand, name: str) -> str:
    ((wild, value),) = hand.wilds.items()
    return f"wild {wild[:-1]} stands for {RANKS[value - 1]}: a {name} fit, {hand.gap}"


BookletPyramid = tuple[str, str]  # colour and size
SIZES = ("large", "medium", "small")
ENDS = ("red", "black")  # a colour that is scored, and the one that is scored below zero


def pyramids(cell: str) -> list[BookletPyramid]:
    return [(colour, size) for colour, size in re.findall(r"(\w+) (large|medium|small)", cell)]


def points(own: Sequence[BookletPyramid]) -> int:
    """By the rules as code."""
    return points_of([(colour, SIZES.index(size)) for colour, size in own], builds_all=True)


def test_points_are_reported_alike_everywhere() -> None:
    solid = [points([(colour, size) for size in SIZES]) for colour in ENDS]
    mixed = [points([*zip(("red", "blue", other), SIZES, strict=True)]) for other in ENDS]
    single = [points([(colour, "small")]) for colour in ENDS]
    values, losses = ([some[at] for some in (solid, mixed, single)] for at in (0, 1))
    assert losses == [-value for value in values]
    (rows,) = tables(RULES, "What", "Points", "Black in it")
    assert [row["Points"] for row in rows] == [str(value) for value in values]
    assert [row["Black in it"] for row in rows] == [f"−{value}" for value in values]
    for told in (
        "a black tree −{}, a mixed tree with a black pyramid −{}, a single black pyramid −{}.",
        "Tree of one colour {}, of mixed colours {}, other pyramids {}.",
    ):
        assert told.format(*values) in TEXT, told
    back = TORIPOKA.design("reference").back
    assert isinstance(back, Hands)
    names = [name for name, *_ in back.lines]
    assert [int(name.split()[0]) for name in names if "point" in name] == values


def test_trees_of_the_example_score_as_described() -> None:
    (rows,) = tables(RULES, "Trees", "Others", "Points")
    everything: list[BookletPyramid] = []
    for row in rows:
        trees = [pyramids(tree) for tree in row["Trees"].split(";")]
        assert all(sorted(size for _, size in tree) == sorted(SIZES) for tree in trees)
        others = pyramids(row["Others"].replace("none", ""))
        own = [*(card for tree in trees for card in tree), *others]
        terms, _, total = row["Points"].replace("−", "-").replace(" ", "").partition("=")
        values = [int(term) for term in re.findall(r"[+-]?\d+", terms)]
        assert Counter(values) == Counter([*map(points, trees), *(points([card]) for card in others)])
        assert int(total) == sum(values) == points(own)
        everything += own
    assert len(everything) == len(set(everything)), "there is one of each"
    assert f"**Ben wins, {rows[1]['Points'][-1]} to {rows[0]['Points'][-1]}.**" in RULES
