"""Printer profiles: maps that correct a printer's misprint of backs, and its wrong size of pages.

They are found from eight readings by least squares: readings of a printed sheet, such as "E14",
become millimetres. They are kept in printers.toml, in a folder of the user's configuration.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from math import atan2, ceil, cos, degrees, hypot, sin, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import asdict, replace

from generator.basics.errors import MisfitError, Place, PnpError, Problem, did_you_mean, fail, quote, raise_all
from generator.basics.files import read_own_table
from generator.basics.geometry import ORIGIN, Affine, Point, Rect, Size, quarter_turn, scaling, translation, turning
from generator.basics.keys import Keys, describe, matching, read
from generator.basics.papers import USUAL_MARGIN, Margin
from generator.basics.writing import write_whole
from generator.layout.printers import gauge
from generator.layout.printers.gauge import PIN_ZERO, REACH, Gauge
from generator.layout.turn import is_upright, paper_turn
from generator.model import Flip, Page, Sheet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

LEAST_DRIFT = 0.5  # mm by which sheets of one printer differ, about
FILE = "printers.toml"
_NAME = r"^(?!none$)[a-z0-9_-]{1,40}$"  # --printer none prints without a profile
_REPAIR = "repair the file, or delete it and measure again"
# The error of a careful reading (mm): five steps of a scale, or three on a back turned by a degree;
# by a pin, two tenths. The norm of eight such residuals is at most that times the root of eight.
_HONEST, _HONEST_BY_PIN = 0.1, 0.2
_ROUNDS = 6  # of Gauss-Newton; from 3 degrees, the fourth is already exact
COUNT = 8
_BY_LIGHT = re.compile(rf"([{gauge.LETTERS}])([0-9]{{1,2}}(?:\.5)?)")
_BY_PIN = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,2})?")


class Profile(Struct, frozen=True):
    """Where one printer, tray and stock prints the back, seen through the paper from the front.

    The printer stretches a point of the back about the sheet's centre by `scale_x` and `scale_y`, turns it clockwise by
    `angle` (degrees), and shifts it by `dx` to the right and `dy` down (mm). All numbers are for paper in portrait.
    Fronts and backs alike come out `size` times as large as they should, about the middle of the sheet.
    """

    name: str
    flip: Flip
    dx: float = 0.0
    dy: float = 0.0
    angle: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    margin: float = 0.0  # mm that the printer leaves bare at each edge; 0 if unknown
    bottom: float = 0.0  # mm at the bottom of a page, if that is more
    residual: float = 0.0  # mm between the worst reading and this profile; no correction removes it
    size: float = 1.0

    @property
    def margins(self) -> Margin | None:
        """What it leaves bare, if that is known."""
        widest = max(self.margin, self.bottom)
        return Margin(self.margin, widest) if widest else None

    @property
    def drift(self) -> float:
        """How far corrected backs may still be off (mm), since no two sheets are fed alike."""
        return max(self.residual, LEAST_DRIFT)

    def misprint(self, paper: Size) -> Affine:
        """Map a point of the front to where its point of the back is printed (mm, on the front)."""
        centre = Rect(0.0, 0.0, *paper).centre
        stretch = Affine(a=self.scale_x, d=self.scale_y)
        turned = turning(self.angle, ORIGIN) @ stretch @ translation(-centre.x, -centre.y)
        return translation(centre.x + self.dx, centre.y + self.dy) @ turned

    def correction(self, paper: Size) -> Affine:
        """Map the back page so that the misprint cancels out (mm, back page, paper in portrait)."""
        turn = paper_turn(paper, self.flip)
        return turn @ self.misprint(paper).inverse() @ turn

    def resizing(self, paper: Size) -> Affine:
        """Map a page about its middle, so that it is printed in its own size."""
        x, y = Rect(0.0, 0.0, *paper).centre
        return translation(x, y) @ scaling(1.0 / self.size) @ translation(-x, -y)


def correct_sheet(sheet: Sheet, profile: Profile, margin: float = USUAL_MARGIN) -> Sheet:
    """Correct the size of a sheet, and the place of its back if it has one.

    A sheet in landscape is turned to portrait, as the printer was measured. Otherwise the print dialog would turn it,
    in an unknown direction, and the error with it. Raises PnpError if the sheet is flipped on another edge than the
    profile's, or if the `margin` (mm) is too narrow to enlarge the page: what leaves the page of a PDF is lost.
    """
    sheet = _resize(sheet, profile, margin)
    if sheet.flip is None:
        return sheet
    if sheet.flip != profile.flip:
        what = f"the profile was measured with the paper flipped on the {profile.flip} edge"
        hint = f"print with --flip {profile.flip}, or measure again: pnp printer sheet"
        raise fail(Place(f"printer {profile.name}"), what, hint)
    if not is_upright(sheet.paper):
        sheet = _set_upright(sheet)
    undo = profile.correction(sheet.paper)
    pages = (replace(page, correction=undo @ page.correction) if page.side == "back" else page for page in sheet.pages)
    return replace(sheet, pages=tuple(pages))


def _resize(sheet: Sheet, profile: Profile, margin: float) -> Sheet:
    if profile.size == 1.0:
        return sheet
    lost = (1.0 / profile.size - 1.0) * max(sheet.paper) / 2
    if lost > margin:
        what = f"enlarged to {1 / profile.size:.1%}, a page loses {lost:.1f} mm at its edges, more than its margin"
        raise fail(Place(f"printer {profile.name}"), what, f"a wider margin: --margin {ceil(lost)}mm")
    whole = profile.resizing(sheet.paper)
    return replace(sheet, pages=tuple(replace(page, correction=whole @ page.correction) for page in sheet.pages))


def upright(paper: Size) -> Size:
    """The paper in portrait."""
    return paper if is_upright(paper) else paper.turned()


def _set_upright(sheet: Sheet) -> Sheet:
    """Turn the pages of a sheet by a quarter.

    Each back stays behind its front: a mirror from side to side becomes one from top to bottom,
    about the same edge of the paper.
    """
    quarter = quarter_turn(sheet.paper)
    return replace(sheet, paper=sheet.paper.turned(), pages=tuple(_carry(page, quarter) for page in sheet.pages))


def _carry(page: Page, by: Affine) -> Page:
    trim, bleed = by.apply_rect(page.trim), by.apply_rect(page.bleed)
    return replace(page, trim=trim, bleed=bleed, correction=by @ page.correction)


_Shift = Annotated[float, describe("-50 to 50 mm", ge=-50.0, le=50.0)]
_Scale = Annotated[float, describe("0.8 to 1.25", ge=0.8, le=1.25)]
_Name = Annotated[str, matching(_NAME, "is not a valid name for a printer")]


class _StoredProfile(Keys, frozen=True, kw_only=True):
    """[printer.NAME]: flip, and numbers that are plausible."""

    flip: Annotated[Flip, describe("write 'long' or 'short'")]
    dx: _Shift
    dy: _Shift
    angle: Annotated[float, describe("-10 to 10 degrees", ge=-10.0, le=10.0)]
    scale_x: _Scale
    scale_y: _Scale
    margin: Annotated[float, describe("0 to 50 mm", ge=0.0, le=50.0)] = 0.0
    bottom: Annotated[float, describe("0 to 50 mm", ge=0.0, le=50.0)] = 0.0
    residual: Annotated[float, describe("0 to 10 mm", ge=0.0, le=10.0)] = 0.0
    size: Annotated[float, describe("0.9 to 1.1", ge=0.9, le=1.1)] = 1.0


class _StoredProfiles(Keys, frozen=True, kw_only=True):
    """The content of the file."""

    printer: dict[_Name, _StoredProfile] = {}
    default: Annotated[str | None, describe("the name of a printer in the file")] = None

    def __post_init__(self) -> None:
        if self.default is not None and self.default not in self.printer:
            what = f"the default printer {quote(self.default)} is not in the file"
            raise MisfitError(what, did_you_mean(self.default, self.printer))


class Store(Struct, frozen=True):
    """The profiles in a folder, which need not exist yet.

    Every method raises PnpError when the file is damaged: a problem for each fault in it.
    """

    folder: Path

    def names(self) -> list[str]:
        """The names of all profiles, in alphabetical order."""
        return sorted(self._read().printer)

    def load(self, name: str) -> Profile:
        """The profile of that name. Raises PnpError if there is none."""
        return Profile(name, **asdict(_find(name, self._read())))

    def save(self, profile: Profile) -> None:
        """Keep a profile; it replaces one of the same name. Raises PnpError if the name is not valid."""
        if not re.fullmatch(_NAME, profile.name):
            what = f"{quote(profile.name)} is not a valid name for a printer"
            raise fail(Place("printer"), what, "use lower-case letters, digits, - and _, at most 40: laser-card")
        numbers = {key: value for key, value in asdict(profile).items() if key != "name"}
        stored = self._read()
        profiles = {**stored.printer, profile.name: _StoredProfile(**numbers)}
        self._write(replace(stored, printer=profiles))

    def remove(self, name: str) -> None:
        """Remove a profile. Raises PnpError if there is none of that name."""
        content = self._read()
        _find(name, content)
        profiles = {key: profile for key, profile in content.printer.items() if key != name}
        default = None if content.default == name else content.default
        self._write(_StoredProfiles(printer=profiles, default=default))

    def default(self) -> str | None:
        """The name of the printer that is used by default."""
        return self._read().default

    def set_default(self, name: str | None) -> None:
        """Choose the default printer, None for no printer. Raises PnpError if there is none of that name."""
        content = self._read()
        if name is not None:
            _find(name, content)
        self._write(replace(content, default=name))

    def _read(self) -> _StoredProfiles:
        path = self.folder / FILE
        stored, faults = read(_StoredProfiles, read_own_table(path, _REPAIR))
        if stored is None:
            places = (Place(str(path), part=" ".join(map(str, f.path[:-1]))) for f in faults)
            found = zip(places, faults, strict=True)
            raise PnpError(Problem(at, fault.what, fault.hint or _REPAIR) for at, fault in found)
        return stored

    def _write(self, content: _StoredProfiles) -> None:
        write_whole(self.folder / FILE, _toml(content).encode())


def _find(name: str, content: _StoredProfiles) -> _StoredProfile:
    if name not in content.printer:
        hint = did_you_mean(name, content.printer) or "measure one: pnp printer sheet"
        raise fail(Place(f"printer {quote(name)}"), "there is no such printer", hint)
    return content.printer[name]


def _toml(content: _StoredProfiles) -> str:
    """The file's text. Names and flips need no escaping; numbers read back the same."""
    lines = ["# How each printer lays the back, measured by `pnp printer set`: mm and degrees."]
    if content.default is not None:
        lines.append(f"default = {json.dumps(content.default)}")
    for name, profile in sorted(content.printer.items()):
        lines += ["", f"[printer.{name}]"]
        lines += [f"{key} = {json.dumps(value)}" for key, value in asdict(profile).items()]
    return "\n".join(lines) + "\n"


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
    front = gauge.pin(paper, scale.corner) if by_pin else scale.at(value)
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
    raise_all(faults)
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
