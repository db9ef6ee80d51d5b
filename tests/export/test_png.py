"""What is painted once and shown in several pictures looks as if it were painted for each."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from generator import pdf
from generator.model import Face, FaceKey
from generator.pdf import raster
from generator.pipeline.exporting import _prove
from generator.pipeline.game import draw, read
from generator.pipeline.sheets import print_sheets, silent
from tests.conftest import Pnp
from tests.support.exported import export_to


def pixels(content: bytes) -> npt.NDArray[np.int16]:
    return np.asarray(Image.open(io.BytesIO(content))).astype(np.int16)


def test_sheets_of_painted_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    only = ("cover", "rules", "box")
    files = export_to("png", "talavera", only=only)
    assert files["sheets/cover-1-front.png"] == files["cover/1.png"]
    monkeypatch.setattr(raster, "lay", lambda *_: None, raising=False)
    painted = export_to("png", "talavera", only=only)
    assert painted.keys() == files.keys()
    assert painted != files
    for path, content in painted.items():
        apart = np.abs(pixels(content) - pixels(files[path]))
        assert apart.max() <= 3, path
        assert not apart.any() or path.startswith(("sheets/rules", "sheets/cover")), path


def test_faces_in_their_trim() -> None:
    """As on pages of their own; the edges of drawings are softer or harder by a little."""
    loaded = read("talavera")
    faces = {face.id: face for face in draw(loaded, silent).values()}
    keyed: dict[FaceKey, Face] = {("cards", id_, "front"): face for id_, face in faces.items()}
    with pdf.Press() as press:
        print_ = partial(print_sheets, loaded.game, press=press, progress=silent, is_temporary=True)
        whole = raster.rasterise(print_(raster.face_sheets(list(faces.values())), keyed), 100)
        trimmed = [raster.trimmed(face) for face in faces.values()]
        parts = [
            image
            for proof, pages in _prove(loaded.game, press, silent, trimmed)
            for image in raster.paint_faces(proof, pages, 100)
        ]
    for face, one, other in zip(faces.values(), whole, parts, strict=True):
        apart = np.abs(np.asarray(one, np.int16) - np.asarray(other)).max(axis=2)
        assert apart.max() < 40, face.name
        assert (apart > 2).mean() < 0.01, face.name


def test_only_the_requested_pieces_are_painted(tmp_path: Path, pnp: Pnp) -> None:
    tiny = Path(__file__).parents[1] / "bad_specs/_tiny"
    only = ("--only", "cards/2", "--set", "dpi=30", "-o", tmp_path / "x")
    assert pnp("export", tiny, "--to", "png", *only).exit_code == 0
    assert {path.stem.partition("-")[0] for path in tmp_path.glob("x/faces/*/*.png")} == {"2"}
