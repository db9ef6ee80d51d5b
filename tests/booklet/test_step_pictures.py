"""The pictures of the steps show what a hand does, whole and where it does it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from math import hypot
from pathlib import Path
from typing import get_args

import pytest
import resvg_py
from lxml import etree
from PIL import Image

from generator import booklet
from generator.art.drawing import read_drawing
from generator.art.svg import document_faults, element_faults, frame_faults
from generator.basics.colours import tint
from generator.basics.errors import Place
from generator.basics.geometry import Point, Rect, Size
from generator.basics.phrases import read_phrases
from generator.basics.shapes import Outline, box_of, edges
from generator.booklet.paging import PageDesign
from generator.booklet.piece_pictures import FoldedExample, draw_cutting, draw_forming, draw_scoring
from generator.booklet.plates import Plate
from generator.booklet.step_pictures import ROOM, HalfFolded, StepPainter, draw_binding, read_picture
from generator.layout.nets import Net
from generator.model import Layer, Way
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook
from tests.booklet.talavera import rules
from tests.booklet.test_cover import GAMES, game_drawn
from tests.booklet.test_poster import face

SHEET = Rect(2.0, 6.0, 22.0, 18.0)
PICTURE = Path(booklet.__file__).with_name("pictures")
PICTURES = sorted(PICTURE.glob("*.svg"))
WHOLE = Rect(29, 29, 331, 211)  # but for a tenth of a mm, of a round end
WITH_RIM = 'width="360" height="240" viewBox="-3 -3 36 24"'


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
    painter = StepPainter(design.accent, design.bold_with, read_phrases())
    for way in get_args(Way):
        yield way, painter.printing(way)
    for step in ("measure", "fold-sheet", "cut-machine"):
        yield step, painter.picture(step)
    for page in (Size(139.7, 215.9), Size(148.5, 210.0)):
        for is_in_leaves in (False, True):
            yield f"{page}", draw_binding(face(page), painter, is_in_leaves=is_in_leaves)
    for component in game.components:
        piece = component.pieces[0].id
        flat = drawn[component.id, piece, "front"]
        kinds = ["cut"] if component.shape.kind == "rectangle" else []
        for kind in (*kinds, "cut-straight", "cut-shapes"):
            yield f"{kind} {component.id}", draw_cutting(kind, [flat], painter)
        if isinstance(component.shape, Net):
            yield f"score {component.id}", draw_scoring(component.shape, painter)
            example = FoldedExample(component, piece, flat)
            yield f"form {component.id}", draw_forming(example, painter)


def own_layers(plate: Plate) -> list[Layer]:
    """What the picture itself draws, without the pieces of the kit."""
    return [layer.layer for layer in plate.layers if layer.layer.size == ROOM]


def render(svg: str) -> Image.Image:
    """A drawing of the size of a picture with 3 mm around it, which are empty if nothing is cut
    off, ten pixels to a mm."""
    wide = svg.replace('width="30mm" height="18mm" viewBox="0 0 30 18"', WITH_RIM, 1)
    assert wide != svg
    png = bytes(resvg_py.svg_to_bytes(svg_string=wide))
    return Image.open(io.BytesIO(png)).getchannel("A")


@pytest.mark.parametrize("name", GAMES)
def test_no_tool_is_cut_off_at_the_edge_of_its_picture(name: str) -> None:
    for what, plate in pictures_of(name):
        for layer in own_layers(plate):
            seen = render(layer.svg).getbbox()
            assert seen
            assert WHOLE.encloses(Rect(*seen)), what


def test_every_file_is_the_template_of_a_step() -> None:
    names = {layer.name for _, plate in pictures_of("talavera") for layer in own_layers(plate)}
    assert {f"picture {file.stem}" for file in PICTURES} <= names


@pytest.mark.parametrize("file", PICTURES, ids=lambda file: file.stem)
def test_a_template_is_harmless_and_looks_like_its_picture_in_an_editor(file: Path) -> None:
    template = read_picture(file.stem)
    template.check()
    assert not template.resources.findings
    assert template.size == ROOM
    assert render(file.read_text("utf-8")).getbbox()


@pytest.mark.parametrize("name", GAMES)
def test_a_filled_template_is_harmless(name: str) -> None:
    fonts, place = FontBook([HOUSE_FONTS]), Place("picture")
    for what, plate in pictures_of(name):
        for layer in own_layers(plate):
            drawing = read_drawing(layer.svg.encode(), place)
            faults = [*document_faults(drawing), *frame_faults(drawing)]
            assert [*faults, *element_faults(drawing, fonts)] == [], what


def points_of(path: etree._Element) -> list[Outline]:
    """The corners of each part of a path of straight lines."""
    parts = re.split("M", path.get("d", ""))[1:]
    pairs = (re.findall(r"([-.\d]+) ([-.\d]+)", part) for part in parts)
    return [tuple(Point(float(x), float(y)) for x, y in part) for part in pairs]


def test_the_cuts_between_hexagons_run_along_sides_and_through_none() -> None:
    root = etree.parse(str(PICTURE / "cut-straight.svg"))
    (hexagons,) = map(points_of, root.findall(".//{*}path[@id='hexagons']"))
    lines = [points_of(root.find(f".//{{*}}g[@id='cut-{n}']/{{*}}path"))[0] for n in (1, 2, 3)]
    assert len(hexagons) == 7
    directions = set()
    for start, end in lines:
        dx, dy = end.x - start.x, end.y - start.y
        directions.add(round(dx / dy, 3))

        def off(point: Point, start: Point = start, dx: float = dx, dy: float = dy) -> float:
            """The mm from the cut."""
            return round((dx * (point.y - start.y) - dy * (point.x - start.x)) / hypot(dx, dy), 3)

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
    component = next(component for component in game.components if component.id == net)
    assert isinstance(component.shape, Net)
    piece = component.pieces[0].id
    bold = FontBook([HOUSE_FONTS]).find(HOUSE_FAMILY, 700)
    painter = StepPainter("#123456", lambda _: bold, read_phrases())
    plate = draw_forming(FoldedExample(component, piece, drawn[net, piece, "front"]), painter)
    tabs = sum(panel.is_glued for panel in component.shape.panels)
    colour = tint("#123456", 0.6)
    found = [text for layer in plate.layers for text in re.findall(f'd="([^"]+)" fill="{colour}"', layer.layer.svg)]
    assert sum(text.count("Z") for text in found) == 2 * tabs
