"""Outlines of unlike pieces, fitted together on sheets.

Each piece goes where it lies nearest to a corner of the sheet, turned by quarters, and touches what
lies there already. The places where two outlines overlap are the sum of one and the mirrored other
(their no-fit polygon, by Minkowski), so what is left of the sheet is where a piece may go.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import inf
from typing import NamedTuple

from msgspec import Struct

from generator.basics.geometry import Affine, Size, quarter_turn, steady, translation
from generator.basics.shapes import Outline, area, box_of

_UNIT, _PLACES = 1000, 3  # per mm
_NEAR = 2  # units by which rounding may move a corner
_DENSEST = 0.82  # of the sheets: kits are filled at most 0.81
_MOST_CORNERS = 24  # of an outline; of a rounder one its box is taken
_Path = tuple[tuple[int, int], ...]
_Rank = Callable[[int, int, int, int], float]


class FittedPiece(NamedTuple):
    """A piece by its number; `place` maps its outline to the sheet."""

    number: int
    place: Affine


class _Turned(Struct, frozen=True, eq=False):
    """An outline turned by some quarters, with its box at (0, 0), in units."""

    turn: Affine
    path: _Path
    width: int
    height: int


class _Placed(NamedTuple):
    number: int
    turned: _Turned
    x: int
    y: int


def fit_outlines(outlines: Sequence[Outline], room: Size, enough: int) -> list[list[FittedPiece]] | None:
    """The pieces on at most `enough` sheets with this room (mm); None if no way is found."""
    areas = {outline: area(outline) for outline in set(outlines)}
    taken = [areas[outline] for outline in outlines]
    if sum(taken) > _DENSEST * enough * room.width * room.height:
        return None
    wide, high = map(_count, room)
    turned = {outline: _turns(outline) for outline in areas}
    order = sorted(range(len(outlines)), key=lambda number: -steady(taken[number]))
    pieces = [(number, turned[outlines[number]]) for number in order]
    ranks: tuple[_Rank, ...] = (  # how far from the corner: along both sides, or along one first
        lambda x, y, width, height: x + width + y + height,
        lambda x, y, width, height: (x + width) * high + y + height,
        lambda x, y, width, height: (y + height) * wide + x + width,
    )
    ways = (_fill_all(pieces, (wide, high), rank, enough) for rank in ranks)
    return next(filter(None, ways), None)


def _fill_all(
    pieces: Sequence[tuple[int, tuple[_Turned, ...]]], room: tuple[int, int], rank: _Rank, enough: int
) -> list[list[FittedPiece]] | None:
    sheets: list[list[FittedPiece]] = []
    while pieces and len(sheets) < enough:
        placed: list[_Placed] = []
        left = []
        regions: dict[tuple[_Turned, ...], list[_FreeRegion]] = {}
        for number, turns in pieces:
            if turns not in regions:
                regions[turns] = [_FreeRegion(room, turned) for turned in turns]
            found = _find(regions[turns], placed, rank)
            if found:
                placed.append(_Placed(number, *found))
            elif len(sheets) + 1 == enough:
                return None
            else:
                left.append((number, turns))
        if not placed:
            return None
        sheets.append(
            [FittedPiece(number, translation(x / _UNIT, y / _UNIT) @ turned.turn) for number, turned, x, y in placed]
        )
        pieces = left
    return None if pieces else sheets


class _FreeRegion:
    """Where the top left of a turned piece may be on a sheet, which becomes less as others lie
    there."""

    def __init__(self, room: tuple[int, int], turned: _Turned) -> None:
        self.turned = turned
        self.least = -inf  # the rank of the best place when it was last looked for
        right, bottom = room[0] - turned.width, room[1] - turned.height
        self._paths = [((0, 0), (right, 0), (right, bottom), (0, bottom))]
        self.is_empty = right < 1 or bottom < 1
        self._seen = 0

    def corners(self, placed: Sequence[_Placed]) -> Iterator[tuple[int, int]]:
        """Its corners, where these pieces lie."""
        if len(placed) > self._seen:
            import pyclipper  # rarely needed

            clipper = pyclipper.Pyclipper()
            clipper.AddPaths(self._paths, pyclipper.PT_SUBJECT, True)
            for _, other, x, y in placed[self._seen :]:
                clipper.AddPath([(a + x, b + y) for a, b in _sum(other, self.turned)], pyclipper.PT_CLIP, True)
            fills = pyclipper.PFT_EVENODD, pyclipper.PFT_NONZERO
            found = clipper.Execute(pyclipper.CT_DIFFERENCE, *fills)
            self._paths = [path for path in found if pyclipper.Area(path)]  # others are refused
            self._seen = len(placed)
            self.is_empty = not self._paths
        return chain.from_iterable(self._paths)


def _find(regions: Sequence[_FreeRegion], placed: Sequence[_Placed], rank: _Rank) -> tuple[_Turned, int, int] | None:
    """The best place for a piece, in one of its turns."""
    best = (inf, 0, 0, 0)
    near = rank(_NEAR, _NEAR, 0, 0)
    for index, region in sorted(enumerate(regions), key=lambda spot: spot[1].least):
        if region.is_empty or region.least - near > best[0]:
            continue
        turned = region.turned
        spots = [(rank(x, y, turned.width, turned.height), index, x, y) for x, y in region.corners(placed)]
        if spots:
            least = min(spots)
            region.least, best = least[0], min(best, least)
    _, index, x, y = best
    return (regions[index].turned, x, y) if best[0] < inf else None


# A game is fitted repeatedly: for its plan and for every view of its preview.
@lru_cache(maxsize=1024)
def _sum(there: _Turned, piece: _Turned) -> _Path:
    """Where the piece would overlap the one that is there at (0, 0)."""
    import pyclipper

    mirrored = [(-x, -y) for x, y in piece.path]
    paths = pyclipper.MinkowskiSum(mirrored, there.path, True)
    outer = max(paths, key=lambda path: abs(pyclipper.Area(path)))
    return tuple(map(tuple, outer if pyclipper.Orientation(outer) else outer[::-1]))


@lru_cache(maxsize=64)
def _turns(outline: Outline) -> tuple[_Turned, ...]:
    """The outline in its four turns; one quarter less for each that changes nothing."""
    box = box_of(outline)
    kept = outline if len(outline) <= _MOST_CORNERS else box.corners()
    path: _Path = tuple((_count(x - box.x0), _count(y - box.y0)) for x, y in kept)
    turn, size = translation(-box.x0, -box.y0), Size(box.width, box.height)
    found: dict[_Path, _Turned] = {}
    for _ in range(4):
        width, height = map(_count, size)
        found.setdefault(tuple(sorted(path)), _Turned(turn, path, width, height))
        path = tuple((height - y, x) for x, y in path)
        turn, size = quarter_turn(size) @ turn, size.turned()
    return tuple(found.values())


def _count(length: float) -> int:
    """A length in units."""
    return round(steady(length, _PLACES) * _UNIT)
