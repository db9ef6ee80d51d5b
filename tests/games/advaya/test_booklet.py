"""The figures of Advaya's booklet are arenas by its rules, and show what is told."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from functools import cache
from itertools import pairwise, product
from math import cos, dist, inf, radians, sin

import numpy as np
import pytest
from numpy.typing import NDArray
from shapely import Point as Spot
from shapely import Polygon, union_all

from generator import pipeline
from generator.faces.net import Token
from generator.faces.track import Track
from generator.games.advaya import tiles as advaya
from generator.games.advaya.play import MOST_IDLE, MOST_MOVES
from tests.games.advaya.referee import FAR, slides
from tests.games.arenas import (
    ACROSS,
    RADIUS,
    Arena,
    Cell,
    Shape,
    Tile,
    has_hole,
    is_sound,
    is_whole,
    middle,
    neighbours,
)
from tests.games.conftest import TEMPLATES
from tests.games.figures import WORDS, Figure, Laid, Point, figure, figure_without_caption, in_a_line, rules_of

RULES = rules_of("advaya")
TEXT = in_a_line(RULES)
ADVAYA = pipeline.read("advaya")
PARTS = {component.id: component for component in ADVAYA.game.components}
ROWS = {piece.id: piece.row for piece in PARTS["tiles"].pieces}
CLOSED = figure(RULES, "Seven closed shapes")
PINNED = figure(RULES, "The pale tiles are pinned")
SIDES = figure(RULES, "The two sides of one tile")
SLIDES = figure(RULES, "A tile of the pool can slide into place 1")
SOUND = figure(RULES, "Two arenas that are not sound")
ORDINALS = {7: "seventh"}
_CORNERS = [(cos(radians(60 * corner)), sin(radians(60 * corner))) for corner in range(6)]
# (side, point, one for all lines, axis): 19 points of each side
_TARGETS = np.linspace(_CORNERS, [*_CORNERS[1:], _CORNERS[0]], 21, axis=1)[:, 1:-1, None]


def lined(lying: Laid) -> Tile:
    """A tile of Advaya."""
    row, found = ROWS[lying.piece], advaya.areas(advaya.parse(lines_of(lying)))
    sides = row["back_sides" if lying.is_back else "sides"]
    colours = dict(zip(found.of_sides, str(sides), strict=True))

    def area_at(point: Point) -> int:
        (area,) = {found.of_sides[side] for side in seen_sides(point, ends_of(lines_of(lying)))}
        return area

    return Tile(found.of_sides, [colours[n] for n in sorted(colours)], found.touching, area_at)


def lines_of(lying: Laid) -> str:
    return str(ROWS[lying.piece]["back_segments" if lying.is_back else "segments"])


@cache
def ends_of(lines: str) -> NDArray[np.float64]:
    """The ends of lines: (line, end, axis)."""
    ends = [*_CORNERS, (0.0, 0.0)]
    return np.array([(ends[a], ends[b]) for a, b in advaya.parse(lines)]).reshape(-1, 2, 2)


def seen_sides(point: Point, lines: NDArray[np.float64]) -> list[int]:
    """From the point, past all lines: areas are not so crooked that none of its side is."""
    here, starts, ends = np.array(point), lines[:, 0], lines[:, 1]
    parts = is_left(here, _TARGETS, starts) != is_left(here, _TARGETS, ends)
    is_crossed = parts & (is_left(starts, ends, here) != is_left(starts, ends, _TARGETS))
    return [int(side) for side in (~is_crossed.any(axis=2)).any(axis=1).nonzero()[0]]


def is_left(a: NDArray[np.float64], b: NDArray[np.float64], point: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether points lie to the left of the lines from a to b."""
    along, to = b - a, point - a
    left: NDArray[np.bool_] = along[..., 0] * to[..., 1] > along[..., 1] * to[..., 0]
    return left


def groups(shown: Figure) -> list[list[Laid]]:
    """Tiles that lie apart from others, from left to right."""
    columns = sorted({lying.x for lying in shown.laid})
    starts = [right for left, right in pairwise(columns) if right - left > ACROSS]
    ends = pairwise([-inf, *starts, inf])
    return [[lying for lying in shown.laid if start <= lying.x < end] for start, end in ends]


SIX, SEVENTH = (tuple(half) for half in groups(CLOSED))  # what shows shapes 1 to 6, and 7


def numbered(arena: Arena, numbers: str = "123456") -> dict[str, Shape]:
    return {number: arena.at(at) for number, at in CLOSED.marks if number in numbers}


@pytest.mark.parametrize("laid", [SIX, SEVENTH, PINNED.laid], ids=["six", "seventh", "pinned"])
def test_arena_is_sound(laid: Sequence[Laid]) -> None:
    """And matches in its colours, which an arena proves."""
    assert is_sound(Arena(laid, lined).tiles.keys())


def test_closed_shapes_have_the_described_values() -> None:
    arena = Arena(SIX, lined)
    shapes = numbered(arena)
    assert set(shapes.values()) == arena.closed
    told = [(arena.colour(shape), len(shape)) for shape in shapes.values()]
    assert told == [("W", 4), ("B", 3), ("B", 2), ("B", 2), ("B", 2), ("W", 2)]
    assert [number for number, _ in CLOSED.marks] == list("1234567")
    assert "(1) is worth 4" in CLOSED.caption
    assert "2 is worth 3, those from 3 to 6 are worth 2 each" in CLOSED.caption
    assert "Black's four (2 to 5) adjoin shape 1" in CLOSED.caption
    assert all(arena.are_neighbours(shapes["1"], shapes[number]) for number in "2345")


def test_red_boundary_takes_from_the_value() -> None:
    arena = Arena(SEVENTH, lined)
    (shape,) = arena.closed
    assert numbered(arena, "7") == {"7": shape}
    backs = [arena.laid[cell].is_back for cell, _ in shape]
    assert sorted(backs) == [False, True]
    told = f"Shape 7 is worth only {backs.count(False)}: of its {WORDS[len(backs)]} pieces, one has"
    assert f"{told} a red boundary." in CLOSED.caption


def test_all_but_the_closed_shapes_is_dimmed() -> None:
    """As far as the lines, which are 1.23 mm wide."""
    dimmed = union_all([Polygon(outline) for outline in CLOSED.areas])
    for arena in (Arena(SIX, lined), Arena(SEVENTH, lined)):
        closed = {area for shape in arena.closed for area in shape}
        seen = {(at, arena.area_at(at) in closed) for at in points_off_the_lines(arena)}
        assert {is_closed for _, is_closed in seen} == {False, True}
        assert [at for at, is_closed in seen if dimmed.covers(Spot(at)) == is_closed] == []


def points_off_the_lines(arena: Arena) -> Iterator[Point]:
    """All over the tiles, but not where a step to a side leads into another area."""
    for lying in arena.laid.values():
        x, y = middle(lying)
        for across, down in product(range(-11, 12), repeat=2):
            at = x + 1.1 * across + 0.01, y + 1.1 * down + 0.02
            around = [(at[0] + 0.8 * a, at[1] + 0.8 * b) for a, b in _CORNERS]
            if all(dist(spot, (x, y)) < ACROSS / 2 for spot in around):
                with suppress(ValueError):  # a point on a line
                    if len({arena.area_at(spot) for spot in (at, *around)}) == 1:
                        yield at


def test_domination_scores_as_described() -> None:
    """The tile S closes shape 1 and 5; without it the arena is sound, and it can slide in."""
    arena = Arena(SIX, lined)
    shapes = numbered(arena)
    (last,) = (at for at, lying in arena.laid.items() if ROWS[lying.piece]["name"] == "S")
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
    worth = f"It is worth {won[0]}, and dominates these three, worth {won[1]}, {won[2]} and"
    assert f"White lays the tile S and closes shape 1. {worth} {won[3]}." in TEXT
    assert f"Shape {max(now)} adds nothing" in TEXT


def test_big_is_what_the_caption_calls_so() -> None:
    arena = Arena(SIX, lined)
    values = {number: len(shape) for number, shape in numbered(arena).items()}
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
    assert f"Its token begins on *{start}*" in TEXT
    assert f"The game ends when the token reaches *{end}*" in TEXT
    moves, each = WORDS[len(numbers)], WORDS[len(numbers) // 2]
    assert f"After {moves} such moves, {each} by each player, it lies on {numbers[-1]}." in TEXT
    last = ORDINALS[len(numbers) + 1]
    assert f"the {last} move in a row without progress ends the game" in TEXT


def test_rule_of_stagnation_comes_into_force_as_described() -> None:
    told = f"after {MOST_MOVES} moves in all, or after {MOST_IDLE} moves in a row without progress"
    assert f"A player may put the rule in force {told}" in TEXT


def test_games_are_as_many_as_described() -> None:
    (section,) = re.findall(r"^## Five games\n(.+?)^## ", RULES, re.M | re.S)
    games = WORDS[section.count("\n### ")]
    assert f"## {games.capitalize()} games" in RULES
    assert f"one of the {games} games below" in TEXT


def test_pale_tiles_are_the_pinned_ones() -> None:
    assert [lying._replace(is_faded=False) for lying in PINNED.laid] == [*SIX]
    arena = Arena(PINNED.laid, lined)
    pinned = {cell for shape in arena.closed for cell, _ in shape}
    assert {cell for cell, lying in arena.laid.items() if lying.is_faded} == pinned


def test_tiles_that_may_move_are_those_described() -> None:
    arena = Arena(PINNED.laid, lined)
    tiles = {number: arena.cell_at(at) for number, at in PINNED.marks}
    pinned = {cell for shape in arena.closed for cell, _ in shape}
    assert set(tiles.values()) == arena.tiles.keys() - pinned
    free = {number for number, cell in tiles.items() if arena.is_free(cell)}
    movable = {n for n in free if is_sound(arena.tiles.keys() - {tiles[n]})}
    assert free == movable == {"2", "3", "4"}
    assert {arena.cell(at) for at in PINNED.hexagons} == {tiles[number] for number in movable}
    assert "The ringed tiles, 2, 3 and 4, may move" in PINNED.caption
    ((sign, at),) = PINNED.signs
    assert (sign, arena.cell_at(at)) == ("cross", tiles["1"])
    assert {*neighbours(tiles["1"])} <= arena.tiles.keys()
    assert "tile (1) is not pinned, but it has no empty side, so it is not free" in PINNED.caption
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
    empty = [sum(beyond not in tiles for beyond in neighbours(at)) for at, tiles in ((first, cells), (second, more))]
    assert empty == [2, 1]


def places_to_slide_to() -> Iterator[tuple[Cell, frozenset[Cell]]]:
    """The outlined place of each half of the figure, and its tiles."""
    for half, at in zip(groups(SLIDES), SLIDES.hexagons, strict=True):
        arena = Arena(half, lined)
        yield arena.cell(at), frozenset(arena.tiles)


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
        assert x == pytest.approx(min(lying.x for lying in arena.laid.values()), abs=8)
    (_, joint), (hole, at) = SOUND.marks
    assert not has_hole(first.tiles.keys())
    assert {cell for cell in first.tiles if not is_whole(first.tiles.keys() - {cell})} == {first.cell_at(joint)}
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
    assert "Turn it over like a page." in SIDES.caption
    through = advaya.parse(" ".join(mirrored(line) for line in lines_of(front).split()))
    assert advaya.parse(lines_of(back)) == through
    assert "a front with blue lines and a back with red, doubled ones" in TEXT


def mirrored(line: str) -> str:
    """As it lies when the tile is turned over about an upright line."""
    return "-".join(str(corner) for corner in sorted((3 - int(end)) % 6 for end in line.split("-")))


def test_what_can_slide_has_a_tick_and_what_cannot_a_cross() -> None:
    (tick, (left, _)), (cross_, (right, _)) = SLIDES.signs
    assert (tick, cross_) == ("tick", "cross")
    assert left < min(group.x for group in groups(SLIDES)[1]) < right


def test_setup_shows_the_start_tile_and_the_parts_of_the_kit() -> None:
    shown = figure(RULES, "The setup.")
    start, *pool = shown.of("tiles")
    assert ROWS[start.piece]["name"] == "I"
    assert sorted([start.piece, *(tile.piece for tile in pool)]) == sorted(ROWS)
    assert f"pool: {len(pool)} tiles" in {label for label, _ in shown.marks}
    assert f"Lay the other {len(pool)} tiles around it: they are the pool" in TEXT
    assert {lying.component for lying in shown.laid} == PARTS.keys() - {"box"}
    kinds = {piece.id for piece in PARTS["tokens"].pieces}
    assert {lying.piece for lying in shown.of("tokens")} == kinds

    assert field_of_the_token(shown) == 0
    assert "The token on the track lies on *Progress*" in shown.caption
    middles = [(tile.x + RADIUS, tile.y + ACROSS / 2) for tile in pool]
    around = [dist(at, (start.x + RADIUS, start.y + ACROSS / 2)) for at in middles]
    assert min(around) > ACROSS
    assert min(x for x, _ in middles) < start.x < max(x for x, _ in middles)
    assert min(y for _, y in middles) < start.y < max(y for _, y in middles)


def field_of_the_token(shown: Figure) -> int:
    """It lies wholly on it, and no label hides a field."""
    (track,) = shown.of("track")
    (token,) = (lying for lying in shown.laid if lying.piece == "progress")
    size, diameter = PARTS["track"].size, PARTS["tokens"].size.width
    assert token.y - track.y == pytest.approx((size.height - diameter) / 2)
    for x, y in (at for _, at in shown.marks):
        is_beside = not (track.x < x < track.x + size.width)
        assert is_beside or not (track.y < y < track.y + size.height)
    field = (token.x + diameter / 2 - track.x) / (size.width / 8)
    assert 0.3 < field % 1 < 0.7
    return int(field)


def test_token_lies_where_the_track_is_explained() -> None:
    shown = figure(RULES, "The rule is in force")
    moves = WORDS[field_of_the_token(shown)]
    assert f"{moves} moves in a row were without progress" in shown.caption


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
    (start,) = (at for at, lying in arena.laid.items() if ROWS[lying.piece]["name"] == "I")
    for x, y in arena.tiles:
        opposite = 2 * start[0] - x, 2 * start[1] - y
        sides, others = ([colour_at(arena, at, side) for side in range(6)] for at in ((x, y), opposite))
        assert [{"B": "W", "W": "B"}[colour] for colour in others[3:] + others[:3]] == sides


def colour_at(arena: Arena, cell: Cell, side: int) -> str:
    return arena.tiles[cell].colours[arena.side(cell, side)]
