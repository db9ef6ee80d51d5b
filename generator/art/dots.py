"""Take a drawing, give lines without a length a hair of it, so that their caps print.

SVG shows them with round and square caps (SVG 2, 13.5). The engine leaves out shapes without an
extent, and a PDF shows no square caps that have no direction (ISO 32000-1, 8.5.3.2).
"""

from __future__ import annotations

import re
from itertools import pairwise

from lxml import etree

from generator.art.drawing import NUMBER, local
from generator.art.extent import commands_in, numbers_in

HAIR = 0.001  # user units
_NUMBERS = re.compile(NUMBER)
_NUMBER = re.compile(rf"\s*+{NUMBER}\s*+")
_SUBPATH = re.compile("(?=[Mm])")
# no arc, no placeholder
_PLAIN = re.compile(r"[Mm][\d\s.,+-][MmLlHhVvCcSsQqTtZz\d\s.,eE+-]{2,200}+")
_PAIRS = re.compile(r"[\d\s.,eE+-]{,200}+")


def lengthen_dots(element: etree._Element) -> None:
    """Lengthen a line, a polyline, or parts of a path, that have no length."""
    match local(element):
        case "path" if path := element.get("d"):
            element.set("d", _lengthen_parts(path))
        case "polyline" if _PAIRS.fullmatch(text := element.get("points", "")):
            points = numbers_in(text)
            if len(points) > 2 and points == points[:2] * (len(points) // 2):
                x, y = points[:2]
                element.set("points", f"{x:.9g} {y:.9g} {x + HAIR:.9g} {y:.9g}")
        case "line":
            x1, y1, x2, y2 = (element.get(name, "0") for name in ("x1", "y1", "x2", "y2"))
            if (x1, y1) == (x2, y2) and _NUMBER.fullmatch(x1):
                element.set("x2", f"{float(x1) + HAIR:.9g}")


def _lengthen_parts(path: str) -> str:
    parts = _SUBPATH.split(path)
    for number, (part, after) in enumerate(pairwise([*parts, ""])):
        if _PLAIN.fullmatch(part) and _is_dot(part, is_first=number == 1):
            x, y = _NUMBERS.findall(part)[:2]
            back = f"m-{HAIR} 0" if after.startswith("m") else ""  # it begins here
            parts[number] = f"{part[0]}{x} {y}h{HAIR}{back}"
    return "".join(parts)


def _is_dot(part: str, *, is_first: bool) -> bool:
    """Whether a subpath has lines, and all end where it begins."""
    (letter, start), *lines = commands_in(part)
    if start[2:]:
        lines.insert(0, ("l" if letter == "m" else "L", start[2:]))
    if len(start) < 2 or not lines:
        return False
    place = start[:2] if letter == "M" or is_first else None
    return all(_stays(kind, numbers, place) for kind, numbers in lines)


def _stays(letter: str, numbers: list[float], place: list[float] | None) -> bool:
    """Whether a command draws nothing from a place; None is one that is not known."""
    if letter in "zZ":
        return True
    if letter.islower():
        return bool(numbers) and not any(numbers)
    if not numbers or place is None:
        return False
    own = {"H": place[:1], "V": place[1:]}.get(letter, place)
    return numbers == own * (len(numbers) // len(own))
