"""A page of a sheet is made of the pictures of its faces where they lie on whole pixels."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from generator.basics.geometry import IDENTITY, Affine, Rect, Size, translation
from generator.model import Page, Placement
from generator.pdf import raster

DPI = 150
LETTER, HALF = Size(279.4, 215.9), Size(139.7, 215.9)
BLUE, RED = Image.new("RGB", (825, 1275), "blue"), Image.new("RGB", (825, 1275), "red")


def page(*places: tuple[str, Affine], correction: Affine = IDENTITY, size: Size = HALF) -> Page:
    box = Rect(0.0, 0.0, *size)
    placements = tuple(Placement(face, face, place, place.apply_rect(box).corners()) for face, place in places)
    return Page("front", placements, (), (), box, box, correction)


def test_two_pages_of_a_sheet() -> None:
    both = page(("a", translation(139.7, 0.0)), ("b", IDENTITY))
    laid = raster.lay(both, LETTER, {"a": RED, "b": BLUE}, DPI)
    assert laid is not None
    assert laid.size == (1650, 1275)
    pixels = np.asarray(laid)
    assert (pixels[:, :825] == [0, 0, 255]).all()
    assert (pixels[:, 825:] == [255, 0, 0]).all()


def test_what_is_free_is_white() -> None:
    laid = raster.lay(page(("a", IDENTITY)), LETTER, {"a": RED}, DPI)
    assert laid is not None
    assert (np.asarray(laid)[:, 825:] == 255).all()


@pytest.mark.parametrize(
    "spoilt",
    [
        page(("a", IDENTITY), ("unknown", translation(139.7, 0.0))),
        page(("a", translation(139.7, 0.0)), ("b", translation(0.05, 0.0))),
        page(("a", Affine(-1.0, 0.0, 0.0, -1.0, 139.7, 215.9))),
        page(("a", Affine(0.5, 0.0, 0.0, 0.5))),
        page(("a", IDENTITY), correction=translation(1.0, 0.0)),
        page(("a", IDENTITY), size=Size(130.0, 215.9)),
        page(),
    ],
)
def test_else_a_page_is_painted(spoilt: Page) -> None:
    assert raster.lay(spoilt, LETTER, {"a": RED, "b": BLUE}, DPI) is None


def test_parts_of_pixels() -> None:
    """Those of a page alone on its paper are those of the paper; two pages share one."""
    half, whole = Size(148.5, 210.0), Size(297.0, 210.0)
    picture = Image.new("RGB", (1754, 1241), "red")
    laid = raster.lay(page(("a", IDENTITY), size=whole), whole, {"a": picture}, DPI)
    assert laid is not None
    assert laid.size == picture.size
    pictures = {"a": Image.new("RGB", (877, 1241), "red")}
    assert raster.lay(page(("a", IDENTITY), size=half), whole, pictures, DPI) is None
