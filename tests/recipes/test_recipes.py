"""Every recipe is a sound game that is printed and lies on the tables; docs/recipes.md shows it.

A folder beside this file with a game.toml is a recipe.
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from generator import pdf, pipeline
from generator.export.exporter import Kit
from generator.pipeline.exporting import configure, make_kit
from generator.pipeline.game import draw, read_sound_game
from generator.pipeline.printing import impose_kit
from generator.pipeline.sheets import silent
from tests.support.printing import request_of

PAGE = (Path(__file__).parents[2] / "docs/recipes.md").read_text("utf-8")
RECIPES = sorted(path.parent for path in Path(__file__).parent.glob("*/game.toml"))
BLOCKS = re.findall(r"(?ms)^```(?:xml|toml)\n(.*?)^```", PAGE)
KINDS = (".svg", ".toml")
OBJECTS = r'"Name": "(?:Card|CardCustom|Custom_\w+)"'


def kit_of(recipe: Path, press: pdf.Press) -> Kit:
    request = request_of(str(recipe))
    loaded, _ = read_sound_game(request.game, silent)
    drawn = draw(loaded, silent)
    imposed = impose_kit(loaded.game, request, drawn, silent)
    return make_kit(loaded.game, drawn, imposed, request, press, silent)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_it_is_printed_and_lies_on_the_tables(recipe: Path) -> None:
    findings = pipeline.check(str(recipe))
    assert [str(problem) for problem in findings if problem.level == "error"] == []
    with pdf.Press(is_early=False) as press:
        kit = kit_of(recipe, press)
        printed = kit.print(kit.sheets, {**kit.faces, **kit.pages})
        [scene] = configure("scene", {"width": 480, "height": 300}).export(kit)
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
    files = [path for path in Path(__file__).parent.glob("*/*.*") if path.suffix in KINDS]
    texts = [path.read_text("utf-8") for path in files]
    assert shown
    assert any(all(part in text for part in shown) for text in texts), shown


def test_what_stands_in_no_recipe_is_found() -> None:
    with pytest.raises(AssertionError):
        test_what_the_page_shows_stands_in_a_recipe('<g pnp:step="24 1">')
