"""Make the pictures of the guide, from the games that it speaks of, and the scenes of the games:
`make pictures`."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Sequence
from pathlib import Path

import resvg_py
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import expect, sync_playwright

from generator import pipeline
from generator.cli.preview import KINDS
from generator.pipeline.sheets import silent
from generator.pipeline.starting import FOLDING
from generator.text import HOUSE_FONTS
from tests.studio.showing import showing
from tests.support import oracles
from tests.support.guided import guided
from tests.support.iconed import iconed
from tests.support.printing import request_of
from tests.support.walked import walk
from tests.tools.evening import empty_studio, spend_evening

IMAGES = Path(__file__).parents[2] / "docs/images"
PAPER = "#edebe6"  # what an overview lies on
GAP = 16  # pixels
SCENES = ("advaya", "atreya", "talavera", "taluva", "toripoka")
LARGE = "taluva"
_ARE_DRAWN = """() => [...document.images].every((image) =>
  image.getBoundingClientRect().top > innerHeight || (image.complete && image.naturalWidth))"""


def as_an_editor_shows(path: Path, width: int) -> Image.Image:
    """A template as it stands, drawn by an engine that knows of no templates."""
    png = resvg_py.svg_to_bytes(
        svg_path=str(path),
        resources_dir=str(path.parent),
        width=width,
        dpi=96,
        skip_system_fonts=True,
        font_dirs=[str(folder) for folder in HOUSE_FONTS.iterdir()],
    )
    return Image.open(io.BytesIO(bytes(png))).convert("RGB")


def beside(pictures: Sequence[Image.Image]) -> Image.Image:
    """Pictures in a row."""
    width = sum(picture.width for picture in pictures) + GAP * (len(pictures) + 1)
    row = Image.new("RGB", (width, max(p.height for p in pictures) + 2 * GAP), PAPER)
    x = GAP
    for picture in pictures:
        row.paste(picture, (x, GAP))
        x += picture.width + GAP
    return row


def keep(picture: Image.Image, name: str) -> None:
    """Write it small: 128 colours, the rare ones kept."""
    few = picture.quantize(128, Image.Quantize.MAXCOVERAGE, kmeans=1)
    few.save(IMAGES / f"guide-{name}.png", optimize=True)


def of_height(picture: Image.Image, height: int) -> Image.Image:
    width = round(picture.width * height / picture.height)
    return picture.resize((width, height), Image.Resampling.LANCZOS)


def on_its_page(game: Path, journals: Path | None = None) -> Image.Image:
    """What `pnp preview` shows of a game, once all is drawn and looked at; with a folder of
    journals, what `pnp studio` does, with the game's table."""
    path = oracles.find("browser")
    with sync_playwright() as playwright:
        # before the game is read, as its limit of memory would hold for the browser too
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 880})
        with showing(game, journals=journals) as shown:
            page.goto(shown.server.invitation if journals else shown.server.address)
            expect(page.locator("#findings")).to_contain_text("No findings", timeout=60_000)
            page.wait_for_function(_ARE_DRAWN)
            if journals:
                page.get_by_role("tab", name="Table").click()
                expect(page.get_by_role("grid")).to_contain_text("whale")
            png = page.screenshot()
        browser.close()
    return of_height(Image.open(io.BytesIO(png)).convert("RGB"), 760)


def evening(folder: Path) -> Image.Image:
    """Six steps of a beginner's evening in the studio."""
    shown = []
    with sync_playwright() as playwright, empty_studio(folder) as address:
        path = oracles.find("browser")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        for step in spend_evening(page, folder, by_mouse=True):
            if step in ("begin", "new", "moved", "coloured", "faulty", "printed"):
                page.wait_for_timeout(1500)  # until the pictures are drawn
                shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                shown.append(of_height(shot, 330))
        browser.close()
    rows = [beside(shown[:3]), beside(shown[3:])]
    strip = Image.new("RGB", (rows[0].width, sum(row.height for row in rows)), "white")
    strip.paste(rows[0])
    strip.paste(rows[1], (0, rows[0].height))
    return strip


def exported(game: Path, dpi: int, language: str = "") -> Path:
    """The folder of pictures of a game, beside it."""
    folder = game.with_name(f"{game.name}-at-{dpi}{language}")
    request = request_of(str(game), language=language)
    return pipeline.export_kit(request, "png", {"dpi": dpi}, folder, silent)


def read(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return image.convert("RGB")


def draw_scenes(folder: Path) -> None:
    """The games on a table, one large."""
    for game in SCENES:
        out = pipeline.export_kit(request_of(game), "scene", {}, folder / game, silent)
        picture = of_height(read(out / "scene.png"), 1000 if game == LARGE else 600)
        picture.save(IMAGES / f"scene-{game}.webp", quality=70, method=6)


def draw_components(folder: Path) -> None:
    """All kinds of pieces of a game, with their numbers."""
    out = pipeline.export_kit(request_of(LARGE), "scene", {"preset": "components"}, folder / "apart", silent)
    of_height(read(out / "scene-components.png"), 700).save(IMAGES / "scene-components.webp", quality=70, method=6)


def draw_starters(folder: Path) -> None:
    """Each starter on a table, above its name, four in a row."""
    kinds = [kind for kind in KINDS if kind not in FOLDING]
    width, height, band = 400, 260, 34  # pixels
    lines = -(-len(kinds) // 4)
    sheet = Image.new("RGB", (4 * (width + GAP) + GAP, lines * (height + band) + GAP), PAPER)
    font = ImageFont.truetype(HOUSE_FONTS / "alegreya-sans/AlegreyaSans-Bold.ttf", 22)
    for number, kind in enumerate(kinds):
        game = pipeline.start(str(folder / "starters" / kind), kind)
        size = {"width": 2 * width, "height": 2 * height}
        request = request_of(str(game))
        out = pipeline.export_kit(request, "scene", size, folder / "scenes" / kind, silent)
        x, y = GAP + number % 4 * (width + GAP), GAP + number // 4 * (height + band)
        sheet.paste(of_height(read(out / "scene.png"), height), (x, y))
        middle = x + width / 2, y + height + 2
        ImageDraw.Draw(sheet).text(middle, kind, "#22303c", font, anchor="ma")
    sheet.save(IMAGES / "starters.webp", quality=72, method=6)


def draw_all(folder: Path) -> None:
    """Make the games in `folder`, and of them the pictures."""
    game, deep = guided(folder), folder / "my-game-deep"
    draw_starters(folder)
    keep(read(exported(game, 60) / "overview.png"), "deck")
    sheets = exported(game, 60) / "sheets"
    keep(beside([read(sheets / f"cards-1-{side}.png") for side in ("front", "back")]), "sheet")
    card = read(exported(game, 110) / "faces/cards/gull-front.png")
    template = as_an_editor_shows(game / "front.svg", 600)
    keep(beside([of_height(template, card.height), card]), "template")
    places = [exported(deep, 100) / f"faces/cards/{id_}-front.png" for id_ in ("crab", "angler")]
    places.append(exported(deep, 100, "de") / "faces/cards/octopus-front.png")
    keep(beside([read(place) for place in places]), "deep")
    keep(read(exported(iconed(folder), 120) / "faces/cards/all-front.png"), "icons")
    walked = folder / "walked"
    walked.mkdir()
    for _ in walk(IMAGES.parent / "contributing/first-renderer.md", walked):
        pass
    keep(read(walked / "pictures/overview.png").reduce(2), "renderer")
    draw_scenes(folder)
    draw_components(folder)
    if oracles.find("browser"):
        new = pipeline.start(str(folder / "new/my-game"), "cards")
        keep(on_its_page(new), "preview")
        keep(on_its_page(new, folder / "journals"), "studio")
        keep(evening(folder / "evening"), "evening")
    else:
        print("no browser: the picture of the preview stays as it is")  # noqa: T201


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        draw_all(Path(temporary))
