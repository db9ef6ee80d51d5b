"""A board in panels: cut from its finished pages and joined, it is the board; all roads know it."""

from __future__ import annotations

import io
import re
import shutil
from functools import cache
from math import ceil, dist, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pikepdf
import pypdfium2
import pytest
from numpy.typing import NDArray
from PIL import Image

from generator.basics.geometry import Rect
from generator.export.cuts.paths import contour_of, points_of
from generator.model import SIDES, BoardPanel, Tiling
from generator.pdf import Press
from generator.pipeline.checking import check
from generator.pipeline.planning import plan
from generator.pipeline.printing import ImposedGame, impose_game
from generator.pipeline.sheets import print_sheets, silent
from tests.support.printing import request_of

BOARD = Path(__file__).parents[1] / "recipes/large-board"
LARGE = "600x420mm"  # where the board is whole
PX = 6  # pixels a mm of pages, twice those that are compared
MM_PER_PT = 25.4 / 72


@cache
def made(folder: Path, paper: str) -> tuple[ImposedGame, bytes]:
    game = impose_game(request_of(str(folder), paper, only=("board",)), silent)
    with Press() as press:
        return game, print_sheets(game.game, game.sheets, game.drawn, press, silent)


def tiling_of(game: ImposedGame) -> Tiling:
    tiling = game.sheets[0].tiling
    assert tiling
    return tiling


def changed(folder: Path, old: str, new: str) -> Path:
    """A copy of the board with another line."""
    copy = folder / "board"
    shutil.copytree(BOARD, copy)
    spec = copy / "game.toml"
    text = spec.read_text("utf-8")
    assert old in text
    spec.write_text(text.replace(old, new), "utf-8")
    return copy


class PrintedPage(NamedTuple):
    """A page as it is read, and its trim box: left, top, right, bottom in pixels."""

    picture: Image.Image
    trim: tuple[float, float, float, float]

    def cut(self, part: Rect, at: tuple[float, float]) -> tuple[Image.Image, tuple[int, int]]:
        """A part (mm) of what is within the trim, and the pixel where it goes on a picture on which
        its corner is `at` (mm)."""
        x, y = (ceil(mm * PX - 1e-6) for mm in at)
        size = round(part.width * PX), round(part.height * PX)
        left = self.trim[0] + part.x0 * PX + x - at[0] * PX
        top = self.trim[1] + part.y0 * PX + y - at[1] * PX
        mapping = (1.0, 0.0, left, 0.0, 1.0, top)
        bicubic = Image.Resampling.BICUBIC
        return self.picture.transform(size, Image.Transform.AFFINE, mapping, bicubic), (x, y)


def printed_pages(pdf: bytes) -> list[PrintedPage]:
    """Each page of a file that is turned on the long edge: backs across are upside down."""
    pages = []
    with pikepdf.open(io.BytesIO(pdf)) as boxes, pypdfium2.PdfDocument(pdf) as document:
        for number, page in enumerate(boxes.pages):
            wide, high = (float(side) * MM_PER_PT * PX for side in page.mediabox[2:])
            x0, y0, x1, y1 = (float(point) * MM_PER_PT * PX for point in page.trimbox)
            trim = x0, high - y1, x1, high - y0
            picture = document[number].render(scale=MM_PER_PT * PX).to_pil().convert("RGB")
            if number % 2 and wide > high:
                picture, trim = picture.rotate(180), (wide - x1, y0, wide - x0, y1)
            pages.append(PrintedPage(picture, trim))
    return pages


def seen_of(panel: BoardPanel, side: str, width: float) -> tuple[Rect, Rect]:
    """The part of a panel that is seen, on the panel and on the piece; on the back, from behind."""
    box, seen = panel.box, panel.seen if side == "front" else panel.seen_behind
    if side == "back":
        box, seen = (Rect(width - r.x1, r.y0, width - r.x0, r.y1) for r in (box, seen))
    return seen.moved(-box.x0, -box.y0), seen


def join(folder: Path, side: str) -> Image.Image:
    game, pdf = made(folder, "a4")
    pages = [page for sheet in game.sheets for page in sheet.pages]
    width, height = tiling_of(game).size
    joined = Image.new("RGB", (round(width * PX), round(height * PX)), "magenta")
    for page, printed in zip(pages, printed_pages(pdf), strict=True):
        panel = page.placements[0].panel
        assert panel
        if page.side == side:
            part, at = seen_of(panel, side, width)
            joined.paste(*printed.cut(part, (at.x0, at.y0)))
    return joined


def reduced(picture: Image.Image) -> NDArray[np.int16]:
    """Without the outermost pixels, which are shared with what is beside the trim."""
    return np.asarray(picture.reduce(2)).astype(np.int16)[1:-1, 1:-1]


@pytest.mark.parametrize(("joint", "side"), [("butt", "front"), ("overlap", "back")])
def test_the_joined_panels_are_the_board(joint: str, side: str, tmp_path: Path) -> None:
    board = changed(tmp_path, '"butt"', f'"{joint}"')
    game, pdf = made(board, LARGE)
    width, height = game.game.components[0].size
    page = printed_pages(pdf)[SIDES.index(side)]
    whole, _ = page.cut(Rect(0.0, 0.0, width, height), (0.0, 0.0))
    differ = np.abs(reduced(whole) - reduced(join(board, side))).max(axis=2)
    assert differ.max() < 110, "an edge is where it is on the whole board, but for smoothing"
    moved = np.abs(reduced(whole)[2:] - reduced(whole)[:-2]).max(axis=2)
    assert moved.max() > 150, "what is off by half a mm differs by more"


def test_joints_cut_no_word_and_no_island() -> None:
    """Of either side, as they are drawn: circles and texts, those of the back from behind."""
    tiling = tiling_of(made(BOARD, "a4")[0])
    for file, is_behind in (("flood.svg", False), ("ebb.svg", True)):
        drawn = (BOARD / file).read_text("utf-8")
        circles = re.findall(r'<circle cx="(.+?)" cy="(.+?)" r="(.+?)"', drawn)
        assert len(circles) == 6
        for x, y, radius in (map(float, circle) for circle in circles):
            seen = tiling.size.width - x if is_behind else x
            assert all(abs(joint - seen) > radius for joint in tiling.lefts[1:])
            assert all(abs(joint - y) > radius for joint in tiling.tops[1:])
        assert not any(140.0 < joint < 155.0 for joint in tiling.tops), "the word in the middle"


def test_the_machine_cuts_panels_whose_outer_corners_are_round(tmp_path: Path) -> None:
    board = changed(tmp_path, 'size = "420x297mm"', 'size = "420x297mm"\ncorner_radius = "9mm"')
    game, _ = made(board, "a4")
    [component] = game.game.components
    first, *_, last = tiling_of(game).panels
    for panel, round_one in ((first, first.box.corners()[0]), (last, last.box.corners()[2])):
        points = points_of(contour_of(component, 0.0, panel))
        corners = [corner for corner in panel.box.corners() if corner not in points]
        assert corners == [round_one]
        assert min(dist(point, round_one) for point in points) == pytest.approx(9.0 * (sqrt(2) - 1), abs=0.05)
        grown = [*zip(*points_of(contour_of(component, 0.5, panel)), strict=True)]
        assert max(grown[0]) - min(grown[0]) == pytest.approx(panel.box.width + 1.0)


def test_a_plan_and_a_check_tell_of_panels() -> None:
    [row] = plan(request_of(str(BOARD), "a4", only=("board",)), silent).rows
    assert (row.panels, row.pieces, row.sheets, row.per_sheet) == ("A1–B2", 4, 4, 1)
    assert 0.5 < row.used < 1.0
    assert check(str(BOARD), options={"paper": "a4"}) == []  # its spec asks for panels
    [row] = plan(request_of(str(BOARD), LARGE, only=("board",)), silent).rows
    assert (row.panels, row.pieces) == ("", 1)


@pytest.mark.parametrize(
    ("line", "rows", "is_tiled"),
    [
        ("", 1, True),
        ("tile = false", 1, False),
        ("tile = true", 2, True),
        ("", 2, False),  # two that share a back, as cards do
    ],
)
def test_which_pieces_are_in_panels(line: str, rows: int, is_tiled: bool, tmp_path: Path) -> None:
    board = changed(tmp_path, 'tile = "butt"', line)
    if rows == 2:
        spec = board / "game.toml"
        text = spec.read_text("utf-8")
        more = '[[component.row]]\nid = "{id}"\nside = "{id}"\n'
        rows_of = "".join(more.format(id=name) for name in ("flood", "ebb"))
        text = text.replace('[[component.row]]\nid = "tide"\n', rows_of)
        text = text.replace('template = "flood.svg"', 'template = "{{ side }}.svg"')
        spec.write_text(text, "utf-8")
    every = check(str(board), options={"paper": "a4"})
    found = [problem for problem in every if not problem.rule.startswith("kit")]
    by_itself = is_tiled and not line
    assert [problem.level for problem in found] == ["note"] * by_itself + ["error"] * (not is_tiled)
    if not is_tiled:
        assert found[0].hint.endswith(", or tile = true, which prints it in panels")
