"""Values of game.toml and attributes of drawings change alone, whatever stands around them."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from generator.basics.errors import MisfitError
from generator.game.spec import walk
from generator.studio.values import set_attributes, set_value

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "templates").glob("*/game.toml"))
DRAWINGS = sorted((ROOT / "generator/game").rglob("*.svg"))
TEXT = """\
# hi
title = 'Quest' # hi
[palette]
red = "#f00"
"sky blue" = '#00f'

[[component]]
id = "cards"
bo = {a = 1}
[component.front]
layout = "poker"
at = ["a", "b"]
# the backs
[[component]]
id = "b"
t = \"\"\"
x
y\"\"\"
"""


def changed_lines(before: str, after: str) -> list[str]:
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in lines if line[0] in "+-"]


@pytest.mark.parametrize(
    ("path", "value", "lines"),
    [
        (("title",), "My Quest", ["- title = 'Quest' # hi", "+ title = 'My Quest' # hi"]),
        (("title",), "Que'st", ["- title = 'Quest' # hi", '+ title = "Que\'st" # hi']),
        (("palette", "red"), "#0f0", ['- red = "#f00"', '+ red = "#0f0"']),
        (("palette", "sky blue"), None, ["- \"sky blue\" = '#00f'"]),
        (("palette", "sea green"), "#0f8", ['+ "sea green" = "#0f8"']),
        (("component", 0, "front", "ink"), "x", ['+ ink = "x"']),
        (("component", 1, "front", "ink"), 2, ["+ front.ink = 2"]),
        (("component", 0, "bo", "a"), 2.5, ["- bo = {a = 1}", "+ bo = {a = 2.5}"]),
        (("component", 0, "bo", "b"), [1], ["- bo = {a = 1}", "+ bo = {a = 1, b = [1]}"]),
        (("component", 0, "front", "at", 1), "z", ['- at = ["a", "b"]', '+ at = ["a", "z"]']),
        (("component", 1, "t"), "a\nb", ['- t = """', "- x", '- y"""', '+ t = """a', '+ b"""']),
        (("accept", 0), {"on": "x", "by": ""}, ["+ ", "+ [[accept]]", '+ on = "x"', '+ by = ""']),
        (("new", "key"), False, ["+ new.key = false"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_only_the_lines_of_the_value_change(
    path: tuple[str | int, ...], value: object, lines: list[str], line_end: str
) -> None:
    text = "\ufeff" + TEXT.replace("\n", line_end)
    new = set_value(text, path, value)
    assert new.startswith("\ufeff")
    assert sorted(changed_lines(text, new)) == sorted(lines)
    bare = new.replace("\r\n", "")
    assert ("\n" in bare) == (line_end == "\n") or isinstance(value, str)


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.parent.name)
def test_each_value_of_a_game_changes_alone(spec: Path) -> None:
    text = spec.read_text("utf-8")
    for path, value in [*walk(tomllib.loads(text))][1::7]:
        new: Any = {str: "new", bool: not value, int: 7, float: 0.25}.get(type(value))
        if new is not None:
            assert [*differences(text, set_value(text, path, new))] == [(path, new)] or new == value


def differences(before: str, after: str) -> Iterator[tuple[tuple[str | int, ...], object]]:
    """What the standard library reads differently, which no code of ours knows."""
    old = dict(walk(tomllib.loads(before)))
    for path, value in walk(tomllib.loads(after)):
        if not isinstance(value, dict | list) and old.get(path) != value:
            yield path, value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("palette",), "red"),
        (("component", 5, "id"), "x"),
        (("component", 0), None),
        (("title", "x"), 1),
        (("title",), float("nan")),
        (("title",), {"a": object()}),
        (("nothing",), None),
        ((), "x"),
    ],
)
def test_what_cannot_be_changed_alone_is_refused(path: tuple[str | int, ...], value: object) -> None:
    with pytest.raises(MisfitError):
        set_value(TEXT, path, value)


def test_a_text_that_is_no_toml_is_refused() -> None:
    with pytest.raises(MisfitError, match="cannot be read"):
        set_value("a = ", ("a",), 1)


SVG = b"""<?xml version="1.0"?>
<!-- <rect x="0"/> --><svg xmlns="http://www.w3.org/2000/svg" xmlns:p='urn:pnp'>
 <rect x='1' y = "2" style="fill:red; top:1"/><text p:size="9">{{ b }}</text><text/>
 <g><![CDATA[<rect x="3"/>]]><tspan>a &gt; b</tspan></g></svg>
"""


@pytest.mark.parametrize(
    ("number", "values", "words", "new"),
    [
        (1, {"x": "3.5"}, None, b"""<rect x='3.5' y = "2" style="fill:red; top:1"/>"""),
        (1, {"fill": "#00f"}, None, b"""<rect x='1' y = "2" style="fill:#00f; top:1"/>"""),
        (1, {"fill": None}, None, b"""<rect x='1' y = "2" style=" top:1"/>"""),
        (1, {"y": None}, None, b"""<rect x='1' style="fill:red; top:1"/>"""),
        (1, {"rx": '"<&'}, None, b"""top:1" rx="&quot;&lt;&amp;"/>"""),
        (2, {"pnp:size": "8", "pnp:fit": ""}, None, b"""<text p:size="8" p:fit="">{{ b }}</"""),
        (2, {}, "{{ c }} ü\nx", """<text p:size="9">{{ c }} ü\nx</text>""".encode()),
        (3, {}, "new", b"<text>new</text>\n"),
        (5, {"x": "1"}, "b", b"""<tspan x="1">b</tspan>"""),
    ],
)  # fmt: skip
def test_only_the_attribute_changes(number: int, values: dict[str, str | None], words: str | None, new: bytes) -> None:
    changed = set_attributes(SVG, number, values, words)
    assert new in changed
    lines = zip(SVG.splitlines()[:2], changed.splitlines()[:2], strict=True)
    assert all(old == line for old, line in lines)


def test_a_drawing_without_our_names_gets_them_where_they_are_used() -> None:
    changed = set_attributes(b'<svg><rect x="1"/></svg>', 1, {"pnp:size": "8"})
    assert changed == b'<svg><rect x="1" xmlns:pnp="urn:pnp" pnp:size="8"/></svg>'


@pytest.mark.parametrize("drawing", DRAWINGS[::5], ids=lambda path: path.stem)
def test_each_element_has_the_number_that_another_parser_gives_it(drawing: Path) -> None:
    content = drawing.read_bytes()
    tags = [element for element in etree.fromstring(content).iter() if isinstance(element.tag, str)]
    for number in range(0, len(tags), 9):
        changed = etree.fromstring(set_attributes(content, number, {"data-new": "1"}))
        marked = [element for element in changed.iter() if isinstance(element.tag, str)]
        assert [at for at, element in enumerate(marked) if "data-new" in element.attrib] == [number]


@pytest.mark.parametrize(
    ("content", "number", "values", "words"),
    [
        (SVG, 6, {"x": "1"}, None),
        (SVG, -1, {"x": "1"}, None),
        (SVG, 4, {}, "holds others"),
        (SVG, 1, {"on click": "1"}, None),
        (SVG, 1, {'x="1" y': "1"}, None),
        (b"<svg><rect></svg>", 1, {"x": "1"}, None),
        (b'<!DOCTYPE svg [<!ENTITY a "b">]><svg x="1"/>', 0, {"x": "2"}, None),
        ('<?xml version="1.0" encoding="utf-16"?><svg/>'.encode("utf-16"), 0, {"x": "2"}, None),
    ],
)
def test_what_is_no_element_of_a_drawing_is_refused(
    content: bytes, number: int, values: dict[str, str | None], words: str | None
) -> None:
    with pytest.raises(MisfitError):
        set_attributes(content, number, values, words)
