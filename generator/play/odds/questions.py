"""The kinds of [[odds]]. Each table names its `kind` and has these fields.

The tables of a spec become questions about the cards of its components. What answers them is loaded
with the first answer: `odds` names it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from generator.basics import keys
from generator.basics.errors import MisfitError, Place, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.keys import After, Custom, Keys, Reads, Schema, describe
from generator.faces.templating.sandbox import Expression
from generator.game.components import Headings, RoomTable
from generator.game.spec import Source
from generator.model import Column, Component
from generator.play import odds
from generator.tables.fields import Name, Title
from generator.tables.schema import find_name

_MOST_DRAWN = 100
_MOST_TURNS = 50
_MOST_WANTED = 6
_MOST_PAID = 1_000_000
_MOST_SEATS = 20
FACE = "face"  # the column that a roll adds to the row of a die
_WANTED = re.compile(r"(\d{1,4})(?:(\+)|-(\d{1,4}))?\s+of\s+(\S.*)", re.DOTALL)
_WANTED_HINT = "a number, 'of' and a condition: \"2+ of kind == 'land'\", \"1-3 of cost <= 2\""
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)\s*%")
_GOAL_HINT = "what the wanted cards shall have: '80%'"
Direction = Literal["more", "less"]
FACTS = ("kinds", "most", "sum", "min", "max")  # of the values of a hand
_FACTS_HINT = "write a column with one of .kinds, .most, .sum, .min and .max: suit.kinds == 1"


class CountRange(Struct, frozen=True):
    """How many cards are wanted; any number from `least` if `most` is None."""

    least: int
    most: int | None = None

    def holds(self, count: int) -> bool:
        return self.least <= count and (self.most is None or count <= self.most)

    @property
    def cap(self) -> int:
        """From this number on, more cards make no difference."""
        return self.least if self.most is None else self.most + 1

    def __str__(self) -> str:
        if self.most is None:
            return f"at least {self.least}"
        return f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"


class WantedCards(Struct, frozen=True):
    """How many cards are wanted, and the condition for a card to count."""

    range: CountRange
    where: str

    def __str__(self) -> str:
        return f"{self.range} of {self.where}"


def read_wanted(text: object) -> WantedCards:
    """The parts of "2-4 of kind == 'land'". Raises MisfitError."""
    found = _WANTED.fullmatch(text.strip()) if isinstance(text, str) else None
    if not found:
        raise MisfitError(f"{quote(text)} does not say how many of what", _WANTED_HINT)
    least, is_open, most = int(found[1]), bool(found[2]), found[3]
    last = None if is_open else int(most) if most else least
    if last is not None and last < least:
        raise MisfitError(f"{quote(text)}: {last} is less than {least}", _WANTED_HINT)
    return WantedCards(CountRange(least, last), Expression(found[4]).source)


def read_goal(text: object) -> Fraction:
    """The share of "80%". Raises MisfitError."""
    found = _PERCENT.fullmatch(text.strip()) if isinstance(text, str) else None
    share = Fraction(found[1]) / 100 if found else Fraction(0)
    if not 0 < share <= 1:
        raise MisfitError(f"{quote(text)} is not a chance in percent", _GOAL_HINT)
    return share


def read_classes(classes: dict[str, str]) -> dict[str, str]:
    """The conditions of classes, proven to read only facts of a hand. Raises MisfitError."""
    for name in list_facts(classes):
        column, _, fact = name.rpartition(".")
        if not column or fact not in FACTS:
            raise MisfitError(f"{quote(name)} is no fact of a hand", _FACTS_HINT)
    return classes


def list_class_columns(classes: Mapping[str, str]) -> list[str]:
    """The columns of which conditions read facts."""
    return sorted({name.rpartition(".")[0] for name in list_facts(classes)})


def list_facts(classes: Mapping[str, str]) -> list[str]:
    """The names of facts: "rank.sum"."""
    return sorted({name for text in classes.values() for name in Expression(text).names})


def read_columns(expressions: Sequence[str]) -> list[Column]:
    """The columns that expressions read. Every piece has an id without one."""
    names = {name for text in expressions for name in Expression(text).names}
    return [Column(name) for name in sorted(names - {"id"})]


def _expression(text: str) -> str:
    Expression(text)
    return text


def _some(wanted: tuple[WantedCards, ...]) -> tuple[WantedCards, ...]:
    """Not `min_length`, which counts only those without a fault. Raises MisfitError for none."""
    if not wanted:
        raise MisfitError("nothing is wanted", _WANTED_HINT)
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
    describe("'more' or 'less' for each column, whichever is better: { attack = 'more' }", min_length=1, max_length=30),
]
Drawn = Annotated[int, _count("how many cards are drawn", _MOST_DRAWN)]
Mulligans = Annotated[int, _count("how often a hand that lacks them is drawn anew", 5)]
Fewer = Annotated[int, _count("by how many cards each new hand is smaller", _MOST_DRAWN)]
CardCost = Annotated[Formula, describe("what a card costs: a column, or an expression")]
FirstHand = Annotated[int, _count("the cards of the first hand", _MOST_DRAWN)]
DrawnEachTurn = Annotated[int, _count("the cards drawn at the beginning of a turn", 20)]
DrawsFirst = Annotated[bool, describe("false: none are drawn in turn 1")]
Turns = Annotated[int, _count("how many turns", _MOST_TURNS, 1)]
Goal = Custom[Fraction, Reads(read_goal), Schema({"type": "string"}), describe(_GOAL_HINT)]
CardName = Annotated[Formula, describe("what to call a card: a column, or an expression")]


class Asked(Keys, frozen=True, kw_only=True):
    """A question about the cards of a component; the fields of every kind."""

    kind: ClassVar[str]
    formulas: ClassVar[Sequence[str]] = ()  # the fields that read columns

    title: Annotated[Title | None, describe("the heading of the answer")] = None
    of: Annotated[Name | None, describe("the component that is drawn from; else the first")] = None

    def columns(self) -> list[Column]:
        return read_columns(list(self.texts()))

    def texts(self) -> Iterator[str]:
        for value in map(partial(getattr, self), self.formulas):
            several = [value] if isinstance(value, str) else value or ()
            yield from (getattr(text, "where", text) for text in several)

    def named(self) -> list[tuple[str, str]]:
        """The components that the table names, each behind its key."""
        return [("of", self.of)] if self.of is not None else []

    def answer(self, component: Component, components: Mapping[str, Component] = {}) -> odds.OddsAnswer:
        """`components` has those of the game by their ids. Raises MisfitError if these cards have no answer."""
        found = self.find(component, components)
        beside = [components[name].title for key, name in self.named() if key != "of"]
        titles = " and ".join([component.title, *beside])
        title, noun = self.title or found.title, odds.noun_of(component)
        return replace(found, kind=self.kind, title=title, component=titles, noun=noun)

    def find(self, component: Component, components: Mapping[str, Component]) -> odds.OddsAnswer:
        """The answer, with a title for want of another. Raises MisfitError."""
        raise NotImplementedError


class HandAsked(Asked, frozen=True, kw_only=True):
    """A question about hands; the fields of both kinds. Of dice, a hand is a roll."""

    draw: Annotated[int, _count("how many cards are drawn, or dice rolled", _MOST_DRAWN)]
    plus: Annotated[
        dict[Name, Annotated[int, _count("how many of it are drawn", _MOST_DRAWN)]],
        describe("what is drawn of other components too: { events = 2 }", max_length=5),
    ] = {}
    put_back: Annotated[bool, describe("each card goes back before the next is drawn")] = False
    faces: Annotated[
        tuple[Formula, ...],
        describe("what each side of the dice shows, else its number: ['one', 'two']", max_length=20),
    ] = ()

    def named(self) -> list[tuple[str, str]]:
        return [*super().named(), *(("plus", name) for name in self.plus)]

    def parts(self, component: Component, components: Mapping[str, Component]) -> list[odds.HandPart]:
        """The parts of the hand to draw. Raises MisfitError."""
        if component.id in self.plus:
            raise MisfitError(f"plus has {quote(component.id)} again", "add its number to draw")
        drawn = [(component, self.draw)]
        drawn += [(components[name], number) for name, number in self.plus.items()]
        parts = [odds.draw_part(of, number, self.put_back, self.faces) for of, number in drawn]
        if self.faces and not any(part.is_rolled for part in parts):
            hint = "put_back = true draws from a table with a row for each face"
            raise MisfitError("faces are of dice, and none are rolled", hint)
        return parts


class DrawQuestion(HandAsked, frozen=True, kw_only=True):
    """The chance that a hand holds wanted cards, and how it grows with the cards drawn."""

    kind = "draw"
    formulas = ("want", "faces")
    want: Wanted
    mulligans: Mulligans = 0
    fewer: Fewer = 0

    def find(self, component: Component, components: Mapping[str, Component]) -> odds.OddsAnswer:
        parts, redraws = self.parts(component, components), odds.Redraws(self.mulligans, self.fewer)
        return odds.answer_draw(parts, self.want, redraws)


class HandQuestion(HandAsked, frozen=True, kw_only=True):
    """The census of all hands: by a sum over their cards, by how many are alike, or by classes."""

    kind = "hand"
    formulas = ("sum", "by", "faces")
    sum: Annotated[Formula | None, describe("what the cards of a hand add up: 'cost'")] = None
    by: Annotated[Formula | None, describe("in what cards are alike: 'suit'")] = None
    classes: Classes = {}

    def __post_init__(self) -> None:
        if sum(map(bool, (self.sum, self.by, self.classes))) != 1:
            raise MisfitError("write one of sum, by and classes", "sum = 'cost'")

    def texts(self) -> Iterator[str]:
        return chain(super().texts(), list_class_columns(self.classes))

    def find(self, component: Component, components: Mapping[str, Component]) -> odds.OddsAnswer:
        parts = self.parts(component, components)
        if self.sum:
            return odds.answer_sums(parts, self.sum)
        if self.by:
            return odds.answer_patterns(parts, self.by)
        return odds.answer_classes(parts, self.classes)


class CopiesQuestion(Asked, frozen=True, kw_only=True):
    """The least number of copies of the wanted cards with which a hand has them so often."""

    kind = "copies"
    formulas = ("want",)
    draw: Drawn
    want: Wanted
    chance: Goal

    def __post_init__(self) -> None:
        if len(self.want) > 1:
            raise MisfitError("copies are counted for one condition", "write one in want")

    def find(self, component: Component, _: Mapping[str, Component]) -> odds.OddsAnswer:
        return odds.answer_copies(component, self.draw, self.want[0], self.chance)


class DealQuestion(Asked, frozen=True, kw_only=True):
    """How many seats with hands of one deck hold wanted cards: somebody, everybody."""

    kind = "deal"
    formulas = ("want",)
    seats: Annotated[int, _count("how many are dealt a hand", _MOST_SEATS, 1)]
    draw: Drawn
    want: Wanted

    def find(self, component: Component, _: Mapping[str, Component]) -> odds.OddsAnswer:
        return odds.answer_deal(odds.HandPart(component, self.draw), self.seats, self.want)


class MarketQuestion(Asked, frozen=True, kw_only=True):
    """By which turn wanted cards have lain in an open row, if some are taken in each turn."""

    kind = "market"
    formulas = ("want",)
    row: Annotated[int, _count("how many cards lie open", _MOST_DRAWN, 1)]
    taken: Annotated[int, _count("how many are taken in a turn, and replaced", 20)] = 1
    want: Wanted
    turns: Turns = 8

    def find(self, component: Component, _: Mapping[str, Component]) -> odds.OddsAnswer:
        tempo = odds.Tempo(self.row, self.taken, 0, 0, draws_first=False)
        return odds.answer_market(component, self.want, tempo, self.turns)


class DeckQuestion(Asked, frozen=True, kw_only=True):
    """The census of the deck: how many cards have each value."""

    kind = "deck"
    formulas = ("by",)
    by: Annotated[Formula, describe("what to count the cards by: 'cost'")]

    def find(self, component: Component, _: Mapping[str, Component]) -> odds.OddsAnswer:
        return odds.answer_deck(component, self.by)


class CurveQuestion(Asked, frozen=True, kw_only=True):
    """How many cards cost how much, and what a cost buys on average (least squares)."""

    kind = "curve"
    formulas = ("cost", "worth", "name")
    cost: CardCost
    worth: Annotated[Formula, describe("what it is worth: 'attack + health'")]
    name: CardName = "id"

    def find(self, component: Component, _: Mapping[str, Component]) -> odds.OddsAnswer:
        return odds.answer_curve(component, self.cost, self.worth, self.name)


class CompareQuestion(Asked, frozen=True, kw_only=True):
    """The cards that another one beats, worse in nothing and better in something; and twins."""

    kind = "compare"
    formulas = ("better", "name")
    better: Better
    name: CardName = "id"

    def find(self, component: Component, _: Mapping[str, Component]) -> odds.OddsAnswer:
        return odds.answer_comparison(component, self.better, self.name)


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

    def find(self, component: Component, _: Mapping[str, Component]) -> odds.OddsAnswer:
        tempo = odds.Tempo(self.hand, self.draw, self.income, self.growth, self.draws_first)
        return odds.answer_goldfish(component, self.cost, tempo, self.turns)


class ResourcesQuestion(Asked, frozen=True, kw_only=True):
    """By which turn each cost can be paid with cards that give something each turn, such as lands;
    to lay them is free."""

    kind = "resources"
    formulas = ("cost", "gives")
    cost: CardCost
    gives: Annotated[Formula, describe("what a card gives each turn once it is laid: \"kind == 'land'\" for 1")]
    hand: FirstHand
    draw: DrawnEachTurn = 1
    draws_first: DrawsFirst = True
    lays: Annotated[int, _count("how many cards that give can be laid in a turn", 20, 1)] = 1
    income: Annotated[int, _count("what can be paid without them in turn 1", _MOST_PAID)] = 0
    growth: Annotated[int, _count("how much more in each later turn", _MOST_PAID)] = 0
    turns: Turns = 8

    def find(self, component: Component, _: Mapping[str, Component]) -> odds.OddsAnswer:
        tempo = odds.Tempo(self.hand, self.draw, self.income, self.growth, self.draws_first)
        texts = self.cost, self.gives
        return odds.answer_resources(component, texts, tempo, self.lays, self.turns)


QUESTIONS: Mapping[str, type[Asked]] = {
    kind.kind: kind
    for kind in (
        CompareQuestion,
        CopiesQuestion,
        CurveQuestion,
        DealQuestion,
        DeckQuestion,
        DrawQuestion,
        GoldfishQuestion,
        HandQuestion,
        MarketQuestion,
        ResourcesQuestion,
    )
}


class PlacedQuestion(Struct, frozen=True):
    """A question, the id of the component that it is about, and its place in the spec."""

    question: Asked
    component: str
    place: Place


def _find_columns(source: Source, headings: Headings) -> dict[str, list[Column]]:
    """The columns of questions. Of several components, those that have one; if none has it, the first."""
    found: dict[str, list[Column]] = defaultdict(list)
    tables = {raw.get("id"): (raw, path) for raw, path in source.tables("component")}
    for placed in _read_placed(source):
        drawn = {name: tables[name] for name in (placed.component, *(name for _, name in placed.question.named()))}
        own = {name: headings(*table) for name, table in drawn.items()} if drawn.keys() - {placed.component} else {}
        shapes = [raw.get("shape") for raw, _ in drawn.values()]
        rolled = [FACE for shape in shapes if isinstance(shape, dict) and shape.get("kind") == "die"]
        for column in placed.question.columns():
            if column.name in rolled or not all(own.values()):
                continue
            having = [name for name, names in own.items() if find_name(column.name, names)]
            for name in having or [placed.component]:
                found[name].append(replace(column, reader=placed.place))
    return found


def _read_placed(source: Source) -> Iterator[PlacedQuestion]:
    """The questions of a spec. Reports each that has a fault."""
    ids = [id_ for raw, _ in source.tables("component") if isinstance(id_ := raw.get("id"), str)]
    for raw, path in source.tables("odds"):
        question = source.validate_tagged("kind", QUESTIONS, raw, path, None)
        if question is None:
            continue
        unknown = [(key, name) for key, name in question.named() if name not in ids]
        for key, name in unknown:
            source.report((*path, key), f"unknown component {quote(name)}", did_you_mean(name, ids))
        if ids and not unknown:
            yield PlacedQuestion(question, question.of or ids[0], source.place(path))


ODDS = RoomTable[tuple[PlacedQuestion, ...]](
    "odds", QUESTIONS, lambda source, _, __: tuple(_read_placed(source)), _find_columns
)


def parse_question(raw: Mapping[str, Any], place: Place) -> Asked:
    """A question that is asked elsewhere than in a spec. Raises PnpError with each fault."""
    if "kind" not in raw:
        raise fail(place, "the key 'kind' is missing", did_you_mean("", QUESTIONS))
    kind = raw["kind"]
    if not isinstance(kind, str) or kind not in QUESTIONS:
        raise fail(place, f"unknown kind {quote(kind)}", did_you_mean(kind if isinstance(kind, str) else "", QUESTIONS))
    options = {key: value for key, value in raw.items() if key != "kind"}
    question, faults = keys.read(QUESTIONS[kind], options)
    if question is None:
        raise PnpError([Problem(place, fault.what, fault.hint) for fault in faults])
    return question
