"""What Atreya's booklet tells of its figures is what its rules make of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import dist

import pytest

from tests.games.arenas import ACROSS, Area, Cell, Shape, has_hole
from tests.games.figures import WORDS, Figure, Laid, figure, in_a_line, rules_of, tables
from tests.games.mosaics import ROWS, THREE, TWO, Mosaic, touch_two

RULES = rules_of("atreya")
TEXT = in_a_line(RULES)
PAIR = figure(RULES, "Two tiles that match")
SHAPES = figure(RULES, "Seven closed shapes")
FREEDOM = figure(RULES, "The same arena")
START = figure(RULES, "The three start tiles")
NAMES = {"R": "red", "G": "green", "B": "blue"}
# As the designer's picture of the start shows it: the tile, its place (mm) and its turn.
PUBLISHED = [("1", 0.0, 26.73, 60), ("150", 23.15, 13.37, 60), ("95", 0.0, 0.0, 240)]


@pytest.fixture(scope="module")
def arena() -> Mosaic:
    return Mosaic(SHAPES.laid)


@pytest.fixture(scope="module")
def shapes(arena: Mosaic) -> dict[str, Shape]:
    """By the numbers on them."""
    return {number: arena.at(at) for number, at in SHAPES.marks}


@pytest.mark.parametrize("shown", [SHAPES, START], ids=lambda f: f.caption[:20])
def test_arena_is_one_that_may_be(shown: Figure) -> None:
    """And matches in its colours, which an arena proves."""
    cells = Mosaic(shown.laid).tiles.keys()
    assert touch_two(cells)
    assert not has_hole(cells)
    assert len({lying.piece for lying in shown.laid}) == len(shown.laid), "there is one of each"


def test_pieces_are_those_described() -> None:
    pair = Mosaic(PAIR.laid)
    areas = {number: pair.area_at(at) for number, at in PAIR.marks}
    pieces = {number: pair.pieces({area}).pop() for number, area in areas.items()}
    assert [areas[number][1] == 0 for number in "123"] == [True, False, False]
    assert [len(pieces[number]) for number in "123"] == [1, 2, 1]
    assert pair.colour(pieces["2"]) == "B"
    assert PAIR.hexagons == [dict(PAIR.marks)[number] for number in "12"]
    assert "1 and 2 are pieces: a centre, and two blue half-pieces that make one" in PAIR.caption
    assert "3 is a half-piece without a partner" in PAIR.caption


def test_tile_has_as_many_pieces_as_described() -> None:
    arena = Mosaic(FREEDOM.laid)
    (halves,) = {len(tile.of_sides) for tile in arena.tiles.values()}
    freest = max(arena.freedom(cell) for cell in arena.tiles)
    assert f"Around it lie {WORDS[halves]} **half-pieces**" in TEXT
    assert f"So each tile has {WORDS[halves + 1]}, its centre and one at each side" in TEXT
    assert f"its freedom is never more than {freest}" in TEXT
    assert freest == halves + 1


def test_outlined_pieces_are_as_large_as_a_centre() -> None:
    widths = {float(element) for element in re.findall(r"^hexagon \S+ \S+ (13\S*)", RULES, re.M)}
    assert widths == {ACROSS / 2}
    centre, pair = PAIR.hexagons
    assert dist(centre, pair) == pytest.approx(ACROSS / 2, abs=0.02)


def test_start_is_the_designer_s() -> None:
    laid = [Laid(piece, True, x, y, turn, False, "tiles") for piece, x, y, turn in PUBLISHED]
    assert START.laid == laid
    assert all(ROWS[lying.piece]["start"] == "yes" for lying in START.laid)


def test_start_closes_a_shape_of_each_colour_between_the_two_others() -> None:
    start = Mosaic(START.laid)
    between = {
        NAMES[start.colour(shape)]: {NAMES[start.tiles[cell].colours[0]] for cell, _ in shape} for shape in start.closed
    }
    assert between == {"blue": {"red", "green"}, "red": {"green", "blue"}, "green": {"blue", "red"}}
    assert len(start.closed) == 3
    (size,) = {start.size(shape) for shape in start.closed}
    assert f"A pair of half-pieces counts once, so {size} is the least size" in TEXT
    (tiles,) = {len(_cells(shape)) for shape in start.closed}
    assert f"{WORDS[tiles]} tiles then share its {WORDS[size]} piece" in TEXT
    assert f"In Sum they are worth {size} to each player" in TEXT
    assert "**blue between red and green, red between green and blue, green between blue" in TEXT


def test_start_tiles_are_pinned_from_the_beginning() -> None:
    start = Mosaic(START.laid)
    (freedom,) = {start.freedom(cell) for cell in start.tiles}
    assert f"pinned from the beginning: the freedom of each is {freedom}." in TEXT


def test_arena_grew_from_the_start() -> None:
    """The first three tiles of it lie as the start does."""
    right, down = 23.15, 26.73
    grown = [lying._replace(x=lying.x - right, y=lying.y - down) for lying in SHAPES.laid[:3]]
    for one, other in zip(grown, START.laid, strict=True):
        assert one[:2] == other[:2]
        assert one.turn == other.turn
        assert (one.x, one.y) == pytest.approx((other.x, other.y), abs=0.02)


def test_closed_shapes_have_the_described_sizes(arena: Mosaic, shapes: Mapping[str, Shape]) -> None:
    assert {*shapes.values()} == arena.closed
    size = {number: arena.size(shape) for number, shape in shapes.items()}
    told = [f"{WORDS[size[number]]} in {number}" for number in "234"]
    first = f"{WORDS[size['1']]} pieces in 1, {', '.join(told)}, and {WORDS[size['5']]} each in 5"
    rest = "6 and 7, the shapes of the start. All other shapes are open."
    assert SHAPES.caption.startswith(f"Seven closed shapes: {first}, {rest}")
    assert len(shapes) == 7
    assert size["5"] == size["6"] == size["7"]
    start = {cell for cell, lying in arena.laid.items() if lying in SHAPES.laid[:3]}
    assert all({cell for cell, _ in shapes[number]} < start for number in "567")


def test_health_of_the_table_is_as_counted(arena: Mosaic, shapes: Mapping[str, Shape]) -> None:
    (rows,) = tables(RULES, "Shape", "Size", "Inferior", "Not inferior")
    assert [tuple(row.values()) for row in rows] == [
        _health_row(arena, number, shape) for number, shape in sorted(shapes.items())
    ]


def _health_row(arena: Mosaic, number: str, shape: Shape) -> tuple[str, ...]:
    colour, along = arena.colour(shape), arena.beside_of(shape)
    (weaker,) = THREE[colour]
    (other,) = THREE.keys() - {colour, weaker}
    verdict = "healthy" if arena.is_healthy(shape) else "poisoned"
    counts = (f"{along[neighbour]} {NAMES[neighbour]}" for neighbour in (weaker, other))
    return f"{number}, {NAMES[colour]}", str(arena.size(shape)), *counts, verdict


def test_rings_mark_what_counts_for_a_shape(arena: Mosaic, shapes: Mapping[str, Shape]) -> None:
    rings = re.findall(r"^ring (\S+) (\S+) ", RULES, re.M)
    marked = [arena.area_at((float(x), float(y))) for x, y in rings]
    pieces = [arena.pieces({area}).pop() for area in marked]
    assert len({*pieces}) == len(pieces)
    assert {*pieces} == arena.pieces(arena.beside(shapes["4"]))
    along = arena.beside_of(shapes["4"])
    assert "Rings mark what lies along the boundary of shape 4." in SHAPES.caption
    counted = f"rings mark the {WORDS[along.total()]} that count for shape 4: {WORDS[along['B']]}"
    assert f"{counted} blue and {WORDS[along['R']]} red, so it is poisoned" in TEXT
    assert not arena.is_healthy(shapes["4"])


def test_shape_is_healthy_for_two_players_as_described(arena: Mosaic, shapes: Mapping[str, Shape]) -> None:
    assert not arena.is_healthy(shapes["2"])
    assert arena.is_healthy(shapes["2"], TWO)
    along = arena.beside_of(shapes["2"])
    told = f"Shape 2 would then be healthy: {along['G']} green, {along['R']} red."
    assert f"If red and blue were the only players, green would be inferior to both. {told}" in TEXT


def test_colours_are_inferior_as_described() -> None:
    (rows,) = tables(RULES, "Colour", "inferior to it", "not inferior to it")
    told = {row["Colour"].partition(",")[0].lower(): row["inferior to it"] for row in rows}
    assert told == {NAMES[colour]: NAMES[weaker] for colour, (weaker,) in THREE.items()}
    for row in rows:
        names = [row["Colour"].partition(",")[0].lower(), *list(row.values())[1:]]
        assert sorted(names) == sorted(NAMES.values())
    short = re.findall(r"(\w+) to (red|blue|green)", TEXT.partition("## In short")[2])
    assert dict(short) == {weaker: colour for colour, weaker in told.items()}


def test_numbers_on_the_tiles_are_their_freedoms(arena: Mosaic) -> None:
    assert FREEDOM.laid == SHAPES.laid
    told = {arena.cell_at(at): int(number) for number, at in FREEDOM.marks}
    freedoms = {cell: arena.freedom(cell) for cell in arena.tiles}
    assert told == freedoms
    assert [*freedoms.values()].count(7) == [*freedoms.values()].count(0) == 2
    assert "The two with 7 are not pinned at all" in FREEDOM.caption
    assert "the two with 0 strongly too" in FREEDOM.caption


def test_sum_is_as_described(arena: Mosaic) -> None:
    told = re.findall(r"(red|green|blue)\s(?:has\s)?([\d +]+) = \*\*(\d+)\*\*", TEXT)
    assert {name: _terms(terms, total) for name, terms, total in told} == {
        name: sorted(arena.size(triple) for triple in arena.closed if arena.colour(triple) == colour)
        for colour, name in NAMES.items()
    }


def test_domination_scores_as_described(arena: Mosaic, shapes: Mapping[str, Shape]) -> None:
    """The outlined tile closes shape 1 alone; without it the arena may be."""
    (last,) = (arena.cell(at) for at in SHAPES.hexagons)
    assert {one for one, shape in shapes.items() if last in _cells(shape)} == {"1"}
    before = arena.tiles.keys() - {last}
    assert touch_two(before)
    assert not has_hole(before)
    own = shapes["1"]
    assert arena.is_healthy(own)
    assert not any(own in arena.dominated(other) for other in arena.closed)
    won = {number for number, shape in shapes.items() if shape in arena.dominated(own)}
    assert sorted(won) == ["2", "3", "6", "7"]
    assert "It dominates its neighbours 2, 3, 6 and 7, which were closed before" in TEXT
    assert not arena.are_neighbours(own, shapes["4"])
    assert "Shape 4 is no neighbour of it" in TEXT
    ((terms, total),) = re.findall(r"Red scores ([\d +]+) = \*\*(\d+)\*\*", TEXT)
    sizes = [arena.size(own), *(arena.size(shapes[number]) for number in won)]
    assert _terms(terms, total) == sorted(sizes)
    just = "In the same picture red has just closed shape 1 with the outlined tile."
    why = f"It is healthy, and no neighbour is larger: {arena.size(own)} points."
    assert f"{just} {why}" in TEXT


def _cells(areas: frozenset[Area]) -> set[Cell]:
    return {cell for cell, _ in areas}


def _terms(terms: str, total: str) -> list[int]:
    """In ascending order; their sum is the total."""
    numbers = sorted(int(term) for term in terms.split("+"))
    assert sum(numbers) == int(total)
    return numbers
