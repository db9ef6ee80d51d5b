"""Lengths in millimetres, as people write them ("2.5in"), and points, boxes and maps of the plane."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from math import cos, radians, sin, sqrt
from typing import NamedTuple

from generator.basics.errors import MisfitError, quote

HAIR = 1e-6  # mm: lengths that differ by less are equal
_TIE = 0.118  # of a step: rounding up begins that much before half-way; see `steady`
MM_PER_INCH = 25.4
PT_PER_MM = 72 / MM_PER_INCH
MM_PER_PT = MM_PER_INCH / 72
MAX_LENGTH_MM = 2000.0  # longer than any sheet a home or a copy shop prints

_MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_PT}
LENGTH_PATTERN = r"^\s*[0-9]+(\.[0-9]+)?\s*(mm|cm|in|pt)\s*$"
LENGTH_HINT = "a number and mm, cm, in or pt, in quotes: '2.5mm'"
_LENGTH = re.compile(LENGTH_PATTERN)
_NUMBER, _UNIT, _TIMES = "([0-9.]{1,9})", "(mm|cm|in|pt)", " ?[xX×] ?"
SIZE_PATTERN = rf"^{_NUMBER} ?{_UNIT}?{_TIMES}{_NUMBER} ?{_UNIT}$"
_SIZE = re.compile(SIZE_PATTERN, re.IGNORECASE)
_UNITLESS = re.compile(_NUMBER + _TIMES + _NUMBER)


def steady(value: float, places: int = 4) -> float:
    """Round a number so that its last bits, which differ between machines, do not matter.

    They would matter half-way between two steps, where many measures are (88.9 mm / 16 = 5.55625 mm). So numbers round
    up from 0.382 of a step, the golden section, which is far from all short fractions. Zero has no sign.
    """
    return round(value + _TIE * 10.0**-places, places) + 0.0


class Point(NamedTuple):
    """A place in mm, x to the right and y down."""

    x: float
    y: float

    def steadied(self) -> Point:
        """The point with steady numbers, to compare and to sort."""
        return Point(steady(self.x, 6), steady(self.y, 6))


@lru_cache(1 << 14)  # most numbers of a game repeat
def decimal(value: float, places: int = 4) -> str:
    """The text of a steady number. Four decimal places of a mm are finer than any printer."""
    text = f"{value + _TIE * 10.0**-places:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


ORIGIN = Point(0.0, 0.0)


class Size(NamedTuple):
    """Width and height in mm."""

    width: float
    height: float

    def __str__(self) -> str:
        return f"{self.width:.6g} × {self.height:.6g} mm"

    def turned(self) -> Size:
        """The size after a quarter turn."""
        return Size(self.height, self.width)


class Rect(NamedTuple):
    """An upright rectangle; x0 <= x1 and y0 <= y1."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """The mm from the left to the right edge."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """The mm from the upper to the lower edge."""
        return self.y1 - self.y0

    def grown(self, by: float, down: float | None = None) -> Rect:
        """The rectangle with every edge `by` mm further out, or further in if negative; the upper and the lower edge
        by other mm `down`, if given."""
        down = by if down is None else down
        return Rect(self.x0 - by, self.y0 - down, self.x1 + by, self.y1 + down)

    def within(self, other: Rect) -> Rect:
        """The part of this rectangle within the other."""
        return Rect(*map(max, self[:2], other[:2]), *map(min, self[2:], other[2:]))

    def around(self, *others: Rect) -> Rect:
        """The smallest rectangle around this one and the others."""
        x0s, y0s, x1s, y1s = zip(self, *others, strict=True)
        return Rect(min(x0s), min(y0s), max(x1s), max(y1s))

    def overlaps(self, other: Rect) -> bool:
        """Whether both share an area, by more than HAIR on each side."""
        across = self.x0 + HAIR < other.x1 and other.x0 + HAIR < self.x1
        return across and self.y0 + HAIR < other.y1 and other.y0 + HAIR < self.y1

    def encloses(self, other: Rect) -> bool:
        """Whether the other is within this one, or past it by no more than HAIR."""
        low, high = Point(self.x0 - HAIR, self.y0 - HAIR), Point(self.x1 + HAIR, self.y1 + HAIR)
        return low.x <= other.x0 and other.x1 <= high.x and low.y <= other.y0 and other.y1 <= high.y

    def holds(self, point: Point) -> bool:
        """Whether a point is in the rectangle or on its edge."""
        return self.encloses(Rect(*point, *point))

    @property
    def centre(self) -> Point:
        """The middle of the rectangle."""
        return Point((self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2)

    def moved(self, x: float, y: float) -> Rect:
        """The rectangle `x` mm further right and `y` mm further down."""
        return Rect(self.x0 + x, self.y0 + y, self.x1 + x, self.y1 + y)

    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The corners, clockwise as seen, from the top left."""
        x0, y0, x1, y1 = self
        return Point(x0, y0), Point(x1, y0), Point(x1, y1), Point(x0, y1)


class Affine(NamedTuple):
    """x' = a x + c y + e, y' = b x + d y + f: the order of SVG's and PDF's matrix."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __matmul__(self, first: Affine) -> Affine:
        """`self @ first` does `first`, then `self`."""
        return Affine(
            self.a * first.a + self.c * first.b,
            self.b * first.a + self.d * first.b,
            self.a * first.c + self.c * first.d,
            self.b * first.c + self.d * first.d,
            self.a * first.e + self.c * first.f + self.e,
            self.b * first.e + self.d * first.f + self.f,
        )

    def to_text(self) -> str:
        """The six numbers, steady: factors with six decimal places, lengths with four."""
        a, b, c, d, e, f = self
        factors = (decimal(factor, 6) for factor in (a, b, c, d))
        return " ".join((*factors, decimal(e), decimal(f)))

    def apply(self, point: Point) -> Point:
        """Map a point."""
        x, y = point
        return Point(self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)

    def apply_rect(self, rect: Rect) -> Rect:
        """The upright box around the mapped rectangle."""
        if self.b == 0.0 == self.c and self.a > 0.0 < self.d:  # most maps, four times as fast
            a, _, _, d, e, f = self
            x0, y0, x1, y1 = rect
            return Rect(a * x0 + e, d * y0 + f, a * x1 + e, d * y1 + f)
        xs, ys = zip(*map(self.apply, rect.corners()), strict=True)
        return Rect(min(xs), min(ys), max(xs), max(ys))

    @property
    def enlargement(self) -> float:
        """How many times as long lines become, on average."""
        return sqrt(abs(self.a * self.d - self.b * self.c))

    def undo(self) -> Affine:
        """The inverse of a map that turns, mirrors and shifts, but does not scale."""
        a, b, c, d, e, f = self
        return Affine(a, c, b, d, -(a * e + b * f), -(c * e + d * f))

    def inverse(self) -> Affine:
        """The inverse of any map. Raises ZeroDivisionError for one that maps an area to a line."""
        a, b, c, d, e, f = self
        area = a * d - b * c
        return Affine(d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area)


IDENTITY = Affine()


def translation(x: float, y: float) -> Affine:
    """Move `x` mm right and `y` mm down."""
    return Affine(e=x, f=y)


def scaling(by: float) -> Affine:
    """Enlarge from the origin, equally both ways."""
    return Affine(a=by, d=by)


def turning(degrees: float, about: Point) -> Affine:
    """Turn clockwise about a point."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    turn = Affine(c, s, -s, c)
    return translation(*about) @ turn @ translation(-about.x, -about.y)


def half_turn(box: Size) -> Affine:
    """Turn a box at (0, 0) upside down, in its place."""
    return Affine(-1.0, 0.0, 0.0, -1.0, *box)


def quarter_turn(box: Size) -> Affine:
    """Turn a box at (0, 0) clockwise by a quarter; its top left is at (0, 0) again."""
    return Affine(0.0, 1.0, -1.0, 0.0, box.height, 0.0)


def quarter_turns(box: Size, degrees: int) -> Affine:
    """Turn a box at (0, 0) clockwise by 0, 90, 180 or 270 degrees; its top left is at (0, 0) again."""
    match degrees % 360:
        case 90:
            return quarter_turn(box)
        case 180:
            return half_turn(box)
        case 270:
            return quarter_turn(box.turned()).undo()
    return IDENTITY


def lattice(corner: Point, pitch: Size, columns: int, rows: int) -> Iterator[Point]:
    """Points in rows and columns, in reading order."""
    for row in range(rows):
        for column in range(columns):
            yield Point(corner.x + column * pitch.width, corner.y + row * pitch.height)


def mirror_x(width: float) -> Affine:
    """Swap left and right of a strip from 0 to width."""
    return Affine(a=-1.0, e=width)


def mirror_y(height: float) -> Affine:
    """Swap top and bottom of a strip from 0 to height."""
    return Affine(d=-1.0, f=height)


def parse_length(text: str) -> float:
    """Read a length with its unit (mm, cm, in, pt) as millimetres.

    Raises MisfitError if it has no unit, is negative, is longer than MAX_LENGTH_MM, or is not a length.
    """
    match = _LENGTH.match(text)
    if match is None:
        raise _fault(text)
    number = text.strip().removesuffix(match[2])
    length = float(number) * _MM_PER_UNIT[match[2]]
    if length > MAX_LENGTH_MM:
        raise MisfitError(f"the length {quote(text)} is longer than {MAX_LENGTH_MM / 1000:g} m", LENGTH_HINT)
    return length


def split_size(text: str) -> tuple[str, str] | None:
    """The two lengths of "63x88mm", "63 x 88 mm" or "2.5in x 3.5in", each with its unit; None if it is no such size.

    Raises MisfitError if it has no unit.
    """
    if _UNITLESS.fullmatch(text):
        raise MisfitError(f"the size {quote(text)} has no unit", f"give its size a unit: {quote(f'{text}mm')}")
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    width, unit, height, last_unit = match.groups()
    return width + (unit or last_unit).lower(), height + last_unit.lower()


def describe_lack(width: float, height: float) -> str:
    """The mm that are missing in each direction; "" if none are."""
    lengths = (("width", width), ("height", height))
    return " and ".join(f"{mm:.1f} mm in {side}" for side, mm in lengths if mm > HAIR)


def _fault(text: str) -> MisfitError:
    if re.fullmatch(r"\s*+-\s*+[0-9.]++\s*+[a-z]*+\s*+", text):
        return MisfitError(f"the length {quote(text)} is negative", LENGTH_HINT)
    if re.fullmatch(r"\s*[0-9]+(\.[0-9]+)?\s*", text):
        return MisfitError(f"the length {quote(text)} has no unit", LENGTH_HINT)
    tidy = re.sub(r"^\.", "0.", text.strip().lower().replace(",", "."))
    hint = f"did you mean {quote(tidy)}?" if _LENGTH.match(tidy) else LENGTH_HINT
    return MisfitError(f"{quote(text)} is not a length", hint)
