"""What the press's engine draws wrong becomes pixels, and looks as another engine draws it."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import numpy as np
import pytest
import resvg_py
from PIL import Image

from generator.art import rendering
from generator.text import HOUSE_FONTS, FontBook
from tests.art.engines import FADING, SIGN, WORDS, differ, drawn, png_uri, printed, read, svg
from tests.support import fontmaking

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
        f'<radialGradient id="g" fr=".3">{FADING}</radialGradient><g fill="url(#g)"><path d="M10 10h80v80h-80z"/></g>',
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
def test_what_the_engine_draws_wrong_becomes_pixels(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    ("step", "edges"), [('radius="5 3"', "M25 23h50v54h-50z"), ('operator="dilate" radius="3 5"', "M17 15h66v70h-66z")]
)
def test_a_filter_that_widens_or_thins_moves_edges_by_its_radius(step: str, edges: str, tmp_path: Path) -> None:
    filter_ = f'<filter id="f"><feOffset/><feMorphology {step} result="a"/></filter>'
    content = svg(f'{filter_}<rect x="20" y="20" width="60" height="60" filter="url(#f)"/>')
    art, (finding,) = read(tmp_path, content)
    dpi = re.fullmatch(r"a filter that widens or thins is printed .* \((\d+) dpi\)", finding.what)
    assert dpi is not None
    assert 200 < int(dpi[1]) < 600  # finer would take too long
    assert differ(printed(art), drawn(svg(f'<path d="{edges}"/>'))) == (False, False)
    picture = re.search(rb'base64,([^"]+)', base64.b64decode(art.uri.partition(",")[2]))
    assert picture is not None
    with Image.open(io.BytesIO(base64.b64decode(picture[1]))) as image:
        assert set(image.getchannel("A").tobytes()) <= {0, 255}  # edges are at pixels


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
    assert [finding.rule for finding in findings] == ["art.pixels"]
    assert findings[0].what.startswith(name)
    assert read(tmp_path, svg(filter_ + SIGN))[1] == []  # nothing uses it


def test_the_vowel_signs_of_indic_words_take_their_room(tmp_path: Path) -> None:
    indic = Path(__file__).parents[1] / "fonts" / "noto-sans-devanagari"
    fonts = FontBook([HOUSE_FONTS, indic])
    words = '<text x="5" y="60" font-family="Noto Sans Devanagari" font-size="20">{}</text>'
    signs = svg(words.format("कारामा श्रमिक"))
    art, (finding,) = read(tmp_path, signs, fonts)
    assert finding.what == "a text with spacing vowel signs is printed as pixels (600 dpi)"
    assert differ(printed(art), drawn(signs, fonts.sources)) == (False, False)
    assert read(tmp_path, svg(words.format("नमन")), fonts)[1] == []


LIT = (
    '<filter id="f"><feGaussianBlur in="SourceAlpha" stdDeviation="4"/>'
    '<fe{}Lighting surfaceScale="6" {}><feDistantLight azimuth="235" elevation="45"/>'
    '</fe{}Lighting><feComposite in2="SourceAlpha" operator="in"/></filter>'
    '<g transform="scale(.5)"><circle cx="100" cy="100" r="80" filter="url(#f)"/></g>'
)
LIGHTS = [("Diffuse", ""), ("Specular", 'specularExponent="5" lighting-color="#5af"')]


@pytest.mark.parametrize(("kind", "more"), LIGHTS)
def test_a_relief_is_as_steep_at_any_size(kind: str, more: str, tmp_path: Path) -> None:
    """As Inkscape draws it: one pixel for a user unit is the measure."""
    content = svg(f'<rect width="100" height="100" fill="#333"/>{LIT.format(kind, more, kind)}')
    art, (finding,) = read(tmp_path, content)
    assert finding.what == "a filter with a light is printed as pixels (300 dpi)"
    picture = resvg_py.svg_to_bytes(svg_string=content, width=200, height=200)
    wanted = Image.open(io.BytesIO(bytes(picture))).convert("RGB").resize((100, 100))
    apart = np.asarray(printed(art, 100), float) - np.asarray(wanted, float)
    assert np.abs(apart).mean() < 2
