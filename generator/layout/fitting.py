"""Take the outlines of unlike pieces, fit them together on sheets.

Each piece goes where it lies nearest to a corner of the sheet, turned by quarters, and touches what
lies there already. The places where two outlines overlap are the sum of one and the mirrored other
(their no-fit polygon, by Minkowski), so what is left of the sheet is where a piece may go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import inf
from typing import NamedTuple

import pyclipper

from generator.geometry import IDENTITY, Affine, Size, quarter_turn, steady, translation
from generator.outlines import Outline, area, box_of, carried

_UNIT, _PLACES = 1000, 3  # per mm
_NEAR = 2  # units by which rounding may move a corner
_DENSEST = 0.82  # of the sheets: kits are filled at most 0.81
_MOST_CORNERS = 24  # of an outline; of a rounder one its box is taken
_Path = list[tuple[int, int]]
_Rank = Callable[[int, int, int, int], float]


class FittedPiece(NamedTuple):
    """A piece by its number; `place` maps its outline to the sheet."""

    number: int
    place: Affine


@dataclass(frozen=True, eq=False)
class _Turned:
    """An outline turned by quarters, with its box at (0, 0), in units."""

    turn: Affine
    path: _Path
    width: int
    height: int


class _Placed(NamedTuple):
    number: int
    turned: _Turned
    x: int
    y: int


def fit_outlines(
    outlines: Sequence[Outline], room: Size, enough: int
) -> list[list[FittedPiece]] | None:
    """The pieces on at most `enough` sheets with this room (mm); None if no way is found."""
    areas = {outline: area(outline) for outline in set(outlines)}
    taken = [areas[outline] for outline in outlines]
    if sum(taken) > _DENSEST * enough * room.width * room.height:
        return None
    sheet = _FittedSheet(_count(room.width), _count(room.height))
    turned = {outline: _turns(outline) for outline in areas}
    order = sorted(range(len(outlines)), key=lambda number: -steady(taken[number]))
    pieces = [(number, turned[outlines[number]]) for number in order]
    for rank in _ranks(sheet):
        sheets = sheet.fill_all(pieces, rank, enough)
        if sheets:
            return [[_in_mm(one) for one in placed] for placed in sheets]
    return None


def _ranks(sheet: _FittedSheet) -> Iterator[_Rank]:
    """How far from the corner a piece of some size lies: along both sides, or along one first."""
    yield lambda x, y, width, height: x + width + y + height
    yield lambda x, y, width, height: (x + width) * sheet.height + y + height
    yield lambda x, y, width, height: (y + height) * sheet.width + x + width


@dataclass(frozen=True, slots=True)
class _FittedSheet:
    """The room of a sheet, in units."""

    width: int
    height: int

    def fill_all(
        self, pieces: Sequence[tuple[int, list[_Turned]]], rank: _Rank, enough: int
    ) -> list[list[_Placed]] | None:
        sheets: list[list[_Placed]] = []
        while pieces and len(sheets) < enough:
            placed: list[_Placed] = []
            left = []
            regions: dict[int, list[_Region]] = {}  # by id of the turns
            for number, turns in pieces:
                if id(turns) not in regions:
                    regions[id(turns)] = [_Region(self, turned) for turned in turns]
                found = _find(regions[id(turns)], placed, rank)
                if found:
                    placed.append(_Placed(number, *found))
                elif len(sheets) + 1 == enough:
                    return None
                else:
                    left.append((number, turns))
            if not placed:
                return None
            sheets.append(placed)
            pieces = left
        return None if pieces else sheets


class _Region:
    """Where the top left of a turned piece may be on a sheet, which becomes less as others lie
    there."""

    def __init__(self, sheet: _FittedSheet, turned: _Turned) -> None:
        self.turned = turned
        self.least = -inf  # the rank of the best place when it was last looked for
        self._right, self._bottom = sheet.width - turned.width, sheet.height - turned.height
        self._seen = 0
        self._clipper = pyclipper.Pyclipper()
        self.is_empty = self._right < 1 or self._bottom < 1
        if not self.is_empty:
            corners = [(0, 0), (self._right, 0), (self._right, self._bottom), (0, self._bottom)]
            self._clipper.AddPath(corners, pyclipper.PT_SUBJECT, True)

    def corners(self, placed: Sequence[_Placed]) -> Iterator[tuple[int, int]]:
        """Its corners, where these pieces lie."""
        for one in placed[self._seen :]:
            taken = [(x + one.x, y + one.y) for x, y in _sum(one.turned, self.turned)]
            self._clipper.AddPath(taken, pyclipper.PT_CLIP, True)
        self._seen = len(placed)
        fill = pyclipper.PFT_NONZERO
        paths = self._clipper.Execute(pyclipper.CT_DIFFERENCE, fill, fill)
        self.is_empty = not paths
        return chain.from_iterable(paths)


def _find(
    regions: Sequence[_Region], placed: Sequence[_Placed], rank: _Rank
) -> tuple[_Turned, int, int] | None:
    """The best place for a piece, in one of its turns."""
    best = (inf, 0, 0, 0)
    near = rank(_NEAR, _NEAR, 0, 0)
    for index, region in sorted(enumerate(regions), key=lambda one: one[1].least):
        if region.is_empty or region.least - near > best[0]:
            continue
        turned = region.turned
        spots = [
            (rank(x, y, turned.width, turned.height), index, x, y)
            for x, y in region.corners(placed)
        ]
        if spots:
            least = min(spots)
            region.least, best = least[0], min(best, least)
    _, index, x, y = best
    return (regions[index].turned, x, y) if best[0] < inf else None


# A game is fitted repeatedly: for its plan and for every view of its preview.
@lru_cache(maxsize=4096)
def _sum(there: _Turned, piece: _Turned) -> _Path:
    """Where the piece would overlap the one that is there at (0, 0)."""
    mirrored = [(-x, -y) for x, y in piece.path]
    paths = pyclipper.MinkowskiSum(mirrored, there.path, True)
    outer: _Path = max(paths, key=lambda path: abs(pyclipper.Area(path)))
    return outer if pyclipper.Orientation(outer) else outer[::-1]


@lru_cache(maxsize=64)
def _turns(outline: Outline) -> list[_Turned]:
    """The outline in its four turns; one quarter less for each that changes nothing."""
    found: dict[tuple[tuple[int, int], ...], _Turned] = {}
    place = IDENTITY
    for _ in range(4):
        there = carried(outline, place)
        box = box_of(there)
        kept = there if len(there) <= _MOST_CORNERS else box.corners()
        path = [(_count(x - box.x0), _count(y - box.y0)) for x, y in kept]
        size = _count(box.width), _count(box.height)
        turn = translation(-box.x0, -box.y0) @ place
        found.setdefault(tuple(sorted(path)), _Turned(turn, path, *size))
        place = quarter_turn(Size(0.0, 0.0)) @ place
    return list(found.values())


def _count(length: float) -> int:
    """A length in units."""
    return round(steady(length, _PLACES) * _UNIT)


def _in_mm(one: _Placed) -> FittedPiece:
    return FittedPiece(one.number, translation(one.x / _UNIT, one.y / _UNIT) @ one.turned.turn)
