"""Make the pictures of docs/recipes.md: of each recipe its first sheet, and beside it the game on a
table: `make pictures`. Names of recipes make only theirs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image

from generator import pipeline
from generator.pipeline.sheets import silent
from tests.support.printing import request_of
from tests.tools.pictures import IMAGES, beside, of_height, read

RECIPES = Path(__file__).parents[1] / "recipes"
WIDTH = 900  # pixels
MOST_BYTES = 60_000


def draw(recipe: Path, folder: Path) -> Image.Image:
    """The first sheet, and its back if one is printed, beside the scene."""
    request = request_of(str(recipe), paper="letter")
    sheets = pipeline.export_kit(request, "png", {"dpi": 60}, folder / "png", silent) / "sheets"
    scene = pipeline.export_kit(request, "scene", {}, folder / "scene", silent) / "scene.png"
    first = pipeline.read(str(recipe)).game.components[0].id
    front, *_ = [*sheets.glob(f"{first}-1-front.png"), *sorted(sheets.glob("*-1-front.png"))]
    back = front.with_name(front.name.replace("-front", "-back"))
    pages = [read(path) for path in (front, back) if path.exists()]
    row = beside([of_height(picture, 460) for picture in (*pages, read(scene))])
    row.thumbnail((WIDTH, row.height), Image.Resampling.LANCZOS)
    return row


def keep_small(picture: Image.Image, path: Path) -> None:
    """Write it with as many colours as its bytes allow."""
    for colours in (128, 64, 32, 16):
        few = picture.quantize(colours, Image.Quantize.MAXCOVERAGE, kmeans=1)
        few.save(path, optimize=True)
        if path.stat().st_size < MOST_BYTES:
            return


def draw_all(names: list[str]) -> None:
    for spec in sorted(RECIPES.glob("*/game.toml")):
        name = spec.parent.name
        if not names or name in names:
            with tempfile.TemporaryDirectory() as folder:
                keep_small(draw(spec.parent, Path(folder)), IMAGES / f"recipe-{name}.png")


if __name__ == "__main__":
    draw_all(sys.argv[1:])
