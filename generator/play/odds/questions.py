"""The kinds of [[odds]]. Each table names its `kind` and has these fields.

The tables of a spec become questions about the cards of its components. A line between what cards
cost and what they are worth is fitted by least squares. Compared by what they offer, some cards are
beaten in everything by another, and some are alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from generator.basics import keys
from generator.basics.errors import (
    MisfitError,
    Place,
    PnpError,
    Problem,
    count_of,
    did_you_mean,
    fail,
    quote,
)
from generator.basics.keys import After, Custom, Keys, Reads, Schema, describe
from generator.faces.templating.sandbox import Expression
from generator.game.components import RoomTable
from generator.game.spec import Source
from generator.model import Column, Component
from generator.play.odds.answers import (
    Number,
    OddsAnswer,
    OddsCurve,
    OddsRow,
    cards_of,
    counted,
    number_each,
    plain,
    read_columns,
    say_number,
    say_value,
    value_each,
)
from generator.play.odds.census import (
    answer_classes,
    answer_deck,
    answer_patterns,
    answer_sums,
    list_class_columns,
    read_classes,
)
from generator.play.odds.wanted import (
    WANTED_HINT,
    HandDraw,
    Tempo,
    WantedCards,
    answer_draw,
    answer_goldfish,
    answer_resources,
    check_draw,
    read_wanted,
)
from generator.tables.fields import Name, Resources, Title

_MOST_DRAWN = 100
_MOST_TURNS = 50
_MOST_WANTED = 6
_MOST_PAID = 1_000_000
_MOST_DOTS = 1500  # of a plot
_NAMED = 3  # cards above and below the line
Direction = Literal["more", "less"]
_MOST_CARDS = 4000  # pairs grow with the square
_MOST_NAMED = 5  # cards in a line


def _expression(text: str) -> str:
    Expression(text)
    return text


def _some(wanted: tuple[WantedCards, ...]) -> tuple[WantedCards, ...]:
    """Not `min_length`, which counts only those without a fault. Raises MisfitError for none."""
    if not wanted:
        raise MisfitError("nothing is wanted", WANTED_HINT)
    return wanted


def _count(description: str, most: int, least: int = 0) -> Meta:
    return describe(description, ge=least, le=most)


Formula = Custom[str, After(_expression)]
WantedText = Custom[WantedCards, Reads(read_wanted), Schema({"type": "string"})]
Wanted = Custom[
    tuple[WantedText, ...],
    After(_some),
    describe(
        "numbers of cards and a condition for each; all must hold: [\"2-4 of kind == 'land'\"]",
        max_length=_MOST_WANTED,
        extra_json_schema={"minItems": 1},
    ),
]
Classes = Custom[
    dict[str, str],
    After(read_classes),
    describe("name = a condition of the hand; the first that holds counts", max_length=30),
]
Better = Custom[
    dict[Formula, Direction],
    describe(
        "'more' or 'less' for each column, whichever is better: { attack = 'more' }",
        min_length=1,
        max_length=30,
    ),
]
Drawn = Annotated[int, _count("how many cards are drawn", _MOST_DRAWN)]
Mulligans = Annotated[int, _count("how often a hand that lacks them is drawn anew", 5)]
Fewer = Annotated[int, _count("by how many cards each new hand is smaller", _MOST_DRAWN)]
CardCost = Annotated[Formula, describe("what a card costs: a column, or an expression")]
FirstHand = Annotated[int, _count("the cards of the first hand", _MOST_DRAWN)]
DrawnEachTurn = Annotated[int, _count("the cards drawn at the beginning of a turn", 20)]
DrawsFirst = Annotated[bool, describe("false: none are drawn in turn 1")]
Turns = Annotated[int, _count("how many turns", _MOST_TURNS, 1)]
CardName = Annotated[Formula, describe("what to call a card: a column, or an expression")]


class Asked(Keys, frozen=True, kw_only=True):
    """A question about the cards of a component; the fields of every kind."""

    kind: ClassVar[str]
    formulas: ClassVar[Sequence[str]] = ()  # the fields that read columns

    title: Annotated[Title | None, describe("the heading of the answer")] = None
    of: Annotated[Name | None, describe("the component that is drawn from; else the first")] = None

    def columns(self) -> list[Column]:
        return read_columns([getattr(self, name) for name in self.formulas])

    def answer(self, component: Component) -> OddsAnswer:
        """Raises MisfitError if these cards have no answer."""
        raise NotImplementedError


class DrawQuestion(Asked, frozen=True, kw_only=True):
    """The chance that a hand holds wanted cards, and how it grows with the cards drawn."""

    kind = "draw"
    draw: Drawn
    want: Wanted
    mulligans: Mulligans = 0
    fewer: Fewer = 0

    def columns(self) -> list[Column]:
        return read_columns([wanted.where for wanted in self.want])

    def answer(self, component: Component) -> OddsAnswer:
        hands = HandDraw(self.draw, self.mulligans, self.fewer)
        return answer_draw(component, self.title, hands, self.want)


class HandQuestion(Asked, frozen=True, kw_only=True):
    """The census of all hands: by a sum over their cards, by how many are alike, or by classes."""

    kind = "hand"
    draw: Drawn
    sum: Annotated[Formula | None, describe("what the cards of a hand add up: 'cost'")] = None
    by: Annotated[Formula | None, describe("in what cards are alike: 'suit'")] = None
    classes: Classes = {}

    def __post_init__(self) -> None:
        if sum(map(bool, (self.sum, self.by, self.classes))) != 1:
            raise MisfitError("write one of sum, by and classes", "sum = 'cost'")

    def columns(self) -> list[Column]:
        if self.classes:
            return list_class_columns(self.classes)
        return read_columns([self.sum or self.by or ""])

    def answer(self, component: Component) -> OddsAnswer:
        check_draw(len(component.copies()), self.draw)
        if self.sum:
            return answer_sums(component, self.title, self.sum, self.draw)
        if self.by:
            return answer_patterns(component, self.title, self.by, self.draw)
        return answer_classes(component, self.title, self.classes, self.draw)


class DeckQuestion(Asked, frozen=True, kw_only=True):
    """The census of the deck: how many cards have each value."""

    kind = "deck"
    formulas = ("by",)
    by: Annotated[Formula, describe("what to count the cards by: 'cost'")]

    def answer(self, component: Component) -> OddsAnswer:
        return answer_deck(component, self.title, self.by)


class CurveQuestion(Asked, frozen=True, kw_only=True):
    """How many cards cost how much, and what a cost buys on average (least squares)."""

    kind = "curve"
    formulas = ("cost", "worth", "name")
    cost: CardCost
    worth: Annotated[Formula, describe("what it is worth: 'attack + health'")]
    name: CardName = "id"

    def answer(self, component: Component) -> OddsAnswer:
        cards = _price_cards(component, self.cost, self.worth, self.name)
        line = fit_line(cards)
        above, below = _find_farthest(cards, line) if line else ([], [])
        said = ["All cards cost the same."]
        if line:
            base, slope = say_number(line.base), say_number(line.slope)
            said = [f"On average {self.worth} = {base} + {slope} × {self.cost}."]
            for where, few in (("above", above), ("below", below)):
                names = ", ".join(_say_off(piece, line) for piece in few)
                said += [f"Farthest {where} it: {names}."] if few else []
        return OddsAnswer(
            kind="curve",
            title=self.title or f"{self.worth} for {self.cost}",
            component=component.title,
            said=tuple(said),
            heads=(self.cost, self.worth),
            rows=tuple(_list_costs(cards)),
            plot="bars",
            of_rows="share of the cards",
            curves=tuple(_plot(cards, line, {piece.id for piece in (*above, *below)})),
            across=self.cost,
            up=self.worth,
        )


class CompareQuestion(Asked, frozen=True, kw_only=True):
    """The cards that another one beats, worse in nothing and better in something; and twins."""

    kind = "compare"
    better: Better
    name: CardName = "id"

    def columns(self) -> list[Column]:
        return read_columns([*self.better, self.name])

    def answer(self, component: Component) -> OddsAnswer:
        names = list(map(say_value, value_each(component, self.name)))
        if len(names) > _MOST_CARDS:
            raise MisfitError(f"{len(names):,} cards are compared", f"at most {_MOST_CARDS:,}")
        columns = [
            [number if way == "more" else -number for number in number_each(component, text)]
            for text, way in self.better.items()
        ]
        offers = list(zip(*columns, strict=True))
        twins, dominated = find_twins(names, offers), find_dominated(names, offers)
        rows = [OddsRow(id_, None, f"beaten by {_name_some(by)}") for id_, by in dominated]
        rows += [OddsRow(twin[0], None, f"the same as {_name_some(twin[1:])}") for twin in twins]
        beaten = f"{len(dominated)} of {count_of(len(names), 'card')} are beaten"
        alike = f"{sum(map(len, twins))} have a twin"
        way = ", ".join(f"{way} {text}" for text, way in self.better.items())
        return OddsAnswer(
            kind="compare",
            title=self.title or f"Comparison by {', '.join(self.better)}",
            component=component.title,
            said=(
                f"{beaten}: another is worse in nothing and better in something. {alike}.",
                f"Better is {way}.",
            ),
            heads=("card", "finding"),
            rows=tuple(rows),
        )


class GoldfishQuestion(Asked, frozen=True, kw_only=True):
    """How soon a hand holds a card that can be paid, if nothing is played before."""

    kind = "goldfish"
    formulas = ("cost",)
    cost: CardCost
    hand: FirstHand
    draw: DrawnEachTurn = 1
    draws_first: DrawsFirst = True
    income: Annotated[int, _count("what can be paid in turn 1", _MOST_PAID)] = 1
    growth: Annotated[int, _count("how much more in each later turn", _MOST_PAID)] = 1
    turns: Turns = 8

    def answer(self, component: Component) -> OddsAnswer:
        tempo = Tempo(self.hand, self.draw, self.income, self.growth, self.draws_first)
        return answer_goldfish(component, self.title, self.cost, tempo, self.turns)


class ResourcesQuestion(Asked, frozen=True, kw_only=True):
    """By which turn each cost can be paid with cards that give something each turn, such as lands;
    to lay them is free."""

    kind = "resources"
    formulas = ("cost", "gives")
    cost: CardCost
    gives: Annotated[
        Formula, describe("what a card gives each turn once it is laid: \"kind == 'land'\" for 1")
    ]
    hand: FirstHand
    draw: DrawnEachTurn = 1
    draws_first: DrawsFirst = True
    lays: Annotated[int, _count("how many cards that give can be laid in a turn", 20, 1)] = 1
    income: Annotated[int, _count("what can be paid without them in turn 1", _MOST_PAID)] = 0
    growth: Annotated[int, _count("how much more in each later turn", _MOST_PAID)] = 0
    turns: Turns = 8

    def answer(self, component: Component) -> OddsAnswer:
        tempo = Tempo(self.hand, self.draw, self.income, self.growth, self.draws_first)
        texts = self.cost, self.gives
        return answer_resources(component, self.title, texts, tempo, self.lays, self.turns)


class PricedCard(Struct, frozen=True):
    """A card with what it costs and what it is worth."""

    id: str
    cost: Number
    worth: Number
    copies: int


class PriceLine(Struct, frozen=True):
    """The worth that a cost buys on average: base + slope · cost."""

    base: Fraction
    slope: Fraction

    def worth_at(self, cost: Number) -> Fraction:
        return self.base + self.slope * cost

    def excess_of(self, card: PricedCard) -> Fraction:
        """By how much a card is worth more than its cost buys on average."""
        return card.worth - self.worth_at(card.cost)


def fit_line(cards: Sequence[PricedCard]) -> PriceLine | None:
    """The line with the least squares of the differences, each copy counted; None if all cards cost
    the same."""
    total = sum(card.copies for card in cards)
    cost = Fraction(sum(card.copies * card.cost for card in cards), total)
    worth = Fraction(sum(card.copies * card.worth for card in cards), total)
    spread = sum(card.copies * (card.cost - cost) ** 2 for card in cards)
    if not spread:
        return None
    joint = sum(card.copies * (card.cost - cost) * (card.worth - worth) for card in cards)
    slope = Fraction(joint) / spread
    return PriceLine(worth - slope * cost, slope)


def _price_cards(component: Component, cost: str, worth: str, name: str) -> list[PricedCard]:
    names = map(say_value, value_each(component, name))
    costs, worths = number_each(component, cost), number_each(component, worth)
    copies = (piece.copies for piece in cards_of(component))
    return list(map(PricedCard, names, costs, worths, copies))


def _find_farthest(
    cards: Sequence[PricedCard], line: PriceLine
) -> tuple[list[PricedCard], list[PricedCard]]:
    """The few cards farthest above and below the line, the farthest first."""
    order = sorted(cards, key=line.excess_of, reverse=True)
    above = [piece for piece in order[:_NAMED] if line.excess_of(piece) > 0]
    return above, [piece for piece in order[::-1][:_NAMED] if line.excess_of(piece) < 0]


def _say_off(card: PricedCard, line: PriceLine) -> str:
    off = line.excess_of(card)
    return f"{card.id} ({'+' if off > 0 else '−'}{say_number(abs(off))})"


def _list_costs(cards: Sequence[PricedCard]) -> Iterator[OddsRow]:
    total = sum(card.copies for card in cards)
    for cost in sorted({card.cost for card in cards}):
        those = [card for card in cards if card.cost == cost]
        copies = sum(card.copies for card in those)
        mean = Fraction(sum(card.copies * card.worth for card in those), copies)
        note = f"{count_of(copies, 'card')}, {say_number(mean)} on average"
        yield OddsRow(say_number(cost), counted(copies, total), note, plain(cost))


def _plot(
    cards: Sequence[PricedCard], line: PriceLine | None, named: Collection[str]
) -> Iterator[OddsCurve]:
    spots: dict[tuple[float, float], list[str]] = {}
    for card in cards:
        spot = spots.setdefault((float(card.cost), float(card.worth)), [])
        spot += [card.id] if card.id in named else []
    names = tuple(map(", ".join, spots.values()))
    if len(spots) <= _MOST_DOTS:
        yield OddsCurve("cards", tuple(spots), has_line=False, names=names)
    if line:
        ends = min(card.cost for card in cards), max(card.cost for card in cards)
        yield OddsCurve("average", tuple((float(end), float(line.worth_at(end))) for end in ends))


def find_twins(ids: Sequence[str], offers: Sequence[Sequence[Number]]) -> list[tuple[str, ...]]:
    """The groups of cards that offer the same."""
    alike: defaultdict[tuple[Number, ...], list[str]] = defaultdict(list)
    for id_, offer in zip(ids, offers, strict=True):
        alike[tuple(offer)].append(id_)
    return [tuple(group) for group in alike.values() if len(group) > 1]


def find_dominated(
    ids: Sequence[str], offers: Sequence[Sequence[Number]]
) -> list[tuple[str, tuple[str, ...]]]:
    """The cards that others dominate (Pareto): these are at least as good in everything and better
    in something. More is better in each offer.

    Numbers are compared by their order within a column, so nothing is rounded.
    """
    import numpy as np  # rarely needed: most commands only read the questions

    ranks = np.array([_rank(column) for column in zip(*offers, strict=True)]).T
    found = []
    for number, id_ in enumerate(ids):
        better = np.all(ranks >= ranks[number], axis=1) & np.any(ranks > ranks[number], axis=1)
        if better.any():
            found.append((id_, tuple(ids[int(at)] for at in np.flatnonzero(better))))
    return found


def _rank(column: Sequence[Number]) -> list[int]:
    order = {value: rank for rank, value in enumerate(sorted(set(column)))}
    return [order[value] for value in column]


def _name_some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


QUESTIONS: Mapping[str, type[Asked]] = {
    kind.kind: kind
    for kind in (
        CompareQuestion,
        CurveQuestion,
        DeckQuestion,
        DrawQuestion,
        GoldfishQuestion,
        HandQuestion,
        ResourcesQuestion,
    )
}


class PlacedQuestion(Struct, frozen=True):
    """A question, the id of the component that it is about, and its place in the spec."""

    question: Asked
    component: str
    place: Place


def _find_columns(source: Source) -> dict[str, list[Column]]:
    found: dict[str, list[Column]] = defaultdict(list)
    for placed in _read_placed(source):
        columns = placed.question.columns()
        found[placed.component] += (replace(column, reader=placed.place) for column in columns)
    return found


def _read(source: Source, _: Sequence[Component], __: Resources) -> tuple[PlacedQuestion, ...]:
    return tuple(_read_placed(source))


def _read_placed(source: Source) -> Iterator[PlacedQuestion]:
    """The questions of a spec. Reports each that has a fault."""
    ids = [id_ for raw, _ in source.tables("component") if isinstance(id_ := raw.get("id"), str)]
    for raw, path in source.tables("odds"):
        question = source.validate_tagged("kind", QUESTIONS, raw, path, None)
        if question is None:
            continue
        if question.of is not None and question.of not in ids:
            what = f"unknown component {quote(question.of)}"
            source.report((*path, "of"), what, did_you_mean(question.of, ids))
        elif ids:
            yield PlacedQuestion(question, question.of or ids[0], source.place(path))


ODDS = RoomTable[tuple[PlacedQuestion, ...]]("odds", QUESTIONS, _read, _find_columns)


def parse_question(raw: Mapping[str, Any], place: Place) -> Asked:
    """A question that is asked elsewhere than in a spec. Raises PnpError with each fault."""
    if "kind" not in raw:
        raise fail(place, "the key 'kind' is missing", did_you_mean("", QUESTIONS))
    kind = raw["kind"]
    if not isinstance(kind, str) or kind not in QUESTIONS:
        hint = did_you_mean(kind if isinstance(kind, str) else "", QUESTIONS)
        raise fail(place, f"unknown kind {quote(kind)}", hint)
    options = {key: value for key, value in raw.items() if key != "kind"}
    question, faults = keys.read(QUESTIONS[kind], options)
    if question is None:
        raise PnpError([Problem(place, fault.what, fault.hint) for fault in faults])
    return question
