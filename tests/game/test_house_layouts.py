"""The layouts of pnp draw tables of any kind, and their drawings are a designer's to change."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from generator import pipeline
from generator.faces.template import FromTemplate
from generator.faces.templating.template import SvgTemplate
from generator.game.house_layouts import LAYOUTS, colours, find_columns, layouts, usual_headings
from generator.game.spec import write_value
from tests.conftest import Pnp
from tests.game.tiny import drawn, words

LONG = "Draw two cards, then *discard* one. Überzählige Münzen legst du zurück: **1** :coin: je Feld."
CELLS = {
    "title": "Die Äbtissin von Öldrüd am Meer",
    "type": "Building · Holy",
    "cost": "12",
    "text": LONG,
    "text_2": "Bonus.",
    "flavour": "“They rang the bell for every ship.”",
    "picture": "art/hut.png",
    "number": "10",
    "accent": "#d9a400",
    "left": "6",
    "right": "Long words",
    "lines": "Huts, Mills, The longest road of all",
    "players": "5",
}
YIELDING = {("round-token", "title"), ("hex-tile", "text")}  # to a picture or a number
NO_WORDS = ("picture", "accent", "left", "players")
SHORT = {"title": "Ox", "type": "Beast", "number": "0", "left": "0", "right": "3"}


def make(folder: Path, layout: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Path:
    (folder / "art").mkdir(parents=True)
    Image.effect_noise((1400, 1100), 60).save(folder / "art/hut.png")
    with (folder / "cards.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    back = f'[component.back]\nlayout = "{layout}"\n' if layouts()[layout].has("back") else ""
    spec = f"""
[game]
title = "Laid out"
designer = "A. Designer"
about = "Cards."
[[component]]
id = "cards"
title = "Cards"
table = "cards.csv"
[component.front]
layout = "{layout}"
{back}"""
    (folder / "game.toml").write_text(spec, "utf-8")
    return folder


def cell(name: str) -> str:
    return CELLS.get(name, "9")


@pytest.mark.parametrize("name", layouts())
def test_a_layout_draws_long_short_and_empty_rows(name: str, tmp_path: Path, pnp: Pnp) -> None:
    layout = layouts()[name]
    header = [f"value {n[-1]}" if n.startswith("value") else n for n in layout.shows]
    named = {n: n.replace("_", " ") for n in layout.shows if n.startswith("value")}
    rows = [
        [cell(shown) for shown in layout.shows],
        [SHORT.get(shown, "") for shown in layout.shows],
        ["" for _ in layout.shows],
    ]
    folder = make(tmp_path / "game", name, ["id", *header], [[f"r{i}", *r] for i, r in enumerate(rows)])
    if named:
        given = ", ".join(f'{n} = "{heading}"' for n, heading in named.items())
        spec = (folder / "game.toml").read_text("utf-8")
        spec = spec.replace(f'layout = "{name}"', f'layout = "{name}"\ncolumns = {{ {given} }}', 1)
        (folder / "game.toml").write_text(spec, "utf-8")
    checked = pnp("check", str(folder)).output
    assert checked.endswith(": 0 errors, 0 warnings, 0 notes\n"), checked
    first, second, third = drawn(folder).values()
    shown = words(first).upper()
    for name_ in layout.shows:
        if name_ not in NO_WORDS and (name, name_) not in YIELDING:
            last = re.findall(r"[\w“”.]+", cell(name_))[-1]
            assert last.upper() in shown, name_
    assert "art" not in shown.split()
    if "title" in layout.shows and (name, "title") not in YIELDING:
        assert "Ox" in words(second)
        assert "r2" not in words(third)
    designs = pipeline.read(str(folder)).designs
    renderer = designs[0].renderer("front")
    assert isinstance(renderer, FromTemplate)
    template = renderer.templates.choose({})
    assert isinstance(template, SvgTemplate)
    assert set(template.given) == set(layout.shows)


def test_every_drawing_is_that_of_a_layout() -> None:
    files = {path.name for path in LAYOUTS.glob("*.svg")}
    of_layouts = {layout.file(side) for layout in layouts().values() for side in ("front", "back") if layout.has(side)}
    assert files == of_layouts
    assert {shown.partition("_")[0] for layout in layouts().values() for shown in layout.shows} == {
        name.partition("_")[0] for name in usual_headings()
    }


@pytest.mark.parametrize("path", sorted(LAYOUTS.glob("*.svg")), ids=lambda path: path.stem)
def test_a_colour_of_the_palette_stands_beside_its_name(path: Path) -> None:
    """So that a drawing copied to a game without a palette says each colour once, to be changed."""
    for element in etree.parse(path).iter(etree.Element):
        for name, value in element.attrib.items():
            if name.startswith("{urn:pnp}") and value.strip("'") in colours():
                assert element.get(name.removeprefix("{urn:pnp}")) == colours()[value.strip("'")]


def test_a_copied_drawing_draws_the_same(tmp_path: Path, pnp: Pnp) -> None:
    header = ["Card Name", "Mana", "Rules Text", "Image", "Tier", "Attack"]
    folder = make(tmp_path / "game", "stat-card", header, [["Hut", "2", LONG, "art/hut.png", "IV", "5"]])
    spec = folder / "game.toml"
    mapped = 'layout = "stat-card"\ncolumns = { value_2 = "Tier", value_2_heading = "{{ \'Rank\' }}" }'
    spec.write_text(spec.read_text("utf-8").replace('layout = "stat-card"', mapped, 1), "utf-8")
    (before,) = drawn(folder).values()
    for word in ("Hut", "2", "IV", "Rank", "Attack", "5"):
        assert word in words(before).split()
    copied = pnp("layout", str(folder))
    assert copied.exit_code == 0, copied.output
    files = copied.stdout.split()
    assert [Path(file).name for file in files] == ["stat-card.svg", "stat-card-back.svg"]
    lines = copied.stderr.splitlines()[1:]
    text = spec.read_text("utf-8")  # its size, its front, its back
    head = text[: text.index("[component.front]")]
    spec.write_text("\n".join([head, *lines[1:]]) + "\n", "utf-8")
    (after,) = drawn(folder).values()
    assert after.layers[0].layer.svg == before.layers[0].layer.svg
    assert not re.search("""pnp:\\w+="'#""", (folder / "stat-card.svg").read_text("utf-8"))
    again = pnp("layout", str(folder))
    assert again.exit_code == 1
    assert "no side of a component has a layout" in again.stderr


def test_headings_are_taken_once() -> None:
    names = ["title", "type", "number", "text", "value_1", "value_2"]
    found = find_columns(names, ["Name", "Kind", "Strength", "#note", "Effect", "HP", "Effect.de"])
    assert found == {"title": "Name", "type": "Kind", "number": "Strength", "text": "Effect", "value_1": "HP"}


def test_the_palette_replaces_the_colours_of_a_layout(tmp_path: Path) -> None:
    folder = make(tmp_path / "game", "poker-classic", ["title", "colour"], [["Ox", ""], ["Cow", "sea"]])
    spec = folder / "game.toml"
    palette = '[palette]\naccent = "#123456"\nsea = "#654321"\n[game]'
    spec.write_text(spec.read_text("utf-8").replace("[game]", palette), "utf-8")
    ox, cow = (face.layers[0].layer.art for face in drawn(folder).values())
    assert "#123456" in ox
    assert "#123456" not in cow
    assert "#654321" in cow


@pytest.mark.parametrize("value", ['the "Bold" \\', "two\nlines", "Öl", 2.5, True, {"a": '{{ x ~ "y" }}'}])
def test_a_value_in_a_spec_is_read_as_it_was(value: object) -> None:
    assert tomllib.loads(f"it = {write_value(value)}")["it"] == value
