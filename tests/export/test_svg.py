"""SVG files of faces: as they print, beside the press and librsvg; alone; the same every time."""

from __future__ import annotations

import base64
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import uharfbuzz as hb
from msgspec.structs import replace
from PIL import Image, ImageFilter
from playwright.sync_api import Browser, Page

from generator.basics.geometry import Affine, Point, Rect, Size, translation
from generator.basics.shapes import Outline, rectangle
from generator.export.svg import Drawings, bleed_of
from generator.export.svg.document import FaceDocument
from generator.model import Face, Imprint, PlacedLayer
from generator.pdf import Job, press_worker, raster
from generator.pipeline import read
from generator.pipeline.game import draw
from generator.pipeline.sheets import silent
from generator.text import HOUSE_FONTS, FontBook
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.support import oracles
from tests.support.printing import drawing, face_of

DPI = 300
SIZE = Size(60.0, 40.0)
WHOLE = Rect(0.0, 0.0, *SIZE).corners()
FOLDERS = [HOUSE_FONTS, Path(__file__).parents[1] / "fonts"]
GAMES = Path(__file__).parents[1] / "templates"
SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}href"
# Of 255, in boxes of 0.8 mm: letters on a path are the worst, 67, for the engine measures paths
# coarsely; letters that lie 0.3 mm off are 124 at least.
MOST = 80
EDGES = 60  # as far apart, of drawings without letters: edges between two pixels
A = 'font-family="Alegreya Sans"'


@cache
def fonts() -> FontBook:
    return FontBook(FOLDERS)


@cache  # two tests look at each text
def printed(face: Face) -> Image.Image:
    sheets = raster.face_sheets([face], is_bled=True)
    folders = [str(folder) for folder in FOLDERS]
    pdf = press_worker.print_job(Job(sheets, [face], Imprint("A", "B", "C"), folders, {}))
    return raster.rasterise(pdf, DPI)[0]


def shown(svg: bytes, like: Image.Image) -> Image.Image:
    command = [oracles.need("rsvg-convert"), "-w", f"{like.width}", "-h", f"{like.height}"]
    done = subprocess.run([*command, "-b", "white"], input=svg, capture_output=True, check=True)
    return Image.open(io.BytesIO(done.stdout)).convert("RGB")


def furthest(image: Image.Image, other: Image.Image) -> int:
    """How far two pictures differ at worst, in boxes of 0.8 mm."""
    apart = np.abs(np.asarray(image, np.int16) - np.asarray(other)).max(axis=2)
    apart[:3] = apart[-3:] = apart[:, :3] = apart[:, -3:] = 0
    blurred = Image.fromarray(apart.astype(np.uint8)).filter(ImageFilter.BoxBlur(4))
    return int(np.asarray(blurred).max())


def exported(face: Face, bleed: Outline = WHOLE, text: str = "outlines") -> bytes:
    assert text in ("outlines", "fonts")
    return FaceDocument(face, bleed, fonts(), "fonts" if text == "fonts" else "outlines").content()


def face(content: str) -> Face:
    return face_of("toy", rectangle(SIZE), 0.0, content)


TEXTS = {
    "kerned, joined": f'<text x="5" y="10" {A} font-size="6">Hamburg AVATAR fi ffl</text>',
    "anchored": f'<text x="30" y="10" {A} font-size="6" text-anchor="middle">Middle '
    f'<tspan font-weight="bold" fill="red">bold</tspan> of it</text>',
    "spaced": f'<text x="5" y="10" {A} font-size="6" letter-spacing="1" word-spacing=".5em">'
    "Spaced fi out</text>",
    "told where": f'<text x="5 12 20" y="10 12" dx="0 1 0 2" rotate="0 9" {A} font-size="6">'
    'abcdefg<tspan x="40" dy="4">hij</tspan></text>',
    "raised": f'<text x="5" y="20" {A} font-size="6">H<tspan baseline-shift="sub">2</tspan>O'
    '<tspan dominant-baseline="hanging">h</tspan></text>',
    "lined": f'<text x="5" y="10" {A} font-size="6" text-decoration="underline">Under '
    '<tspan fill="blue">blue</tspan></text>',
    "lined in two fonts": '<text x="5" y="12" font-family="Alegreya Sans" font-size="9" '
    'text-decoration="underline"><tspan font-family="Fraunces">ʺ</tspan>Unϗer</text>',
    "stretched": f'<text x="5" y="10" {A} font-size="6" textLength="50">Stretch</text>'
    f'<text x="5" y="20" {A} font-size="6" textLength="50" lengthAdjust="spacingAndGlyphs">'
    "S t</text>",
    "blanks": f'<text x="5" y="10" {A} font-size="6" xml:space="preserve">  two  blanks</text>'
    f'<text x="5" y="20" {A} font-size="6">\n  one\n <tspan>two</tspan>\n '
    "<tspan> three</tspan></text>",
    "down": f'<text x="25" y="5" {A} font-size="5" writing-mode="tb">Down</text>',
    "along": '<path id="p" fill="none" d="M5 25C15 5 45 5 55 25" transform="translate(0 -2)"/>'
    f'<text {A} font-size="5" text-anchor="middle"><textPath href="#p" startOffset="50%">Along a '
    "curve</textPath></text>",
    "along an arc": '<path id="p" fill="none" d="M10 38A30 30 0 0150 38"/>'
    f'<text {A} font-size="5"><textPath href="#p" startOffset="10">Along</textPath></text>',
    "stroked": f'<text x="5" y="14" {A} font-size="12" fill="gold" stroke="navy" stroke-width=".5" '
    'paint-order="stroke">Stroke</text>',
    "cut": f'<clipPath id="k"><text x="5" y="16" {A} font-size="16">CL<tspan fill="red">IP</tspan>'
    '</text></clipPath><rect width="60" height="9" fill="red" clip-path="url(#k)"/>',
    "shaded": '<linearGradient id="g" x2="0" y2="1"><stop stop-color="red"/><stop offset="1" '
    f'stop-color="blue"/></linearGradient><text x="5" y="16" {A} font-size="12" fill="url(#g)">next'
    '<tspan font-weight="700">zero</tspan></text>',
    "styled": '<style>.a{font:bold 7px "Alegreya Sans";fill:#c00} g > .b{fill:green} #c{fill:blue '
    f'!important}}</style><text class="a" x="5" y="10">Class</text><g {A} font-size="6">'
    '<text class="b" x="5" y="18">Child</text><text id="c" x="5" y="25" '
    'style="fill:red">Important</text></g>',
    "in other frames": '<svg x="10" y="5" width="40" height="20" viewBox="0 0 400 200">'
    f'<text x="10" y="60" {A} font-size="60">Nested</text></svg><defs>'
    f'<text id="t" {A} font-size="6">Used</text></defs><use href="#t" x="25" y="35" fill="red"/>',
    "used in another font": '<defs><text id="u" y="8">Used</text><g id="v"><use href="#u" x="2"/>'
    f'</g></defs><use href="#u" {A} font-size="6" x="5"/><g font-family="Abril Fatface">'
    '<use href="#v" y="12" font-size="9" fill="red" transform="scale(0.9)"/></g>',
    "in a symbol": '<symbol id="s" viewBox="0 0 20 10"><text y="8" font-size="6">Symbol</text>'
    f'</symbol><use href="#s" {A} x="5" y="2" width="40" height="20"/>',
    "of the current colour": f'<g color="teal"><text x="5" y="10" {A} font-size="6" '
    'fill="currentColor">Teal <tspan color="red">red</tspan></text></g>',
    "hidden": f'<text x="5" y="10" {A} font-size="6">A<tspan visibility="hidden">BC</tspan>E'
    '<tspan display="none">FG</tspan>H</text>',
    "small capitals": f'<text x="5" y="10" {A} font-size="6" font-variant="small-caps">'
    "Small</text>",
    "Hebrew": '<text x="5" y="10" font-family="Noto Sans Hebrew" font-size="6">'
    'שלום (עולם) 12</text>',
    "Arabic": '<text x="50" y="10" text-anchor="end" letter-spacing="1" font-size="6" '
    'font-family="Noto Naskh Arabic">السلام عليكم</text>',
    "Devanagari": '<text x="5" y="10" font-family="Noto Sans Devanagari" font-size="6">नमस्ते</text>',
    "Thai": '<text x="5" y="10" font-family="Noto Sans Thai" font-size="6">ที่นี่</text>',
}  # fmt: skip
# Browsers drop other blanks than the engine.
OUTLINED = TEXTS | {
    "blanks that meet": f'<text x="5" y="10" {A} font-size="6">one<tspan> two </tspan>'
    '<tspan x="40" fill="red"> three</tspan></text>'
}


@pytest.mark.parametrize("content", OUTLINED.values(), ids=OUTLINED)
def test_outlines_lie_where_the_press_sets_letters(content: str) -> None:
    svg = exported(face(content))
    assert b"<text" not in svg
    assert b"font-family" not in svg
    as_printed = printed(face(content))
    assert furthest(shown(svg, as_printed), as_printed) <= MOST
    astray = face(f'<g transform="translate(0.3 0)">{content}</g>')
    assert furthest(shown(exported(astray), as_printed), as_printed) > MOST


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


def in_browser(page: Page, svg: bytes, like: Image.Image) -> Image.Image:
    width, height = like.size
    text = re.sub(r'width="60mm"', f'width="{width}"', svg.decode().partition("?>")[2], count=1)
    text = re.sub(r'height="40mm"', f'height="{height}"', text, count=1)
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{text}")
    page.evaluate("document.fonts.ready")
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


@pytest.mark.parametrize("name", [name for name in TEXTS if not name.startswith("lined")])
def test_text_in_fonts_lies_where_the_press_sets_it(name: str, page: Page) -> None:
    """Underlines are as thick as a browser pleases."""
    content = TEXTS[name]
    as_printed = printed(face(content))
    fonts_within = exported(face(content), text="fonts")
    assert furthest(in_browser(page, fonts_within, as_printed), as_printed) <= MOST
    astray = face(f'<g transform="translate(0.3 0)">{content}</g>')
    found = in_browser(page, exported(astray, text="fonts"), as_printed)
    assert furthest(found, as_printed) > MOST


def test_what_a_layer_says_stays_its_own() -> None:
    """Two layers of one face call by the same names what is not the same."""
    red = '<style>rect,.a{fill:red}#x{stroke:red}</style><path id="x" class="a" d="M5 5h10v10h-10z"/>'
    plain = '<path id="x" d="M0 0h10v20h-10z" fill="lime"/><rect class="a" width="9" height="9"/>'
    use = '<clipPath id="c"><rect width="10" height="9"/></clipPath>'
    use += '<use href="#x" x="30" clip-path="url(#c)"/>'
    layers = [drawing(name, SIZE, own) for name, own in (("red", red), ("plain", plain + use))]
    placed_layers = [PlacedLayer(layer, Point(0.0, 0.0)) for layer in layers]
    both = Face.of(placed_layers, "both", SIZE, WHOLE)
    as_printed = printed(both)
    assert furthest(shown(exported(both), as_printed), as_printed) < EDGES
    assert b"<style" not in exported(both)


def test_a_layer_is_there_once_and_cut_where_it_stands() -> None:
    tile = drawing("tile", Size(10.0, 10.0), '<circle cx="9" cy="5" r="5" fill="navy"/>')
    clip = Rect(30.0, 0.0, 36.0, 40.0).corners()
    turn = translation(50.0, 30.0) @ Affine(0.0, -1.0, 1.0, 0.0)
    placed_layers = [
        PlacedLayer(tile, Point(5.0, 5.0)),
        PlacedLayer(tile, Point(30.0, 5.0), clip=clip),
        PlacedLayer(tile, Point(0.0, 0.0), turn),
    ]
    tiled = Face.of(placed_layers, "tiled", SIZE, WHOLE)
    svg = exported(tiled)
    assert svg.count(b"<circle") == 1
    as_printed = printed(tiled)
    assert furthest(shown(svg, as_printed), as_printed) < EDGES


@pytest.mark.parametrize("fit", ["", 'preserveAspectRatio="none"', 'preserveAspectRatio="xMinYMin"'])
def test_a_picture_that_is_a_drawing_is_drawn(fit: str) -> None:
    inner = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 40 20">'
    inner += '<style>path{fill:teal}</style><path d="M0 0h30v15h-30z"/>'
    inner += '<circle cx="40" cy="10" r="9"/></svg>'
    uri = f"data:image/svg+xml;base64,{base64.b64encode(inner.encode()).decode()}"
    image = f'<image x="5" y="5" width="20" height="20" {fit} href="{uri}"/>'
    twice = face(f'<g fill="red" stroke="red">{image}</g><g transform="translate(30 8)">{image}</g>')
    svg = exported(twice)
    assert b"<image" not in svg
    as_printed = printed(twice)
    assert furthest(shown(svg, as_printed), as_printed) < EDGES


@dataclass(frozen=True)
class Sample:
    game: str
    component: str
    piece: str


SAMPLES = [
    Sample("talavera", "cards", "5"),
    Sample("talavera", "rule-cards", "3"),
    Sample("toripoka", "cards", ""),
    Sample("advaya", "tiles", ""),
    Sample("atreya", "tiles", ""),
    Sample("taluva", "huts", ""),
    Sample(str(GAMES / "quest"), "cards", "dragon"),
    Sample(str(GAMES / "lanterns"), "cards", "30"),
]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: Path(sample.game).name)
def test_faces_of_games_look_as_they_print(sample: Sample) -> None:
    loaded = read(sample.game)
    game = loaded.game
    design = next(d for d in loaded.designs if d.component.id.startswith(sample.component))
    component = design.component
    pieces = [p for p in component.pieces if not sample.piece or p.id == sample.piece][:1]
    drawn = draw(loaded, silent, [replace(component, pieces=tuple(pieces))])
    assert {piece for _, piece, _ in drawn} == {piece.id for piece in pieces}
    for (_, _, side), layer in drawn.items():
        svg = FaceDocument(layer, bleed_of(component, side), FontBook(game.font_folders), "outlines")
        as_printed = printed(layer)
        found = shown(svg.content(), as_printed)
        seen = np.asarray(shown(_white(layer, bleed_of(component, side)), as_printed))[..., :1] > 0
        masked = [Image.fromarray(np.where(seen, np.asarray(i), 255).astype("uint8")) for i in (found, as_printed)]
        assert furthest(*masked) <= MOST, side


def _white(drawn_face: Face, bleed: Outline) -> bytes:
    """White where a face may be inked, by more than a pixel, and black around."""
    corners = " ".join(f"{x},{y}" for x, y in bleed)
    size = f'width="{drawn_face.size.width}mm" height="{drawn_face.size.height}mm"'
    box = f'viewBox="0 0 {drawn_face.size.width} {drawn_face.size.height}"'
    shape = f'<polygon points="{corners}" fill="white" stroke="black" stroke-width="1"/>'
    ground = '<rect width="999" height="999"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>{ground}{shape}</svg>'.encode()


def test_fonts_travel_with_the_text() -> None:
    svg = exported(face(f'<text x="5" y="9" {A}>Ab <tspan font-weight="700">c</tspan> d</text>'), text="fonts")
    rules = re.findall(r"@font-face\{([^}]*)\}", svg.decode())
    assert svg.count(b"<text") == 1
    held = {}
    for rule in rules:
        weight = re.search(r"font-weight:(\d+)", rule)
        content = re.search(r"base64,([^)]*)\)", rule)
        assert weight
        assert content
        held[weight[1]] = {*map(chr, hb.Face(base64.b64decode(content[1])).unicodes)}
    assert held == {"400": set("Ab d"), "700": set("c")}


def test_the_file_is_in_millimetres_and_alone(tmp_path: Path, pnp: Pnp) -> None:
    for where in ("one", "other"):
        result = pnp("export", HERE / "_tiny", "--to", "svg", "-o", tmp_path / where)
        assert result.exit_code == 0, result.output
    files = sorted(path.relative_to(tmp_path / "one") for path in tmp_path.glob("one/**/*.svg"))
    assert files
    for file in files:
        content = (tmp_path / "one" / file).read_bytes()
        assert content == (tmp_path / "other" / file).read_bytes()
        root = ElementTree.fromstring(content)
        _, _, width, height = root.attrib["viewBox"].split()
        assert (root.attrib["width"], root.attrib["height"]) == (f"{width}mm", f"{height}mm")
        ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        assert len(ids) == len(set(ids))
        links = {element.attrib[XLINK] for element in root.iter() if XLINK in element.attrib}
        inner = {link[1:] for link in links if not link.startswith("data:image/")}
        assert {*inner, *re.findall(r"url\(#([^)]*)\)", content.decode())} <= set(ids)


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("text=paths", "--to svg: text must be 'outlines' or 'fonts', not 'paths'"),
        ("dpi=3", "--to svg: unknown key 'dpi'"),
    ],
)
def test_a_wrong_option_is_reported(setting: str, told: str, tmp_path: Path, pnp: Pnp) -> None:
    result = pnp("export", HERE / "_tiny", "--to", "svg", "--set", setting, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert told in result.output
    assert not (tmp_path / "out").exists()


def test_who_does_not_export_loads_no_svgwrite() -> None:
    code = "import sys, generator.pipeline, generator.cli; sys.exit('svgwrite' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_outlines_are_usual() -> None:
    assert Drawings().text == "outlines"
