"""The pictures of the steps show what a hand does, whole and where it does it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from generator.booklet.binding_picture import draw_binding
from generator.booklet.cutting_picture import cuts_between, draw_cutting, touching_hexagons
from generator.booklet.design import PageDesign, tint
from generator.booklet.folding_picture import HalfFolded, draw_sheet_of_pieces
from generator.booklet.forming_picture import FoldedExample, draw_forming
from generator.booklet.plates import Plate
from generator.booklet.scoring_picture import draw_scoring
from generator.booklet.step_pictures import ROOM, StepPainter
from generator.geometry import Point, Rect, Size
from generator.nets import Net
from generator.outlines import box_of, edges
from generator.text import HOUSE_FONTS, FontBook
from tests.booklet.talavera import rules
from tests.booklet.test_cover import GAMES, game_drawn
from tests.booklet.test_poster import face

SHEET = Rect(2.0, 6.0, 22.0, 18.0)


@pytest.mark.parametrize("is_from_right", [False, True])
def test_a_half_in_the_air_hangs_at_the_fold_and_leans_over_the_other(is_from_right: bool) -> None:
    picture = HalfFolded(SHEET, is_from_right)
    fold, flap, rest = SHEET.centre.x, box_of(picture.flap), picture.resting
    assert (rest.x1 if is_from_right else rest.x0) == fold
    for y in (SHEET.y0, SHEET.y1):
        assert picture.lifting.apply(Point(fold, y)) == pytest.approx((fold, y))
    assert rest.x0 <= flap.x0 < flap.x1 <= rest.x1
    assert flap.width < 0.8 * rest.width
    assert flap.y0 < SHEET.y0, "its far edge is higher"


@pytest.mark.parametrize("is_from_right", [False, True])
def test_it_shows_its_outside_as_it_will_lie_and_not_mirrored(is_from_right: bool) -> None:
    picture = HalfFolded(SHEET, is_from_right)
    a, b, c, d, *_ = picture.lifting
    assert a * d - b * c > 0
    middle = picture.resting.centre
    assert abs(picture.lifting.apply(middle).x - SHEET.centre.x) < abs(middle.x - SHEET.centre.x)


def pictures_of(name: str) -> Iterator[tuple[str, Plate]]:
    """Every picture of a step that shows pieces of a game, and those that show none."""
    game, drawn = game_drawn(name)
    design = PageDesign(rules("# T"), FontBook([HOUSE_FONTS]))
    painter, accent, font = StepPainter(design), design.accent, design.bold
    for way in ("long", "short", "fold", "single", "separate"):
        yield way, painter.printing(way)
    yield "measure", painter.measuring()
    yield "fold-sheet", draw_sheet_of_pieces(accent)
    for page in (Size(139.7, 215.9), Size(148.5, 210.0)):
        for is_in_leaves in (False, True):
            yield f"{page}", draw_binding(face(page), accent, is_in_leaves=is_in_leaves)
    for component in game.components:
        piece = component.pieces[0].id
        flat = drawn[component.id, piece, "front"]
        kinds = ["cut"] if component.shape.kind == "rectangle" else []
        for kind in (*kinds, "cut-straight", "cut-shapes"):
            yield f"{kind} {component.id}", draw_cutting(kind, [flat], accent, font)
        if isinstance(component.shape, Net):
            yield f"score {component.id}", draw_scoring(component.shape, accent)
            example = FoldedExample(component, piece, flat)
            yield f"form {component.id}", draw_forming(example, accent)


def reach_of(plate: Plate) -> Rect:
    """The box around all corners of the drawing's own lines and areas, whether seen or cut off."""
    own = [one for one in plate.layers if one.layer.size == ROOM and not one.clip]
    texts = [text for one in own for text in re.findall(r' d="([^"]+)"', one.layer.svg)]
    numbers = [float(word) for text in texts for word in re.findall(r"-?[0-9.]+", text)]
    return box_of(Point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True))


@pytest.mark.parametrize("name", GAMES)
def test_no_tool_is_cut_off_at_the_edge_of_its_picture(name: str) -> None:
    for what, plate in pictures_of(name):
        assert Rect(0.0, 0.0, *ROOM).encloses(reach_of(plate)), what


def test_the_cuts_between_hexagons_run_along_sides_and_through_none() -> None:
    directions = set()
    for start, end in cuts_between():
        dx, dy = end.x - start.x, end.y - start.y
        directions.add(round(dx / dy, 3))

        def off(point: Point, start: Point = start, dx: float = dx, dy: float = dy) -> float:
            """The mm from the cut, times its length."""
            return round(dx * (point.y - start.y) - dy * (point.x - start.x), 6)

        hexagons = touching_hexagons()
        assert all(min(map(off, rim)) >= 0.0 or max(map(off, rim)) <= 0.0 for rim in hexagons), (
            "a cut runs through a hexagon"
        )
        sides = [side for rim in hexagons for side in edges(rim)]
        assert any(off(one) == 0.0 == off(other) for one, other in sides)
    assert len(directions) == 3


@pytest.mark.parametrize(("name", "net"), [("talavera", "box"), ("taluva", "temples")])
def test_tabs_for_glue_are_seen_in_the_accent(name: str, net: str) -> None:
    """On the flat net all of them, on the half folded one those that are not hidden."""
    game, drawn = game_drawn(name)
    component = next(one for one in game.components if one.id == net)
    assert isinstance(component.shape, Net)
    piece = component.pieces[0].id
    plate = draw_forming(FoldedExample(component, piece, drawn[net, piece, "front"]), "#123456")
    tabs = sum(panel.is_glued for panel in component.shape.panels)
    colour = tint("#123456", 0.6)
    found = [
        text
        for one in plate.layers
        for text in re.findall(f'd="([^"]+)" fill="{colour}"', one.layer.svg)
    ]
    assert sum(text.count("Z") for text in found) == 2 * tabs
