"""Outlines of unlike pieces, fitted together on sheets.

Each piece goes where it lies nearest to a corner of the sheet, turned by quarters, and touches what
lies there already. The places where two outlines overlap are the sum of one and the mirrored other
(their no-fit polygon, by Minkowski), so what is left of the sheet is where a piece may go.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import inf

import pyclipper
from msgspec import Struct

from generator.basics.geometry import Affine, Size, quarter_turn, steady, translation
from generator.basics.shapes import Outline, area, box_of

_UNIT, _PLACES = 1000, 3  # per mm
_NEAR = 2  # units by which rounding may move a corner
_DENSEST = 0.82  # of the sheets: kits are filled at most 0.81
_MOST_CORNERS = 24  # of an outline; of a rounder one its box is taken
_Path = tuple[tuple[int, int], ...]
_Rank = Callable[[int, int, int, int], float]


class FittedPiece(Struct, frozen=True):
    """A piece by its number; `place` maps its outline to the sheet."""

    number: int
    place: Affine


class _Turned(Struct, frozen=True, eq=False):
    """An outline turned by some quarters, with its box at (0, 0), in units."""

    quarters: int
    turn: Affine
    unturned: _Path
    path: _Path
    width: int
    height: int


class _Placed(Struct, frozen=True):
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
    ranks: tuple[_Rank, ...] = (  # how far from the corner: along both sides, or along one first
        lambda x, y, width, height: x + width + y + height,
        lambda x, y, width, height: (x + width) * sheet.height + y + height,
        lambda x, y, width, height: (y + height) * sheet.width + x + width,
    )
    for rank in ranks:
        sheets = sheet.fill_all(pieces, rank, enough)
        if sheets:
            return [[_in_mm(spot) for spot in placed] for placed in sheets]
    return None


def _in_mm(spot: _Placed) -> FittedPiece:
    return FittedPiece(spot.number, translation(spot.x / _UNIT, spot.y / _UNIT) @ spot.turned.turn)


class _FittedSheet(Struct, frozen=True):
    """The room of a sheet, in units."""

    width: int
    height: int

    def fill_all(
        self, pieces: Sequence[tuple[int, tuple[_Turned, ...]]], rank: _Rank, enough: int
    ) -> list[list[_Placed]] | None:
        sheets: list[list[_Placed]] = []
        while pieces and len(sheets) < enough:
            placed: list[_Placed] = []
            left = []
            regions: dict[tuple[_Turned, ...], list[_FreeRegion]] = {}
            for number, turns in pieces:
                if turns not in regions:
                    regions[turns] = [_FreeRegion(self, turned) for turned in turns]
                found = _find(regions[turns], placed, rank)
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


class _FreeRegion:
    """Where the top left of a turned piece may be on a sheet, which becomes less as others lie
    there."""

    def __init__(self, sheet: _FittedSheet, turned: _Turned) -> None:
        self.turned = turned
        self.least = -inf  # the rank of the best place when it was last looked for
        right, bottom = sheet.width - turned.width, sheet.height - turned.height
        self._paths = [((0, 0), (right, 0), (right, bottom), (0, bottom))]
        self.is_empty = right < 1 or bottom < 1
        self._seen = 0

    def corners(self, placed: Sequence[_Placed]) -> Iterator[tuple[int, int]]:
        """Its corners, where these pieces lie."""
        if len(placed) > self._seen:
            clipper = pyclipper.Pyclipper()
            clipper.AddPaths(self._paths, pyclipper.PT_SUBJECT, True)
            for outline in placed[self._seen :]:
                taken = _move(_sum(outline.turned, self.turned), outline.x, outline.y)
                clipper.AddPath(taken, pyclipper.PT_CLIP, True)
            fills = pyclipper.PFT_EVENODD, pyclipper.PFT_NONZERO
            found = clipper.Execute(pyclipper.CT_DIFFERENCE, *fills)
            self._paths = [path for path in found if pyclipper.Area(path)]  # others are refused
            self._seen = len(placed)
            self.is_empty = not self._paths
        return chain.from_iterable(self._paths)


def _find(
    regions: Sequence[_FreeRegion], placed: Sequence[_Placed], rank: _Rank
) -> tuple[_Turned, int, int] | None:
    """The best place for a piece, in one of its turns."""
    best = (inf, 0, 0, 0)
    near = rank(_NEAR, _NEAR, 0, 0)
    for index, region in sorted(enumerate(regions), key=lambda spot: spot[1].least):
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
@lru_cache(maxsize=1024)
def _sum(there: _Turned, piece: _Turned) -> _Path:
    """Where the piece would overlap the one that is there at (0, 0)."""
    back = _turn(piece.path, -there.quarters)
    left, top = (min(side) for side in zip(*back, strict=True))
    found = _sum_unturned(there.unturned, _move(back, -left, -top))
    turned = _turn(_move(found, -left, -top), there.quarters)
    (x, y), (from_x, from_y) = there.path[0], _turn(there.unturned[:1], there.quarters)[0]
    return _move(turned, x - from_x, y - from_y)


@lru_cache(maxsize=256)
def _sum_unturned(there: _Path, piece: _Path) -> _Path:
    mirrored = [(-x, -y) for x, y in piece]
    paths = pyclipper.MinkowskiSum(mirrored, there, True)
    outer = max(paths, key=lambda path: abs(pyclipper.Area(path)))
    return tuple(map(tuple, outer if pyclipper.Orientation(outer) else outer[::-1]))


def _move(path: _Path, x: int, y: int) -> _Path:
    return tuple((a + x, b + y) for a, b in path)


def _turn(path: _Path, quarters: int) -> _Path:
    """Turned about (0, 0), clockwise."""
    for _ in range(quarters % 4):
        path = tuple((-y, x) for x, y in path)
    return path


@lru_cache(maxsize=64)
def _turns(outline: Outline) -> tuple[_Turned, ...]:
    """The outline in its four turns; one quarter less for each that changes nothing."""
    box = box_of(outline)
    kept = outline if len(outline) <= _MOST_CORNERS else box.corners()
    unturned = tuple((_count(x - box.x0), _count(y - box.y0)) for x, y in kept)
    path, turn = unturned, translation(-box.x0, -box.y0)
    size, (width, height) = Size(box.width, box.height), (_count(box.width), _count(box.height))
    found: dict[tuple[tuple[int, int], ...], _Turned] = {}
    for quarters in range(4):
        one = _Turned(quarters, turn, unturned, path, width, height)
        found.setdefault(tuple(sorted(path)), one)
        path, turn = _move(_turn(path, 1), height, 0), quarter_turn(size) @ turn
        size, (width, height) = size.turned(), (height, width)
    return tuple(found.values())


def _count(length: float) -> int:
    """A length in units."""
    return round(steady(length, _PLACES) * _UNIT)
