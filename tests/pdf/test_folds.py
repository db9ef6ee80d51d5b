"""The finished PDF of pieces with folds and holes: backs behind fronts, holes behind holes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from generator import pipeline
from generator.basics.geometry import Size
from generator.basics.shapes import Outline, box_of
from generator.model import Way
from tests.support.paper import Corners, Placed, Spot, meetings, paper_sizes, placements, sheet_meetings, worst
from tests.support.printing import built

NEAR = 0.01  # mm
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="76mm" height="56mm">{}</svg>'
GAME = """
[game]
title = "Bent"
designer = "A. Designer"
about = "Pieces with a hole at their left, a window at their right, and a fold."

[[component]]
id = "cards"
title = "Cards"
folds = [{ x = "30mm", angle = 40 }]
holes = [{ at = ["12mm", "9mm"], diameter = "5mm" }]
cutouts = [{ at = ["40mm", "25mm"], size = ["20mm", "10mm"], corner_radius = "2mm" }]
row = [{ id = "a" }, { id = "b" }, { id = "c" }]
SHAPE
[component.front]
template = "front.svg"
[component.back]
template = "back.svg"
"""
SHAPES = {
    "rectangle": 'size = "70x50mm"\n',
    "polygon": '[component.shape]\nkind = "polygon"\n'
    'corners = [["0mm", "0mm"], ["70mm", "0mm"], ["70mm", "50mm"], ["20mm", "50mm"]]\n',
}


@pytest.fixture(params=SHAPES)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "bent").mkdir()
    (tmp_path / "bent/game.toml").write_text(GAME.replace("SHAPE", SHAPES[request.param]))
    for side, colour in (("front", "#a33"), ("back", "#33a")):
        art = f'<rect width="76mm" height="56mm" fill="{colour}"/>'
        (tmp_path / f"bent/{side}.svg").write_text(SVG.format(art))
    return tmp_path / "bent"


def holes_on(page: Sequence[Placed], holes: Sequence[Outline], size: Size) -> list[Placed]:
    """The boxes of the holes of each piece of a page, as the PDF places the pieces."""
    return [
        Placed(placed.face, Corners(*(on_page(placed.trim, x, y, size) for x, y in corners)))
        for placed in page
        for corners in (box_of(hole).corners() for hole in holes)
    ]


def on_page(trim: Corners, x: float, y: float, size: Size) -> Spot:
    right, down = x / size.width, y / size.height
    start, across, below = trim.top_left, trim.top_right, trim.bottom_left
    return Spot(*(start[i] + right * (across[i] - start[i]) + down * (below[i] - start[i]) for i in (0, 1)))


@pytest.mark.parametrize("way", ["long", "short"])
def test_backs_and_holes_meet_fronts(folder: Path, way: Way) -> None:
    pdf = built(str(folder), way=way)
    assert worst(meetings(pdf, 3.0, way)) < NEAR
    (component,) = pipeline.read(str(folder)).game.components
    front, back = component.shape, component.from_behind().shape
    pages, paper = placements(pdf, 3.0), paper_sizes(pdf)[0]
    fronts = holes_on(pages[0], front.holes, front.size)
    found = list(sheet_meetings(fronts, holes_on(pages[1], back.holes, front.size), paper, way))
    assert len(found) == 3 * 2
    assert worst(found) < NEAR
    wrong = holes_on(pages[1], front.holes, front.size)  # not mirrored
    assert worst([*sheet_meetings(fronts, wrong, paper, way)]) > 1.0
