"""The rules of Atreya as code, against its published rules and the examples of its booklet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import dist
from pathlib import Path

import pytest
from msgspec.structs import replace

from generator import load_game
from generator.basics.errors import PnpError
from generator.games.atreya.arena import ClosedAtreyaShape, place_of
from generator.games.atreya.play import Atreya, AtreyaState, ChooseCell, LayTile, LiftTile, Scoring
from generator.model import Piece
from generator.play.batches import WHOLE, Series, play_series
from generator.play.engine import OVER, make_engine
from tests.conftest import Golden
from tests.games.arenas import ACROSS, RADIUS, has_hole
from tests.games.atreya import referee
from tests.games.atreya.tables import arena_of, atreya, cell_of, table_of, way_of, whole_turns
from tests.games.figures import Laid, Point, figure, rules_of
from tests.support.engines import decks_of, look_at_table, walk, written_game

_HERE = Path(__file__).parent
RULES = rules_of("atreya")
SHAPES = figure(RULES, "Seven closed shapes")
FREEDOM = figure(RULES, "The same arena")
START = figure(RULES, "The three start tiles")
MOVE = figure(RULES, "Left: a tile of freedom")
_WRITTEN = {
    "max": {"mode": "Max"},
    "max-three": {"mode": "Max", "players": "3"},
    "sum-short": {"pool": "45"},
    "dom-three-short": {"mode": "Dom", "players": "3", "pool": "45"},
}
_OTHERWISE = {
    "bonus": "scored",
    "closing": "nothing",
    "colours": "green red blue",
    "dominating": "all",
    "pins": "strong",
}
_WALKS = [
    *_WRITTEN.values(),
    {"mode": "Dom", "pool": "45"} | _OTHERWISE,
    {"mode": "Dom", "pool": "45", "players": "3"} | _OTHERWISE | {"pins": "weak"},
    {"mode": "Max", "pool": "45", "pins": "weak", "closing": "nothing"},
    {"mode": "Sum", "pool": "45", "players": "3", "pins": "strong"},
]


@pytest.mark.parametrize("chosen", _WALKS, ids=str)
def test_a_game_keeps_to_what_every_engine_must(chosen: dict[str, str]) -> None:
    engine = atreya(**chosen)
    for state in walk(engine, 1):
        look_at_table(engine, state, decks_of("atreya"))


@pytest.mark.parametrize("name", _WRITTEN)
def test_a_written_game_stays_the_same(name: str, golden: Golden) -> None:
    golden(_HERE / "games" / f"{name}.txt", written_game(atreya(**_WRITTEN[name]), 7))


def test_the_start_is_the_published_one() -> None:
    engine = atreya()
    start = engine.start()
    assert start.arena == arena_of(engine, START.laid)
    assert engine.scores(start) == [1, 1]
    dom = atreya(mode="Dom")
    assert dom.scores(dom.start()) == [0, 0]
    assert {engine.freedom(start.arena, cell) for cell in start.arena.laid} == {5}
    assert not any(isinstance(move, LiftTile) for move in engine.legal(start))


def test_tiles_lie_as_far_apart_as_they_are_wide() -> None:
    (across,) = {component.size.height for component in load_game("atreya").components if component.id == "tiles"}
    engine = atreya()
    first, *others = [(piece.x, piece.y) for piece in engine.lay(engine.start())[:3]]
    assert [dist(first, other) for other in others] == pytest.approx([across, across])
    for state in [*whole_turns(engine, 2)][::50]:
        places = [(piece.x, piece.y) for piece in engine.lay(state)]
        apart = [dist(a, b) for n, a in enumerate(places) for b in places[:n]]
        assert min(apart) > across - 0.01


@pytest.fixture(scope="module")
def engine() -> Atreya:
    return atreya(mode="Dom", players="3")


def numbered(engine: Atreya) -> Mapping[str, ClosedAtreyaShape]:
    """The closed shapes of the booklet by the numbers on them: each is told by colour and size, and
    those of the start by colour."""
    arena = arena_of(engine, SHAPES.laid)
    told = {"1": "R7", "2": "B5", "3": "G3", "4": "G2", "5": "R1", "6": "G1", "7": "B1"}
    found = {f"{'RGB'[shape.colour]}{shape.size}": shape for shape in arena.closed}
    assert len(arena.closed) == len(found) == 7
    return {number: found[name] for number, name in told.items()}


def test_health_is_that_of_the_booklet(engine: Atreya) -> None:
    arena, shapes = arena_of(engine, SHAPES.laid), numbered(engine)
    healthy = [n for n, shape in shapes.items() if engine.scoring.is_healthy(arena, shape)]
    assert healthy == ["1", "5", "6", "7"]
    two = atreya(players="2").scoring
    assert two.is_healthy(arena, shapes["2"])


def test_freedoms_are_those_of_the_booklet(engine: Atreya) -> None:
    arena = arena_of(engine, SHAPES.laid)
    told = {cell_of(x - 15.43, y - 13.365): int(number) for number, (x, y) in FREEDOM.marks}
    assert {cell: engine.freedom(arena, cell) for cell in arena.laid} == told


def test_move_is_that_of_the_booklet() -> None:
    """From the first picture to the second."""
    engine = atreya(mode="Sum")
    before, after, _ = (arena_of(engine, picture) for picture in pictures_of_the_move())
    lift, end, here, _ = map(middle_cell, MOVE.hexagons)
    (moved,) = (picture for picture in pictures_of_the_move()[1] if cell_of(picture.x, picture.y) == end)
    start = replace(engine.start(), arena=before)
    assert LiftTile(lift) in engine.legal(start)
    lifted = engine.apply(start, LiftTile(lift))
    lay = LayTile(end, way_of(engine, moved))
    assert lay in engine.legal(lifted)
    assert engine.apply(lifted, lay).arena == after
    freedoms = engine.freedom(before, lift), engine.freedom(after, end)
    assert [(label, middle_cell(at)) for label, at in MOVE.marks] == [
        (str(freedom), cell) for freedom, cell in zip(freedoms, (lift, here), strict=True)
    ]
    assert here == end + middle_cell((PICTURE + RADIUS, ACROSS / 2))
    (new,) = {*after.closed} - {*before.closed}
    told = f"a tile of freedom {freedoms[0]} moves to another place. Middle: there it closes a "
    told += f"{('red', 'green', 'blue')[new.colour]} shape, and its freedom is {freedoms[1]}."
    assert told in MOVE.caption


def test_move_that_is_crossed_in_the_booklet_leaves_a_hole_only() -> None:
    """In Max: in Sum the tile is pinned too."""
    engine = atreya(mode="Max")
    shown = pictures_of_the_move()[2]
    (inner,) = (cell_of(tile.x, tile.y) for tile in shown if tile.is_faded)
    arena = arena_of(engine, shown)
    assert arena == arena_of(engine, pictures_of_the_move()[0])
    assert LiftTile(inner) not in engine.legal(replace(engine.start(), arena=arena))
    assert engine.freedom(arena, inner) > 0
    others = {place_of(cell) for cell in arena.laid} - {place_of(inner)}
    assert all(len({*referee.around(cell)} & others) > 1 for cell in others)
    assert not referee.is_arena(others)
    assert has_hole(others)
    ((sign, at),) = MOVE.signs
    assert sign == "cross"
    assert MOVE.hexagons[2][0] < at[0] < MOVE.hexagons[3][0]
    assert MOVE.caption.endswith("Right: not allowed, because the tile would leave a hole.")


PICTURE = MOVE.laid[7].x - MOVE.laid[0].x  # mm from one picture of the move to the next


def pictures_of_the_move() -> list[list[Laid]]:
    """The arena in each, as if it were in the first place."""
    assert len(MOVE.laid) == 3 * 7
    return [[lying._replace(x=lying.x - n * PICTURE) for lying in MOVE.laid[7 * n : 7 * n + 7]] for n in range(3)]


def middle_cell(at: Point) -> int:
    """The cell with its middle there."""
    return cell_of(at[0] - RADIUS, at[1] - ACROSS / 2)


def test_sum_is_that_of_the_booklet() -> None:
    engine = atreya(players="3")
    state = replace(engine.start(), arena=arena_of(engine, SHAPES.laid))
    assert engine.scores(state) == [8, 6, 6]  # red, blue, green


def lay_last(engine: Atreya, seat: int) -> AtreyaState:
    """What the outlined tile of the booklet brings a seat."""
    (last,) = [lying for lying in SHAPES.laid if lying.piece == "107"]
    arena = arena_of(engine, [lying for lying in SHAPES.laid if lying != last])
    before = replace(engine.start(), arena=arena, turn=seat)
    cell = cell_of(last.x, last.y)
    assert ChooseCell(cell) in engine.legal(before)
    chosen = engine.apply(before, ChooseCell(cell))
    move = LayTile(cell, way_of(engine, last))
    assert move in engine.legal(chosen)
    return engine.apply(chosen, move)


def test_domination_scores_as_in_the_booklet(engine: Atreya) -> None:
    assert engine.scores(lay_last(engine, 0)) == [17, 0, 0]


def test_a_shape_that_another_closes_brings_no_bonus(engine: Atreya) -> None:
    assert engine.scores(lay_last(engine, 1)) == [7, 0, 0]
    strict = atreya(mode="Dom", players="3", closing="nothing")
    assert engine.scores(lay_last(strict, 1)) == [0, 0, 0]


def test_max_ends_with_the_shape_of_the_booklet() -> None:
    for seat, closing, won in [(0, "counts", True), (1, "counts", True), (1, "nothing", False)]:
        engine = atreya(mode="Max", players="3", closing=closing)
        end = lay_last(engine, seat)
        assert engine.scores(end) == [int(won), 0, 0]
        assert (end.turn == OVER) == won
        assert not won or engine.winners(end) == [0]


def test_nobody_wins_max_by_the_third_colour() -> None:
    engine = atreya(mode="Max", colours="blue green red")
    end = lay_last(engine, 0)
    assert engine.scores(end) == [0, 0]
    assert end.turn == 1
    assert engine.winners(replace(end, turn=OVER)) == [0, 1]  # a draw


def closed_shape(colour: int, tiles: int) -> ClosedAtreyaShape:
    return ClosedAtreyaShape(colour, frozenset(), (1 << tiles) - 1, tiles)


@pytest.mark.parametrize(
    ("shapes", "seat", "won"),
    [
        ([(0, 2), (1, 2)], 0, [0, 0, 0]),
        ([(0, 3), (1, 5)], 0, [1, 0, 0]),
        ([(0, 2), (1, 5), (2, 4)], 0, [0, 1, 0]),
        ([(0, 2), (1, 5), (2, 5)], 0, [0, 1, 1]),
        ([(1, 3), (2, 5)], 1, [0, 1, 0]),
    ],
)
def test_shapes_that_one_move_closes_win_max(shapes: Sequence[tuple[int, int]], seat: int, won: list[int]) -> None:
    scoring = Scoring([0, 1, 2], closing=True, bonus=True, opens=False)
    assert scoring.win([closed_shape(*shape) for shape in shapes], seat) == won


def test_in_sum_a_tile_moves_once_at_most() -> None:
    engine = atreya(pool="45")
    moved = []
    for seed in range(3):
        for before, after in pairwise(whole_turns(engine, seed)):
            gone = {*before.arena.laid.items()} - {*after.arena.laid.items()}
            moved += [(seed, way.tile) for _, way in gone]
    assert len(moved) > 10
    assert len({*moved}) == len(moved)


@pytest.mark.parametrize("mode", ["Sum", "Dom"])
def test_arenas_are_sound_and_points_are_kept(mode: str) -> None:
    engine = atreya(mode=mode, players="3")
    every = (1 << 168) - 1
    points = [0, 0, 0]
    for state in whole_turns(engine, 6):
        laid = sum(1 << way.tile for way in state.arena.laid.values())
        assert laid | state.pool == every
        assert not laid & state.pool
        now = engine.scores(state)
        assert all(a <= b for a, b in zip(points, now, strict=True))
        points = list(now)
        table, names = table_of(engine, state)
        assert len({*names.values()}) == len(names) == len(state.arena.laid)
        assert referee.is_arena(table)
        assert all(referee.matches(table, cell, look) for cell, look in table.items())
    assert min(points) > 20


def test_health_of_a_lone_centre_does_not_matter() -> None:
    """A centre of which no side has the colour is no shape: it lies on one tile."""
    tiles = [*decks_of("atreya")["tiles"]]
    odd = {"centre": "R", "sides": "GBGBGB", "back_centre": "R", "back_sides": "GBGBGB"}
    tiles[1] = replace(tiles[1], row={**tiles[1].row, **odd})
    engine = make_engine(Atreya, {"tiles": [*tiles[:8], tiles[94], tiles[149]]}, {})
    for seed in range(3):
        for state in walk(engine, seed):
            assert all(shape.tiles.bit_count() > 1 for shape in state.arena.closed)


def changed(edits: Mapping[int, Mapping[str, str]]) -> list[Piece]:
    return [
        replace(piece, row={**piece.row, **edits.get(n, {})}) for n, piece in enumerate(decks_of("atreya")["tiles"], 1)
    ]


def test_a_changed_deck_is_played_as_it_is() -> None:
    twice = [piece for piece in changed({7: {"centre": "B", "back_sides": "RRRRRR"}}) for _ in "12"]
    starts = [piece for piece in twice[::2] if piece.row["start"]]
    engine = make_engine(Atreya, {"tiles": starts + twice[20:40]}, {"mode": "Dom"})
    for state in walk(engine, 1):
        assert len(engine.lay(state)) + bool(state.hand) == 23


_START = {"start": "yes"}
_FAULTS: dict[str, tuple[dict[int, dict[str, str]], str]] = {
    "a colour": ({4: {"centre": "Y"}}, "centre of 4 is 'Y', its engine needs R, G or B"),
    "sides": ({4: {"back_sides": "RGB"}}, "back_sides of 4 is 'RGB', its engine needs six"),
    "no start": ({1: {"start": ""}}, "three tiles are the start, 2 are marked: 95, 150"),
    "more starts": ({2: _START}, "three tiles are the start, 4 are marked: 1, 2, 95, 150"),
    "apart": ({1: {"back_sides": "RRRRRR"}}, "1, 95, 150 cannot meet back up in one corner"),
}


@pytest.mark.parametrize("name", _FAULTS)
def test_a_deck_that_cannot_be_played_is_told(name: str) -> None:
    edits, message = _FAULTS[name]
    with pytest.raises(PnpError, match=message) as raised:
        make_engine(Atreya, {"tiles": changed(edits)}, {})
    assert len(raised.value.problems) == 1


def test_a_pool_that_is_too_small_is_told() -> None:
    tiles = decks_of("atreya")["tiles"]
    few = [*tiles[:40], tiles[94], tiles[149]]
    with pytest.raises(PnpError, match="the game needs 48 tiles, there are 42"):
        make_engine(Atreya, {"tiles": few}, {"pool": "45"})
    with pytest.raises(PnpError, match="the game needs 4 tiles, there are 3"):
        make_engine(Atreya, {"tiles": [tiles[0], tiles[94], tiles[149]]}, {})
    with pytest.raises(PnpError, match="there is no component 'tiles'"):
        make_engine(Atreya, {"cards": tiles}, {})


@pytest.mark.parametrize("players", ["2", "3"])
def test_half_a_turn_is_worth_the_best_that_it_can_become(players: str) -> None:
    engine = atreya(players=players, pool="45")
    gained = 0
    for state in [*whole_turns(engine, 1)][1:30:4]:
        for first in engine.legal(state):
            half = engine.apply(state, first)
            ends = [engine.apply(half, second) for second in engine.legal(half)]
            worth = engine.worth(half, state.turn)
            assert worth == max(engine.worth(end, state.turn) for end in ends)
            gained += worth > engine.worth(state, state.turn)
            other = (state.turn + 1) % engine.seats
            assert engine.worth(half, other) == min(engine.worth(end, other) for end in ends)
    assert gained > 10


def test_who_looks_ahead_wins_max() -> None:
    series = Series(Atreya, decks_of("atreya"), {"mode": "Max"}, ("greedy", "random"), 1, 12)
    with ThreadPoolExecutor(1) as executor:
        counts = play_series(series, WHOLE, lambda *_: None, executor)
    assert counts.bots[0, 1] == 12
