"""The set is made from its colours; the table is the set; each fault of a tile is named."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from generator.games.atreya.checks import AtreyaSet, start_back, tile, tiles
from generator.games.hexagon import mirrored, turned, turns
from generator.pipeline.game import CHECKS
from tests.games.conftest import Edit, Planted, assert_named, copied

TABLE = "atreya/tiles.csv"
RULE = AtreyaSet()


def test_number_of_tiles_is_burnside_s() -> None:
    """Of the 540 rims with three colours each is counted once for every symmetry that keeps it."""
    rims = ["".join(rim) for rim in product("RGB", repeat=6) if len(set(rim)) == 3]
    kept = sum([turned(rim, by), turned(mirrored(rim), by)].count(rim) for rim in rims for by in range(6))
    assert (len(rims), kept % 12) == (540, 0)
    assert len(tiles()) == 3 * kept // 12 == 168


@pytest.mark.parametrize("sides", ["BGRRRR", "BRGBGR", "RGBRGB"])
def test_turned_and_flipped_it_is_the_same_tile(sides: str) -> None:
    for other in (*turns(sides), *turns(mirrored(sides))):
        assert tile("R", other) == tile("R", sides) in tiles()
    assert tile("G", sides) != tile("R", sides)


def can_meet(*tiles: str) -> bool:
    """Clockwise round a corner each tile ends with the side that the next begins with."""
    corners = [{tile[k - 1] + tile[k] for k in range(6)} for tile in tiles]
    rounds = product(*corners)
    return any(
        all(a[1] == b[0] for a, b in pairwise((*met, met[0]))) and len({a[0] for a in met}) == 3 for met in rounds
    )


def test_start_tiles_meet_in_one_corner() -> None:
    red, blue, green = (start_back(colour) for colour in "RBG")
    assert (red, green, blue) == ("RRRRBG", "GGGGRB", "BBBBGR")
    assert can_meet(red, blue, green)
    assert not can_meet(red[::-1], blue, green)


def test_published_table_is_the_set(planted: Planted) -> None:
    assert planted(RULE, TABLE) == []
    assert CHECKS["atreya.set"] is AtreyaSet


ROW_1 = "1,R,BGRRRR,R,RGBRRR,yes\n"
ROW_4 = "4,R,BRGRRR,R,GRBRRR,\n"
MISSING = ("game.toml:9", "the tile R BGRRRR, in some turn or flipped, is missing")
# Edits of the table; where and what is then told, the lines without the file.
FAULTS: dict[str, tuple[list[Edit], list[tuple[str, str]]]] = {
    "a tile is missing": ([(ROW_1, "")], [MISSING]),
    "double, turned": (
        [(ROW_4, ROW_4 + "169,R,RBRGRR,R,RBRRRG,\n")],
        [(":6", "169 (R RBRGRR) is the same tile as 4 (R BRGRRR)")],
    ),
    "double, flipped": (
        [(ROW_4, ROW_4 + "169,R,GRBRRR,R,BRGRRR,\n")],
        [(":6", "169 (R GRBRRR) is the same tile as 4 (R BRGRRR)")],
    ),
    "a centre of no colour": (
        [(ROW_1, "1,Y,BGRRRR,Y,RGBRRR,yes\n")],
        [(":2", "1 (Y BGRRRR) has the centre 'Y', not R, G or B"), MISSING],
    ),
    "a centre of two colours": (
        [(ROW_1, "1,RG,BGRRRR,RG,RGBRRR,yes\n")],
        [(":2", "1 (RG BGRRRR) has the centre 'RG', not R, G or B"), MISSING],
    ),
    "five sides": (
        [(ROW_1, "1,R,BGRRR,R,RGBRRR,yes\n")],
        [(":2", "1 (R BGRRR) has the sides 'BGRRR', not six of R, G and B"), MISSING],
    ),
    "a side of no colour": (
        [(ROW_1, "1,R,BGRRRY,R,RGBYRR,yes\n")],
        [(":2", "1 (R BGRRRY) has the sides 'BGRRRY', not six of R, G and B"), MISSING],
    ),
    "two colours on the sides": (
        [(ROW_1, "1,R,GGRRRR,R,RGGRRR,yes\n")],
        [(":2", "1 (R GGRRRR) is not in the set: no side is B"), MISSING],
    ),
    "one colour on the sides": (
        [(ROW_1, "1,R,RRRRRR,R,RRRRRR,yes\n")],
        [(":2", "1 (R RRRRRR) is not in the set: no side is G or B"), MISSING],
    ),
    "another centre on the back": (
        [(ROW_4, ROW_4.replace("R,G", "G,G"))],
        [(":5 column back_centre", "4 (R BRGRRR): the back has 'G'; the front mirrored has R")],
    ),
    "a back that is turned": (
        [(ROW_4, ROW_4.replace("GRBRRR", "RGRBRR"))],
        [(":5 column back_sides", "4 (R BRGRRR): the back has 'RGRBRR'; the front mirrored has GRBRRR")],
    ),
    "a start tile not marked": (
        [(ROW_1, ROW_1.replace("yes", ""))],
        [(":2 column start", "1 (R BGRRRR) is a start tile, but not marked")],
    ),
    "another tile marked": (
        [(ROW_4, ROW_4.replace(",\n", ",yes\n"))],
        [(":5 column start", "4 (R BRGRRR) is marked, but not a start tile")],
    ),
    "marked otherwise": (
        [(ROW_1, ROW_1.replace("yes", "1"))],
        [(":2 column start", "1 (R BGRRRR) is marked '1': mark start tiles with yes, and no others")],
    ),
    "a start tile with its faces swapped": (
        [(ROW_1, "1,R,RGBRRR,R,BGRRRR,yes\n")],
        [(":2 column start", "1 (R RGBRRR) has its faces swapped: the back of a start tile reads RRRRBG clockwise")],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_named(name: str, planted: Planted) -> None:
    assert_named(planted, RULE, TABLE, FAULTS[name])


def test_row_of_no_copies_is_missing() -> None:
    (found,) = copied(RULE, TABLE, 0)
    assert found.what == MISSING[1]
