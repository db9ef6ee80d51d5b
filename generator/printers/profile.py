"""Take how a printer lays the back against the front, make the map that undoes it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from generator.errors import fail
from generator.geometry import ORIGIN, Affine, Point, Size, quarter_turn, translation, turning
from generator.model import Flip, Page, Sheet
from generator.place import Place
from generator.turn import is_upright, paper_turn

LEAST_DRIFT = 0.5  # mm from sheet to sheet, about, whatever one sheet was found to be


@dataclass(frozen=True, slots=True)
class Profile:
    """How one printer, tray and stock lays the back, seen through the paper from the front.

    A point of the back that should lie behind a point of the front is stretched about the
    sheet's centre by `scale_x` and `scale_y`, turned clockwise by `angle` (degrees), and shifted
    by `dx` to the right and `dy` down (mm). Said of paper that stands upright.
    """

    name: str
    flip: Flip
    dx: float = 0.0
    dy: float = 0.0
    angle: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    margin: float = 0.0  # mm that it leaves bare at each edge, 0 where that is not told
    residual: float = 0.0  # mm that the worst reading was off this: what no correction takes away

    @property
    def drift(self) -> float:
        """How far backs may still be off once they are corrected (mm): no two sheets lie alike."""
        return max(self.residual, LEAST_DRIFT)

    def misprint(self, paper: Size) -> Affine:
        """Where the printer lays what should lie behind a point of the front (mm, front)."""
        centre = _centre(paper)
        stretch = Affine(a=self.scale_x, d=self.scale_y)
        turned = turning(self.angle, ORIGIN) @ stretch @ translation(-centre.x, -centre.y)
        return translation(centre.x + self.dx, centre.y + self.dy) @ turned

    def correction(self, paper: Size) -> Affine:
        """What to do to the back page (mm, back page) of upright paper to have it laid true."""
        turn = paper_turn(paper, self.flip)
        return turn @ self._undone(paper) @ turn

    def _undone(self, paper: Size) -> Affine:
        """The inverse of the misprint."""
        centre = _centre(paper)
        shrink = Affine(a=1 / self.scale_x, d=1 / self.scale_y)
        back = translation(-centre.x - self.dx, -centre.y - self.dy)
        return translation(*centre) @ shrink @ turning(-self.angle, ORIGIN) @ back


def correct_sheet(sheet: Sheet, profile: Profile) -> Sheet:
    """The sheet with its back corrected; one without a back as it is.

    A sheet on its side is set upright, as the printer was measured: left to the print dialog,
    nobody knows which way it would be turned, nor which way the error then points.
    Raises PnpError when the sheet is to be flipped on another edge than was measured.
    """
    if sheet.flip is None:
        return sheet
    if sheet.flip != profile.flip:
        what = f"it was measured with the paper flipped on the {profile.flip} edge"
        hint = f"print with --flip {profile.flip}, or measure it again: pnp printer sheet"
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
    """The paper as it stands, whichever way it was named."""
    return paper if is_upright(paper) else paper.turned()


def _set_upright(sheet: Sheet) -> Sheet:
    """The same printed paper, its pages a quarter turn on.

    Each back stays behind its front: what was a mirror from side to side now is one from top to
    bottom, about the same edge of the paper.
    """
    quarter = quarter_turn(sheet.paper)
    pages = tuple(_carry(page, quarter) for page in sheet.pages)
    return replace(sheet, paper=sheet.paper.turned(), pages=pages)


def _carry(page: Page, by: Affine) -> Page:
    trim, bleed = by.apply_rect(page.trim), by.apply_rect(page.bleed)
    return replace(page, trim=trim, bleed=bleed, correction=by @ page.correction)


def _centre(paper: Size) -> Point:
    return Point(paper.width / 2, paper.height / 2)
