"""Lengths as people write them ("2.5in"), in millimetres."""

import re

from generator.basics.errors import MisfitError, quote
from generator.basics.geometry import HAIR

MM_PER_INCH = 25.4
PT_PER_MM = 72 / MM_PER_INCH
MM_PER_PT = MM_PER_INCH / 72
MAX_LENGTH_MM = 2000.0  # longer than any sheet a home or a copy shop prints

_MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_PT}
LENGTH_PATTERN = r"^\s*[0-9]+(\.[0-9]+)?\s*(mm|cm|in|pt)\s*$"
LENGTH_HINT = "a number and mm, cm, in or pt, in quotes: '2.5mm'"
_LENGTH = re.compile(LENGTH_PATTERN)
_NUMBER, _UNIT, _TIMES = "([0-9.]{1,9})", "(mm|cm|in|pt)", " ?[xX×] ?"
SIZE_PATTERN = rf"^{_NUMBER} ?{_UNIT}?{_TIMES}{_NUMBER} ?{_UNIT}$"
_SIZE = re.compile(SIZE_PATTERN, re.IGNORECASE)
_UNITLESS = re.compile(_NUMBER + _TIMES + _NUMBER)


def parse_length(text: str) -> float:
    """Read a length with its unit (mm, cm, in, pt) as millimetres.

    Raises MisfitError if it has no unit, is negative, is longer than MAX_LENGTH_MM, or is not a
    length.
    """
    match = _LENGTH.match(text)
    if match is None:
        raise _fault(text)
    number = text.strip().removesuffix(match[2])
    length = float(number) * _MM_PER_UNIT[match[2]]
    if length > MAX_LENGTH_MM:
        raise MisfitError(f"the length {quote(text)} is longer than {MAX_LENGTH_MM / 1000:g} m", LENGTH_HINT)
    return length


def split_size(text: str) -> tuple[str, str] | None:
    """The two lengths of "63x88mm", "63 x 88 mm" or "2.5in x 3.5in", each with its unit; None if
    it is no such size.

    Raises MisfitError if it has no unit.
    """
    if _UNITLESS.fullmatch(text):
        raise MisfitError(f"the size {quote(text)} has no unit", f"give its size a unit: {quote(f'{text}mm')}")
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    width, unit, height, last_unit = match.groups()
    return width + (unit or last_unit).lower(), height + last_unit.lower()


def describe_lack(width: float, height: float) -> str:
    """The mm that are missing in each direction; "" if none are."""
    lengths = (("width", width), ("height", height))
    return " and ".join(f"{mm:.1f} mm in {side}" for side, mm in lengths if mm > HAIR)


def _fault(text: str) -> MisfitError:
    if re.fullmatch(r"\s*+-\s*+[0-9.]++\s*+[a-z]*+\s*+", text):
        return MisfitError(f"the length {quote(text)} is negative", LENGTH_HINT)
    if re.fullmatch(r"\s*[0-9]+(\.[0-9]+)?\s*", text):
        return MisfitError(f"the length {quote(text)} has no unit", LENGTH_HINT)
    tidy = re.sub(r"^\.", "0.", text.strip().lower().replace(",", "."))
    hint = f"did you mean {quote(tidy)}?" if _LENGTH.match(tidy) else LENGTH_HINT
    return MisfitError(f"{quote(text)} is not a length", hint)
