"""A proof is painted in steps: its faces look as those that are painted whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from generator import pdf, pipeline, raster
from generator.model import Face
from generator.pdf.proof import Prover
from generator.pipeline.game import draw
from generator.pipeline.sheets import silent
from generator.printed import FacePages
from generator.text import HOUSE_FONTS
from tests.gamefile.tiny import GAME, write

DPI = 100


def whole(faces: Sequence[Face]) -> list[Image.Image]:
    return raster.rasterise(Prover([str(HOUSE_FONTS)]).proof(faces), DPI)


def in_steps(faces: Sequence[Face]) -> tuple[list[Image.Image], list[FacePages]]:
    with pdf.Press() as press:
        proof, pages = press.prove(faces, [str(HOUSE_FONTS)])
    pictures = [pixels[..., :3].copy() for pixels, _ in raster.read_faces(proof, pages, DPI)]
    return [Image.fromarray(picture) for picture in pictures], pages


@pytest.mark.parametrize("name", [name for name in pipeline.names() if "-" not in name])
def test_faces_painted_in_steps_look_as_those_painted_whole(name: str) -> None:
    drawn = draw(pipeline.read(name), silent)
    faces = list({face.id: face for face in drawn.values()}.values())[::3]
    pictures, _ = in_steps(faces)
    for face, picture, expected in zip(faces, pictures, whole(faces), strict=True):
        assert np.array_equal(np.asarray(picture), np.asarray(expected)), face.name


@pytest.mark.parametrize(("x", "read_apart"), [("9", False), ("1", True)])
def test_what_cards_share_is_one_page(folder: Path, x: str, read_apart: bool) -> None:
    """Also with mirrored edges, unless the words are in them."""
    ground = '<rect width="40" height="60" fill="#f7f0de"/>'
    write(folder, f'{ground}<text x="{x}" y="30">{{{{ t }}}}</text>')
    (folder / "cards.csv").write_text("id,x,t\na,1,some\nb,1,other\n", "utf-8")
    (folder / "game.toml").write_text(GAME.replace('edge = "red"', 'edge = "mirror"'), "utf-8")
    faces = list(draw(pipeline.read(str(folder)), silent).values())
    pictures, (one, other) = in_steps(faces)
    assert one.painted[0] == other.painted[0]
    assert one.painted[-1] != other.painted[-1]
    assert (one.painted[-1] not in one.read) == read_apart
    for picture, expected in zip(pictures, whole(faces), strict=True):
        assert np.array_equal(np.asarray(picture), np.asarray(expected))
