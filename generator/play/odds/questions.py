"""The kinds of [[odds]]. Each table names its `kind` and has these fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from generator.basics.errors import MisfitError
from generator.basics.keys import After, Custom, Keys, Reads, Schema, describe
from generator.faces.templating.sandbox import Expression
from generator.model import Column, Component
from generator.play.odds.answers import OddsAnswer
from generator.play.odds.cards import read_columns
from generator.play.odds.census import (
    answer_classes,
    answer_deck,
    answer_patterns,
    answer_sums,
    list_class_columns,
    read_classes,
)
from generator.play.odds.curves import answer_curve
from generator.play.odds.dominance import Direction, answer_comparison
from generator.play.odds.goldfish import Tempo, answer_goldfish
from generator.play.odds.resources import answer_resources
from generator.play.odds.wanted import (
    WANTED_HINT,
    HandDraw,
    WantedCards,
    answer_draw,
    check_draw,
    read_wanted,
)
from generator.tables.fields import Name, Title

_MOST_DRAWN = 100
_MOST_TURNS = 50
_MOST_WANTED = 6
_MOST_PAID = 1_000_000


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

    title: Annotated[Title | None, describe("the heading of the answer")] = None
    of: Annotated[Name | None, describe("the component that is drawn from; else the first")] = None

    def columns(self) -> list[Column]:
        raise NotImplementedError

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
        return read_columns([one.where for one in self.want])

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
    by: Annotated[Formula, describe("what to count the cards by: 'cost'")]

    def columns(self) -> list[Column]:
        return read_columns([self.by])

    def answer(self, component: Component) -> OddsAnswer:
        return answer_deck(component, self.title, self.by)


class CurveQuestion(Asked, frozen=True, kw_only=True):
    """How many cards cost how much, and what a cost buys on average (least squares)."""

    kind = "curve"
    cost: CardCost
    worth: Annotated[Formula, describe("what it is worth: 'attack + health'")]
    name: CardName = "id"

    def columns(self) -> list[Column]:
        return read_columns([self.cost, self.worth, self.name])

    def answer(self, component: Component) -> OddsAnswer:
        return answer_curve(component, self.title, self.cost, self.worth, self.name)


class CompareQuestion(Asked, frozen=True, kw_only=True):
    """The cards that another one beats, worse in nothing and better in something; and twins."""

    kind = "compare"
    better: Better
    name: CardName = "id"

    def columns(self) -> list[Column]:
        return read_columns([*self.better, self.name])

    def answer(self, component: Component) -> OddsAnswer:
        return answer_comparison(component, self.title, self.better, self.name)


class GoldfishQuestion(Asked, frozen=True, kw_only=True):
    """How soon a hand holds a card that can be paid, if nothing is played before."""

    kind = "goldfish"
    cost: CardCost
    hand: FirstHand
    draw: DrawnEachTurn = 1
    draws_first: DrawsFirst = True
    income: Annotated[int, _count("what can be paid in turn 1", _MOST_PAID)] = 1
    growth: Annotated[int, _count("how much more in each later turn", _MOST_PAID)] = 1
    turns: Turns = 8

    def columns(self) -> list[Column]:
        return read_columns([self.cost])

    def answer(self, component: Component) -> OddsAnswer:
        tempo = Tempo(self.hand, self.draw, self.income, self.growth, self.draws_first)
        return answer_goldfish(component, self.title, self.cost, tempo, self.turns)


class ResourcesQuestion(Asked, frozen=True, kw_only=True):
    """By which turn each cost can be paid with cards that give something each turn, such as lands;
    to lay them is free."""

    kind = "resources"
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

    def columns(self) -> list[Column]:
        return read_columns([self.cost, self.gives])

    def answer(self, component: Component) -> OddsAnswer:
        tempo = Tempo(self.hand, self.draw, self.income, self.growth, self.draws_first)
        texts = self.cost, self.gives
        return answer_resources(component, self.title, texts, tempo, self.lays, self.turns)


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
