"""Take a text or a number in an expression, make another text of limited length."""

from __future__ import annotations

import re
from typing import Any

from generator.basics.errors import MisfitError, quote
from generator.basics.geometry import decimal

MAX_TEXT = 10_000  # characters of a value
MAX_TIMES = 100
_FORMAT = re.compile(
    r"(?P<before>(?:[^%]|%%)*+)%(?P<flags>[0+,]{0,3})(?P<width>[1-9][0-9]?)?(?:\.(?P<digits>[0-9]))?"
    r"(?P<kind>[dfs])(?P<after>(?:[^%]|%%)*+)"
)
_FORMAT_HINT = "for example '%02d' for 07, '%.1f' for 7.0, '%,d' for 7,000"


def check_length(length: int) -> None:
    """Raises MisfitError if a text would be too long."""
    if length > MAX_TEXT:
        raise MisfitError(f"a text of {length:,} characters", f"at most {MAX_TEXT:,}")


def say(value: Any) -> str:
    """A value as it is printed."""
    return decimal(value, 6) if isinstance(value, float) else str(value)


def replace(value: Any, old: Any, new: Any) -> str:
    """A text with other words in it. Raises MisfitError if it becomes too long."""
    text, before, after = say(value), say(old), say(new)
    if not before:
        raise MisfitError("replace has nothing to look for", "write | replace('-', ' to ')")
    check_length(len(text) + text.count(before) * (len(after) - len(before)))
    return text.replace(before, after)


def repeat(text: str, times: Any) -> str:
    """A text repeated; "" for an empty cell. Raises MisfitError if `times` is not valid."""
    if "" in (text, times):
        return ""
    is_whole = isinstance(times, int) and not isinstance(times, bool)
    if not is_whole or not 0 <= times <= MAX_TIMES:
        what = f"{quote(text)} * {quote(times)} cannot be computed"
        raise MisfitError(what, f"a text times a whole number from 0 to {MAX_TIMES}")
    check_length(len(text) * times)
    return text * int(times)


def format_value(pattern: Any, value: Any) -> str:
    """A number or a text, formatted by a pattern such as '%02d'. Raises MisfitError if the pattern
    or the value does not fit."""
    match = _FORMAT.fullmatch(pattern) if isinstance(pattern, str) else None
    if match is None or (match["kind"] != "f" and match["digits"]):
        hint = (
            _FORMAT_HINT if "%" in str(pattern) else "the format comes first: '%02d' | format(cost)"
        )
        raise MisfitError(f"{quote(pattern)} is not a format", hint)
    before, after = (str(match[part]).replace("%%", "%") for part in ("before", "after"))
    text = f"{before}{_format(match, value)}{after}"
    check_length(len(text))
    return text


def _format(match: re.Match[str], value: Any) -> str:
    width, kind = match["width"] or "", match["kind"]
    if kind == "s":
        return say(value).rjust(int(width or 0))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MisfitError(f"{quote(value)} is not a number", "use %s for a text")
    if kind == "d" and value != int(value):
        raise MisfitError(f"{say(value)} is not a whole number", "use '%.1f', or | round")
    number = int(value) if kind == "d" else float(value)
    flags = match["flags"]
    sign, zeros, comma = (sign if sign in flags else "" for sign in "+0,")
    digits = f".{match['digits']}" if match["digits"] else ""
    return format(number, f"{sign}{zeros}{width}{comma}{digits}{kind}")
