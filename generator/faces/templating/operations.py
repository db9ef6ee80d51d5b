"""Take values of an expression, compute with them: its operators, functions, filters and tests.

Every operation that can grow a value has a limit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from generator.basics.errors import MisfitError, quote
from generator.faces.templating.formats import (
    MAX_TEXT,
    check_length,
    format_value,
    repeat,
    replace,
    say,
)

MAX_ITEMS = 200  # of one loop
_MOST = 10**15  # larger numbers are not exact
_MAX_BASE, _MAX_POWER = 1000, 10


def number_of(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def split_words(text: str) -> list[str]:
    parts = re.split(r"[,;|]", text) if re.search(r"[,;|]", text) else text.split()
    return [word for part in parts if (word := part.strip())]


def sound(value: Any) -> Any:
    """Returns a value. Raises MisfitError if it is too large."""
    if isinstance(value, str):
        check_length(len(value))
    if isinstance(value, int | float) and not (isfinite(value) and abs(value) <= _MOST):
        raise MisfitError("a number too large to print", f"at most {_MOST:,}")
    return value


def calculate(operator: str, left: Any, right: Any) -> Any:
    are_numbers = isinstance(left, int | float) and isinstance(right, int | float)
    if operator == "+" and isinstance(left, str) and isinstance(right, str):
        return sound(left + right)
    if operator == "%" and isinstance(left, str):
        return format_value(left, right)
    if operator == "*" and (isinstance(left, str) or isinstance(right, str)):
        return repeat(left, right) if isinstance(left, str) else repeat(right, left)
    if not are_numbers:
        is_format = operator == "%" and isinstance(right, str)
        hint = "the format comes first: '%02d' % cost" if is_format else "join texts with ~"
        what = f"{quote(left)} {operator} {quote(right)} cannot be computed"
        raise MisfitError(what, hint)
    sound(left), sound(right)
    if operator == "**" and not (abs(left) <= _MAX_BASE and 0 <= right <= _MAX_POWER):
        raise MisfitError("the power is too high", f"at most {_MAX_BASE} ** {_MAX_POWER}")
    return sound(OPERATORS[operator](left, right))


OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b,
}


def _join(items: Any, by: str = "") -> str:
    words = _items(items)
    if sum(map(len, words)) + len(str(by)) * len(words) > MAX_TEXT:
        raise MisfitError("the joined text is too long", f"at most {MAX_TEXT:,} characters")
    return str(by).join(words)


def _items(value: Any) -> list[str]:
    return split_words(value) if isinstance(value, str) else [say(item) for item in value]


def _range(*ends: Any) -> list[int]:
    numbers = range(*map(int, ends))
    if len(numbers) > MAX_ITEMS:
        raise MisfitError(f"a range of {len(numbers):,} numbers", f"at most {MAX_ITEMS}")
    return list(numbers)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {"range": _range, "min": min, "max": max}
FILTERS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "capitalize": lambda text: str(text).capitalize(),
    "first": lambda text: next(iter(_items(text)), ""),
    "format": format_value,
    "int": lambda value: int(sound(number_of(str(value).strip() or "0"))),
    "join": _join,
    "last": lambda text: next(iter(reversed(_items(text))), ""),
    "length": lambda value: len(value if isinstance(value, list | tuple) else str(value)),
    "lower": lambda text: str(text).lower(),
    "replace": replace,
    "round": lambda value, digits=0: (
        round(value, max(0, min(digits, 6))) if digits else round(value)
    ),
    "split": lambda text: _items(str(text)),
    "title": lambda text: str(text).title(),
    "trim": lambda text: str(text).strip(),
    "upper": lambda text: str(text).upper(),
}
# how many values stand in brackets behind the name of a filter; none by default
ARGUMENTS = {"format": (1, 1), "join": (0, 1), "replace": (2, 2), "round": (0, 1)}
EXAMPLES = {
    "format": "'%02d' | format(cost)",
    "join": "| join(', ')",
    "replace": "| replace('-', ' to ')",
    "round": "| round(1)",
}
TESTS: Mapping[str, Callable[..., Any]] = {
    "even": lambda value: int(value) % 2 == 0,
    "odd": lambda value: int(value) % 2 == 1,
}
