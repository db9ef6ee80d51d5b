"""How many pieces a sheet holds: the table of the documentation, and what may never be less."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from pathlib import Path

import pytest

from generator.basics.geometry import IDENTITY, Size
from generator.basics.papers import parse_margin, parse_paper
from generator.basics.shapes import Shape, circle, hexagon, rectangle, trihex
from generator.layout import Item, Printing, impose
from generator.layout.packing import _Nesting
from generator.model import Cuts, Sheet
from tests.conftest import Golden
from tests.support.printing import FONTS, run_of

HERE = Path(__file__).parent
PAPERS = ("letter", "a4")
PIECES: dict[str, Shape] = {
    "poker 63.5 x 88.9": rectangle(Size(63.5, 88.9)),
    "bridge 57.15 x 88.9": rectangle(Size(57.15, 88.9)),
    "tarot 69.85 x 120.65": rectangle(Size(69.85, 120.65)),
    "mini 44.45 x 63.5": rectangle(Size(44.45, 63.5)),
    "hexagon 30.9 corner to corner": hexagon(30.9 * sqrt(3) / 2, "edge"),
    "hexagon 50 side to side": hexagon(50.0, "corner"),
    "trihex 40 a hexagon": trihex(40.0),
    "circle 25": circle(25.0),
}


def sheet_of(shape: Shape, paper: str, cuts: Cuts, margin: str = "usual") -> Sheet:
    printing = Printing(parse_paper(paper).size, "long", parse_margin(margin).edges)
    count = 20 if shape.kind == "rectangle" else 1  # turned rows are laid where they save sheets
    run = run_of(shape, 3.0 if cuts == "double" else 0.0, (Item("p", "f", "b"),) * count, cuts=cuts)
    return impose("G", [run], printing, FONTS)[0]


def table() -> str:
    rows = [
        "pieces a sheet, share of the paper, and the most that the printable area could hold",
        f"{'':31}{'touching':>20}{'3 mm bleed each':>22}",
        f"{'':31}" + "".join(f"{paper:>10}" for paper in PAPERS * 2) + "     bound",
    ]
    for name, shape in PIECES.items():
        cells = ""
        for cuts in ("shared", "double"):
            for paper in PAPERS:
                sheet = sheet_of(shape, paper, cuts)
                used = sheet.seats * shape.area / (sheet.paper.width * sheet.paper.height)
                cells += f"{sheet.seats:>5}{used:>5.0%}"
        margin = 2 * parse_margin("usual").edges
        bounds = [
            int((size.width - margin) * (size.height - margin) / shape.area)
            for size in (parse_paper(name).size for name in PAPERS)
        ]
        rows.append(f"{name:31}{cells}{bounds[0]:>6}{bounds[1]:>4}")
    return "\n".join(rows) + "\n"


def test_figures(golden: Golden) -> None:
    golden(HERE / "golden/figures.txt", table())


def test_the_guide_shows_the_same_figures() -> None:
    assert table() in (HERE.parents[1] / "docs/sheets.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("piece", "letter", "a4"),
    [("poker 63.5 x 88.9", 9, 9), ("bridge 57.15 x 88.9", 9, 9), ("mini 44.45 x 63.5", 18, 18)],
)
def test_no_fewer_than_others_print(piece: str, letter: int, a4: int) -> None:
    """Nine poker cards a sheet is what sheets of this trade hold, without marks for a cutter."""
    assert sheet_of(PIECES[piece], "letter", "shared").seats >= letter
    assert sheet_of(PIECES[piece], "a4", "shared").seats >= a4


@pytest.mark.parametrize("paper", PAPERS)
def test_circles_fill_as_the_closed_form_says(paper: str) -> None:
    """Rows of n circles, moved aside by half a pitch, pitches stretched to the width."""
    room = [side - 2 * parse_margin("usual").edges for side in parse_paper(paper).size]
    best = 0
    for width, height in (room, room[::-1]):
        for n in range(2, int(width / 25.0) + 1):
            pitch = (width - 25.0) / (n - 0.5)
            if pitch >= 25.0:
                rows = int((height - 25.0) / sqrt(max(25.0**2 - (pitch / 2) ** 2, 156.25))) + 1
                best = max(best, n * rows)
    nest = _Nesting(circle(25.0), IDENTITY, 0.0, None)
    found = max(len(nest.fullest(Size(*r))) for r in (room, room[::-1]))
    assert found >= best > 0


@pytest.mark.parametrize("paper", PAPERS)
def test_no_honeycomb_holds_more_trihexes_than_are_laid(paper: str) -> None:
    """Against a search of all ways to choose trihexes, upright or turned, in a honeycomb."""
    room = [side - 2 * parse_margin("usual").edges for side in parse_paper(paper).size]
    most = max(best_in_honeycomb(width, height, 40.0) for width, height in (room, room[::-1]))
    nest = _Nesting(trihex(40.0), IDENTITY, 0.0, None)
    laid = max(len(nest.fullest(Size(*r))) for r in (room, room[::-1]))
    assert laid >= most - 1


def best_in_honeycomb(width: float, height: float, across: float) -> int:
    """The most disjoint trihexes among the cells of a honeycomb that lie in a room."""
    radius = across / sqrt(3)
    rows = int((height - 2 * radius) / (1.5 * radius) + 1e-9) + 1
    cells = {
        (row, column) for row in range(rows) for column in range(int((width - (row % 2) * across / 2) / across + 1e-9))
    }
    pieces = []
    for row, column in sorted(cells):
        left = column if row % 2 else column - 1  # the cells below a cell, and above
        for near in (1, -1):
            piece = {(row, column), (row + near, left), (row + near, left + 1)}
            if piece <= cells:
                pieces.append(frozenset(piece))
    return most_disjoint(sorted(cells), pieces)


def most_disjoint(cells: list[tuple[int, int]], pieces: list[frozenset[tuple[int, int]]]) -> int:
    """Cell after cell: it is covered by one of its pieces, or by none; states are kept by what
    of the cells to come is taken."""
    states: dict[frozenset[tuple[int, int]], int] = {frozenset(): 0}
    for cell in cells:
        after: dict[frozenset[tuple[int, int]], int] = {}
        mine = [piece for piece in pieces if min(piece) == cell]
        for taken, count in states.items():
            options = [(taken - {cell}, count)]
            if cell not in taken:
                options += [(taken | piece - {cell}, count + 1) for piece in mine if not piece & taken]
            for state, total in options:
                after[state] = max(after.get(state, 0), total)
        states = after
    return max(states.values())


def test_the_search_itself_is_right() -> None:
    """A honeycomb of 3 x 2 cells holds two, however chosen; of 2 x 2 one."""
    assert best_in_honeycomb(150.0, 82.0, 40.0) == 2
    assert best_in_honeycomb(101.0, 82.0, 40.0) == 1
    pair = [frozenset({(0, 0), (0, 1)}), frozenset({(0, 1), (0, 2)}), frozenset({(0, 2), (0, 3)})]
    assert most_disjoint([(0, i) for i in range(4)], pair) == 2
    assert all(not a & b for a, b in combinations([pair[0], pair[2]], 2))
