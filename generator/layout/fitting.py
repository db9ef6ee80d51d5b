"""Take the outlines of unlike pieces, fit them together on sheets.

Each piece goes where it lies nearest to a corner of the sheet, turned by quarters, and touches what
lies there already. The places where two outlines overlap are the sum of one and the mirrored other
(their no-fit polygon, by Minkowski), so what is left of the sheet is where a piece may go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pyclipper

from generator.geometry import IDENTITY, Affine, Size, quarter_turn, steady, translation
from generator.outlines import Outline, area, box_of, carried

_UNIT, _PLACES = 1000, 3  # per mm
_DENSEST = 0.82  # of the sheets: kits are filled at most 0.81
_MOST_CORNERS = 24  # of an outline; of a rounder one its box is taken
_Path = list[tuple[int, int]]
_Rank = Callable[[int, int, int, int], float]


class FittedPiece(NamedTuple):
    """A piece by its number; `place` maps its outline to the sheet."""

    number: int
    place: Affine


@dataclass(frozen=True)
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
    if sum(map(area, outlines)) > _DENSEST * enough * room.width * room.height:
        return None
    sheet = _FittedSheet(_count(room.width), _count(room.height))
    turned = {outline: _turns(outline) for outline in set(outlines)}
    order = sorted(range(len(outlines)), key=lambda number: -steady(area(outlines[number])))
    for rank in _ranks(sheet):
        pieces = [(number, turned[outlines[number]]) for number in order]
        sheets = sheet.fill_all(pieces, rank, enough)
        if sheets:
            return [[_in_mm(one) for one in placed] for placed in sheets]
    return None


def _ranks(sheet: _FittedSheet) -> Iterator[_Rank]:
    """How far from the corner a piece of some size lies: along both sides, or along one first."""
    yield lambda x, y, width, height: x + width + y + height
    yield lambda x, y, width, height: (x + width) * sheet.height + y + height
    yield lambda x, y, width, height: (y + height) * sheet.width + x + width


@dataclass
class _FittedSheet:
    """The room of a sheet, in units, and the places that pieces exclude for each other."""

    width: int
    height: int
    _sums: dict[tuple[int, int], _Path] = field(default_factory=dict)

    def fill_all(
        self, pieces: Sequence[tuple[int, list[_Turned]]], rank: _Rank, enough: int
    ) -> list[list[_Placed]] | None:
        sheets: list[list[_Placed]] = []
        while pieces and len(sheets) < enough:
            placed: list[_Placed] = []
            left = []
            too_large: set[int] = set()  # by id of their turns: the room only becomes less
            for number, turns in pieces:
                found = None if id(turns) in too_large else self._find(turns, placed, rank)
                if found:
                    placed.append(_Placed(number, *found))
                else:
                    left.append((number, turns))
                    too_large.add(id(turns))
            if not placed:
                return None
            sheets.append(placed)
            pieces = left
        return None if pieces else sheets

    def _find(
        self, turns: Sequence[_Turned], placed: Sequence[_Placed], rank: _Rank
    ) -> tuple[_Turned, int, int] | None:
        """The best place for a piece, in one of its turns."""
        spots = [
            (rank(x, y, turned.width, turned.height), index, x, y)
            for index, turned in enumerate(turns)
            for x, y in self._free(turned, placed)
        ]
        if not spots:
            return None
        _, index, x, y = min(spots)
        return turns[index], x, y

    def _free(self, turned: _Turned, placed: Sequence[_Placed]) -> Iterator[tuple[int, int]]:
        """The corners of the region where the top left of a turned piece may be."""
        right, bottom = self.width - turned.width, self.height - turned.height
        if right < 1 or bottom < 1:
            return
        clipper = pyclipper.Pyclipper()
        region = [(0, 0), (right, 0), (right, bottom), (0, bottom)]
        clipper.AddPath(region, pyclipper.PT_SUBJECT, True)
        for one in placed:
            taken = [(x + one.x, y + one.y) for x, y in self._sum(one.turned, turned)]
            clipper.AddPath(taken, pyclipper.PT_CLIP, True)
        fill = pyclipper.PFT_NONZERO
        for path in clipper.Execute(pyclipper.CT_DIFFERENCE, fill, fill):
            yield from path

    def _sum(self, there: _Turned, piece: _Turned) -> _Path:
        """Where the piece would overlap the one that is there at (0, 0)."""
        key = id(there), id(piece)
        if key not in self._sums:
            mirrored = [(-x, -y) for x, y in piece.path]
            paths = pyclipper.MinkowskiSum(mirrored, there.path, True)
            outer = max(paths, key=lambda path: abs(pyclipper.Area(path)))
            self._sums[key] = outer if pyclipper.Orientation(outer) else outer[::-1]
        return self._sums[key]


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
