"""Measures that rows fill: a shape for each row, on paper, in cut files and in every export."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import ezdxf
import pytest
from ezdxf import bbox

from generator import export_game, faces, game, pipeline
from generator.basics.errors import PnpError
from generator.basics.shapes import box_of
from generator.model import Component
from tests.support.exported import export_to

SPEC = """
[game]
title = "Sizes"
designer = "A. Designer"
about = "Tiles of several sizes."
[[component]]
id = "tiles"
title = "Tiles"
size = "{{ wide }}x{{ high }}mm"
corner_radius = "3mm"
bleed = "1mm"
table = "tiles.csv"
[component.front]
template = "{{ wide }}x{{ high }}.svg"
edge = "mirror"
[component.back]
template = "{{ wide }}x{{ high }}.svg"
edge = "mirror"
"""
TABLE = "id,wide,high,count\na,25,25,3\nb,50,25,2\nc,50,75,1\nd,25,25,1\n"
CELL = "sizes/tiles.csv:3 column wide"
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}"><path d="M0 0h9v9z"/></svg>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "sizes"
    folder.mkdir()
    (folder / "game.toml").write_text(SPEC, "utf-8")
    (folder / "tiles.csv").write_text(TABLE, "utf-8")
    for size in ((25, 25), (50, 25), (50, 75)):
        (folder / "{}x{}.svg".format(*size)).write_text(DRAWING.format(*size), "utf-8")
    return folder


def cut(folder: Path) -> str:
    export_game(str(folder), "cut-dxf", folder.parent / "cuts")
    return (folder.parent / "cuts/cut/mixed-1.dxf").read_text("utf-8")


def tiles(folder: Path) -> Component:
    return game.read(folder, "", pipeline.KINDS).game.components[0]


def test_each_row_has_its_size(folder: Path) -> None:
    component = tiles(folder)
    sizes = {piece.id: tuple(piece.size) for piece in component.copies()}
    assert sizes == {"a": (25, 25), "b": (50, 25), "c": (50, 75), "d": (25, 25)}
    assert component.size == (50, 75)  # the largest stands for all


def test_pieces_of_one_size_are_laid_together(folder: Path) -> None:
    parts = tiles(folder).alike()
    assert [[piece.id for piece in part.pieces] for part in parts] == [["a", "d"], ["b"], ["c"]]
    assert len({part.title for part in parts}) == 3


def test_every_size_gets_to_the_tables_and_to_the_cutter(folder: Path) -> None:
    lists = [file for path, file in export_to("cgs", folder).items() if "/decks/" in path]
    assert sum(int(line.split()[0]) for file in lists for line in file.decode().splitlines()) == 7
    saved = next(f for path, f in export_to("tts", folder).items() if path.endswith(".json"))
    assert all(f" mm {id_}" in saved.decode() for id_ in "abcd")
    drawn = ezdxf.read(StringIO(cut(folder)))
    boxes = [bbox.extents([path]).size for path in drawn.modelspace().query('LWPOLYLINE[layer=="cut"]')]
    assert sorted(sorted(round(side) for side in (box.x, box.y)) for box in boxes) == [
        *[[25, 25]] * 4,
        *[[25, 50]] * 2,
        [50, 75],
    ]


@pytest.mark.parametrize(
    ("cell", "place", "what"),
    [
        ("", CELL, "the cell is empty, so it names no size"),
        ("2", CELL, "the length '2mm' is too small to cut"),
        ("wide", CELL, "there is no size"),
        ("5.5", CELL.rpartition(" column")[0], "a corner_radius of 3 mm is more than half the piece"),
    ],
)
def test_a_fault_is_that_of_its_row(folder: Path, cell: str, place: str, what: str) -> None:
    spec = SPEC.replace("{{ wide }}x{{ high }}mm", "{{ wide }}x25mm").replace("{{ wide }}x{{ high }}.svg", "25x25.svg")
    (folder / "game.toml").write_text(spec, "utf-8")
    (folder / "tiles.csv").write_text(f"id,wide,high\na,25,25\nb,{cell},25\n", "utf-8")
    with pytest.raises(PnpError) as caught:
        tiles(folder)
    assert [str(problem.place) for problem in caught.value.problems] == [place]
    assert what in caught.value.problems[0].what


def test_each_row_has_its_outline(tmp_path: Path) -> None:
    """A face on the page of its outline lies as that does."""
    folder = tmp_path / "outlines"
    folder.mkdir()
    for name, path in {"a": "M9 8h20v12h-20Z", "b": "M9 8h21Q35 20 9 31Z"}.items():
        form = f'<path id="cut" d="{path}"/>'
        drawing = DRAWING.format(50, 40).replace("</svg>", f"{form}</svg>")
        (folder / f"{name}.svg").write_text(drawing, "utf-8")
    (folder / "tiles.csv").write_text("id\na\nb\n", "utf-8")
    outlined = SPEC.replace('size = "{{ wide }}x{{ high }}mm"', 'outline = "{{ id }}.svg#cut"')
    outlined = outlined.replace('corner_radius = "3mm"', "").replace("{{ wide }}x{{ high }}", "{{ id }}")
    (folder / "game.toml").write_text(outlined, "utf-8")
    loaded = game.read(folder, "", pipeline.KINDS)
    kinds = {piece.id: piece.shape and piece.shape.kind for piece in loaded.game.components[0].pieces}
    assert kinds == {"a": "polygon", "b": "outline"}
    for drawn in faces.draw_each(loaded.designs[0], "front", {}):
        assert drawn.face
        box, at = box_of(drawn.face.outline), drawn.face.layers[-1].at
        assert (box.x0 - at.x, box.y0 - at.y) == pytest.approx((9, 8), abs=0.05)
