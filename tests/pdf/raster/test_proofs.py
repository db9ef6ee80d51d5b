"""A proof is painted in steps: its faces look as those that are painted whole."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from PIL import Image

from generator import pdf, pipeline
from generator.basics.geometry import Rect
from generator.model import Face, Imprint, PlacedLayer
from generator.model.face import FacePages, PageContents
from generator.pdf import raster
from generator.pdf.faces import LayerPart, Typeset
from generator.pdf.press import Job
from generator.pdf.press_worker import print_job
from generator.pdf.raster import proofs
from generator.pipeline.game import draw
from generator.pipeline.sheets import silent
from generator.text import HOUSE_FONTS
from tests.game.tiny import GAME, write

DPI = 100


def whole(faces: Sequence[Face]) -> list[Image.Image]:
    """Painted with all parts of all layers, also with those that no clip shows."""

    def every(typeset: Typeset, _: Rect, placed: PlacedLayer) -> Iterator[tuple[int, LayerPart]]:
        return iter(enumerate(typeset.add(placed.layer)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("generator.pdf.assembly.find_shown", every)
        return raster.rasterise(printed(faces), DPI)


def printed(faces: Sequence[Face]) -> bytes:
    """A page of a sheet for each face, as the press draws it."""
    sheets = raster.face_sheets(faces, is_bled=True)
    folders = [str(HOUSE_FONTS)]
    return print_job(Job(sheets, faces, Imprint("", "", ""), folders, is_temporary=True))


def in_steps(faces: Sequence[Face]) -> tuple[list[Image.Image], list[FacePages]]:
    pictures: list[Image.Image] = []
    every: list[FacePages] = []
    with pdf.Press() as press:
        for proof, pages in press.prove(faces, [str(HOUSE_FONTS)]):
            for pixels, _ in raster.read_faces(proof, pages, DPI):
                pictures.append(Image.fromarray(pixels[..., :3].copy()))
            every += pages
    return pictures, every


@pytest.mark.parametrize("name", [name for name in pipeline.names() if "-" not in name])
def test_faces_painted_in_steps_look_as_those_painted_whole(name: str) -> None:
    drawn = draw(pipeline.read(name), silent)
    faces = list({face.id: face for face in drawn.values()}.values())[::3]
    pictures, _ = in_steps(faces)
    for face, picture, expected in zip(faces, pictures, whole(faces), strict=True):
        apart = np.asarray(picture, np.int16) - np.asarray(expected)
        # pdfium multiplies the same places in single precision, here in another order: an edge may differ by a level
        assert abs(apart).max() <= 1, face.name
        assert np.count_nonzero(apart) <= 1e-4 * apart.size, face.name


def mirrored(folder: Path, x: str) -> list[Face]:
    """Two cards with a word at x (mm) on one ground, and mirrored edges."""
    ground = '<rect width="40" height="60" fill="#f7f0de"/>'
    write(folder, f'{ground}<text x="{x}" y="30">{{{{ t }}}}</text>')
    (folder / "cards.csv").write_text("id,x,t\na,1,some\nb,1,other\n", "utf-8")
    (folder / "game.toml").write_text(GAME.replace('edge = "red"', 'edge = "mirror"'), "utf-8")
    return list(draw(pipeline.read(str(folder)), silent).values())


@pytest.mark.parametrize(("x", "read_apart"), [("9", False), ("1", True)])
def test_what_cards_share_is_one_page(folder: Path, x: str, read_apart: bool) -> None:
    """Also with mirrored edges, unless the words are in them."""
    faces = mirrored(folder, x)
    pictures, (one, other) = in_steps(faces)
    assert one.painted[0] == other.painted[0]
    assert one.painted[-1] != other.painted[-1]
    assert (one.painted[-1] not in one.read) == read_apart
    for picture, expected in zip(pictures, whole(faces), strict=True):
        assert np.array_equal(np.asarray(picture), np.asarray(expected))


@pytest.mark.parametrize(("x", "times"), [("9", 1), ("1", 3)])
def test_words_are_in_the_file_where_they_show(folder: Path, x: str, times: int) -> None:
    """Mirrored edges repeat the words that are in them, and no others; equal edges are one form."""
    faces = mirrored(folder, x)
    file = printed(faces)
    with pikepdf.open(io.BytesIO(file)) as document:
        forms = [next(iter(page.obj.Resources.XObject.values())) for page in document.pages]
        shown = [form.read_bytes() for form in forms]
        edges = {form.Resources.XObject["/E0"].objgen for form in forms if x == "9"}
    assert [picture.count(b"BT") for picture in shown] == [times] * len(faces)
    assert len(edges) == (x == "9")
    for picture, expected in zip(raster.rasterise(file, DPI), whole(faces), strict=True):
        assert np.array_equal(np.asarray(picture), np.asarray(expected))


def read_in_steps(faces: Sequence[Face]) -> list[PageContents]:
    with pdf.Press() as press:
        return [
            content
            for proof, pages in press.prove(faces, [str(HOUSE_FONTS)])
            for _, content in raster.read_faces(proof, pages, DPI)
        ]


@pytest.mark.parametrize("name", ["talavera", "taluva"])
def test_forms_that_are_known_by_their_marks_have_the_same_contents(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if each were read on every page, though fewer paths are read."""
    paths: list[int] = []
    shapes = proofs._read_shapes

    def count(of: Sequence[object]) -> object:
        paths.append(len(of))
        return shapes(of)

    monkeypatch.setattr(proofs, "_read_shapes", count)
    drawn = draw(pipeline.read(name), silent)
    faces = list({face.id: face for face in drawn.values()}.values())[::3]
    known, few = read_in_steps(faces), sum(paths)
    monkeypatch.setattr(proofs, "FORM_MARK", "no form has this")
    assert read_in_steps(faces) == known
    assert few < sum(paths) - few
