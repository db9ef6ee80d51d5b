"""Take a printer's misprint of backs, make the map that corrects it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import fail
from generator.basics.geometry import (
    ORIGIN,
    Affine,
    Point,
    Size,
    quarter_turn,
    translation,
    turning,
)
from generator.basics.place import Place
from generator.layout.turn import is_upright, paper_turn
from generator.model import Flip, Page, Sheet

LEAST_DRIFT = 0.5  # mm by which sheets of one printer differ, about


class Profile(Struct, frozen=True):
    """Where one printer, tray and stock prints the back, seen through the paper from the front.

    The printer stretches a point of the back about the sheet's centre by `scale_x` and `scale_y`,
    turns it clockwise by `angle` (degrees), and shifts it by `dx` to the right and `dy` down (mm).
    All numbers are for paper in portrait.
    """

    name: str
    flip: Flip
    dx: float = 0.0
    dy: float = 0.0
    angle: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    margin: float = 0.0  # mm that the printer leaves bare at each edge; 0 if unknown
    residual: float = 0.0  # mm between the worst reading and this profile; no correction removes it

    @property
    def drift(self) -> float:
        """How far corrected backs may still be off (mm), since no two sheets are fed alike."""
        return max(self.residual, LEAST_DRIFT)

    def misprint(self, paper: Size) -> Affine:
        """Map a point of the front to where its point of the back is printed (mm, on the front)."""
        centre = _centre(paper)
        stretch = Affine(a=self.scale_x, d=self.scale_y)
        turned = turning(self.angle, ORIGIN) @ stretch @ translation(-centre.x, -centre.y)
        return translation(centre.x + self.dx, centre.y + self.dy) @ turned

    def correction(self, paper: Size) -> Affine:
        """Map the back page so that the misprint cancels out (mm, back page, paper in portrait)."""
        turn = paper_turn(paper, self.flip)
        return turn @ self._inverse(paper) @ turn

    def _inverse(self, paper: Size) -> Affine:
        """The inverse of the misprint."""
        centre = _centre(paper)
        shrink = Affine(a=1 / self.scale_x, d=1 / self.scale_y)
        back = translation(-centre.x - self.dx, -centre.y - self.dy)
        return translation(*centre) @ shrink @ turning(-self.angle, ORIGIN) @ back


def correct_sheet(sheet: Sheet, profile: Profile) -> Sheet:
    """Correct the back of a sheet; a sheet without a back stays as it is.

    A sheet in landscape is turned to portrait, as the printer was measured. Otherwise the print
    dialog would turn it, in an unknown direction, and the error with it. Raises PnpError if the
    sheet is flipped on another edge than the profile's.
    """
    if sheet.flip is None:
        return sheet
    if sheet.flip != profile.flip:
        what = f"the profile was measured with the paper flipped on the {profile.flip} edge"
        hint = f"print with --flip {profile.flip}, or measure again: pnp printer sheet"
        raise fail(Place(f"printer {profile.name}"), what, hint)
    if not is_upright(sheet.paper):
        sheet = _set_upright(sheet)
    undo = profile.correction(sheet.paper)
    pages = (
        replace(page, correction=undo @ page.correction) if page.side == "back" else page
        for page in sheet.pages
    )
    return replace(sheet, pages=tuple(pages))


def upright(paper: Size) -> Size:
    """The paper in portrait."""
    return paper if is_upright(paper) else paper.turned()


def _set_upright(sheet: Sheet) -> Sheet:
    """Turn the pages of a sheet by a quarter.

    Each back stays behind its front: a mirror from side to side becomes one from top to bottom,
    about the same edge of the paper.
    """
    quarter = quarter_turn(sheet.paper)
    pages = tuple(_carry(page, quarter) for page in sheet.pages)
    return replace(sheet, paper=sheet.paper.turned(), pages=pages)


def _carry(page: Page, by: Affine) -> Page:
    trim, bleed = by.apply_rect(page.trim), by.apply_rect(page.bleed)
    return replace(page, trim=trim, bleed=bleed, correction=by @ page.correction)


def _centre(paper: Size) -> Point:
    return Point(paper.width / 2, paper.height / 2)
