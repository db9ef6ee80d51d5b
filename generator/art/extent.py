"""Take elements of a drawing, make boxes that hold them, in user units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lxml import etree

from generator.art.drawing import LENGTH, NUMBER, local
from generator.geometry import Rect

_NUMBERS = re.compile(NUMBER)
_COMMANDS = re.compile(r"([MLHVCSQTAZmlhvcsqtaz])([^MLHVCSQTAZmlhvcsqtaz]*)")
_LONG = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "s": 4, "q": 4, "c": 6, "a": 7}
_UNSEEN = ("defs", "desc", "metadata", "title")
_MEASURES = ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2")
Points = list[tuple[float, float]]


class Extents:
    """The boxes of elements; None if only the engine knows it, as for words and clones."""

    def __init__(self) -> None:
        self._boxes: dict[etree._Element, Rect | None] = {}

    def of(self, element: etree._Element) -> Rect | None:
        if element not in self._boxes:
            self._boxes[element] = self._measure(element)
        return self._boxes[element]

    def _measure(self, element: etree._Element) -> Rect | None:
        if any("%" in element.get(name, "") for name in _MEASURES):
            return None
        match local(element):
            case "rect" | "image":
                x, y, width, height = _lengths(element, ("x", "y", "width", "height"))
                return Rect(x, y, x + width, y + height)
            case "circle" | "ellipse":
                x, y, r, across, down = _lengths(element, ("cx", "cy", "r", "rx", "ry"))
                return Rect(x - (across or r), y - (down or r), x + (across or r), y + (down or r))
            case "line":
                x1, y1, x2, y2 = _lengths(element, ("x1", "y1", "x2", "y2"))
                return _around([(x1, y1), (x2, y2)])
            case "polygon" | "polyline":
                return _around(_pairs(numbers_in(element.get("points", ""))))
            case "path":
                return _around(_points(element.get("d", "")))
            case "g":
                return self._of_group(element)
        return None

    def _of_group(self, group: etree._Element) -> Rect | None:
        corners: Points = []
        for part in group.iterchildren(etree.Element):
            if local(part) in _UNSEEN:
                continue
            box = None if part.get("transform") else self.of(part)
            if box is None:
                return None
            corners += [(box.x0, box.y0), (box.x1, box.y1)]
        return _around(corners)


def numbers_in(text: str) -> list[float]:
    return [float(number) for number in _NUMBERS.findall(text)]


def _lengths(element: etree._Element, names: Iterable[str]) -> list[float]:
    lengths = (LENGTH.fullmatch(element.get(name, "")) for name in names)
    return [float(match[1]) if match else 0.0 for match in lengths]


def _around(points: Iterable[tuple[float, float]]) -> Rect:
    xs, ys = zip(*points, strict=True) if (points := list(points)) else ((0.0,), (0.0,))
    return Rect(min(xs), min(ys), max(xs), max(ys))


def _pairs(numbers: list[float]) -> Points:
    return list(zip(numbers[::2], numbers[1::2], strict=False))


def _points(path: str) -> Iterator[tuple[float, float]]:
    """Points whose bounding box holds the path."""
    x = y = 0.0
    for letter, text in _COMMANDS.findall(path):
        kind, numbers = letter.lower(), numbers_in(text)
        size = _LONG.get(kind, 1)
        for at in range(0, len(numbers) - size + 1, size):
            from_x, from_y = (x, y) if letter.islower() else (0.0, 0.0)
            values = numbers[at : at + size]
            if kind == "h":
                x = from_x + values[0]
            elif kind == "v":
                y = from_y + values[0]
            else:
                controls = values[:-2] if kind in "sqc" else []
                yield from ((from_x + a, from_y + b) for a, b in _pairs(controls))
                x, y = from_x + values[-2], from_y + values[-1]
            wide, high = (2 * values[0], 2 * values[1]) if kind == "a" else (0.0, 0.0)
            yield x - wide, y - high
            yield x + wide, y + high
