"""Take a printed calibration sheet, read its scales from the pixels as an eye would.

Nothing here asks the generator where a scale is: strokes and ticks are the lines of the finished
PDF, their names are the letters and numbers that it prints next to them, and the line is the grey
that shines through between the strokes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import cos, floor, radians, sin

import numpy as np
import pikepdf
import pypdfium2
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image, ImageChops

DPI = 300
MM = 25.4
Grey = NDArray[np.float32]

_ALIKE = 0.01  # mm: two strokes that hide the line about equally well
_LETTERS, _NUMBERS = "ABCDEFGH", 100
_COUNT = len(_LETTERS) * _NUMBERS
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
        forth = np.array([[c * self.scale_x, -s * self.scale_y], [s * self.scale_x, c * self.scale_y]])
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


class Stroke(Struct, frozen=True):
    """A stroke of a scale: its middle along the scale and across it (mm), and its name: "E14"."""

    along: float
    across: float
    name: str


class Line(Struct, frozen=True):
    """An upright or level line of the PDF (mm from the top left)."""

    x: float
    y: float
    length: float
    width: float
    is_upright: bool


class Word(Struct, frozen=True):
    """A letter or a number of the page, and the box of its ink (mm from the top left)."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


@dataclass(frozen=True)
class Scale:
    """The strokes of a scale, by row, the way it measures, and the words that name them."""

    is_across: bool
    rows: tuple[tuple[Stroke, ...], ...]
    paper: tuple[float, float]
    words: tuple[Word, ...]


class Front:
    """The front of a calibration sheet: its picture, and the eight scales found on it."""

    def __init__(self, pdf: bytes) -> None:
        with pypdfium2.PdfDocument(pdf) as document:
            self.image, self.back = (
                page.render(scale=DPI / 72, grayscale=True).to_pil().convert("L") for page in document
            )
            width, height = (side * MM / 72 for side in document[0].get_size())
            words = list(words_of(document[0]))
        self.paper = width, height
        lines = list(_lines(pdf))
        self.scales = [
            _scale(is_across, lines, words, (right, low), self.paper)
            for low, right in product((False, True), repeat=2)
            for is_across in (True, False)
        ]


def _scale(
    is_across: bool, lines: Sequence[Line], words: Sequence[Word], corner: tuple[bool, bool], paper: tuple[float, float]
) -> Scale:
    def is_here(x: float, y: float) -> bool:
        return (x > paper[0] / 2, y > paper[1] / 2) == corner

    def along_across(x: float, y: float) -> tuple[float, float]:
        return (x, y) if is_across else (y, x)

    near = [line for line in lines if is_here(line.x, line.y)]
    strokes = [
        (*along_across(line.x, line.y), line.width)
        for line in near
        if abs(line.length - 0.25) < 0.01 and line.is_upright == is_across
    ]
    assert len(strokes) == _COUNT, f"{len(strokes)} strokes"
    ticks = [
        (*along_across(line.x, line.y), line.length)
        for line in near
        if 0.95 < line.length < 1.95 and line.is_upright != is_across
    ]
    low, high = (f(s[0] for s in strokes) for f in (min, max))
    first, last = (f(s[1] for s in strokes) for f in (min, max))
    ticks = [t for t in ticks if low - 4 < t[0] < high + 4 and first - 0.1 < t[1] < last + 0.1]
    named = [(word, *along_across(*word.middle)) for word in words if is_here(*word.middle)]
    named = [n for n in named if low - 7 < n[1] < high + 7 and first - 4 < n[2] < last + 4]
    numbers = list(_numbers(ticks, named))
    rows: list[tuple[Stroke, ...]] = []
    strokes.sort(key=lambda stroke: (round(stroke[1], 2), stroke[0]))
    for start in range(0, _COUNT, len(_LETTERS)):
        row = []
        for along, across, width in strokes[start : start + len(_LETTERS)]:
            is_before = width > 0.2
            letters = [n for n in named if n[0].text in _LETTERS and (n[2] < first) == is_before]
            letter = min(letters, key=lambda n: abs(n[1] - along))
            number = next(value for at, value in numbers if abs(at - across) < 0.05)
            row.append(Stroke(along, across, f"{letter[0].text}{number}"))
        rows.append(tuple(row))
    return Scale(is_across, tuple(rows), paper, tuple(n[0] for n in named))


def _numbers(
    ticks: Sequence[tuple[float, float, float]], named: Sequence[tuple[Word, float, float]]
) -> Iterator[tuple[float, int]]:
    """Count the ticks of each side from the printed numbers, which are at the longer ones."""
    middle = sum(tick[0] for tick in ticks) / len(ticks)
    for is_before in (True, False):
        side = sorted(tick[1:] for tick in ticks if (tick[0] < middle) == is_before)
        printed = {}
        for word, along, across in named:
            if word.text.isdigit() and (along < middle) == is_before:
                index = min(range(len(side)), key=lambda i: abs(side[i][0] - across))
                assert abs(side[index][0] - across) < 0.3
                assert side[index][1] > 1.5, "a longer tick"
                printed[index] = int(word.text)
        (i, a), (j, b) = list(printed.items())[:2]
        way = (b - a) // (j - i)
        assert all(value == a + way * (index - i) for index, value in printed.items())
        for index, (across, _) in enumerate(side):
            yield across, a + way * (index - i)


def words_of(page: pypdfium2.PdfPage) -> Iterator[Word]:
    """The words of a page: characters that stand beside one another without a gap."""
    text, height = page.get_textpage(), page.get_height()
    word: Word | None = None
    for index in range(text.count_chars()):
        left, bottom, right, top = (value * MM / 72 for value in text.get_charbox(index))
        y0, y1, letter = (height * MM / 72 - top, height * MM / 72 - bottom, text.get_text_range(index, 1))
        touches = word is not None and abs(left - word.x1) < 0.6 and y0 < word.y1 and word.y0 < y1
        if word is not None and touches and letter.strip():
            y0, y1 = min(y0, word.y0), max(y1, word.y1)
            word = Word(word.text + letter, word.x0, y0, right, y1)
            continue
        if word is not None:
            yield word
        word = Word(letter, left, y0, right, y1) if letter.strip() else None
    if word is not None:
        yield word


def _lines(pdf: bytes) -> Iterator[Line]:
    """The upright and level lines of the first page, in its forms, which nothing moves."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        page = document.pages[0]
        top = float(page.mediabox[3])
        for form in page.resources.XObject.values():
            yield from _lines_of(form, top)


def _lines_of(form: pikepdf.Object, top: float) -> Iterator[Line]:
    width, start = 1.0, (0.0, 0.0)
    for step in pikepdf.parse_content_stream(form):
        operator = str(step.operator)
        if operator == "w":
            width = float(step.operands[0])
        elif operator in ("m", "l"):
            x, y = (float(value) for value in step.operands)
            if operator == "l" and min(abs(x - start[0]), abs(y - start[1])) < 1e-3:
                yield _line_between(start, (x, y), width, top)
            start = x, y


def _line_between(start: tuple[float, float], end: tuple[float, float], width: float, top: float) -> Line:
    (x0, y0), (x1, y1) = start, end
    along_x, along_y = abs(x1 - x0), abs(y1 - y0)
    x, y = (x0 + x1) / 2, top - (y0 + y1) / 2
    mm = MM / 72
    return Line(x * mm, y * mm, max(along_x, along_y) * mm, width * mm, along_x < along_y)


def read(scale: Scale, seen: Image.Image, misjudged: int = 0) -> str:
    """The reading of a scale on a sheet held against the light: "E14", or "E14.5" between two.

    An eye that misjudges it names the stroke so many steps further on.
    """
    grey = 255.0 - np.asarray(seen, dtype=np.float32)
    width, height = seen.size
    right, down = width / scale.paper[0], height / scale.paper[1]  # pixels per mm
    across = scale.is_across
    line = _line(scale, grey, right, down) if across else _line(scale, grey.T, down, right)
    misses = {
        _place(stroke.name): abs(float(np.polyval(line, stroke.across)) - stroke.along)
        for row in scale.rows
        for stroke in row
    }
    best = min(misses, key=lambda place: misses[place])
    half = ""
    for place in (best - 1, best + 1):
        if misses.get(place, 9.0) - misses[best] < _ALIKE:
            best, half = min(best, place), ".5"
            break
    letter, number = divmod(best + misjudged, _NUMBERS)
    return f"{_LETTERS[letter]}{number}{half}"


def _place(name: str) -> int:
    return _LETTERS.index(name[0]) * _NUMBERS + int(name[1:])


def _line(scale: Scale, grey: Grey, along_mm: float, across_mm: float) -> NDArray[np.float64]:
    """The straight line that shines through in the gaps between the rows (mm).

    `along_mm` and `across_mm` are the pixels of a millimetre.
    """
    levels = [float(np.mean([stroke.across for stroke in row])) for row in scale.rows]
    low = min(row[0].along for row in scale.rows) - 1.0
    high = max(row[-1].along for row in scale.rows) + 1.0
    start, end = round(low * along_mm), round(high * along_mm)
    spots = []
    for level, after in pairwise(levels):
        middle = (level + after) / 2
        top, bottom = floor(middle * across_mm), floor(middle * across_mm) + 1
        profile = grey[top:bottom, start:end].mean(axis=0)
        peak = int(profile.argmax())
        around = slice(max(peak - 4, 0), peak + 5)
        xs = np.arange(len(profile))[around] + 0.5
        along = float((profile[around] * xs).sum() / profile[around].sum())
        spots.append(((top + bottom) / 2 / across_mm, (start + along) / along_mm))
    # Where strokes or another line hide it, the brightest spot is elsewhere.
    across, along_all = (np.array(values) for values in zip(*spots, strict=True))
    kept = np.abs(along_all - np.median(along_all)) < 0.8
    for _ in range(4):
        line: NDArray[np.float64] = np.polyfit(across[kept], along_all[kept], 1)
        misses = np.abs(along_all - np.polyval(line, across))
        kept = misses < max(0.05, 2 * float(np.median(misses)))
    return line
