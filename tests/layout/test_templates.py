"""Templates of silhouette-card-maker: its numbers, typed from its files and worked out by hand."""

from __future__ import annotations

from itertools import product

import pytest

from generator import layout
from generator.basics.geometry import Point, Rect, Size
from generator.basics.papers import parse_paper
from generator.basics.shapes import area, box_of, circle, hexagon, rectangle, without
from generator.layout.registration import BORDERLESS, USUAL_INSET, CutTemplate, find_template, parse_cutter
from generator.model import Orientation
from tests.support.printing import FONTS, deck

PIXEL = 25.4 / 300
NEAR = 0.01  # mm

# the lengths of marks in assets/layouts.json at commit 06166419928538bff3040f80d6cb84924dae7c9f
LENGTHS = {
    ("letter", 63.5, 88.9): ("letter-poker-v4", 7.2),
    ("letter", 63.0, 88.0): ("letter-standard-v6", 8.04),
    ("letter", 44.0, 68.0): ("letter-euro_mini-v2", 20.0),  # 25.15, but the program stops at 20
    ("letter", 85.725, 53.975): ("letter-credit-v2", 18.54),
    ("letter", 59.0, 86.0): ("letter-japanese-v3", 10.08),
    ("legal", 31.75, 44.45): ("legal-micro-v1", 18.54),
    ("tabloid", 85.0, 55.0): ("tabloid-euro_business-v2", 8.21),
    ("a4", 63.5, 88.9): ("a4-poker-v3", 8.38),
    ("a4", 63.0, 88.0): ("a4-standard-v5", 9.4),
    ("a4", 57.15, 88.9): ("a4-bridge-v4", 6.69),
    ("a4", 31.75, 44.45): ("a4-micro-v2", 11.77),
    ("a3", 63.0, 88.0): ("a3-standard-v5", 6.6),
    ("arch-b", 88.9, 139.7): ("arch_b-jumbo-v3", 6.52),
}
BORDERLESS_LENGTHS = {
    ("letter", 63.5, 88.9): ("letter-poker-borderless-v2", 6.69),
    ("letter", 63.0, 88.0): ("letter-standard-borderless-v2", 7.45),
    ("legal", 31.75, 44.45): ("legal-micro-borderless-v1", 13.72),
    ("tabloid", 41.0, 63.0): ("tabloid-american_mini-borderless-v2", 7.11),
    ("a4", 63.5, 88.9): ("a4-poker-borderless-v2", 9.14),
    ("a4", 70.0, 120.65): None,
}

# the pixels (1/300 in) of the top left of cards, by the rules of page_manager.py: a card of 63 mm
# has 744, of 88 mm 1039, of 2.5 in 750, of 3.5 in 1050, the gap 15; letter has 3300 x 2550, a4
# 3508 x 2480
PIXELS = {
    ("letter", 63.0, 88.0): ([140, 899, 1658, 2417], [228, 1282]),
    ("letter", 63.5, 88.9): ([128, 893, 1658, 2423], [218, 1283]),
    ("letter", 85.725, 53.975): ([256, 1283], [352, 1005, 1658, 2311]),
    ("a4", 63.0, 88.0): ([244, 1003, 1762, 2521], [194, 1248]),
    ("a4", 63.5, 88.9): ([232, 997, 1762, 2527], [182, 1247]),
}


# of nine poker cards on letter, 2550 x 3300, with marks 3.5 mm from the edges
NINE = [135, 900, 1665], [60, 1125, 2190]


def template(paper: str, width: float, height: float, orientation: Orientation = "auto") -> CutTemplate:
    shape = rectangle(Size(width, height))
    found = find_template(parse_paper(paper).size, shape, orientation, USUAL_INSET)
    assert found
    return found


@pytest.mark.parametrize("case", LENGTHS, ids=str)
def test_marks_are_as_long_as_documented(case: tuple[str, float, float]) -> None:
    name, length = LENGTHS[case]
    found = template(*case)
    assert (found.name, found.length) == (name, length)


@pytest.mark.parametrize("case", BORDERLESS_LENGTHS, ids=str)
def test_marks_of_borderless_templates_are_as_long_as_documented(case: tuple[str, float, float]) -> None:
    paper, *sides = case
    found = find_template(parse_paper(paper).size, rectangle(Size(*sides)), "auto", BORDERLESS)
    assert (found and (found.name, found.length)) == BORDERLESS_LENGTHS[case]


@pytest.mark.parametrize("side", [0, 1])
def test_art_fills_the_gaps_of_a_template_and_bleeds_outward(side: int) -> None:
    """Nine cards with 3 mm of bleed: half a gap between two, all of it outside; on fronts the marks
    stay free by half a millimetre."""
    cutter = parse_cutter("silhouette,layout=borderless")
    printing = layout.Printing(parse_paper("letter").size, "long", 3.0, cutter=cutter)
    (sheet,) = layout.impose("Toy", [deck(9, rectangle(Size(63.5, 88.9)), 3.0).run], printing, FONTS)
    page = sheet.pages[side]
    clips = [box_of(placement.clip) for placement in page.placements]
    xs, ys = (sorted(pixel * PIXEL for pixel in pixels) for pixels in NINE)
    for column, row in product(range(3), repeat=2):
        x, y = (xs, ys) if side == 0 else (mirrored(xs, 63.5, 215.9), ys)
        clip = min(clips, key=lambda box: abs(box.x0 - x[column]) + abs(box.y0 - y[row]))
        out = [x[column] - clip.x0, y[row] - clip.y0, clip.x1 - x[column] - 63.5, clip.y1 - y[row] - 88.9]
        outside = [column == 0, row == 0, column == 2, row == 2]
        wanted = [3.0 if is_outside else 15 * PIXEL / 2 for is_outside in outside]
        assert out == pytest.approx(wanted, abs=0.01)
    marks = [mark for mark in page.marks if mark.kind == "cutter"]
    assert bool(marks) == (side == 0)
    for mark in marks:
        half = mark.width / 2
        across, down = (half, 0.0) if mark.start.x == mark.end.x else (0.0, half)
        xs_of, ys_of = sorted((mark.start.x, mark.end.x)), sorted((mark.start.y, mark.end.y))
        black = Rect(xs_of[0] - across, ys_of[0] - down, xs_of[1] + across, ys_of[1] + down)
        for placement in page.placements:
            inked = without(placement.clip, (black.grown(0.5).corners(),))
            assert area(inked) == pytest.approx(area(placement.clip), abs=0.01)


def mirrored(starts: list[float], length: float, whole: float) -> list[float]:
    return sorted(whole - start - length for start in starts)


@pytest.mark.parametrize("case", PIXELS, ids=str)
def test_cards_lie_where_the_program_has_them(case: tuple[str, float, float]) -> None:
    columns, rows = PIXELS[case]
    wanted = [(x * PIXEL, y * PIXEL) for y in rows for x in columns]
    found = [place.apply(Point(0.0, 0.0)) for place in template(*case).places]
    assert len(found) == len(wanted)
    for one, (x, y) in zip(found, wanted, strict=True):
        assert max(abs(one.x - x), abs(one.y - y)) < NEAR


def test_a_card_that_lies_is_turned_into_its_place() -> None:
    upright, lying = template("a4", 63.0, 88.0), template("a4", 88.0, 63.0)
    corners = [place.apply(Point(0.0, 63.0)) for place in lying.places]
    for place, corner in zip(upright.places, corners, strict=True):
        assert max(abs(place.e - corner.x), abs(place.f - corner.y)) < NEAR


def test_other_papers_sizes_shapes_and_orientations_have_none() -> None:
    letter = parse_paper("letter").size
    card = rectangle(Size(63.0, 88.0))
    assert find_template(letter, card, "landscape", USUAL_INSET)
    assert find_template(letter, card, "portrait", USUAL_INSET) is None
    assert find_template(parse_paper("a5").size, card, "auto", USUAL_INSET) is None
    assert find_template(letter, rectangle(Size(63.2, 88.0)), "auto", USUAL_INSET) is None
    assert find_template(letter, hexagon(25.4, "edge"), "auto", USUAL_INSET) is None
    assert find_template(letter, circle(25.0), "auto", USUAL_INSET)
    assert find_template(letter, rectangle(Size(25.0, 25.0)), "auto", USUAL_INSET) is None
