"""The census of hands as answers: exact where it is feasible, of a sample elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, TypeVar

from msgspec.structs import replace

from generator.basics.errors import MisfitError, count_of, quote
from generator.faces.templating.sandbox import Expression
from generator.model import Column, Component
from generator.play.odds.answers import (
    Chance,
    Number,
    OddsAnswer,
    OddsRow,
    Signature,
    count_cards,
    counted,
    number_each,
    plain,
    sampled,
    say_number,
    say_value,
    value_each,
)
from generator.play.odds.hands import (
    Pattern,
    TooManyStepsError,
    count_classes,
    count_patterns,
    count_sums,
    draw_hands,
    pattern_of,
    samples_for,
)

Kind = TypeVar("Kind")
OTHER = "none of these"
_FACTS = ("kinds", "most", "sum", "min", "max")
FACTS_HINT = "write a column with one of .kinds, .most, .sum, .min and .max: suit.kinds == 1"


def answer_deck(component: Component, title: str | None, text: str) -> OddsAnswer:
    """How many cards have each value. Raises MisfitError."""
    values = count_cards(component, [value_each(component, text)])
    cards = sum(values.values())
    order = sorted(values.items(), key=lambda item: _order_value(item[0][0]))
    rows = [
        OddsRow(say_value(key[0]), counted(copies, cards), f"{copies} of {cards}")
        for key, copies in order
    ]
    said = f"{count_of(len(rows), 'different value')} on {count_of(cards, 'card')}."
    if all(isinstance(key[0], int | float) for key in values):
        total = sum(number * copies for (number,), copies in values.items())
        said = f"{say_number(total)} in all, {say_number(total / cards)} a card."
    return OddsAnswer(
        kind="deck",
        title=title or text,
        component=component.title,
        said=(said,),
        heads=(text, "cards"),
        rows=tuple(rows),
        plot="bars",
        of_rows="share of the cards",
    )


def _order_value(value: Any) -> tuple[bool, float, str]:
    """Numbers come first."""
    is_number = isinstance(value, int | float)
    return not is_number, value if is_number else 0.0, str(value)


def answer_sums(component: Component, title: str | None, text: str, draw: int) -> OddsAnswer:
    """The distribution of a sum over the cards of a hand. Raises MisfitError."""
    values = number_each(component, text)
    deck = {key[0]: copies for key, copies in count_cards(component, [values]).items()}
    found, samples = _count_or_draw(deck, draw, lambda: count_sums(deck, draw), sum)
    counts = dict(sorted(found.items()))
    chances = _chances(counts, samples)
    rows = [
        OddsRow(say_number(total), chance, at=plain(total)) for total, chance in chances.items()
    ]
    said = _describe_sums(deck, draw, counts)
    title = title or f"{text} of {draw} cards"
    answer = _answer_hands(component, title, draw, said, (text, ""), rows, samples)
    if not all(isinstance(total, int) for total in counts):
        return answer
    return replace(answer, plot="histogram", of_rows=f"{text} of {draw} cards")


def _count_or_draw(
    deck: Mapping[Kind, int],
    draw: int,
    count: Callable[[], Mapping[Any, int]],
    judge: Callable[[Sequence[Kind]], Any],
) -> tuple[Mapping[Any, int], int]:
    """How many hands there are of each sort, by counting all or, where these are too many, random
    ones; and the number of these."""
    try:
        return count(), 0
    except TooManyStepsError:
        samples, kinds = samples_for(draw), list(deck)
        hands = draw_hands(list(deck.values()), draw, samples)
        return Counter(judge([kinds[card] for card in hand]) for hand in hands), samples


def _answer_hands(
    component: Component,
    title: str,
    draw: int,
    said: str,
    heads: tuple[str, str],
    rows: Sequence[OddsRow],
    samples: int,
) -> OddsAnswer:
    return OddsAnswer(
        kind="hand",
        title=title,
        component=component.title,
        said=(said,),
        heads=heads,
        rows=tuple(rows),
        samples=samples,
        plot="bars",
        of_rows="chance",
        hand=draw,
    )


def _describe_sums(deck: Mapping[Number, int], draw: int, counts: Mapping[Number, int]) -> str:
    """Mean and deviation are exact even for a sample: they need no census."""
    cards = sum(deck.values())
    mean = Fraction(sum(value * copies for value, copies in deck.items()), cards)
    spread = sum(copies * (value - mean) ** 2 for value, copies in deck.items()) / cards
    rest = Fraction(cards - draw, cards - 1) if cards > 1 else 0
    deviation = sqrt(draw * spread * rest)
    low, high = _quantile(counts, Fraction(1, 20)), _quantile(counts, Fraction(19, 20))
    return (
        f"{say_number(draw * mean)} on average, standard deviation {say_number(deviation)}; "
        f"9 of 10 hands have {say_number(low)} to {say_number(high)}."
    )


def _quantile(counts: Mapping[Number, int], share: Fraction) -> Number:
    """The least sum that so many hands do not exceed."""
    below, total = 0, sum(counts.values())
    for value, count in counts.items():
        below += count
        if below >= share * total:
            return value
    return 0


def answer_patterns(component: Component, title: str | None, text: str, draw: int) -> OddsAnswer:
    """The hands by how many cards are alike in something. Raises MisfitError."""
    deck = count_cards(component, [value_each(component, text)])
    copies = list(deck.values())
    found, samples = _count_or_draw(deck, draw, lambda: count_patterns(copies, draw), pattern_of)
    counts = dict(sorted(found.items(), reverse=True))
    total = sum(counts.values())
    kinds = Fraction(sum(len(pattern) * count for pattern, count in counts.items()), total)
    rows = [
        OddsRow("-".join(map(str, pattern)) or "0", chance, _say_pattern(pattern))
        for pattern, chance in _chances(counts, samples).items()
    ]
    said = f"{say_number(kinds)} different values of {text} on average."
    title = title or f"{text} of {draw} cards"
    return _answer_hands(component, title, draw, said, ("cards alike", ""), rows, samples)


def _say_pattern(pattern: Pattern) -> str:
    if not pattern or pattern[0] == 1:
        return "all different"
    return "all alike" if len(pattern) == 1 else ""


def read_classes(classes: dict[str, str]) -> dict[str, str]:
    """The conditions of classes, proven to read only facts of a hand. Raises MisfitError."""
    for name in _list_facts(classes):
        column, _, fact = name.rpartition(".")
        if not column or fact not in _FACTS:
            raise MisfitError(f"{quote(name)} is no fact of a hand", FACTS_HINT)
    return classes


def list_class_columns(classes: Mapping[str, str]) -> list[Column]:
    """The columns whose facts the conditions read."""
    names = {name.rpartition(".")[0] for name in _list_facts(classes)}
    return [Column(name) for name in sorted(names)]


def _list_facts(classes: Mapping[str, str]) -> list[str]:
    """The names of facts: "rank.sum"."""
    return sorted({name for text in classes.values() for name in Expression(text).names})


def answer_classes(
    component: Component, title: str | None, classes: Mapping[str, str], draw: int
) -> OddsAnswer:
    """The hands by the first class whose condition holds. Raises MisfitError."""
    judge = _Judge(component, classes)
    deck, classify = judge.deck, judge.classify
    counts, samples = _count_or_draw(
        deck, draw, lambda: count_classes(deck, draw, classify), classify
    )
    whole = {name: counts.get(name, 0) for name in (*classes, OTHER)}
    rows = [OddsRow(name, chance) for name, chance in _chances(whole, samples).items()]
    said = f"The first class that fits counts, for hands of {draw}."
    title = title or f"Classes of {draw} cards"
    return _answer_hands(component, title, draw, said, ("class", ""), rows, samples)


class _Judge:
    """Finds the class of a hand."""

    def __init__(self, component: Component, classes: Mapping[str, str]) -> None:
        self._classes = {name: Expression(text) for name, text in classes.items()}
        facts = [
            (name.rpartition(".")[0], name.rpartition(".")[2]) for name in _list_facts(classes)
        ]
        columns = sorted({column for column, _ in facts})
        numeric = {column for column, fact in facts if fact in ("sum", "min", "max")}
        values = [
            number_each(component, column) if column in numeric else value_each(component, column)
            for column in columns
        ]
        self._facts = [(f"{column}.{fact}", columns.index(column), fact) for column, fact in facts]
        self.deck = count_cards(component, values)

    def classify(self, hand: Sequence[Signature]) -> str:
        scope = {
            name: _find_fact([card[at] for card in hand], fact) for name, at, fact in self._facts
        }
        fits = (name for name, class_ in self._classes.items() if class_.value(scope))
        return next(fits, OTHER)


def _find_fact(values: Sequence[Any], fact: str) -> Any:
    """How many different values, how many of the most frequent one, their sum, least, greatest."""
    match fact:
        case "kinds":
            return len(set(values))
        case "most":
            return max(Counter(values).values(), default=0)
        case "sum":
            return plain(sum(values))
        case "min":
            return plain(min(values, default=0))
        case _:
            return plain(max(values, default=0))


def _chances(counts: Mapping[Any, int], samples: int) -> dict[Any, Chance]:
    total = sum(counts.values())
    return {
        key: sampled(count, samples) if samples else counted(count, total)
        for key, count in counts.items()
    }
