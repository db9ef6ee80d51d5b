"""Printer profiles: maps that correct a printer's misprint of backs, and its wrong size of pages.

Readings of a printed sheet give them. They are kept in printers.toml, in a folder of the user's configuration.
"""

from __future__ import annotations

import json
import re
from math import ceil
from pathlib import Path
from typing import Annotated

from msgspec import Struct
from msgspec.structs import asdict, replace

from generator.basics.errors import MisfitError, Place, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.files import read_own_table
from generator.basics.geometry import ORIGIN, Affine, Rect, Size, quarter_turn, scaling, translation, turning
from generator.basics.keys import Keys, describe, matching, read
from generator.basics.papers import USUAL_MARGIN, Margin
from generator.basics.writing import write_whole
from generator.layout.turn import is_upright, paper_turn
from generator.model import Flip, Page, Sheet

LEAST_DRIFT = 0.5  # mm by which sheets of one printer differ, about
FILE = "printers.toml"
_NAME = r"^(?!none$)[a-z0-9_-]{1,40}$"  # --printer none prints without a profile
_REPAIR = "repair the file, or delete it and measure again"


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
        """The margins that the printer leaves bare, if they are known."""
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
