"""Templates of silhouette-card-maker: its numbers, typed from its files and worked out by hand."""

from __future__ import annotations

import pytest

from generator.basics.geometry import Point, Size
from generator.basics.papers import parse_paper
from generator.basics.shapes import circle, hexagon, rectangle
from generator.layout.registration import CutTemplate, find_template
from generator.model import Orientation

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


def template(paper: str, width: float, height: float, orientation: Orientation = "auto") -> CutTemplate:
    shape = rectangle(Size(width, height))
    found = find_template(parse_paper(paper).size, shape, orientation)
    assert found
    return found


@pytest.mark.parametrize("case", LENGTHS, ids=str)
def test_marks_are_as_long_as_documented(case: tuple[str, float, float]) -> None:
    name, length = LENGTHS[case]
    found = template(*case)
    assert (found.name, found.length) == (name, length)


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
    assert find_template(letter, card, "landscape")
    assert find_template(letter, card, "portrait") is None
    assert find_template(parse_paper("a5").size, card, "auto") is None
    assert find_template(letter, rectangle(Size(63.2, 88.0)), "auto") is None
    assert find_template(letter, hexagon(25.4, "edge"), "auto") is None
    assert find_template(letter, circle(25.0), "auto")
    assert find_template(letter, rectangle(Size(25.0, 25.0)), "auto") is None
