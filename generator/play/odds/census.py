"""The census of decks and of hands as answers: exact where it is feasible, else of a sample.

A line between what cards cost and what they are worth is fitted by least squares. Compared by what
they offer, some cards are beaten in everything by another, and some are alike.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, count_of
from generator.faces.templating.sandbox import Expression
from generator.model import Component
from generator.play.odds import answers, hands, questions

Kind = TypeVar("Kind")
OTHER = "none of these"
_MOST_DOTS = 1500  # of a plot
_NAMED = 3  # cards above and below the line
_MOST_CARDS = 4000  # pairs grow with the square
_MOST_NAMED = 5  # cards in a line
_FACTS: Mapping[str, Callable[[Sequence[Any]], Any]] = {  # questions.FACTS, of the values of a hand
    "kinds": lambda values: len(set(values)),
    "most": lambda values: max(Counter(values).values(), default=0),
    "sum": lambda values: answers.plain(sum(values)),
    "min": lambda values: answers.plain(min(values, default=0)),
    "max": lambda values: answers.plain(max(values, default=0)),
}


def answer_deck(component: Component, text: str) -> answers.OddsAnswer:
    """How many cards have each value. Raises MisfitError."""
    values = answers.count_cards(component, [answers.value_each(component, text)])
    cards = sum(values.values())
    order = sorted(values.items(), key=lambda item: _order_value(item[0][0]))
    rows = [
        answers.OddsRow(answers.say_value(key[0]), answers.counted(copies, cards), f"{copies} of {cards}")
        for key, copies in order
    ]
    noun = answers.noun_of(component)
    said = f"{count_of(len(rows), 'different value')} on {count_of(cards, noun)}."
    if all(isinstance(key[0], int | float) for key in values):
        total = sum(number * copies for (number,), copies in values.items())
        said = f"{answers.say_number(total)} in all, {answers.say_number(total / cards)} a {noun}."
    return answers.OddsAnswer(
        text, (said,), heads=(text, f"{noun}s"), rows=tuple(rows), plot="bars", of_rows=f"share of the {noun}s"
    )


def _order_value(value: Any) -> tuple[bool, float, str]:
    """Numbers come first."""
    is_number = isinstance(value, int | float)
    return not is_number, value if is_number else 0.0, str(value)


def answer_sums(parts: Sequence[answers.HandPart], text: str) -> answers.OddsAnswer:
    """The distribution of a sum over the cards of a hand. Raises MisfitError."""
    pools = [_by_value(pool) for pool in answers.pools_of(parts, [text], answers.number_each)]
    found, samples = _count_or_draw(pools, hands.count_sums, sum)
    counts = dict(sorted(found.items()))
    chances = answers.chances_of(counts, samples)
    rows = [
        answers.OddsRow(answers.say_number(total), chance, at=answers.plain(total)) for total, chance in chances.items()
    ]
    said = _describe_sums(pools, counts)
    answer = _answer_hands(parts, text, said, (text, ""), rows, samples)
    if not all(isinstance(total, int) for total in counts):
        return answer
    return replace(answer, plot="histogram", of_rows=_name_hands(parts, text))


def _by_value(pool: hands.Pool[answers.Signature]) -> hands.Pool[Any]:
    """The cards by the one value of each."""
    return replace(pool, deck={key[0]: copies for key, copies in pool.deck.items()})


def _count_or_draw(
    pools: Sequence[hands.Pool[Kind]],
    count: Callable[[Sequence[hands.Pool[Kind]]], Mapping[Any, int]],
    judge: Callable[[Sequence[Kind]], Any],
) -> tuple[Mapping[Any, int], int]:
    """How many hands there are of each sort, by counting all or, where these are too many, random
    ones; and the number of these."""
    try:
        return count(pools), 0
    except hands.TooManyStepsError:
        samples = hands.samples_for(sum(pool.draw for pool in pools))
        return Counter(map(judge, hands.draw_from(pools, samples))), samples


def _answer_hands(
    parts: Sequence[answers.HandPart],
    what: str,
    said: str,
    heads: tuple[str, str],
    rows: Sequence[answers.OddsRow],
    samples: int,
) -> answers.OddsAnswer:
    return answers.OddsAnswer(
        title=_name_hands(parts, what),
        said=(said,),
        heads=heads,
        rows=tuple(rows),
        samples=samples,
        plot="bars",
        of_rows="chance",
        hand=answers.size_shown(parts),
    )


def _name_hands(parts: Sequence[answers.HandPart], what: str) -> str:
    """The census in a few words: cost of 3 cards."""
    return f"{what} of {sum(part.draw for part in parts)} {answers.nouns_of(parts)}"


def _describe_sums(pools: Sequence[hands.Pool[hands.Number]], counts: Mapping[hands.Number, int]) -> str:
    """Mean and deviation are exact even for a sample: they need no census."""
    total, spread = Fraction(0), Fraction(0)
    for pool in pools:
        cards, draw = pool.cards or 1, pool.draw
        mean = Fraction(sum(value * copies for value, copies in pool.deck.items()), cards)
        rest = Fraction(cards - draw, cards - 1) if cards > 1 else Fraction(0)
        squares = sum(copies * (value - mean) ** 2 for value, copies in pool.deck.items())
        total += draw * mean
        spread += draw * Fraction(squares) / cards * (1 if pool.is_put_back else rest)
    low, high = _quantile(counts, Fraction(1, 20)), _quantile(counts, Fraction(19, 20))
    return (
        f"{answers.say_number(total)} on average, standard deviation {answers.say_number(sqrt(spread))}; "
        f"9 of 10 have {answers.say_number(low)} to {answers.say_number(high)}."
    )


def _quantile(counts: Mapping[hands.Number, int], share: Fraction) -> hands.Number:
    """The least sum that so many hands do not exceed."""
    below, total = 0, sum(counts.values())
    for value, count in counts.items():
        below += count
        if below >= share * total:
            return value
    return 0


def answer_patterns(parts: Sequence[answers.HandPart], text: str) -> answers.OddsAnswer:
    """The hands by how many cards are alike in something. Raises MisfitError."""
    found, samples = _count_or_draw(answers.pools_of(parts, [text]), hands.count_patterns, hands.pattern_of)
    counts = dict(sorted(found.items(), reverse=True))
    total = sum(counts.values())
    kinds = Fraction(sum(len(pattern) * count for pattern, count in counts.items()), total)
    rows = [
        answers.OddsRow("-".join(map(str, pattern)) or "0", chance, _say_pattern(pattern))
        for pattern, chance in answers.chances_of(counts, samples).items()
    ]
    said = f"{answers.say_number(kinds)} different values of {text} on average."
    return _answer_hands(parts, text, said, (f"{answers.nouns_of(parts)} alike", ""), rows, samples)


def _say_pattern(pattern: hands.Pattern) -> str:
    if not pattern or pattern[0] == 1:
        return "all different"
    return "all alike" if len(pattern) == 1 else ""


def answer_classes(parts: Sequence[answers.HandPart], classes: Mapping[str, str]) -> answers.OddsAnswer:
    """The hands by the first class whose condition holds. Raises MisfitError."""
    judge = _Judge(classes)
    pools, classify = answers.pools_of(parts, judge.columns, judge.read), judge.classify
    counts, samples = _count_or_draw(pools, lambda pools: hands.count_classes(pools, classify), classify)
    whole = {name: counts.get(name, 0) for name in (*classes, OTHER)}
    rows = [answers.OddsRow(name, chance) for name, chance in answers.chances_of(whole, samples).items()]
    said = f"The first class that fits counts, for hands of {sum(part.draw for part in parts)}."
    return _answer_hands(parts, "Classes", said, ("class", ""), rows, samples)


class _Judge:
    """Finds the class of a hand, whose cards have the values of `columns`."""

    def __init__(self, classes: Mapping[str, str]) -> None:
        self._classes = {name: Expression(text) for name, text in classes.items()}
        self._facts = [(name, *name.rpartition(".")[::2]) for name in questions.list_facts(classes)]
        self.columns = questions.list_class_columns(classes)
        self._numeric = {column for _, column, fact in self._facts if fact in ("sum", "min", "max")}

    def read(self, component: Component, column: str) -> list[Any]:
        return (answers.number_each if column in self._numeric else answers.value_each)(component, column)

    def classify(self, hand: Sequence[answers.Signature]) -> str:
        values = dict(zip(self.columns, zip(*hand, strict=True), strict=False))
        scope = {name: _FACTS[fact](values.get(column, ())) for name, column, fact in self._facts}
        fits = (name for name, class_ in self._classes.items() if class_.value(scope))
        return next(fits, OTHER)


def answer_curve(component: Component, cost: str, worth: str, name: str) -> answers.OddsAnswer:
    """How many cards cost how much, and what a cost buys on average; `name` is what to call a card.
    Raises MisfitError."""
    cards = _price_cards(component, cost, worth, name)
    line = fit_line(cards)
    above, below = _find_farthest(cards, line) if line else ([], [])
    noun = answers.noun_of(component)
    said = [f"All {noun}s cost the same."]
    if line:
        base, slope = answers.say_number(line.base), answers.say_number(line.slope)
        said = [f"On average {worth} = {base} + {slope} × {cost}."]
        for where, few in (("above", above), ("below", below)):
            names = ", ".join(_say_off(piece, line) for piece in few)
            said += [f"Farthest {where} it: {names}."] if few else []
    return answers.OddsAnswer(
        title=f"{worth} for {cost}",
        said=tuple(said),
        heads=(cost, worth),
        rows=tuple(_list_costs(cards, noun)),
        plot="bars",
        of_rows=f"share of the {noun}s",
        curves=tuple(_plot(cards, line, {piece.id for piece in (*above, *below)}, noun)),
        across=cost,
        up=worth,
    )


def answer_comparison(component: Component, better: Mapping[str, questions.Direction], name: str) -> answers.OddsAnswer:
    """The cards that another one beats in these expressions, and twins. Raises MisfitError."""
    names, noun = list(map(answers.say_value, answers.value_each(component, name))), answers.noun_of(component)
    if len(names) > _MOST_CARDS:
        raise MisfitError(f"{len(names):,} {noun}s are compared", f"at most {_MOST_CARDS:,}")
    columns = [
        [number if way == "more" else -number for number in answers.number_each(component, text)]
        for text, way in better.items()
    ]
    offers = list(zip(*columns, strict=True))
    twins, dominated = find_twins(names, offers), find_dominated(names, offers)
    rows = [answers.OddsRow(id_, None, f"beaten by {_name_some(by)}") for id_, by in dominated]
    rows += [answers.OddsRow(twin[0], None, f"the same as {_name_some(twin[1:])}") for twin in twins]
    beaten = f"{len(dominated)} of {count_of(len(names), noun)} are beaten"
    alike = f"{sum(map(len, twins))} have a twin"
    way = ", ".join(f"{way} {text}" for text, way in better.items())
    return answers.OddsAnswer(
        title=f"Comparison by {', '.join(better)}",
        said=(f"{beaten}: another is worse in nothing and better in something. {alike}.", f"Better is {way}."),
        heads=(noun, "finding"),
        rows=tuple(rows),
    )


class PricedCard(Struct, frozen=True):
    """A card with what it costs and what it is worth."""

    id: str
    cost: hands.Number
    worth: hands.Number
    copies: int


class PriceLine(Struct, frozen=True):
    """The worth that a cost buys on average: base + slope · cost."""

    base: Fraction
    slope: Fraction

    def worth_at(self, cost: hands.Number) -> Fraction:
        return self.base + self.slope * cost

    def excess_of(self, card: PricedCard) -> Fraction:
        """How much more a card is worth than its cost buys on average."""
        return card.worth - self.worth_at(card.cost)


def fit_line(cards: Sequence[PricedCard]) -> PriceLine | None:
    """The line with the least squares of the differences, each copy counted; None if all cards cost the same."""
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
    names = map(answers.say_value, answers.value_each(component, name))
    costs, worths = answers.number_each(component, cost), answers.number_each(component, worth)
    copies = (piece.copies for piece in answers.cards_of(component))
    return list(map(PricedCard, names, costs, worths, copies))


def _find_farthest(cards: Sequence[PricedCard], line: PriceLine) -> tuple[list[PricedCard], list[PricedCard]]:
    """The few cards farthest above and below the line, the farthest first."""
    order = sorted(cards, key=line.excess_of, reverse=True)
    above = [piece for piece in order[:_NAMED] if line.excess_of(piece) > 0]
    return above, [piece for piece in order[::-1][:_NAMED] if line.excess_of(piece) < 0]


def _say_off(card: PricedCard, line: PriceLine) -> str:
    off = line.excess_of(card)
    return f"{card.id} ({'+' if off > 0 else '−'}{answers.say_number(abs(off))})"


def _list_costs(cards: Sequence[PricedCard], noun: str) -> Iterator[answers.OddsRow]:
    total = sum(card.copies for card in cards)
    for cost in sorted({card.cost for card in cards}):
        those = [card for card in cards if card.cost == cost]
        copies = sum(card.copies for card in those)
        mean = Fraction(sum(card.copies * card.worth for card in those), copies)
        note = f"{count_of(copies, noun)}, {answers.say_number(mean)} on average"
        yield answers.OddsRow(answers.say_number(cost), answers.counted(copies, total), note, answers.plain(cost))


def _plot(
    cards: Sequence[PricedCard], line: PriceLine | None, named: Collection[str], noun: str
) -> Iterator[answers.OddsCurve]:
    spots: dict[tuple[float, float], list[str]] = {}
    for card in cards:
        spot = spots.setdefault((float(card.cost), float(card.worth)), [])
        spot += [card.id] if card.id in named else []
    names = tuple(map(", ".join, spots.values()))
    if len(spots) <= _MOST_DOTS:
        yield answers.OddsCurve(f"{noun}s", tuple(spots), has_line=False, names=names)
    if line:
        ends = min(card.cost for card in cards), max(card.cost for card in cards)
        yield answers.OddsCurve("average", tuple((float(end), float(line.worth_at(end))) for end in ends))


def find_twins(ids: Sequence[str], offers: Sequence[Sequence[hands.Number]]) -> list[tuple[str, ...]]:
    """The groups of cards that offer the same."""
    alike: defaultdict[tuple[hands.Number, ...], list[str]] = defaultdict(list)
    for id_, offer in zip(ids, offers, strict=True):
        alike[tuple(offer)].append(id_)
    return [tuple(group) for group in alike.values() if len(group) > 1]


def find_dominated(ids: Sequence[str], offers: Sequence[Sequence[hands.Number]]) -> list[tuple[str, tuple[str, ...]]]:
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


def _rank(column: Sequence[hands.Number]) -> list[int]:
    order = {value: rank for rank, value in enumerate(sorted(set(column)))}
    return [order[value] for value in column]


def _name_some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
