"""The examples of the booklets come out as the rules say, and their figures show what they tell."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

import pytest

from generator import build
from generator.errors import MisfitError
from generator.faces.talavera import Tiles
from generator.rules.toripoka import CLASSES, RANKS, Hand, classify
from tests.rules.conftest import TEMPLATES
from tests.rules.figures import Laid, Row, figure, rules_of, tables

TALAVERA, TORIPOKA = rules_of("talavera"), rules_of("toripoka")

# Talavera

DECK = build.read("talavera").components[0]
CARDS = {piece.id: piece for piece in DECK.pieces}
COLOURS = ("yellow", "red", "sky", "azure")
assert isinstance(DECK.back, Tiles)
SLOTS = {art.name: slots for art, slots in DECK.back.slots.items()}
TILE = DECK.back.tile
STEP = 15.875  # mm that a card is slid out by in the figures


def shown(laid: Sequence[Laid]) -> Counter[str]:
    """The tiles of each colour that no later card hides. None is hidden in part."""
    seen: Counter[str] = Counter()
    for index, card in enumerate(laid):
        if card.is_back:
            for colour, x, y in tiles(card):
                hidden = {is_within(laid[index + 1 :], *spot) for spot in spots(x, y)}
                assert len(hidden) == 1, f"half a {colour} tile of card {card.piece} is seen"
                seen[colour] += not hidden.pop()
    return seen


def tiles(card: Laid) -> Iterator[tuple[str, float, float]]:
    """The colour and the middle of each tile of a card."""
    for colour, slots in SLOTS.items():
        for left, top in slots[: CARDS[card.piece].number(colour)]:
            x, y = left + TILE / 2, top + TILE / 2
            if card.turn:
                x, y = DECK.size.width - x, DECK.size.height - y
            yield colour, card.x + x, card.y + y


def spots(x: float, y: float) -> Iterator[tuple[float, float]]:
    """Places of a tile: its corners, a little within, and its middle."""
    inner = TILE / 2 - 0.1
    yield from product((x - inner, x, x + inner), (y - inner, y, y + inner))


def is_within(cards: Sequence[Laid], x: float, y: float) -> bool:
    return any(
        0 < x - card.x < DECK.size.width and 0 < y - card.y < DECK.size.height for card in cards
    )


def points(wanted: int, placed: int) -> int:
    """ "Winning": 3 for an order, 1 less for each tile too many, 0 for too few."""
    return max(3 - (placed - wanted), 0) if placed >= wanted else 0


def order_of(card: Laid) -> dict[str, int]:
    assert not card.is_back
    return {colour: CARDS[card.piece].number(f"order_{colour}") for colour in COLOURS}


def test_scored_stairs_are_those_of_the_table() -> None:
    ours, otherwise = stairs()
    order, placed = order_of(ours[-1]), shown(ours)
    (rows,) = tables(TALAVERA, "Order", "Wanted", "Placed", "Points")
    *scored, total = rows
    assert {row["Order"].split()[-1] for row in scored} == set(COLOURS)
    for row in scored:
        colour = row["Order"].split()[-1]
        told = tuple(int(row[name]) for name in ("Wanted", "Placed", "Points"))
        wanted, tiles_placed = order[colour], placed[colour]
        assert told == (wanted, tiles_placed, points(wanted, tiles_placed)), colour
    assert total["Points"] == f"**{sum(int(row['Points']) for row in scored)}**"
    assert sorted(ours) != sorted(otherwise)
    assert sorted(card.piece for card in ours) == sorted(card.piece for card in otherwise)


def test_same_cards_fill_the_order_exactly() -> None:
    _, otherwise = stairs()
    assert shown(otherwise) == order_of(otherwise[-1])


def stairs() -> tuple[list[Laid], list[Laid]]:
    """Both pictures of the scoring: eight cards and an order each."""
    laid = figure(TALAVERA, "1 Ana's stairs").laid
    assert len(laid) == 18
    return laid[:9], laid[9:]


def test_points_of_an_order() -> None:
    """The example of the rules, and the least and the most."""
    orders = [(3, 4), (2, 0), (4, 4), (1, 5), (1, 1), (2, 1)]
    assert [points(*order) for order in orders] == [2, 0, 3, 0, 3, 0]


def test_rule_card_scores_as_the_booklet() -> None:
    with (TEMPLATES / "talavera/rule-cards.csv").open(encoding="utf-8", newline="") as file:
        (page,) = (
            row["back_text"] for row in csv.DictReader(file) if "ordered" in row["back_text"]
        )
    told = re.findall(r"(\d) ordered, (\d) placed\.\n.*\*\*(\d)\*\*", page)
    assert len(told) == len(COLOURS)
    assert all(points(int(wanted), int(placed)) == int(won) for wanted, placed, won in told)
    (sum_,) = re.findall(r"\*\*(\d+) points\*\*", page)
    assert int(sum_) == sum(int(won) for _, _, won in told)
    (rows,) = tables(TALAVERA, "Order", "Wanted", "Placed", "Points")
    in_booklet = [tuple(row[name] for name in ("Wanted", "Placed", "Points")) for row in rows[:-1]]
    assert sorted(told) == sorted(in_booklet)


def test_placements_show_what_the_caption_says() -> None:
    laid = figure(TALAVERA, "Card 5 has two yellow tiles and two azure ones").laid
    pairs = [laid[at : at + 2] for at in range(0, len(laid), 2)]
    assert [+shown(pair) for pair in pairs] == [{"yellow": 2}, {"azure": 2}, {}]


def test_solo_stairs_show_what_the_caption_says() -> None:
    laid = figure(TALAVERA, "After three rounds: 2 yellow, 3 red and 4 azure tiles").laid
    assert +shown(laid) == {"yellow": 2, "red": 3, "azure": 4}
    assert len(laid) == 2 * 3 + 1
    assert CARDS["8"].number("yellow") == 0


@pytest.mark.parametrize("colour", COLOURS)
def test_card_slid_out_shows_one_colour_and_all_of_it(colour: str) -> None:
    """As the booklet tells to: yellow left, red right; turned, sky at the top, azure below."""
    across, down = {"yellow": (-1, 0), "red": (1, 0), "sky": (0, -1), "azure": (0, 1)}[colour]
    turn = 180 if colour in ("sky", "azure") else 0
    order = Laid("10", False, 0.0, 0.0, 0, False, "cards")
    for id_, card in CARDS.items():
        if card.number(colour):
            slid = Laid(id_, True, STEP * across, STEP * down, turn, False, "cards")
            assert [*tiles(slid)]
            seen = Counter(c for c, x, y in tiles(slid) if not is_within([order], x, y))
            assert seen == {colour: card.number(colour)}, id_


def test_figures_show_no_card_that_the_balanced_deck_has_otherwise() -> None:
    """But as an order, of which nothing is told."""
    balanced = {
        piece.id: piece.row for piece in build.read("talavera-balanced").components[0].pieces
    }
    other = {id_ for id_, card in CARDS.items() if dict(card.row) != dict(balanced[id_])}
    assert other == {"9", "15"}
    assert not other & set(re.findall(r"^cards (\d+) back", TALAVERA, re.M))


# Toripoka

_CARD = re.compile(r"(\w+) :(heart|spade):(?: ([+−]\d))?")


def named(cell: str) -> list[str]:
    """Cards as `classify` takes them, moved by the pyramids on them."""
    return [moved(rank + suit[0], int(by or 0)) for rank, suit, by in _CARD.findall(cell)]


def moved(card: str, by: int) -> str:
    return RANKS[RANKS.index(card[:-1]) + by] + card[-1] if by else card


def of_figure(piece: str) -> str:
    suit, rank = piece.split("-")
    return rank + suit[0]


HAND_ROWS = [row for rows in tables(TORIPOKA, "Cards", "Hand") for row in rows]


@pytest.mark.parametrize("row", HAND_ROWS, ids=lambda row: f"{row['Hand']}: {row['Cards']}")
def test_hand_is_of_its_class(row: Row) -> None:
    hand = classify(named(row["Cards"]))
    assert hand.rank == row["Hand"]
    if row.get("Ranks"):
        assert sorted(hand.strength[1:4]) == [RANKS.index(r) + 1 for r in row["Ranks"].split(", ")]
    if row.get("Fit"):
        assert hand.gap == int(row["Fit"].partition(":")[0])


def test_hands_are_ranked_as_the_rules_rank_them() -> None:
    ranked, _ = tables(TORIPOKA, "Cards", "Hand")
    assert [row["Hand"] for row in ranked] == [*reversed(CLASSES)]
    hands = [classify(named(row["Cards"])) for row in ranked]
    assert hands == sorted(hands, reverse=True)
    (in_short,) = re.findall(r"\*\*Hands, best first\.\*\*([^.]+)\.", TORIPOKA)
    assert " ".join(in_short.split()).split(", ") == [*reversed(CLASSES)]


def test_better_hand_wins_the_pyramid() -> None:
    _, rows = tables(TORIPOKA, "Cards", "Hand")
    said = re.findall(r"\*\*(?:Left|Right):\*\*.*?\*\*(\w+)\*\*\s+wins", TORIPOKA, re.S)
    won = []
    for at in ("1", "2"):
        one, other = (row for row in rows if row["At"] == at)
        hands = classify(named(one["Cards"])), classify(named(other["Cards"]))
        won.append((one if hands[0] > hands[1] else other)["Player"])
    assert said == won == ["Ana", "Ben"]


def test_hands_of_the_example_are_the_best_of_their_four_cards() -> None:
    _, rows = tables(TORIPOKA, "Cards", "Hand")
    laid = figure(TORIPOKA, "1 Left: Ben above, Ana below").laid
    assert len({card.piece for card in laid}) == len(laid) == 14
    rows_of = {"Ben": min(card.y for card in laid), "Ana": max(card.y for card in laid)}
    middle = max(card.x for card in laid) / 2
    for row in rows:
        here = [card for card in laid if (card.x > middle) == (row["At"] == "2")]
        public = [card for card in here if card.y not in rows_of.values()]
        pool = [*public, *(card for card in here if card.y == rows_of[row["Player"]])]
        assert (len(public), len(pool)) == (1, 4)
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


def test_round_of_the_figure_is_that_of_the_example() -> None:
    shown_at = figure(TORIPOKA, "A round after four turns each").laid
    at_end = {card.piece for card in figure(TORIPOKA, "1 Left: Ben above, Ana below").laid}
    assert {card.piece for card in shown_at} < at_end
    assert len(shown_at) == 4 * 2 + 2


def test_fits_of_the_figure() -> None:
    laid = [of_figure(card.piece) for card in figure(TORIPOKA, "Three times 2 3 4").laid]
    exact, tight, loose = (classify(laid[at : at + 3]) for at in (0, 3, 6))
    assert [exact.gap, tight.gap, loose.gap] == [0, 1, 7]
    assert {hand.strength[1:4] for hand in (exact, tight, loose)} == {(4, 3, 2)}
    assert exact > tight > loose


Pyramid = tuple[str, str]  # colour and size
SIZES = ("large", "medium", "small")


def pyramids(cell: str) -> list[Pyramid]:
    return [(colour, size) for colour, size in re.findall(r"(\w+) (large|medium|small)", cell)]


def tree_points(tree: Sequence[Pyramid]) -> int:
    """ "Final scoring": 7 for one colour, 5 for mixed ones, 1 for a single piece, below zero with
    black."""
    colours = {colour for colour, _ in tree}
    value = 1 if len(tree) == 1 else 7 if len(colours) == 1 else 5
    return -value if "black" in colours else value


def best_score(own: Sequence[Pyramid]) -> int:
    """Of all ways to build as many trees as there can be."""
    sized = [[one for one in own if one[1] == size] for size in SIZES]
    count = min(map(len, sized))
    ways = product(*(permutations(some, count) for some in sized))
    return max(_grouped(own, list(zip(*way, strict=True))) for way in ways)


def _grouped(own: Sequence[Pyramid], trees: Sequence[Sequence[Pyramid]]) -> int:
    rest = Counter(own) - Counter(one for tree in trees for one in tree)
    return sum(map(tree_points, trees)) + sum(tree_points([one]) for one in rest.elements())


def test_trees_of_the_example_score_as_told() -> None:
    (rows,) = tables(TORIPOKA, "Trees", "Others", "Points")
    everything: list[Pyramid] = []
    for row in rows:
        trees = [pyramids(tree) for tree in row["Trees"].split(";")]
        assert all(sorted(size for _, size in tree) == sorted(SIZES) for tree in trees)
        own = [*(one for tree in trees for one in tree), *pyramids(row["Others"])]
        terms, _, total = row["Points"].replace("−", "-").replace(" ", "").partition("=")
        values = [int(term) for term in re.findall(r"[+-]?\d+", terms)]
        assert Counter(values) == Counter(
            [*map(tree_points, trees), *(tree_points([one]) for one in pyramids(row["Others"]))]
        )
        assert int(total) == sum(values) == best_score(own)
        everything += own
    assert len(everything) == len(set(everything)), "there is one of each"
    assert f"**Ben wins, {rows[1]['Points'][-1]} to {rows[0]['Points'][-1]}.**" in TORIPOKA
