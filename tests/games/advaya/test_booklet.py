"""The figures of Advaya's booklet are arenas by its rules, and show what is told."""

from __future__ import annotations

import re
from math import cos, radians, sin

import pytest

from generator import pipeline
from generator.faces.track import Track
from generator.games.advaya import tiles as advaya
from tests.games.arenas import Arena, Shape, Tile, is_sound, neighbours
from tests.games.figures import WORDS, Figure, Laid, Point, figure, in_a_line, rules_of

RULES = rules_of("advaya")
TEXT = in_a_line(RULES)
ADVAYA = pipeline.read("advaya")
PARTS = {component.id: component for component in ADVAYA.game.components}
ROWS = {piece.id: piece.row for piece in PARTS["tiles"].pieces}
CLOSED = figure(RULES, "Six closed shapes")
PINNED = figure(RULES, "The pale tiles are pinned")
SIDES = figure(RULES, "The two sides of one tile")
SLIDES = figure(RULES, "Tile 1 can slide")
_CORNERS = [(cos(radians(60 * corner)), sin(radians(60 * corner))) for corner in range(6)]


def lined(one: Laid) -> Tile:
    """A tile of Advaya, its front."""
    row, found = ROWS[one.piece], advaya.areas(advaya.parse(lines_of(one)))
    assert not one.is_back
    colours = dict(zip(found.of_sides, str(row["sides"]), strict=True))

    def area_at(point: Point) -> int:
        (area,) = {found.of_sides[side] for side in range(6) if is_seen(point, side, one)}
        return area

    return Tile(found.of_sides, [colours[n] for n in sorted(colours)], found.touching, area_at)


def lines_of(one: Laid) -> str:
    return str(ROWS[one.piece]["segments"])


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


def numbered(shown: Figure, arena: Arena) -> dict[str, Shape]:
    return {number: arena.at(at) for number, at in shown.marks}


@pytest.mark.parametrize("shown", [CLOSED, PINNED], ids=lambda f: f.caption[:20])
def test_arena_is_sound(shown: Figure) -> None:
    """And matches in its colours, which an arena proves."""
    assert is_sound(Arena(shown.laid, lined).tiles.keys())


def test_closed_shapes_have_the_described_values() -> None:
    arena = Arena(CLOSED.laid, lined)
    shapes = numbered(CLOSED, arena)
    assert set(shapes.values()) == arena.closed
    told = [(arena.colour(shape), len(shape)) for shape in shapes.values()]
    assert told == [("W", 4), ("B", 3), ("B", 2), ("B", 2), ("B", 2), ("W", 2)]
    assert "".join(shapes) == "123456"
    assert "(1) is worth 4" in CLOSED.caption
    assert "2 is worth 3, those from 3 to 6 are worth 2 each" in CLOSED.caption
    assert "Black's four (2 to 5) lie along shape 1" in CLOSED.caption
    assert all(arena.are_neighbours(shapes["1"], shapes[number]) for number in "2345")


def test_domination_scores_as_described() -> None:
    """The tile S closes shape 1 and 5; without it the arena is sound, and it can slide in."""
    arena = Arena(CLOSED.laid, lined)
    shapes = numbered(CLOSED, arena)
    (last,) = (at for at, one in arena.laid.items() if ROWS[one.piece]["name"] == "S")
    assert arena.is_free(last)
    assert is_sound(arena.tiles.keys() - {last})
    now = {number for number, shape in shapes.items() if last in {cell for cell, _ in shape}}
    assert now == {"1", "5"}
    own = shapes["1"]
    along = {number for number, shape in shapes.items() if arena.are_neighbours(own, shape)}
    assert not any(len(shapes[number]) > len(own) for number in along)
    assert "shapes 2, 3 and 4 were closed before" in RULES
    before = sorted(number for number in along - now if len(shapes[number]) < len(own))
    assert before == ["2", "3", "4"]
    ((terms, total),) = re.findall(r"White scores ([\d +]+) = \*\*(\d+)\*\*", RULES)
    won = [len(own), *(len(shapes[number]) for number in before)]
    assert ([int(term) for term in terms.split("+")], int(total)) == (won, sum(won))
    worth = f"It is worth {won[0]}, and dominates these neighbours, worth {won[1]}, {won[2]} and"
    assert f"white lays the tile S and closes shape 1. {worth} {won[3]}." in TEXT
    assert f"Shape {max(now)} adds nothing" in TEXT


def test_big_is_what_the_caption_calls_so() -> None:
    arena = Arena(CLOSED.laid, lined)
    values = {number: len(shape) for number, shape in numbered(CLOSED, arena).items()}
    assert "it is big. The others are small" in CLOSED.caption
    first, *others = (values[number] for number in "123456")
    limits = re.findall(r"worth less than (\d) is \*\*small|big from (\d) on", TEXT)
    assert {int(one or other) for one, other in limits} == {first}
    assert len(limits) == 2
    assert max(others) < first


def test_kit_is_as_described() -> None:
    kinds = {piece.id: piece.copies for piece in PARTS["tokens"].pieces}
    each = f"{kinds['pinned']} for pinned tiles, one for the last move, one for the target, one for"
    assert f"{sum(kinds.values())} tokens: {each} the track" in TEXT
    assert [kinds[kind] for kind in ("last-moved", "target", "progress")] == [1, 1, 1]
    assert f"believes that all {len(PARTS['tiles'].copies())} can be" in TEXT


def test_track_counts_the_described_moves() -> None:
    """The field after the last number ends the game."""
    front = ADVAYA.design("track").front
    assert isinstance(front, Track)
    start, *numbers, end = front.fields
    assert numbers == [str(n + 1) for n in range(len(numbers))]
    assert f"put its token on *{start}*" in TEXT
    assert f"Once the rule is in force, a token on *{end}* ends the game" in TEXT
    moves, each = WORDS[len(numbers)], WORDS[len(numbers) // 2]
    assert f"after more than {moves} moves without progress, {each} by each player" in TEXT


def test_games_are_as_many_as_described() -> None:
    (section,) = re.findall(r"^## Five games\n(.+?)^## ", RULES, re.M | re.S)
    games = WORDS[section.count("\n### ")]
    assert f"## {games.capitalize()} games" in RULES
    assert f"one of the {games} games below" in TEXT


def test_pale_tiles_are_the_pinned_ones() -> None:
    assert [one._replace(is_faded=False) for one in PINNED.laid] == CLOSED.laid
    arena = Arena(PINNED.laid, lined)
    pinned = {cell for shape in arena.closed for cell, _ in shape}
    assert {cell for cell, one in arena.laid.items() if one.is_faded} == pinned
    others = [cell for cell in arena.tiles if cell not in pinned]
    assert {arena.cell(at) for at in PINNED.hexagons} == {*others}


def test_tiles_that_may_move_are_those_described() -> None:
    arena = Arena(PINNED.laid, lined)
    tiles = {number: arena.cell_at(at) for number, at in PINNED.marks}
    pinned = {cell for shape in arena.closed for cell, _ in shape}
    assert set(tiles.values()) == arena.tiles.keys() - pinned
    free = {number for number, cell in tiles.items() if arena.is_free(cell)}
    movable = {n for n in free if is_sound(arena.tiles.keys() - {tiles[n]})}
    assert free == movable == {"2", "3", "4"}
    assert "Of the others, 2, 3 and 4 may move. The start tile (1) is not pinned" in PINNED.caption
    assert ROWS[arena.laid[tiles["1"]].piece]["name"] == "I"


def test_tile_that_can_slide_is_free_and_the_other_is_not() -> None:
    """Both pictures show one arena; an arrow leads from each of the two outlined tiles."""
    can, cannot = SLIDES.laid[:6], SLIDES.laid[6:]
    apart = cannot[0].x - can[0].x
    assert [one._replace(x=round(one.x + apart, 2)) for one in can] == cannot
    arena = Arena(can, lined)
    assert is_sound(arena.tiles.keys())
    (free, (x, y)) = (at for _, at in SLIDES.marks)
    first, second = arena.cell_at(free), arena.cell_at((x - apart, y))
    outlined, (left, top) = SLIDES.hexagons
    assert [arena.cell(outlined), arena.cell((left - apart, top))] == [first, second]
    assert arena.is_free(first)
    assert not arena.is_free(second)
    empty = [beyond for beyond in neighbours(second) if beyond not in arena.tiles]
    assert len(empty) == 1
    assert "Tile 2 cannot: it has one empty side" in SLIDES.caption
    assert "it has two empty sides next to each other" in SLIDES.caption


def test_sides_of_a_tile_are_shown_side_by_side() -> None:
    front, back = SIDES.laid
    assert front.piece == back.piece
    assert (front.is_back, back.is_back) == (False, True)
    assert [name for name, _ in SIDES.marks] == ["front", "back"]
    assert "a front with blue lines and a back with red, doubled ones" in TEXT


def test_what_can_slide_has_a_tick_and_what_cannot_a_cross() -> None:
    (tick, (left, _)), (cross_, (right, _)) = SLIDES.signs
    assert (tick, cross_) == ("tick", "cross")
    assert left < min(one.x for one in SLIDES.laid[6:]) < right


def test_setup_shows_the_start_tile_and_the_parts_of_the_kit() -> None:
    shown = figure(RULES, "The setup.")
    start, *pool = shown.of("tiles")
    assert ROWS[start.piece]["name"] == "I"
    assert len({start.piece, *(one.piece for one in pool)}) == len(pool) + 1
    assert {one.component for one in shown.laid} == PARTS.keys() - {"box"}
    kinds = {piece.id for piece in PARTS["tokens"].pieces}
    assert {one.piece for one in shown.of("tokens")} == kinds
    (track,) = shown.of("track")
    (token,) = (one for one in shown.laid if one.piece == "progress")
    fields = PARTS["track"].size.width / 8
    assert track.x < token.x < track.x + fields
    box = (
        track.x,
        track.y,
        track.x + PARTS["track"].size.width,
        track.y + PARTS["track"].size.height,
    )
    inside = [at for _, at in shown.marks if box[0] < at[0] < box[2] and box[1] < at[1] < box[3]]
    assert not inside, "a mark on a numbered field would be read as a number"
