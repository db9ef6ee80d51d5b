"""A drawing in parts looks as the engine draws it whole, and its words are set by the press."""

from __future__ import annotations

import base64
from typing import Any
from xml.etree.ElementTree import canonicalize
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.art.splitting import Part, PlacedDrawing, Splitter
from generator.basics.geometry import Size
from generator.model import Layer, SetLine, SetWords
from generator.pdf.raster import rasterise
from tests.support.printing import FONTS, page_of
from tests.support.shown import shown_glyphs

SIZE = Size(60.0, 40.0)
FAMILY = 'font-family="Alegreya Sans"'
WORDS = f'<text x="5" y="20" font-size="6" {FAMILY}>AVATAR fi 12</text>'
DISC = base64.b64encode(
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#2a7"/></svg>'
).decode()
PICTURE = f'href="data:image/svg+xml;base64,{DISC}"'
DPI = 100  # pdfium sets letters on whole pixels, so pages are painted larger and then reduced
CLOSE = 0.02 * 72 / 25.4  # points


def svg_of(content: str, root: str = 'viewBox="0 0 60 40"') -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="60mm" height="40mm" {root}>{content}</svg>'
    )


def split(content: str, root: str = 'viewBox="0 0 60 40"') -> list[Part]:
    return Splitter(FONTS).split(Layer.of("", svg_of(content, root), SIZE))


def kinds(parts: list[Part]) -> str:
    return "".join("d" if isinstance(part, PlacedDrawing) else "w" for part in parts)


def compare(content: str, root: str = 'viewBox="0 0 60 40"') -> None:
    """In parts, and whole, since a style sheet keeps a drawing whole: the same to the eye, with the
    glyphs in the same places."""
    apart, whole = (page_of(Layer.of("page", svg_of(more + content, root), SIZE)) for more in ("", "<style/>"))
    here, there = (
        np.asarray(rasterise(page, 6 * DPI)[0].convert("RGB").reduce(6), np.int16) for page in (apart, whole)
    )
    assert np.abs(here - there).max() < 60  # less than a letter's edge; a line covered is more
    found, expected = (
        sorted((glyph.at.x, glyph.at.y) for glyph in shown_glyphs(page) if not glyph.text.isspace())
        for page in (apart, whole)
    )
    assert np.array(found) == pytest.approx(np.array(expected), abs=CLOSE)


PLAIN = {
    "a line": WORDS,
    "a group": f'<g transform="rotate(20 30 20) scale(1.2)" fill="#a33">{WORDS}</g>',
    "a transform": WORDS.replace("<text", '<text transform="translate(4 3) skewX(10)"'),
    "middle": WORDS.replace('x="5"', 'x="30" text-anchor="middle"'),
    "end": WORDS.replace('x="5"', 'x="58" style="text-anchor:end;fill:#00f"'),
    "spans": f'<text {FAMILY} font-size="5" y="9"><tspan x="3">one</tspan><tspan x="20" y="14" '
    'font-weight="700">two</tspan> <tspan x="30" font-style="italic">three</tspan></text>',
    "blanks": f'<text x="5" y="9" {FAMILY} font-size="5">\n  a   b \t c\n</text>',
    "kept blanks": f'<text x="5" y="9" xml:space="preserve" {FAMILY} font-size="5">a   b</text>',
    "shorthand": '<text x="5" y="9" style="font: italic 700 5px \'Alegreya Sans\'">short</text>',
    "editor": f'<text x="5" y="9" {FAMILY} style="font-size:5px;line-height:1.25;opacity:1;'
    '-inkscape-font-specification:x;stroke:none;filter:none;font-stretch:normal">words</text>',
    "bolder": f'<text x="5" y="9" {FAMILY} font-size="5" font-weight="bolder">words</text>',
    "spans with blanks": f'<text {FAMILY} font-size="5"><tspan x="3" y="9">one</tspan>'
    '<tspan x="20" y="14"> two </tspan><tspan x="30" y="20"> three</tspan></text>',
    "words and a span": f'<text {FAMILY} font-size="5" x="3" y="9">one '
    '<tspan x="20" y="14" fill="#a33"><tspan> two</tspan></tspan>\n</text>',
    "kept blanks around": f'<text {FAMILY} font-size="5" y="9" xml:space="preserve">'
    '<tspan x="3">  one </tspan> <tspan x="30"> two</tspan></text>',
    "marks": f'<text x="5" y="9" {FAMILY} font-size="5">e\u0301 q\u0302\u0323 x\u0300</text>',
}


@pytest.mark.parametrize("name", PLAIN)
def test_plain_words_stand_where_the_engine_puts_them(name: str) -> None:
    assert kinds(split(PLAIN[name])) == "w"
    compare(PLAIN[name])


ROOTS = ['viewBox="-3 -2 66 44"', 'viewBox="0 0 120 80"', 'viewBox="0 0 30 20" fill="#a0522d"']


@pytest.mark.parametrize("root", ROOTS)
def test_words_follow_the_frame_of_their_drawing(root: str) -> None:
    assert kinds(split(WORDS, root)) == "w"
    compare(WORDS, root)


LEFT = {
    "stroke": 'stroke="#000"',
    "gradient": 'fill="url(#g)"',
    "see-through": 'fill-opacity=".5"',
    "a group's opacity": 'opacity=".5"',
    "spacing": 'letter-spacing="1"',
    "underline": 'text-decoration="underline"',
    "turned letters": 'rotate="10"',
    "many places": 'x="1 5 9"',
    "shifted": 'dx="2"',
    "stretched": 'textLength="50"',
    "small capitals": 'font-variant="small-caps"',
    "raised": 'baseline-shift="super"',
    "vertical": 'writing-mode="tb"',
    "clipped": 'clip-path="url(#c)"',
    "hidden": 'visibility="hidden"',
    "a stylist's letters": "style=\"font-feature-settings:'ss01'\"",
    "right to left": 'direction="rtl"',
    "a percentage": 'x="50%"',
    "moved by a style": 'style="transform:translate(9px,9px)"',
}


@pytest.mark.parametrize("name", LEFT)
def test_other_words_are_left_to_the_engine(name: str) -> None:
    own = LEFT[name]
    place = own if own.startswith("x=") else f'x="5" {own}'
    text = f'<text {place} y="20" font-size="6" {FAMILY}>Words</text>'
    (part,) = split(text)
    assert isinstance(part, PlacedDrawing)
    assert part.svg == svg_of(text)


WHOLE = [
    ("<style>text { fill: red }</style>" + WORDS, 'viewBox="0 0 60 40"'),
    (WORDS, 'viewBox="0 0 60 40" opacity=".5"'),
    (WORDS, 'viewBox="0 0 60 20" preserveAspectRatio="none"'),
    (WORDS, 'viewBox="0 0 60 40" transform="scale(.5)"'),
    (f"<defs>{WORDS}</defs>", 'viewBox="0 0 60 40"'),
    (f'<g id="a">{WORDS}</g><use href="#a" y="9"/>', 'viewBox="0 0 60 40"'),
    (f'<g style="isolation:isolate;mix-blend-mode:multiply">{WORDS}</g>', 'viewBox="0 0 60 40"'),
    (WORDS.replace("AVATAR", "\u3042"), 'viewBox="0 0 60 40"'),
    (WORDS.replace("Alegreya Sans", "Nobody"), 'viewBox="0 0 60 40"'),
    (WORDS.replace("AVATAR", "a \u05d0 b"), 'viewBox="0 0 60 40"'),
]


@pytest.mark.parametrize(("content", "root"), WHOLE)
def test_a_drawing_stays_whole_where_words_are_not_all(content: str, root: str) -> None:
    (part,) = split(content, root)
    assert isinstance(part, PlacedDrawing)
    assert part.svg == svg_of(content, root)


def test_art_above_words_covers_them() -> None:
    cover = '<rect x="4" y="10" width="30" height="14" fill="#fff"/>'
    assert kinds(split(WORDS + cover)) == "wd"
    beside = '<rect x="4" y="30" width="30" height="5" fill="#5af"/>'
    assert kinds(split(beside + WORDS + beside)) == "dw"
    compare(WORDS + cover)
    compare(beside + WORDS + cover + beside + WORDS)


def test_a_broad_line_beside_words_may_cover_them() -> None:
    line = '<path d="M0 24 H60" stroke="#fff" stroke-width="9"/>'
    assert kinds(split(WORDS + line)) == "wd"
    compare(WORDS + line)


def test_a_picture_is_a_drawing_of_its_own_wherever_it_is() -> None:
    """So that it is drawn once for all cards."""
    places = ((3.0, 4.0, ""), (20.0, 9.0, 'transform="rotate(30)"'))
    drawn = set()
    for x, y, turn in places:
        (picture,) = split(f'<image x="{x}" y="{y}" width="8" height="8" {turn} {PICTURE}/>')
        assert isinstance(picture, PlacedDrawing)
        drawn.add((picture.svg, picture.size))
        compare(f'<image x="{x}" y="{y}" width="8" height="8" {turn} {PICTURE}/>{WORDS}')
    assert len(drawn) == 1


@pytest.mark.parametrize("hidden", ['display="none"', 'visibility="hidden"', 'style="opacity:0"'])
def test_what_is_hidden_stays_hidden(hidden: str) -> None:
    picture = f'<image x="3" y="4" width="8" height="8" {PICTURE}/>'
    content = f"<g {hidden}>{picture}{WORDS}</g>"
    assert kinds(split(content)) == "d"
    compare(content)
    compare(f"{content}{WORDS}")


def test_art_that_is_drawn_again_keeps_its_drawing_whole() -> None:
    row = '<path id="row" d="M5 5 H30 V12 Z" fill="#5af"/>'
    (part,) = split(row + WORDS + '<use href="#row" y="6"/>')
    assert isinstance(part, PlacedDrawing)
    paint = '<linearGradient id="g"><stop stop-color="red"/></linearGradient>'
    cover = '<rect x="4" y="10" width="30" height="14" fill="url(#g)"/>'
    assert kinds(split(paint + WORDS + cover)) == "wd"
    compare(paint + WORDS + cover)


def put(*texts: str, **look: Any) -> SetLine:
    """Words that we have set, one behind the other."""
    given: dict[str, Any] = {"family": "Alegreya Sans", "weight": 400, "is_italic": False, "size": 5.0} | look
    usual = given | {"colour": look.get("colour", "#1f1c19"), "y": 12.0}
    return tuple(SetWords(text=text, x=3.0 + 18 * at, **usual) for at, text in enumerate(texts))


MARK = "<?pnp-words 0?>"
CLIP = '<clipPath id="c"><path d="M0 0H9V9Z"/></clipPath>'
SET = {
    "a line": put("AVATAR fi 12"),
    "several looks": (*put("one"), *put("", "two", weight=700, colour="#a33")[1:]),
    "italics": put("one", is_italic=True),
    "marks of direction": put("one", "\u200f(\u200f"),
    "signs of markup": put('<b> & "it\'s"'),
}
AROUND = {
    "alone": (MARK, "w"),
    "moved": (f'<g transform="rotate(20 30 20) scale(1.2)">{MARK}</g>', "w"),
    "above art": (f'<rect width="60" height="40" fill="#fc5"/>{MARK}', "dw"),
    "beneath art": (f'{MARK}<rect width="9" height="40" fill="#fc5"/>', "wd"),
    "beside a text": (f"{WORDS}{MARK}", "w"),
    "beside another instruction": (f"<?other 7?>{MARK}<g><?other 8?></g>", "w"),
    "a text's look": (f'<g fill="#5af" font-weight="700" font-size="3">{MARK}</g>', "w"),
    "a stroke": (f'<g stroke="#000">{MARK}</g>', "d"),
    "a see-through fill": (f'<g fill-opacity=".5">{MARK}</g>', "d"),
    "an opacity": (f'<g opacity=".5">{MARK}</g>', "d"),
    "an opacity above a text": (f'{WORDS}<g opacity=".5">{MARK}</g>', "wd"),
    "a clip": (f'{CLIP}<g clip-path="url(#c)">{MARK}</g>', "d"),
    "spacing": (f'<g letter-spacing="1">{MARK}</g>', "d"),
    "italics around": (f'<g font-style="italic">{MARK}</g>', "w"),
    "from the middle": (f'<g text-anchor="middle">{MARK}</g>', "w"),
    "kept blanks": (f'<g xml:space="preserve">{MARK}</g>', "w"),
    "hidden": (f'<g visibility="hidden">{MARK}</g>', "d"),
    "used twice": (f'<g id="a">{MARK}</g><use href="#a" y="9"/>', "d"),
    "defined": (f"<defs><g>{MARK}</g></defs>{WORDS}", "w"),
    "a style sheet": (f"<style>text {{ fill: red }}</style>{MARK}", "d"),
    "multiplied": (f'<g style="mix-blend-mode:multiply">{MARK}</g>', "d"),
}


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("name", SET)
def test_words_that_we_set_are_as_those_read_from_their_svg(around: str, name: str) -> None:
    content, expected = AROUND[around]
    layer = Layer.of("page", svg_of(content), SIZE, (), [SET[name]])
    parts = Splitter(FONTS).split(layer)
    read = Splitter(FONTS).split(Layer.of("page", layer.svg, SIZE))
    assert kinds(parts) == kinds(read) == expected
    for part, other in zip(parts, read, strict=True):
        if isinstance(part, PlacedDrawing):
            assert isinstance(other, PlacedDrawing)
            assert canonicalize(part.svg) == canonicalize(other.svg)
        else:
            assert part == other


@pytest.mark.parametrize("look", [{"family": "Nobody"}, {"colour": "rgb(1,2,3)"}])
def test_words_that_are_not_plain_are_drawn(look: dict[str, str]) -> None:
    layer = Layer.of("page", svg_of(WORDS + MARK), SIZE, (), [put("words", **look)])
    assert kinds(Splitter(FONTS).split(layer)) == "wd"


def test_layers_differ_by_their_words() -> None:
    layers = [Layer.of("", svg_of(MARK), SIZE, (), [put(text)]) for text in ("one", "one", "two")]
    assert len({layer.id for layer in layers}) == 2
    assert [layer.packed().svg for layer in layers] == [layer.svg for layer in layers]
    assert "<?" not in layers[0].svg


NUMBERS = st.integers(2, 50)


@st.composite
def elements(draw: st.DrawFn) -> str:
    x, y, width, height = (draw(NUMBERS) for _ in range(4))
    colour = draw(st.sampled_from(("#e63", "#333", "#37c", "#fff")))
    match draw(st.sampled_from(("rect", "line", "image", "text", "group", "ring"))):
        case "rect":
            return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}"/>'
        case "line":
            return f'<path d="M{x} {y} L{width} {height}" stroke="{colour}" stroke-width="3"/>'
        case "image":
            return f'<image x="{x}" y="{y}" width="{width}" height="{height}" {PICTURE}/>'
        case "ring":
            ring = f'<circle cx="{x}" cy="{y}" r="{width / 4}" fill="none" stroke="{colour}"/>'
            return f'<g opacity=".6">{ring}</g>'
        case "group":
            inner = "".join(draw(st.lists(elements(), min_size=1, max_size=3)))
            return f'<g transform="translate({x} 2) rotate({height / 3:.1f})">{inner}</g>'
    anchor = draw(st.sampled_from(("start", "middle", "end")))
    text = draw(st.text("AVTo. fi", min_size=1, max_size=9))
    where = f'x="{x}" y="{y}" font-size="{4 + width / 9:.2f}" fill={quoteattr(colour)}'
    return f'<text {where} text-anchor="{anchor}" {FAMILY}>{text}</text>'


@settings(max_examples=40, deadline=None)
@given(st.lists(elements(), min_size=2, max_size=8))
def test_any_stack_of_art_and_words_looks_the_same_in_parts(stack: list[str]) -> None:
    compare("".join(stack))
