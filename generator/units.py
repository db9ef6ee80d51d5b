"""Take a length as people write it ("2.5in"), make millimetres."""

from __future__ import annotations

import re

MM_PER_INCH = 25.4
PT_PER_MM = 72 / MM_PER_INCH
MAX_LENGTH_MM = 2000.0  # longer than any sheet a home or a copy shop prints

_MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_INCH / 72}
LENGTH_PATTERN = r"^\s*[0-9]+(\.[0-9]+)?\s*(mm|cm|in|pt)\s*$"
_LENGTH = re.compile(LENGTH_PATTERN)


def parse_length(text: str) -> float:
    """Read a length with its unit (mm, cm, in, pt) as millimetres.

    Raises ValueError with a sentence for the designer: no unit, negative, absurdly long.
    """
    match = _LENGTH.match(text)
    if match is None:
        raise ValueError(_length_fault(text))
    number = text.strip().removesuffix(match[2])
    length = float(number) * _MM_PER_UNIT[match[2]]
    if length > MAX_LENGTH_MM:
        raise ValueError(f"the length {text!r} is longer than {MAX_LENGTH_MM / 1000:g} m")
    return length


def _length_fault(text: str) -> str:
    if text.strip().startswith("-"):
        return f"the length {text!r} is negative"
    if re.fullmatch(r"\s*[0-9.]+\s*", text):
        return f"the length {text!r} has no unit"
    return f"{text!r} is not a length"
