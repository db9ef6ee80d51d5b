"""Styles are read as browsers read them, as far as drawings need, and hostile ones at once."""

from __future__ import annotations

import pytest
from lxml import etree

from generator.art import css
from generator.art.drawing import Drawing
from generator.art.svg import element_faults
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
        ("a:url('x;y:z');b:\"c;d\"", {"a": "url('x;y:z')", "b": '"c;d"'}),
        ("a:url(x;\"y)\";z);b:c", {"a": "url(x;\"y)\";z)", "b": "c"}),
        ("a:/* b;c:d */e", {"a": "e"}),
        ("a:'never closed;b:c", {"a": "'never closed;b:c"}),
        ("no colon;:no name;a b:c;é!:d", {"b": "c"}),
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
        ({}, []),
    ],
)
def test_families(properties: dict[str, str], families: list[str]) -> None:
    assert css.families(properties) == families


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
