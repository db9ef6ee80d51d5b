"""Take eight readings, make the profile of the printer that they tell of: least squares."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, degrees, hypot, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple

from generator.errors import PnpError, Problem
from generator.geometry import Point, Size
from generator.model import Flip
from generator.place import Place
from generator.printers.gauge import REACH, Gauge, gauges, name
from generator.printers.pins import pin
from generator.printers.profile import Profile, upright
from generator.printers.readings import COUNT, Readings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

# How far an honest reading may be off (mm): half a row of rounding and a row misjudged; by a pin,
# two tenths. The residuals of such readings are never longer than that times the root of eight.
_HONEST, _HONEST_BY_PIN = 0.15, 0.2
_ROUNDS = 6  # of Gauss-Newton: from 3 degrees the fourth is exact already


class _ScaleReading(NamedTuple):
    """On the front, the line is seen at `seen`; on the back it was drawn at `drawn` of its axis.

    All from the centre of the sheet (mm).
    """

    is_across: bool
    seen: Point
    drawn: float


class _Fit(NamedTuple):
    """Angle (radians), shift and scale, and how far each sight is from them (mm)."""

    angle: float
    shift: Point
    scale: Point
    residuals: tuple[float, ...]

    @property
    def misfit(self) -> float:
        return hypot(*self.residuals)

    @property
    def stretch(self) -> float:
        """How unlike a printer: it stretches little, and alike both ways."""
        return hypot(self.scale.x - 1, self.scale.y - 1, self.scale.x - self.scale.y)


def solve(name: str, flip: Flip, readings: Readings, paper: Size) -> Profile:
    """The profile that the readings tell of.

    Raises PnpError: a reading beyond the scale, or one that contradicts the others.
    """
    assert len(readings.values) == COUNT, "a reading for each scale"
    paper = upright(paper)
    scales = gauges(paper)
    beyond = [
        _beyond(scale, value)
        for scale, value in zip(scales, readings.values, strict=True)
        if not -REACH <= value < REACH + 1
    ]
    if beyond:
        raise PnpError(beyond)
    pairs = zip(scales, readings.values, strict=True)
    sights = [_sight(scale, value, paper, by_pin=readings.pins) for scale, value in pairs]
    fit = _fit(sights)
    tolerance = (_HONEST_BY_PIN if readings.pins else _HONEST) * sqrt(COUNT)
    if fit.misfit > tolerance:
        raise PnpError([_contradiction(scales, readings, sights, tolerance)])
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


def _sight(scale: Gauge, value: float, paper: Size, *, by_pin: bool) -> _ScaleReading:
    is_across = scale.direction == "across"
    seen = pin(paper, scale.corner) if by_pin else scale.at(value)
    drawn = (seen if by_pin else scale.zero)[not is_across] - (value if by_pin else 0.0)
    middle = Point(paper.width / 2, paper.height / 2)
    from_middle = Point(seen.x - middle.x, seen.y - middle.y)
    return _ScaleReading(is_across, from_middle, drawn - middle[not is_across])


def _fit(sights: Sequence[_ScaleReading]) -> _Fit:
    """Turn what is seen back by the angle: it must be what was drawn, stretched and shifted.

    Linear in all but the angle, which is improved in rounds.
    """
    import numpy as np

    angle, shift, scale = 0.0, (0.0, 0.0), (1.0, 1.0)
    for _ in range(_ROUNDS):
        rows, sides = zip(*(_equation(sight, angle) for sight in sights), strict=True)
        matrix, right = np.array(rows), np.array(sides)
        solution: Vector = np.linalg.lstsq(matrix, right, rcond=None)[0]
        more, *rest = (float(value) for value in solution)
        angle += more
        shift, scale = (rest[0], rest[1]), (rest[2], rest[3])
    residuals = tuple(float(value) for value in right - matrix @ solution)
    c, s = cos(angle), sin(angle)
    turned = Point(c * shift[0] - s * shift[1], s * shift[0] + c * shift[1])
    return _Fit(atan2(s, c), turned, Point(*scale), residuals)


def _equation(sight: _ScaleReading, angle: float) -> tuple[tuple[float, ...], float]:
    """Coefficients of (more angle, shift x, shift y, scale x, scale y), and what they make."""
    c, s = cos(angle), sin(angle)
    x, y = sight.seen
    along, athwart = c * x + s * y, c * y - s * x
    if sight.is_across:
        return (-athwart, 1.0, 0.0, sight.drawn, 0.0), along
    return (along, 0.0, 1.0, 0.0, sight.drawn), athwart


def _beyond(scale: Gauge, value: float) -> Problem:
    what = f"{value:+.1f} mm is beyond the scale, which ends at {REACH:g} mm"
    return Problem(_place(scale), what, "a printer that far off: set its trays or guides first")


def _contradiction(
    scales: Sequence[Gauge], readings: Readings, sights: Sequence[_ScaleReading], tolerance: float
) -> Problem:
    """Name the reading without which the rest agree; the likeliest first, when two would do.

    A scale has a twin on the same side: that one is too large is the same as that the other is
    too small, but for the stretch it takes.
    """
    fits = [_fit([*sights[:i], *sights[i + 1 :]]) for i in range(COUNT)]
    best = min(fit.misfit for fit in fits)
    if best > tolerance:
        what = "the readings contradict one another: more than one is wrong"
        hint = "read all again; is the sheet the one that was printed?"
        return Problem(Place("readings"), what, hint)
    suspects = sorted(
        (i for i in range(COUNT) if fits[i].misfit <= tolerance),
        key=lambda i: (round(fits[i].stretch, 3), fits[i].misfit),
    )
    expected = [_describe_expected(sights[i], fits[i], readings.values[i]) for i in suspects]
    first = suspects[0]
    what = f"{name(readings.values[first])} cannot be right: by the others it is {expected[0]}"
    hint = f"read scale {scales[first].number} again"
    if len(suspects) > 1:
        others = (
            f"scale {scales[i].number} ({name(readings.values[i])}) would be {wanted}"
            for i, wanted in zip(suspects[1:3], expected[1:3], strict=False)
        )
        hint += f"; if it is right, {' or '.join(others)}"
    return Problem(_place(scales[first]), what, hint)


def _describe_expected(sight: _ScaleReading, fit: _Fit, value: float) -> str:
    """About what the scale reads by a fit that left it out."""
    shift = fit.shift
    turned_back = Point(
        cos(fit.angle) * shift.x + sin(fit.angle) * shift.y,
        cos(fit.angle) * shift.y - sin(fit.angle) * shift.x,
    )
    row, side = _equation(sight, fit.angle)
    unknowns = (0.0, *turned_back, *fit.scale)
    excess = side - sum(a * b for a, b in zip(row, unknowns, strict=True))
    return f"about {name(value - excess)}"


def _place(scale: Gauge) -> Place:
    return Place(f"scale {scale.number} ({scale.corner}, {scale.direction})")
