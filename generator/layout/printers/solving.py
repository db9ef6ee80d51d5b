"""Printer profiles, found from eight readings by least squares.

Readings of the sheet, such as "E14", become millimetres.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import atan2, cos, degrees, hypot, sin, sqrt
from typing import TYPE_CHECKING

from msgspec import Struct

from generator.basics.errors import Place, PnpError, Problem, fail, quote
from generator.basics.geometry import Point, Size
from generator.layout.printers import gauge
from generator.layout.printers.gauge import PIN_ZERO, REACH, Gauge
from generator.layout.printers.profile import Profile, upright
from generator.model import Flip

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

# The error of a careful reading (mm): five steps of a scale, or three on a back turned by a degree;
# by a pin, two tenths. The norm of eight such residuals is at most that times the root of eight.
_HONEST, _HONEST_BY_PIN = 0.1, 0.2
_ROUNDS = 6  # of Gauss-Newton; from 3 degrees, the fourth is already exact
COUNT = 8
_BY_LIGHT = re.compile(rf"([{gauge.LETTERS}])([0-9]{{1,2}}(?:\.5)?)")
_BY_PIN = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,2})?")


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
    scales = gauge.gauges(paper)
    beyond = [
        _beyond(scale, value)
        for scale, value in zip(scales, readings.values, strict=True)
        if not -REACH <= value <= REACH
    ]
    if beyond:
        raise PnpError(beyond)
    pairs = zip(scales, readings.values, strict=True)
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
    front = gauge.pin(paper, scale.corner) if by_pin else scale.at(value)
    back = (front if by_pin else scale.zero)[not is_across] - (value if by_pin else 0.0)
    middle = Point(paper.width / 2, paper.height / 2)
    from_middle = Point(front.x - middle.x, front.y - middle.y)
    return _ScaleReading(is_across, from_middle, back - middle[not is_across])


def _fit(observations: Sequence[_ScaleReading]) -> _Fit:
    """Fit the points of the front, turned back by the angle, to those of the back, stretched and
    shifted.

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
        return f"{reading + PIN_ZERO:.1f}" if readings.pins else gauge.name(reading)

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
    if faults:
        raise PnpError(faults)
    return Readings(tuple(value for value in values if value is not None), pins)


def _parse(text: str, *, pins: bool) -> float | None:
    if pins:
        return float(text) - PIN_ZERO if _BY_PIN.fullmatch(text) else None
    match = _BY_LIGHT.fullmatch(text)
    if match is None or float(match[2]) >= gauge.ROWS:
        return None
    return (gauge.LETTERS.index(match[1]) - gauge.ZERO) * gauge.COLUMN + float(match[2]) * gauge.STEP


def _fault(number: int, text: str, *, pins: bool) -> Problem:
    letters = f"a letter from {gauge.LETTERS[0]} to {gauge.LETTERS[-1]}"
    by_light = f"give {letters} and a number from 0 to {gauge.ROWS - 1}: E14, or E14.5 for between"
    by_pin = f"give the millimetres on the ruler of the pin hole: {PIN_ZERO} or 8.3"
    hint = by_pin if pins else f"{by_light} 14 and 15"
    return Problem(Place(f"scale {number}"), f"{quote(text)} is not a reading", hint)
