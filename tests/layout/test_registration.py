"""Marks of machines, and what keeps out of their corners, on sheets of small pieces."""

from __future__ import annotations

import pytest

from generator import layout
from generator.basics.geometry import Rect, Size
from generator.basics.papers import parse_paper
from generator.basics.shapes import Shape, box_of, circle, hexagon, rectangle
from generator.layout import parse_cutter
from generator.model import Sheet
from tests.support.printing import FONTS, deck

SHAPES = {
    "cards": rectangle(Size(23.0, 31.0)),
    "chips": rectangle(Size(8.0, 8.0)),
    "hexagons": hexagon(27.0, "corner"),
    "discs": circle(22.0),
}
# mm from the edges of the paper: where bare corners end, and where trims begin
CUTTERS = {
    "silhouette": (22.0, 10.0),
    "silhouette,marks=4,inset=0.625in,length=20mm": (37.875, 15.875),
    "opos": (13.0, 7.0),
    "laser": (15.5, 10.0),
}


def sheets_of(shape: Shape, cutter: str, paper: str) -> list[Sheet]:
    size = parse_paper(paper).size
    printing = layout.Printing(size, "long", cutter=parse_cutter(cutter), is_mixed=True)
    decks = [deck(150, shape, 3.0, name="some", cuts="auto"), deck(7, shape, 2.0, name="few", cuts="auto")]
    return layout.impose("Toy", [printed_deck.run for printed_deck in decks], printing, FONTS)


PAPERS = ("letter", "a4", "a5")


@pytest.mark.parametrize(
    ("kind", "cutter", "paper"),
    [  # each pair of two of the three
        (kind, cutter, PAPERS[(across + down) % 3])
        for down, kind in enumerate(SHAPES)
        for across, cutter in enumerate(CUTTERS)
    ],
)
def test_pieces_and_their_bleeds_keep_out_of_the_corners(kind: str, cutter: str, paper: str) -> None:
    side, edge = CUTTERS[cutter]
    for sheet in sheets_of(SHAPES[kind], cutter, paper):
        width, height = sheet.paper
        corners = [Rect(x, y, x + side, y + side) for x in (0, width - side) for y in (0, height - side)]
        front = sheet.pages[0]
        assert front.placements
        for placed in front.placements:
            inked = box_of(placed.clip)
            assert not any(corner.grown(-0.001).overlaps(inked) for corner in corners)
        x0, y0, x1, y1 = front.trim
        assert min(x0, y0, width - x1, height - y1) > edge - 0.001
        marks = [mark for mark in front.marks if mark.kind == "cutter"]
        assert len(marks) == {"silhouette": 5, "opos": 4}.get(cutter, 8)
        assert not [mark for mark in sheet.pages[1].marks if mark.kind == "cutter"]


def test_sheets_are_named_by_where_their_pieces_lie() -> None:
    names = [
        {sheet.layout for sheet in sheets_of(SHAPES[kind], cutter, paper)}
        for kind in ("chips", "discs")
        for cutter, paper in (("laser", "letter"), ("laser", "a4"), ("opos", "letter"))
    ]
    assert all(names)
    assert names == [
        {sheet.layout for sheet in sheets_of(SHAPES[kind], cutter, paper)}
        for kind in ("chips", "discs")
        for cutter, paper in (("laser", "letter"), ("laser", "a4"), ("opos", "letter"))
    ]
    assert not names[0] & names[1]
    assert not names[0] & names[3]
