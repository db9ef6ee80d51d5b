"""Places of letters along the path of a text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import accumulate, pairwise
from math import atan2, degrees, hypot

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path.parser import parse_path
from msgspec import Struct

from generator.basics.geometry import ORIGIN, Affine, Point, translation, turning

_STEPS = 64  # for each curve, so that a letter's angle is off by less than a degree


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


def chains_of(path: str, steps: int = _STEPS) -> tuple[tuple[Point, ...], ...]:
    """The chains of points of an SVG path, `steps` for each curve, up to its first error, as the
    engine draws it."""
    pen = RecordingPen()
    with suppress(ValueError, IndexError):
        parse_path(" ".join(path.split()), pen)  # which reads no other blanks in arcs
    chains: list[list[Point]] = []
    for command, ends in pen.value:
        points = [Point(*end) for end in ends]
        if command == "moveTo":
            chains.append(points)
        elif points:
            chains[-1] += _curve([chains[-1][-1], *points], steps) if points[1:] else points
    return tuple(tuple(chain) for chain in chains if len(chain) > 1)


def _curve(points: Sequence[Point], steps: int) -> Iterator[Point]:
    """Points along a Bézier curve (de Casteljau)."""
    for step in range(1, steps + 1):
        t, row = step / steps, points
        while len(row) > 1:
            row = [Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t) for a, b in pairwise(row)]
        yield row[0]
