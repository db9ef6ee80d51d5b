"""Paths of a drawing, as a pen draws them, and places of letters along one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import accumulate, pairwise
from math import atan2, degrees, hypot
from typing import Any

from msgspec import Struct

from generator.basics.geometry import ORIGIN, Affine, Point, Rect, translation, turning

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
    """The chains of points of an SVG path, `steps` for each curve."""
    chains: list[list[Point]] = []
    for command, points in strokes_of(path):
        if command == "moveTo":
            chains.append(points)
        elif points:
            chains[-1] += _curve([chains[-1][-1], *points], steps) if points[1:] else points
    return tuple(tuple(chain) for chain in chains if len(chain) > 1)


def strokes_of(path: str) -> list[tuple[str, list[Point]]]:
    """The strokes of an SVG path, as fontTools names them, each with its points; arcs are curves.
    They end at its first error, as the engine draws it."""
    return [(name, [Point(*end) for end in ends]) for name, ends in _record(path)]


def hull_of(path: str) -> list[Point]:
    """Points whose box holds an SVG path: ends, controls, and the far corners of arcs, of which the
    engine draws some that have no length."""
    points: list[Point] = []
    for name, values in _record(path, keeps_arcs=True):
        if name == "arcTo":
            (across, down, *_, end), start = values, points[-1]
            short, long = sorted((abs(across), abs(down)))
            far = hypot(end[0] - start.x, end[1] - start.y)
            reach = 2 * long * max(1.0, far / 2 / short) if short else 0.0  # small radii grow
            points += (*Rect(*end, *end).grown(reach).corners(), Point(*end))
        else:
            points += (Point(*end) for end in values)
    return points


def _record(path: str, *, keeps_arcs: bool = False) -> list[tuple[str, Any]]:
    """What fontTools draws of an SVG path, with arcs as they are written or as curves."""
    from fontTools.pens.recordingPen import RecordingPen  # a game without drawings needs none
    from fontTools.svgLib.path.parser import parse_path

    pen = RecordingPen()
    if keeps_arcs:
        pen.arcTo = lambda *arc: pen.value.append(("arcTo", arc))
    with suppress(ValueError, IndexError):
        parse_path(" ".join(path.split()), pen)  # which reads no other blanks in arcs
    return list(pen.value)


def _curve(points: Sequence[Point], steps: int) -> Iterator[Point]:
    """Points along a Bézier curve (de Casteljau)."""
    for step in range(1, steps + 1):
        t, row = step / steps, points
        while len(row) > 1:
            row = [Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t) for a, b in pairwise(row)]
        yield row[0]
