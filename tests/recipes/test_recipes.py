"""Every recipe is a sound game that is printed and lies on the tables; docs/recipes.md shows it.

A folder beside this file with a game.toml is a recipe.
"""

from __future__ import annotations

import io
import json
import re
from itertools import product
from pathlib import Path
from shutil import copytree

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from generator import check_game, pdf, pipeline, print_game
from generator.export.exporter import Kit
from generator.pdf.raster import rasterise
from generator.pipeline.exporting import configure, make_kit
from generator.pipeline.game import draw, read_sound_game
from generator.pipeline.imposing import impose_kit
from generator.pipeline.sheets import silent
from tests.support.printing import request_of

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs/recipes.md").read_text("utf-8")
RECIPES = sorted(path.parent for path in HERE.glob("*/game.toml"))
BLOCKS = re.findall(r"(?ms)^```(?:xml|toml)\n(.*?)^```", PAGE)
KINDS = (".svg", ".toml")
OBJECTS = r'"Name": "(?:Card|CardCustom|Custom_(?!PDF)\w+)"'


def kit_of(recipe: Path, press: pdf.Press) -> Kit:
    request = request_of(str(recipe))
    loaded, _ = read_sound_game(request, silent)
    drawn = draw(loaded, silent)
    imposed = impose_kit(loaded.game, request, drawn, silent)
    return make_kit(loaded, drawn, imposed, request, press, silent)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_it_is_printed_and_lies_on_the_tables(recipe: Path) -> None:
    findings = pipeline.check(str(recipe))
    assert [str(problem) for problem in findings if problem.level == "error"] == []
    with pdf.Press(is_early=False) as press:
        kit = kit_of(recipe, press)
        printed = kit.print(kit.sheets, {**kit.faces, **kit.pages})
        [scene] = configure("scene", {"width": 480, "height": 300, "quality": "draft"}).export(kit)
        files = {file.path: file.content for file in configure("tts", {"dpi": 50}).export(kit)}
    with pypdfium2.PdfDocument(printed) as document:
        assert len(document) == sum(len(sheet.pages) for sheet in kit.sheets)
        assert np.asarray(document[0].render(scale=0.3).to_pil()).std() > 3
    assert np.asarray(Image.open(io.BytesIO(scene.content)).convert("L")).std() > 3
    saved = files[f"tts/{recipe.name}.json"].decode()
    pieces = [piece for part in kit.components for piece in part.copies()]
    assert json.loads(saved)["ObjectStates"]
    assert len(re.findall(OBJECTS, saved)) == len(pieces) > 0


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_the_page_shows_it(recipe: Path) -> None:
    assert f"](images/recipe-{recipe.name}.png)" in PAGE


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0][:40])
def test_what_the_page_shows_stands_in_a_recipe(block: str) -> None:
    """Its attributes, placeholders and keys, all in one file; it may leave out others."""
    shown = re.findall(r'[\w:]+="[^"]*"|{{.*?}}|(?m:^\S+ = .*$)', block)
    files = [path for path in HERE.glob("*/*.*") if path.suffix in KINDS]
    texts = [path.read_text("utf-8") for path in files]
    assert shown
    assert any(all(part in text for part in shown) for text in texts), shown


def test_what_stands_in_no_recipe_is_found() -> None:
    with pytest.raises(AssertionError):
        test_what_the_page_shows_stands_in_a_recipe('<g pnp:step="24 1">')


def test_labels_go_where_a_sheet_of_the_game_is_cut(tmp_path: Path) -> None:
    """Round ones of 3/4 in, an inch apart, the first an eighth of an inch from both edges."""
    print_game(str(HERE / "round-labels"), tmp_path / "labels.pdf", paper="small-discs")
    (page,) = rasterise((tmp_path / "labels.pdf").read_bytes(), 254)
    assert page.size == (1016, 1524)
    for row, column in product(range(6), range(4)):
        middle = round(127 + 254 * column), round(127 + 254 * row)
        beside = page.getpixel((middle[0] + 80, middle[1]))
        assert beside in {(166, 58, 36), (47, 111, 126), (224, 195, 140)}, (row, column)
        assert page.getpixel((middle[0] + 119, middle[1])) == (255, 255, 255)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('left = "0.125in"', 'left = "1in"', "the last piece ends 19 mm past the edge"),
        ('pitch = "1x1in"', 'pitch = "0.5x1in"', "the pieces overlap"),
        ('size = "4x6in"', 'size = "a44"', "there is no such paper"),
        ('piece = "0.75x0.75in"', 'piece = "0.75x0.8in"', "a disc is as wide as high"),
        ("[paper.small-discs]", "[paper.a4]", "'a4' is the name of a paper already"),
        ("columns = 4", "columns = 0", "columns"),
    ],
)
def test_a_sheet_that_cannot_be(old: str, new: str, what: str, tmp_path: Path) -> None:
    folder = tmp_path / "labels"
    copytree(HERE / "round-labels", folder)
    spec = (folder / "game.toml").read_text("utf-8")
    (folder / "game.toml").write_text(spec.replace(old, new), "utf-8")
    (problem,) = [found for found in check_game(str(folder)) if found.level == "error"]
    assert what in problem.what
    assert problem.place.line
