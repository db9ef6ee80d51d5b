"""The parts of a template's face: where they lie, what can be set of each, and why not."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from generator import faces, pipeline
from generator.basics.geometry import Point
from generator.faces.parts import FaceParts, Part, find_parts
from generator.model import Side
from generator.studio.values import set_attributes

ROOT = Path(__file__).parents[2]
_SPEC = """
[game]
title = "Parts"
designer = "The tests"
about = "Two cards."
[palette]
sea = "#00606c"
[[component]]
id = "cards"
title = "Cards"
table = "cards.csv"
size = ["60mm", "80mm"]
bleed = "3mm"
[component.front]
template = "front.svg"
"""
_ROWS = "id,text,n\none,Short,2\ntwo," + "Very long words. " * 30 + ",0\n"
_FRONT = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp"
     width="66mm" height="86mm" viewBox="10 20 132 172">
  <!-- half millimetres, from 10 20 -->
  <style>.ink { fill: #123456 }</style>
  <rect id="box" x="30" y="40" width="80" height="20" fill="none"/>
  <text pnp:box="box" pnp:least="7pt" font-family="Alegreya Sans" font-size="8">{{ text }}</text>
  <g id="turned" transform="translate(20 40) rotate(90)">
    <rect id="inner" x="10" y="-30" width="20" height="4mm" class="ink"/>
  </g>
  <g id="many" pnp:for="each in range(n)" pnp:step="12 0">
    <circle id="dot" cx="20" cy="150" r="4"/>
  </g>
  <use href="frame.svg"/>
  <path id="line" d="M20 100 h40 v20" transform="translate(2 4)" fill="none" stroke="#000"/>
  <image id="art" x="50%" y="{{ n }}" width="10" height="10"
         href="frame.svg" pnp:href="'frame.svg'"/>
</svg>"""
_FRAME = """<svg xmlns="http://www.w3.org/2000/svg" width="66mm" height="86mm" viewBox="0 0 66 86">
  <g><rect id="around" x="5" y="5" width="56" height="76" fill="none" stroke="#000"/></g>
</svg>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    game = tmp_path / "parts"
    game.mkdir()
    written = {"game.toml": _SPEC, "cards.csv": _ROWS, "front.svg": _FRONT, "frame.svg": _FRAME}
    for name, content in written.items():
        (game / name).write_text(content, "utf-8")
    return game


def read(folder: Path, piece: str, side: Side = "front") -> FaceParts:
    found = find_parts(pipeline.read(str(folder)).designs[0], side, piece)
    assert found
    return found


def named(folder: Path, piece: str) -> dict[str, Part]:
    return {part.name: part for part in read(folder, piece).parts}


def sides(part: Part) -> list[float]:
    """The left, top, right and bottom of each of its boxes."""
    return [side for box in part.boxes for side in box]


def test_boxes_are_mm_of_the_bleed_box(folder: Path) -> None:
    parts = named(folder, "one")
    assert sides(parts["box"]) == pytest.approx([10, 10, 50, 20])
    # from (20, 40), turned by 90 degrees: x is down, and y to the left
    assert sides(parts["inner"]) == pytest.approx([12.44, 15, 20, 25], abs=0.01)
    assert parts["turned"].boxes == parts["inner"].boxes
    assert sides(parts["line"]) == pytest.approx([6, 42, 26, 52])
    assert sides(parts["dot"]) == pytest.approx([3, 63, 7, 67, 9, 63, 13, 67])
    assert "around" not in parts  # it is in another file


def test_a_matrix_maps_its_places(folder: Path) -> None:
    parts = named(folder, "one")
    inner = parts["inner"]
    corner = Point(inner.places["x"], inner.places["y"])
    assert inner.matrix.apply(corner) == pytest.approx((20, 15))
    assert parts["line"].matrix.apply(Point(30, 40)) == pytest.approx((10, 10))  # around its transform


def test_a_row_may_show_a_part_or_not(folder: Path) -> None:
    assert not named(folder, "two")["dot"].boxes
    assert named(folder, "two")["dot"].places == {"cx": 20, "cy": 150, "r": 4}


def test_a_text_names_its_box_and_how_it_shrank(folder: Path) -> None:
    short, long = (named(folder, piece)["{{ text }}"] for piece in ("one", "two"))
    assert short.frame == named(folder, "one")["box"].number
    assert sides(short) == pytest.approx([10, 10, 50, 20])
    assert short.lettering
    assert short.lettering.size == short.lettering.asked
    assert short.lettering.asked == pytest.approx(4 / 25.4 * 72, abs=0.01)  # 8 half millimetres
    assert long.lettering
    assert long.lettering.size == long.lettering.least == 7
    assert long.lettering.over > 1


@pytest.mark.parametrize(
    ("part", "value", "reason"),
    [
        ("art", "x", "no plain number"),
        ("art", "y", "the row fills it"),
        ("art", "href", "pnp:href says it"),
        ("inner", "fill", "a style sheet"),
    ],
)
def test_what_cannot_be_set_has_a_reason(folder: Path, part: str, value: str, reason: str) -> None:
    assert reason in named(folder, "one")[part].fixed[value]
    assert not named(folder, "one")["box"].fixed


@pytest.mark.parametrize("game", [ROOT / "tests/templates/quest", ROOT / "generator/game/starters/cards"])
def test_numbers_are_those_of_edits(game: Path) -> None:
    design = pipeline.read(str(game)).designs[0]
    found = find_parts(design, "front", design.component.pieces[0].id)
    assert found
    assert len(found.parts) > 15
    for part in found.parts:
        root = etree.fromstring(set_attributes(found.content, part.number, {"opacity": "0.123"}))
        changed = root.xpath("//*[@opacity='0.123']")[0]
        assert {key: float(changed.get(key, 0)) for key in part.places} == part.places
        assert part.words is None or part.words == "".join(changed.itertext()).strip()


def test_faces_are_drawn_without_numbers(folder: Path) -> None:
    loaded = pipeline.read(str(folder))
    for _ in "beforehand", "afterwards":
        drawn = faces.draw_each(loaded.designs[0], "front", {})
        svg = "".join(layer.layer.svg for piece in drawn if piece.face for layer in piece.face.layers)
        assert "<circle" in svg
        assert "data-part" not in svg
        find_parts(loaded.designs[0], "front", "one")


def test_a_face_without_a_drawing_has_no_parts() -> None:
    design = pipeline.read("taluva").designs[0]
    assert find_parts(design, "front", design.component.pieces[0].id) is None


def test_a_drawing_that_has_changed_since_has_no_parts_yet(folder: Path) -> None:
    design = pipeline.read(str(folder)).designs[0]
    (folder / "front.svg").write_text(_FRONT.replace("<style>", "<!-- --><style>"), "utf-8")
    found = find_parts(design, "front", "one")
    assert found == FaceParts("front.svg", b"", [], [])  # a page that has the new file is not told of the old
