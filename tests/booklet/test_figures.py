"""A figure shows how high its pieces lie, and what is allowed, in a look of its own each."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from coloraide import Color
from msgspec.structs import replace

from generator import booklet
from generator.basics.errors import Place, PnpError
from generator.basics.geometry import Point, Size
from generator.basics.shapes import box_of
from generator.booklet.figure import LAYER, Figure, Sign, Stroke, read_figure
from generator.booklet.paging import PageDesign
from generator.booklet.plates import make_plate
from generator.booklet.reading import FigureLine, MarkdownFigure
from generator.text import HOUSE_FONTS, FontBook
from tests.booklet.talavera import rules, talavera
from tests.booklet.test_cover import game_drawn

ROOM = Size(1000.0, 1000.0)
PLACE = Place("rules.md", 1)
FONT = PageDesign(rules("# T"), FontBook([HOUSE_FONTS])).bold


def table(*lines: str) -> Figure:
    game, drawn = talavera()
    index = booklet.FaceIndex(game.components, drawn, {})
    body = tuple(FigureLine(number, text) for number, text in enumerate(lines, 2))
    return read_figure(MarkdownFigure("table", "", body, 1), index, PLACE)


def height(*lines: str) -> float:
    return make_plate(table(*lines), ROOM, "#b5482a", FONT).size.height


def test_a_level_lifts_pieces_and_their_marks_alike() -> None:
    low = table("cards 3 at 0 20", "ring 9 30 4", "layers 3 at 9 40", "tick at 9 50")
    high = table("cards 3 at 0 20 level 3", "ring 9 30 4 level 3", "layers 3 at 9 40 level 3", "tick at 9 50 level 3")
    tops = [box_of(line.placed[0].outline()).y0 for line in (low, high)]
    assert tops[0] - tops[1] == pytest.approx(2 * LAYER)
    for mark, other in zip(low.marks, high.marks, strict=True):
        if isinstance(mark, Stroke) and isinstance(other, Stroke):
            assert box_of(mark.points).y0 - box_of(other.points).y0 == pytest.approx(2 * LAYER)
        else:
            assert isinstance(mark, Sign)
            assert other == replace(mark, at=Point(mark.at.x, mark.at.y - 2 * LAYER))


def test_the_side_of_a_piece_on_a_level_shows_below_it() -> None:
    assert height("cards 3 at 0 0 level 1") - height("cards 3 at 0 0") == pytest.approx(LAYER)


def test_a_piece_on_a_level_has_a_dark_edge_and_on_others_a_shadow() -> None:
    """A pale one has no such edge: it was there before."""
    looks = [("1", False, True), ("1 faded", False, False), ("2", True, True), ("2 faded", True, False)]
    for level, has_shadow, is_dark in looks:
        plate = make_plate(table(f"cards 3 at 0 0 level {level}"), ROOM, "#b5482a", FONT)
        sides, *_, edge = (placed.layer.svg for placed in plate.layers)
        assert ("rgba(" in sides) == has_shadow, level
        assert ('stroke="#1d1d1b"' in edge) == is_dark, level


def test_what_stands_has_a_white_rim_below_its_dark_edge() -> None:
    """It shows on a piece of its own colour."""
    game, drawn = game_drawn("taluva")
    index = booklet.FaceIndex(game.components, drawn, {})
    lines = (FigureLine(2, "huts red-hut at 0 0"),)
    figure = read_figure(MarkdownFigure("table", "", lines, 1), index, PLACE)
    edge = make_plate(figure, ROOM, "#b5482a", FONT).layers[-1].layer.svg
    strokes = re.findall(r'stroke="(#\w+)"', edge)
    widths = [float(width) for width in re.findall(r'stroke-width="([\d.]+)"', edge)]
    assert strokes == ["#ffffff", "#1d1d1b"]
    assert widths[0] > 2 * widths[1]


def test_a_folded_piece_stands_on_a_level_without_a_side() -> None:
    game, drawn = game_drawn("taluva")
    index = booklet.FaceIndex(game.components, drawn, {})
    low, high = (
        read_figure(MarkdownFigure("table", "", (FigureLine(2, text),), 1), index, PLACE).placed[0]
        for text in ("huts red-hut at 0 0", "huts red-hut at 0 0 level 2")
    )
    assert (low.level, high.level) == (0, 0)
    edge = make_plate(Figure(placed=[low]), ROOM, "#b5482a", FONT).layers[-1].layer.svg
    assert 'stroke="#1d1d1b"' in edge  # in grey a red hut is as dark as the lake below it
    assert box_of(low.outline()).y0 - box_of(high.outline()).y0 == pytest.approx(LAYER)


def test_an_area_is_dimmed_and_keeps_its_colours_apart() -> None:
    """White and black beside it, and both in it, differ by their lightness (CIELAB), which a grey
    print keeps."""
    area = make_plate(table("area 0 0, 9 0, 9 9"), ROOM, "#b5482a", FONT)
    (fill,) = re.findall(r'<path[^>]* fill="(.+?)"', area.layers[-1].layer.svg)
    *channels, opacity = (float(part) for part in re.findall(r"[\d.]+", fill))
    veil = Color("srgb", [channel / 255 for channel in channels])
    seen = [
        veil.mix(ground, 1 - opacity, space="srgb").convert("lab-d65")["lightness"] for ground in ("white", "black")
    ]
    steps = [100.0, *seen, 0.0]
    assert min(light - dark for light, dark in pairwise(steps)) > 15


def test_an_arrow_passes_the_points_on_its_way() -> None:
    (mark,) = table("arrow 0 0, 5 -5 to 10 0").marks
    assert mark == Stroke((Point(0, 0), Point(5, -5), Point(10, 0)), is_arrow=True)


def test_an_area_has_three_points() -> None:
    with pytest.raises(PnpError, match="an area needs three points or more"):
        table("area 0 0, 9 0")


def test_looks_differ_without_colour() -> None:
    """A cross is light on dark, a tick dark on light, a number has no layers."""
    inks = {
        line: make_plate(table(line), ROOM, "#b5482a", FONT).layers[-1].layer.svg
        for line in ("cross at 9 9", "tick at 9 9", "number 3 at 9 9", "layers 3 at 9 9")
    }
    assert 'stroke="#ffffff"' in inks["cross at 9 9"]
    assert 'stroke="#1d1d1b"' in inks["tick at 9 9"]
    assert inks["layers 3 at 9 9"].count("<rect") == inks["number 3 at 9 9"].count("<rect") + 5


@pytest.mark.parametrize("level", ["0", "10", "two", "-1", "1.5", "²"])
def test_a_level_is_a_whole_number(level: str) -> None:
    with pytest.raises(PnpError, match="is not a level"):
        table(f"cards 3 at 0 0 level {level}")
