"""The cards of one page, by what its program left in the file.

The clues, in the order of trust: rectangles of one size, crop marks beside them, sizes of shops
with 3 mm or an eighth of an inch of bleed, crop marks and long lines alone, a small page as a card. A clue
counts as far as its cells hold the page's ink, and stand in rows and columns.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import hypot, sqrt
from operator import attrgetter
from statistics import fmean, median
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from generator.basics.geometry import MM_PER_INCH, Point, Rect, Size, lattice, steady
from generator.basics.shapes import Kind
from generator.game.shapes import named_sizes, usual_size
from generator.importing.scanning import PageShapes, RuledLine, fit_box

_Thing = TypeVar("_Thing")
_FindPlaces: TypeAlias = Callable[[Iterable[RuledLine], bool], Iterator[float]]
Clue: TypeAlias = Literal["boxes", "marks", "lines", "page", "grid", "pixels"]
ALIKE = 0.45  # mm by which the sides of cards of one size differ
_SMALLEST = 10.0  # mm: a side of a card
_LARGEST_ALONE = 180.0  # mm: a side of a card that is alone on its page
_LARGEST_RULED = 160.0  # mm: a side of a cell between lines
_ALONE = 0.85  # the cover of a card that is alone on its page
UNSURE = 0.49  # the most that a find scores that needs other pages, or a person, to agree
_LARGEST_PAGE = Size(106.0, 160.0)  # a page that is a card
_MOST_OF_PAGE = 0.97  # of its sides: a larger box is the page's own
_OVERLAP = 1.0  # mm
_NEARLY_AS_GOOD = 0.05
_FRAMED = 0.9
_USUAL = 0.02  # how much the score of a usual size counts more
_RAGGED = 0.6  # what the score of cells keeps that stand in no rows at all
_WORTH = {"boxes": 1.0, "marks": 0.97, "lines": 0.9, "page": 0.96, "grid": 1.0}
_MORE = 1.005  # times the ink, at least, of the mirror image of a place
_MOST_FOUND = 12  # of a page
_MOST_CELLS = 400  # of a page
_MOST_NEIGHBOURS = 150  # boxes that may touch each other
_LONGEST_MARK, _LONG_LINE = 16.0, 40.0  # mm
_LEAST_DRAWN = 0.3  # of a dashed line
_SAME_LINE = 0.3  # mm
_LEAST_BLEED, MOST_BLEED = 0.4, 7.0  # mm
MOST_SPILT = 4.0  # mm: how far the bleed of neighbours reaches into an empty place
_METRIC, _EIGHTH = 3.0, MM_PER_INCH / 8  # mm of bleed
_EXACT = 0.1  # mm
_INK = 12  # levels of grey from the paper's
USUAL_SIZES = tuple(map(usual_size, named_sizes()))


class FoundCards(Struct, frozen=True):
    """Cards of one size on a page: where each is cut, how far its art runs past that, by which
    clue they were found, and how sure it is (0 to 1)."""

    clue: Clue
    cells: list[Rect]
    bleed: float
    score: float

    @property
    def size(self) -> Size:
        """Width and height that most have."""
        return Size(
            steady(median(cell.width for cell in self.cells), 2), steady(median(cell.height for cell in self.cells), 2)
        )

    def is_of(self, size: Size) -> bool:
        """Whether its cards have that size."""
        return are_near(self.size, size)


class Wanted(Struct, frozen=True):
    """A person's description of the cards: their size, or that of the box around their shape, rows and columns,
    where the first is cut, what is between two, and how far art runs past the cut (mm). None: not said."""

    size: Size | None = None
    grid: tuple[int, int] | None = None
    at: tuple[float, float] | None = None
    gap: tuple[float, float] | None = None
    bleed: float | None = None
    shape: Kind = "rectangle"


class PageInk:
    """Where a page is not blank: `mask` (rows, columns) over its size."""

    def __init__(self, grey: NDArray[np.uint8], size: Size) -> None:
        paper = _find_paper(grey)
        mask = np.abs(grey.astype(np.int16) - paper) > _INK
        self._sums = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), np.int64)
        self._sums[1:, 1:] = mask.cumsum(0).cumsum(1)
        self._scale = mask.shape[1] / size.width, mask.shape[0] / size.height
        self._mask = mask

    @property
    def total(self) -> int:
        """The pixels with ink."""
        return int(self._sums[-1, -1])

    def _pixels(self, box: Rect) -> tuple[int, int, int, int]:
        height, width = self._mask.shape
        across, down = self._scale
        x0, x1 = (min(max(round(x * across), 0), width) for x in (box.x0, box.x1))
        y0, y1 = (min(max(round(y * down), 0), height) for y in (box.y0, box.y1))
        return x0, y0, x1, y1

    def within(self, box: Rect) -> int:
        """The pixels with ink in a box."""
        x0, y0, x1, y1 = self._pixels(box)
        sums = self._sums
        return int(sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0])

    def along(self, axis: int) -> NDArray[Any]:
        """How much ink each column has, or each row."""
        ink: NDArray[Any] = self._mask.sum(axis)
        return ink

    def box(self) -> Rect | None:
        """The box around all ink."""
        rows, columns = (np.flatnonzero(self._mask.any(axis)) for axis in (1, 0))
        if not len(rows):
            return None
        across, down = self._scale
        ends = columns[0] / across, rows[0] / down, (columns[-1] + 1) / across, (rows[-1] + 1) / down
        return Rect(*map(float, ends))


def _find_paper(grey: NDArray[np.uint8]) -> int:
    """The grey of the paper: what all edges of the page share, else white."""
    edges: NDArray[Any] = np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]])
    usual = int(np.bincount(edges, minlength=256).argmax())
    return usual if (np.abs(edges.astype(np.int16) - usual) <= _INK).mean() > 0.95 else 255


def share_apart(seen: NDArray[np.uint8], other: NDArray[np.uint8], levels: int) -> float:
    """The share of the inner pixels of a picture that differ by more than some levels from all next
    to their place in another of its size."""
    inner, near_to = seen[1:-1, 1:-1].astype(np.int16), other.astype(np.int16)
    high, wide = near_to.shape[:2]
    near = [near_to[down : high - 2 + down, across : wide - 2 + across] for down in range(3) for across in range(3)]
    return float(((inner < np.min(near, axis=0) - levels) | (inner > np.max(near, axis=0) + levels)).mean())


def find_cards(
    page: PageShapes, ink: PageInk, wanted: Wanted, propose: Callable[[], list[FoundCards]] = list
) -> list[FoundCards]:
    """The likely cards of a page, the best first; those that its pixels `propose` if nothing else is sure."""
    if wanted.grid and (wanted.size or not (page.boxes or page.lines)):
        return _lay_grid(page, ink, wanted)
    found = [*_by_boxes(page, ink, wanted), *_by_lines(page, ink), *_by_page(page, ink, wanted)]
    if wanted.shape == "rectangle" and not any(cards.score > UNSURE for cards in found):
        found += propose()
    if wanted.bleed is not None:
        found = [_with_bleed(cards, wanted) for cards in found]
    if wanted.shape != "rectangle":
        shaped = (replace(cards, cells=_fit_boxes(cards.cells, wanted.shape)) for cards in found)
        found = [cards for cards in shaped if cards.cells]
    if wanted.size:
        apart = ALIKE if wanted.shape == "rectangle" else MOST_BLEED
        found = [fitted for cards in found if (fitted := fit(cards, wanted.size, apart))]
    found = [cards for cards in found if min(cards.size) > 0 and _lies_as_said(cards, wanted, page.size)]
    if wanted.grid:
        found = found or _lay_grid(page, ink, wanted)
    return sorted(found, key=lambda cards: -cards.score)[:_MOST_FOUND]


def _lies_as_said(found: FoundCards, wanted: Wanted, page: Size) -> bool:
    """Whether cards lie in the rows and columns, and at the place, that a person says; backs may lie
    at its mirror image."""
    across, down = (_cluster(starts) for starts in zip(*((cell.x0, cell.y0) for cell in found.cells), strict=True))
    if wanted.grid and (len(down), len(across)) != wanted.grid:
        return False
    for starts, side, whole, at in zip((across, down), found.size, page, wanted.at or (), strict=False):
        if min(abs(starts[0] - at), abs(whole - starts[-1] - side - at)) > _OVERLAP:
            return False
    gaps = zip((across, down), found.size, wanted.gap or (), strict=False)
    return all(len(starts) == 1 or abs(starts[1] - starts[0] - side - gap) <= ALIKE for starts, side, gap in gaps)


def _score(clue: Clue, cells: Sequence[Rect], ink: PageInk, kind: Kind = "rectangle") -> float:
    cover = sum(map(ink.within, cells)) / max(ink.total, 1)
    columns, rows = (len(_cluster(starts)) for starts in zip(*((cell.x0, cell.y0) for cell in cells), strict=True))
    places = columns * rows / (1 if kind == "rectangle" else 2)  # of rows that interlock, half are free
    order = min(len(cells) / places, 1.0) if len(cells) > 1 else 1.0
    return min(cover, 1.0) * (_RAGGED + (1 - _RAGGED) * order) * _WORTH[clue]


def _group(things: Iterable[_Thing], value: Callable[[_Thing], float], apart: float) -> Iterator[list[_Thing]]:
    """Things whose values are that close to the least of their group, in rising order."""
    group: list[_Thing] = []
    for thing in sorted(things, key=value):
        if group and value(thing) - value(group[0]) > apart:
            yield group
            group = []
        group.append(thing)
    if group:
        yield group


def _cluster(values: Iterable[float], apart: float = 1.0) -> list[float]:
    """The means of values that are close to each other, in rising order."""
    return [fmean(group) for group in _group(values, float, apart)]


# Rectangles of one size.


def _by_boxes(page: PageShapes, ink: PageInk, wanted: Wanted) -> Iterator[FoundCards]:
    most = Size(page.size.width * _MOST_OF_PAGE, page.size.height * _MOST_OF_PAGE)
    fit = [
        box
        for box in _fit_boxes(page.boxes, wanted.shape)
        if min(box.width, box.height) >= _SMALLEST and (box.width < most.width or box.height < most.height)
    ]
    groups = [(0.0, _apart(group, wanted.shape)) for group in _group_by_size(fit)]
    scored, has_bleed = [], wanted.bleed is None and wanted.shape == "rectangle"
    for outer, cells in (*groups, *(_trim_neighbours(fit) if wanted.shape == "rectangle" else ())):
        cells = [cell for cell in cells if ink.within(cell)]
        if not 0 < len(cells) <= _MOST_CELLS:
            continue
        score = _score("boxes", [cell.grown(outer) for cell in cells], ink, wanted.shape)
        is_large = max(cells[0].width, cells[0].height) > _LARGEST_ALONE
        if is_large or (len(cells) == 1 and score < _ALONE):  # a page of a booklet
            score = min(score, UNSURE)
        scored.append((score, cells))
    best = max((score for score, _ in scored), default=0.0)
    for score, cells in scored:
        is_split = any(len(others) > len(cells) and other > best - _NEARLY_AS_GOOD for other, others in scored)
        if score == best and is_split:
            score -= _NEARLY_AS_GOOD  # rows of cards, sheets of pages
        bleed = _find_bleed(page, cells) if has_bleed else 0.0
        found = FoundCards("boxes", [cell.grown(-bleed) for cell in cells], bleed, score)
        if is_usual(found.size):
            found = replace(found, score=score + _USUAL)
        elif _is_small(page.size) and not bleed and len(cells) == 1:
            found = replace(found, score=score * _FRAMED)  # a frame within a page that is a card
        yield found


def _group_by_size(boxes: Iterable[Rect]) -> Iterator[list[Rect]]:
    """Boxes whose widths and heights are close."""
    for wide in _group(boxes, attrgetter("width"), ALIKE):
        yield from _group(wide, attrgetter("height"), ALIKE)


def _trim_neighbours(boxes: Iterable[Rect]) -> Iterator[tuple[float, list[Rect]]]:
    """Bleed, and boxes that touch others of about their size, as they are cut: they have it on their free sides
    alone. It is what outer ones have more than inner ones, or makes a usual size."""
    largest = sorted(boxes, key=lambda box: -box.width * box.height)[:_MOST_NEIGHBOURS]
    touched = {box: [any(_touch(box, other, side) for other in largest) for side in range(4)] for box in largest}
    touched = {box: sides for box, sides in touched.items() if any(sides)}
    sizes = zip(*((box.width, box.height) for box in touched), strict=True)
    shown = [steady(max(lengths) - min(lengths), 2) for lengths in sizes]
    for bleed in (*shown, _METRIC, _EIGHTH):
        ways = (bleed, bleed, -bleed, -bleed)
        cells = (
            Rect(*(edge if is_cut else edge + way for edge, way, is_cut in zip(box, ways, sides, strict=True)))
            for box, sides in touched.items()
        )
        for group in _group_by_size(cells) if _LEAST_BLEED <= bleed <= MOST_BLEED else ():
            size, apart = Size(group[0].width, group[0].height), _EXACT if bleed == _METRIC else ALIKE
            if len(group) > 1 and (bleed in shown or is_usual(size, apart)):
                yield bleed, _apart(group)


def _touch(box: Rect, other: Rect, side: int) -> bool:
    """Whether a side of a box (left, top, right, bottom) is one of another of about its size."""
    apart = [abs(a - b) for a, b in zip(box, other, strict=True)]
    along, across = apart[side % 2 :: 2], apart[(side + 1) % 2 :: 2]
    return abs(box[side] - other[(side + 2) % 4]) <= _EXACT and max(*across, abs(along[0] - along[1])) <= MOST_BLEED


def _fit_boxes(boxes: Iterable[Rect], kind: Kind) -> list[Rect]:
    """The boxes of pieces of a kind in boxes of their proportions."""
    return [fitted for box in boxes if (fitted := fit_box(box, kind))]


def _overlap(box: Rect, other: Rect, kind: Kind) -> bool:
    """Whether pieces of a kind and of about one size overlap."""
    x, y = (abs(a - b) for a, b in zip(box.centre, other.centre, strict=True))
    apart = max(x - box.width, y - box.height)
    if kind == "circle":
        apart = hypot(x, y) - box.width
    elif kind == "hexagon":  # from side to side, and across a slanted side
        x, y = (x, y) if box.width < box.height else (y, x)
        apart = max(x, x / 2 + y * sqrt(0.75)) - min(box.width, box.height)
    return apart < -_OVERLAP


def _apart(boxes: Sequence[Rect], kind: Kind = "rectangle") -> list[Rect]:
    """The boxes that overlap none before them, in reading order."""
    kept: list[Rect] = []
    for box in boxes:
        if not any(_overlap(box, other, kind) for other in kept):
            kept.append(box)
            if len(kept) > _MOST_CELLS:
                break
    return in_order(kept)


def in_order(cells: Iterable[Rect]) -> list[Rect]:
    """Cells as they are read: row by row."""
    cells = list(cells)
    rows = _cluster([cell.y0 for cell in cells], apart=3.0)

    def place(cell: Rect) -> tuple[int, float]:
        nearest = min(range(len(rows)), key=lambda row: abs(rows[row] - cell.y0))
        return nearest, cell.x0

    return sorted(cells, key=place)


def _find_bleed(page: PageShapes, cells: Sequence[Rect]) -> float:
    """How far within their boxes cards are cut: where crop marks are, or by an eighth of an inch if
    that makes a usual size."""
    marks = [line for line in page.lines if _is_mark(line, cells)]
    xs, ys = ([mark.at for mark in marks if mark.is_upright is way] for way in (True, False))
    across = _find_insets(xs, {(cell.x0, cell.x1) for cell in cells})
    down = _find_insets(ys, {(cell.y0, cell.y1) for cell in cells})
    for inset in sorted(across):
        if any(abs(inset - other) <= _SAME_LINE for other in down):
            return 0.0 if inset < _LEAST_BLEED else inset
    return find_usual_bleed(FoundCards("boxes", list(cells), 0.0, 0.0).size)


def _is_mark(line: RuledLine, cells: Iterable[Rect]) -> bool:
    """Whether a line is short, and not within a card."""
    if line.end - line.start > _LONGEST_MARK:
        return False
    middle = (line.start + line.end) / 2
    place = Point(line.at, middle) if line.is_upright else Point(middle, line.at)
    return not any(cell.grown(-MOST_BLEED).holds(place) for cell in cells)


def find_usual_bleed(whole: Size) -> float:
    """The bleed around a usual size: 3 mm or an eighth of an inch, if a size is one with it."""
    if is_usual(whole):
        return 0.0
    for bleed, apart in ((_METRIC, _EXACT), (_EIGHTH, ALIKE)):
        if is_usual(Size(whole.width - 2 * bleed, whole.height - 2 * bleed), apart):
            return bleed
    return 0.0


def _find_insets(marks: Sequence[float], spans: set[tuple[float, float]]) -> list[float]:
    """The distances from both ends of all spans at which marks are."""

    def is_marked(at: float) -> bool:
        return any(abs(mark - at) <= _SAME_LINE for mark in marks)

    start, _ = min(spans)
    near = {steady(at - start, 3) for at in marks if -_SAME_LINE < at - start < MOST_BLEED}
    return [x for x in near if all(is_marked(a + x) and is_marked(b - x) for a, b in spans)]


def are_near(size: Size, other: Size, apart: float = ALIKE) -> bool:
    return max(abs(size.width - other.width), abs(size.height - other.height)) <= apart


def is_usual(size: Size, apart: float = ALIKE) -> bool:
    return any(are_near(size, usual, apart) or are_near(size.turned(), usual, apart) for usual in USUAL_SIZES)


# Lines and crop marks alone.


def _by_lines(page: PageShapes, ink: PageInk) -> Iterator[FoundCards]:
    """Cells between marks; and between long lines, of which the edges of the page are some."""
    finds: tuple[tuple[Clue, _FindPlaces], ...] = (("marks", _find_marked), ("lines", _find_long))
    for clue, find in finds:
        edges = [(0.0, end) if clue == "lines" else () for end in page.size]
        xs, ys = (_usual_spans([*find(page.lines, not axis), *edges[axis]]) for axis in range(2))
        cells = [Rect(x0, y0, x1, y1) for y0, y1 in ys for x0, x1 in xs]
        cells = [cell for cell in cells if ink.within(cell.grown(-MOST_SPILT))]
        longest = max((max(cell.width, cell.height) for cell in cells), default=0.0)
        if 1 < len(cells) <= _MOST_CELLS and longest <= _LARGEST_RULED:
            yield FoundCards(clue, cells, 0.0, _score(clue, cells, ink))


def _find_long(lines: Iterable[RuledLine], is_upright: bool) -> Iterator[float]:
    """The places of lines, dashed ones too."""
    for dashes in _collect(lines, is_upright):
        length = max(dash.end for dash in dashes) - min(dash.start for dash in dashes)
        drawn = sum(dash.end - dash.start for dash in dashes)
        if length >= _LONG_LINE and drawn >= length * _LEAST_DRAWN:
            yield fmean(dash.at for dash in dashes)


def _find_marked(lines: Iterable[RuledLine], is_upright: bool) -> Iterator[float]:
    """The places with short lines some way apart from each other."""
    short = [line for line in lines if line.end - line.start <= _LONGEST_MARK]
    for marks in _collect(short, is_upright):
        apart = max(mark.start for mark in marks) - min(mark.end for mark in marks)
        drawn = sum(mark.end - mark.start for mark in marks)
        if apart >= _SMALLEST and drawn < (apart + drawn) * _LEAST_DRAWN * 2:
            yield fmean(mark.at for mark in marks)


def _collect(lines: Iterable[RuledLine], is_upright: bool) -> Iterator[list[RuledLine]]:
    """Lines of one way, at one place."""
    of_way = (line for line in lines if line.is_upright == is_upright)
    return _group(of_way, attrgetter("at"), _SAME_LINE)


def _usual_spans(places: Sequence[float]) -> list[tuple[float, float]]:
    """The neighbours whose distance is the one that fills most."""
    places = _cluster(places, _SAME_LINE)
    spans = [(a, b) for a, b in pairwise(places) if b - a >= _SMALLEST]
    if not spans:
        return []
    groups = [[span for span in spans if abs(span[1] - span[0] - b + a) <= ALIKE] for a, b in spans]
    return max(groups, key=lambda group: (len(group) > 1, sum(b - a for a, b in group)))


# A page that is a card.


def _by_page(page: PageShapes, ink: PageInk, wanted: Wanted) -> Iterator[FoundCards]:
    is_card = _is_small(page.size) or (wanted.size and are_near(page.size, wanted.size))
    if not is_card or not ink.total:
        return
    whole = Rect(0.0, 0.0, *page.size)
    if min(page.trim.x0, page.trim.y0) > _LEAST_BLEED:
        trim = page.trim
        ends = trim.x0, trim.y0, whole.x1 - trim.x1, whole.y1 - trim.y1
        yield FoundCards("page", [trim], steady(max(min(ends), 0.0), 3), 1.0)
        return
    bleed = find_usual_bleed(page.size) if wanted.bleed is None else 0.0
    yield FoundCards("page", [whole.grown(-bleed)], bleed, _WORTH["page"])


def _is_small(size: Size) -> bool:
    """Whether a page may be a card."""
    small, large = sorted(size)
    return small <= _LARGEST_PAGE.width and large <= _LARGEST_PAGE.height


# What a person says.


def say_grid(found: FoundCards) -> Wanted:
    """The words for cards in rows and columns."""
    starts = [_cluster(sides) for sides in zip(*((cell.x0, cell.y0) for cell in found.cells), strict=True)]
    at, size = (steady(starts[0][0], 2), steady(starts[1][0], 2)), found.size
    steps = ((line[-1] - line[0]) / max(len(line) - 1, 1) for line in starts)
    across, down = (max(steady(step - side, 2), 0.0) for step, side in zip(steps, size, strict=True))
    return Wanted(size, (len(starts[1]), len(starts[0])), at, (across, down), found.bleed or None)


def _with_bleed(found: FoundCards, wanted: Wanted) -> FoundCards:
    """The boxes of cards hold so much bleed."""
    bleed = wanted.bleed or 0.0
    if wanted.size and found.is_of(wanted.size):
        return replace(found, bleed=bleed)
    return replace(found, cells=[cell.grown(found.bleed - bleed) for cell in found.cells], bleed=bleed)


def fit(found: FoundCards, size: Size, apart: float = ALIKE) -> FoundCards | None:
    """Cards of a size; what boxes have more on all sides, by about as much, is bleed."""
    inset = (found.size.width - size.width) / 2, (found.size.height - size.height) / 2
    is_even = abs(inset[0] - inset[1]) <= apart and -max(found.bleed, ALIKE) <= min(inset) <= MOST_BLEED
    if not is_even:
        return None
    inner = [
        Rect(x - size.width / 2, y - size.height / 2, x + size.width / 2, y + size.height / 2)
        for x, y in (cell.centre for cell in found.cells)
    ]
    return replace(found, cells=inner, bleed=max(steady(found.bleed + min(inset), 3), 0.0))


def _lay_grid(page: PageShapes, ink: PageInk, wanted: Wanted) -> list[FoundCards]:
    """Rows and columns: where a person says, or in the middle of the page; of the size of the ink if none is said."""
    assert wanted.grid is not None
    rows, columns = wanted.grid
    across, down = wanted.gap or (0.0, 0.0)
    whole = ink.box()
    if whole is None:
        return []
    size = wanted.size or Size(
        (whole.width - across * (columns - 1)) / columns, (whole.height - down * (rows - 1)) / rows
    )
    piece = fit_box(Rect(0.0, 0.0, *size), wanted.shape)
    size = Size(piece.width, piece.height) if piece else Size(0.0, 0.0)
    pitch = Size(size.width + across, size.height + down)
    extent = Size(pitch.width * columns - across, pitch.height * rows - down)
    if wanted.at:
        corner = _find_corner(page.size, ink, wanted.at, extent)
    elif wanted.size:
        x, y = (page.size.width - extent.width) / 2, (page.size.height - extent.height) / 2
        corner = Rect(x, y, x, y)
    else:
        corner = whole
    if min(size) < 1 or corner.x0 < -1 or corner.y0 < -1:
        return []
    points = lattice(corner.corners()[0], pitch, columns, rows)
    cells = [Rect(x, y, x + size.width, y + size.height) for x, y in points]
    edge = Rect(0.0, 0.0, *page.size).grown(1.0)
    cells = [cell for cell in cells if edge.encloses(cell) and ink.within(cell.grown(-1.0))]
    return [FoundCards("grid", cells, wanted.bleed or 0.0, 1.0)] if cells else []


def _find_corner(page: Size, ink: PageInk, at: tuple[float, float], extent: Size) -> Rect:
    """Where a grid begins that a person places: there, or as for backs at the mirror image, if that holds more ink."""
    (x, y), (width, height) = at, extent
    places = (x, y), (page.width - x - width, y), (x, page.height - y - height)
    grids = [Rect(left, top, left + width, top + height) for left, top in places]
    return max(grids, key=lambda grid: ink.within(grid) * (_MORE if grid == grids[0] else 1.0))
