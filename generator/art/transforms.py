"""Take the `transform` of an element, make its affine map."""

from __future__ import annotations

import re
from math import isfinite, radians, tan

from lxml import etree

from generator.art.extent import numbers_in
from generator.basics.geometry import IDENTITY, Affine, Point, translation, turning

_STEP = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*+)\)")


def transform_of(text: str) -> Affine:
    """The map of a list of transforms; anything else in the text is ignored."""
    whole = IDENTITY
    for kind, arguments in _STEP.findall(text):
        numbers = numbers_in(arguments)
        if numbers and all(map(isfinite, numbers)):
            whole = whole @ _step(kind, numbers)
    return whole


def place_of(element: etree._Element, around: Affine) -> Affine:
    """The map of what is in an element, whose own place is mapped by `around`."""
    transform = element.get("transform")
    return around @ transform_of(transform) if transform else around


def _step(kind: str, numbers: list[float]) -> Affine:
    first, second = numbers[0], numbers[1] if len(numbers) > 1 else None
    if kind == "matrix":
        return Affine(*numbers) if len(numbers) == 6 else IDENTITY
    if kind == "translate":
        return translation(first, second or 0.0)
    if kind == "scale":
        return Affine(a=first, d=first if second is None else second)
    if kind == "rotate":
        return turning(first, Point(*numbers[1:3]) if len(numbers) == 3 else Point(0.0, 0.0))
    slope = tan(radians(first))
    return Affine(c=slope) if kind == "skewX" else Affine(b=slope)
