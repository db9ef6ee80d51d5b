"""Take elements of a drawing, make boxes that hold them, in user units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import hypot

from lxml import etree

from generator.art.drawing import LENGTH, NUMBER, local
from generator.basics.geometry import Rect

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


def commands_in(path: str) -> list[tuple[str, list[float]]]:
    """The letters of a path, each with the numbers after it."""
    return [(letter, numbers_in(text)) for letter, text in _COMMANDS.findall(path)]


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
    hull = _Hull()
    for letter, numbers in commands_in(path):
        kind = letter.lower()
        size = _LONG.get(kind, 0)
        if not size:
            hull.close()
        for at in range(0, len(numbers) - size + 1, size) if size else ():
            yield from hull.draw(kind, numbers[at : at + size], is_relative=letter.islower())


class _Hull:
    """Follows a path; its points are ends, controls, and the far corners of arcs."""

    def __init__(self) -> None:
        self._x = self._y = 0.0
        self._start = self._control = (0.0, 0.0)

    def close(self) -> None:
        self._x, self._y = self._control = self._start

    def draw(
        self, kind: str, values: list[float], *, is_relative: bool
    ) -> Iterator[tuple[float, float]]:
        """The points of one command with its numbers."""
        before = self._x, self._y
        from_x, from_y = before if is_relative else (0.0, 0.0)
        if kind == "h":
            self._x = from_x + values[0]
        elif kind == "v":
            self._y = from_y + values[0]
        else:
            self._x, self._y = from_x + values[-2], from_y + values[-1]
        inner = values[:-2] if kind in "sqc" else []
        controls = [(from_x + a, from_y + b) for a, b in _pairs(inner)]
        if kind in "st":  # its first control mirrors the last one
            x, y = self._control
            controls.insert(0, (2 * before[0] - x, 2 * before[1] - y))
        self._control = controls[-1] if controls else (self._x, self._y)
        if kind == "m":
            self._start = self._x, self._y
        yield from controls
        reach = _reach(values, hypot(self._x - before[0], self._y - before[1]), kind)
        yield self._x - reach, self._y - reach
        yield self._x + reach, self._y + reach


def _reach(values: list[float], far: float, kind: str) -> float:
    """How far an arc is at most from its end, which is `far` from its start; 0 for other kinds."""
    if kind != "a" or not values[0] or not values[1]:
        return 0.0
    short, long = sorted((abs(values[0]), abs(values[1])))
    return 2 * long * max(1.0, far / 2 / short)  # radii too small for their ends grow
