"""Drawings of other programs print as another renderer draws them, or a finding says why not."""

from __future__ import annotations

import base64
import gzip
import io
from collections import Counter
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from lxml import etree
from PIL import Image, ImageOps

from generator.art.areas import UNSEEN
from generator.art.drawing import SVG
from generator.art.picture import ArtReader
from generator.art.splitting import PlacedDrawing, Splitter
from generator.basics.errors import Place, PnpError
from generator.basics.geometry import Rect
from generator.faces.canvas import Canvas
from generator.text import HOUSE_FONTS, FontBook
from tests.art.engines import (
    FADING,
    FONTS,
    HEAD,
    OF_TILES,
    PIXELS,
    SIGN,
    SIZE,
    WORDS,
    differ,
    drawn,
    print_alone,
    printed,
    read,
    svg,
    uri,
)
from tests.support import fontmaking

# What is drawn right without a finding.
RIGHT = {
    "words": svg(f'<text x="9" y="50" {WORDS}>Whale <tspan font-weight="700">9</tspan></text>'),
    "words beside a group of another namespace": svg(
        '<s:g xmlns="urn:x" xmlns:s="http://www.w3.org/2000/svg"><s:circle cx="50" cy="50" r="40"'
        f' fill="#ff6"/></s:g><text x="9" y="50" {WORDS}>Whale</text>'
    ),
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
    "dots among lines": svg(
        '<path d="M10 10h50m0 30h0m10 20l0 0zm9 9 0 0M20 50V50H20L20.0 50M80 20c0 0 0 0 0 0" '
        'stroke="#00a" stroke-width="10" stroke-linecap="square"/>'
    ),
    "lines without a length": svg(
        '<g stroke="#00a" stroke-width="10" stroke-linecap="round">'
        '<line x1="20" y1="30" x2="20" y2="30"/><polyline points="60 30,60 30,60 30"/></g>'
    ),
    "the beginnings of paths": svg('<path d="M10.5zM20 20LM30" stroke="#00a"/>' + SIGN),
    "a line of dots": svg(
        '<rect x="20" y="20" width="60" height="60" fill="none" stroke="#00a" stroke-width="10"'
        ' stroke-dasharray="0 20" stroke-linecap="round"/>'
        '<path d="M20 50h60" stroke="#a00" stroke-width="10" stroke-dasharray="0 20"/>'
    ),
    "entities": '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg"><!ENTITY c "#a00">]>'
    '<svg xmlns="&ns;" viewBox="0 0 100 100"><rect width="70" height="50" fill="&c;"/></svg>',
    "HTML that nobody draws": svg(
        '<desc><p xmlns="http://www.w3.org/1999/xhtml">by <b>me</b></p></desc>'
        '<x:notes xmlns:x="urn:x"><p xmlns="http://www.w3.org/1999/xhtml">not yet</p></x:notes>'
        + SIGN
    ),
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


PAINTED = ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use", "image")
EDITORS = sorted((Path(__file__).parents[1] / "editors").glob("*.svg"))


def count_painted(content: str | bytes) -> Counter[str]:
    """The elements of a drawing that paint where they are, by their names."""
    root = etree.fromstring(content)
    return Counter(
        element.tag.partition("}")[2]
        for element in root.iter(*(f"{SVG}{name}" for name in PAINTED))
        if not any(etree.QName(ancestor).localname in UNSEEN for ancestor in element.iterancestors())
    )


@pytest.mark.parametrize("name", [*RIGHT, *(file.name for file in EDITORS)])
def test_no_part_is_lost_by_splitting(name: str, tmp_path: Path) -> None:
    contents = {file.name: file.read_text("utf-8") for file in EDITORS} | RIGHT
    art, _ = read(tmp_path, contents[name])
    canvas = Canvas(SIZE)
    canvas.image(art, Rect(0.0, 0.0, *SIZE))
    parts = Splitter(FONTS).split(canvas.layer("art"))
    if art.part:  # without words it is shown as a picture
        drawings = [part.svg for part in parts if isinstance(part, PlacedDrawing)]
        after = sum(map(count_painted, drawings), Counter())
        assert after == count_painted(base64.b64decode(art.uri.partition(",")[2]))


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
    assert differ(printed(pattern, finer=OF_TILES), printed(single, finer=OF_TILES)) == (False, False)


def test_a_rectangle_of_tiles_is_as_wide_as_drawn(tmp_path: Path) -> None:
    pattern = (
        '<pattern id="p" width="9" height="9" patternUnits="userSpaceOnUse"><rect width="9" height="9"/></pattern>'
    )
    rect = '<rect x="20" y="20" width="60" height="60" fill="url(#p)"/>'
    art, _ = read(tmp_path, svg(pattern + rect))
    row = 255.0 - np.asarray(printed(art, finer=OF_TILES).convert("L"), float)[PIXELS // 2]
    assert abs(row.sum() / 255 * 100 / PIXELS - 60) < 0.02  # a pixel of the viewer is 0.08


def test_a_tile_of_whole_pixels_is_not_stretched(tmp_path: Path) -> None:
    tile = '<path d="M0 0h5v5h-5zM5 5h5v5h-5z"/>'
    pattern = f'<pattern id="p" width="10" height="10" patternUnits="userSpaceOnUse">{tile}</pattern>'
    content = svg(f'{pattern}<rect width="100" height="100" fill="url(#p)"/>')
    art, _ = read(tmp_path, content)
    ours = np.asarray(printed(art, 400, OF_TILES), float)  # 4 pixels of the picture, 16 of the viewer
    theirs = np.kron(np.indices((20, 20)).sum(axis=0) % 2, np.ones((20, 20)))[..., None] * 255.0
    assert abs(ours - theirs).mean() < 1.0


def test_a_tile_sets_the_width_of_its_lines(tmp_path: Path) -> None:
    """poppler takes 0 for a width that the tile does not set, whatever the page has set."""
    tile = '<path d="M0 5h10" stroke="#000"/><path d="M5 0v10" stroke="#000" stroke-width="2"/>'
    pattern = f'<pattern id="p" width=".1" height=".1" viewBox="0 0 10 10">{tile}</pattern>'
    art, _ = read(tmp_path, svg(f'{pattern}<rect width="100" height="100" fill="url(#p)"/>'))
    with pikepdf.open(io.BytesIO(print_alone(art))) as pdf:
        tiles = [pdf_object for pdf_object in pdf.objects if _is_tile(pdf_object)]
        steps = [str(step.operator) for tile in tiles for step in pikepdf.parse_content_stream(tile)]
    assert len(tiles) == 1
    assert steps.index("w") < steps.index("S")


def _is_tile(thing: object) -> bool:
    return isinstance(thing, pikepdf.Stream) and thing.get("/PatternType") == 1


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


HTML = (
    '<foreignObject requiredFeatures="http://www.w3.org/TR/SVG11/feature#Extensibility">'
    '<div xmlns="http://www.w3.org/1999/xhtml">Start</div></foreignObject>'
)
START = f'<text x="20" y="50" {WORDS}>Start</text>'
# Each with the same in plain SVG, and a word of the note.
MENDED = {
    "draw.io": (
        svg(
            f'<switch>{HTML}{START}</switch><switch><g requiredFeatures="http://www.w3.org/TR/SVG11'
            f'/feature#Extensibility"/><a><text y="90" {WORDS}>cannot display</text></a></switch>'
        ),
        svg(START),
        "HTML is not printed",
    ),
    "no namespace": (
        f'<svg viewBox="0 0 100 100"><style>rect{{fill:#a00}}</style>{SIGN}<rect width="9" height="9"/>{START}</svg>',
        svg(f'{SIGN}<rect width="9" height="9" fill="#a00"/>{START}'),
        "does not declare the namespace",
    ),
    "no namespace, within": (
        svg('<image width="100" height="100" href="' + uri(f'<svg viewBox="0 0 100 100">{SIGN}</svg>') + '"/>'),
        svg(SIGN),
        "in an embedded drawing: the file does not declare",
    ),
}


@pytest.mark.parametrize("name", MENDED)
def test_what_an_editor_leaves_out_is_supplied_with_a_note(name: str, tmp_path: Path) -> None:
    content, plain, word = MENDED[name]
    art, (finding,) = read(tmp_path, content)
    assert word in finding.what
    assert (finding.rule, finding.level) == ("art.mended", "note")
    assert differ(printed(art), drawn(plain)) == (False, False)


def test_a_flowed_text_becomes_lines_within_its_frame(tmp_path: Path) -> None:
    """As Inkscape 0.9 saves it, with an empty one, which is not printed."""
    flowed = (
        '<flowRoot xml:space="preserve" style="font-size:10px;line-height:125%;'
        "font-family:'Alegreya Sans';text-align:center;text-anchor:middle;fill:#a00\">"
        '<flowRegion><rect x="20" y="30" width="55" height="60"/></flowRegion>'
        "<flowPara>The whale <flowSpan>and</flowSpan> the ship</flowPara><flowPara/>"
        "<flowPara>*sink*</flowPara></flowRoot>"
        "<flowRoot><flowRegion/><flowPara> </flowPara></flowRoot>"
    )
    art, (finding,) = read(tmp_path, svg(flowed))
    assert (finding.rule, finding.what) == ("art.mended", "a flowed text is set in lines anew")
    lines = [(line.text, float(line.get("y", ""))) for line in etree.fromstring(art.part).iter(f"{SVG}tspan")]
    words, tops = zip(*lines, strict=True)
    assert [word for word in words if word.strip()] == ["The whale", "and the ship", "*sink*"]
    assert tops[-1] - tops[0] == pytest.approx(3 * 12.5)
    ink = ImageOps.invert(printed(art, 300).convert("L")).point(lambda ink: ink > 60 and 255)
    left, top, right, bottom = (side / 3 for side in ink.getbbox() or ())
    assert 20 <= left < 30 < top < 35
    assert 63 < right <= 75
    assert left + right == pytest.approx(2 * 47.5, abs=2)  # in the middle
    assert bottom < 80


def test_parts_of_a_flowed_text_keep_their_looks(tmp_path: Path) -> None:
    flowed = (
        '<flowRoot style="font-size:8px;font-family:Alegreya Sans">'
        '<flowRegion><rect x="5" y="5" width="90" height="60"/></flowRegion>'
        "<flowPara>The\n <flowSpan style='font-weight:bold;fill:#a00'>white"
        "<flowSpan style='font-style:italic'> whale</flowSpan> </flowSpan><!-- x --> and"
        "<flowSpan style='font-size:12px'> more</flowSpan></flowPara></flowRoot>"
    )
    art, _ = read(tmp_path, svg(flowed))
    lines = list(etree.fromstring(art.part).iter(f"{SVG}tspan"))
    names = ("fill", "font-weight", "font-style", "font-size")
    assert [((line.text or "").strip(), *map(line.get, names)) for line in lines] == [
        ("The", None, None, None, None),
        ("white", "#aa0000", "700", None, None),
        ("whale", "#aa0000", "700", "italic", None),
        ("and", None, None, None, None),
        ("more", None, None, None, "12"),
    ]


# Each with a finding; what is referred to is not drawn.
DANGLING = {
    "clone": ('<use href="#gone"/>', "<use> refers to '#gone', which does not exist"),
    "colour": ('<rect width="9" fill="url(#gone)"/>', "<rect> refers to '#gone', which does not"),
    "clip": (f'<g clip-path="url(#gone)">{SIGN}</g>', "<g> refers to '#gone', which does not exist"),
    "an id without #": (
        f'<linearGradient id="g" href="b">{FADING}</linearGradient><rect width="80" height="80" fill="url(#g)"/>',
        "<linearGradient> refers to 'b', which is no reference",
    ),
    "two of an id": ('<g id="a"/>\n<g id="a"/><use href="#a"/>', "<use> refers to '#a', which is on lines 1 and 2"),
}


@pytest.mark.parametrize("name", DANGLING)
def test_a_reference_to_nothing_is_a_warning(name: str, tmp_path: Path) -> None:
    content, what = DANGLING[name]
    art, (finding,) = read(tmp_path, svg(SIGN + content))
    assert finding.what.startswith(what)
    assert (finding.rule, finding.level) == ("art.reference", "warning")
    assert differ(printed(art), drawn(svg(SIGN + content))) == (False, False)


EFFECTS = [
    *[(f'{name}="url(#gone)"', "which does not exist") for name in ("filter", "clip-path", "mask")],
    ('style="filter:url(#gone)"', "which does not exist"),
    ('class="lost"', "which does not exist"),
    ('filter="url(#r)"', "which is no <filter>"),
    ('clip-path="url(#r)"', "which is no <clipPath>"),
    ('mask="url(#r)"', "which is no <mask>"),
]


@pytest.mark.parametrize(("effect", "told"), EFFECTS)
@pytest.mark.parametrize("content", [f"<g {{}}>{SIGN}</g>", SIGN.replace("<path", "<path {}")])
def test_an_effect_that_does_not_exist_is_left_out(content: str, effect: str, told: str, tmp_path: Path) -> None:
    """As Chromium does; resvg and typst would leave out the element."""
    others = '<style>.lost{filter:url(#gone)}</style><rect id="r" width="9" height="9"/>'
    art, (finding,) = read(tmp_path, svg(others + content.format(effect)))
    assert told in finding.what
    assert (finding.rule, finding.level) == ("art.reference", "warning")
    assert differ(printed(art), drawn(svg(others + content.format("")))) == (False, False)


def test_a_compressed_drawing_is_read(tmp_path: Path) -> None:
    art, _ = read(tmp_path, gzip.compress(svg(SIGN).encode()))
    assert differ(printed(art), drawn(svg(SIGN))) == (False, False)
    (tmp_path / "art.svgz").write_bytes(gzip.compress(svg(SIGN).encode()))
    reader = ArtReader(tmp_path, FONTS)
    assert reader.read("art.svgz", Place("game.toml", 1)).uri == art.uri
    inner = base64.b64encode(gzip.compress(svg(SIGN).encode())).decode()
    art, _ = read(tmp_path, svg(f'<image width="100" height="100" href="data:;base64,{inner}"/>'))
    assert differ(printed(art), drawn(svg(SIGN))) == (False, False)


def test_a_drawing_is_read_again_only_once_it_changes(tmp_path: Path) -> None:
    art, _ = read(tmp_path, svg(SIGN))
    assert read(tmp_path, svg(SIGN))[0] is art
    other, _ = read(tmp_path, svg(SIGN.replace("<path", '<path opacity="0.5"')))
    assert "opacity" in base64.b64decode(other.uri.partition(",")[2]).decode()


def test_a_drawing_that_is_read_again_has_the_same_findings(tmp_path: Path) -> None:
    content = svg(f'<g filter="url(#gone)">{SIGN}</g>')
    first, again = (read(tmp_path, content) for _ in range(2))
    assert first == again
    assert len(first[1]) == 1


def test_words_of_a_picture_stay_text(tmp_path: Path) -> None:
    art, _ = read(tmp_path, RIGHT["words"])
    assert "Whale" in art.part
    assert read(tmp_path, svg(SIGN))[0].part == ""


@pytest.mark.parametrize(
    ("relative", "around", "weight"),
    [("bolder", 400, 700), ("bolder", 800, 900), ("lighter", 400, 100), ("lighter", 700, 400)],
)
def test_a_relative_weight_is_that_of_css(relative: str, around: int, weight: int, tmp_path: Path) -> None:
    words = f'<g font-weight="{around}"><text x="5" y="60" {WORDS} font-weight="{{}}">Hey</text></g>'
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


def test_words_with_a_line_fall_back_as_others_do(tmp_path: Path) -> None:
    words = (
        '<text x="5" y="60" font-family="Alegreya Sans, Fraunces" font-size="50" text-decoration="underline">ʺϗ</text>'
    )
    art, findings = read(tmp_path, svg(words))
    assert findings == []
    assert "tspan" in art.part
    with pytest.raises(PnpError, match="the font Alegreya Sans has no glyph for 'ʺ'"):
        read(tmp_path, svg(words).replace(", Fraunces", ""))


@pytest.mark.parametrize(
    ("width", "is_lacking"), [("normal", False), ("100%", False), ("condensed", True), ("75%", True)]
)
def test_a_width_that_a_family_lacks_is_known(width: str, is_lacking: bool, tmp_path: Path) -> None:
    words = svg(f'<text {WORDS} font-stretch="{width}">a</text>')
    art, _ = read(tmp_path, words)
    assert [words.style for words in art.lacking] == [f"{width} width"] * is_lacking
    (tmp_path / "fonts").mkdir()
    fontmaking.bars(tmp_path / "fonts" / "a.ttf", "Bars")
    fontmaking.bars(tmp_path / "fonts" / "b.ttf", "Bars", width=3)
    fonts = FontBook([tmp_path / "fonts"])
    art, _ = read(tmp_path, words.replace("Alegreya Sans", "Bars").replace(">a<", ">A<"), fonts)
    assert [words.style for words in art.lacking] == ["75% width"] * (width == "75%")


def test_a_style_that_a_picture_lacks_is_known(tmp_path: Path) -> None:
    art, _ = read(tmp_path, svg(f"<text {WORDS} style=\"font-variation-settings:'wdth' 50\">a</text>"))
    assert [words.style for words in art.lacking] == ["instance with 'wdth' 50"]


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
