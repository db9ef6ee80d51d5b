"""The figures of Taluva's booklet, by its rules as code."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from generator.games.taluva.island import (
    COMPONENTS,
    DIRECTIONS,
    HUT,
    Build,
    ExpandSettlement,
    Hex,
    PlaceTile,
    TaluvaState,
    find_settlements,
    hex_at,
    hexes_of,
)
from generator.games.taluva.play import Taluva
from tests.games.conftest import TEMPLATES
from tests.games.figures import Figure, Laid, Point, figure
from tests.games.taluva.positions import taluva
from tests.games.taluva.test_booklet import (
    BURYING,
    EXPANSION,
    FEET,
    RULES,
    Cell,
    Island,
    built,
    cards,
    eruptions,
    hexagons,
    islands,
    stage,
)

ENGINE = taluva()
UPRIGHT = DIRECTIONS.index("south")
ALLOWED = ("One side that touches is enough", EXPANSION)


def hex_of(cell: Cell) -> Hex:
    """Cells are counted in half hexagons to the right."""
    across, row = cell
    return hex_at((across - row) // 2, row)


def move_of(land: Island, tile: Laid) -> PlaceTile:
    (_, volcano), *_ = hexagons(tile)
    return PlaceTile(hex_of(land.cell(volcano)), (tile.turn // 60 + UPRIGHT) % 6)


def before(tile: Laid, state: TaluvaState) -> TaluvaState:
    """The first seat has drawn the tile."""
    return replace(state, turn=0, seat=0, tile=ENGINE.names.index(tile.piece), out=())


def lay(*tiles: Laid, engine: Taluva = ENGINE) -> TaluvaState:
    """What lies after these tiles; the first lies as it is drawn, all others as the rules allow."""
    land, state = Island(tiles), engine.start()
    for tile in tiles:
        state = before(tile, state)
        move = move_of(land, tile)
        assert not state.land or move in engine.legal(state), tile
        state = engine.apply(state, move)
    return replace(state, turn=0, seat=0)


@pytest.mark.parametrize("caption", ALLOWED)
def test_tiles_may_lie_so(caption: str) -> None:
    assert lay(*figure(RULES, caption).of("tiles")).land


def test_an_eruption_may_be_so() -> None:
    assert all(lay(*stage(number).laid).land for number in range(3))


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


def test_an_eruption_buries_huts_but_no_whole_settlement() -> None:
    """Without huts both would be allowed."""
    shown = figure(RULES, BURYING)
    huts = [(lying.x + 9.8, lying.y + 8.46) for lying in shown.of("huts")]  # their middles
    kept = []
    for laid, (sign, _) in zip(islands(shown), shown.signs, strict=True):
        land = Island(laid)
        outline = hexes_at(land, shown.hexagons)
        bare = before(laid[0], lay(*laid))
        (move,) = (move for move in ENGINE.legal(bare) if isinstance(move, PlaceTile) and {*hexes_of(*move)} == outline)
        built = tuple((field, (0, HUT)) for field in sorted(hexes_at(land, huts)))
        left = tuple(building for building in built if building[0] not in outline)
        assert (move in ENGINE.legal(replace(bare, built=built))) == (sign == "tick")
        kept.append([len(built), *(len(find_settlements(buildings)) for buildings in (built, left)), len(left)])
    assert kept == [[4, 1, 2, 2], [2, 1, 0, 0]]
    assert "two huts are buried and two remain, now as two settlements" in shown.caption
    assert [name for name, _ in shown.marks] == ["two huts remain", "none would remain"]


def hexes_at(land: Island, points: Sequence[Point]) -> set[Hex]:
    """The hexagons of an island that points lie in."""
    cells = map(land.around, points)
    return {hex_of(cell) for cell in cells if cell is not None}


@pytest.mark.parametrize("shown", [stage(2), figure(RULES, EXPANSION)])
def test_levels_are_as_written(shown: Figure) -> None:
    land, surfaces = Island(shown.of("tiles")), dict(lay(*shown.of("tiles")).land)
    assert cards(shown)
    for written, at in cards(shown):
        level, _ = surfaces[hex_of(land.nearest(at))]
        assert level == written


def test_three_turns_of_red_are_legal() -> None:
    for laid, one in zip(islands(figure(RULES, "Three turns of red")), built(), strict=True):
        kinds = {hex_of(cell): COMPONENTS.index(kind) for cell, kind in one.kinds.items()}
        new = {hex_of(cell) for cell in one.new}
        old = tuple(sorted((field, (0, kind)) for field, kind in kinds.items() if field not in new))
        moves = ENGINE.legal(replace(lay(*laid), built=old))
        assert new
        assert all(Build(kinds[field], field) in moves for field in new)


def test_an_expansion_takes_as_many_huts_as_written() -> None:
    shown = figure(RULES, EXPANSION)
    (huts,) = re.findall(r"= (\d+) huts", shown.caption)
    land, (hut,) = Island(shown.of("tiles")), shown.of("huts")
    home = hex_of(land.near((hut.x + 9.8, hut.y + 8.46)))
    state = replace(lay(*shown.of("tiles")), built=((home, (0, HUT)),))
    move = ExpandSettlement(tuple(sorted(hex_of(land.cell(at)) for at in shown.hexagons)))
    assert move in ENGINE.legal(state)
    assert ENGINE.apply(state, move).used[0][HUT] - state.used[0][HUT] == int(huts)


def test_the_cover_shows_a_position_of_the_game() -> None:
    """Each colour builds as it may: a hut, an expansion, then the others of its buildings."""
    shown, engine = cover(), taluva(players="4")
    land, state = Island(shown.of("tiles")), lay(*shown.of("tiles"), engine=engine)
    by_colour: dict[str, list[tuple[int, Hex]]] = {}
    for lying in shown.laid:
        if lying.component in FEET:
            x, y = FEET[lying.component]
            kind, field = (COMPONENTS.index(lying.component), hex_of(land.near((lying.x + x, lying.y + y))))
            by_colour.setdefault(lying.piece.partition("-")[0], []).append((kind, field))
    for seat, buildings in enumerate(by_colour.values()):
        for move in moves_of(buildings):
            state = replace(state, seat=seat)
            assert move in engine.legal(state), move
            after = engine.apply(state, move)
            state = replace(state, built=after.built, used=after.used)
        kinds = Counter(kind for kind, _ in buildings)
        assert state.used[seat] == tuple(kinds[kind] for kind in range(3))
    assert {kind for some in by_colour.values() for kind, _ in some} == {0, 1, 2}


def cover() -> Figure:
    settings = tomllib.loads((TEMPLATES / "taluva" / "game.toml").read_text("utf-8"))
    assert not settings["cover"].get("fills")  # its hexagons are whole
    pieces = "\n".join(settings["cover"]["pieces"])
    return figure(f"::: table The cover\n{pieces}\n:::", "The cover")


def moves_of(buildings: Sequence[tuple[int, Hex]]) -> Iterator[Build | ExpandSettlement]:
    """The first hut, all other huts at once, the tower, the temple."""
    first, *more = (field for kind, field in buildings if kind == HUT)
    yield Build(HUT, first)
    if more:
        yield ExpandSettlement(tuple(sorted(set(more))))
    yield from (Build(kind, field) for kind, field in sorted(buildings) if kind != HUT)
