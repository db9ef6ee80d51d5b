"""Take the path of a text, make the places of letters along it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, pairwise
from math import atan2, ceil, cos, degrees, hypot, pi, sin, sqrt

from msgspec import Struct

from generator.art.drawing import NUMBER
from generator.geometry import ORIGIN, Affine, Point, translation, turning

_TOKEN = re.compile(rf"([MLHVCSQTAZmlhvcsqtaz])|({NUMBER})")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_STEPS = 64  # per curve, so that a letter's angle is off by less than a degree


class Bend(Struct, frozen=True, dict=True):
    """A path as lines from point to point, and the distance along it at which the text begins."""

    chains: tuple[tuple[Point, ...], ...]
    offset: float = 0.0

    @cached_property
    def _sides(self) -> list[tuple[Point, Point]]:
        return [side for chain in self.chains for side in pairwise(chain) if side[0] != side[1]]

    @cached_property
    def _ends(self) -> list[float]:
        """The distance along the path at which each of its lines ends."""
        return list(accumulate(hypot(b.x - a.x, b.y - a.y) for a, b in self._sides))

    @property
    def length(self) -> float:
        return self._ends[-1] if self._ends else 0.0

    def at(self, along: float) -> Affine | None:
        """The map from a letter's origin to a place on the path; None beyond its ends."""
        if not 0.0 <= along <= self.length or not self._ends:
            return None
        index = min(bisect_left(self._ends, along), len(self._ends) - 1)
        a, b = self._sides[index]
        back = (self._ends[index] - along) / hypot(b.x - a.x, b.y - a.y)
        turn = degrees(atan2(b.y - a.y, b.x - a.x))
        place = translation(b.x + (a.x - b.x) * back, b.y + (a.y - b.y) * back)
        return place @ turning(turn, ORIGIN)


def chains_of(path: str) -> tuple[tuple[Point, ...], ...]:
    """The chains of points of an SVG path."""
    walker = _Walker()
    for command, numbers in _commands(path):
        walker.go(command, numbers)
    return tuple(tuple(chain) for chain in walker.chains if len(chain) > 1)


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    tokens = _tokens(path)
    command = ""
    numbers: list[float] = []
    for letter, number in tokens:
        if letter:
            command, numbers = letter, []
        else:
            numbers.append(float(number))
        needed = _ARGUMENTS.get(command.upper(), 0)
        if command and len(numbers) == needed and (needed or letter):
            yield command, numbers
            command = {"M": "L", "m": "l"}.get(command, command)
            numbers = []


def _tokens(path: str) -> Iterator[tuple[str, str]]:
    """Commands and numbers; the flags of an arc may follow each other without a space."""
    at, command, count = 0, "", 0
    while match := _TOKEN.search(path, at):
        letter, number = match.groups()
        at = match.end()
        if letter:
            command, count = letter.upper(), 0
        else:
            if command == "A" and count % 7 in (3, 4):
                number, at = match[2][0], match.start() + 1
            count += 1
        yield letter or "", number or ""


class _Walker:
    def __init__(self) -> None:
        self.chains: list[list[Point]] = []
        self._pen = self._handle = ORIGIN
        self._last = ""

    def go(self, command: str, numbers: list[float]) -> None:
        kind = command.upper()
        base = self._pen if command.islower() else ORIGIN
        if kind == "Z":
            if self.chains:
                self._to(self.chains[-1][0])
                self.chains.append([self._pen])
        elif kind in "HV":
            x = base.x + numbers[0] if kind == "H" else self._pen.x
            y = base.y + numbers[0] if kind == "V" else self._pen.y
            self._to(Point(x, y))
        elif kind == "A":
            self._arc(numbers, Point(base.x + numbers[5], base.y + numbers[6]))
        else:
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            self._points(kind, [Point(base.x + x, base.y + y) for x, y in pairs])
        self._last = kind

    def _points(self, kind: str, points: list[Point]) -> None:
        if kind == "M":
            self._pen = points[0]
            self.chains.append([self._pen])
        elif kind == "L":
            self._to(points[0])
        else:
            smooth = "CS" if kind in "CS" else "QT"
            if kind in "ST":
                points = [self._mirror_handle(smooth), *points]
            self._curve(points)
            self._handle = points[-2]

    def _mirror_handle(self, kinds: str) -> Point:
        if not self._last or self._last not in kinds:
            return self._pen
        return Point(2 * self._pen.x - self._handle.x, 2 * self._pen.y - self._handle.y)

    def _to(self, point: Point) -> None:
        if not self.chains:
            self.chains.append([self._pen])
        self.chains[-1].append(point)
        self._pen = point

    def _curve(self, points: list[Point]) -> None:
        points = [self._pen, *points]
        for step in range(1, _STEPS + 1):
            t, row = step / _STEPS, points
            while len(row) > 1:
                row = [
                    Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t) for a, b in pairwise(row)
                ]
            self._to(row[0])

    def _arc(self, numbers: list[float], end: Point) -> None:
        """An arc of an ellipse, from its ends (SVG 1.1, F.6.5)."""
        rx, ry, tilt, is_large, is_swept = numbers[:5]
        rx, ry = abs(rx), abs(ry)
        start, turn = self._pen, turning(tilt, ORIGIN)
        if not rx or not ry or start == end:
            self._to(end)
            return
        x, y = turn.undo().apply(Point((start.x - end.x) / 2, (start.y - end.y) / 2))
        grow = sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
        rx, ry = rx * grow, ry * grow
        rest = (rx * ry) ** 2 / ((rx * y) ** 2 + (ry * x) ** 2) - 1
        far = sqrt(max(0.0, rest)) * (-1 if bool(is_large) == bool(is_swept) else 1)
        cx, cy = far * rx * y / ry, -far * ry * x / rx
        first = atan2((y - cy) / ry, (x - cx) / rx)
        sweep = atan2((-y - cy) / ry, (-x - cx) / rx) - first
        sweep += 2 * pi * ((sweep < 0) - (sweep > 0)) if (sweep > 0) != bool(is_swept) else 0.0
        middle = translation((start.x + end.x) / 2, (start.y + end.y) / 2) @ turn
        steps = ceil(abs(degrees(sweep)) / 360 * 4 * _STEPS)
        for step in range(1, steps + 1):
            angle = first + sweep * step / steps
            self._to(middle.apply(Point(cx + rx * cos(angle), cy + ry * sin(angle))))
