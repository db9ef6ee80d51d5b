"""The set is made from its properties; the table is the set; each fault of a tile is named."""

from __future__ import annotations

import pytest

from generator.basics.errors import MisfitError
from generator.games.advaya import tiles as advaya
from generator.games.advaya.checks import AdvayaSet
from generator.pipeline.game import CHECKS
from tests.games.conftest import Edit, Planted, assert_named, copied

TILES = "advaya/tiles.csv"
RULE = AdvayaSet()


def test_set_has_the_published_numbers() -> None:
    """Those that Anton Pirogov tells: types, each of a connectivity of its own, and tiles."""
    drawings = [type_.drawing for type_ in advaya.types()]
    assert len({advaya.connectivity(drawing) for drawing in drawings}) == len(drawings) == 27
    assert [advaya.flaw(drawing) for drawing in drawings] == [""] * 27
    assert sum(len(type_.colourings) for type_ in advaya.types()) == 49


def test_set_holds_the_reflection_of_each_type() -> None:
    drawn = {advaya.least_turn(type_.drawing) for type_ in advaya.types()}
    assert {advaya.least_turn(advaya.behind(drawing)) for drawing in drawn} == drawn


def test_five_types_have_one_colouring() -> None:
    """Where a turn inverts the colours: I, *, H, S and N."""
    single = {advaya.least_turn(t.drawing) for t in advaya.types() if len(t.colourings) == 1}
    told = ("0-3", "0-3 1-4 2-5", "0-4 1-3 2-5", "0-3 0-4 1-3", "0-4 1-3 1-4")
    assert single == {advaya.least_turn(advaya.parse(lines)) for lines in told}


def test_areas_of_a_tile() -> None:
    """The line 0-3 halves it, 3-1 cuts side 1 and 2 off, 0-4 side 4 and 5."""
    areas = advaya.areas(advaya.parse("0-3 0-4 1-3"))
    assert areas.of_sides == (0, 1, 1, 2, 3, 3)
    assert areas.touching == {(0, 1), (0, 2), (2, 3)}


def test_areas_that_touch_in_the_centre_share_no_line() -> None:
    areas = advaya.areas(advaya.parse("0-3 1-4 2-5"))
    assert areas.touching == {(k, k + 1) for k in range(5)} | {(0, 5)}


@pytest.mark.parametrize("type_", advaya.types(), ids=lambda t: advaya.write_tile(t.drawing))
def test_colourings_part_what_a_line_parts(type_: advaya.TileType) -> None:
    areas = advaya.areas(type_.drawing)
    assert len({advaya.colour_areas(type_.drawing, sides) for sides in type_.colourings}) == len(type_.colourings)
    for sides in type_.colourings:
        colours = dict(zip(areas.of_sides, sides, strict=True))
        assert [colours[area] for area in areas.of_sides] == list(sides)
        assert all(colours[a] != colours[b] for a, b in areas.touching)


@pytest.mark.parametrize(
    ("lines", "flaw"),
    [
        ("", ""),
        ("0-6", "a line ends alone in the centre"),
        ("0-3 1-6", ""),
        ("0-2 1-3 2-4 3-5 0-4 1-5", "an area has no whole side"),
    ],
)
def test_flaw(lines: str, flaw: str) -> None:
    assert advaya.flaw(advaya.parse(lines)) == flaw


def test_opposite_radii_are_one_line() -> None:
    assert advaya.parse("0-6 3-6") == advaya.parse("0-3")


@pytest.mark.parametrize("line", ["0-1", "3-0", "0-7", "0", "6-6", "x"])
def test_what_is_no_line(line: str) -> None:
    with pytest.raises(MisfitError, match=f"'{line}' is not a line of a tile"):
        advaya.parse(f"0-3 {line}")


def test_published_table_is_the_set(planted: Planted) -> None:
    assert planted(RULE, TILES) == []
    assert CHECKS["advaya.set"] is AdvayaSet


START = "1,I,0-3,BBBWWW,0-3,WWWBBB\n"
STAR = "2,*,0-3 1-4 2-5,BWBWBW,0-3 1-4 2-5,WBWBWB\n"
VX = "49,vx,0-4 1-6 2-6 3-5,WBWBWB,0-4 1-6 2-6 3-5,BWBWBW\n"
TURNED_VX = "50,vx,1-5 2-6 3-6 0-4,BWBWBW,0-6 1-6 2-4 3-5,WBWBWB\n"
NO_START = ("game.toml:9", "the start tile I (0-3 BBBWWW) is missing")
NO_VR = ("game.toml:9", "the other Vr (0-4 1-4 BWWWWW) is missing")
# Edits of the table; where and what is then told, the lines without the file.
FAULTS: dict[str, tuple[list[Edit], list[tuple[str, str]]]] = {
    "a tile is missing": ([(VX, "")], [("game.toml:9", "the other vx (0-4 1-6 2-6 3-5 WBWBWB) is missing")]),
    "the start tile is missing": ([(START, "")], [NO_START]),
    "a type is missing": ([(STAR, "")], [("game.toml:9", "the tile 0-3 1-4 2-5 BWBWBW is missing")]),
    "double, and turned": ([(VX, VX + TURNED_VX)], [(":51", "50 (vx) is the same tile as 49 (vx)")]),
    "no line": ([("12,Vr,0-4 1-4,", "12,Vr,,")], [(":13", "12 (Vr) has no line"), NO_VR]),
    "what is no line": (
        [("12,Vr,0-4 1-4,", "12,Vr,0-4 1-7,")],
        [(":13", "12 (Vr): '1-7' is not a line of a tile"), NO_VR],
    ),
    "five sides": (
        [(START, START.replace("BBBWWW", "BBBWW"))],
        [(":2", "1 (I): 'BBBWW' are not six sides, each B or W"), NO_START],
    ),
    "a third colour": (
        [(START, START.replace("BBBWWW", "BBBWWG"))],
        [(":2", "1 (I): 'BBBWWG' are not six sides, each B or W"), NO_START],
    ),
    "a line that ends in the centre": (
        [(START, "1,I,0-6,BBBWWW,3-6,WWWBBB\n")],
        [(":2", "1 (I) is not in the set: a line ends alone in the centre"), NO_START],
    ),
    "an area without a side": (
        [(START, "1,I,0-2 1-3 2-4 3-5 0-4 1-5,BBBWWW,0-3,WWWBBB\n")],
        [(":2", "1 (I) is not in the set: an area has no whole side"), NO_START],
    ),
    "three colours needed": (
        [(START, "1,I,0-6 2-6 4-6,BBWWBB,1-6 3-6 5-6,WBBWWW\n")],
        [(":2", "1 (I) is not in the set: it needs three colours"), NO_START],
    ),
    "another drawing of a connectivity": (
        [(START, "1,I,0-6 2-6,BBWWWW,1-6 3-6,BWWBBB\n")],
        [(":2", "1 (I) is not in the set: tiles of its connectivity are drawn 1-5, in some turn"), NO_START],
    ),
    "two colours in one area": (
        [(START, START.replace("BBBWWW", "BBWWWW"))],
        [(":2", "1 (I) is coloured wrongly: sides 0 and 2 are one area, but B and W"), NO_START],
    ),
    "one colour on both sides of a line": (
        [(START, START.replace("BBBWWW", "BBBBBB"))],
        [(":2", "1 (I) is coloured wrongly: a line parts sides 0 and 3, but both are B"), NO_START],
    ),
    "the back's colours": (
        [(",WWBBBW\n5,", ",WWBBBB\n5,")],
        [
            (
                ":5 column back_sides",
                "4 (S): the back's sides are 'WWBBBB'; the front's, mirrored and inverted, are WWBBBW",
            )
        ],
    ),
    "the back's lines are the front's": (
        [("6,i,0-4,BBBBWW,3-5", "6,i,0-4,BBBBWW,0-4")],
        [(":7 column back_segments", "6 (i): the back's lines are '0-4'; the front's, mirrored, are 3-5")],
    ),
    "the back's lines are none": (
        [("6,i,0-4,BBBBWW,3-5", "6,i,0-4,BBBBWW,3 5")],
        [(":7 column back_segments", "6 (i): the back's lines are '3 5'; the front's, mirrored, are 3-5")],
    ),
    "two names of one type": (
        [("16,W,", "16,Q,")],
        [(":18 column name", "16 (Q) and 17 (W) are of one type with two names")],
    ),
    "the name of another type": (
        [("16,W,", "16,M,")],
        [(":18 column name", "16 (M) and 17 (W) are of one type with two names")],
    ),
    "one name of two types": (
        [("2,*,", "2,H,")],
        [(":4 column name", "2 (H) and 3 (H) are of two types with one name")],
    ),
    "the start tile's name": ([("1,I,", "1,J,")], [(":2 column name", "1 (J) is the start tile, but is not named I")]),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_named(name: str, planted: Planted) -> None:
    assert_named(planted, RULE, TILES, FAULTS[name])


def test_copies_are_doubles() -> None:
    (twice,) = copied(RULE, TILES, 2)
    assert (str(twice.place), twice.what) == (f"{TILES}:2", "1 (I) has 2 copies, not one")
    (never,) = copied(RULE, TILES, 0)
    assert never.what == NO_START[1]
