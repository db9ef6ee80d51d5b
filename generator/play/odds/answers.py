"""The answer to a question about a deck: sentences, rows of numbers, and what to plot.

Expressions over a component's columns count its cards by their values; a die is no card, but its
faces are. Counts have the interval in which the true value lies 19 times of 20.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, Literal, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, count_of, did_you_mean, quote
from generator.faces.templating.sandbox import Expression, value_of
from generator.layout.nets import Net
from generator.layout.solids import is_die
from generator.model import Component, Piece
from generator.play.odds.hands import Membership, Number, Pool
from generator.play.odds.questions import FACE, WantedCards
from generator.tables.schema import fold

_LEAST_SHOWN = 0.0005  # a smaller share is also told as one in so many

K = TypeVar("K")
Plot = Literal["", "bars", "histogram"]
_LONGEST = 120  # characters of a value in a line
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
Signature = tuple[Any, ...]  # the values of a card
DOUBT = 0.05  # how often a true value lies outside its interval


class Chance(Struct, frozen=True):
    """A share with the ends of its 95 % interval. An exact one has equal ends, and the numbers of
    hands that it counts."""

    share: float
    low: float
    high: float
    ways: int | None = None
    of: int | None = None

    def __str__(self) -> str:
        if self.ways is None:
            return f"{say_share(self.share)} ({_percent(self.low)} to {_percent(self.high)} %)"
        return say_share(self.share)


def say_share(share: float) -> str:
    """A share in percent, to a tenth; a small one also as one in so many."""
    if 0 < share < _LEAST_SHOWN:
        return f"{100 * share:.2g} % (1 in {round(1 / share):,})"
    if 0 < 1 - share < _LEAST_SHOWN:
        return "> 99.9 %"
    return f"{_percent(share)} %"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def exact(chance: Fraction) -> Chance:
    """A chance without an interval."""
    return counted(chance.numerator, chance.denominator)


def counted(ways: int, of: int) -> Chance:
    """The chance of `ways` of `of` equally likely hands."""
    share = float(Fraction(ways, of))
    return Chance(share, share, share, ways, of)


def sampled(hits: int, samples: int) -> Chance:
    """The share of a sample with its interval."""
    return Chance(hits / samples, *bound_share(hits, samples))


def chances_of(counts: Mapping[K, int], samples: int = 0) -> dict[K, Chance]:
    """The share of each count: of all hands, or of random ones if there are `samples`."""
    total = sum(counts.values())
    return {key: sampled(count, samples) if samples else counted(count, total) for key, count in counts.items()}


class OddsRow(Struct, frozen=True):
    """A line of an answer: a chance, a number, or words about a card. `at` is its place on the axis of the plot."""

    label: str
    chance: Chance | None = None
    note: str = ""
    at: float | None = None


class OddsCurve(Struct, frozen=True):
    """A curve or a cloud of named points to plot."""

    label: str
    points: tuple[tuple[float, float], ...]
    has_line: bool = True
    names: tuple[str, ...] = ()


class OddsAnswer(Struct, frozen=True):
    """The answer to one question.

    said: sentences, the main result first.
    heads: the headings of the rows: what the labels and the notes are.
    samples: the number of random hands; 0 if it is exact.
    plot: how to plot the rows, along an axis with the title `of_rows`.
    across, up: the titles of the axes of the curves.
    chance: the answer in one number, if there is one.
    hand: the number of cards in a hand, to show some; 0 for a question without hands.
    kind, component: those of the question. noun: what a piece of that is called.
    """

    title: str
    said: tuple[str, ...]
    heads: tuple[str, str] = ("", "")
    rows: tuple[OddsRow, ...] = ()
    samples: int = 0
    plot: Plot = ""
    of_rows: str = ""
    curves: tuple[OddsCurve, ...] = ()
    across: str = ""
    up: str = "chance"
    chance: Chance | None = None
    hand: int = 0
    kind: str = ""
    component: str = ""
    noun: str = "card"

    @property
    def method(self) -> str:
        """How the answer was found."""
        return f"from {self.samples:,} random hands" if self.samples else "exact"


class HandPart(Struct, frozen=True):
    """The part of a hand from one component; of dice, the pieces are the faces. Put back, a card may come again."""

    component: Component
    draw: int
    is_put_back: bool = False
    is_rolled: bool = False

    @property
    def cards(self) -> int:
        return sum(piece.copies for piece in self.component.pieces)


def noun_of(component: Component) -> str:
    """The word for the pieces of a component: a hexagon is no card."""
    return "card" if component.shape.kind == "rectangle" else "piece"


def check_draw(part: HandPart, draw: int) -> None:
    """Raises MisfitError if the deck has fewer cards."""
    if draw > part.cards:
        noun = noun_of(part.component)
        raise MisfitError(f"{draw} {noun}s are drawn from {count_of(part.cards, noun)}", "draw fewer")


def draw_part(component: Component, draw: int, is_put_back: bool = False, faces: Sequence[str] = ()) -> HandPart:
    """A draw of so many cards of a component, or dice; `faces` are expressions of what each face shows, by default
    its number. Raises MisfitError if the component has fewer cards."""
    if isinstance(component.shape, Net) and is_die(component.shape):
        return _roll(component, draw, faces)
    part = HandPart(component, draw, is_put_back)
    check_draw(part, min(draw, 1) if is_put_back else draw)
    return part


def _roll(component: Component, draw: int, faces: Sequence[str]) -> HandPart:
    """Dice that show the same. Raises MisfitError."""
    dice, panels = cards_of(component), cast("Net", component.shape).panels
    check_draw(HandPart(component, 1), 1)
    shown = set(zip(*(value_each(component, text) for text in faces), strict=True))
    if len(shown) > 1:
        raise MisfitError("the dice are not alike", "make a component of each kind")
    sides = sum(not panel.is_glued for panel in panels)
    values = shown.pop() if shown else range(1, sides + 1)
    if len(values) != sides:
        raise MisfitError(f"{len(values)} faces for a die of {sides}", "name one for each side")
    pieces = (replace(dice[0], row={**dice[0].row, FACE: face}, copies=1) for face in values)
    return HandPart(replace(component, pieces=tuple(pieces)), draw, True, True)


def say_parts(parts: Sequence[HandPart]) -> str:
    """The draw in words: "3 of 17 cards", "3 of 17 Cards and 2 dice"."""
    said = []
    for part in parts:
        cards = f"{part.cards} {part.component.title}"
        cards = cards if len(parts) > 1 else count_of(part.cards, noun_of(part.component))
        again = ", each put back" if part.is_put_back else ""
        said.append(f"{part.draw} dice" if part.is_rolled else f"{part.draw} of {cards}{again}")
    return " and ".join(said)


def nouns_of(parts: Sequence[HandPart]) -> str:
    """The word for what a hand has: "cards", "pieces" or "dice"."""
    nouns = {noun_of(part.component) for part in parts if not part.is_rolled}
    return "dice" if not nouns else "cards" if nouns == {"card"} else "pieces"


def size_shown(parts: Sequence[HandPart]) -> int:
    """The cards of a hand that pictures can show; 0 if it is none of one deck."""
    return 0 if len(parts) > 1 or parts[0].is_put_back else parts[0].draw


def value_each(component: Component, text: str) -> list[Any]:
    """The value of an expression for each piece that has copies, a list as the text of its items.
    Raises MisfitError."""
    expression = Expression(text)
    values = (expression.value(dict(_values(piece, expression))) for piece in cards_of(component))
    return [", ".join(map(str, value)) if isinstance(value, list | tuple) else value for value in values]


def number_each(component: Component, text: str) -> list[Number]:
    """The values of `value_each` as exact numbers. Raises MisfitError if one is no number."""
    values = value_each(component, text)
    return [exact_number(value, text, piece) for value, piece in zip(values, cards_of(component), strict=True)]


def cards_of(component: Component) -> list[Piece]:
    """The rows of a component with at least one copy."""
    return [piece for piece in component.pieces if piece.copies]


def count_cards(component: Component, values: Sequence[Sequence[Any]]) -> dict[Signature, int]:
    """The copies of cards by their values: a list of values for each expression."""
    counts: Counter[Signature] = Counter()
    for piece, *signature in zip(cards_of(component), *values, strict=True):
        counts[tuple(signature)] += piece.copies
    return dict(counts)


def pools_of(
    parts: Sequence[HandPart], texts: Sequence[str], read: Callable[[Component, str], list[Any]] = value_each
) -> list[Pool[Signature]]:
    """The cards of each part by the values of expressions. Raises MisfitError."""
    decks = [count_cards(part.component, [read(part.component, text) for text in texts]) for part in parts]
    return [Pool(deck, part.draw, part.is_put_back) for deck, part in zip(decks, parts, strict=True)]


def find_members(parts: Sequence[HandPart], wanted: Sequence[WantedCards]) -> list[Pool[Membership]]:
    """The cards of each part by what they count for; none where a table lacks a column of a
    condition, and that of another part has it. Raises MisfitError."""

    def has_columns(component: Component, text: str) -> bool:
        names = Expression(text).names - {"id"}
        return all(_find_key(name, piece) in piece.row for piece in cards_of(component) for name in names)

    def read(component: Component, text: str) -> list[bool]:
        is_known = any(has_columns(part.component, text) for part in parts)
        if is_known and not has_columns(component, text):
            return [False] * len(cards_of(component))
        return list(map(bool, value_each(component, text)))

    return pools_of(parts, [wish.where for wish in wanted], read)


def exact_number(value: Any, text: str, piece: Piece) -> Number:
    """A number to six places, without the last bits of a float. Raises MisfitError."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        fraction = Fraction(f"{value:.6f}")
        return fraction.numerator if fraction.denominator == 1 else fraction
    if isinstance(value, str) and _DECIMAL.fullmatch(value):  # "1.50"
        return exact_number(float(value), text, piece)
    what = f"{quote(text)} is {quote(value)} for {quote(piece.id)}, not a number"
    raise MisfitError(what, "[component.default] fills empty cells: 0")


def _values(piece: Piece, expression: Expression) -> Iterator[tuple[str, Any]]:
    for name in expression.names:
        key = _find_key(name, piece)
        if key not in piece.row and key != "id":
            raise MisfitError(f"there is no column {quote(name)}", did_you_mean(name, piece.row))
        yield name, value_of(piece.row[key]) if key in piece.row else piece.id


def _find_key(name: str, piece: Piece) -> str:
    return name if name in piece.row else fold(name)


def plain(number: Number) -> int | float:
    """A number for a person or a plot."""
    return number if isinstance(number, int) else float(number)


def say_number(number: Number | float) -> str:
    """A number in few digits."""
    said = f"{float(round(Fraction(number), 2)):.2f}".rstrip("0").rstrip(".")
    return "0" if said == "-0" else said.replace("-", "−")


def say_value(value: Any) -> str:
    """A value of a cell in a line of text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:.10g}"
    text = str(value) or "(empty)"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def find_deviations(doubt: float = DOUBT) -> float:
    """How many standard deviations on either side leave this doubt under the normal distribution: 1.96 for 0.05."""
    from statistics import NormalDist  # a game that is only read needs none

    return NormalDist().inv_cdf(1 - doubt / 2)


def bound_share(part: float, whole: int) -> tuple[float, float]:
    """The ends of the interval of a share, from 0 to 1, by Wilson (1927): it fits near 0 and 1 too.
    For parts that are not whole it is a little too wide. Raises ZeroDivisionError for no whole."""
    share, z2 = part / whole, find_deviations() ** 2 / whole
    middle = (share + z2 / 2) / (1 + z2)
    half = sqrt(z2 * (share * (1 - share) + z2 / 4)) / (1 + z2)
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))
