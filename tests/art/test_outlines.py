"""Outlines that are drawn: of forms of an SVG, and around what a picture shows."""

from __future__ import annotations

from math import cos, pi, sin
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
import shapely
from PIL import Image, ImageDraw
from shapely import Polygon
from shapely.affinity import affine_transform

from generator import print_game
from generator.art.outlines import read_outline, read_picture_outline
from generator.basics.errors import Place, PnpError
from generator.basics.geometry import Size
from generator.basics.shapes import DrawnShape

HERE = Place("game.toml")
SVG = '<svg xmlns="http://www.w3.org/2000/svg" {}>\n{}\n</svg>'
PAGE = 'viewBox="0 0 60 40"'
CURVE = ((10, 10), (40, -10), (60, 50), (20, 35))  # a cubic curve, closed by a line
OFF = 0.015  # mm


def traced(folder: Path, content: str, name: str = "", frame: str = PAGE) -> Polygon:
    """The outline in mm of the page."""
    (folder / "token.svg").write_text(SVG.format(frame, content), "utf-8")
    return on_page(read_outline(folder, f"token.svg{name}", HERE))


def on_page(shape: DrawnShape) -> Polygon:
    return Polygon([(x - shape.page.x0, y - shape.page.y0) for x, y in shape.outline])


def apart(one: Polygon, other: Polygon) -> float:
    """The most mm from a point of one outline to the other."""
    return float(shapely.hausdorff_distance(one.exterior, other.exterior, densify=0.01))


def bezier(points: tuple[tuple[float, float], ...] = CURVE, steps: int = 500) -> Polygon:
    """A cubic curve by its formula."""

    def at(t: float, axis: int) -> float:
        a, b, c, d = (point[axis] for point in points)
        return (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d

    return Polygon([(at(i / steps, 0), at(i / steps, 1)) for i in range(steps + 1)])


def ellipse(x: float, y: float, across: float, down: float) -> Polygon:
    turns = (2 * pi * i / 1000 for i in range(1000))
    return Polygon([(x + across * cos(turn), y + down * sin(turn)) for turn in turns])


FORMS = {
    '<path d="M10 10C40 -10 60 50 20 35Z"/>': bezier(),
    '<g transform="translate(5 2) rotate(30)"><path style="transform: scale(.5)" d="M10 10C40-10 '
    '60 50 20 35z"/></g>': affine_transform(
        bezier(), [cos(pi / 6) / 2, -sin(pi / 6) / 2, sin(pi / 6) / 2, cos(pi / 6) / 2, 5, 2]
    ),
    '<circle cx="20" cy="20" r="12"/>': ellipse(20, 20, 12, 12),
    '<ellipse cx="20" cy="20" rx="12" ry="7"/>': ellipse(20, 20, 12, 7),
    '<rect x="2" y="3" width="30" height="20" rx="4"/>': shapely.box(6, 7, 28, 19).buffer(4, 64),
    '<rect x="2" y="3" width="30" height="20"/>': shapely.box(2, 3, 32, 23),
    '<polygon points="1,1 50,1 30,30"/>': Polygon([(1, 1), (50, 1), (30, 30)]),
}


@pytest.mark.parametrize("content", FORMS)
def test_a_form_is_where_it_is_drawn(content: str, tmp_path: Path) -> None:
    assert apart(traced(tmp_path, content), FORMS[content]) < OFF


def test_a_form_is_as_large_as_its_page_says(tmp_path: Path) -> None:
    frame = 'width="6cm" height="40mm" viewBox="-100 50 600 400"'
    content = '<g id="layer" display="none"><circle cx="100" cy="250" r="120"/></g><text>no</text>'
    found = traced(tmp_path, content, "#layer", frame)
    assert apart(found, ellipse(20, 20, 12, 12)) < OFF


def test_contours_within_an_outline_are_holes(tmp_path: Path) -> None:
    ring = "M10 5h40v30h-40ZM20 12A8 8 0 1 0 20 28A8 8 0 1 0 20 12Z M35 15v10h8v-10Z"
    (tmp_path / "ring.svg").write_text(SVG.format(PAGE, f'<path d="{ring}"/>'), "utf-8")
    shape = read_outline(tmp_path, "ring.svg", HERE)
    disc, window = (Polygon(hole) for hole in shape.holes)
    assert apart(disc, ellipse(10, 15, 8, 8)) < OFF
    assert apart(window, shapely.box(25, 10, 33, 20)) < 1e-9
    assert all(Polygon(hole).exterior.is_ccw for hole in shape.holes), "clockwise on paper"


def disc(folder: Path, *centres: int, ground: int = 0) -> Path:
    """Discs of 200 pixels on a picture of 400 x 800."""
    image = Image.new("RGBA", (400, 800), (0, 0, 0, ground))
    for y in centres:
        ImageDraw.Draw(image).ellipse((100, y - 100, 300, y + 100), fill=(200, 0, 0, 255))
    image.save(folder / "disc.png")
    return folder


def test_an_outline_runs_around_a_picture(tmp_path: Path) -> None:
    shape = read_picture_outline(disc(tmp_path, 200), "disc.png", Size(30, 40), 2.0, HERE)
    assert apart(on_page(shape), ellipse(15, 10, 7, 7)) < 0.15  # 20 mm wide on the page, in its middle
    assert len(shape.outline) < 100


@pytest.mark.parametrize(("margin", "parts"), [(1.0, 2), (2.6, 1)])
def test_a_margin_joins_what_lies_apart(margin: float, parts: int, tmp_path: Path) -> None:
    def read() -> DrawnShape:
        return read_picture_outline(folder, "disc.png", Size(20, 40), margin, HERE)

    folder = disc(tmp_path, 200, 500)
    if parts == 1:
        assert read().size.height == pytest.approx(25 + 2 * margin, abs=0.15)
        return
    with pytest.raises(PnpError, match="has 2 parts that a margin of 1 mm does not join"):
        read()


@pytest.mark.parametrize(
    ("ground", "centres", "what"),
    [(255, (200,), "nothing around the picture is transparent"), (0, (), "shows nothing")],
)
def test_a_picture_without_an_outline_is_refused(
    ground: int, centres: tuple[int, ...], what: str, tmp_path: Path
) -> None:
    with pytest.raises(PnpError, match=what):
        read_picture_outline(disc(tmp_path, *centres, ground=ground), "disc.png", Size(20, 40), 2.0, HERE)


def test_a_picture_alone_is_the_face_within_its_outline(tmp_path: Path) -> None:
    """The disc of a picture of 20 x 40 mm is 10 mm wide on paper."""
    disc(tmp_path, 200)
    (tmp_path / "game.toml").write_text(PICTURE_ALONE, "utf-8")
    print_game(tmp_path, tmp_path / "out.pdf", paper="a6", marks="none")
    with pypdfium2.PdfDocument(tmp_path / "out.pdf") as document:
        page = np.asarray(document[0].render(scale=MM * 10).to_pil().convert("RGB")).astype(int)
    red = (page[..., 0] > 150) & (page[..., 1] < 80)
    assert red.sum() / 100 == pytest.approx(pi * 5**2, rel=0.02)
    rows, columns = np.nonzero(red)
    assert (rows.max() - rows.min(), columns.max() - columns.min()) == pytest.approx((100, 100), abs=2)


PICTURE_ALONE = """
[game]
title = "Discs"
designer = "Nobody"
about = "A picture alone."

[[component]]
id = "discs"
title = "Discs"
bleed = "1mm"
[[component.row]]
id = "one"
[component.shape]
kind = "alpha"
picture = "disc.png"
page = "20x40mm"
[component.front]
template = "disc.png"
"""
MM = 25.4 / 72
