"""The line of a key is the line an editor shows it on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.keys import KeyPath
from generator.game.spec import SpecPlace, longest_key, places_of

TALAVERA = Path(__file__).parents[2] / "templates/talavera/game.toml"
SCALARS = (
    "1",
    "-2.5e3",
    "true",
    "1979-05-27 07:32:00",
    '"text"',
    '"a # \\" [x]"',
    "'c:\\[#'",
    '"""two\n[lines] # "quoted"\\""""',
    '""""quoted""""',
    "'''three\n\n = lines'''",
    '""',
    "''''''",
)
BETWEEN = ("", "\n", "# a remark = [1, 'x\n", "\n  \t\n", "#\u2028 no break for an editor\n")


@dataclass
class Writer:
    """Writes TOML and remembers on which line it put each key."""

    ending: str
    text: str = ""
    lines: dict[KeyPath, int] = field(default_factory=dict)

    def write(self, text: str) -> None:
        self.text += text.replace("\n", self.ending)

    def note(self, path: KeyPath) -> None:
        for depth in range(1, len(path) + 1):
            self.lines.setdefault(path[:depth], self.text.count("\n") + 1)

    def value(self, draw: st.DrawFn, path: KeyPath, depth: int) -> None:
        kind = draw(st.sampled_from(["scalar", "list", "table"] if depth else ["scalar"]))
        if kind == "scalar":
            self.write(draw(st.sampled_from(SCALARS)))
        elif kind == "list":
            self.write("[")
            for index in range(draw(st.integers(0, 3))):
                self.write("," * (index > 0) + draw(st.sampled_from(BETWEEN)))
                self.note((*path, index))
                self.value(draw, (*path, index), depth - 1)
            self.write(draw(st.sampled_from(BETWEEN)) + "]")
        else:
            self.write("{")
            for index in range(draw(st.integers(0, 2))):
                self.write("," * (index > 0))
                self.pair(draw, path, f"k{index}", depth - 1)
            self.write("}")

    def pair(self, draw: st.DrawFn, path: KeyPath, key: str, depth: int) -> None:
        written, keys = draw(
            st.sampled_from([(key, (key,)), (f'"{key} \\u00e9"', (f"{key} é",)), (f"{key} . 'x.y'", (key, "x.y"))])
        )
        self.note((*path, *keys))
        self.write(f"{written} = ")
        self.value(draw, (*path, *keys), depth)


@st.composite
def documents(draw: st.DrawFn) -> Writer:
    writer = Writer(draw(st.sampled_from(["\n", "\r\n"])))
    for index in range(draw(st.integers(0, 3))):
        writer.pair(draw, (), f"top{index}", 2)
        writer.write("\n" + draw(st.sampled_from(BETWEEN)))
    for index in range(draw(st.integers(0, 3))):
        name, path = draw(
            st.sampled_from(
                [
                    (f"[t{index}]", (f"t{index}",)),
                    (f"[ t{index} . 'a b' ]", (f"t{index}", "a b")),
                    (f"[[l{index}]]", (f"l{index}", 0)),
                ]
            )
        )
        writer.note(path)
        writer.write(f"{name}\n")
        for key in range(draw(st.integers(0, 3))):
            writer.write(draw(st.sampled_from(BETWEEN)))
            writer.pair(draw, path, f"key{key}", 2)
            writer.write(" # said\n")
    return writer


def paths(node: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    if path:
        yield path
    items: list[tuple[str | int, object]] = []
    if isinstance(node, dict | list):
        items = list(node.items() if isinstance(node, dict) else enumerate(node))
    for key, value in items:
        yield from paths(value, (*path, key))


def lines_of(text: str) -> dict[KeyPath, int]:
    return dict(within(places_of(text), ()))


def within(place: SpecPlace, path: KeyPath) -> Iterator[tuple[KeyPath, int]]:
    for part, inner in place.parts.items():
        yield (*path, part), inner.line
        yield from within(inner, (*path, part))


@given(documents())
def test_every_key_is_found_on_its_line(written: Writer) -> None:
    parsed = tomllib.loads(written.text)
    found = lines_of(written.text)
    assert found == written.lines
    assert set(found) == set(paths(parsed))


def _item(value: Any, path: KeyPath) -> Any:
    for part in path:
        value = value[part]
    return value


def test_every_key_of_talavera_is_found() -> None:
    text = TALAVERA.read_text("utf-8")
    found = lines_of(text)
    lines = text.split("\n")
    assert set(found) == set(paths(tomllib.loads(text)))
    for path, line in found.items():
        names = [part for part in path if isinstance(part, str)]
        item = _item(tomllib.loads(text), path)  # of an array over several lines: on its own
        told = names[-1] in lines[line - 1] or f'"{item}"' in lines[line - 1]
        assert told, f"{path} is not on line {line}"


def test_arrays_of_tables_are_counted() -> None:
    text = "[[a]]\n[[a.b]]\nx = 1\n[[a.b]]\nx = 2\n[a.c]\ny = 1\n[[a]]\n[[a.b]]\nx = 3\n"
    found = lines_of(text)
    assert [found["a", 0, "b", 0, "x"], found["a", 0, "b", 1, "x"]] == [3, 5]
    assert [found["a", 0, "c", "y"], found["a", 1], found["a", 1, "b", 0, "x"]] == [7, 8, 10]


@pytest.mark.parametrize(
    ("path", "line"), [(("a", "b"), 2), (("a", "missing"), 1), (("a", "b", 7, "c"), 2), (("z",), 1), ((), 1)]
)
def test_what_is_missing_is_sought_in_the_table_around_it(path: KeyPath, line: int) -> None:
    assert places_of("[a]\nb = 1\n").line_of(path) == line


def test_long_lists_take_no_longer_than_their_length() -> None:
    text = "a = [\n" + '  "x",\n' * 30_000 + "]\nb = 1\n"
    assert lines_of(text)["b",] == 30_003


@pytest.mark.parametrize(
    ("text", "parts", "line"),
    [
        ("a = 1\n[b.'c.d'.\"e.f\"]\n", 3, 2),
        ("a.b = {c.d.e.f = 1.5}\n", 4, 1),
        ('a = \'x.y.z\'\nb = "x.y.z\\".w" # p.q.r\n', 1, 1),
        ('a = """x.y.z\n"".w.v\\""".q"""\nb.c = 1\n', 2, 3),
        ("a = '''x.y.z\n''.w'''\nb.c = 1\n", 2, 3),
        ('a = "never closed.x.y\nb.c.d = 1\n', 3, 2),
        ('a = """never closed.x\nb.c.d = 1\\', 1, 1),
    ],
)
def test_the_longest_key_is_found(text: str, parts: int, line: int) -> None:
    assert longest_key(text) == (parts, line)
