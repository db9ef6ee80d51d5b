"""Faces cut out of the finished PDF beside what other engines make of the same SVG."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
import resvg_py
from lxml import etree
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from generator import faces, pipeline
from generator.basics.geometry import Point
from generator.model import Face, PlacedLayer, Side
from generator.text import HOUSE_FONTS
from tests.support import oracles, paper
from tests.support.printing import published

DPI = 200  # the trims of a letter sheet of Talavera lie on whole pixels
PIXELS_PER_MM = DPI / 25.4
WIDTH, HEIGHT = 500, 700  # of a card
CLOSE = 4.0  # mean difference of a channel, of 255
CARDS = ("1", "9", "16")
Engine = Callable[[bytes, int, int], Image.Image]
SIDES: tuple[Side, Side] = ("front", "back")


@cache
def talavera() -> dict[tuple[str, Side], Face]:
    cards = pipeline.read("talavera").designs[0]
    return {(piece.id, side): face for side in SIDES for piece, face in faces.draw(cards, side)}


def stacked(face: Face, engine: Engine) -> Image.Image:
    """The layers of a face as an engine draws them, one upon another, cut along the trim."""
    picture = Image.new("RGBA", (WIDTH, HEIGHT), "white")
    for placed in face.layers:
        x0, y0, x1, y1 = own_box(face, placed)
        if x0 < x1 and y0 < y1:
            picture.alpha_composite(engine(part(face, placed), x1 - x0, y1 - y0), (x0, y0))
    return picture.convert("RGB")


def own_box(face: Face, placed: PlacedLayer) -> tuple[int, int, int, int]:
    """The pixels of the trim that a layer covers."""
    x, y = placed.at.x - face.trim.x0, placed.at.y - face.trim.y0
    width, height = placed.layer.size
    x0, y0, x1, y1 = (round(v * PIXELS_PER_MM) for v in (x, y, x + width, y + height))
    return max(x0, 0), max(y0, 0), min(x1, WIDTH), min(y1, HEIGHT)


def part(face: Face, placed: PlacedLayer) -> bytes:
    """The layer as a document that shows what lies within the trim."""
    root = etree.fromstring(placed.layer.svg)
    x0, y0, x1, y1 = (pixels / PIXELS_PER_MM for pixels in own_box(face, placed))
    left, top = face.trim.x0 + x0 - placed.at.x, face.trim.y0 + y0 - placed.at.y
    root.set("width", f"{x1 - x0:.4f}mm")
    root.set("height", f"{y1 - y0:.4f}mm")
    root.set("viewBox", f"{left:.4f} {top:.4f} {x1 - x0:.4f} {y1 - y0:.4f}")
    return bytes(etree.tostring(root))


@cache
def resvg(svg: bytes, width: int, height: int) -> Image.Image:
    fonts = [str(folder) for folder in HOUSE_FONTS.iterdir()]
    png = resvg_py.svg_to_bytes(
        svg_string=svg.decode(), width=width, height=height, dpi=96, skip_system_fonts=True, font_dirs=fonts
    )
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")


def rsvg(tool: str, folder: Path) -> Engine:
    """rsvg-convert with our fonts only."""
    fonts = folder / "fonts.conf"
    fonts.write_text(f"<fontconfig><dir>{HOUSE_FONTS}</dir><cachedir>{folder}/cache</cachedir></fontconfig>")
    environment = {"FONTCONFIG_FILE": str(fonts), "HOME": str(folder), "PATH": "/usr/bin:/bin"}

    @cache
    def draw(svg: bytes, width: int, height: int) -> Image.Image:
        command = [tool, "--width", str(width), "--height", str(height)]
        done = subprocess.run(command, input=svg, capture_output=True, check=True, env=environment)
        return Image.open(io.BytesIO(done.stdout)).convert("RGBA")

    return draw


@cache
def printed_faces(game: str = "talavera", part: str = "cards") -> dict[str, Image.Image]:
    """Each face by its id, cut out of the rasterised sheets along its trim."""
    pdf = published("letter", "long", game, part)
    cut: dict[str, Image.Image] = {}
    with pypdfium2.PdfDocument(pdf) as document:
        for page, placed in zip(document, paper.placements(pdf, 3.0), strict=True):
            picture = page.render(scale=DPI / 72).to_pil().convert("RGB")
            for card in placed:
                x0, y0, x1, y1 = (round(value * PIXELS_PER_MM) for value in card.trim.box())
                cut[card.face] = picture.crop((x0, y0, x1, y1))
    return cut


def difference(one: Image.Image, other: Image.Image) -> float:
    assert one.size == other.size
    return max(ImageStat.Stat(ImageChops.difference(one, other)).mean)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("card", CARDS)
def test_resvg_draws_the_same(card: str, side: Side) -> None:
    face = talavera()[card, side]
    assert difference(printed_faces()[face.id], stacked(face, resvg)) < CLOSE


@pytest.mark.parametrize("side", SIDES)
def test_resvg_draws_other_faces_otherwise(side: Side) -> None:
    """The measure can fail: another card, a tile that is missing, a layer 0.5 mm aside."""
    face, other = talavera()["1", side], talavera()["16", side]
    printed = printed_faces()[face.id]
    sound = difference(printed, stacked(face, resvg))
    lacking = replace(face, layers=face.layers[:-2])
    shifted = [PlacedLayer(placed.layer, Point(placed.at.x + 0.5, placed.at.y)) for placed in face.layers]
    aside = replace(face, layers=tuple(shifted))
    for faulty in (other, lacking, aside):
        assert difference(printed, stacked(faulty, resvg)) > 1.5 * sound + 0.5


def test_rsvg_draws_the_same(tmp_path: Path) -> None:
    tool = oracles.need("rsvg-convert")
    face = talavera()["1", "front"]
    drawn = stacked(face, rsvg(tool, tmp_path))
    assert difference(printed_faces()[face.id], drawn) < CLOSE
