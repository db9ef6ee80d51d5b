"""Take a printed calibration sheet, read its scales from the pixels as an eye would.

Nothing here asks the generator where a scale is: strokes are found as ink of their shape, their
names are the letters and figures that the PDF prints next to them, and the line is the grey that
shines through between the strokes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians, sin
from typing import NamedTuple

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from PIL import Image, ImageChops

DPI = 300
MM = 25.4
Grey = NDArray[np.float64]

_CORNER = (46.0, 68.0)  # mm of a corner that are looked at: width, height
_ALIKE = 0.05  # mm: two strokes that hide the line about equally well
_SHINES = 0.5  # how much of the ink of the back is seen through the paper


@dataclass(frozen=True)
class Misprint:
    """What a printer does to the back page: mm, degrees and factors, in that page's own frame."""

    dx: float
    dy: float
    angle: float
    scale_x: float
    scale_y: float

    def printed(self, page: Image.Image, paper: tuple[float, float]) -> Image.Image:
        """The page as it comes out: stretched and turned about the middle, then shifted."""
        (width, height), (x_mm, y_mm) = page.size, paper
        c, s = cos(radians(self.angle)), sin(radians(self.angle))
        forth = np.array(
            [[c * self.scale_x, -s * self.scale_y], [s * self.scale_x, c * self.scale_y]]
        )
        back = np.linalg.inv(forth)
        middle = np.array([width / 2, height / 2])
        shift = np.array([self.dx * width / x_mm, self.dy * height / y_mm])
        offset = middle - back @ (middle + shift)
        data = (back[0, 0], back[0, 1], offset[0], back[1, 0], back[1, 1], offset[1])
        bilinear = Image.Resampling.BILINEAR
        return page.transform(page.size, Image.Transform.AFFINE, data, bilinear, fillcolor=255)


def through(front: Image.Image, back: Image.Image, flip: str) -> Image.Image:
    """The sheet against the light, front towards us: the back is mirrored, and grey.

    On upright paper the long edge is at the side: turned on it, left and right change places.
    """
    way = Image.Transpose.FLIP_LEFT_RIGHT if flip == "long" else Image.Transpose.FLIP_TOP_BOTTOM
    dim = back.transpose(way).point(lambda value: round(255 - (255 - value) * _SHINES))
    return ImageChops.multiply(front, dim)


class Stroke(NamedTuple):
    """A stroke of a scale: its middle along the scale and across it (mm), and its name: "K4"."""

    along: float
    across: float
    name: str


class Letter(NamedTuple):
    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Scale:
    """The strokes of a scale, by row, and the way it measures."""

    is_across: bool
    rows: tuple[tuple[Stroke, ...], ...]


class Front:
    """The front of a calibration sheet: its picture, and the eight scales found on it."""

    def __init__(self, pdf: bytes) -> None:
        with pypdfium2.PdfDocument(pdf) as document:
            self.image, self.back = (
                page.render(scale=DPI / 72, grayscale=True).to_pil().convert("L")
                for page in document
            )
            self.paper = tuple(side * MM / 72 for side in document[0].get_size())
            self._letters = list(_letters(document[0]))
        self.scales = [scale for box in self._corners() for scale in self._scales(box)]

    def _corners(self) -> Iterator[tuple[float, float]]:
        width, height = self.paper
        for y in (0.0, height - _CORNER[1]):
            for x in (0.0, width - _CORNER[0]):
                yield x, y

    def _scales(self, corner: tuple[float, float]) -> Iterator[Scale]:
        ink = np.asarray(self.image) < 160
        per_mm = DPI / MM
        x0, y0 = (round(value * per_mm) for value in corner)
        x1, y1 = (
            round((value + size) * per_mm) for value, size in zip(corner, _CORNER, strict=True)
        )
        grey = 255.0 - np.asarray(self.image, dtype=np.float64)
        found: dict[bool, list[tuple[float, float, float]]] = {True: [], False: []}
        for left, top, right, bottom in _blobs(ink[y0:y1, x0:x1]):
            width, height = (right - left) / per_mm, (bottom - top) / per_mm
            if min(width, height) > 0.45 or not 0.8 < max(width, height) < 1.25:
                continue
            window = grey[y0 + top - 2 : y0 + bottom + 2, x0 + left - 2 : x0 + right + 2]
            ys, xs = np.mgrid[top - 2 : bottom + 2, left - 2 : right + 2] + 0.5
            x, y = (float((window * v).sum() / window.sum()) for v in (xs + x0, ys + y0))
            weight = window.sum() / 222 / per_mm**2 / max(width, height)
            found[height > width].append((x / per_mm, y / per_mm, weight))
        for is_across in (True, False):
            yield self._named(is_across, found[is_across])

    def _named(self, is_across: bool, blobs: Sequence[tuple[float, float, float]]) -> Scale:
        """Sort strokes into rows and give each the name that is printed for it."""
        assert len(blobs) == 170, f"{len(blobs)} strokes"
        spots = [(x, y, w) if is_across else (y, x, w) for x, y, w in blobs]
        spots.sort(key=lambda spot: spot[1])
        rows = []
        for start in range(0, 170, 17):
            row = sorted(spots[start : start + 17])
            assert max(s[1] for s in row) - min(s[1] for s in row) < 0.3
            rows.append(row)
        first, last = rows[0][0][1], rows[-1][0][1]
        letters = [Letter(t, x, y) if is_across else Letter(t, y, x) for t, x, y in self._letters]
        return Scale(
            is_across,
            tuple(tuple(_stroke(spot, row, letters, first, last) for spot in row) for row in rows),
        )


def _stroke(
    spot: tuple[float, float, float],
    row: Sequence[tuple[float, float, float]],
    letters: Sequence[Letter],
    first: float,
    last: float,
) -> Stroke:
    """The letter nearest to it of those before or behind the rows, the figure next to its row."""
    along, across, weight = spot
    is_thick = weight > 0.22
    edge = first - 1.6 if is_thick else last + 1.6
    named = [o for o in letters if o.text.isalpha() and abs(o.y - edge) < 0.6]
    name = min(named, key=lambda o: abs(o.x - along))
    ends = row[0][0] - 3.0, row[-1][0] + 3.0
    figures = [
        o
        for o in letters
        if o.text.isdigit() and abs(o.y - across) < 0.7 and ends[0] < o.x < ends[1]
    ]
    assert len(figures) == 1, [o.text for o in figures]
    return Stroke(along, across, name.text + figures[0].text)


def _letters(page: pypdfium2.PdfPage) -> Iterator[Letter]:
    """Each character of the page and the middle of its ink (mm from the top left)."""
    text = page.get_textpage()
    height = page.get_height()
    for index in range(text.count_chars()):
        left, bottom, right, top = text.get_charbox(index)
        middle = (left + right) / 2, height - (bottom + top) / 2
        yield Letter(text.get_text_range(index, 1), middle[0] * MM / 72, middle[1] * MM / 72)


def _blobs(ink: NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """The boxes of connected ink: runs of each line, joined where they touch those above."""
    parents: list[int] = []
    boxes: list[list[int]] = []
    above: list[tuple[int, int, int]] = []

    def root(blob: int) -> int:
        while parents[blob] != blob:
            blob = parents[blob]
        return blob

    for y, line in enumerate(ink):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], line.view(np.int8), [0]))))
        runs = []
        for start, end in edges.reshape(-1, 2).tolist():
            blob = len(parents)
            parents.append(blob)
            boxes.append([start, y, end, y + 1])
            for left, right, other in above:
                if left <= end and start <= right:
                    parents[root(other)] = blob
            runs.append((start, end, blob))
        above = runs
    joined: dict[int, list[int]] = {}
    for blob, (x0, y0, x1, y1) in enumerate(boxes):
        box = joined.setdefault(root(blob), [x0, y0, x1, y1])
        box[:] = [min(box[0], x0), min(box[1], y0), max(box[2], x1), max(box[3], y1)]
    return [(x0, y0, x1, y1) for x0, y0, x1, y1 in joined.values()]


def read(scale: Scale, seen: Image.Image) -> str:
    """The reading of a scale on a sheet held against the light: "K4", or "K45" between two."""
    grey = 255.0 - np.asarray(seen, dtype=np.float64)
    line = _line(scale, grey if scale.is_across else grey.T)
    misses = {
        stroke.name: abs(float(np.polyval(line, stroke.across)) - stroke.along)
        for row in scale.rows
        for stroke in row
    }
    best = min(misses, key=lambda name: misses[name])
    for name in _neighbours(best):
        if misses.get(name, 9.0) - misses[best] < _ALIKE:
            low = name if _place(name) < _place(best) else best
            return low + "5"
    return best


_ALPHABET = "ABCDEFGHKLMNPRSTU"


def _place(name: str) -> int:
    return _ALPHABET.index(name[0]) * 10 + int(name[1])


def _neighbours(name: str) -> list[str]:
    places = (_place(name) - 1, _place(name) + 1)
    return [f"{_ALPHABET[p // 10]}{p % 10}" for p in places if 0 <= p < 170]


def _line(scale: Scale, grey: Grey) -> NDArray[np.float64]:
    """The straight line that shines through in the gaps between the rows (mm)."""
    per_mm = DPI / MM
    levels = [float(np.mean([stroke.across for stroke in row])) for row in scale.rows]
    low = min(row[0].along for row in scale.rows) - 1.0
    high = max(row[-1].along for row in scale.rows) + 1.0
    start, end = round(low * per_mm), round(high * per_mm)
    spots = []
    for level, after in pairwise(levels):
        middle = (level + after) / 2
        top, bottom = round((middle - 0.12) * per_mm), round((middle + 0.12) * per_mm)
        profile = grey[top:bottom, start:end].mean(axis=0)
        peak = int(profile.argmax())
        around = slice(max(peak - 4, 0), peak + 5)
        xs = np.arange(len(profile))[around] + 0.5
        along = float((profile[around] * xs).sum() / profile[around].sum())
        spots.append(((top + bottom) / 2 / per_mm, (start + along) / per_mm))
    across, along_all = zip(*spots, strict=True)
    line: NDArray[np.float64] = np.polyfit(across, along_all, 1)
    return line
