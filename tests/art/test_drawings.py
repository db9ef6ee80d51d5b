"""Drawings of other programs print as another renderer draws them, or a finding says why not."""

from __future__ import annotations

import base64
import gzip
import io
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
import resvg_py
from PIL import Image

from generator import raster
from generator.art import rendering
from generator.art.picture import ArtReader
from generator.errors import PnpError, Problem
from generator.faces.canvas import Canvas
from generator.geometry import Affine, Point, Rect, Size
from generator.model import Art, Face, Imprint, PlacedLayer
from generator.outlines import rectangle
from generator.pdf import Job
from generator.pdf.press_worker import print_job
from generator.place import Place
from generator.text import HOUSE_FONTS, FontBook
from tests.support import fontmaking
from tests.support.pictures import compare

FONTS = FontBook([HOUSE_FONTS])
FOLDERS = tuple(map(str, FONTS.folders))
SIZE = Size(30.0, 30.0)
PIXELS = 331  # no whole number for a unit of the drawings: tiles that are rounded drift
FINER = 2
OF_TILES = 4  # finer still: viewers round the tiles of a pattern to their pixels
MAD, BAD = 2.0, 0.2
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    ' viewBox="0 0 100 100">'
)
SIGN = '<path d="M10 10h30v20h20v50z" fill="#1f3f8c"/>'
WORDS = 'font-family="Alegreya Sans" font-size="20"'
FADING = '<stop stop-color="#fff"/><stop offset="1" stop-color="#a00"/>'


def svg(content: str, head: str = HEAD) -> str:
    return f"{head}{content}</svg>"


def uri(content: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(content.encode()).decode()}"


def png_uri() -> str:
    """A picture of 2 x 2 pixels."""
    stream = io.BytesIO()
    Image.frombytes("L", (2, 2), bytes((0, 90, 180, 240))).save(stream, "PNG")
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"


def read(folder: Path, content: str | bytes, fonts: FontBook = FONTS) -> tuple[Art, list[Problem]]:
    """The picture in a file of that content, and the findings about it."""
    (folder / "art.svg").write_bytes(content.encode() if isinstance(content, str) else content)
    reader = ArtReader(folder, fonts)
    return reader.read("art.svg", Place("game.toml", 1)), list(reader.findings)


def printed(art: Art, pixels: int = PIXELS, finer: int = FINER) -> Image.Image:
    """A picture of it as it prints on a face of its own, so many pixels wide."""
    canvas = Canvas(SIZE)
    canvas.image(art, Rect(0.0, 0.0, *SIZE))
    outline = rectangle(SIZE).placed(Affine())
    face = Face.of([PlacedLayer(canvas.layer("art"), Point(0.0, 0.0))], "art", SIZE, outline)
    job = Job(raster.face_sheets([face]), [face], Imprint("Art", "", ""), FOLDERS)
    picture = raster.rasterise(print_job(job), pixels * finer / SIZE.width * 25.4)[0]
    return picture.resize((pixels, pixels), Image.Resampling.BOX)


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


# What is drawn right without a finding.
RIGHT = {
    "words": svg(f'<text x="9" y="50" {WORDS}>Whale <tspan font-weight="700">9</tspan></text>'),
    "words of a class": svg(
        "<style>.a{font:700 20px 'Alegreya Sans';fill:#a00} g>.a{fill:#00a}</style>"
        '<text x="9" y="30" class="a">Red</text><g><text x="9" y="70" class="a">Blue</text></g>'
    ),
    "words on a path": svg(
        '<path id="p" d="M10 80Q50 10 90 80" fill="none"/>'
        f'<text {WORDS}><textPath xlink:href="#p">Over the hill</textPath></text>'
    ),
    "words within a clone": svg(
        f'<defs><g id="a"><text x="5" y="20" {WORDS}>Twice</text></g></defs>'
        '<use href="#a"/><use href="#a" transform="translate(10 50)" fill="#a00"/>'
    ),
    "a drawing in a drawing": svg(
        SIGN
        + f'<image x="40" y="40" width="50" height="25" href="{uri(svg(SIGN))}"/>'
        + '<image y="60" width="30" height="30" preserveAspectRatio="xMinYMin slice" href="'
        + uri(svg(SIGN, HEAD.replace("0 0 100 100", "0 0 50 100")))
        + '"/>'
    ),
    "styles of a drawing in a drawing": svg(
        "<style>path{stroke:#a00;stroke-width:5}</style>"
        + SIGN
        + '<g fill="#0a0"><image x="40" y="40" width="60" height="60" href="'
        + uri(svg("<style>.a{opacity:.5}</style><path class='a' d='M0 0h90v90'/>"))
        + '"/></g>'
    ),
    "a link": svg(f'<a xlink:href="https://a.example/">{SIGN}</a>'),
    "a paint with a fallback": svg('<rect width="80" height="80" fill="url(#gone) #066"/>'),
    "two references": svg(
        f'<g id="a">{SIGN}</g><rect id="b" width="9" height="9"/>'
        '<use href="#b" xlink:href="#a" x="80"/>'
    ),
    "a moved drawing within": svg(
        '<svg x="10" width="40" height="40" transform="rotate(20)" opacity=".5">'
        '<rect width="90" height="90"/></svg>'
    ),
    "a drawing within, moved by a class": svg(
        "<style>.a{transform:translate(30px,30px)}</style>"
        f'<svg class="a" width="60" height="60">{SIGN}</svg>'
    ),
    "dots": svg(
        '<g stroke="#00a" stroke-width="20" stroke-linecap="round">'
        '<path d="M 30 30 L 30 30"/><path d="M70 30z"/></g>'
        '<path d="M30,70L30,70" stroke="#00a" stroke-width="20" stroke-linecap="square"/>'
    ),
    "dots of three points": svg(
        '<path d="M30 30 L30 30 L30 30" stroke="#00a" stroke-width="20" stroke-linecap="square"/>'
    ),
    "a line of dots": svg(
        '<rect x="20" y="20" width="60" height="60" fill="none" stroke="#00a" stroke-width="10"'
        ' stroke-dasharray="0 20" stroke-linecap="round"/>'
        '<path d="M20 50h60" stroke="#a00" stroke-width="10" stroke-dasharray="0 20"/>'
    ),
    "entities": '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg"><!ENTITY c "#a00">]>'
    '<svg xmlns="&ns;" viewBox="0 0 100 100"><rect width="70" height="50" fill="&c;"/></svg>',
    "a size without a viewBox": svg(
        SIGN, HEAD.replace('viewBox="0 0 100 100"', 'width="100" height="100"')
    ),
    "a size in per cent": svg(SIGN, HEAD.replace("viewBox", 'width="100%" height="100%" viewBox')),
    "a gradient with words that are none": svg(
        f'<radialGradient id="g" spreadMethod="other" fr="-1">{FADING}</radialGradient>'
        '<rect width="100" height="100" fill="url(#g)"/>'
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_drawing_prints_as_it_is(name: str, tmp_path: Path) -> None:
    art, findings = read(tmp_path, RIGHT[name])
    assert findings == []
    assert differ(printed(art), drawn(RIGHT[name])) == (False, False)


def test_the_tiles_of_a_pattern_do_not_drift(tmp_path: Path) -> None:
    tile = "M{x} {y}h3v3h-3z"
    pattern, _ = read(
        tmp_path,
        svg(
            '<pattern id="p" width="7" height="7" patternUnits="userSpaceOnUse">'
            f'<path d="{tile.format(x=0, y=0)}"/></pattern>'
            '<rect width="100" height="100" fill="url(#p)"/>'
        ),
    )
    tiles = "".join(tile.format(x=x, y=y) for x in range(0, 100, 7) for y in range(0, 100, 7))
    single, _ = read(tmp_path, svg(f'<path d="{tiles}"/>'))
    assert differ(printed(pattern, finer=OF_TILES), printed(single, finer=OF_TILES)) == (
        False,
        False,
    )


def test_a_tile_of_whole_pixels_is_not_stretched(tmp_path: Path) -> None:
    tile = '<path d="M0 0h5v5h-5zM5 5h5v5h-5z"/>'
    pattern = (
        f'<pattern id="p" width="10" height="10" patternUnits="userSpaceOnUse">{tile}</pattern>'
    )
    content = svg(f'{pattern}<rect width="100" height="100" fill="url(#p)"/>')
    art, _ = read(tmp_path, content)
    ours = np.asarray(
        printed(art, 400, OF_TILES), float
    )  # 4 pixels of the picture, 16 of the viewer
    theirs = np.kron(np.indices((20, 20)).sum(axis=0) % 2, np.ones((20, 20)))[..., None] * 255.0
    assert abs(ours - theirs).mean() < 1.0


# Paints with two stops at one place, and a shape.
EDGED = {
    "a line across": (
        '<linearGradient id="g" gradientTransform="rotate(30)">'
        '<stop offset=".21" stop-color="#fff"/>'
        '<stop offset=".2" stop-color="#a00"/><stop offset="60%" stop-color="#060"/>'
        '<stop offset=".6" stop-color="#ff0"/></linearGradient>'
        '<rect x="10" y="10" width="80" height="70" fill="url(#g)" stroke="#00a" stroke-width="4"'
        ' transform="rotate(9 50 50)" style="opacity:.5"/>'
    ),
    "rings": (
        '<radialGradient id="h" cx="55" cy="50" r="40" fx="60" gradientUnits="userSpaceOnUse"/>'
        '<radialGradient id="g" href="#h" gradientTransform="translate(0 10) scale(1 .8)">'
        '<stop offset=".5" stop-color="#fff"/>'
        '<stop offset=".5" stop-color="#a00"/><stop offset=".55" stop-color="#060"/>'
        '<stop offset=".8" stop-color="#060"/><stop offset=".8" stop-color="#ff0"/>'
        '</radialGradient>'
        '<style>.a{fill:url(#g);opacity:.5}</style><path class="a" d="M0 0h100v100H9z"/>'
    ),
    "an edge where it begins": (
        '<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="20" x2="90" y1="9" y2="9">'
        '<stop stop-color="#a00"/><stop stop-color="#ff0"/><stop offset="1"/></linearGradient>'
        '<g id="r" fill="#060"><path d="M20 9h60v60h-60z" fill="url(#g)"/></g>'
        '<use y="30" href="#r"/>'
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EDGED)
def test_the_edge_of_a_gradient_is_in_its_place(name: str, tmp_path: Path) -> None:
    art, findings = read(tmp_path, svg(EDGED[name]))
    ours, theirs = printed(art), drawn(svg(EDGED[name]))
    assert findings == []
    _, bad = compare(np.asarray(ours), np.asarray(theirs))
    assert bad == 0.0


def test_a_filter_with_a_huge_region_is_drawn_like_others(tmp_path: Path) -> None:
    region = 'filterUnits="userSpaceOnUse" x="-20000" y="-9" width="90000" height="90000"'
    filter_ = f'<filter id="f" {region}><feGaussianBlur stdDeviation="2"/></filter>'
    content = svg(f'{filter_}<g filter="url(#f)">{SIGN}</g>')
    art, findings = read(tmp_path, content)
    assert findings == []
    assert differ(printed(art), drawn(content)) == (False, False)


def test_a_gradient_inherits_a_transform(tmp_path: Path) -> None:
    map_, rect = 'gradientTransform="rotate(30)"', '<rect width="90" height="90" fill="url(#g)"/>'
    chain = f'<linearGradient id="h" {map_}>{FADING}</linearGradient>'
    inherited, _ = read(tmp_path, svg(f'{chain}<linearGradient id="g" href="#h"/>{rect}'))
    own = svg(f'<linearGradient id="g" {map_}>{FADING}</linearGradient>{rect}')
    assert differ(printed(inherited), drawn(own)) == (False, False)


# Each with what becomes pixels.
PIXELLED = {
    "gradient that repeats": (
        f'<radialGradient id="g" r=".2" spreadMethod="repeat">{FADING}</radialGradient>'
        '<rect x="10" y="10" width="80" height="80" fill="url(#g)"/>',
        "a radial gradient that repeats",
    ),
    "gradient that repeats another": (
        f'<linearGradient id="h" spreadMethod="reflect">{FADING}</linearGradient>'
        '<radialGradient id="g" r=".2" xlink:href="#h"/>'
        '<g transform="translate(20 10) scale(.5)">'
        '<circle cx="60" cy="60" r="50" stroke="#000" fill="url(#g)"/></g>',
        "a radial gradient that repeats",
    ),
    "gradient with an inner radius": (
        f'<radialGradient id="g" fr=".3">{FADING}</radialGradient>'
        '<g fill="url(#g)"><path d="M10 10h80v80h-80z"/></g>',
        "a radial gradient with an inner radius",
    ),
    "clone in a gradient": (
        f'<linearGradient id="g">{FADING}</linearGradient>'
        '<defs><path id="p" d="M10 10h80v80z" fill="context-fill"/></defs>'
        '<use href="#p" fill="url(#g)"/>',
        "a clone in the gradient",
    ),
    "clone of underlined words in a gradient": (
        f'<linearGradient id="g">{FADING}</linearGradient><defs><g id="p">'
        f'<path d="M5 5h90v90z" fill="context-fill"/><text x="5" y="60" {WORDS} fill="context-fill"'
        ' text-decoration="underline">Whale</text></g></defs><use href="#p" fill="url(#g)"/>',
        "a clone in the gradient",
    ),
    "mask in a mask": (
        f'<linearGradient id="g">{FADING}</linearGradient>'
        '<mask id="a"><rect width="100" height="100" fill="url(#g)"/></mask>'
        '<mask id="b" style="mask-type:alpha" mask="url(#a)">'
        '<rect width="100" height="100" fill="url(#g)"/></mask>'
        '<rect x="10" y="10" width="80" height="80" mask="url(#b)"/>',
        "a mask within a mask",
    ),
    "dashes without gaps": (
        '<rect x="20" y="20" width="60" height="60" fill="none" stroke="#060" stroke-width="15"'
        ' stroke-dasharray="20 0"/>',
        "a line whose dashes have no gaps",
    ),
    "clipped corners": (
        '<path d="M20 80L50 20L56 80" fill="none" stroke="#060" stroke-width="12"'
        ' style="stroke-linejoin:miter-clip" stroke-miterlimit="2"/>',
        "a line with clipped corners",
    ),
    "picture in a filter": (
        '<filter id="f" x="0" y="0" width="1" height="1"><feImage x="25" y="25" width="30"'
        ' height="30" preserveAspectRatio="none" href="' + png_uri() + '"/></filter>'
        '<rect x="10" y="10" width="80" height="80" filter="url(#f)"/>',
        "a filter with a picture",
    ),
    "filter of colours": (
        '<filter id="f"><feColorMatrix type="hueRotate" values="120"/><feComponentTransfer>'
        '<feFuncR type="linear" slope=".5"/></feComponentTransfer></filter>'
        f'<g filter="url(#f)">{SIGN}</g>',
        "a filter of colours",
    ),
    "outlined words in a gradient": (
        f'<linearGradient id="g">{FADING}</linearGradient>'
        f'<text x="5" y="60" {WORDS} stroke="url(#g)" fill="none">Whale</text>',
        "an outlined text",
    ),
}


@pytest.mark.parametrize("name", PIXELLED)
def test_what_the_engine_draws_wrong_becomes_pixels(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "_PICTURE_WIDTH", 2.0)  # a large picture takes a second
    content, what = PIXELLED[name]
    content = svg(f'<path d="M0 95h100" stroke="#000"/>{content}')
    art, (finding,) = read(tmp_path, content)
    assert finding.what.startswith(what)
    assert finding.what.endswith("is printed as pixels (600 dpi)")
    assert (finding.rule, finding.level) == ("art.pixels", "note")
    assert str(finding.place) == f"{tmp_path.name}/art.svg:1"
    assert differ(printed(art), drawn(content)) == (False, False)
    kept = base64.b64decode(art.uri.partition(",")[2])
    assert kept.count(b"<image") == 1
    assert b"M0 95h100" in kept  # the rest stays as it is


def test_a_variant_of_a_variable_font_becomes_pixels(tmp_path: Path) -> None:
    axes = {"wght": (100.0, 400.0, 900.0), "GRAD": (0.0, 0.0, 100.0)}
    (tmp_path / "fonts").mkdir()
    fontmaking.variable(tmp_path / "fonts" / "bars.ttf", "Bars", axes)
    fonts = FontBook([HOUSE_FONTS, tmp_path / "fonts"])
    words = '<text x="5" y="60" font-family="Bars" font-size="30" style="{}">AA</text>'
    dark = svg(words.format("font-variation-settings:'GRAD' 100"))
    art, (finding,) = read(tmp_path, dark, fonts)
    assert finding.what == "a text in a variant of Bars is printed as pixels (600 dpi)"
    assert art.lacking == ()
    assert differ(printed(art), drawn(dark, fonts.sources)) == (False, False)
    plain = svg(words.format("font-weight:700"))
    assert read(tmp_path, plain, fonts)[1] == []
    assert differ(printed(art), drawn(plain, fonts.sources)) != (False, False)


@pytest.mark.parametrize(
    ("step", "edges"),
    [
        ('radius="5 3"', "M25 23h50v54h-50z"),
        ('operator="dilate" radius="3 5"', "M17 15h66v70h-66z"),
    ],
)
def test_a_filter_that_widens_or_thins_moves_edges_by_its_radius(
    step: str, edges: str, tmp_path: Path
) -> None:
    filter_ = f'<filter id="f"><feOffset/><feMorphology {step} result="a"/></filter>'
    content = svg(f'{filter_}<rect x="20" y="20" width="60" height="60" filter="url(#f)"/>')
    art, (finding,) = read(tmp_path, content)
    dpi = re.fullmatch(r"a filter that widens or thins is printed .* \((\d+) dpi\)", finding.what)
    assert dpi is not None
    assert 200 < int(dpi[1]) < 600  # finer would take too long
    assert differ(printed(art), drawn(svg(f'<path d="{edges}"/>'))) == (False, False)


# Filters that depend on the pixels of the engine.
COARSE = {
    "feConvolveMatrix": '<feConvolveMatrix kernelMatrix="1 1 1 1 1 1 1 1 -8"/>',
    # with so much other work that resvg would take too long
    "feMorphology": '<feTurbulence numOctaves="900"/><feMorphology radius="2"/>',
    "a filter with a huge region": "<feOffset/>",
}


@pytest.mark.parametrize("name", COARSE)
def test_a_filter_that_depends_on_pixels_is_noted(name: str, tmp_path: Path) -> None:
    region = 'filterUnits="userSpaceOnUse" width="90000" height="90000"'
    filter_ = f'<filter id="f" {region if "huge" in name else ""}>{COARSE[name]}</filter>'
    moved = '<path d="M0 0h9v9z" transform="rotate(1)" filter="url(#f)"/>'
    _, findings = read(tmp_path, svg(filter_ + moved))
    assert [one.rule for one in findings] == ["art.pixels"]
    assert findings[0].what.startswith(name)
    assert read(tmp_path, svg(filter_ + SIGN))[1] == []  # nothing uses it


# Each with a finding; what is referred to is not drawn.
DANGLING = {
    "clone": ('<use href="#gone"/>', "<use> refers to '#gone', which does not exist"),
    "colour": ('<rect width="9" fill="url(#gone)"/>', "<rect> refers to '#gone', which does not"),
    "clip": (
        f'<g clip-path="url(#gone)">{SIGN}</g>',
        "<g> refers to '#gone', which does not exist",
    ),
    "an id without #": (
        f'<linearGradient id="g" href="b">{FADING}</linearGradient>'
        '<rect width="80" height="80" fill="url(#g)"/>',
        "<linearGradient> refers to 'b', which is no reference",
    ),
    "two of an id": (
        '<g id="a"/>\n<g id="a"/><use href="#a"/>',
        "<use> refers to '#a', which is on lines 1 and 2",
    ),
}


@pytest.mark.parametrize("name", DANGLING)
def test_a_reference_to_nothing_is_a_warning(name: str, tmp_path: Path) -> None:
    content, what = DANGLING[name]
    art, (finding,) = read(tmp_path, svg(SIGN + content))
    assert finding.what.startswith(what)
    assert (finding.rule, finding.level) == ("art.reference", "warning")
    assert differ(printed(art), drawn(svg(SIGN + content))) == (False, False)


def test_a_compressed_drawing_is_read(tmp_path: Path) -> None:
    art, _ = read(tmp_path, gzip.compress(svg(SIGN).encode()))
    assert differ(printed(art), drawn(svg(SIGN))) == (False, False)
    (tmp_path / "art.svgz").write_bytes(gzip.compress(svg(SIGN).encode()))
    reader = ArtReader(tmp_path, FONTS)
    assert reader.read("art.svgz", Place("game.toml", 1)).uri == art.uri
    inner = base64.b64encode(gzip.compress(svg(SIGN).encode())).decode()
    art, _ = read(tmp_path, svg(f'<image width="100" height="100" href="data:;base64,{inner}"/>'))
    assert differ(printed(art), drawn(svg(SIGN))) == (False, False)


def test_words_of_a_picture_stay_text(tmp_path: Path) -> None:
    art, _ = read(tmp_path, RIGHT["words"])
    assert "Whale" in art.part
    assert read(tmp_path, svg(SIGN))[0].part == ""


@pytest.mark.parametrize(
    ("relative", "around", "weight"),
    [("bolder", 400, 700), ("bolder", 800, 900), ("lighter", 400, 100), ("lighter", 700, 400)],
)
def test_a_relative_weight_is_that_of_css(
    relative: str, around: int, weight: int, tmp_path: Path
) -> None:
    words = (
        f'<g font-weight="{around}"><text x="5" y="60" {WORDS} font-weight="{{}}">Hey</text></g>'
    )
    art, _ = read(tmp_path, svg(words.format(relative)))
    assert differ(printed(art), drawn(svg(words.format(weight)))) == (False, False)


@pytest.mark.parametrize("files", ["ab", "ba"])
@pytest.mark.parametrize(("asked", "taken"), [(200, 100), (800, 900)])
def test_of_two_weights_equally_near_a_picture_has_that_of_css(
    asked: int, taken: int, files: str, tmp_path: Path
) -> None:
    (tmp_path / "fonts").mkdir()
    light, heavy = asked - 100, asked + 100
    for name, weight in zip(files, (light, heavy), strict=True):
        fontmaking.bars(tmp_path / "fonts" / f"{name}.ttf", "Bars", weight=weight)
    fonts = FontBook([HOUSE_FONTS, tmp_path / "fonts"])
    words = f'<text x="5" y="60" font-family="Bars" font-size="30" font-weight="{asked}">AA</text>'
    art, _ = read(tmp_path, svg(words), fonts)
    assert f"font-weight:{taken}" in art.part.replace(" ", "")
    assert fonts.find("Bars", asked).weight == taken


def test_a_style_that_a_picture_lacks_is_known(tmp_path: Path) -> None:
    art, _ = read(
        tmp_path, svg(f"<text {WORDS} style=\"font-variation-settings:'wdth' 50\">a</text>")
    )
    assert [one.style for one in art.lacking] == ["instance with 'wdth' 50"]


def test_a_placeholder_in_a_picture_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="the placeholder in"):
        read(tmp_path, svg(f"<text {WORDS}>{{{{ title }}}}</text>"))


@pytest.mark.parametrize("rendering", ["auto", "pixelated"])
def test_pixels_are_smooth_unless_asked_for(rendering: str, tmp_path: Path) -> None:
    stream = io.BytesIO()
    small = Image.new("RGB", (2, 1), "white")
    small.putpixel((0, 0), (0, 0, 0))
    small.save(stream, "PNG")
    data = base64.b64encode(stream.getvalue()).decode()
    art, _ = read(
        tmp_path,
        svg(
            f'<image width="100" height="100" preserveAspectRatio="none" '
            f'style="image-rendering:{rendering}" href="data:image/png;base64,{data}"/>'
        ),
    )
    row = printed(art).convert("L").crop((0, PIXELS // 2, PIXELS, PIXELS // 2 + 1))
    greys = sum(20 < grey < 235 for grey in row.tobytes())
    assert greys > 50 if rendering == "auto" else greys < 4


ICONS = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"'
    ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">'
    "<style>.a{fill:url(#red)}</style>"
    '<defs><linearGradient id="red"><stop stop-color="#a00"/></linearGradient>'
    '<symbol id="star" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></symbol></defs>'
    '<g inkscape:label="Night" inkscape:groupmode="layer"><rect x="50" width="50" height="50"/></g>'
    '<g id="day" fill="#0a0"><g transform="translate(20 20)">'
    '<circle id="sun" class="a" cx="10" cy="20" r="10"/><path id="ray" d="M40 0h20v5h-20z"/></g>'
    "<text>no family, but nobody asks for it</text></g></svg>"
)
PARTS = {
    "sun": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">'
    '<circle cx="10" cy="10" r="10" fill="#a00"/></svg>',
    "ray": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 5">'
    '<path d="M0 0h20v5h-20z" fill="#0a0"/></svg>',
    "star": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'
    '<path d="M0 0h10v10z"/></svg>',
    "Night": svg('<rect x="50" width="50" height="50"/>'),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_of_a_drawing_is_a_picture(name: str, tmp_path: Path) -> None:
    (tmp_path / "icons.svg").write_text(ICONS, "utf-8")
    art = ArtReader(tmp_path, FONTS).read(f"icons.svg#{name}", Place("game.toml", 1))
    expected, _ = read(tmp_path, PARTS[name])
    assert differ(printed(art), printed(expected)) == (False, False)
    assert art.file == "icons.svg"


def test_a_part_that_is_a_plain_text_is_cropped_to_its_letters(tmp_path: Path) -> None:
    """An element of lxml without children counts as false."""
    text = '<text id="word" x="30" y="60" font-family="Alegreya Sans" font-size="20">Hill</text>'
    (tmp_path / "words.svg").write_text(svg(text), "utf-8")
    art = ArtReader(tmp_path, FONTS).read("words.svg#word", Place("game.toml", 1))
    drawing = base64.b64decode(art.uri.partition(",")[2]).decode()
    view = [float(side) for side in re.findall('viewBox="([^"]+)"', drawing)[0].split()]
    assert 30 < view[0] < 33
    assert 20 < view[2] < 40
    assert 40 < view[1] < 50
    assert 10 < view[3] < 16


def test_the_name_of_a_file_may_have_a_number_sign(tmp_path: Path) -> None:
    (tmp_path / "#1 icons.svg").write_text(ICONS, "utf-8")
    reader = ArtReader(tmp_path, FONTS)
    whole = reader.read("#1 icons.svg#ray", Place("game.toml", 1))
    expected, _ = read(tmp_path, PARTS["ray"])
    assert differ(printed(whole), printed(expected)) == (False, False)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("icons.svg#son", "the drawing has no part 'son'"),
        ("icons.svg#red", "this part of the drawing shows nothing"),
        ("dot.png#sun", "'dot.png' has no parts"),
        ("icons.svg#day", "has no font family"),
    ],
)
def test_a_part_that_cannot_be_shown_is_named(file: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "icons.svg").write_text(ICONS, "utf-8")
    with pytest.raises(PnpError, match=message):
        ArtReader(tmp_path, FONTS).read(file, Place("game.toml", 1))


def test_the_vowel_signs_of_indic_words_take_their_room(tmp_path: Path) -> None:
    indic = Path(__file__).parents[1] / "fonts" / "noto-sans-devanagari"
    fonts = FontBook([HOUSE_FONTS, indic])
    words = '<text x="5" y="60" font-family="Noto Sans Devanagari" font-size="20">{}</text>'
    signs = svg(words.format("कारामा श्रमिक"))
    art, (finding,) = read(tmp_path, signs, fonts)
    assert finding.what == "a text with spacing vowel signs is printed as pixels (600 dpi)"
    assert differ(printed(art), drawn(signs, fonts.sources)) == (False, False)
    assert read(tmp_path, svg(words.format("नमन")), fonts)[1] == []
