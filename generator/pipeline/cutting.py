"""Take the sheets of a game and the machine that cuts them, make the files for that machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from generator import pdf
from generator.errors import Problem
from generator.export import Exporter, Kit
from generator.export.cuts.dxf import CutPlans
from generator.export.cuts.svg import CutDrawings
from generator.layout import Machine
from generator.model import LEAFLETS, Face, FaceKey, Game, Sheet, Way
from generator.pipeline.sheets import Progress, print_sheets

_EXPORTERS: dict[Machine, tuple[Exporter, ...]] = {
    "silhouette": (CutDrawings(), CutPlans()),
    "opos": (CutDrawings(), CutPlans()),
    "laser": (CutDrawings(), CutPlans()),
}


def make_cut_files(
    game: Game,
    faces: dict[FaceKey, Face],
    sheets: Sequence[Sheet],
    way: Way,
    machine: Machine,
    progress: Progress,
) -> dict[str, bytes]:
    """Files by their names ("cards-1.svg"), for each sheet of pieces as it was imposed."""
    cut = [sheet for sheet in sheets if sheet.component not in LEAFLETS]
    if not cut:
        return {}

    def print_(some: Sequence[Sheet], drawn: Mapping[FaceKey, Face]) -> bytes:
        with pdf.Press(is_early=False) as press:
            return print_sheets(game, list(some), dict(drawn), press, progress)

    kit = Kit(game, faces, {}, cut, way, print_, game.components, _ignore)
    files = (file for exporter in _EXPORTERS.get(machine, ()) for file in exporter.export(kit))
    return {PurePosixPath(file.path).name: file.content for file in files}


def _ignore(_: Problem) -> None:
    """These exporters have nothing to say."""
