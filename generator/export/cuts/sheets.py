"""Take a kit, make the cuts and folds of each sheet as it was imposed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import floor

from msgspec import Struct

from generator.basics.errors import PnpError, Problem, fail
from generator.basics.geometry import Point, Rect, Size, translation
from generator.basics.outlines import box_of
from generator.basics.place import Place
from generator.export.cuts.paths import CutPath, contour_of, line, scale_of, share_lines
from generator.export.exporter import Kit
from generator.export.naming import name_sheets
from generator.model import LEAFLETS, Component, MarkLine, Page, Placement, Sheet

_MOST_KERF = 0.1  # of the smallest piece: wider is a slip of the keyboard


class CutSheet(Struct, frozen=True):
    """The lines of one sheet, seen from its printed front, in mm from the top left of the paper.

    name: as that of its picture ("cards-1"). cuts: each line once. folds: lines to score. marks:
    what a machine finds on the sheet. layout: its name, which the slug has too, or "".
    """

    name: str
    paper: Size
    cuts: Sequence[CutPath]
    folds: Sequence[CutPath]
    marks: Sequence[Rect] = ()
    layout: str = ""

    @property
    def title(self) -> str:
        return f"{self.name}, layout {self.layout}" if self.layout else self.name


def cut_sheets(kit: Kit, kerf: float) -> Iterator[CutSheet]:
    """Every sheet of pieces. Cuts lie half of `kerf` (mm) outside the trim, so that what the blade
    or beam takes away is not the piece's.

    Raises PnpError if the kit has no pieces on paper, if pieces touch and there is a kerf, or if
    the kerf is more than a tenth of the smallest piece.
    """
    tracer = _Tracer(kit, kerf)
    sheets = [one for one in name_sheets(kit.sheets) if one[1].component not in LEAFLETS]
    if not sheets:
        what, hint = "there is nothing to cut: no sheet has pieces", "leave out --only"
        raise PnpError([Problem(Place("--to"), what, hint)])
    if kerf:
        tracer.check(one for _, one in sheets)
    for name, sheet in sheets:
        yield tracer.cut(name, sheet)


class _Tracer:
    """Knows which component a printed face belongs to."""

    def __init__(self, kit: Kit, kerf: float) -> None:
        self._kerf = kerf
        self._is_folded = kit.way == "fold"
        self._components = {one.id: one for one in kit.game.components}
        self._owners = _find_owners(kit)

    def check(self, sheets: Iterable[Sheet]) -> None:
        """Raises PnpError if the kerf is too wide for the smallest piece."""
        placed = (placed for sheet in sheets for placed in self._fronts(sheet.pages[0]))
        widths = ((self._width(one), self._component(one).title) for one in placed)
        width, title = min(widths)
        most = floor(_MOST_KERF * width * 100) / 100
        if self._kerf > most:
            what = f"the smallest piece ({title}) is {width:.4g} mm wide"
            hint = f"at most a tenth of that: {most:g}mm"
            raise fail(Place(f"kerf {self._kerf:g} mm"), what, hint)

    def _width(self, placed: Placement) -> float:
        return min(self._component(placed).size) * scale_of(placed.affine)

    def cut(self, name: str, sheet: Sheet) -> CutSheet:
        fronts = self._fronts(sheet.pages[0])
        trims = [self._contour(placed, 0.0) for placed in fronts]
        cuts = share_lines(trims)
        if self._kerf and cuts != trims:
            raise _touching(name)
        if self._kerf:
            cuts = [self._contour(placed, self._kerf / 2) for placed in fronts]
        folds = [fold for placed in fronts for fold in self._folds(placed)]
        backs = sheet.pages[0].placements[len(fronts) :]
        if backs:
            folds.append(_fold_of_paper(fronts[0], backs[0], sheet.paper))
        return CutSheet(name, sheet.paper, cuts, folds, _marks(sheet.pages[0]), sheet.layout)

    def _fronts(self, page: Page) -> Sequence[Placement]:
        """The placements of fronts; on a folded sheet those of the backs come after them."""
        if not self._is_folded:
            return page.placements
        counted = 0
        for number, placed in enumerate(page.placements, 1):
            counted += 2 if self._component(placed).has_back else 1
            if counted == len(page.placements):
                return page.placements[:number]
        return page.placements

    def _component(self, placed: Placement) -> Component:
        return self._components[self._owners[placed.piece, placed.face]]

    def _contour(self, placed: Placement, by: float) -> CutPath:
        component = self._component(placed)
        inset = translation(component.bleed, component.bleed)
        return contour_of(component, by / scale_of(placed.affine)).placed(placed.affine @ inset)

    def _folds(self, placed: Placement) -> Iterator[CutPath]:
        component = self._component(placed)
        place = placed.affine @ translation(component.bleed, component.bleed)
        for start, end in component.shape.creases:
            yield line(place.apply(start), place.apply(end))


def _marks(page: Page) -> list[Rect]:
    """The strokes of the marks that a machine finds. Each is upright or level, with square ends."""
    return [_stroke(mark) for mark in page.marks if mark.kind == "cutter"]


def _stroke(mark: MarkLine) -> Rect:
    (x0, y0, x1, y1), half = box_of((mark.start, mark.end)), mark.width / 2
    return Rect(x0 - half, y0, x1 + half, y1) if x0 == x1 else Rect(x0, y0 - half, x1, y1 + half)


def _find_owners(kit: Kit) -> Mapping[tuple[str, str], str]:
    """The component of each piece with a face."""
    return {(piece, face.id): component for (component, piece, _), face in kit.faces.items()}


def _fold_of_paper(front: Placement, back: Placement, paper: Size) -> CutPath:
    """The line between a front and its back, across the paper."""
    here, there = box_of(front.clip).centre, box_of(back.clip).centre
    x, y = (here.x + there.x) / 2, (here.y + there.y) / 2
    if abs(here.x - there.x) > abs(here.y - there.y):
        return line(Point(x, 0.0), Point(x, paper.height))
    return line(Point(0.0, y), Point(paper.width, y))


def _touching(name: str) -> PnpError:
    what = f"the pieces of {name} share their cuts, so a kerf would come off one of them"
    hint = "lay them apart: --gap 2mm; or leave out the kerf"
    return PnpError([Problem(Place("kerf"), what, hint)])
