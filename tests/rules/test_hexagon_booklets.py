"""The figures of Advaya's and Atreya's booklets are arenas by the rules, and show what is told."""

from __future__ import annotations

import re
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin

import pytest

from generator import build
from generator.rules import advaya
from tests.rules.arenas import Arena, Shape, Tile, is_sound
from tests.rules.figures import Figure, Laid, Point, figure, rules_of

ADVAYA, ATREYA = rules_of("advaya"), rules_of("atreya")
ADVAYA_ROWS = {piece.id: piece.row for piece in build.read("advaya").components[0].pieces}
ATREYA_ROWS = {piece.id: piece.row for piece in build.read("atreya").components[0].pieces}
CLOSED = figure(ADVAYA, "Six closed shapes")
PINNED = figure(ADVAYA, "The pale tiles are pinned")
COLOURED = figure(ATREYA, "Closed shapes")
START = figure(ATREYA, "The start.")
_CORNERS = [(cos(radians(60 * corner)), sin(radians(60 * corner))) for corner in range(6)]


def lined(one: Laid) -> Tile:
    """A tile of Advaya, its front."""
    row, found = ADVAYA_ROWS[one.piece], advaya.areas(advaya.parse(lines_of(one)))
    assert not one.is_back
    colours = dict(zip(found.of_sides, str(row["sides"]), strict=True))

    def area_at(point: Point) -> int:
        (area,) = {found.of_sides[side] for side in range(6) if is_seen(point, side, one)}
        return area

    return Tile(found.of_sides, [colours[n] for n in sorted(colours)], found.touching, area_at)


def lines_of(one: Laid) -> str:
    return str(ADVAYA_ROWS[one.piece]["segments"])


def is_seen(point: Point, side: int, one: Laid) -> bool:
    """From the point, past all lines: areas are not so crooked that none of its side is."""
    (ax, ay), (bx, by) = _CORNERS[side], _CORNERS[(side + 1) % 6]
    targets = [(ax + (bx - ax) * t / 20, ay + (by - ay) * t / 20) for t in range(1, 20)]
    ends = [*_CORNERS, (0.0, 0.0)]
    lines = [(ends[a], ends[b]) for a, b in advaya.parse(lines_of(one))]
    return any(not any(cross(point, at, *line) for line in lines) for at in targets)


def cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return left_of(a, b, c) != left_of(a, b, d) and left_of(c, d, a) != left_of(c, d, b)


def left_of(a: Point, b: Point, point: Point) -> bool:
    return (b[0] - a[0]) * (point[1] - a[1]) > (b[1] - a[1]) * (point[0] - a[0])


def ringed(one: Laid) -> Tile:
    """A tile of Atreya: areas are the centre, 0, and what its colour does not join to it."""
    row, side_ = ATREYA_ROWS[one.piece], "back_" if one.is_back else ""
    centre, sides = str(row[f"{side_}centre"]), str(row[f"{side_}sides"])
    numbers, colours = [0] * 6, [centre]
    start = next(k for k in range(6) if sides[k] != sides[k - 1])
    for k in ((start + step) % 6 for step in range(6)):
        if sides[k] != centre:
            if sides[k] != sides[k - 1] or k == start:
                colours.append(sides[k])
            numbers[k] = len(colours) - 1
    meeting = {(numbers[k - 1], numbers[k]) for k in range(6)} | {(0, n) for n in numbers}

    def area_at(point: Point) -> int:
        way = radians(degrees(atan2(point[1], point[0])) % 60 - 30)
        is_inner = hypot(*point) * cos(way) < 0.5 * cos(radians(30))
        return 0 if is_inner else numbers[int(degrees(atan2(point[1], point[0])) % 360 // 60)]

    return Tile(tuple(numbers), colours, {pair for pair in meeting if pair[0] != pair[1]}, area_at)


def numbered(shown: Figure, arena: Arena) -> dict[str, Shape]:
    return {number: arena.at(at) for number, at in shown.marks}


@pytest.mark.parametrize("shown", [CLOSED, PINNED, COLOURED, START], ids=lambda f: f.caption[:20])
def test_arena_is_sound(shown: Figure) -> None:
    """And matches in its colours, which an arena proves."""
    tiles = ringed if shown in (COLOURED, START) else lined
    assert is_sound(Arena(shown.laid, tiles).tiles.keys())


def test_closed_shapes_have_the_values_that_are_told() -> None:
    arena = Arena(CLOSED.laid, lined)
    shapes = numbered(CLOSED, arena)
    assert set(shapes.values()) == arena.closed
    told = [(arena.colour(shape), len(shape)) for shape in shapes.values()]
    assert told == [("W", 4), ("B", 3), ("B", 2), ("B", 2), ("B", 2), ("W", 2)]
    assert "(1) is worth 4" in CLOSED.caption
    assert "2 is worth 3, those from 3 to 6 are worth 2 each" in CLOSED.caption
    assert "Black's four (2 to 5) lie along shape 1" in CLOSED.caption
    assert all(arena.are_neighbours(shapes["1"], shapes[number]) for number in "2345")


def test_domination_scores_as_told() -> None:
    """The tile S closes shape 1 and 5; without it the arena is sound, and it can slide in."""
    arena = Arena(CLOSED.laid, lined)
    shapes = numbered(CLOSED, arena)
    (last,) = (at for at, one in arena.laid.items() if ADVAYA_ROWS[one.piece]["name"] == "S")
    assert arena.is_free(last)
    assert is_sound(arena.tiles.keys() - {last})
    now = {number for number, shape in shapes.items() if last in {cell for cell, _ in shape}}
    assert now == {"1", "5"}
    own = shapes["1"]
    along = {number for number, shape in shapes.items() if arena.are_neighbours(own, shape)}
    assert not any(len(shapes[number]) > len(own) for number in along)
    assert "shapes 2, 3 and 4 were closed before" in ADVAYA
    before = sorted(number for number in along - now if len(shapes[number]) < len(own))
    assert before == ["2", "3", "4"]
    ((terms, total),) = re.findall(r"White scores ([\d +]+) = \*\*(\d+)\*\*", ADVAYA)
    won = [len(own), *(len(shapes[number]) for number in before)]
    assert ([int(term) for term in terms.split("+")], int(total)) == (won, sum(won))


def test_pale_tiles_are_the_pinned_ones() -> None:
    assert [one._replace(is_faded=False) for one in PINNED.laid] == CLOSED.laid
    arena = Arena(PINNED.laid, lined)
    pinned = {cell for shape in arena.closed for cell, _ in shape}
    assert {cell for cell, one in arena.laid.items() if one.is_faded} == pinned
    others = [cell for cell in arena.tiles if cell not in pinned]
    assert {arena.cell(at) for at in PINNED.hexagons} == {*others}


def test_tiles_that_may_move_are_those_told() -> None:
    arena = Arena(PINNED.laid, lined)
    tiles = {number: arena.cell_at(at) for number, at in PINNED.marks}
    pinned = {cell for shape in arena.closed for cell, _ in shape}
    assert set(tiles.values()) == arena.tiles.keys() - pinned
    free = {number for number, cell in tiles.items() if arena.is_free(cell)}
    movable = {n for n in free if is_sound(arena.tiles.keys() - {tiles[n]})}
    assert free == movable == {"2", "3", "4"}
    assert "Of the others, 2, 3 and 4 may move. The start tile (1) is not pinned" in PINNED.caption
    assert ADVAYA_ROWS[arena.laid[tiles["1"]].piece]["name"] == "I"


def test_shapes_of_three_colours_have_the_values_that_are_told() -> None:
    arena = Arena(COLOURED.laid, ringed)
    shapes = numbered(COLOURED, arena)
    told = [(arena.colour(shape), len(shape)) for shape in shapes.values()]
    assert told == [("R", 5), ("G", 5), ("B", 5), ("B", 3), ("B", 2)]
    others = arena.closed - set(shapes.values())
    assert {len(shape) for shape in others if _has_a_side(arena, shape)} == {2}
    told_so = (
        "each is worth 5. Two more of blue's are small: 4 is worth 3, and 5 is worth 2, as are"
    )
    assert told_so in COLOURED.caption


def _has_a_side(arena: Arena, shape: Shape) -> bool:
    """It is more than a centre that no side joins."""
    return any(area in arena.tiles[cell].of_sides for cell, area in shape)


def test_start_tiles_meet_in_a_corner_with_each_colour_once() -> None:
    arena = Arena(START.laid, ringed)
    assert all(one.is_back and ATREYA_ROWS[one.piece]["start"] == "yes" for one in START.laid)
    assert len({one.piece for one in START.laid}) == len(START.laid) == 3
    meeting = [arena.tiles[cell].colours[area] for (cell, area), _ in arena.contacts]
    assert sorted(meeting) == ["B", "G", "R"]


def test_arena_of_three_colours_grew_from_the_start() -> None:
    """The first three tiles of it lie as the start does."""
    places = [
        [(b.x - a.x, b.y - a.y, b.turn) for a, b in pairwise(shown.laid[:3])]
        for shown in (START, COLOURED)
    ]
    assert [one.piece for one in START.laid] == [one.piece for one in COLOURED.laid[:3]]
    assert places[0] == [pytest.approx(place, abs=0.02) for place in places[1]]
