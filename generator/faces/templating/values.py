"""Take the value of an attribute, make one for the engine, or report its fault."""

from __future__ import annotations

import re

from generator.art import css
from generator.art.drawing import NUMBER, user_units
from generator.art.families import write_families
from generator.basics.colours import find_colour
from generator.basics.errors import MisfitError, quote
from generator.tables.fields import Resources, font_hint
from generator.text import HOUSE_FAMILY

COLOURS = ("fill", "stroke", "stop-color")
LENGTHS = (
    "cx", "cy", "height", "r", "rx", "ry", "stroke-width", "width", "x", "x1", "x2", "y", "y1",
    "y2",
)  # fmt: skip
_NEVER_NEGATIVE = ("height", "r", "rx", "ry", "stroke-width", "width")
_FAR = 1e5  # user units, larger than any drawing
_MAX_TRANSFORM = 300  # characters of a transform
_TRANSFORM = re.compile(
    rf"\s*((matrix|translate|scale|rotate|skew[XY])\(\s*{NUMBER}([\s,]+{NUMBER}){{0,5}}\s*\)[\s,]*)*"
)
_FAULTY_COLOUR, _FAULTY_LENGTH = "#999999", "1"


def stand_in_for(name: str) -> str | None:
    """The value to draw in place of a faulty one; None to leave the attribute out."""
    if name in COLOURS:
        return _FAULTY_COLOUR
    return HOUSE_FAMILY if name == "font-family" else _FAULTY_LENGTH if name in LENGTHS else None


def check_value(name: str, value: str, resources: Resources) -> str:
    """The value of an attribute for the engine. Raises MisfitError for values that the engine
    silently ignores."""
    if name in COLOURS:
        if value == "none" or (value == "transparent" and name != "stop-color"):
            return "none"
        return find_colour(value, resources.palette)
    if name == "font-family":
        return _family(value, resources)
    if name in LENGTHS and not value.endswith("%"):
        length = user_units(value)
        if abs(length) > _FAR or (length < 0 and name in _NEVER_NEGATIVE):
            raise MisfitError(f"{name} is {quote(value)}", "use a length within the drawing")
    if name == "transform" and (len(value) > _MAX_TRANSFORM or not _TRANSFORM.fullmatch(value)):
        hint = "for example: rotate(90 31.75 44.45), translate(5 0), scale(2)"
        raise MisfitError(f"{quote(value)} is not a transform", hint)
    return value


def _family(value: str, resources: Resources) -> str:
    choice = resources.fonts.choose(css.families({"font-family": value}))
    if choice is None or choice.stands_for or choice.style:
        what = f"there is no font family {quote(value)}"
        raise MisfitError(what, font_hint(value, resources.fonts))
    return write_families(choice)
