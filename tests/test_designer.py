"""A designer changes a file of the game and builds again: the change is on the page."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops

from generator import pipeline
from generator.pdf import Press
from generator.text import HOUSE_FONTS
from tests.support import editing
from tests.support.printing import request_of

TALAVERA = Path(__file__).parent.parent / "templates/talavera"
Edit = Callable[[Path], None]


def build_copy(folder: Path, *edits: Edit) -> bytes:
    """The deck of a copy of Talavera with some edits."""
    shutil.copytree(TALAVERA, folder)
    for change in edits:
        change(folder)
    output = folder.parent / f"{folder.name}.pdf"
    with Press() as press:
        request = request_of(str(folder), only=("cards",))
        pipeline.print_game(request, output, press, lambda _: None)
    return output.read_bytes()


def first_page(content: bytes) -> Image.Image:
    with pypdfium2.PdfDocument(content) as document:
        page: Image.Image = document[0].render(scale=60 / 72).to_pil().convert("RGB")
        return page


def fonts(content: bytes) -> str:
    with pikepdf.open(io.BytesIO(content)) as pdf:
        found = (o.get("/BaseFont") for o in pdf.objects if isinstance(o, pikepdf.Dictionary))
        return " ".join(sorted({str(name) for name in found if name}))


def share_that_differs(before: Image.Image, after: Image.Image) -> float:
    pixels = ImageChops.difference(before, after).convert("L").histogram()
    return 1 - pixels[0] / sum(pixels)


def edit(file: str, old: str, new: str) -> Edit:
    return lambda folder: editing.edit(folder / file, old, new)


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return build_copy(tmp_path_factory.mktemp("published") / "talavera")


CHANGES = {
    "a motif": (edit("art/red.svg", 'id="ground"', 'id="ground" opacity="0.2"'), 0.01),
    "a colour": (edit("game.toml", 'cobalt = "#19337c"', 'cobalt = "#7c1933"'), 0.03),
    "a corner": (edit("game.toml", 'plaque_corner = "2mm"', 'plaque_corner = "8mm"'), 0.005),
    "a length": (edit("game.toml", 'numeral_size = "18mm"', 'numeral_size = "12mm"'), 0.02),
}


@pytest.mark.parametrize("name", CHANGES)
def test_change_is_on_the_page(name: str, tmp_path: Path, published: bytes) -> None:
    change, at_least = CHANGES[name]
    changed = build_copy(tmp_path / "talavera", change)
    assert share_that_differs(first_page(published), first_page(changed)) > at_least


def test_unchanged_copy_is_the_same_file(tmp_path: Path, published: bytes) -> None:
    assert build_copy(tmp_path / "talavera") == published


def test_font_of_the_games_own_folder(tmp_path: Path, published: bytes) -> None:
    changed = build_copy(tmp_path / "talavera", add_font, edit("game.toml", '"Abril Fatface"', '"Abril Fatfoce"'))
    assert "AbrilFatface-Regular" in fonts(published)
    assert "AbrilFatfoce-Regular" in fonts(changed)
    assert "AbrilFatface-Regular" not in fonts(changed)


def add_font(folder: Path) -> None:
    """A family that the house does not have: a house font with a letter of its name changed."""
    font = (HOUSE_FONTS / "abril-fatface/AbrilFatface-Regular.ttf").read_bytes()
    for encoding in ("latin-1", "utf-16-be"):
        for name in ("Abril Fatface", "AbrilFatface"):
            renamed = name.replace("Fatface", "Fatfoce")
            font = font.replace(name.encode(encoding), renamed.encode(encoding))
    (folder / "fonts").mkdir()
    (folder / "fonts/own.ttf").write_bytes(font)
