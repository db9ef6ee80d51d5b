"""Files for the machine that cuts the sheets of a game."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from generator import pdf
from generator.export.cuts.files import CricutSheets, CutDrawings, CutPlans
from generator.export.cuts.paths import CutSheet, curves_of, cut_sheets
from generator.export.exporter import Exporter, Kit
from generator.layout import Machine
from generator.model import LEAFLETS, Face, FaceKey, Game, Sheet, Way
from generator.pdf.binding import Contour, add_contours
from generator.pipeline.sheets import Progress, print_sheets

_EXPORTERS: dict[Machine, tuple[Exporter, ...]] = {
    "silhouette": (CutDrawings(), CutPlans()),
    "opos": (CutDrawings(), CutPlans()),
    "laser": (CutDrawings(), CutPlans()),
    "cricut": (CricutSheets(),),
}


def draw_contours(content: bytes, games: Sequence[tuple[Game, dict[FaceKey, Face], Sequence[Sheet], Way]]) -> bytes:
    """The PDF of the sheets of games, with the lines to cut and to crease on the fronts."""
    pages: list[dict[str, list[Contour]]] = []
    for game, faces, sheets, way in games:
        cut = _cut_sheets(game, faces, sheets, way)
        for sheet in sheets:
            traced = None if sheet.component in LEAFLETS else next(cut)
            for page in sheet.pages:
                is_cut = traced and page.side == "front"
                pages.append(_contours(traced) if traced and is_cut else {})
    return add_contours(content, pages)


def _cut_sheets(game: Game, faces: Mapping[FaceKey, Face], sheets: Sequence[Sheet], way: Way) -> Iterator[CutSheet]:
    cut = [sheet for sheet in sheets if sheet.component not in LEAFLETS]
    kit = Kit(game, faces, {}, cut, way, _never, _never, _never, game.components, _never)
    return cut_sheets(kit, 0.0)


def _contours(sheet: CutSheet) -> dict[str, list[Contour]]:
    return {
        name: [Contour(path.corners[0].point, list(curves_of(path)), path.is_closed) for path in paths]
        for name, paths in (("Crease", sheet.folds), ("CutContour", sheet.cuts))
    }


def make_cut_files(
    game: Game, faces: dict[FaceKey, Face], sheets: Sequence[Sheet], way: Way, machine: Machine, progress: Progress
) -> dict[str, bytes]:
    """Files by their names ("cards-1.svg"), for each sheet of pieces as it was imposed."""
    cut = [sheet for sheet in sheets if sheet.component not in LEAFLETS]
    if not cut:
        return {}

    def print_(some: Sequence[Sheet], drawn: Mapping[FaceKey, Face], *, is_temporary: bool = False) -> bytes:
        with pdf.Press(is_early=False) as press:
            return print_sheets(game, some, drawn, press, progress, is_temporary=is_temporary)

    kit = Kit(game, faces, {}, cut, way, print_, _never, _never, game.components, _never)
    files = (file for exporter in _EXPORTERS.get(machine, ()) for file in exporter.export(kit))
    return {PurePosixPath(file.path).name: file.content for file in files}


def _never(*_: object, **__: object) -> Any:
    raise AssertionError("files of a cutting machine need no pictures, no inks and no notes")
