"""The cards of a page that is one picture, by its pixels: a proposal, which a person confirms.

Cards end at long straight edges that come again at equal steps, and hold the ink of the page.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generator.basics.geometry import MM_PER_INCH, Rect, Size
from generator.importing import finding
from generator.importing.finding import FoundCards, PageInk, Wanted

SCALES = (4.0, 300 / MM_PER_INCH)  # pixels to a mm: to search, to measure
_MOST_PIXELS = 20e6  # of a page
_STARK = 24  # levels of red, green or blue from one side of an edge to the other
_BLURRED = 0.4  # mm from one side to the other
_RUN, _UNBROKEN = 6.0, 0.9  # mm of an edge, of which so much is stark
_SAME, _NEAR, _EQUAL = 0.8, 0.5, 0.3  # mm: of parts of an edge, of an edge and its place, of steps
_LEAST, _MOST, _MOST_GAP = 15.0, 160.0, 25.0  # mm: the sides of cards, and what is between them
_MOST_EDGES, _MOST_STEPS, _MOST_ROWS, _MOST_PROPOSED = 32, 20, 12, 4
_FEW = 0.35  # what the score of a single row loses: it needs no edges within
_USUAL = 1.6  # how many times the score of a usual size counts
_SCORE = 0.16, 0.12  # the least, and what the best has more: too little to speak for a size on other pages
_Edges = NDArray[np.float64]  # places of long edges across a side of a page, and their lengths (mm)


class CardRow(NamedTuple):
    """Cards along a side of a page: so many, each as long, from a start, at equal steps (mm)."""

    score: float
    start: float
    length: float
    step: float
    number: int

    def ends(self) -> NDArray[np.float64]:
        """Where each starts and ends."""
        starts = self.start + self.step * np.arange(self.number)
        return np.stack([starts, starts + self.length], 1)


def propose(paint: Callable[[float], NDArray[np.uint8]], page: Size, ink: PageInk, wanted: Wanted) -> list[FoundCards]:
    """The likely cards of a page of a size (mm); `paint` makes a picture of it (rows, columns, colours) with so
    many pixels to a mm."""
    if page.width * page.height * SCALES[1] ** 2 > _MOST_PIXELS:
        return []
    rows, pixels = [], paint(SCALES[0])
    for axis, edges in enumerate(_find_edges(pixels, SCALES[0])):
        found = _find_rows(edges, ink.along(axis), page[axis])
        rows.append(sorted((row for row in found if _is_as_said(row, wanted, axis)), reverse=True)[:_MOST_ROWS])
    different = {}
    for across, down in sorted(product(*rows), key=_score):
        if across.number * down.number > 1:
            different[across.number, down.number, round(across.length), round(down.length)] = across, down
    best = sorted(different.values(), key=_score, reverse=True)[:_MOST_PROPOSED]
    fine = list(_find_edges(paint(SCALES[1]), SCALES[1])) if best else []
    return [each for grid in best if (each := _lay(_score(grid), list(map(_measure, grid, fine)), ink)).cells]


def _is_as_said(row: CardRow, wanted: Wanted, axis: int) -> bool:
    more = row.length - wanted.size[axis] if wanted.size else 0.0
    count = wanted.grid[1 - axis] if wanted.grid else row.number
    return -finding.ALIKE <= more <= 2 * finding.MOST_BLEED and row.number == count


def _score(grid: Sequence[CardRow]) -> float:
    """How likely columns and rows are those of cards."""
    size = Size(*(row.length for row in grid))
    is_usual = finding.is_usual(size) or finding.find_usual_bleed(size)
    return grid[0].score * grid[1].score * (_USUAL if is_usual else 1.0)


def _lay(score: float, grid: Sequence[CardRow], ink: PageInk) -> FoundCards:
    """The cards in columns and rows, of a usual size if theirs is that near."""
    size = Size(*(row.length for row in grid))
    usual = (known for upright in finding.USUAL_SIZES for known in (upright, upright.turned()))
    size = next((known for known in usual if finding.are_near(size, known, _EQUAL)), size)
    bleed = finding.find_usual_bleed(size)
    wide, high = size.width / 2 - bleed, size.height / 2 - bleed
    middles = product(*(row.ends().mean(1).tolist() for row in reversed(grid)))
    cells = [Rect(x - wide, y - high, x + wide, y + high) for y, x in middles]
    cells = [cell for cell in cells if ink.within(cell.grown(-finding.MOST_SPILT))]
    return FoundCards("pixels", cells, bleed, _SCORE[0] + _SCORE[1] * min(score, 1.0))


def _find_edges(pixels: NDArray[np.uint8], scale: float) -> Iterator[_Edges]:
    """The upright and the level edges of a picture with so many pixels to a mm."""
    apart, run = max(round(_BLURRED * scale), 2), round(_RUN * scale)
    for axes in ((2, 0, 1), (2, 1, 0)):
        seen = pixels.transpose(axes).astype(np.int16, order="C")
        stark = np.abs(seen[..., apart:] - seen[..., :-apart]).max(0) > _STARK
        sums = np.cumsum(stark, 0, dtype=np.int32)
        lengths = (sums[run:] - sums[:-run] >= run * _UNBROKEN).sum(0) / scale
        found = np.flatnonzero(lengths)
        parts = [part for part in np.split(found, np.flatnonzero(np.diff(found) > _SAME * scale) + 1) if len(part)]
        middles = np.array([np.average(part, weights=lengths[part]) for part in parts])
        yield np.array([(middles + (apart + 1) / 2) / scale, [lengths[part].max() for part in parts]])


def _find_rows(edges: _Edges, ink: NDArray[np.float64], side: float) -> Iterator[CardRow]:
    """The rows that may be those of cards along a side of a page (mm); `ink` is how much of it is
    at equal steps along that."""
    places, lengths = edges[:, np.sort(np.argsort(-edges[1])[:_MOST_EDGES])]
    if len(places) < 2:
        return
    within, at = np.concatenate([[0.0], np.cumsum(ink) / ink.sum()]), np.linspace(0.0, side, len(ink) + 1)
    for row in {row for step in _find_steps(places, lengths) for row in _fit_rows(places, step)}:
        ends = row.ends()
        seen = np.where(np.abs(ends[..., None] - places) < _NEAR, lengths, 0.0).max(2)
        if row.length == row.step:  # nothing may show where they touch
            seen = (seen[0, 0] + seen[-1, 1] + 2 * seen.mean()) / 4
        cover = np.diff(np.interp(ends, at, within)).sum()
        score = np.mean(seen) / lengths.max() * cover**2 * (1 - _FEW / row.number)
        yield row._replace(score=float(score))


def _find_steps(places: NDArray[np.float64], lengths: NDArray[np.float64]) -> list[float]:
    """The distances that long edges have most."""
    first, second = np.triu_indices(len(places), 1)
    apart, weights = places[second] - places[first], np.minimum(lengths[first], lengths[second])
    about = np.round(apart / _EQUAL).astype(np.int64)
    votes, sums = np.bincount(about, weights), np.bincount(about, weights * apart)
    votes[: int(_LEAST / _EQUAL)] = 0.0
    most = np.argsort(-votes, kind="stable")[: min(_MOST_STEPS, np.count_nonzero(votes))]
    steps: list[float] = (sums[most] / votes[most]).tolist()
    return steps


def _fit_rows(places: NDArray[np.float64], step: float) -> Iterator[CardRow]:
    """Rows of a step from each edge to each other."""
    for start, end in product(places.tolist(), repeat=2):
        count = max(ceil((end - start) / step - 0.03), 1)
        gap = count * step - (end - start)
        if end > start and -0.03 * step <= gap <= min(_MOST_GAP, step - _LEAST) and step - gap <= _MOST:
            yield CardRow(0.0, start, step - (gap if gap > _EQUAL else 0.0), step, count)


def _measure(row: CardRow, edges: _Edges) -> CardRow:
    """A row whose ends are where the edges next to them are, by least squares."""
    if not edges.size:
        return row
    apart = edges[0] - row.ends()[..., None]
    nearest = np.take_along_axis(apart, np.abs(apart).argmin(2)[..., None], 2)[..., 0]
    index, side = np.nonzero(np.abs(nearest) < _NEAR)
    terms = np.stack([np.ones(len(index)), index, side], 1)
    start, step, length = np.linalg.lstsq(terms, nearest[index, side], rcond=None)[0].tolist()
    return row._replace(start=row.start + start, step=row.step + step, length=row.length + length)
