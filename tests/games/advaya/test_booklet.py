"""The figures of Advaya's booklet are arenas by its rules, and show what is told."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Set
from itertools import pairwise
from math import cos, dist, inf, radians, sin

import pytest
from shapely import Polygon

from generator import pipeline
from generator.faces.token import Token
from generator.faces.track import Track
from generator.games.advaya import tiles as advaya
from tests.games.advaya.referee import FAR, slides
from tests.games.arenas import (
    ACROSS,
    Arena,
    Cell,
    Shape,
    Tile,
    has_hole,
    is_sound,
    is_whole,
    neighbours,
)
from tests.games.conftest import TEMPLATES
from tests.games.figures import (
    WORDS,
    Figure,
    Laid,
    Point,
    figure,
    figure_without_caption,
    in_a_line,
    rules_of,
)

RULES = rules_of("advaya")
TEXT = in_a_line(RULES)
ADVAYA = pipeline.read("advaya")
PARTS = {component.id: component for component in ADVAYA.game.components}
ROWS = {piece.id: piece.row for piece in PARTS["tiles"].pieces}
CLOSED = figure(RULES, "Six closed shapes")
PINNED = figure(RULES, "The pale tiles are pinned")
SIDES = figure(RULES, "The two sides of one tile")
SLIDES = figure(RULES, "A tile of the pool can slide into place 1")
SOUND = figure(RULES, "Two arenas that are not sound")
ORDINALS = {7: "seventh"}
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


def test_each_piece_of_a_closed_shape_is_shaded() -> None:
    """And nothing else: a shade is in one piece, and just beyond each of its sides is another."""
    arena = Arena(CLOSED.laid, lined)
    shades = [Polygon(outline) for outline in CLOSED.areas]
    shaded = [arena.area_at(inside(shade)) for shade in shades]
    assert len(shaded) == len({*shaded})
    assert {*shaded} == {area for shape in arena.closed for area in shape}
    for shade, piece in zip(shades, shaded, strict=True):
        assert {arena.area_at(at) for at in middles_of_sides(shade)} == {piece}
        beyond = shade.buffer(1.0, join_style="mitre")  # lines are 1.23 mm wide
        assert piece not in {arena.area_at(at) for at in middles_of_sides(beyond)}


def inside(shade: Polygon) -> Point:
    at = shade.representative_point()
    return at.x, at.y


def middles_of_sides(shade: Polygon) -> list[Point]:
    """Of all sides but those that cut off a tip."""
    ends = pairwise(shade.exterior.coords)
    return [
        ((ax + bx) / 2, (ay + by) / 2)
        for (ax, ay), (bx, by) in ends
        if dist((ax, ay), (bx, by)) > 2
    ]


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
    assert "Shapes 2, 3 and 4 were closed before" in RULES
    before = sorted(number for number in along - now if len(shapes[number]) < len(own))
    assert before == ["2", "3", "4"]
    ((terms, total),) = re.findall(r"White scores ([\d +]+) = \*\*(\d+)\*\*", RULES)
    won = [len(own), *(len(shapes[number]) for number in before)]
    assert ([int(term) for term in terms.split("+")], int(total)) == (won, sum(won))
    worth = f"It is worth {won[0]}, and dominates these neighbours, worth {won[1]}, {won[2]} and"
    assert f"White lays the tile S and closes shape 1. {worth} {won[3]}." in TEXT
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
    assert f"Put its token on *{start}*" in TEXT
    assert f"the game ends when the token reaches *{end}*" in TEXT
    moves, each = WORDS[len(numbers)], WORDS[len(numbers) // 2]
    allowed = f"you have {moves} moves in a row without progress, {each} by each player"
    assert f"{allowed}; the {ORDINALS[len(numbers) + 1]} ends the game" in TEXT


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


def test_tiles_slide_into_one_of_the_two_places() -> None:
    """By geometry. Where the first place has a gap of two sides, the second has one more tile."""
    (first, cells), (second, more) = places_to_slide_to()
    assert (slides(cells, FAR, first), slides(more, FAR, second)) == (True, False)
    assert is_sound(cells)
    assert is_sound(more)
    assert shifted(cells, first) < shifted(more, second)
    assert "place 1: it has two empty sides next to each other" in SLIDES.caption
    assert "None can slide into place 2, where only one side is empty" in SLIDES.caption
    empty = [
        sum(beyond not in tiles for beyond in neighbours(at))
        for at, tiles in ((first, cells), (second, more))
    ]
    assert empty == [2, 1]


def places_to_slide_to() -> Iterator[tuple[Cell, frozenset[Cell]]]:
    """The outlined place of each half of the figure, and its tiles."""
    for half, at in zip(groups(SLIDES), SLIDES.hexagons, strict=True):
        arena = Arena(half, lined)
        yield arena.cell(at), frozenset(arena.tiles)


def groups(shown: Figure) -> list[list[Laid]]:
    """Tiles that lie apart from others, from left to right."""
    columns = sorted({one.x for one in shown.laid})
    starts = [right for left, right in pairwise(columns) if right - left > ACROSS]
    ends = pairwise([-inf, *starts, inf])
    return [[one for one in shown.laid if start <= one.x < end] for start, end in ends]


def shifted(cells: Set[Cell], place: Cell) -> set[Cell]:
    return {(x - place[0], y - place[1]) for x, y in cells}


def test_arrows_lead_into_the_places() -> None:
    """Each from outside to its place."""
    for (start, end), at in zip(SLIDES.arrows, SLIDES.hexagons, strict=True):
        assert dist(end, at) < ACROSS / 2 < ACROSS < dist(start, at)


def test_two_of_the_three_arenas_are_not_sound() -> None:
    """Each for the reason that is told. Each has a sign at its left."""
    first, second, third = (Arena(group, lined) for group in groups(SOUND))
    assert [sign for sign, _ in SOUND.signs] == ["cross", "cross", "tick"]
    for arena, (_, (x, _)) in zip((first, second, third), SOUND.signs, strict=True):
        assert x == pytest.approx(min(one.x for one in arena.laid.values()), abs=8)
    (_, joint), (hole, at) = SOUND.marks
    assert not has_hole(first.tiles.keys())
    assert {cell for cell in first.tiles if not is_whole(first.tiles.keys() - {cell})} == {
        first.cell_at(joint)
    }
    assert hole == "hole"
    assert has_hole(second.tiles.keys())
    assert not has_hole(second.tiles.keys() | {second.cell(at)})
    assert all(is_whole(second.tiles.keys() - {cell}) for cell in second.tiles)
    assert is_sound(third.tiles.keys())
    told = "not sound: in the first, tile 1 alone holds the others together; the second has a hole."
    assert told in SOUND.caption
    assert "The third is sound" in SOUND.caption


def test_sides_of_a_tile_are_shown_side_by_side() -> None:
    front, back = SIDES.laid
    assert front.piece == back.piece
    assert (front.is_back, back.is_back) == (False, True)
    assert [name for name, _ in SIDES.marks] == ["front", "back"]
    assert "a front with blue lines and a back with red, doubled ones" in TEXT


def test_what_can_slide_has_a_tick_and_what_cannot_a_cross() -> None:
    (tick, (left, _)), (cross_, (right, _)) = SLIDES.signs
    assert (tick, cross_) == ("tick", "cross")
    assert left < min(one.x for one in groups(SLIDES)[1]) < right


def test_setup_shows_the_start_tile_and_the_parts_of_the_kit() -> None:
    shown = figure(RULES, "The setup.")
    start, *pool = shown.of("tiles")
    assert ROWS[start.piece]["name"] == "I"
    assert sorted([start.piece, *(one.piece for one in pool)]) == sorted(ROWS)
    assert f"pool: {len(pool)} tiles" in {label for label, _ in shown.marks}
    assert f"Lay the other {len(pool)} tiles beside it: they are the pool" in TEXT
    assert {one.component for one in shown.laid} == PARTS.keys() - {"box"}
    kinds = {piece.id for piece in PARTS["tokens"].pieces}
    assert {one.piece for one in shown.of("tokens")} == kinds
    assert_token_is_on_progress(shown)


def assert_token_is_on_progress(shown: Figure) -> None:
    """Beside the word, which is half way up, and nothing else hides a field."""
    (track,) = shown.of("track")
    (token,) = (one for one in shown.laid if one.piece == "progress")
    size, diameter = PARTS["track"].size, PARTS["tokens"].size.width
    assert track.x < token.x < token.x + diameter < track.x + 1.3 * size.width / 8  # it slants
    assert track.y < token.y + diameter < track.y + size.height / 2 - 1
    for x, y in (at for _, at in shown.marks):
        is_beside = not (track.x < x < track.x + size.width)
        assert is_beside or not (track.y < y < track.y + size.height)


def test_token_is_on_progress_when_the_track_is_explained() -> None:
    assert_token_is_on_progress(figure_without_caption(RULES, "track "))


def test_tokens_are_as_the_text_draws_them() -> None:
    front = ADVAYA.design("tokens").front
    assert isinstance(front, Token)
    told = "pinned tiles :pinned: and the tile that moved last :last-moved:"
    assert told in TEXT
    assert "**target** :target:" in TEXT
    assert {"pinned", "last-moved", "target"} <= front.arts.keys()


def on_the_cover() -> list[Laid]:
    with (TEMPLATES / "advaya" / "game.toml").open("rb") as file:
        pieces = "\n".join(tomllib.load(file)["cover"]["pieces"])
    return figure_without_caption(f"::: table\n{pieces}\n:::\n", "tiles ").laid


def test_arena_of_the_cover_is_sound() -> None:
    """And matches. Its two largest shapes are closed, one black and one white, of equal value."""
    arena = Arena(on_the_cover(), lined)
    assert is_sound(arena.tiles.keys())
    black, white = sorted(sorted(arena.shapes, key=len)[-2:], key=arena.colour)
    assert (arena.colour(black), arena.colour(white)) == ("B", "W")
    assert {black, white} <= arena.closed
    assert len(black) == len(white)


def test_half_a_turn_changes_the_colours_of_the_cover() -> None:
    """About the start tile, which is in the middle."""
    arena = Arena(on_the_cover(), lined)
    (start,) = (at for at, one in arena.laid.items() if ROWS[one.piece]["name"] == "I")
    for x, y in arena.tiles:
        opposite = 2 * start[0] - x, 2 * start[1] - y
        sides, others = (
            [colour_at(arena, at, side) for side in range(6)] for at in ((x, y), opposite)
        )
        assert [{"B": "W", "W": "B"}[colour] for colour in others[3:] + others[:3]] == sides


def colour_at(arena: Arena, cell: Cell, side: int) -> str:
    return arena.tiles[cell].colours[arena.side(cell, side)]
