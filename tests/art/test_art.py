"""Drawings that would do harm, or would not print as they look, are refused; others pass."""

from __future__ import annotations

import base64
import gzip
import io
from pathlib import Path

import pytest
import typst
from lxml import etree
from PIL import Image

from generator.art.picture import ArtReader
from generator.basics.errors import Place, PnpError
from generator.text import HOUSE_FONTS, FontBook
from tests.conftest import bounded

FONTS = FontBook([HOUSE_FONTS])
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10">'
ASKED = Place("game/game.toml", 7)


def png(width: int, height: int) -> str:
    stream = io.BytesIO()
    Image.new("L", (width, height)).save(stream, "PNG")
    return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode()


def read(folder: Path, content: str | bytes, name: str = "art.svg") -> str:
    data = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(data)
    return ArtReader(folder, FONTS).read(name, ASKED).uri


def svg(content: str) -> str:
    return f"{HEAD}{content}</svg>"


def clones(count: int) -> str:
    return '<g id="g0"><path d="M0 0"/></g>' + "".join(
        f'<g id="g{i + 1}"><use href="#g{i}"/><use href="#g{i}"/></g>' for i in range(count)
    )


def doctype(inside: str) -> str:
    return f"<!DOCTYPE svg [{inside}]>{svg('')}"


def embedded(content: bytes) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(content).decode()


def nested(depth: int) -> str:
    inner = svg("<g/>")
    for _ in range(depth):
        inner = svg(f'<image href="{embedded(inner.encode())}"/>')
    return inner


BOMB = gzip.compress(b" " * 9_999_999)
LARGE = gzip.compress(svg('<g a="1234"/>' * 70_000).encode())
SCRIPT = "<script/>"
OUTSIDE = '<image href="//a.example/x.png"/>'
# Each with a word of the message that refuses it.
ATTACKS: dict[str, tuple[str | bytes, str]] = {
    "script": (svg("<script>1</script>"), "script"),
    "script of xlink": (svg('<script xlink:href="https://a.example/x.js"/>'), "outside"),
    "script of html": (svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>'), "HTML"),
    "handler": (svg('<rect onclick="x()"/>'), "'onclick'"),
    "handler in capitals": (svg('<rect ONLOAD="x()"/>'), "'ONLOAD'"),
    "handler of the root": (HEAD[:-1] + ' onload="x()"/>', "'onload'"),
    "set of an attribute": (svg('<set attributeName="onclick" to="x()"/>'), "<set>"),
    "animation of a link": (svg('<a><animate attributeName="href"/></a>'), "<animate>"),
    "frame": (svg("<foreignObject/>"), "<foreignObject>"),
    "iframe of html": (svg('<iframe xmlns="http://www.w3.org/1999/xhtml" src="/"/>'), "HTML"),
    "style sheet of html": (svg('<link xmlns="http://www.w3.org/1999/xhtml" rel="stylesheet" href="x.css"/>'), "HTML"),
    "picture from the net": (svg('<image href="https://a.example/x.png"/>'), "outside"),
    "picture without a scheme": (svg('<image href="//a.example/x.png"/>'), "outside"),
    "picture from the disk": (svg('<image href="file:///etc/passwd"/>'), "outside"),
    "picture beside": (svg('<image xlink:href="x.png"/>'), "outside"),
    "picture of the folder": (svg('<image href=""/>'), "not a picture"),
    "picture of a part": (svg('<g id="a"/><image href="#a"/>'), "not a picture"),
    "picture that is a drawing": (svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'), "outside"),
    "picture that is text": (svg('<image href="data:text/html;base64,AAAA"/>'), "outside"),
    "picture that is none": (svg('<image href="data:image/png;base64,AAAA"/>'), "readable PNG"),
    "picture that is garbled": (svg('<image href="data:image/png;base64,A*"/>'), "readable"),
    "picture too large": (svg(f'<image href="{png(6000, 5000)}"/>'), "pixels"),
    "pictures too large together": (svg(f'<image href="{png(4000, 4000)}"/>' * 2), "pixels"),
    "clones of a picture": (svg(f'<image id="a" href="{png(1000, 1000)}"/>' + '<use href="#a"/>' * 200), "pixels"),
    "filter from the net": (svg('<feImage href="https://a.example/x"/>'), "outside"),
    "clone of another file": (svg('<use href="x.svg#a"/>'), "outside"),
    "clone of a data link": (svg('<use href="data:image/svg+xml,x#a"/>'), "outside"),
    "attribute link": (svg('<rect fill="url(https://a.example/#a)"/>'), "outside"),
    "style link": (svg("<rect style=\"fill: URL( 'x.svg#a' )\"/>"), "outside"),
    "style link behind a comment": (svg('<rect style="fill:/**/url(/**/x)"/>'), "outside"),
    "style sheet link": (svg("<style>a{mask:url(x#a)}</style>"), "outside"),
    "style sheet set of pictures": (svg('<style>a{mask:image-set("x.png" 1x)}</style>'), "outside"),
    "style sheet in a text": (svg("<style><![CDATA[@IMPORT 'x']]></style>"), "@import"),
    "style sheet in pieces": (svg("<style>@im<!-- -->port 'x';</style>"), "@import"),
    "style with escapes": (svg("<style>a{fill:u\\72l(x)}</style>"), "backslash"),
    "font from the net": (svg("<style>@font-face{src:url(x)}</style>"), "@font-face"),
    "style instruction": ('<?xml-stylesheet href="x"?>' + svg(""), "xml-stylesheet"),
    "style instruction within": (svg('<?xml-stylesheet href="x"?>'), "xml-stylesheet"),
    "another base": (HEAD[:-1] + ' xml:base="https://a.example/"/>', "xml:base"),
    "entity of entities": (doctype('<!ENTITY a "b"><!ENTITY c "&a;&a;">'), "within entities"),
    "entities that grow": (
        f'<!DOCTYPE svg [<!ENTITY a "{"b" * 9999}">]>{svg("<g>" + "&a;" * 999 + "</g>")}',
        "grow too large",
    ),
    "entities of a large file": (
        f'<!DOCTYPE svg [<!ENTITY a "{"b" * 1_000_000}">]>{svg("<g>" + "&a;" * 4 + "</g>")}',
        "with its entities",
    ),
    "compressed bomb": (BOMB, "decompressed"),
    "compressed and cut off": (gzip.compress(svg("").encode())[:-9], "too early"),
    "embedded bomb": (svg(f'<image href="{embedded(BOMB)}"/>'), "decompressed"),
    "many embedded": (svg(f'<image href="{embedded(LARGE)}"/>' * 5), "MB of embedded drawings"),
    "embedded script": (svg(f'<image href="{embedded(svg(SCRIPT).encode())}"/>'), "<script>"),
    "embedded picture from the net": (svg(f'<image href="{embedded(svg(OUTSIDE).encode())}"/>'), "outside"),
    "embedded five deep": (nested(5), "deep"),
    "entity of the disk": (doctype('<!ENTITY a SYSTEM "file:///etc/passwd">'), "entities"),
    "entity of a parameter": (doctype('<!ENTITY % a SYSTEM "x"> %a;'), "entities"),
    "clone bomb": (svg(clones(30)), "clones counted"),
    "clones of clones of clones": (svg(clones(300)), "deep"),
    "clones of clones, the last first": (
        svg("".join(f'<g id="g{i}"><use href="#g{i + 1}"/></g>' for i in range(200)) + '<g id="g200"/>'),
        "deep",
    ),
    "clone of itself": (svg('<g id="a"><use href="#a"/></g>'), "contains itself"),
    "patterns of each other": (
        svg('<pattern id="a"><rect fill="url(#b)"/></pattern><pattern id="b"><rect style="fill:url(#a)"/></pattern>'),
        "contains itself",
    ),
    "marker bomb": (
        svg(
            f'<marker id="m">{"<path/>" * 500}</marker>'
            f'<style>.a{{marker-mid:url(#m)}}</style><path class="a" d="M{"0 " * 1000}"/>'
        ),
        "clones counted",
    ),
    "mask of a style sheet": (
        svg(
            f'<mask id="m">{"<path/>" * 500}</mask><style>ellipse, .a {{mask:url(#m)}}</style>'
            + '<rect class="a"/>' * 200
        ),
        "clones counted",
    ),
    "engine crash": (HEAD.replace("0 0 10 10", "0 0 1e-30 1e-30") + "</svg>", "viewBox"),
    "no number": (HEAD.replace("0 0 10 10", "0 0 NaN 10") + "</svg>", "viewBox"),
    "three numbers": (HEAD.replace("0 0 10 10", "0 0 10") + "</svg>", "viewBox"),
    "no size": (HEAD.replace(' viewBox="0 0 10 10"', ' width="100%"') + "</svg>", "viewBox"),
    "no height": (HEAD[:-1] + ' height="0"/>', "height"),
    "another root": ("<html/>", "<html>"),
    "not closed": ("<svg>", "not valid XML"),
    # lxml takes what is wrong before a warning, here of a name space that is no address
    "a colon for a name": (svg('<g :="1"/><g xmlns="rel"/>'), "not valid XML: Failed to parse"),
    "an unknown prefix": (svg('<a:g/><g xmlns="rel"/>'), "not valid XML: Namespace prefix a"),
    "a plain < in a text": (svg("<text>{{ n < 3 }}</text>"), "there is a plain '<'"),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?><svg/>', "not valid XML"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_refused(name: str, tmp_path: Path) -> None:
    content, word = ATTACKS[name]
    with bounded(), pytest.raises(PnpError) as error:
        read(tmp_path, content)
    assert word in str(error.value)
    assert all(str(p.place).startswith(f"{tmp_path.name}/art.svg") for p in error.value.problems)


# Drawn wrong, or with another font, without a word from the engine.
UNFAITHFUL = {
    "flowed text": ("<flowRoot><flowPara>no frame</flowPara></flowRoot>", "<flowRoot>"),
    "mesh": ("<meshgradient/>", "<meshgradient>"),
    "font": ('<text font-family="Nowhere">a</text>', "'Nowhere'"),
    "font of a style": ("<text style=\"font-family: 'Nobody'\">a</text>", "'Nobody'"),
    "font in short": ('<text style="font: bold 12px/1.2 Nowhere, Nothing">a</text>', "'Nowhere'"),
    "font of a class": ('<style>.a{font-family:Nowhere}</style><text class="a">a</text>', "'Nowhere'"),
    "font of an id": ('<style>#a{font-family:Nowhere}</style><text id="a">a</text>', "'Nowhere'"),
    "font of all texts": ("<style>text {font-family:Nowhere}</style><text>a</text>", "'Nowhere'"),
    "font of a group": ('<g font-family="Nowhere"><text>a</text></g>', "'Nowhere'"),
    "font behind a part": (
        '<text font-family="Nowhere"><tspan font-family="Alegreya Sans">a</tspan> b</text>',
        "'Nowhere'",
    ),
    "letters": ('<text font-family="Alegreya Sans">a牌</text>', "'牌'"),
}


@pytest.mark.parametrize("name", UNFAITHFUL)
def test_what_would_be_drawn_otherwise_is_refused(name: str, tmp_path: Path) -> None:
    content, word = UNFAITHFUL[name]
    with pytest.raises(PnpError) as error:
        read(tmp_path, svg(content))
    assert word in str(error.value)
    assert len(error.value.problems) == 1


INKSCAPE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="60mm" height="60mm" viewBox="0 0 60 60" version="1.1" id="svg5"
   inkscape:version="1.2.2 (b0a8486541, 2022-12-01)" sodipodi:docname="C:\\art\\a.svg"
   inkscape:export-filename="url(http://a.example/x.png)"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
   xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
   xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <title>A: @import and url(x)</title>
  <sodipodi:namedview id="namedview7" pagecolor="#ffffff" inkscape:document-units="mm">
    <inkscape:grid type="xygrid" id="grid9" onpage="1"/>
  </sodipodi:namedview>
  <defs id="defs2">
    <linearGradient id="g1"><stop offset="0" stop-color="#fff"/></linearGradient>
    <radialGradient id="g2" xlink:href="#g1" fr="0" cx="5" spreadMethod="pad"
       gradientTransform="rotate(9)"/>
    <inkscape:path-effect effect="spiro" id="path-effect1" is_visible="true" lpeversion="1"/>
    <clipPath id="c1"><rect width="9" height="9"/></clipPath>
    <mask id="m1"><rect width="9" height="9" fill="#fff"/></mask>
    <marker id="Arrow" orient="auto"><path d="M0 0L1 1"/></marker>
    <filter id="f1"><feGaussianBlur stdDeviation="1"/></filter>
  </defs>
  <metadata id="metadata5"><rdf:RDF><cc:Work rdf:about="">
    <dc:format>image/svg+xml</dc:format>
    <cc:license rdf:resource="http://creativecommons.org/licenses/by/4.0/"/>
  </cc:Work></rdf:RDF></metadata>
  <g inkscape:label="Layer 1 = url(x)" inkscape:groupmode="layer" id="layer1" clip-path="url(#c1)">
    <path style="fill:url(#g2);stroke:#000;-inkscape-font-specification:'Sans, Normal';\
font-family:sans-serif;marker-end:url(#Arrow)" d="M0 0h9" id="p1" sodipodi:nodetypes="cc"
       inkscape:path-effect="#path-effect1" inkscape:connector-curvature="0"/>
    <use xlink:href="#p1" x="0" y="0" width="100%" height="100%" mask="url(#m1)"/>
    <use href="#p1" filter="url('#f1')" transform="translate(3)"/>
  </g>
</svg>
"""
ILLUSTRATOR = """<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" x="0px" y="0px"
   viewBox="0 0 100 100" style="enable-background:new 0 0 100 100;" xml:space="preserve">
<style type="text/css">
	.cls-1{fill:#1F3F8C;stroke:#FFFFFF;stroke-miterlimit:10;}
	.cls-2, .cls-3{fill:url(#SVGID_1_);}
	.cls-4{font-family:'AlegreyaSans-Regular', 'Alegreya Sans';font-size:12px;}
	.unused{font-family:'MyriadPro-Regular';}
</style>
<linearGradient id="SVGID_1_" gradientUnits="userSpaceOnUse"><stop offset="0"/></linearGradient>
<rect class="cls-1" width="9" height="9"/>
<g><circle class="cls-2" cx="5" cy="5" r="4"/></g>
</svg>
"""
HARMLESS: dict[str, str | bytes] = {
    "Inkscape": INKSCAPE,
    "Illustrator": ILLUSTRATOR,
    "UTF-16": INKSCAPE.replace("UTF-8", "UTF-16").encode("utf-16"),
    "Latin-1": b'<?xml version="1.0" encoding="ISO-8859-1"?>' + svg("<desc>ñ</desc>").encode("latin-1"),
    "byte order mark": svg("").encode("utf-8-sig"),
    "no viewBox": HEAD.replace('viewBox="0 0 10 10"', 'width="10mm" height="2in"') + "</svg>",
    "prefix": f'<s:svg xmlns:s="{"http://www.w3.org/2000/svg"}" viewBox="0,0,1,1"><s:g/></s:svg>',
    "embedded pictures": svg(f'<image xlink:href="{png(2, 2)}"/><image href=" {png(3, 3)}\n"/>'),
    "picture for a filter": svg(f'<filter><feImage href="{png(2, 2)}"/></filter>'),
    "link to nothing": svg('<use/><a><rect/></a><use href=""/>'),
    "blank text": svg('<text font-family="Arial"> \n </text>'),
    "style with data": svg('<style>a{b: "c;d:e"; cursor: url(#f)}</style><g id="f"/>'),
    "comments": svg(
        "<style>/* @import url(x); */ .a{fill:red/*;font-family:Arial*/}</style>"
        '<rect style="fill:red; /* url(x) */"/><text/>'
    ),
    "switch": svg('<switch><g systemLanguage="de"/><g/></switch>'),
    "symbols": svg('<symbol id="s" viewBox="0 0 1 1"><path/></symbol><use href="#s" width="3"/>'),
    "nested svg": svg('<svg x="3" viewBox="0 0 1 1"><g transform="scale(3)"/></svg>'),
    "a hundred clones": svg('<g id="a"/>' + '<use href="#a"/>' * 100),
    "two of an id": svg('<g id="a"/><g id="a"/>'),
    "attribute by default": doctype('<!ATTLIST svg onload CDATA "x()">'),
    "deep groups": svg("<g>" * 90 + "</g>" * 90),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_drawing_is_accepted_and_can_be_drawn(name: str, tmp_path: Path) -> None:
    uri = read(tmp_path, HARMLESS[name])
    assert uri.startswith("data:image/svg+xml;base64,")
    cleaned = base64.b64decode(uri.partition(",")[2])
    assert b"DOCTYPE" not in cleaned
    assert b"onload" not in cleaned
    (tmp_path / "cleaned.svg").write_bytes(cleaned)
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[HOUSE_FONTS])
    document = b'#image("cleaned.svg", width: 10mm)'
    pdf = typst.Compiler(root=str(tmp_path), font_paths=fonts).compile(input=document, format="pdf")
    assert isinstance(pdf, bytes)
    assert pdf.startswith(b"%PDF")


def test_nothing_but_the_drawing_is_kept(tmp_path: Path) -> None:
    uri = read(tmp_path, INKSCAPE)
    root = etree.fromstring(base64.b64decode(uri.partition(",")[2]))
    namespaces = {etree.QName(element).namespace for element in root.iter()}
    assert namespaces == {"http://www.w3.org/2000/svg"}
    assert root.getroottree().docinfo.internalDTD is None
    names = {name for element in root.iter() for name in map(str, element.attrib) if "{" in name}
    assert names == {"{http://www.w3.org/1999/xlink}href"}
    assert [e.get("id") for e in root.iter("{*}path", "{*}use")] == [None, "p1", None, None]


def test_text_behind_a_dropped_element_is_kept(tmp_path: Path) -> None:
    uri = read(tmp_path, svg('<desc>a<x:y xmlns:x="x">b</x:y>c<?pi?>d<!-- e -->f</desc>'))
    assert b">acdf</desc>" in base64.b64decode(uri.partition(",")[2])


def test_fault_is_on_the_line_of_its_attribute(tmp_path: Path) -> None:
    content = svg('\n<g>\n<rect\n  x="1"\n  onclick="x()"\n  y="2"\n  />\n<image\n href="x"/></g>')
    with pytest.raises(PnpError) as error:
        read(tmp_path, content)
    assert [p.place.line for p in error.value.problems] == [5, 9]


@pytest.mark.parametrize(("format_", "name"), [("PNG", "a.png"), ("JPEG", "a.JPG"), ("JPEG", "a.jpeg")])
def test_pictures(format_: str, name: str, tmp_path: Path) -> None:
    Image.new("RGB", (3, 4), "red").save(tmp_path / name, format_)
    uri = ArtReader(tmp_path, FONTS).read(name, ASKED).uri
    assert uri.startswith(f"data:image/{format_.lower()};base64,")
    assert base64.b64decode(uri.partition(",")[2]) == (tmp_path / name).read_bytes()
