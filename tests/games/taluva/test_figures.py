"""The figures of Taluva's booklet, by its rules as code."""

from __future__ import annotations

import re

import pytest

from generator.games.taluva.box import COMPONENTS
from generator.games.taluva.island import DIRECTIONS, HUT, Hex, hex_at
from generator.games.taluva.state import Build, ExpandSettlement, PlaceTile, TaluvaState
from tests.games.figures import Laid, figure
from tests.games.taluva.positions import taluva
from tests.games.taluva.test_booklet import (
    RULES,
    Cell,
    Island,
    after,
    built,
    eruptions,
    hexagons,
    islands,
)

ENGINE = taluva()
UPRIGHT = DIRECTIONS.index("south")
ALLOWED = (
    "One side that touches is enough",
    "The island has grown. The numbers are levels",
    "The settlement of one hut expands into the jungle",
)


def hex_of(cell: Cell) -> Hex:
    """Cells are counted in half hexagons to the right."""
    across, row = cell
    return hex_at((across - row) // 2, row)


def move_of(land: Island, tile: Laid) -> PlaceTile:
    (_, volcano), *_ = hexagons(tile)
    return PlaceTile(hex_of(land.cell(volcano)), (tile.turn // 60 + UPRIGHT) % 6)


def before(tile: Laid, state: TaluvaState) -> TaluvaState:
    """The first seat has drawn the tile."""
    return state._replace(turn=0, seat=0, tile=ENGINE.names.index(tile.piece), out=())


def lay(*tiles: Laid) -> TaluvaState:
    """What lies after these tiles; the first lies as it is drawn, all others as the rules allow."""
    land, state = Island(tiles), ENGINE.start()
    for tile in tiles:
        state = before(tile, state)
        move = move_of(land, tile)
        assert not state.land or move in ENGINE.legal(state), tile
        state = ENGINE.apply(state, move)
    return state._replace(turn=0, seat=0)


@pytest.mark.parametrize("caption", ALLOWED)
def test_tiles_may_lie_so(caption: str) -> None:
    assert lay(*figure(RULES, caption).of("tiles")).land


def test_an_eruption_may_be_so() -> None:
    shown = figure(RULES, "An eruption, before and after")
    assert lay(*shown.of("tiles")[:4]).land
    assert lay(*after(shown).of("tiles")).land


def test_tiles_may_not_lie_so() -> None:
    """Each lies on others that may."""
    (same, _), wrongs = eruptions()
    assert len(wrongs) == 2
    for *others, wrong in (same, *wrongs):
        state = before(wrong, lay(*others))
        assert move_of(Island([*others, wrong]), wrong) not in ENGINE.legal(state)


def test_a_tile_may_lie_so_once_the_island_has_grown() -> None:
    """Beside the tile whose volcano it buries lies one more, which the figure leaves out."""
    (_, (old, new)), _ = eruptions()
    beside = Laid("sand-rock", False, old.x + 60.0, old.y, 180, False, "tiles")
    state = before(new, lay(old, beside))
    assert move_of(Island([old, beside, new]), new) in ENGINE.legal(state)


@pytest.mark.parametrize("caption", ["The island has grown.", "The settlement of one hut"])
def test_levels_are_as_written(caption: str) -> None:
    shown = figure(RULES, caption)
    land, surfaces = Island(shown.of("tiles")), dict(lay(*shown.of("tiles")).land)
    assert shown.marks
    for written, at in shown.marks:
        level, _ = surfaces[hex_of(land.near(at))]
        assert level == int(written.strip("+"))


def test_three_turns_of_red_are_legal() -> None:
    for laid, one in zip(islands(figure(RULES, "Three turns of red")), built(), strict=True):
        kinds = {hex_of(cell): COMPONENTS.index(kind) for cell, kind in one.kinds.items()}
        new = {hex_of(cell) for cell in one.new}
        old = tuple(sorted((field, (0, kind)) for field, kind in kinds.items() if field not in new))
        moves = ENGINE.legal(lay(*laid)._replace(built=old))
        assert new
        assert all(Build(kinds[field], field) in moves for field in new)


def test_an_expansion_takes_as_many_huts_as_written() -> None:
    shown = figure(RULES, "The settlement of one hut expands into the jungle")
    (huts,) = re.findall(r"= (\d+) huts", shown.caption)
    land, (hut,) = Island(shown.of("tiles")), shown.of("huts")
    home = hex_of(land.near((hut.x + 9.8, hut.y + 8.46)))
    state = lay(*shown.of("tiles"))._replace(built=((home, (0, HUT)),))
    move = ExpandSettlement(tuple(sorted(hex_of(land.cell(at)) for at in shown.hexagons)))
    assert move in ENGINE.legal(state)
    assert ENGINE.apply(state, move).used[0][HUT] - state.used[0][HUT] == int(huts)
