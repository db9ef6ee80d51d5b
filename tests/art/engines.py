"""Take a drawing, make pictures of it: as it prints, and as another engine draws it."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import resvg_py
from PIL import Image

from generator.art.picture import ArtReader
from generator.basics.errors import Place, Problem
from generator.basics.geometry import Affine, Point, Rect, Size
from generator.basics.shapes import rectangle
from generator.faces.canvas import Canvas
from generator.model import Art, Face, Imprint, PlacedLayer
from generator.pdf import Job, raster
from generator.pdf.press_worker import print_job
from generator.text import HOUSE_FONTS, FontBook
from tests.support.pictures import compare

FONTS = FontBook([HOUSE_FONTS])
FOLDERS = tuple(map(str, FONTS.folders))
SIZE = Size(30.0, 30.0)
PIXELS = 331  # no whole number for a unit of the drawings: tiles that are rounded drift
FINER = 2
OF_TILES = 4  # finer still: viewers round the tiles of a pattern to their pixels
MAD, BAD = 2.0, 0.2
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">'
SIGN = '<path d="M10 10h30v20h20v50z" fill="#1f3f8c"/>'
WORDS = 'font-family="Alegreya Sans" font-size="20"'
FADING = '<stop stop-color="#fff"/><stop offset="1" stop-color="#a00"/>'


def svg(content: str, head: str = HEAD) -> str:
    return f"{head}{content}</svg>"


def uri(content: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(content.encode()).decode()}"


def png_uri(colour: str = "") -> str:
    """A picture of 2 x 2 pixels, of a colour or of four greys."""
    stream = io.BytesIO()
    greys = Image.frombytes("L", (2, 2), bytes((0, 90, 180, 240)))
    (Image.new("RGB", (2, 2), colour) if colour else greys).save(stream, "PNG")
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"


def read(folder: Path, content: str | bytes, fonts: FontBook = FONTS) -> tuple[Art, list[Problem]]:
    """The picture in a file of that content, and the findings about it."""
    (folder / "art.svg").write_bytes(content.encode() if isinstance(content, str) else content)
    reader = ArtReader(folder, fonts)
    return reader.read("art.svg", Place("game.toml", 1)), list(reader.findings)


def printed(art: Art, pixels: int = PIXELS, finer: int = FINER) -> Image.Image:
    """A picture of it as it prints on a face of its own, so many pixels wide."""
    picture = raster.rasterise(print_alone(art), pixels * finer / SIZE.width * 25.4)[0]
    return picture.resize((pixels, pixels), Image.Resampling.BOX)


def print_alone(art: Art) -> bytes:
    """A PDF of it on a face of its own."""
    canvas = Canvas(SIZE)
    canvas.image(art, Rect(0.0, 0.0, *SIZE))
    outline = rectangle(SIZE).placed(Affine())
    face = Face.of([PlacedLayer(canvas.layer("art"), Point(0.0, 0.0))], "art", SIZE, outline)
    return print_job(Job(raster.face_sheets([face]), [face], Imprint("Art", "", ""), FOLDERS))


def drawn(content: str, folders: Iterable[Path | str] = FOLDERS) -> Image.Image:
    """A picture of a drawing by resvg, on white."""
    picture = resvg_py.svg_to_bytes(
        svg_string=content, width=PIXELS * FINER, height=PIXELS * FINER,
        skip_system_fonts=True, font_dirs=list(map(str, folders)),
    )  # fmt: skip
    with Image.open(io.BytesIO(bytes(picture))) as image:
        plain = Image.new("RGB", image.size, "white")
        plain.paste(image, mask=image.convert("RGBA"))
    return plain.resize((PIXELS, PIXELS), Image.Resampling.BOX)


def differ(ours: Image.Image, theirs: Image.Image) -> tuple[bool, bool]:
    mad, bad = compare(np.asarray(ours), np.asarray(theirs))
    return mad > MAD, bad > BAD
