"""Copies, deals, markets, several decks and dice against every deal of small decks, listed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place
from generator.basics.shapes import hexagon
from generator.layout.solids import die
from generator.model import Component
from generator.play.odds.answers import OddsAnswer
from generator.play.odds.questions import parse_question
from tests.play.odds.decks import deck_of, poker

_SHARE = re.compile(r": (?:> )?([0-9.]+) %")
COSTS = st.lists(st.integers(0, 3), min_size=1, max_size=6)
WANT = "1-2 of cost >= 2"  # with `is_wanted`


def is_wanted(hand: Iterable[int]) -> bool:
    return sum(cost >= 2 for cost in hand) in (1, 2)


def asked_of(column: str) -> dict[str, Any]:
    """The keys of each census."""
    return {"sum": column, "by": column, "classes": {"alike": f"{column}.kinds == 1"}}


def cards(costs: Sequence[int], id_: str = "cards") -> Component:
    return replace(deck_of([{"cost": str(cost)} for cost in costs]), id=id_)


def ask(component: Component, /, *others: Component, **raw: Any) -> OddsAnswer:
    components = {other.id: other for other in others}
    return parse_question(raw, Place("here")).answer(component, components)


def shares(answer: OddsAnswer) -> dict[str, Fraction]:
    """The rows that can occur."""
    assert answer.samples == 0
    chances = {row.label: row.chance for row in answer.rows if row.chance}
    found = {label: Fraction(chance.ways or 0, chance.of or 1) for label, chance in chances.items()}
    return {label: share for label, share in found.items() if share}


def listed(values: Iterable[object]) -> dict[str, Fraction]:
    counts = Counter(map(str, values))
    return {label: Fraction(count, counts.total()) for label, count in counts.items()}


def census(hands: Sequence[Sequence[Any]]) -> Mapping[str, dict[str, Fraction]]:
    """The rows of each census of these hands, by its key."""
    alike = [sorted(Counter(hand).values(), reverse=True) for hand in hands]
    return {
        "sum": listed(map(sum, hands)),
        "by": listed("-".join(map(str, numbers)) or "0" for numbers in alike),
        "classes": listed("alike" if len(set(h)) == 1 else "none of these" for h in hands),
    }


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 4), st.integers(1, 95))
def test_fewer_copies_are_not_enough(others: int, now: int, draw: int, percent: int) -> None:
    deck = cards([0] * others + [2] * now)
    answer = ask(deck, kind="copies", draw=draw, want=["1+ of cost"], chance=f"{percent}%")
    copies = max(0, draw - others)
    while 1 - Fraction(comb(others, draw), comb(others + copies, draw)) < Fraction(percent, 100):
        copies += 1
    unit = "copy" if copies == 1 else "copies"
    assert answer.said[0].startswith(f"{copies} {unit}: ")
    assert (f"({copies - 1}: " in answer.said[0]) == (copies > max(0, draw - others))
    assert answer.chance
    assert answer.chance.share >= percent / 100
    shown = [float(share) for share in _SHARE.findall(answer.said[0])]
    assert [share >= percent for share in shown] == [True, False][: len(shown)], answer.said[0]


def test_a_chance_that_is_not_enough_is_not_shown_as_enough() -> None:
    """1 - C(34, 6) / C(40, 6) is 64.96 %."""
    answer = ask(cards([0] * 34 + [2]), kind="copies", draw=6, want=["1+ of cost"], chance="65%")
    assert answer.said[0] == "7 copies: 70.1 % (6: 64.96 %)."


_TILES = [
    {"kind": "copies", "draw": 2, "want": ["1+ of cost"], "chance": "80%"},
    {"kind": "curve", "cost": "cost", "worth": "cost"},
    {"kind": "compare", "better": {"cost": "more"}},
    {"kind": "deal", "draw": 1, "seats": 2, "want": ["1+ of cost"]},
    {"kind": "deck", "by": "cost"},
    {"kind": "draw", "draw": 2, "want": ["1+ of cost"]},
    {"kind": "goldfish", "cost": "cost", "hand": 2},
    {"kind": "hand", "draw": 2, "sum": "cost"},
    {"kind": "market", "row": 2, "want": ["1+ of cost"]},
    {"kind": "resources", "cost": "cost", "gives": "cost == 0", "hand": 2},
]


@pytest.mark.parametrize("raw", _TILES, ids=lambda raw: raw["kind"])
def test_a_tile_is_no_card(raw: dict[str, Any]) -> None:
    deck = cards([0, 0, 1, 2, 3])
    tiles = replace(deck, id="tiles", title="Tiles", shape=hexagon(30, "edge"))
    told = repr(ask(tiles, **raw))
    assert "piece" in told
    assert "card" not in told
    assert "piece" not in repr(ask(deck, **raw))


def test_a_range_has_a_best_number_of_copies() -> None:
    """Exactly one of two cards, beside five others: 5 n of C(5 + n, 2) hands."""
    deck = cards([0] * 5 + [2])
    answer = ask(deck, kind="copies", draw=2, want=["1 of cost"], chance="90%")
    most = max(Fraction(5 * n, comb(5 + n, 2)) for n in range(1001))
    assert answer.said[0] == ("No number up to 1,000 reaches 90 %; nearest are 4 copies: 55.6 % (3: 53.6 %).")
    assert answer.chance
    assert answer.chance.share == float(most)
    assert [row.label for row in answer.rows if row.note == "now"] == ["1"]


def test_no_number_of_copies_is_certain() -> None:
    answer = ask(cards([0] * 5 + [2]), kind="copies", draw=2, want=["1+ of cost"], chance="100%")
    assert answer.said[0].endswith("nearest are 1000 copies: 99.998 % (999: 99.998 %).")


@settings(max_examples=25)
@given(COSTS, st.integers(1, 3), st.integers(1, 3))
def test_a_deal_is_that_of_every_order(costs: list[int], seats: int, draw: int) -> None:
    if seats * draw > len(costs):
        with pytest.raises(MisfitError, match="cards are drawn from"):
            ask(cards(costs), kind="deal", seats=seats, draw=draw, want=[WANT])
        return
    answer = ask(cards(costs), kind="deal", seats=seats, draw=draw, want=[WANT])
    holders = [
        sum(is_wanted(order[at * draw : at * draw + draw]) for at in range(seats)) for order in permutations(costs)
    ]
    assert shares(answer) == listed(holders)
    somebody = Fraction(sum(map(bool, holders)), len(holders))
    everybody = Fraction(holders.count(seats), len(holders))
    assert answer.chance
    assert answer.chance.share == float(somebody)
    assert f"{100 * float(everybody):.1f} %: everybody" in answer.said[0]


@pytest.mark.usefixtures("few_steps")
def test_a_deal_of_many_kinds_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody of four with five cards each of poker has an ace: 1 - C(48, 20) / C(52, 20)."""
    monkeypatch.setattr("generator.play.odds.hands.SAMPLES", 2_000)
    want = ["1+ of rank == 14", *(f"0+ of rank == {rank}" for rank in range(2, 7))]
    answer = ask(poker(), kind="deal", seats=4, draw=5, want=want)
    assert answer.samples == 2_000
    assert answer.chance
    assert answer.chance.low <= 1 - comb(48, 20) / comb(52, 20) <= answer.chance.high


@settings(max_examples=25)
@given(COSTS, st.integers(1, 3), st.integers(0, 2))
def test_a_market_is_that_of_every_order(costs: list[int], row: int, taken: int) -> None:
    row = min(row, len(costs))
    answer = ask(cards(costs), kind="market", row=row, taken=taken, turns=4, want=[WANT])
    orders = list(permutations(costs))
    seen = [sum(is_wanted(order[: row + taken * turn]) for order in orders) for turn in range(4)]
    found = shares(answer)
    assert [found.get(str(turn), 0) for turn in (1, 2, 3, 4)] == [Fraction(number, len(orders)) for number in seen]


@pytest.mark.usefixtures("few_steps")
def test_a_market_that_takes_too_long_is_refused() -> None:
    want = [f"2+ of rank == {rank}" for rank in range(2, 8)]
    with pytest.raises(MisfitError, match="too long to count"):
        ask(poker(), kind="market", row=20, turns=9, want=want)


@settings(max_examples=25)
@given(COSTS, COSTS, st.integers(0, 3), st.integers(1, 2))
def test_two_decks_are_those_of_all_pairs_of_hands(costs: list[int], risks: list[int], draw: int, more: int) -> None:
    draw, more = min(draw, len(costs)), min(more, len(risks))
    hands = [hand + other for hand in combinations(costs, draw) for other in combinations(risks, more)]
    decks = cards(costs), replace(cards(risks, "events"), title="Events")
    asked: dict[str, Any] = {"draw": draw, "plus": {"events": more}}
    answer = ask(*decks, kind="draw", want=[WANT], **asked)
    assert answer.component == "Cards and Events"
    assert answer.chance
    assert answer.chance.share == float(Fraction(sum(map(is_wanted, hands)), len(hands)))
    for key, value in asked_of("cost").items():
        assert shares(ask(*decks, kind="hand", **asked, **{key: value})) == census(hands)[key]


def test_a_condition_counts_cards_of_the_table_that_has_its_columns() -> None:
    events = replace(deck_of([{"danger": "3"}, {"danger": "1"}]), id="events")
    asked: dict[str, Any] = {"kind": "draw", "draw": 1, "plus": {"events": 1}}
    both = ask(cards([0, 2]), events, want=["1 of cost == 2", "1 of danger > 2"], **asked)
    assert both.chance
    assert both.chance.share == 0.25
    with pytest.raises(MisfitError, match="there is no column 'dangre'"):
        ask(cards([0, 2]), events, want=["1 of dangre > 2"], **asked)
    with pytest.raises(MisfitError, match="there is no column 'cost'"):
        ask(cards([0, 2]), events, kind="hand", draw=1, plus={"events": 1}, sum="cost")


def dice(sides: int, *rows: Mapping[str, str | int]) -> Component:
    return replace(deck_of(rows), shape=die(sides, 20.0), title="Dice")


@settings(max_examples=25)
@given(st.lists(st.integers(0, 3), min_size=4, max_size=4), st.integers(0, 4), st.booleans())
def test_dice_are_those_of_all_rolls(faces: list[int], draw: int, is_table: bool) -> None:
    """As a die of four sides with columns for its faces, and as a table of faces."""
    names = ["one", "two", "three", "four"]
    row = {name: str(face) for name, face in zip(names, faces, strict=True)}
    component, column = (cards(faces), "cost") if is_table else (dice(4, row), "face")
    asked: dict[str, Any] = {"put_back": True} if is_table else {"faces": names}
    rolls = list(product(faces, repeat=draw))
    want = [WANT.replace("cost", column)]
    answer = ask(component, kind="draw", draw=draw, want=want, **asked)
    assert answer.chance
    assert answer.chance.share == float(Fraction(sum(map(is_wanted, rolls)), len(rolls)))
    grown = dict(answer.curves[0].points)
    assert grown[float(draw)] == answer.chance.share
    assert grown[1.0] == sum(face >= 2 for face in faces) / 4
    for key, value in asked_of(column).items():
        found = ask(component, kind="hand", draw=draw, **asked, **{key: value})
        assert shares(found) == census(rolls)[key]


def test_a_die_shows_its_numbers_and_is_rolled_with_cards() -> None:
    pair = ask(dice(6, {"colour": "red"}, {"colour": "black"}), kind="hand", draw=2, sum="face")
    assert shares(pair)["7"] == Fraction(1, 6)
    assert pair.said[0].startswith("7 on average, standard deviation 2.42;")
    asked: dict[str, Any] = {"kind": "draw", "draw": 1, "plus": {"dice": 2}}
    rolled = replace(dice(20, {"x": "1"}), id="dice")
    answer = ask(cards([0, 0, 2]), rolled, want=["1 of cost == 2", "2 of face > 18"], **asked)
    assert shares(ask(cards([2]), rolled, want=["2 of face > 18"], **asked))["2"] == Fraction(1, 100)
    assert answer.said[0].endswith("among 1 of 3 Cards and 2 dice.")
    assert answer.chance
    assert answer.chance.share == pytest.approx(1 / 300)


@pytest.mark.usefixtures("few_steps")
def test_many_rolls_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the faces are greater than ten, in each of 40 rolls."""
    monkeypatch.setattr("generator.play.odds.hands.SAMPLES", 2_000)
    want = ["20+ of face > 10", *(f"0-40 of face == {face}" for face in range(1, 6))]
    answer = ask(dice(20, {"x": "1"}), kind="draw", draw=40, want=want)
    truth = sum(comb(40, number) for number in range(20, 41)) / 2**40
    assert answer.samples
    assert answer.chance
    assert answer.chance.low <= truth <= answer.chance.high


@pytest.mark.parametrize(
    ("component", "raw", "message"),
    [
        (cards([1]), {"draw": 1, "faces": ["cost"]}, "faces are of dice, and none are rolled"),
        (cards([1]), {"draw": 1, "plus": {"cards": 1}}, "plus has 'cards' again"),
        (deck_of([{"count": 0}]), {"draw": 1, "put_back": True}, "1 cards are drawn from 0 cards"),
        (dice(6, {"count": 0}), {"draw": 0}, "1 pieces are drawn from 0 pieces"),
        (dice(6, {"x": "1"}), {"draw": 1, "faces": ["x"]}, "1 faces for a die of 6"),
        (dice(6, {"x": "1"}, {"x": "2"}), {"draw": 1, "faces": ["x"] * 6}, "the dice are not alike"),
    ],
)
def test_what_cannot_be_drawn_is_told(component: Component, raw: dict[str, Any], message: str) -> None:
    with pytest.raises(MisfitError, match=message):
        ask(component, kind="draw", want=["1+ of true"], **raw)
