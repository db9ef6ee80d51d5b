"""The plan of Talavera's sheets as text: where each piece lies on each side of each sheet."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, degrees
from pathlib import Path

import pytest

from generator import layout, pipeline
from generator.basics import papers
from generator.basics.geometry import Point
from generator.model import Component, Flip, Placement, Sheet
from tests.conftest import Golden
from tests.support.printing import FONTS, run_of

HERE = Path(__file__).parent


def plan(paper: str, flip: Flip) -> str:
    component = pipeline.read("talavera").game.components[0]
    items = tuple(layout.Item(p.id, f"f{p.id}", f"b{p.id}") for p in component.copies())
    run = run_of(component.shape, component.bleed, items)
    printing = layout.Printing(papers.parse_paper(paper).size, flip)
    sheets = layout.impose("Talavera", [run], printing, FONTS)
    lines = (line for sheet in sheets for line in _lines(sheet, component))
    return "# page side piece x y turn: top left of the trim as the face is read, mm, degrees\n" + (
        "".join(f"{line}\n" for line in lines)
    )


def _lines(sheet: Sheet, component: Component) -> Iterator[str]:
    for index, page in enumerate(sheet.pages):
        number = (sheet.number - 1) * len(sheet.pages) + index + 1
        for placement in page.placements:
            yield f"{number} {page.side} {placement.piece} {place(placement, component)}"


def place(placement: Placement, component: Component) -> str:
    affine = placement.affine
    x, y = affine.apply(Point(component.trim.x0, component.trim.y0))
    assert affine.a * affine.d - affine.b * affine.c == pytest.approx(1.0), "turned, not mirrored"
    return f"{x:.3f} {y:.3f} {round(degrees(atan2(affine.b, affine.a))) % 360}"


@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_plan_of_talavera(paper: str, flip: Flip, golden: Golden) -> None:
    golden(HERE / f"golden/talavera-{paper}-{flip}.txt", plan(paper, flip))
