"""Faces of any shape as the engine draws them, and as another one does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from lxml import etree
from PIL import Image, ImageDraw

from generator import faces, pipeline
from generator.basics.errors import PnpError
from generator.basics.geometry import Point
from generator.basics.shapes import Outline
from generator.model import Design, Face, Imprint, Side
from generator.pdf import press_worker, raster
from generator.pdf.press import Job
from generator.text import HOUSE_FONTS
from tests.faces.test_oracle import resvg

DPI = 254.0
PIXELS_PER_MM = 10
_SHARES = np.arange(256) / 255
_LINEAR = np.where(_SHARES <= 0.04045, _SHARES / 12.92, ((_SHARES + 0.055) / 1.055) ** 2.4)


def design(game: str, component: str) -> Design:
    return pipeline.read(game).design(component)


def drawn(of: Design, side: Side = "front") -> dict[str, Face]:
    return {piece.id: face for piece, face in faces.draw(of, side)}


def told(of: Design, side: Side = "front") -> list[tuple[str, str]]:
    """What is wrong with the faces, and the hints."""
    with pytest.raises(PnpError) as caught:
        faces.draw(of, side)
    return [(problem.what, problem.hint) for problem in caught.value.problems]


def printed(some: Sequence[Face]) -> list[Image.Image]:
    """Each face cut to the box around its trim, out of a PDF."""
    job = Job(raster.face_sheets(some), some, Imprint("Toy", "Nobody", "About"), [str(HOUSE_FONTS)])
    return raster.rasterise(press_worker.print_job(job), DPI)


def stacked(face: Face, ground: str = "#ffffff00", fine: int = PIXELS_PER_MM) -> Image.Image:
    """The layers as resvg draws them, on the whole bleed box, so many pixels a mm."""
    width, height = (round(side * fine) for side in face.size)
    picture = Image.new("RGBA", (width, height), ground)
    for placed in face.layers:
        root = etree.fromstring(placed.layer.svg)
        root.set("width", str(width))  # in pixels: resvg rounds what is in mm
        root.set("height", str(height))
        window = (-placed.at.x, -placed.at.y, width / fine, height / fine)
        root.set("viewBox", " ".join(f"{value:.4f}" for value in window))
        picture.alpha_composite(resvg(bytes(etree.tostring(root)), width, height))
    return picture


def trimmed(face: Face, like: Image.Image) -> Image.Image:
    """What `printed` should be."""
    x, y = (round(v * PIXELS_PER_MM) for v in (face.trim.x0, face.trim.y0))
    box = (x, y, x + like.width, y + like.height)
    return stacked(face, "#ffffffff").crop(box).convert("RGB")


def mask(size: tuple[int, int], outline: Outline, fine: int = PIXELS_PER_MM) -> Image.Image:
    """White within an outline in mm."""
    picture = Image.new("L", size, 0)
    ImageDraw.Draw(picture).polygon([(x * fine, y * fine) for x, y in outline], 255)
    return picture


def around(picture: Image.Image, middle: Point, half: float) -> Image.Image:
    """A square piece of a picture, mm."""
    x, y = (value * PIXELS_PER_MM for value in middle)
    reach = half * PIXELS_PER_MM
    return picture.crop((round(x - reach), round(y - reach), round(x + reach), round(y + reach)))


def lightness(picture: Image.Image) -> float:
    """The mean L* (CIE 1976) of a picture where it is opaque."""
    pixels = np.asarray(picture.convert("RGBA")).reshape(-1, 4)
    y = _LINEAR[pixels[pixels[:, 3] == 255, :3]] @ (0.2126, 0.7152, 0.0722)
    return float(np.where(y > 0.008856, 116 * np.cbrt(y) - 16, 903.3 * y).mean())
