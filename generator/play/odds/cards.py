"""Take a component and expressions over its columns, count its cards by their values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.faces.templating.sandbox import Expression, value_of
from generator.model import Column, Component, Piece

_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
_LONGEST = 120  # characters of a value in a line
Number = int | Fraction
Signature = tuple[Any, ...]  # the values of a card


def read_columns(expressions: Sequence[str]) -> list[Column]:
    """The columns that expressions read. Every piece has an id without one."""
    names = {name for text in expressions for name in Expression(text).names}
    return [Column(name) for name in sorted(names - {"id"})]


def value_each(component: Component, text: str) -> list[Any]:
    """The value of an expression for each piece that has copies, a list as the text of its items.
    Raises MisfitError."""
    expression = Expression(text)
    values = (expression.value(_scope(piece, expression)) for piece in cards_of(component))
    return [", ".join(map(str, one)) if isinstance(one, list | tuple) else one for one in values]


def number_each(component: Component, text: str) -> list[Number]:
    """The same, as exact numbers. Raises MisfitError if one is no number."""
    values = value_each(component, text)
    return [
        exact_number(value, text, piece)
        for value, piece in zip(values, cards_of(component), strict=True)
    ]


def cards_of(component: Component) -> list[Piece]:
    """The rows of a component with at least one copy."""
    return [piece for piece in component.pieces if piece.copies]


def count_cards(component: Component, values: Sequence[Sequence[Any]]) -> dict[Signature, int]:
    """The copies of cards by their values: a list of values for each expression."""
    counts: Counter[Signature] = Counter()
    for piece, *signature in zip(cards_of(component), *values, strict=True):
        counts[tuple(signature)] += piece.copies
    return dict(counts)


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


def _scope(piece: Piece, expression: Expression) -> Mapping[str, Any]:
    return dict(_values(piece, expression))


def _values(piece: Piece, expression: Expression) -> Iterator[tuple[str, Any]]:
    for name in expression.names:
        if name == "id" and name not in piece.row:
            yield name, piece.id
        elif name not in piece.row:
            hint = did_you_mean(name, piece.row)
            raise MisfitError(f"there is no column {quote(name)}", hint)
        else:
            yield name, value_of(piece.row[name])
