"""Whether a state of a game could lie on a table, asked quickly enough for every state of thousands
of games. Of a turn, what it changed is looked at; the whole table now and then.

A look takes the engine, the state before and the state after, and raises AssertionError. What it
knows of the games is from their rules and tables, not from the engines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

from generator.games.advaya.arena import place_of as advaya_place
from generator.games.advaya.play import Advaya, AdvayaState
from generator.games.atreya.arena import place_of as atreya_place
from generator.games.atreya.play import Atreya, AtreyaState
from generator.games.talavera.checks import COLOURS
from generator.games.talavera.play import Talavera, TalaveraState
from generator.games.taluva.island import DIRECTIONS, HUT, TEMPLE, TOWER, TaluvaState, name_hex
from generator.games.taluva.play import Taluva
from generator.games.toripoka.play import Toripoka
from generator.games.toripoka.table import LAID, NONE, ToripokaState
from generator.play.engine import CHANCE, OVER, Engine
from tests.games.advaya.referee import Cut, cut
from tests.games.arenas import Cell, has_hole, is_sound, neighbours
from tests.games.atreya.tables import ROWS as ATREYA_ROWS
from tests.games.atreya.tables import WAYS
from tests.games.taluva.referee import Cube, around, cube, tile_at, touch
from tests.support.engines import decks_of

LONGEST = 20_000  # moves of a game
_NOW_AND_THEN = 40  # states, or games
Look = Callable[[Any, Any, Any], None]


def states_of(engine: Engine[Any, Any], seed: int) -> Iterator[Any]:
    """The states of a game of random moves, from its start to its end."""
    rng, state = Random(seed), engine.start()
    yield state
    for _ in range(LONGEST):
        seat = engine.turn(state)
        if seat == OVER:
            assert not engine.legal(state)
            return
        assert CHANCE <= seat < engine.seats
        if seat == CHANCE:
            move = engine.draw(state, rng)
        else:
            moves = engine.legal(state)
            assert moves, "nobody can move, and the game goes on"
            move = moves[int(rng.random() * len(moves))]
        state = engine.apply(state, move)
        yield state
    raise AssertionError("the game does not end")


def look_at_game(game: str, engine: Engine[Any, Any], seed: int) -> int:
    """Looks at every state of a game of random moves; the number of them."""
    look, number = LOOKS[game], 0
    states = states_of(engine, seed)
    before = after = next(states)
    for number, after in enumerate(states, 2):
        look(engine, before, after)
        if number % _NOW_AND_THEN == 0:
            _look_at_all(game, engine, after)
        before = after
    _look_at_all(game, engine, after)
    if isinstance(engine, Advaya) and seed % _NOW_AND_THEN == 0:
        assert is_sound({advaya_place(cell) for cell, _ in after.arena})
    assert len(engine.scores(after)) == engine.seats
    assert set(engine.winners(after)) <= set(range(engine.seats))
    return number


def _look_at_all(game: str, engine: Engine[Any, Any], state: Any) -> None:
    if whole := WHOLE.get(game):
        whole(engine, state)


def look_at_talavera(engine: Talavera, before: TalaveraState, after: TalaveraState) -> None:
    """No card is in two places, none comes back, and each lies where it may."""
    placed = [card for stairs in after.stairs for card, _ in stairs]
    held = [card for hand in after.hands for card in hand]
    cards = [*after.orders, *after.stack, *after.covered, *after.market, *held, *placed]
    assert len(set(cards)) == len(cards)
    assert set(after.stack) <= set(before.stack)
    for old, stairs in zip(before.stairs, after.stairs, strict=True):
        assert stairs[: len(old)] == old
        for card, corner in stairs[len(old) :]:
            row = decks_of("talavera")["cards"][card].row
            assert engine.one_corner or row[COLOURS[corner]], "the card shows no tile of it"


def look_at_toripoka(_engine: Toripoka, _before: ToripokaState, after: ToripokaState) -> None:
    look_at_pieces(after)


def look_at_pieces(state: ToripokaState) -> None:
    """No card is lost or doubled, and no pyramid doubled."""
    rows = [laid for row in state.rows for laid in row]
    cards = [*state.rest, *state.bidding.public, *(laid.card for laid in rows)]
    cards += [card for hand in state.hands for card in hand]
    assert sorted(cards) == list(range(17))
    own = [*state.bidding.bag, *state.bidding.bids, *state.won[0], *state.won[1]]
    own += [laid.pyramid for laid in rows]
    assert max(Counter(pyramid for pyramid in own if pyramid != NONE).values()) == 1
    assert all(len(row) <= LAID for row in state.rows)


def look_at_taluva(engine: Taluva, before: TaluvaState, after: TaluvaState) -> None:
    """A new tile lies beside the island or erupts; new buildings stand where they may."""
    if len(after.laid) > len(before.laid):
        _look_at_tile(before, after)
    elif after.built != before.built:
        _look_at_buildings(before, after)
    for used, pool in zip(after.used, engine.pools, strict=True):
        assert all(a <= b for a, b in zip(used, pool, strict=True)), "more pieces than there are"


@cache
def _cube(hexagon: int) -> Cube:
    return cube(name_hex(hexagon))


def _look_at_tile(before: TaluvaState, after: TaluvaState) -> None:
    ((level, volcano, direction, kind),) = Counter(after.laid) - Counter(before.laid)
    old, new = dict(before.land), dict(after.land)
    where = tile_at(_cube(volcano), DIRECTIONS[direction])
    by_cube = {_cube(field): field for field in new}
    changed = [by_cube[field] for field in where]
    assert {field for field in new if new[field] != old.get(field)} <= set(changed)
    assert all(new[field][0] == level for field in changed)
    assert new[volcano] == (level, ~direction)
    assert after.unseen == before.unseen
    assert before.tile == kind
    built = dict(before.built)
    if level == 1:
        assert not set(changed) & old.keys()
        shore = {beyond for field in where for beyond in around(field)}
        assert not old or shore & {_cube(field) for field in old}, "a tile apart from the island"
        return
    assert all(old[field][0] == level - 1 for field in changed), "a tile over a gap or a step"
    assert old[volcano][1] < 0, "no volcano erupts"
    assert old[volcano][1] != ~direction, "lava flows the old way"
    assert all(built[field][1] == HUT for field in changed if field in built)
    assert all(not field <= set(changed) for field in _settlements(built))
    assert {field: built[field] for field in built if field not in changed} == dict(after.built)


def _settlements(built: Mapping[int, tuple[int, int]]) -> list[set[int]]:
    """The fields of one seat that hang together."""
    left, found = dict(built), []
    while left:
        start, (seat, _) = left.popitem()
        settlement, ahead = {start}, [start]
        while ahead:
            at = ahead.pop()
            new = [field for field in left if left[field][0] == seat and touch(_cube(field), _cube(at))]
            for field in new:
                del left[field]
            settlement.update(new)
            ahead += new
        found.append(settlement)
    return found


def _look_at_buildings(before: TaluvaState, after: TaluvaState) -> None:
    seat, land, old = before.seat, dict(after.land), dict(before.built)
    built = dict(after.built)
    new = [field for field in built if field not in old]
    assert {field: built[field] for field in old} == old
    assert {built[field][0] for field in new} == {seat}
    (kind,) = {built[field][1] for field in new}
    assert all(land[field][1] >= 0 for field in new), "a building on a volcano"
    pieces = sum(land[field][0] if kind == HUT else 1 for field in new)
    assert after.used[seat][kind] == before.used[seat][kind] + pieces
    own = [field for field in _settlements(old) if old[min(field)][0] == seat]
    beside = [settlement for settlement in own if all(_reach(settlement, field) for field in new)]
    if kind == HUT:
        is_start = len(new) == 1 and land[new[0]][0] == 1
        assert is_start or beside, "huts beside no settlement"
        assert len({land[field][1] for field in new}) == 1, "huts on two terrains"
    else:
        assert len(new) == 1
        without = [settlement for settlement in beside if all(old[field][1] != kind for field in settlement)]
        assert without, "a second building of its kind, or one without a settlement"
        if kind == TEMPLE:
            assert max(map(len, without)) >= 3, "a temple at a small settlement"
        elif kind == TOWER:
            assert land[new[0]][0] >= 3, "a tower that stands low"


def _reach(settlement: Collection[int], field: int) -> bool:
    return any(touch(_cube(field), _cube(own)) for own in settlement)


def look_at_advaya(engine: Advaya, before: AdvayaState, after: AdvayaState) -> None:
    """One tile at most is new or elsewhere, and its sides match those beside it."""
    new = set(after.arena) - set(before.arena)
    assert len(new) <= 1
    assert len(set(before.arena) - set(after.arena)) <= 1
    laid = {advaya_place(cell): face for cell, face in after.arena}
    assert len(laid) == len(after.arena)
    for cell, _ in new:
        _match(advaya_place(cell), lambda at, side: _advaya_colour(engine, laid[at], side), laid)


def look_at_all_of_advaya(engine: Advaya, state: AdvayaState) -> None:
    """The arena holds together and has no hole; each tile lies once."""
    cells = {advaya_place(cell) for cell, _ in state.arena}
    assert is_one(cells)
    assert not has_hole(cells)
    tiles = [engine.faces[face].tile for _, face in state.arena]
    assert len(set(tiles)) == len(tiles)
    assert state.played[0] & state.played[1] == 0
    assert sum(1 << tile for tile in tiles) == sum(state.played) + (1 << engine.first)


def _advaya_colour(engine: Advaya, face: int, side: int) -> str:
    tile_face = engine.faces[face]
    cut_ = _advaya_cut(tile_face.tile, "back_" if tile_face.side == "back" else "", -60 * tile_face.turn % 360)
    (piece,) = (n for n, sides in enumerate(cut_.sides) if side in sides)
    return cut_.colours[piece]


@cache
def _advaya_cut(tile: int, prefix: str, turn: int) -> Cut:
    row = decks_of("advaya")["tiles"][tile].row
    return cut(str(row[f"{prefix}segments"]), str(row[f"{prefix}sides"]), turn)


def _match(cell: Cell, colour: Callable[[Cell, int], str], laid: Mapping[Cell, object]) -> None:
    for side, beyond in enumerate(neighbours(cell)):
        if beyond in laid:
            assert colour(cell, side) == colour(beyond, (side + 3) % 6), "colours differ"


def look_at_atreya(engine: Atreya, before: AtreyaState, after: AtreyaState) -> None:
    """One tile at most is new or elsewhere; its sides match, and it touches two others."""
    old, now = before.arena.laid, after.arena.laid
    new = [cell for cell, way in now.items() if old.get(cell) != way]
    assert len(new) <= 1
    assert len(old) - 1 <= len(now) <= len(old) + 1
    looks = {atreya_place(cell): _look_of(way.colours) for cell, way in now.items()}
    for cell in new:
        assert looks[atreya_place(cell)] in WAYS[engine.tiles.ids[now[cell].tile]]
        _match(atreya_place(cell), lambda at, side: looks[at][side], looks)


def look_at_all_of_atreya(_engine: Atreya, state: AtreyaState) -> None:
    """Every tile touches two, all hang together without a hole; each tile lies once."""
    ways = [*state.arena.laid.values(), *([state.hand.way] if state.hand else [])]
    tiles = [way.tile for way in ways]
    assert len(set(tiles)) == len(tiles)
    assert not any(state.pool >> tile & 1 for tile in tiles)
    assert set(tiles) <= set(range(len(ATREYA_ROWS)))
    cells = {atreya_place(cell) for cell in state.arena.laid}
    if state.hand is None:
        assert all(sum(beyond in cells for beyond in neighbours(cell)) > 1 for cell in cells)
    assert not has_hole(cells)
    assert is_one(cells)


@cache
def _look_of(colours: tuple[int, ...]) -> str:
    return "".join("RGB"[colour] for colour in colours)


def is_one(cells: Collection[Cell]) -> bool:
    """Whether they hang together."""
    left = set(cells)
    ahead = [left.pop()]
    while ahead:
        new = left.intersection(neighbours(ahead.pop()))
        left -= new
        ahead += new
    return not left


LOOKS: Mapping[str, Look] = {
    "talavera": look_at_talavera,
    "toripoka": look_at_toripoka,
    "taluva": look_at_taluva,
    "advaya": look_at_advaya,
    "atreya": look_at_atreya,
}
WHOLE: Mapping[str, Callable[[Any, Any], None]] = {"advaya": look_at_all_of_advaya, "atreya": look_at_all_of_atreya}
