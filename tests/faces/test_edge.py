"""Faces that end at their trim and run on: mirrored or in one colour, looked at as printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageOps

from generator import faces
from generator.basics.errors import Place
from generator.basics.geometry import IDENTITY, Point, Rect, Size
from generator.basics.shapes import Shape, circle, hexagon, rectangle, trihex
from generator.faces.canvas import Canvas, widen
from generator.model import (
    Column,
    Component,
    Design,
    Feature,
    Imprint,
    Page,
    Piece,
    PlacedLayer,
    Placement,
    Renderer,
    Sheet,
)
from generator.pdf import Job, press_worker
from generator.text import HOUSE_FONTS

BLEED = 5.0
PIXELS_PER_MM = 10
RED, BLUE, GREEN = (200, 0, 0), (0, 0, 200), (0, 160, 0)


@dataclass(frozen=True)
class Dot:
    """A green dot on bare paper, its middle 10 mm from the left and the top."""

    def columns(self) -> Sequence[Column]:
        return []

    def draw(self, _: Piece, component: Component) -> Sequence[PlacedLayer]:
        canvas = Canvas(component.bleed_size)
        canvas.rect(Rect(9.0, 9.0, 11.0, 11.0), "#00a000")
        return [PlacedLayer(canvas.layer("dot"), Point(0.0, 0.0))]

    def features(self, _: Piece, _component: Component) -> Sequence[Feature]:
        return []


@dataclass(frozen=True)
class Halves:
    """Red on the left, blue on the right, 2 mm of green at the top: to the trim and no further."""

    def columns(self) -> Sequence[Column]:
        return []

    def draw(self, _: Piece, component: Component) -> Sequence[PlacedLayer]:
        width, height = component.bleed_size
        canvas = Canvas(component.bleed_size)
        canvas.rect(Rect(0.0, 0.0, width / 2, height), "#c80000")
        canvas.rect(Rect(width / 2, 0.0, width, height), "#0000c8")
        canvas.rect(Rect(0.0, 0.0, width, 2.0), "#00a000")
        return [PlacedLayer(canvas.layer("halves"), Point(0.0, 0.0))]

    def features(self, _: Piece, _component: Component) -> Sequence[Feature]:
        return []


def printed(
    shape: Shape, edge: str, front: Renderer = Halves(), bleed: float = BLEED, more: float = 0.0
) -> Image.Image:
    """The face with its bleed, 10 pixels a mm; with `more` of it, if that is not 0."""
    piece = Piece("1", {}, 1, Place("t.csv", 2))
    component = Component(
        id="c",
        title="C",
        shape=shape,
        corner_radius=0.0,
        bleed=bleed,
        back_bleed=bleed,
        safe=3.0,
        cuts="double",
        columns={"front": ()},
        pieces=(piece,),
        place=Place("g", 1),
        edges={"front": edge},
    )
    ((_, face),) = faces.draw(Design(component, front), "front")
    if more:
        face = widen(face, component, more, edge)
    box = Rect(0.0, 0.0, *face.size)
    placement = Placement(face.id, "1", IDENTITY, box.corners())
    page = Page("front", (placement,), (), (), box, box)
    sheet = Sheet("c", "C", 1, 1, face.size, None, (page,))
    pdf = press_worker.print_job(Job([sheet], [face], Imprint("T", "N", "A"), [str(HOUSE_FONTS)]))
    with pypdfium2.PdfDocument(pdf) as document:
        picture: Image.Image = document[0].render(scale=PIXELS_PER_MM * 25.4 / 72).to_pil()
        return picture


def at(picture: Image.Image, x: float, y: float) -> tuple[int, ...]:
    """The colour at a place, mm from the top left of the trim's box."""
    pixel = picture.getpixel((int((x + BLEED) * PIXELS_PER_MM), int((y + BLEED) * PIXELS_PER_MM)))
    assert isinstance(pixel, tuple)
    return pixel[:3]


CARD = rectangle(Size(40.0, 60.0))


@pytest.mark.parametrize(
    ("x", "y", "colour"),
    [
        (-4.0, 30.0, RED),
        (44.0, 30.0, BLUE),
        (10.0, 64.0, RED),
        (10.0, -1.0, GREEN),
        (10.0, -3.0, RED),  # 3 mm above the cut as 3 mm below it
        (-4.0, 1.0, GREEN),
        (-4.0, 64.0, RED),  # a corner
        (44.0, 64.0, BLUE),
    ],
)
def test_a_mirror_stands_on_every_edge(x: float, y: float, colour: tuple[int, ...]) -> None:
    assert at(printed(CARD, "mirror"), x, y) == colour


@pytest.mark.parametrize("shape", [CARD, circle(40.0)])
def test_on_bare_paper_a_mirrored_face_is_drawn_once(shape: Shape) -> None:
    picture = printed(shape, "mirror", Dot()).convert("L")
    left, top, right, bottom = (int((BLEED + mm) * PIXELS_PER_MM) for mm in (3, 3, 36, 30))
    inked = ImageOps.invert(picture.crop((left, top, right, bottom))).getbbox()
    assert inked == pytest.approx([(mm - 3) * PIXELS_PER_MM for mm in (9, 9, 11, 11)], abs=1)


def test_one_colour_runs_on_and_leaves_the_face_alone() -> None:
    picture = printed(CARD, "#00a000")
    assert {at(picture, x, y) for x, y in ((-4, -4), (44, 30), (20, 64))} == {GREEN}
    assert (at(picture, 0.3, 30.0), at(picture, 39.7, 30.0)) == (RED, BLUE)


def test_what_is_drawn_to_the_trim_ends_there_else() -> None:
    """The renderer is given the bleed: its green begins at the edge of that."""
    assert at(printed(CARD, "drawn"), 20.0, -4.0) == GREEN
    assert at(printed(CARD, "drawn"), 10.0, -1.0) == RED


@pytest.mark.parametrize("shape", [hexagon(40.0, "corner"), trihex(25.0), circle(40.0)])
def test_every_shape_bleeds_all_around(shape: Shape) -> None:
    picture = printed(shape, "mirror")
    for x, y in shape.placed(IDENTITY, by=BLEED - 1.0):
        assert min(at(picture, x, y)) < 130, "no paper"


def alike(one: Image.Image, other: Image.Image) -> bool:
    """Whether two pictures are equal, but for pixels on an edge between colours."""
    assert one.size == other.size
    apart = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).convert("L")
    return sum(apart.histogram()[40:]) < 0.002 * one.width * one.height


@pytest.mark.parametrize("edge", ["mirror", "#00a000"])
@pytest.mark.parametrize("shape", [CARD, circle(40.0), hexagon(40.0, "corner")])
def test_a_bleed_that_pnp_adds_can_be_wider(shape: Shape, edge: str) -> None:
    assert alike(printed(shape, edge, bleed=2.0, more=3.0), printed(shape, edge))
    assert not alike(printed(shape, edge, bleed=2.0, more=3.0), printed(shape, "drawn"))


@pytest.mark.parametrize(("shape", "whole"), [(CARD, rectangle(Size(44.0, 64.0))), (circle(40.0), circle(44.0))])
def test_a_drawn_bleed_goes_on_as_its_mirror_image(shape: Shape, whole: Shape) -> None:
    """As if the piece were as large as its bleed."""
    widened = printed(shape, "drawn", bleed=2.0, more=3.0)
    assert alike(widened, printed(whole, "mirror", bleed=3.0))


def test_a_wider_hexagon_has_no_bare_corner() -> None:
    picture = printed(hexagon(40.0, "corner"), "drawn", bleed=2.0, more=3.0)
    colours = [at(picture, x, y) for x in (-4.0, 18.0, 44.0) for y in (8.0, 23.0, 38.0, 50.0)]
    assert max(map(min, colours)) == 0, "no paper shows"
