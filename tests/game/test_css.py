"""Styles are read as browsers read them, as far as drawings need, and hostile ones at once."""

from __future__ import annotations

import pytest
from lxml import etree

from generator.art import css
from generator.art.cascade import inline_styles
from generator.art.drawing import Drawing
from generator.art.svg import document_faults, element_faults
from generator.text import HOUSE_FONTS, FontBook
from tests.conftest import bounded

FONTS = FontBook([HOUSE_FONTS])
MANY = 1_000_000
HOSTILE = {
    "no brace": "a" * MANY,
    "braces that open": "a{" * MANY,
    "braces that close": "}" * MANY,
    "no colon": "-" * MANY,
    "blanks": "a" + " " * MANY + "!{fill:red}",
    "imports": "@import " * MANY,
    "attributes that open": "a[b=c" * MANY + "{fill:red}",
    "one selector": "a" * MANY + "!{fill:red}",
    "brackets": "a{b:" + "(" * MANY + "}",
    "quotes": "a{b:" + "\"'" * MANY + "}",
    "quotes in brackets": "a{b:(" + "''" * MANY + "}",
    "remarks that open": "/*" * MANY,
    "words before a colon": "a{" + "b " * MANY + ":c}",
    "placeholders that open": "a:}}" + "{{" * MANY,
    "pseudos": "a" + ":" * MANY + "{fill:red}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_style_is_read_at_once(name: str) -> None:
    """In a sheet, on an element, and as the checks of drawings look at it."""
    style = HOSTILE[name]
    content = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
    root = etree.fromstring(content)
    etree.SubElement(root, "{http://www.w3.org/2000/svg}style").text = style
    etree.SubElement(root, "{http://www.w3.org/2000/svg}g").set("style", style)
    with bounded():
        css.declarations(style)
        assert list(element_faults(Drawing(root, content), FONTS))


@pytest.mark.parametrize(
    ("style", "properties"),
    [
        ("fill:red;stroke : blue", {"fill": "red", "stroke": "blue"}),
        ("FILL:Red", {"fill": "Red"}),
        ("fill:red;fill:blue;", {"fill": "blue"}),
        ("fill:red !important", {"fill": "red"}),
        ("fill:red ! IMPORTANT;fill:blue", {"fill": "red"}),
        ("a:url('x;y:z');b:\"c;d\"", {"a": "url('x;y:z')", "b": '"c;d"'}),
        ("a:url(x;\"y)\";b:c", {}),
        ("a:url(x;\"y);b:c", {"b": "c"}),
        ("a:')';b:c", {"a": "')'", "b": "c"}),
        ("a:\n f('b'),\r\n  '\\\"' , \"c's\"", {"a": "f('b'),\n  \"\\\"\" , \"c's\""}),
        ("a:);b:c", {"b": "c"}),
        ("a:/* b;c:d */e", {"a": "e"}),
        ("a:1px/* b */2px;c:f(1/*)*/,2)", {"a": "1px 2px", "c": "f(1 ,2)"}),
        ("a:'/* b */'", {"a": "'/* b */'"}),
        ("a:'never closed;b:c", {"a": "'never closed;b:c"}),
        ("no colon;:no name;a b:c;é!:d;b:c", {"b": "c"}),
        ("f\\69 ll:red;-moz-a:b;--c:d", {"fill": "red", "-moz-a": "b", "--c": "d"}),
        ("@media print{a:b};c:d", {"c": "d"}),
        (
            "a:#{{ x }};b:{{ 'c;d' }};e:f('{{ g }}') {{ h }}mm",
            {"a": "#{{ x }}", "b": "{{ 'c;d' }}", "e": "f('{{ g }}') {{ h }}mm"},
        ),
        ("a:" + "(" * 5000, {"a": "(" * 20 + ")" * 20}),
        ("", {}),
    ],
)  # fmt: skip
def test_declarations(style: str, properties: dict[str, str]) -> None:
    assert css.declarations(style) == properties


@pytest.mark.parametrize(
    ("properties", "families"),
    [
        ({"font-family": "'A B', c ,, inherit"}, ["A B", "c"]),
        ({"font": "bold 12px/1.2 'A B', c"}, ["A B", "c"]),
        ({"font": "italic 1em / 2 Name 2"}, ["Name 2"]),
        ({"font": "Name"}, ["Name"]),
        ({"font": "12px"}, ["12px"]),
        ({"font": "12px 'Font 2 a', b"}, ["Font 2 a", "b"]),
        ({"font-family": "'A, B', c"}, ["A, B", "c"]),
        ({"font-family": '"A\'s B"'}, ["A's B"]),
        ({}, []),
    ],
)
def test_families(properties: dict[str, str], families: list[str]) -> None:
    assert css.families(properties) == families


@pytest.mark.parametrize(
    ("style", "targets"),
    [
        ("url(#a)", ["#a"]),
        ("url( #a b )", ["#a b"]),
        ("url( '#a b' ) red", ["#a b"]),
        ("URL(x)", ["x"]),
        (r"u\72l(x)", ["x"]),
        ("url(/*a*/)", ["/*a*/"]),
        ("'url(x)' /* url(y) */", []),
        ("-webkit-image-set('a' 1x, url(b) 2x)", ["a", "b"]),
        ("f(src('a'))", ["a"]),
        ("url(a b)", ["url("]),
        ("rgb(1,2,3)", []),
    ],
)
def test_links(style: str, targets: list[str]) -> None:
    assert css.links(style) == targets


def test_a_drawing_of_long_sheets_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = "<svg xmlns='http://www.w3.org/2000/svg'><style>{}</style><style>{}</style></svg>"
    content = svg.format("a{" + " " * 300_000 + "}", "}" * 100_000).encode()
    monkeypatch.delattr(css, "_read_tokens")
    (fault,) = document_faults(Drawing(etree.fromstring(content), content))
    assert fault.what == "its style sheets have 400,003 characters"


def test_links_of_a_sheet() -> None:
    sheet = " @import url(a); .a{fill:url(b)} @media x{.a{fill:url(c)}} @font-face{src:url(d)} e{"
    assert css.at_rules(sheet) == {"import", "media", "font-face"}
    assert css.links_but_of(sheet, ["import", "font-face"]) == ["b", "c"]
    assert css.at_rules("a{b:'@import'} /* @import */") == set()


@pytest.mark.parametrize(
    ("style", "is_escaped"), [("a:b", False), (r"a:\b", True), (r"/* \ */ a:b", False), (r"'/*\*/'", True)]
)
def test_escapes(style: str, is_escaped: bool) -> None:
    assert css.has_escape(style) == is_escaped


@pytest.mark.parametrize(
    ("sheet", "style"),
    [
        ("path{fill:red}", "fill:red"),
        ("PATH{fill:red}", ""),
        (".a { FILL : Red ; }", "fill:Red"),
        ("<!-- .a{fill:red} -->", "fill:red"),
        (".b,#c/**/{fill:red}", "fill:red"),
        ("g > /* its */ .a{fill:red}", "fill:red"),
        ("g .a{fill:red}svg>.a{fill:blue}", "fill:red"),
        ("g + .a{fill:red}", ""),
        ("rect+.a{fill:red}", "fill:red"),
        ("rect ~ .a{fill:red}", ""),
        ("rect:first-child{x:y}path:first-child{fill:red}", ""),
        ("[d]{fill:red}", "fill:red"),
        ("[ d ^= 'M0' ]{fill:red}", "fill:red"),
        ("[d='M0 0}'],[d=M0]{fill:red}", ""),
        ("[d='M0 0' i]{fill:red}", ""),
        (".a:hover{fill:red}", ""),
        (".a{fill:red!important}#c{fill:blue}", "fill:red"),
        (".a{x:'}';fill:red}", "x:'}';fill:red"),
        (".z{x:'{'}.a{fill:red}", "fill:red"),
        ("@media print{.a{fill:red}}", ""),
        ("@import 'a;b';.a{fill:red}", "fill:red"),
        ("@font-face{src:url(a}b)}.a{fill:red}", "fill:red"),
        (".z{.a{fill:red}}", ""),
        ("> .a{fill:red}", ""),
        (", .a{fill:red}", "fill:red"),
        ("g g svg .a,svg g .a{fill:red}", "fill:red"),
        (".a{fill:red", "fill:red"),
    ],
)
def test_sheets_become_styles(sheet: str, style: str) -> None:
    """Of the selectors that the engine knows, and of no rule within another."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"><style><![CDATA[{sheet}]]></style><g><rect/>'
    root = etree.fromstring(f'{svg}<path class="a b" id="c" d="M0 0"/></g></svg>')
    inline_styles(root)
    path = root[0][1]
    assert path.attrib == {"id": "c", "d": "M0 0"} | ({"style": style} if style else {})
    assert len(root) == 1


def test_a_selector_of_many_parts_is_compared_once_with_each_element() -> None:
    """Its ways through a deep drawing are more than any machine can follow."""
    sheet = f"x {'g ' * 50}path{{fill:red}} svg {'g ' * 50}path{{fill:blue}}"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"><style>{sheet}</style>{"<g>" * 90}<path/>{"</g>" * 90}</svg>'
    root = etree.fromstring(svg)
    inline_styles(root)
    assert etree.tostring(root).count(b"fill:blue") == 1


def test_a_remark_is_no_child() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg"><style>rect:first-child{fill:red}</style><g><!-- --><rect/></g></svg>'
    )
    root = etree.fromstring(svg)
    inline_styles(root)
    assert b'style="fill:red"' in etree.tostring(root)


@pytest.mark.parametrize(
    ("selector", "is_meant"),
    [
        ("path", True),
        ("*", True),
        (".b", True),
        ("#c", True),
        ("g > .a", True),
        ("path.x.a", True),
        ("[d]", True),
        ("[ d = 'M0 0' ]", True),
        (".a[d='x y']:hover", True),
        ("@media print { .a", True),
        (":root", True),
        (".a g", False),
        ("[x]", False),
        ("g", False),
        (".c", False),
        ("a:not(.b)", False),
    ],
)
def test_selectors_count_by_their_last_name(selector: str, is_meant: bool) -> None:
    path = etree.fromstring('<path class="a b" id="c" d="M0 0"/>')
    styles = css.Styles([f"z{{fill:red}} x, {selector} {{ fill : blue; unknown: 1 }} }}"])
    assert styles.of(path) == ({"fill": "blue"} if is_meant else {})
