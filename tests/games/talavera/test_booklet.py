"""The examples of Talavera's booklet come out as its rules say; its figures show what they tell."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import dist

import pytest

from generator import pipeline
from generator.games.talavera.checks import CARDS_A_ROUND, ROUNDS, SOLO_SETS
from generator.games.talavera.renderers import Order, Tiles
from tests.games.conftest import TEMPLATES
from tests.games.figures import WORDS, Figure, Laid, Point, figure, in_a_line, rules_of, tables

RULES = rules_of("talavera")
TEXT = in_a_line(RULES)
CARDS_DESIGN = pipeline.read("talavera").design("cards")
DECK = CARDS_DESIGN.component
CARDS = {piece.id: piece for piece in DECK.pieces}
COLOURS = ("yellow", "red", "sky", "azure")
assert isinstance(CARDS_DESIGN.back, Tiles)
SLOTS = {art.name: slots for art, slots in CARDS_DESIGN.back.slots.items()}
TILE = CARDS_DESIGN.back.tile
STEP = 18.0  # mm that a card is slid out by in the figures


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
    return any(0 < x - card.x < DECK.size.width and 0 < y - card.y < DECK.size.height for card in cards)


def points(wanted: int, placed: int) -> int:
    """ "Winning": 3 for an order, 1 less for each tile too many, 0 for too few."""
    return max(3 - (placed - wanted), 0) if placed >= wanted else 0


def order_of(card: Laid) -> dict[str, int]:
    assert not card.is_back
    return {colour: CARDS[card.piece].number(f"order_{colour}") for colour in COLOURS}


def test_scored_stairs_are_those_of_the_table() -> None:
    ours, otherwise = stairs()
    order, placed = order_of(ours[-1]), shown(ours)
    (rows,) = tables(RULES, "Order", "Wanted", "Placed", "Points")
    *scored, total = rows
    assert {row["Order"].split()[-1] for row in scored} == set(COLOURS)
    for row in scored:
        colour = row["Order"].split()[-1]
        told = tuple(int(row[name]) for name in ("Wanted", "Placed", "Points"))
        wanted, tiles_placed = order[colour], placed[colour]
        assert told == (wanted, tiles_placed, points(wanted, tiles_placed)), colour
        assert row["Why"] == _why(wanted, tiles_placed)
    for name, mark in (("Wanted", ""), ("Placed", ""), ("Points", "**")):
        assert total[name] == f"{mark}{sum(int(row[name]) for row in scored)}{mark}"
    most = ", ".join(f"{order[colour]} {colour}" for colour in COLOURS[:3])
    assert f"Ana's order is for {most} and {order['azure']} azure tile." in TEXT
    assert sorted(ours) != sorted(otherwise)
    assert sorted(card.piece for card in ours) == sorted(card.piece for card in otherwise)


def _why(wanted: int, placed: int) -> str:
    excess = placed - wanted
    if excess <= 0:
        return "too few" if excess else "as ordered"
    sum_ = f"{WORDS[excess]} too many: {points(wanted, wanted)} − {excess}"
    return sum_ if points(wanted, placed) else f"{sum_}, but never below 0"


def test_same_cards_fill_the_order_exactly() -> None:
    _, otherwise = stairs()
    order = order_of(otherwise[-1])
    assert shown(otherwise) == order
    most = sum(points(wanted, wanted) for wanted in order.values())
    told = f"Placed as in picture 2, the same cards fill all {WORDS[len(order)]} orders exactly"
    assert f"{told}: **{most} points**" in TEXT
    drawn = figure(RULES, "1 Ana's stairs. 2 The same")
    assert drawn.caption.endswith(f"{WORDS[len(otherwise) - 1]} cards, placed otherwise")
    assert f"**The higher sum wins**; {most} is the most there is" in TEXT


def stairs() -> tuple[list[Laid], list[Laid]]:
    """Both pictures of the scoring: eight cards and an order each."""
    laid = figure(RULES, "1 Ana's stairs").laid
    assert len(laid) == 18
    return laid[:9], laid[9:]


def test_points_of_an_order() -> None:
    """The example of the rules, and the least and the most."""
    orders = [(3, 4), (2, 0), (4, 4), (1, 5), (1, 1), (2, 1)]
    assert [points(*order) for order in orders] == [2, 0, 3, 0, 3, 0]
    few, enough, less = points(2, 1), points(2, 2), points(2, 2) - points(2, 3)
    least = min(points(wanted, placed) for wanted in range(1, 5) for placed in range(13))
    (rows,) = tables(RULES, "Tiles placed", "Points")
    more = f"{enough}, and {less} less for each tile too many; never below {least}"
    assert [row["Points"] for row in rows] == [str(few), str(enough), more]
    told = f"Too few: {few}. Enough: {enough}. Each tile too many: {less} less, never below {least}"
    assert told in TEXT


def test_rule_card_scores_as_the_booklet() -> None:
    with (TEMPLATES / "talavera/rule-cards.csv").open(encoding="utf-8", newline="") as file:
        (page,) = (row["back_text"] for row in csv.DictReader(file) if "ordered" in row["back_text"])
    told = re.findall(r"(\d) ordered, (\d) placed\.\n.*\*\*(\d)\*\*", page)
    assert len(told) == len(COLOURS)
    assert all(points(int(wanted), int(placed)) == int(won) for wanted, placed, won in told)
    (sum_,) = re.findall(r"\*\*(\d+) points\*\*", page)
    assert int(sum_) == sum(int(won) for _, _, won in told)
    (rows,) = tables(RULES, "Order", "Wanted", "Placed", "Points")
    in_booklet = [tuple(row[name] for name in ("Wanted", "Placed", "Points")) for row in rows[:-1]]
    assert sorted(told) == sorted(in_booklet)


def test_cards_are_dealt_as_described() -> None:
    cards, market = len(DECK.copies()), WORDS[CARDS_A_ROUND]
    stacked, alone = cards - 2, cards - 1
    rounds = WORDS[stacked // CARDS_A_ROUND]
    assert rounds == WORDS[ROUNDS]
    for told in (
        f"Shuffle the {cards} cards, all with the order up",
        f"Stack the other {stacked} beside you, order up. That is just enough for {rounds} rounds",
        f"Play **{rounds} rounds**",
        f"After {rounds} rounds you score",
        f"Deal {market} cards from the stack side by side",
        f"each of you has placed {WORDS[stacked // 2]} cards",
        f"Shuffle the {cards} cards. Draw one at random",
        f"Stack the other {alone}, order up",
        f"an order each, {stacked} cards in the stack | one order, {alone} cards in the stack",
        f"| Rounds | {ROUNDS}; the other drafts first each time | {ROUNDS} |",
        f"| Draft | {CARDS_A_ROUND} cards, order up",
    ):
        assert told in TEXT, told


def test_every_card_and_every_set_is_as_described() -> None:
    (tiles_each,) = {sum(card.number(colour) for colour in COLOURS) for card in CARDS.values()}
    orders = {tuple(sorted(card.number(f"order_{c}") for c in COLOURS)) for card in CARDS.values()}
    assert orders == {SOLO_SETS}
    one, two, three, four = SOLO_SETS
    sets = f"{one}, {two}, {three} and {four} tiles"
    for told in (
        f"**{one}** of one kind, **{two}** of another, **{three}** of a third and **{four}** of",
        f"Each card shows {WORDS[tiles_each]} tiles",
        f"an order on one side, {WORDS[tiles_each]} tiles on the other",
        f"in sets of {sets}",
        f"**exactly {sets}**",
        f"exactly {sets} |",
    ):
        assert told in TEXT, told


def test_both_sides_of_a_card_are_as_described() -> None:
    both = figure(RULES, "Card 5, both sides")
    (card,) = {lying.piece for lying in both.laid}
    assert [lying.is_back for lying in both.laid] == [False, True]
    tiles_each = WORDS[len([*tiles(both.laid[1])])]
    assert both.caption == f"Card {card}, both sides: an order, and {tiles_each} tiles"
    assert f"The other side shows **{tiles_each} tiles**" in TEXT


def test_rule_cards_deal_as_the_booklet() -> None:
    cards = len(DECK.copies())
    text = in_a_line((TEMPLATES / "talavera/rule-cards.csv").read_text("utf-8"))
    for told in (
        f"Shuffle the {cards} cards, orders up",
        f"Stack the other {cards - 2}, orders up",
        f"After round {WORDS[ROUNDS]} you have placed {WORDS[(cards - 2) // 2]} cards",
        f"Deal **{WORDS[CARDS_A_ROUND]} cards** from the stack",
    ):
        assert told in text, told
    assert text.count("**1, 2, 3 and 4**") == 2


def test_corners_are_those_of_the_order() -> None:
    assert isinstance(CARDS_DESIGN.front, Order)
    (rows,) = tables(RULES, "Colour", "Corner of the order")
    corners = ("top left", "top right", "bottom left", "bottom right")
    assert {row["Corner of the order"]: row["Colour"].split()[-1] for row in rows} == {
        corner: art.name for corner, art in zip(corners, CARDS_DESIGN.front.quarters, strict=True)
    }


def test_draft_of_the_figure_goes_as_described() -> None:
    """The market of four, then of three, two, one: each stage without the cards taken before."""
    drawn = figure(RULES, "1 Ana turns over")
    stages = [drawn.laid[start:end] for start, end in pairwise((0, 4, 7, 9, 10))]
    left = [{card.piece for card in stage} for stage in stages]
    assert [len(cards) for cards in left] == [4, 3, 2, 1]
    up = [{card.piece for card in stage if card.is_back} for stage in stages]
    taken = [(before - after).pop() for before, after in pairwise([*left, set[str]()])]
    assert len(up[0]) == len(up[1] - up[0]) == 2
    assert up[1:] == left[1:]
    assert taken[0] in up[0]
    first = "1 Ana turns over two cards and takes one of them."
    second = f"2 Ben turns over the other two and takes one of the {WORDS[len(left[1])]} left."
    rest = f"3 Ana takes one of the last {WORDS[len(left[2])]}. 4 Ben takes the last card."
    assert drawn.caption == f"{first} {second} {rest}"
    won = [_of(stage, id_) for stage, id_ in zip(stages, taken, strict=True)]
    assert _framed() == [(card.x, card.y) for card in won]
    assert [label for label, _ in drawn.marks] == ["1 Ana", "2 Ben", "3 Ana", "4 Ben"]
    assert all(
        is_below(card, at) and not is_within(drawn.laid, *at) for card, (_, at) in zip(won, drawn.marks, strict=True)
    )


def is_below(card: Laid, at: Point) -> bool:
    """It is under the middle of a card, and close to its foot."""
    foot = card.y + DECK.size.height
    return at[0] == card.x + DECK.size.width / 2 and foot < at[1] < foot + TILE * 1.5


def test_finished_stairs_fill_the_order_exactly() -> None:
    drawn = figure(RULES, "A finished flight of stairs.")
    *_, order_card = drawn.laid
    order = order_of(order_card)
    assert len(drawn.laid) == ROUNDS * CARDS_A_ROUND // 2 + 1
    assert len({card.piece for card in drawn.laid}) == len(drawn.laid)
    assert +shown(drawn.laid) == order
    told = dict(reversed(pair) for pair in re.findall(r"(\d) (yellow|red|azure|sky)", drawn.caption))
    assert {colour: int(number) for colour, number in told.items()} == order
    most = sum(points(wanted, wanted) for wanted in order.values())
    assert drawn.caption.endswith(f": {most} points.")


def _of(cards: Sequence[Laid], id_: str) -> Laid:
    (found,) = (card for card in cards if card.piece == id_)
    return found


def _framed() -> list[Point]:
    """The top left corners of all boxes in figures."""
    return [(float(x), float(y)) for x, y in re.findall(r"^box (\S+) (\S+)", RULES, re.M)]


def test_placements_show_what_the_caption_says() -> None:
    drawn = figure(RULES, "Card 5 has two yellow tiles and two azure ones")
    pairs = [drawn.laid[at : at + 2] for at in range(0, len(drawn.laid), 2)]
    assert [+shown(pair) for pair in pairs] == [{"yellow": 2}, {"azure": 2}, {}]
    assert {pair[0].piece for pair in pairs} == {"5"}
    told = "It may go to yellow (1) or, turned upside down, to azure (2). It may not go to sky (3)"
    assert told in drawn.caption
    assert all(is_within([pair[1]], *at) for pair, (_, at) in zip(pairs, drawn.marks, strict=True))
    ((sign, at),) = drawn.signs
    distance = [abs(pair[0].x - at[0]) for pair in pairs]
    assert (sign, min(distance)) == ("cross", distance[2])


def test_solo_stairs_show_what_the_caption_says() -> None:
    drawn = figure(RULES, "After three rounds: 2 yellow, 3 red and 4 azure tiles")
    seen = +shown(drawn.laid)
    assert seen == {"yellow": 2, "red": 3, "azure": 4}
    assert {label for label, _ in drawn.marks} == {f"{n} {colour}" for colour, n in seen.items()}
    assert all(_is_named(drawn, *mark) for mark in drawn.marks)
    assert len(drawn.laid) == 2 * 3 + 1
    first = min(drawn.laid, key=lambda card: card.x)
    assert CARDS[first.piece].number("yellow") == 0
    assert "The card at the far left shows no yellow and adds none" in drawn.caption
    (missing,), (colour,) = {*SOLO_SETS} - {*seen.values()}, {*COLOURS} - {*seen}
    told = f"To win, the last two cards must show exactly {WORDS[missing]} {colour} tile between"
    assert told in drawn.caption


def _is_named(drawn: Figure, label: str, at: Point) -> bool:
    """A label is beside all cards; it, or the tip of its arrow, is close to tiles of its colour."""
    tip = next((end for start, end in drawn.arrows if start[1] == at[1]), at)
    named = [(x, y) for card in drawn.laid if card.is_back for colour, x, y in tiles(card) if label.endswith(colour)]
    return not is_within(drawn.laid, *at) and min(dist(tip, tile) for tile in named) < 2.5 * TILE


@pytest.mark.parametrize("colour", COLOURS)
def test_card_slid_out_shows_one_colour_and_all_of_it(colour: str) -> None:
    """As the booklet tells to, where the card has the colour."""
    for id_, card in CARDS.items():
        if card.number(colour):
            wholly, partly = looking_out(slid(id_, colour))
            assert (wholly, partly) == ({colour: card.number(colour)}, set()), id_


def test_card_slid_out_where_it_lacks_the_colour_may_show_parts_of_others() -> None:
    looks = {
        (id_, colour): looking_out(slid(id_, colour))
        for id_, card in CARDS.items()
        for colour in COLOURS
        if not card.number(colour)
    }
    assert not any(wholly for wholly, _ in looks.values())
    assert looks["2", "yellow"][1] == {"azure"}
    assert looks["3", "red"][1] == {"sky"}
    assert "even where a tile of another colour sticks out in part" in TEXT


def slid(card: str, colour: str) -> Laid:
    """As the booklet tells to: yellow left, red right; turned, sky at the top, azure below."""
    across, down = {"yellow": (-1, 0), "red": (1, 0), "sky": (0, -1), "azure": (0, 1)}[colour]
    turn = 180 if colour in ("sky", "azure") else 0
    return Laid(card, True, STEP * across, STEP * down, turn, False, "cards")


def looking_out(card: Laid) -> tuple[Counter[str], set[str]]:
    """Tiles of a card beneath an order that are seen wholly; colours of those seen in part."""
    order = Laid("10", False, 0.0, 0.0, 0, False, "cards")
    wholly, partly = Counter[str](), set()
    for colour, x, y in tiles(card):
        hidden = {is_within([order], *spot) for spot in spots(x, y)}
        if hidden == {False}:
            wholly[colour] += 1
        elif False in hidden:
            partly.add(colour)
    return wholly, partly


def test_figures_show_no_card_that_the_balanced_deck_has_otherwise() -> None:
    """But as an order, of which nothing is told."""
    balanced = {piece.id: piece.row for piece in pipeline.read("talavera-balanced").game.components[0].pieces}
    other = {id_ for id_, card in CARDS.items() if dict(card.row) != dict(balanced[id_])}
    assert other == {"9", "15"}
    told = f"with cards {' and '.join(sorted(other, key=int))} drawn anew: no two cards show the"
    faces = [tuple(int(row[colour]) for colour in COLOURS) for row in balanced.values()]
    (each,) = {sum(counts) for counts in zip(*faces, strict=True)}
    assert len({*faces}) == len(faces)
    assert f"{told} same tiles, and there are {each} tiles of each colour" in TEXT
    assert not other & set(re.findall(r"^cards (\d+) back", RULES, re.M))
