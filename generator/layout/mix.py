"""Pieces of any sizes, whose boxes are put together on as few sheets as possible.

Each box goes where it leaves the least room beside it, upright or turned by a quarter. Of a large net
only its slabs are taken, so that other pieces lie in the corners of its box: a few upright rectangles
cover its outline. The free room is kept as a list of its largest empty rectangles (Jukka Jylänki, A
Thousand Ways to Pack the Bin, 2010: MAXRECTS-BSSF and -BAF).

If that takes too many sheets, pieces are fitted together by their outlines. Each goes where it lies
nearest to a corner of the sheet, turned by quarters, and touches what lies there already. The places
where two outlines overlap are the sum of one and the mirrored other (their no-fit polygon, by
Minkowski), so what is left of the sheet is where a piece may go.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, pairwise, product
from math import inf
from typing import NamedTuple

from msgspec import Struct

from generator.basics import shapes
from generator.basics.geometry import HAIR, IDENTITY, Affine, Point, Rect, Size, quarter_turn, steady, translation
from generator.basics.shapes import Outline, box_of, common, edges
from generator.layout.dressing import Item
from generator.layout.forme import Area, Blank, Forme, Seat

_UNIT, _PLACES = 1000, 3  # per mm
_NEAR = 2  # units by which rounding may move a corner
_DENSEST = 0.82  # of the sheets: kits are filled at most 0.81
_MOST_CORNERS = 24  # of an outline; of a rounder one its box is taken
_Path = tuple[tuple[int, int], ...]
_Rank = Callable[[int, int, int, int], float]
_MOST = 6  # rectangles; more would make the search for free room long


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
    areas = {outline: shapes.area(outline) for outline in set(outlines)}
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
    ways = (_fit_all(pieces, (wide, high), rank, enough) for rank in ranks)
    return next(filter(None, ways), None)


def _fit_all(
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
    """Where the top left of a turned piece may be on a sheet, which becomes less as others lie there."""

    def __init__(self, room: tuple[int, int], turned: _Turned) -> None:
        self.turned = turned
        self.least = -inf  # the rank of the best place when it was last looked for
        right, bottom = room[0] - turned.width, room[1] - turned.height
        self._paths = [((0, 0), (right, 0), (right, bottom), (0, bottom))]
        self.is_empty = right < 1 or bottom < 1
        self._seen = 0

    def corners(self, placed: Sequence[_Placed]) -> Iterator[tuple[int, int]]:
        """The corners of the region, where these pieces lie."""
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


class MixedPiece(Struct, frozen=True):
    """A piece that shares its sheet with others."""

    blank: Blank
    item: Item


class _PaddedBlank(Struct, frozen=True, eq=False, dict=True):
    """A blank, and the mm around it that no other piece may use."""

    blank: Blank
    padding: float

    @cached_property
    def outline(self) -> Outline:
        return self.blank.shape.placed(IDENTITY, by=self.padding)

    @cached_property
    def size(self) -> Size:
        width, height = self.blank.shape.size
        return Size(width + 2 * self.padding, height + 2 * self.padding)

    @cached_property
    def least(self) -> float:
        """The least area (mm²) that it takes of its padded box."""
        return area_of(self._slabs[0]) or self.size.width * self.size.height

    @cached_property
    def _turns(self) -> tuple[Affine, Affine]:
        return IDENTITY, quarter_turn(self.blank.shape.size)

    @cached_property
    def _slabs(self) -> tuple[tuple[Rect, ...], ...]:
        """The rectangles that it takes of its padded box, upright and turned; none: all of it."""
        shape = self.blank.shape
        if shape.kind != "net" or self.size.width * self.size.height < _LARGE:
            return (), ()
        return tuple(cover(shape.placed(turn, by=self.padding)) for turn in self._turns)

    def taken(self, box: Rect, *, is_turned: bool) -> tuple[Rect, ...]:
        """The room that it takes of its padded box there."""
        x, y = box.x0 + self.padding, box.y0 + self.padding
        return tuple(slab.moved(x, y) for slab in self._slabs[is_turned]) or (box,)

    def place(self, box: Rect, *, is_turned: bool) -> Affine:
        corner = translation(box.x0 + self.padding, box.y0 + self.padding)
        return corner @ self._turns[is_turned]


_MOST_FITTED = 40  # pieces: the search grows with their square
_LARGE = 9000.0  # mm²: of smaller nets, the corners are too small for others
_Fit = Callable[[float, float, float, float], float]

# which pieces come first, and how well a box fits a room: of several ways, the one with the fewest sheets is used
_ORDERS: tuple[Callable[[Size], float], ...] = (max, lambda size: size.width * size.height, min)
_FITS: tuple[_Fit, ...] = (
    lambda across, down, width, height: min(across - width, down - height),
    lambda across, down, width, height: across * down - width * height,
)


def mix_formes(
    pieces: Sequence[MixedPiece], area: Area, slug: float, least_gap: float, enough: int = 1, most: float = inf
) -> list[tuple[Forme, list[Item]]]:
    """Formes with their items; an empty list if a piece does not fit, or if they are more than `most`.

    `slug` mm above each block are for the slug. Neighbours are `least_gap` mm apart or more, and
    their bleeds stay apart. No way with fewer than `enough` formes is looked for.
    """
    best: list[list[FittedPiece]] = []
    for padded, order, fit in _ways(pieces, least_gap):
        if most < enough:
            break
        formes = _fill_all(padded, order, _room(padded, area, slug), fit, most)
        best, most = (formes, len(formes) - 1) if formes else (best, most)
    if most >= enough and len(pieces) <= _MOST_FITTED:
        fitted = (
            fit_outlines([blank.outline for blank in padded], _room(padded, area, slug), enough)
            for padded in _paddings(pieces, least_gap)
        )
        best = next(filter(None, fitted), best)
    return [_forme(_in_columns(placed, pieces, least_gap), pieces, area, slug) for placed in best]


def _in_columns(placed: Sequence[FittedPiece], pieces: Sequence[MixedPiece], least_gap: float) -> list[FittedPiece]:
    """The pieces, with equal rectangles moved below each other where there is room."""
    padding = max(least_gap / 2, *(piece.blank.most_bleed for piece in pieces))
    found = {number: Seat(pieces[number].blank, place) for number, place in placed}
    for number, seat in list(found.items()):
        box, others = seat.box(), [other for other in found.values() if other is not seat]
        boxes = (other.box() for other in others if other.blank == seat.blank)
        shifts = {steady(at.x0 - box.x0) for at in boxes if abs(at.width - box.width) < HAIR}
        near = (translation(by, 0.0) for by in sorted(shifts, key=abs) if abs(by) < box.width / 2)
        moved = (Seat(seat.blank, shift @ seat.place) for shift in near)
        free = (at for at in moved if not any(_meet(at, other, padding) for other in others))
        found[number] = next(free, seat) if seat.blank.shape.kind == "rectangle" else seat
    return [FittedPiece(number, seat.place) for number, seat in found.items()]


def _meet(seat: Seat, other: Seat, padding: float) -> bool:
    """Whether two pieces overlap with so much around each."""
    may = seat.box(padding).overlaps(other.box(padding))
    return may and bool(common(seat.outline(padding), other.outline(padding)))


def _ways(pieces: Sequence[MixedPiece], least_gap: float) -> Iterator[tuple[list[_PaddedBlank], tuple[int, ...], _Fit]]:
    """The padded blank of each piece, the pieces in each order, once if several orders are the same, and each fit."""
    for padded in _paddings(pieces, least_gap):
        sizes = [blank.size for blank in padded]
        orders = [
            tuple(sorted(range(len(padded)), key=[-order(size) for size in sizes].__getitem__)) for order in _ORDERS
        ]
        for numbers, fit in product(dict.fromkeys(orders), _FITS):
            yield padded, numbers, fit


def _paddings(pieces: Sequence[MixedPiece], least_gap: float) -> Iterator[list[_PaddedBlank]]:
    """The blank of each piece with its own bleed around it, then all with that of the widest bleed.
    The first take less room, the others may lie closer to the edges of the area."""
    own = {piece.blank: max(piece.blank.most_bleed, least_gap / 2) for piece in pieces}
    alike = dict.fromkeys(own, max(own.values()))
    for paddings in (own, alike) if own != alike else (own,):
        padded = {blank: _PaddedBlank(blank, padding) for blank, padding in paddings.items()}
        yield [padded[piece.blank] for piece in pieces]


def _fill_all(
    padded: Sequence[_PaddedBlank], order: Sequence[int], room: Size, fit: _Fit, most: float
) -> list[list[FittedPiece]]:
    """The pieces on at most `most` sheets; an empty list if they are more, or one does not fit."""
    sheets: list[list[FittedPiece]] = []
    rest = list(order)
    while rest:
        left = most - len(sheets)
        if sum(padded[number].least for number in rest) > (left + HAIR) * room.width * room.height:
            return []
        placed, rest = _fill(padded, rest, room, fit, is_last=left == 1)
        if not placed:
            return []
        sheets.append(placed)
    return sheets


def _room(padded: Sequence[_PaddedBlank], area: Area, slug: float) -> Size:
    """The room of a sheet for pieces with their padding."""
    around = 2 * min(blank.padding for blank in padded)
    return Size(area.box.width + around, area.box.height - slug + around)


def _fill(
    padded: Sequence[_PaddedBlank], order: Sequence[int], room: Size, fit: _Fit, *, is_last: bool
) -> tuple[list[FittedPiece], list[int]]:
    """Fill one sheet with as many pieces as it holds in their order, and return the others. The
    last sheet has none if it does not hold all."""
    free = [Rect(0.0, 0.0, *room)]
    placed: list[FittedPiece] = []
    rest: list[int] = []
    too_large: set[_PaddedBlank] = set()  # the room only becomes less
    for number in order:
        blank = padded[number]
        spot = None if blank in too_large else _find_spot(free, blank.size, fit)
        if spot is None:
            if is_last:
                return [], []
            too_large.add(blank)
            rest.append(number)
            continue
        _, y, x, is_turned = spot
        width, height = blank.size.turned() if is_turned else blank.size
        box = Rect(x, y, x + width, y + height)
        placed.append(FittedPiece(number, blank.place(box, is_turned=is_turned)))
        for taken in blank.taken(box, is_turned=is_turned):
            free = _without(free, taken)
    return placed, rest


def _find_spot(free: Sequence[Rect], box: Size, fit: _Fit) -> tuple[float, float, float, bool] | None:
    """The best place for a box, upright or turned: what is left beside it, by `fit`, then its place."""
    width, height = box
    spots: list[tuple[float, float, float, bool]] = []
    for x0, y0, x1, y1 in free:
        across, down = x1 - x0, y1 - y0
        if across - width >= -HAIR and down - height >= -HAIR:
            spots.append((round(fit(across, down, width, height), 6), y0, x0, False))
        if across - height >= -HAIR and down - width >= -HAIR:
            spots.append((round(fit(across, down, height, width), 6), y0, x0, True))
    return min(spots, default=None)


def _without(free: Sequence[Rect], box: Rect) -> list[Rect]:
    """The largest free rectangles after a box is taken out of them."""
    x0, y0, x1, y1 = box
    kept: list[Rect] = []
    parts: dict[Rect, None] = {}
    for room in free:
        left, top, right, bottom = room
        if x1 - left <= HAIR or right - x0 <= HAIR or y1 - top <= HAIR or bottom - y0 <= HAIR:
            kept.append(room)
        else:
            parts |= dict.fromkeys(_parts(room, box))
    # a room that is kept was in no other, so it is in no part of one
    fresh = [
        part
        for part in parts
        if not any(_holds(room, part) for room in kept)
        and not any(_holds(other, part) for other in parts if other is not part)
    ]
    return [*kept, *fresh]


def _parts(room: Rect, box: Rect) -> Iterator[Rect]:
    """The rectangles beside a box within a room."""
    x0, y0, x1, y1 = room
    if box.x0 - x0 > HAIR:
        yield Rect(x0, y0, box.x0, y1)
    if x1 - box.x1 > HAIR:
        yield Rect(box.x1, y0, x1, y1)
    if box.y0 - y0 > HAIR:
        yield Rect(x0, y0, x1, box.y0)
    if y1 - box.y1 > HAIR:
        yield Rect(x0, box.y1, x1, y1)


def _holds(room: Rect, part: Rect) -> bool:
    return room[0] <= part[0] and room[1] <= part[1] and room[2] >= part[2] and room[3] >= part[3]


def _forme(
    placed: Sequence[FittedPiece], pieces: Sequence[MixedPiece], area: Area, slug: float
) -> tuple[Forme, list[Item]]:
    """A forme of placed boxes, in reading order, with its block at the area's corner."""
    trims = {number: pieces[number].blank.shape.box(place) for number, place in placed}
    block = Rect.around(*trims.values())
    corner = area.corner(Size(block.width, block.height), above=slug)
    shift = translation(corner.x - block.x0, corner.y - block.y0)

    def reading(piece: FittedPiece) -> tuple[float, float]:
        trim = trims[piece.number]
        return steady(trim.y0), steady(trim.x0)

    order = sorted(placed, key=reading)
    seats = tuple(Seat(pieces[number].blank, shift @ place) for number, place in order)
    return Forme(area, seats, "double"), [pieces[number].item for number, _ in order]


@lru_cache(maxsize=64)
def cover(outline: Outline) -> tuple[Rect, ...]:
    """Rectangles that together cover an outline, each from side to side of it: slabs one below the
    other, or one beside the other, whichever are smaller."""
    upright = _slabs(outline)
    mirrored = _slabs(tuple(Point(y, x) for x, y in outline))
    across = [Rect(y0, x0, y1, x1) for x0, y0, x1, y1 in mirrored]
    return tuple(upright if area_of(upright) <= area_of(across) else across)


def area_of(slabs: Sequence[Rect]) -> float:
    """The area of rectangles that do not overlap."""
    return sum(slab.width * slab.height for slab in slabs)


def _slabs(outline: Outline) -> list[Rect]:
    heights = sorted({point.y for point in outline})
    slabs = [_slab(outline, y0, y1) for y0, y1 in pairwise(heights) if y1 - y0 > HAIR]
    while len(slabs) > _MOST:
        at = min(
            range(len(slabs) - 1), key=lambda i: area_of([slabs[i].around(slabs[i + 1])]) - area_of(slabs[i : i + 2])
        )
        slabs[at : at + 2] = [slabs[at].around(slabs[at + 1])]
    return slabs


def _slab(outline: Outline, y0: float, y1: float) -> Rect:
    """The box around the part between two heights, with no corner between them."""
    xs = [
        p.x + (q.x - p.x) * (y - p.y) / (q.y - p.y)
        for p, q in edges(outline)
        if min(p.y, q.y) <= y0 and max(p.y, q.y) >= y1
        for y in (y0, y1)
    ]
    return Rect(min(xs), y0, max(xs), y1)
