"""The eight scales in the corners of the calibration sheet: their strokes, and the profile that their readings give.

A scale is a vernier folded up. The front has columns of short strokes, one column per 2 mm, named by a letter; each of
its hundred strokes, numbered from 0, is 1/50 mm further along. The back has one long line. It covers one stroke, whose
column and row are the reading. Letter and number come from the same stroke, so the whole column is never in doubt; the
line is long, so drift along it does not matter; and all names are on the front, where they are sharp. The rows go down
by 0 1 2 ... and come up again by ... 98 99 in between: neighbours, 99 and the next 0 too, are never more than two rows
apart, so that a slanted line leaves no gap. Two rows are 0.8 mm: on a back turned by a degree, a number too many is an
error of 0.034 mm. With four numbers of eight wrong by one, the worst corner of Letter or A4 is then still within 0.1
mm.

Readings, such as "E14", become millimetres, and a profile is found from eight of them by least squares.

Also the lines of rings, boxes, crosses and rulers, and targets to prick with a pin on the front,
with rulers to read on the back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, floor, hypot, pi, sin, sqrt
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from generator.basics.errors import Place, PnpError, Problem, fail, quote, raise_all
from generator.basics.geometry import PT_PER_MM, Affine, Point, Rect, Size
from generator.layout.printers.profile import Profile, upright
from generator.model import Flip, Label, MarkLine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from generator.text import Lettering

    Vector = NDArray[np.float64]

Direction = Literal["across", "down"]
CORNERS = ("top left", "top right", "bottom left", "bottom right")

LETTERS = "ABCDEFGH"
ZERO = LETTERS.index("E")
COLUMN = 2.0  # mm from column to column
ROWS = 100
STEP = COLUMN / ROWS  # mm, the difference of two neighbouring readings
REACH = ZERO * COLUMN  # mm each way
PITCH = 0.4  # mm from row to row
STROKE = 0.25  # mm, the length of a stroke; the line on the back shows between strokes
THIN, THICK = 0.15, 0.3
INDEX_WIDTH = 0.2
DEPTH = ROWS * PITCH
INSET = 10.5  # mm from the paper's edge to the names of a scale
_ORDER = tuple(n for pair in zip(range(ROWS // 2), reversed(range(ROWS)), strict=False) for n in pair)
_NAMED = 5  # each fifth number is printed, the others are ticks
_SPREAD = COLUMN - STEP  # mm from a column's first stroke to its last
_TICK, _SHORT, _LONG = 0.9, 1.0, 1.9  # mm: beyond the strokes; lengths
_BESIDE = 7.0  # mm, the room for ticks and numbers beside the strokes
_BEFORE = 3.6  # mm, the room for letters before and behind the rows
WIDTH = 2 * REACH + 2 * _BESIDE  # mm, of a scale with its names, as it measures
LENGTH = DEPTH + 2 * _BEFORE  # mm, of a scale with its names, across
_BETWEEN = 1.5  # mm between the scales of a corner
BLOCK = Size(WIDTH + _BETWEEN + LENGTH, LENGTH)  # mm, the scales of a corner
HAIR = 0.15  # mm, the thinnest line that a home printer prints unbroken
RULER = 50.0
SMALL = 7 / PT_PER_MM  # mm, 7 pt: the smallest type on these sheets
READABLE = 9 / PT_PER_MM  # mm, 9 pt: the type of letters and numbers to read
PIN_ZERO = 8  # mm, the number of the rulers that a true printer reads
# The error of a careful reading (mm): five steps of a scale, or three on a back turned by a degree;
# by a pin, two tenths. The norm of eight such residuals is at most that times the root of eight.
_HONEST, _HONEST_BY_PIN = 0.1, 0.2
_ROUNDS = 6  # of Gauss-Newton; from 3 degrees, the fourth is already exact
COUNT = 8
_BY_LIGHT = re.compile(rf"([{LETTERS}])([0-9]{{1,2}}(?:\.5)?)")
_BY_PIN = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,2})?")
_FROM_SIDE, _FROM_END = 81.0, 56.0  # mm from the paper's edges to the middle of a target
_REACH = float(PIN_ZERO)
_PIN_NUMBERS = 4  # mm from number to number


class Gauge(Struct, frozen=True):
    """A scale, or the part of it with these columns and rows, counted from E and from the first.

    `zero` is the middle of the stroke E0 on the front (mm).
    """

    number: int
    corner: str
    direction: Direction
    zero: Point
    columns: range = range(-ZERO, len(LETTERS) - ZERO)
    rows: range = range(ROWS)
    magnified: float = 1.0

    def place(self, along: float, across: float) -> Point:
        """The point `along` mm from E0 in the measured direction, and `across` mm across it."""
        u, v = along * self.magnified, across * self.magnified
        x, y = (u, v) if self.direction == "across" else (v, u)
        return Point(self.zero.x + x, self.zero.y + y)

    def at(self, reading: float) -> Point:
        """The point of the front where the line shows when the scale reads `reading` mm."""
        columns = reading / COLUMN
        return self.place(reading, _row((columns - floor(columns)) * ROWS) * PITCH)

    def strokes(self) -> Iterator[MarkLine]:
        for column in self.columns:
            width = (THICK if _is_thick(column) else THIN) * self.magnified
            for row in self.rows:
                along, across = column * COLUMN + _ORDER[row] * STEP, row * PITCH
                start = self.place(along, across - STROKE / 2)
                end = self.place(along, across + STROKE / 2)
                yield MarkLine(start, end, width)

    def ticks(self) -> Iterator[MarkLine]:
        """A tick at the end of each row: before the strokes for 0 to 29, behind them from 30."""
        for row in self.rows:
            start, outward = self._end(row)
            length = _SHORT if _ORDER[row] % _NAMED else _LONG
            across = row * PITCH
            end = self.place(start + outward * length, across)
            yield MarkLine(self.place(start, across), end, HAIR)

    def labels(self, lettering: Lettering, size: float = READABLE) -> Iterator[Label]:
        """Letters before the rows for thick columns, behind them for thin ones; each fifth number beyond its tick."""
        gap = PITCH + 0.5 * size / self.magnified
        for column in self.columns:
            is_thick = _is_thick(column)
            across = self.rows[0] * PITCH - gap if is_thick else self.rows[-1] * PITCH + gap
            middle = self.place(column * COLUMN + _SPREAD / 2, across)
            yield lettering.at(letter(column), size, middle, bold=is_thick)
        for row in self.rows:
            if _ORDER[row] % _NAMED == 0:
                yield lettering.at(str(_ORDER[row]), size, self._beyond_tick(row, size))

    def _beyond_tick(self, row: int, size: float) -> Point:
        start, outward = self._end(row)
        wide = 0.78 if self.direction == "across" else 0.6  # of the type size, half a number
        far = _LONG + wide * size / self.magnified
        return self.place(start + outward * far, row * PITCH)

    def _end(self, row: int) -> tuple[float, int]:
        """Where the tick of a row starts (mm from E0), and the way it points."""
        if _ORDER[row] < ROWS / 2:
            return self.columns[0] * COLUMN - _TICK, -1
        return self.columns[-1] * COLUMN + _SPREAD + _TICK, 1

    def index(self) -> MarkLine:
        """The line of the back, at the place on the front that it should be behind."""
        reach = DEPTH / 2 + REACH + 0.5
        middle = (DEPTH - PITCH) / 2
        start, end = self.place(0.0, middle - reach), self.place(0.0, middle + reach)
        return MarkLine(start, end, INDEX_WIDTH * self.magnified)


def gauges(paper: Size) -> tuple[Gauge, ...]:
    """The scales in reading order: corner by corner, across and down."""
    numbers = iter(range(1, 9))
    return tuple(
        Gauge(next(numbers), corner, direction, _zero(paper, corner, direction))
        for corner in CORNERS
        for direction in ("across", "down")
    )


def _zero(paper: Size, corner: str, direction: Direction) -> Point:
    """The place of a scale's zero. The scale across is nearer to the paper's side."""
    is_across = direction == "across"
    width, height = (WIDTH, LENGTH) if is_across else (LENGTH, WIDTH)
    from_side = INSET + (0.0 if is_across else WIDTH + _BETWEEN)
    left = from_side if "left" in corner else paper.width - from_side - width
    top = INSET if "top" in corner else paper.height - INSET - height
    along, across = _BESIDE + REACH, _BEFORE + PITCH / 2
    return Point(left + along, top + across) if is_across else Point(left + across, top + along)


def _row(number: float) -> float:
    """The row of a number; for a value between two numbers, between their rows."""
    low = int(number)
    first, second = _ORDER.index(low % ROWS), _ORDER.index((low + 1) % ROWS)
    return first + (second - first) * (number - low)


def letter(column: int) -> str:
    return LETTERS[column + ZERO]


def name(reading: float) -> str:
    """A reading in mm by its name on the sheet, as in "E14"; beyond the scale, in mm."""
    column, number = divmod(round(reading / STEP), ROWS)
    if not 0 <= column + ZERO < len(LETTERS):
        return f"{reading:+.1f} mm"
    return f"{letter(column)}{number}"


def _is_thick(column: int) -> bool:
    return column % 2 == 0


def path(points: Sequence[Point], width: float = HAIR) -> Iterator[MarkLine]:
    for start, end in pairwise(points):
        yield MarkLine(start, end, width)


def arc(centre: Point, radius: float, start: float, end: float, width: float = HAIR) -> Iterator[MarkLine]:
    """Part of a ring, from one angle to another (turns, clockwise from the right)."""
    steps = max(round(abs(end - start) * 48), 2)
    angles = (2 * pi * (start + (end - start) * step / steps) for step in range(steps + 1))
    points = [Point(centre.x + radius * cos(a), centre.y + radius * sin(a)) for a in angles]
    yield from path(points, width)


def ring(centre: Point, radius: float) -> Iterator[MarkLine]:
    return arc(centre, radius, 0.0, 1.0)


def box(rect: Rect, radius: float = 0.0, width: float = HAIR) -> Iterator[MarkLine]:
    """The outline of a rectangle with rounded corners."""
    x0, y0, x1, y1 = rect
    r = radius
    yield MarkLine(Point(x0 + r, y0), Point(x1 - r, y0), width)
    yield MarkLine(Point(x1, y0 + r), Point(x1, y1 - r), width)
    yield MarkLine(Point(x1 - r, y1), Point(x0 + r, y1), width)
    yield MarkLine(Point(x0, y1 - r), Point(x0, y0 + r), width)
    if radius:
        corners = (Point(x1 - r, y1 - r), Point(x0 + r, y1 - r), Point(x0 + r, y0 + r))
        for quarter, corner in enumerate((*corners, Point(x1 - r, y0 + r))):
            yield from arc(corner, r, quarter / 4, (quarter + 1) / 4, width)


def cross(centre: Point, inner: float, outer: float, width: float = HAIR) -> Iterator[MarkLine]:
    """Four arms, from `inner` to `outer` mm from the centre."""
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        start = Point(centre.x + x * inner, centre.y + y * inner)
        yield MarkLine(start, Point(centre.x + x * outer, centre.y + y * outer), width)


def ruler(left: Point) -> Iterator[MarkLine]:
    """A ruler of 50 mm with a tick every 5 mm, measured between the outer edges of its end ticks."""
    inset = HAIR / 2
    yield MarkLine(left, Point(left.x + RULER, left.y), HAIR)
    for index in range(11):
        x = left.x + min(max(index * 5.0, inset), RULER - inset)
        height = 2.6 if index in (0, 10) else 1.8 if index == 5 else 1.2
        yield MarkLine(Point(x, left.y), Point(x, left.y - height), HAIR)


def pin(paper: Size, corner: str) -> Point:
    """The point of the front to prick with a pin (mm)."""
    x = _FROM_SIDE if "left" in corner else paper.width - _FROM_SIDE
    return Point(x, _FROM_END if "top" in corner else paper.height - _FROM_END)


def target(centre: Point) -> Iterator[MarkLine]:
    """A cross with a free centre, in a ring."""
    yield from ring(centre, 2.0)
    yield from cross(centre, 0.5, 3.2)


def grid(centre: Point, turn: Affine) -> Iterator[MarkLine]:
    """The ruler behind a target, on the back page, with a line per mm in both directions.

    The further right the back is printed, the further left on it is the hole. The numbers run the
    other way, so that they name the offset of the back.
    """
    for offset in range(-PIN_ZERO, PIN_ZERO + 1):
        width = 2 * HAIR if offset % _PIN_NUMBERS == 0 else HAIR
        for place in (Point, _lying):
            start, end = place(-offset, -_REACH), place(-offset, _REACH)
            yield MarkLine(_behind(centre, start, turn), _behind(centre, end, turn), width)


def grid_labels(centre: Point, turn: Affine, lettering: Lettering) -> Iterator[Label]:
    """The numbers 0, 4, 8, 12 and 16, on two sides."""
    for offset in range(-PIN_ZERO, PIN_ZERO + 1, _PIN_NUMBERS):
        for place in (Point, _lying):
            middle = _behind(centre, place(-offset, -_REACH - 3.0), turn)
            yield lettering.at(str(offset + PIN_ZERO), READABLE, middle)


def _lying(along: float, across: float) -> Point:
    return Point(across, along)


def _behind(centre: Point, offset: Point, turn: Affine) -> Point:
    return turn.apply(Point(centre.x + offset.x, centre.y + offset.y))


class _ScaleReading(Struct, frozen=True):
    """The line of the back shows at the point `front`; it was drawn at `back` on its axis.

    All are mm from the centre of the sheet.
    """

    is_across: bool
    front: Point
    back: float


class _Fit(Struct, frozen=True):
    """Angle (radians), shift and scale, and the error of each reading (mm)."""

    angle: float
    shift: Point
    scale: Point
    residuals: tuple[float, ...]

    @property
    def misfit(self) -> float:
        return hypot(*self.residuals)

    @property
    def stretch(self) -> float:
        """How implausible the scale is: printers stretch little, and equally both ways."""
        return hypot(self.scale.x - 1, self.scale.y - 1, self.scale.x - self.scale.y)


def solve(name: str, flip: Flip, readings: Readings, paper: Size) -> Profile:
    """Compute the profile from readings.

    Raises PnpError if a reading is beyond its scale or contradicts the others.
    """
    assert len(readings.values) == COUNT, "a reading for each scale"
    paper = upright(paper)
    scales = gauges(paper)
    pairs = list(zip(scales, readings.values, strict=True))
    raise_all(_beyond(scale, value) for scale, value in pairs if not -REACH <= value <= REACH)
    observations = [_observe(scale, value, paper, by_pin=readings.pins) for scale, value in pairs]
    fit = _fit(observations)
    tolerance = (_HONEST_BY_PIN if readings.pins else _HONEST) * sqrt(COUNT)
    if fit.misfit > tolerance:
        raise PnpError([_contradiction(scales, readings, observations, tolerance)])
    return Profile(
        name=name,
        flip=flip,
        dx=fit.shift.x,
        dy=fit.shift.y,
        angle=degrees(fit.angle),
        scale_x=fit.scale.x,
        scale_y=fit.scale.y,
        residual=max(map(abs, fit.residuals)),
    )


def _observe(scale: Gauge, value: float, paper: Size, *, by_pin: bool) -> _ScaleReading:
    is_across = scale.direction == "across"
    front = pin(paper, scale.corner) if by_pin else scale.at(value)
    back = (front if by_pin else scale.zero)[not is_across] - (value if by_pin else 0.0)
    middle = Point(paper.width / 2, paper.height / 2)
    from_middle = Point(front.x - middle.x, front.y - middle.y)
    return _ScaleReading(is_across, from_middle, back - middle[not is_across])


def _fit(observations: Sequence[_ScaleReading]) -> _Fit:
    """Fit the points of the front, turned back by the angle, to those of the back, stretched and shifted.

    The equations are linear in all unknowns but the angle, which is improved in rounds.
    """
    import numpy as np

    angle, shift, scale = 0.0, (0.0, 0.0), (1.0, 1.0)
    for _ in range(_ROUNDS):
        rows, sides = zip(*(_equation(observation, angle) for observation in observations), strict=True)
        matrix, right = np.array(rows), np.array(sides)
        solution: Vector = np.linalg.lstsq(matrix, right, rcond=None)[0]
        more, *rest = (float(value) for value in solution)
        angle += more
        shift, scale = (rest[0], rest[1]), (rest[2], rest[3])
    residuals = tuple(float(value) for value in right - matrix @ solution)
    c, s = cos(angle), sin(angle)
    turned = Point(c * shift[0] - s * shift[1], s * shift[0] + c * shift[1])
    return _Fit(atan2(s, c), turned, Point(*scale), residuals)


def _equation(observation: _ScaleReading, angle: float) -> tuple[tuple[float, ...], float]:
    """Coefficients of (more angle, shift x, shift y, scale x, scale y), and the right side."""
    c, s = cos(angle), sin(angle)
    x, y = observation.front
    along, athwart = c * x + s * y, c * y - s * x
    if observation.is_across:
        return (-athwart, 1.0, 0.0, observation.back, 0.0), along
    return (along, 0.0, 1.0, 0.0, observation.back), athwart


def _beyond(scale: Gauge, value: float) -> Problem:
    what = f"{value:+.1f} mm is beyond the scale, which ends at {REACH:g} mm"
    return Problem(_place(scale), what, "adjust the printer's paper guides first, then measure")


def _contradiction(
    scales: Sequence[Gauge], readings: Readings, observations: Sequence[_ScaleReading], tolerance: float
) -> Problem:
    """Name the reading without which the rest agree; the likeliest first, if there are two.

    Each scale has a twin on the same side: a reading too large on one looks like a reading too
    small on the other, except for the stretch that it implies.
    """
    fits = [_fit([*observations[:i], *observations[i + 1 :]]) for i in range(COUNT)]
    best = min(fit.misfit for fit in fits)
    if best > tolerance:
        what = "the readings contradict one another: more than one is wrong"
        hint = "read all scales again; --paper and --flip must be those of the printed sheet"
        return Problem(Place("readings"), what, hint)
    suspects = sorted(
        (i for i in range(COUNT) if fits[i].misfit <= tolerance),
        key=lambda i: (round(fits[i].stretch, 3), fits[i].misfit),
    )

    def call(reading: float) -> str:
        return f"{reading + PIN_ZERO:.1f}" if readings.pins else name(reading)

    expected = [f"about {call(_expect(observations[i], fits[i], readings.values[i]))}" for i in suspects]
    first = suspects[0]
    what = f"{call(readings.values[first])} cannot be right: by the others it is {expected[0]}"
    hint = f"read scale {scales[first].number} again"
    if len(suspects) > 1:
        others = (
            f"scale {scales[i].number} ({call(readings.values[i])}) would be {reading}"
            for i, reading in zip(suspects[1:3], expected[1:3], strict=False)
        )
        hint += f"; if it is right, {' or '.join(others)}"
    return Problem(_place(scales[first]), what, hint)


def _expect(observation: _ScaleReading, fit: _Fit, value: float) -> float:
    """The reading (mm) that a fit without this one expects of a scale."""
    shift = fit.shift
    turned_back = Point(
        cos(fit.angle) * shift.x + sin(fit.angle) * shift.y, cos(fit.angle) * shift.y - sin(fit.angle) * shift.x
    )
    row, side = _equation(observation, fit.angle)
    unknowns = (0.0, *turned_back, *fit.scale)
    excess = side - sum(a * b for a, b in zip(row, unknowns, strict=True))
    return value - excess


def _place(scale: Gauge) -> Place:
    return Place(f"scale {scale.number} ({scale.corner}, {scale.direction})")


class Readings(Struct, frozen=True):
    """The eight readings in mm, in the order of the sheet: top left, top right, bottom left and
    bottom right, each across and down.

    Positive: the back is further right, or lower, seen from the front. `pins`: the readings are
    from pin holes, which are at other places of the sheet than the scales.
    """

    values: tuple[float, ...]
    pins: bool = False


def parse_readings(texts: Sequence[str], *, pins: bool = False) -> Readings:
    """Read "E14" (column E, number 14) or "E14.5" (between 14 and 15), eight of them; from pin
    holes, millimetres such as "8.3".

    Raises PnpError naming every text that is not a reading.
    """
    if len(texts) != COUNT:
        what = f"{len(texts)} readings where the sheet has {COUNT}"
        example = "8.3 7.9 8" if pins else "E14 E2 D57"
        raise fail(Place("readings"), what, f"give the readings 1 to 8 of the sheet, in that order: {example} ...")
    values = [_parse(text.strip().upper(), pins=pins) for text in texts]
    faults = [
        _fault(number, text, pins=pins)
        for number, (text, value) in enumerate(zip(texts, values, strict=True), 1)
        if value is None
    ]
    raise_all(faults)
    return Readings(tuple(value for value in values if value is not None), pins)


def _parse(text: str, *, pins: bool) -> float | None:
    if pins:
        return float(text) - PIN_ZERO if _BY_PIN.fullmatch(text) else None
    match = _BY_LIGHT.fullmatch(text)
    if match is None or float(match[2]) >= ROWS:
        return None
    return (LETTERS.index(match[1]) - ZERO) * COLUMN + float(match[2]) * STEP


def _fault(number: int, text: str, *, pins: bool) -> Problem:
    letters = f"a letter from {LETTERS[0]} to {LETTERS[-1]}"
    by_light = f"give {letters} and a number from 0 to {ROWS - 1}: E14, or E14.5 for between"
    by_pin = f"give the millimetres on the ruler of the pin hole: {PIN_ZERO} or 8.3"
    hint = by_pin if pins else f"{by_light} 14 and 15"
    return Problem(Place(f"scale {number}"), f"{quote(text)} is not a reading", hint)
